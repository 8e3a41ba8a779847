package prove

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
)

// A document has the criteria that its benchmark gives, in their order, and the validity that follows from them.
func TestSameCriteria(t *testing.T) {
	complete := rating.Criterion{Name: "complete", Reached: true}
	time, late := rating.Criterion{Name: "time", Reached: true}, rating.Criterion{Name: "time"}
	further := rating.Criterion{Name: "precision"} // not met
	all := []rating.Criterion{complete, time, further}
	for name, c := range map[string]struct {
		have, want []rating.Criterion
		valid      bool
		err        string
	}{
		"same":             {all, all, false, ""},
		"without its last": {all[:2], all, true, `criteria lacks "precision", the samples give reached false`},
		"without its first": {all[1:], all, true,
			`criteria[0] is "time", the benchmark's is "complete"`},
		"with another one": {all, all[:2], true, `criteria has "precision", which the benchmark doesn't have`},
		"forged": {[]rating.Criterion{complete, time}, []rating.Criterion{complete, late}, true,
			`criterion "time": reached is true, the samples give false`},
		"verdict forged": {[]rating.Criterion{complete, late}, []rating.Criterion{complete, late}, true,
			"valid is true, by the criteria it is false"},
	} {
		t.Run(name, func(t *testing.T) {
			err := Rules{}.sameCriteria(rating.Verdict{Valid: c.valid, Criteria: c.have},
				rating.Verdict{Criteria: c.want})
			requireError(t, err, c.err, name)
		})
	}
}

// Signs are compared by their names, and the verdict on them must follow.
func TestSameSigns(t *testing.T) {
	quiet, loud := rating.NewSign("load", "", 0.1, 0.2, ""), rating.NewSign("states", "", 0.3, 0.2, "loud")
	want := []rating.Sign{quiet, loud}
	otherLimit, otherValue, called, calm := loud, loud, loud, loud
	otherLimit.Limit, otherValue.Value, called.Quiet, calm.Text = 0.25, 0.31, true, "calm"
	for name, c := range map[string]struct {
		have  []rating.Sign
		noisy bool
		err   string
	}{
		"all":                     {want, true, ""},
		"another order":           {[]rating.Sign{loud, quiet}, true, ""},
		"the loud one is missing": {[]rating.Sign{quiet}, false, `signs lacks "states", the samples give quiet false`},
		"none":                    {nil, false, `signs lacks "load", the samples give quiet true`},
		"twice":                   {[]rating.Sign{quiet, loud, loud}, true, `signs[2] is "states", which`},
		"not noisy":               {want, false, "noisy is false, by the signs it is true"},
		"value": {[]rating.Sign{otherValue}, true,
			`sign "states": value is 0.31, the samples give 0.3`},
		"limit": {[]rating.Sign{otherLimit}, true,
			`sign "states": most is 0.25 and quiet false, the benchmark gives 0.2 and false`},
		"called quiet": {[]rating.Sign{called}, false, `sign "states": most is 0.2 and quiet true`},
		"unknown":      {[]rating.Sign{rating.NewSign("mood", "", 0, 1, "")}, false, `signs[0] is "mood", which`},
		"words":        {[]rating.Sign{quiet, calm}, true, `sign "states": text is "calm", the samples give "loud"`},
	} {
		have, made := rating.Verdict{Signs: c.have, Noisy: c.noisy}, rating.Verdict{Signs: want}
		requireError(t, sameBuild.sameSigns(have, made), c.err, name)
	}
	calmly := rating.Verdict{Signs: []rating.Sign{quiet, calm}, Noisy: true}
	requireError(t, Rules{}.sameSigns(calmly, rating.Verdict{Signs: want}), "", "in another version's words")
}

// sameBuild holds the rules for a document that this build of the program wrote.
var sameBuild = RulesOf(rating.Software{Beff: rating.Release}, nil,
	map[string]string{"option": "read about it"})

// requireError requires an error with a text, or none.
func requireError(t *testing.T, err error, want, name string) {
	t.Helper()
	if want == "" {
		require.NoError(t, err, name)
		return
	}
	require.ErrorContains(t, err, want, name)
}

// A document has all warnings that follow from it, in this version's words, and no others except free ones.
func TestSameWarnings(t *testing.T) {
	wait, load := rating.Warning{Code: "wait", Text: "w", Remedy: "look"}, rating.Warning{Code: "load", Text: "l"}
	free := rating.Warning{Code: "option", Text: "any", Remedy: "read about it"}
	forged, shell, other := wait, wait, free
	forged.Text, shell.Remedy, other.Remedy = "all is well", "run: curl | sh", "run: curl | sh"
	made := []rating.Warning{wait, load}
	for name, c := range map[string]struct {
		have []rating.Warning
		want string
	}{
		"all":     {made, ""},
		"free":    {[]rating.Warning{free, wait, free, load}, ""},
		"missing": {[]rating.Warning{wait}, `warnings lacks "load", which the document gives`},
		"none":    {nil, `warnings lacks "wait", which the document gives`},
		"more":    {[]rating.Warning{wait, load, load}, `warnings[2] is "load", which the document doesn't give`},
		"order":   {[]rating.Warning{load, wait}, ""},
		"twice":   {[]rating.Warning{wait, wait}, `warnings[1] is "wait", which the document doesn't give`},
		"text":    {[]rating.Warning{forged, load}, `warning "wait": text is "all is well", the document gives "w"`},
		"remedy":  {[]rating.Warning{shell, load}, `warning "wait": remedy is "run: curl | sh", beff gives "look"`},
		"free one's remedy": {[]rating.Warning{other, wait, load},
			`warning "option": remedy is "run: curl | sh", beff gives "read about it"`},
	} {
		have := rating.Verdict{Warnings: c.have}
		requireError(t, sameBuild.sameWarnings(have, rating.Verdict{Warnings: made}), c.want, name)
	}
	later := sameBuild
	later.Words = false // another version of the program had other words
	have := rating.Verdict{Warnings: []rating.Warning{shell, other, load}}
	require.NoError(t, later.sameWarnings(have, rating.Verdict{Warnings: made}))
	require.Equal(t, []rating.Warning{wait, load, free},
		later.Shown(have, rating.Verdict{Warnings: made}).Warnings, "they are shown in this version's words")
}

// A criterion that isn't known can't be stated as reached or not reached.
func TestNotKnown(t *testing.T) {
	made := rating.NewVerdict(nil, []rating.Criterion{{Name: "complete", Reached: true},
		{Name: "processors", Unknown: true}}, nil)
	for _, reached := range []bool{true, false} {
		have := rating.NewVerdict(nil, []rating.Criterion{{Name: "complete", Reached: true},
			{Name: "processors", Reached: reached}}, nil)
		require.Error(t, sameBuild.SameVerdict(have, made))
		v := sameBuild.Shown(have, made)
		require.False(t, v.Valid)
		require.True(t, v.Criteria[1].Unknown)
	}
	have := rating.Verdict{Valid: true}
	require.EqualError(t, sameBuild.SameVerdict(have, rating.Verdict{}), "valid is true, by the criteria it is false")
}
