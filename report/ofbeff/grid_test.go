package ofbeff_test

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/ofbeff"
)

// The grid's averages are those of beff.Derive.
func TestDerived(t *testing.T) {
	f, err := os.Open("../../testdata/b_eff-1.json")
	require.NoError(t, err)
	defer f.Close()
	r, err := report.ReadJSON(f)
	require.NoError(t, err)
	if len(r.Methods) > 1 { // a method that was left out once
		r.Samples = slices.DeleteFunc(r.Samples, func(s beff.Sample) bool {
			return s.Pattern == 0 && s.Method == 1 &&
				s.Length == 0
		})
	}
	d, g, lengths := beff.Derive(r), ofbeff.New(r), len(r.Lengths)
	near := func(want, got float64, what string) {
		t.Helper()
		require.InEpsilon(t, want, got, 1e-12, what)
	}
	best := func(p int) float64 { return ofbeff.Mean(0, lengths, func(l int) float64 { return g.Best(p, l) }) }
	near(d.BEff, g.Both(best), "b_eff")
	near(d.Rings, g.LogAverage(patterns.KindRing, best), "rings")
	for m := range r.Methods {
		near(d.PerMethod[m], g.Both(func(p int) float64 {
			return ofbeff.Mean(0, lengths, func(l int) float64 { return g.OfMethod(p, l, m) })
		}), "method")
	}
	for i := range r.Repetitions {
		near(d.PerRepetition[i], g.Both(func(p int) float64 {
			return ofbeff.Mean(0, lengths, func(l int) float64 { return g.InRepetition(p, l, i) })
		}), "repetition")
	}
}
