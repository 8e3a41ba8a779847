package tune

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Evidence shows that a rule is taken, says that it isn't, or doesn't tell.
func TestEvidence(t *testing.T) {
	tree := Traffic{{0, 1, 15}: 20, {0, 2, 15}: 20, {1, 3, 15}: 20}
	star := Traffic{{0, 1, 15}: 20, {0, 2, 15}: 20, {0, 3, 15}: 20}
	other := Traffic{{0, 1, 15}: 20, {0, 2, 15}: 20, {0, 3, 15}: 20, {1, 0, 3}: 1, {1, 0, 4}: -1}
	counted := func(byDefault, forced, ruled Traffic) *Evidence {
		e := &Evidence{}
		e.Count(20, byDefault, forced, ruled)
		return e
	}
	for name, c := range map[string]struct {
		of                 *Evidence
		shown, contradicts bool
	}{
		"as many messages, other ways":       {counted(star, tree, tree), true, false},
		"the same as by default":             {counted(tree, tree, tree), false, false},
		"the file does what the default did": {counted(star, tree, star), false, true},
		"a job with the file failed":         {counted(star, tree, nil), false, true},
		"one of the program's own":           {counted(tree, star, other), true, false},
		"nothing was counted":                {counted(nil, nil, nil), false, false},
		"an older result":                    {&Evidence{Default: 7999, Forced: 94, Ruled: 94}, true, false},
		"an older result, undecided":         {&Evidence{Default: 94, Forced: 94, Ruled: 94}, false, false},
		"a wrong rule ends the job":          {&Evidence{Spoiled: true}, true, false},
		"a wrong rule isn't seen":            {&Evidence{}, false, true},
	} {
		require.Equal(t, c.shown, c.of.Shown(), name)
		require.Equal(t, c.contradicts, c.of.Contradicts(), name)
	}
	require.Equal(t, Evidence{Calls: 20, Default: 60, Forced: 60, Ruled: 60, Unlike: 40}, *counted(star, tree, tree))
}

// A rule that the library doesn't take isn't among those that follow, and evidence can't contradict itself.
func TestRefuted(t *testing.T) {
	r := campaign(1, 0.01, map[string][]float64{"a": {1, 1.5, 1, 1}, "b": {1, 1, 1, 2}})
	require.Len(t, r.Derived.Rules, 2)
	r.Evidence = []Evidence{{Collective: "Allreduce", Processes: 4, Bytes: 64, Algorithm: "a", Calls: 20, Default: 60,
		Forced: 80, Ruled: 60, Unlike: 20, Apart: 20}}
	require.Equal(t, []Rule{rule("Allreduce", 4, 4096, 4096, 8192, 2, "b")}, r.Derive().Rules)
	require.NoError(t, r.Check())
	r.Evidence[0].Apart = 19
	require.ErrorContains(t, r.Check(), "less unlike")
	r.Evidence[0].Ruled = -1
	require.ErrorContains(t, r.Check(), "evidence of -1")
	r.Evidence[0].Algorithm = "<b>"
	require.ErrorContains(t, r.Check(), "evidence of")
}
