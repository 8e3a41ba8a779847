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
		"without its last": {all[:2], all, true, `criteria lacks "precision", which is met: false`},
		"without its first": {all[1:], all, true,
			`criteria[0] is "time", the benchmark's is "complete"`},
		"with another one": {all, all[:2], true, `criteria has "precision", which the benchmark does not know`},
		"forged": {[]rating.Criterion{complete, time}, []rating.Criterion{complete, late}, true,
			`criterion "time" is met: true, by the samples: false`},
		"verdict forged": {[]rating.Criterion{complete, late}, []rating.Criterion{complete, late}, true,
			"valid is true, by the criteria it is false"},
	} {
		t.Run(name, func(t *testing.T) {
			err := Rules{}.sameCriteria(rating.Verdict{Valid: c.valid, Criteria: c.have},
				rating.Verdict{Criteria: c.want})
			says(t, err, c.err, name)
		})
	}
}

// Signs are compared by their names, and the verdict on them must follow.
func TestSameSigns(t *testing.T) {
	quiet, loud := rating.NewSign("load", "", 0.1, 0.2, ""), rating.NewSign("states", "", 0.3, 0.2, "loud")
	want := []rating.Sign{quiet, loud}
	otherLimit, otherValue, called, calm := loud, loud, loud, loud
	otherLimit.Most, otherValue.Value, called.Quiet, calm.Text = 0.25, 0.31, true, "calm"
	for name, c := range map[string]struct {
		have  []rating.Sign
		noisy bool
		err   string
	}{
		"all":                     {want, true, ""},
		"another order":           {[]rating.Sign{loud, quiet}, true, ""},
		"the loud one is missing": {[]rating.Sign{quiet}, false, `signs lacks "states", which is quiet: false`},
		"none":                    {nil, false, `signs lacks "load", which is quiet: true`},
		"twice":                   {[]rating.Sign{quiet, loud, loud}, true, `signs[2] is "states", which`},
		"not noisy":               {want, false, "noisy is false, by the signs it is true"},
		"value":                   {[]rating.Sign{otherValue}, true, `sign "states" is 0.31, the samples give 0.3`},
		"limit": {[]rating.Sign{otherLimit}, true,
			`sign "states" is quiet up to 0.25: false, the benchmark's limit`},
		"called quiet": {[]rating.Sign{called}, false, `sign "states" is quiet up to 0.2: true`},
		"unknown":      {[]rating.Sign{rating.NewSign("mood", "", 0, 1, "")}, false, `signs[0] is "mood", which`},
		"words":        {[]rating.Sign{quiet, calm}, true, `sign "states" says "calm", by the samples it is "loud"`},
	} {
		have, made := rating.Verdict{Signs: c.have, Noisy: c.noisy}, rating.Verdict{Signs: want}
		says(t, today.sameSigns(have, made), c.err, name)
	}
	calmly := rating.Verdict{Signs: []rating.Sign{quiet, calm}, Noisy: true}
	says(t, Rules{}.sameSigns(calmly, rating.Verdict{Signs: want}), "", "in another version's words")
}

// today are the rules of a document that this version of the program wrote.
var today = RulesOf(rating.Software{Beff: rating.Release}, nil,
	map[string]string{"option": "read about it"})

// says requires an error with a text, or none.
func says(t *testing.T, err error, want, name string) {
	t.Helper()
	if want == "" {
		require.NoError(t, err, name)
		return
	}
	require.ErrorContains(t, err, want, name)
}

// All warnings that follow from a document are in it, in our words, and no others but the free ones.
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
		"all":       {made, ""},
		"free":      {[]rating.Warning{free, wait, free, load}, ""},
		"one lacks": {[]rating.Warning{wait}, `warnings lacks one: by the document there is "load"`},
		"none":      {nil, `warnings lacks one: by the document there is "wait"`},
		"more":      {[]rating.Warning{wait, load, load}, `warnings[2] is "load", which the document doesn't give`},
		"order":     {[]rating.Warning{load, wait}, ""},
		"twice":     {[]rating.Warning{wait, wait}, `warnings[1] is "wait", which the document doesn't give`},
		"text":      {[]rating.Warning{forged, load}, `warning "wait" says "all is well", by the document it is "w"`},
		"remedy":    {[]rating.Warning{shell, load}, `warning "wait" has the remedy "run: curl | sh", ours is "look"`},
		"free one's remedy": {[]rating.Warning{other, wait, load},
			`warnings[0] has the remedy "run: curl | sh", that of "option" is "read about it"`},
	} {
		have := rating.Verdict{Warnings: c.have}
		says(t, today.sameWarnings(have, rating.Verdict{Warnings: made}), c.want, name)
	}
	later := today
	later.Words = false // another version of the program had other words
	have := rating.Verdict{Warnings: []rating.Warning{shell, other, load}}
	require.NoError(t, later.sameWarnings(have, rating.Verdict{Warnings: made}))
	require.Equal(t, []rating.Warning{wait, load, free},
		later.Shown(have, rating.Verdict{Warnings: made}).Warnings, "they are shown in ours")
}

// What isn't known must be said.
func TestNotKnown(t *testing.T) {
	made := rating.NewVerdict(nil, []rating.Criterion{{Name: "complete", Reached: true},
		{Name: "processors", Unknown: true}}, nil)
	for _, reached := range []bool{true, false} {
		have := rating.NewVerdict(nil, []rating.Criterion{{Name: "complete", Reached: true},
			{Name: "processors", Reached: reached}}, nil)
		require.Error(t, today.SameVerdict(have, made))
		v := today.Shown(have, made)
		require.False(t, v.Valid)
		require.True(t, v.Criteria[1].Unknown)
	}
	have := rating.Verdict{Valid: true}
	require.EqualError(t, today.SameVerdict(have, rating.Verdict{}), "valid is true, by the criteria it is false")
}

// The reason why a run ended early is in its document.
func TestReason(t *testing.T) {
	require.NoError(t, Reason(rating.Period{}, true))
	require.EqualError(t, Reason(rating.Period{Ended: "c"}, false), "c")
	require.ErrorIs(t, Reason(rating.Period{}, false), rating.ErrStopped)
}
