package beffio_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/patterns"
)

// The mean of bandwidths 1 … 5 with scatter twice is (1+1+2+3+4+5)/6. If only scatter was rewritten, the paper uses
// that type's bandwidth, and release 2.1 takes it as one of six terms.
func TestFormulas(t *testing.T) {
	types := func(list ...float64) []float64 { return list }
	p := beffio.Partition{Accesses: []beffio.AccessMethod{
		{Access: beffio.Write, Types: types(1, 2, 3, 4, 5), Bandwidth: 16. / 6},
		{Access: beffio.Rewrite, Types: types(7, 0, 0, 0, 0), Bandwidth: 7},
		{Access: beffio.Read, Types: types(10, 20, 30, 40, 50), Bandwidth: 160. / 6},
	}}
	require.InEpsilon(t, 16./6, beffio.MeanOfTypes(beffio.Types(), func(typ patterns.IOType) float64 {
		return p.Access(beffio.Write).Types[typ]
	}), 1e-15)
	for rules, want := range map[beffio.Rules]float64{
		beffio.RulesPaper: 0.25*16./6 + 0.25*7 + 0.5*160./6,
		beffio.Rules21:    math.Sqrt((1 + 2 + 3 + 4 + 5 + 7) / 6. * 160. / 6),
	} {
		f := rules.Formula()
		require.InEpsilon(t, want, f.Of(&p), 1e-15, rules)
		for _, factor := range f.Factors {
			require.InEpsilon(t, factor.Of(&p), factor.Split().Of(&p), 1e-15, rules)
		}
	}
	p.Accesses = p.Accesses[:2]
	require.Zero(t, beffio.RulesPaper.Formula().Of(&p), "without reading")
}

// A type's share has its weight among the types that were measured.
func TestShare(t *testing.T) {
	m := beffio.AccessMethod{Types: []float64{6, 3, 0, 0, 0}}
	require.InEpsilon(t, 4., m.Share(patterns.Scatter), 1e-15)
	require.InEpsilon(t, 1., m.Share(patterns.Shared), 1e-15)
	require.Zero(t, m.Share(patterns.Separated))
}

// The two formulas differ if reading is faster than writing. docs/studies/definitions.md has 76 % for the figures of a
// real run by release 2.1, whose rating was 214.516 MB/s.
func TestFormulasDiffer(t *testing.T) {
	p := beffio.Partition{Accesses: []beffio.AccessMethod{
		{Access: beffio.Write, Types: []float64{58.579, 48.697, 77.944, 77.036, 73.113},
			Bandwidth: (2*58.579 + 48.697 + 77.944 + 77.036 + 73.113) / 6},
		{Access: beffio.Rewrite, Types: []float64{63.841, 0, 0, 0, 0}, Bandwidth: 63.841},
		{Access: beffio.Read, Types: make([]float64, 5), Bandwidth: 691.619},
	}}
	release, paper := beffio.Rules21.Formula().Of(&p), beffio.RulesPaper.Formula().Of(&p)
	require.InDelta(t, 214.516, release, 1e-3)
	require.InDelta(t, 0.76, paper/release-1, 0.005)
	alike := func(i int, x float64) {
		p.Accesses[i].Types, p.Accesses[i].Bandwidth = []float64{x, x, x, x, x}, x
	}
	alike(0, 1)
	alike(1, 1)
	alike(2, 10)
	require.InDelta(t, 0.74, beffio.RulesPaper.Formula().Of(&p)/beffio.Rules21.Formula().Of(&p)-1, 0.005)
	for i := range p.Accesses {
		p.Accesses[i].Types, p.Accesses[i].Bandwidth = []float64{3, 3, 3, 3, 3}, 3
	}
	require.InEpsilon(t, beffio.Rules21.Formula().Of(&p), beffio.RulesPaper.Formula().Of(&p), 1e-12)
}
