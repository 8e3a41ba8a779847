package beff_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
)

// The grid's averages are equal to Derive's.
func TestGridAverages(t *testing.T) {
	data, err := os.ReadFile("../testdata/b_eff-1.json")
	require.NoError(t, err)
	r := new(beff.Result)
	require.NoError(t, json.Unmarshal(data, r))
	d, g, lengths := beff.Derive(r), beff.NewGrid(r), len(r.Lengths)
	best := func(p int) float64 { return beff.Mean(0, lengths, func(l int) float64 { return g.Best(p, l) }) }
	require.InEpsilon(t, d.BEff, g.Both(best), 1e-12)
	require.InEpsilon(t, d.Rings, g.LogAverage(patterns.KindRing, best), 1e-12)
	for m := range r.Methods {
		require.InEpsilon(t, d.PerMethod[m], g.Both(func(p int) float64 {
			return beff.Mean(0, lengths, func(l int) float64 { return g.OfMethod(p, l, m) })
		}), 1e-12)
	}
	for i := range r.Repetitions {
		require.InEpsilon(t, d.PerRepetition[i], g.Both(func(p int) float64 {
			return beff.Mean(0, lengths, func(l int) float64 { return g.InRepetition(p, l, i) })
		}), 1e-12)
	}
}

// A method that was left out is replaced by the best method, and a repetition of release 3.6's longest message by the
// first repetition.
func TestGridGaps(t *testing.T) {
	sample := func(l, m, repetition int, seconds float64) beff.Sample {
		return beff.Sample{Length: l, Method: m, Repetition: repetition, Loops: 2, Seconds: seconds}
	}
	r := &beff.Result{Lengths: []int64{8, 16}, Methods: []string{"a", "b"}, Repetitions: 2,
		Patterns: []beff.Pattern{{Name: "ring", Kind: patterns.KindRing, Messages: 3, Processes: 3}, {Name: "none"}}}
	r.Rules = beff.Rules36
	r.Samples = []beff.Sample{
		sample(0, 0, 0, 1), sample(0, 0, 1, 0.5), sample(0, 1, 0, 0.25), sample(1, 0, 0, 1),
		{Pattern: 2}, {Length: -1}, {Method: 2}, {Repetition: 1 << 40}, // outside: left out
	}
	g := beff.NewGrid(r)
	require.Equal(t, 96.0, g.BestOf(0, 0, 0), "8 bytes, 3 messages, 2 loops in half a second")
	require.Equal(t, 192.0, g.Best(0, 0))
	require.True(t, math.IsNaN(g.BestOf(0, 1, 1)))
	require.Equal(t, 96.0, g.OfMethod(0, 1, 1), "the best method replaces it")
	require.Equal(t, 96.0, g.InRepetition(0, 0, 1))
	require.Equal(t, 96.0, g.InRepetition(0, 1, 1), "the first repetition replaces it")
	r.Rules = beff.Rules2001
	require.True(t, math.IsNaN(g.InRepetition(0, 1, 1)))
	require.True(t, g.Measured(0))
	require.False(t, g.Measured(1))
	require.True(t, math.IsNaN(g.Both(func(int) float64 { return 1 })), "no random patterns")
}
