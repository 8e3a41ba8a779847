package prove

import (
	"fmt"

	"github.com/effective-bandwidth/beff/rating"
)

// SameCriteria compares the verdict of a document of a schema version with the verdict that its samples give. All
// criteria that the benchmark has today are in want. A document need not have criteria that came with later versions,
// neither in its list nor in its verdict. A criterion's text may have changed.
func SameCriteria(have rating.Verdict, want []rating.Criterion, version int) error {
	list := asOf(want, version)
	for i, c := range list {
		switch {
		case i >= len(have.Criteria):
			return fmt.Errorf("criteria lacks %q, which is met: %t", c.Name, c.Reached)
		case have.Criteria[i].Name != c.Name:
			return fmt.Errorf("criteria[%d] is %q, the benchmark's is %q", i, have.Criteria[i].Name, c.Name)
		case have.Criteria[i].Reached != c.Reached:
			return fmt.Errorf("criterion %q is met: %t, by the samples: %t", c.Name, have.Criteria[i].Reached,
				c.Reached)
		}
	}
	if len(have.Criteria) > len(list) {
		return fmt.Errorf("criteria has %q, which the benchmark does not know", have.Criteria[len(list)].Name)
	}
	if valid := rating.Valid(list); have.Valid != valid {
		return fmt.Errorf("valid is %t, by the criteria it is %t", have.Valid, valid)
	}
	return nil
}

// asOf returns the criteria that a schema version has.
func asOf(all []rating.Criterion, version int) []rating.Criterion {
	var list []rating.Criterion
	for _, c := range all {
		if c.Since <= version {
			list = append(list, c)
		}
	}
	return list
}
