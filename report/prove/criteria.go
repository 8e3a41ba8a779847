package prove

import (
	"fmt"

	"github.com/effective-bandwidth/beff/rating"
)

// SameCriteria compares the verdicts; a criterion's text may have changed from version to version.
func SameCriteria(have, want []rating.Criterion, valid, wantValid bool) error {
	for i, c := range want {
		switch {
		case i >= len(have):
			return fmt.Errorf("criteria lacks %q, which is reached: %t", c.Name, c.Reached)
		case have[i].Name != c.Name:
			return fmt.Errorf("criteria[%d] is %q, the benchmark's is %q", i, have[i].Name, c.Name)
		case have[i].Reached != c.Reached:
			return fmt.Errorf("criterion %q is reached: %t, by the samples: %t", c.Name, have[i].Reached, c.Reached)
		}
	}
	if len(have) > len(want) {
		return fmt.Errorf("criteria has %q, which the benchmark does not know", have[len(want)].Name)
	}
	if valid != wantValid {
		return fmt.Errorf("valid is %t, by the criteria it is %t", valid, wantValid)
	}
	return nil
}
