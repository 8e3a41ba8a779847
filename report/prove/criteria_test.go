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
			err := Rules{Schema: c.version}.sameCriteria(rating.Verdict{Valid: c.valid, Criteria: c.have},
				rating.Verdict{Criteria: c.want})
			if c.err == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, c.err)
			}
		})
	}
}

// Signs are compared by their names. An old document may lack some; those that it has must follow, and so must its
// verdict.
func TestSameSigns(t *testing.T) {
	quiet, loud := rating.NewSign("load", "", 0.1, 0.2, ""), rating.NewSign("states", "", 0.3, 0.2, "loud")
	want := []rating.Sign{quiet, loud}
	otherLimit, otherValue, called, calm := loud, loud, loud, loud
	otherLimit.Most, otherValue.Value, called.Quiet, calm.Text = 0.25, 0.31, true, "calm"
	for name, c := range map[string]struct {
		have       []rating.Sign
		noisy      bool
		old, whole string // errors
	}{
		"all":           {want, true, "", ""},
		"another order": {[]rating.Sign{loud, quiet}, true, "", ""},
		"the loud one is missing": {[]rating.Sign{quiet}, false, "",
			`signs lacks "states", which is quiet: false`},
		"none": {nil, false, "", `signs lacks "load", which is quiet: true`},
		"twice": {[]rating.Sign{quiet, loud, loud}, true, `signs[2] is "states", which`,
			`signs[2] is "states", which`},
		"noisy without": {[]rating.Sign{quiet}, true, "noisy is true, by the signs it is false",
			`signs lacks "states"`},
		"not noisy": {want, false, "noisy is false, by the signs it is true",
			"noisy is false, by the signs it is true"},
		"value": {[]rating.Sign{otherValue}, true, `sign "states" is 0.31, the samples give 0.3`,
			`sign "states" is 0.31, the samples give 0.3`},
		"limit": {[]rating.Sign{otherLimit}, true, `sign "states" is quiet up to 0.25: false, the benchmark's limit`,
			`sign "states" is quiet up to 0.25: false, the benchmark's limit`},
		"called quiet": {[]rating.Sign{called}, false, `sign "states" is quiet up to 0.2: true`,
			`sign "states" is quiet up to 0.2: true`},
		"unknown": {[]rating.Sign{rating.NewSign("mood", "", 0, 1, "")}, false, `signs[0] is "mood", which`,
			`signs[0] is "mood", which`},
		"words": {[]rating.Sign{quiet, calm}, true, "", `sign "states" says "calm", by the samples it is "loud"`},
	} {
		have, made := rating.Verdict{Signs: c.have, Noisy: c.noisy}, rating.Verdict{Signs: want}
		says(t, Rules{Schema: 1}.sameSigns(have, made), c.old, name)
		says(t, today.sameSigns(have, made), c.whole, name)
	}
}

// today are the rules of a document that this version of the program wrote.
var today = RulesOf(rating.Identity{SchemaVersion: 2}, rating.Software{Beff: rating.Release}, nil,
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
		require.NoError(t, Rules{Schema: 1}.sameWarnings(have, rating.Verdict{Warnings: made}), name)
	}
	later := today
	later.Words = false // another version of the program had other words
	have := rating.Verdict{Warnings: []rating.Warning{shell, other, load}}
	require.NoError(t, later.sameWarnings(have, rating.Verdict{Warnings: made}))
	require.Equal(t, []rating.Warning{wait, load, free},
		later.Shown(have, rating.Verdict{Warnings: made}).Warnings, "they are shown in ours")
}

// Of an old document the verdict is made again, too: signs and warnings that it lacks are shown, and what it alone says
// is said to be its own.
func TestShown(t *testing.T) {
	loud := rating.NewSign("load", "stop it", 3, 2, "too much")
	made := rating.NewVerdict(nil, []rating.Criterion{{Name: "complete", Reached: true},
		{Name: "later", Reached: true, Since: 2}}, []rating.Sign{loud})
	have := rating.Verdict{Valid: true, Warnings: []rating.Warning{{Code: "mood", Text: "gloomy", Remedy: "sh"}}}
	v := Rules{Schema: 1}.Shown(have, made)
	require.True(t, v.Valid && v.Noisy)
	require.Len(t, v.Criteria, 2)
	require.Len(t, v.Signs, 1)
	require.Len(t, v.Warnings, 2)
	require.Equal(t, "stop it", v.Warnings[0].Remedy)
	require.Equal(t, "the document says: gloomy", v.Warnings[1].Text)
	require.NotContains(t, v.Warnings[1].Remedy, "sh:")
}

// What isn't known isn't met in a document of the first version either, whatever it says. A later one must say so.
func TestNotKnown(t *testing.T) {
	made := rating.NewVerdict(nil, []rating.Criterion{{Name: "complete", Reached: true},
		{Name: "processors", Unknown: true}, {Name: "library", Unknown: true, Since: 2}}, nil)
	for _, reached := range []bool{true, false} {
		have := rating.NewVerdict(nil, []rating.Criterion{{Name: "complete", Reached: true},
			{Name: "processors", Reached: reached}}, nil)
		require.NoError(t, Rules{Schema: 1}.SameVerdict(have, made))
		v := Rules{Schema: 1}.Shown(have, made)
		require.False(t, v.Valid)
		require.True(t, v.Criteria[1].Unknown && v.Criteria[2].Unknown)
		require.Error(t, today.SameVerdict(have, made))
	}
	have := rating.Verdict{Valid: true}
	require.EqualError(t, today.SameVerdict(have, rating.Verdict{}), "valid is true, by the criteria it is false")
}

// The reason why a run ended early is in its document, of old ones in a criterion.
func TestReason(t *testing.T) {
	old := rating.Verdict{Criteria: []rating.Criterion{{Name: "complete", Text: "it was (it ended with: a (b))"}}}
	require.NoError(t, Reason(rating.Period{}, old, true))
	require.EqualError(t, Reason(rating.Period{}, old, false), "a (b)")
	require.EqualError(t, Reason(rating.Period{Ended: "c"}, old, false), "c")
	require.ErrorIs(t, Reason(rating.Period{}, rating.Verdict{}, false), rating.ErrStopped)
}
