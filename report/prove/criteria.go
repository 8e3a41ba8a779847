package prove

import (
	"fmt"
	"slices"

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

// SameSigns compares the signs of noise of a document with those that its samples give, by their names: a document may
// lack signs that came later. Whether it is noisy must follow from the signs that it has. A sign's text may have
// changed.
func SameSigns(have rating.Verdict, want []rating.Sign) error {
	for i, s := range have.Signs {
		at := slices.IndexFunc(want, func(w rating.Sign) bool { return w.Name == s.Name })
		if at < 0 {
			return fmt.Errorf("signs[%d] is %q, which the samples don't give", i, s.Name)
		}
		w := want[at]
		switch {
		case !rating.Near(s.Value, w.Value):
			return fmt.Errorf("sign %q is %v, the samples give %v", s.Name, s.Value, w.Value)
		case s.Most != w.Most || s.Quiet != w.Quiet:
			return fmt.Errorf("sign %q is quiet up to %v: %t, the benchmark's limit is %v: %t", s.Name, s.Most, s.Quiet,
				w.Most, w.Quiet)
		}
	}
	if noisy := rating.Noisy(have.Signs); have.Noisy != noisy {
		return fmt.Errorf("noisy is %t, by the signs it is %t", have.Noisy, noisy)
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
