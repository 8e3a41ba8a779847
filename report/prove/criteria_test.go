package prove

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
)

// A document is judged by the criteria of its own version: a later one is not asked of it, and its own can't be left
// out.
func TestCriteriaOfVersion(t *testing.T) {
	complete := rating.Criterion{Name: "complete", Reached: true}
	time, late := rating.Criterion{Name: "time", Reached: true}, rating.Criterion{Name: "time"}
	further := rating.Criterion{Name: "precision", Since: 2} // not met
	met := further
	met.Reached = true
	for name, c := range map[string]struct {
		version    int
		have, want []rating.Criterion
		valid      bool
		err        string
	}{
		"old": {1, []rating.Criterion{complete, time}, []rating.Criterion{complete, time, further}, true,
			""},
		"old, not valid": {1, []rating.Criterion{complete, late}, []rating.Criterion{complete, late, met}, false, ""},
		"old, in between": {1, []rating.Criterion{complete, time}, []rating.Criterion{complete, further, time}, true,
			""},
		"new": {2, []rating.Criterion{complete, time, further}, []rating.Criterion{complete, time, further}, false, ""},
		"new without the further": {2, []rating.Criterion{complete, time}, []rating.Criterion{complete, time, further},
			true,
			`criteria lacks "precision", which is met: false`},
		"old without its last": {1, []rating.Criterion{complete}, []rating.Criterion{complete, late, further}, true,
			`criteria lacks "time", which is met: false`},
		"old without its first": {1, []rating.Criterion{time}, []rating.Criterion{complete, time, further}, true,
			`criteria[0] is "time", the benchmark's is "complete"`},
		"old with a later one": {1, []rating.Criterion{complete, time, met}, []rating.Criterion{complete, time, met},
			true,
			`criteria has "precision", which the benchmark does not know`},
		"forged": {1, []rating.Criterion{complete, time}, []rating.Criterion{complete, late}, true,
			`criterion "time" is met: true, by the samples: false`},
		"old, verdict forged": {1, []rating.Criterion{complete, late}, []rating.Criterion{complete, late, met}, true,
			"valid is true, by the criteria it is false"},
	} {
		t.Run(name, func(t *testing.T) {
			err := SameCriteria(rating.Verdict{Valid: c.valid, Criteria: c.have}, c.want, c.version)
			if c.err == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, c.err)
			}
		})
	}
}

// Signs are compared by their names. A document may lack some; those that it has must follow, and so must its verdict.
func TestSameSigns(t *testing.T) {
	quiet, loud := rating.NewSign("load", "", 0.1, 0.2, ""), rating.NewSign("states", "", 0.3, 0.2, "")
	want := []rating.Sign{quiet, loud}
	otherLimit, otherValue, called := loud, loud, loud
	otherLimit.Most, otherValue.Value, called.Quiet = 0.25, 0.31, true
	for name, c := range map[string]struct {
		have  []rating.Sign
		noisy bool
		err   string
	}{
		"all":            {want, true, ""},
		"another order":  {[]rating.Sign{loud, quiet}, true, ""},
		"one is missing": {[]rating.Sign{quiet}, false, ""},
		"none":           {nil, false, ""},
		"noisy without":  {[]rating.Sign{quiet}, true, "noisy is true, by the signs it is false"},
		"not noisy":      {want, false, "noisy is false, by the signs it is true"},
		"value":          {[]rating.Sign{otherValue}, true, `sign "states" is 0.31, the samples give 0.3`},
		"limit": {[]rating.Sign{otherLimit}, true,
			`sign "states" is quiet up to 0.25: false, the benchmark's limit`},
		"called quiet": {[]rating.Sign{called}, false, `sign "states" is quiet up to 0.2: true`},
		"unknown":      {[]rating.Sign{rating.NewSign("mood", "", 0, 1, "")}, false, `signs[0] is "mood", which`},
	} {
		err := SameSigns(rating.Verdict{Signs: c.have, Noisy: c.noisy}, want)
		if c.err == "" {
			require.NoError(t, err, name)
		} else {
			require.ErrorContains(t, err, c.err, name)
		}
	}
}
