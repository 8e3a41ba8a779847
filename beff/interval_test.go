package beff_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/rating"
)

// The interval of any figure is made as that of b_eff: of b_eff itself it is the same, whatever the method.
func TestWithinOf(t *testing.T) {
	s := newSimulation(t, 1, false)
	whole := func(g *beff.Grid) float64 {
		return g.Both(func(p int) float64 {
			return beff.Mean(0, len(g.Lengths), func(l int) float64 { return g.Best(p, l) })
		})
	}
	seen := map[rating.Method]bool{}
	for _, k := range kinds() {
		x, _ := s.run(&k, rand.New(rand.NewPCG(3, 3)))
		g, want := beff.NewGrid(x), x.Derived.BEffInterval
		in := g.WithinOf(whole)
		require.InEpsilon(t, want.Low, in.Low, 1e-3, k.name)
		require.InEpsilon(t, want.High, in.High, 1e-3, k.name)
		seen[in.Method] = true
	}
	require.Len(t, seen, 3)
}

// A figure of some lengths, or of a method, spreads as these do: nothing else is in it.
func TestWithinOfParts(t *testing.T) {
	s := newSimulation(t, 1, false)
	steady := kind{begin: calm, noise: func(*rand.Rand) float64 { return 1 }}
	x, _ := s.run(&steady, nil)
	r := rand.New(rand.NewPCG(4, 4))
	const noisy = 5 // the lengths below have noise
	for i := range x.Samples {
		if x.Samples[i].Length < noisy {
			x.Samples[i].Seconds *= math.Exp(0.1 * r.NormFloat64())
		}
	}
	g := beff.NewGrid(x)
	part := func(from, to int) *rating.Interval {
		return g.WithinOf(func(g *beff.Grid) float64 {
			return g.Both(func(p int) float64 {
				return beff.Mean(from, to, func(l int) float64 { return g.Best(p, l) })
			})
		})
	}
	require.Greater(t, part(0, noisy).High/part(0, noisy).Low, 1.01)
	require.EqualValues(t, 1, part(noisy, 21).High/part(noisy, 21).Low)
	method := func(m int) *rating.Interval {
		return g.WithinOf(func(g *beff.Grid) float64 {
			return g.Both(func(p int) float64 { return g.OfMethod(p, 0, m) })
		})
	}
	require.Greater(t, method(0).High, method(0).Low)
	require.Nil(t, g.WithinOf(func(*beff.Grid) float64 { return math.NaN() }))
	before := beff.NewGrid(x)
	for p := range g.Patterns {
		for l := range g.Lengths {
			require.Equal(t, before.Best(p, l), g.Best(p, l), "it leaves the grid as it was")
		}
	}
}

// What a run spreads isn't known before it has measured each length twice: nothing is said of an interval, or of what
// is quiet.
func TestNotRepeated(t *testing.T) {
	s := newSimulation(t, 1, false)
	steady := kind{begin: calm, noise: func(*rand.Rand) float64 { return 1 }}
	x, _ := s.run(&steady, nil)
	all := x.Samples
	for last, known := range map[int]bool{4: false, 19: false, 20: true} { // lengths that were measured twice
		x.Samples = nil
		for _, sample := range all {
			if sample.Repetition == 0 || sample.Repetition == 1 && sample.Length <= last {
				x.Samples = append(x.Samples, sample)
			}
		}
		x.Derived = beff.Derive(x)
		require.Positive(t, x.Derived.BEff)
		require.Equal(t, known, x.Derived.BEffInterval != nil, "up to length %d", last)
		require.Equal(t, known, beff.NewGrid(x).WithinOf(func(g *beff.Grid) float64 { return g.Best(0, 0) }) != nil)
		measured := beff.Measured{Samples: x.Samples, WallSeconds: x.WallSeconds, LoopSeconds: x.LoopSeconds}
		for _, sign := range beff.NewResult(s.plan, &measured, rating.Run{Err: rating.ErrStopped}).Signs {
			require.True(t, known || sign.Name == "elapsed", "%+v", sign)
		}
	}
}
