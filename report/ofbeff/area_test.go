package ofbeff

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// bestOf returns the highest bandwidth of a pattern's samples at a length, in bytes per second.
func bestOf(r *beff.Result, pattern, length int) float64 {
	best := 0.0
	for _, s := range r.Samples {
		if s.Pattern == pattern && s.Length == length {
			bytes := float64(r.Lengths[length]) * float64(r.Patterns[pattern].Messages) * float64(s.Loops)
			best = max(best, bytes/s.Seconds)
		}
	}
	return best
}

// Comparisons have the figures that beff derives: b_eff, and the averages of each kind and of each method. Classes have
// the same averages over their own lengths. The spread of a figure is its spread over the repetitions. All figures are
// per process if the numbers of processes differ.
func TestDifferences(t *testing.T) {
	a, b := pair()
	fewer := fixture.Cluster("c")
	fewer.Processes, fewer.Latency = 20, 1.1e-6
	for _, other := range []*beff.Result{b, fewer.Result()} {
		c := compared(t, a, other)
		perProcess := a.Processes != other.Processes
		require.Equal(t, perProcess, c.Pairs[0].Main.Name == "b_eff per process")
		found := map[string]compare.Difference{}
		for _, d := range c.Pairs[0].Groups[0].Rows {
			found[d.Name] = d.Difference
		}
		of := func(name string, figure func(r *beff.Result) float64, spread func(g *beff.Grid) float64) {
			t.Helper()
			per := func(r *beff.Result) float64 {
				if perProcess {
					return figure(r) / float64(r.Processes)
				}
				return figure(r)
			}
			d, ok := found[name]
			require.True(t, ok, name)
			require.InEpsilon(t, per(a), d.First.Value, 1e-12, name)
			require.InEpsilon(t, per(other), d.Second.Value, 1e-12, name)
			if spread == nil {
				return
			}
			for i, r := range []*beff.Result{a, other} {
				_, in := beff.OfPasses([]*beff.Grid{beff.NewGrid(r)}, spread)
				want := compare.OfRating(figure(r), in).Deviation
				require.Positive(t, want, name)
				require.InEpsilon(t, want, []compare.Sampled{d.First, d.Second}[i].Deviation, 1e-9, name)
			}
		}
		of("b_eff", func(r *beff.Result) float64 { return r.Derived.BEff }, nil)
		rated := compare.OfRating(1, a.Derived.BEffInterval).Deviation
		require.InEpsilon(t, rated, found["b_eff"].First.Deviation, 1e-9)
		for m, method := range a.Methods {
			of("method "+method, func(r *beff.Result) float64 { return r.Derived.PerMethod[m] },
				func(g *beff.Grid) float64 {
					return g.Both(func(p int) float64 {
						return beff.Mean(0, len(g.Lengths), func(l int) float64 { return g.OfMethod(p, l, m) })
					})
				})
		}
		of("rings", func(r *beff.Result) float64 { return r.Derived.Rings }, nil)
		of("randoms", func(r *beff.Result) float64 { return r.Derived.Randoms }, nil)
		for class, lengths := range map[string][2]int{"short": {0, 10}, "middle": {11, 16}, "long": {17, 20}} {
			logavg := func(r *beff.Result, kind patterns.Kind) float64 {
				log, n := 0.0, 0.0
				for p, pattern := range r.Patterns {
					if pattern.Kind != kind {
						continue
					}
					sum := 0.0
					for l := lengths[0]; l <= lengths[1]; l++ {
						sum += bestOf(r, p, l)
					}
					log, n = log+math.Log(sum/float64(lengths[1]-lengths[0]+1)), n+1
				}
				return math.Exp(log / n)
			}
			of("rings, "+class, func(r *beff.Result) float64 { return logavg(r, patterns.KindRing) }, nil)
			of("randoms, "+class, func(r *beff.Result) float64 { return logavg(r, patterns.KindRandom) }, nil)
			of(class+" messages", func(r *beff.Result) float64 {
				return math.Sqrt(logavg(r, patterns.KindRing) * logavg(r, patterns.KindRandom))
			}, nil)
		}
	}
}

// Plots show the figures that beff derives for all processes, divided by the number of processes.
func TestPlottedSamples(t *testing.T) {
	r := fixture.Cluster("a").Result()
	s := newSamples(r)
	for p, pattern := range r.Patterns {
		sum := 0.0
		for l := range r.Lengths {
			require.InEpsilon(t, bestOf(r, p, l), s.best(p, l)*float64(pattern.Processes), 1e-12)
			sum += s.best(p, l) * float64(pattern.Processes)
		}
		require.InEpsilon(t, r.Derived.PerPattern[p], sum/float64(len(r.Lengths)), 1e-12)
	}
	for m := range r.Methods {
		kinds := map[patterns.Kind]float64{}
		for _, kind := range []patterns.Kind{patterns.KindRing, patterns.KindRandom} {
			list := s.OfKind(kind)
			require.Len(t, list, map[patterns.Kind]int{patterns.KindRing: 6, patterns.KindRandom: 30}[kind])
			for _, p := range list {
				kinds[kind] += math.Log(s.average(p, m)*float64(r.Processes)) / float64(len(list))
			}
		}
		both := math.Exp((kinds[patterns.KindRing] + kinds[patterns.KindRandom]) / 2)
		require.InEpsilon(t, r.Derived.PerMethod[m], both, 1e-12)
	}
	require.Nil(t, newSamples(nil))
	require.Nil(t, newSamples(&beff.Result{}))
	outside := *r
	outside.Samples = []beff.Sample{{Pattern: -1, Loops: 1, Seconds: 1},
		{Pattern: len(r.Patterns), Loops: 1, Seconds: 1},
		{Length: len(r.Lengths), Loops: 1, Seconds: 1}, {Method: len(r.Methods), Loops: 1, Seconds: 1},
		{Repetition: r.Repetitions, Loops: 1, Seconds: 1}}
	require.Empty(t, newSamples(&outside).OfKind(patterns.KindRing))
	require.True(t, math.IsNaN(newSamples(&outside).average(0, 0)))
}

// If a result has no b_eff, a comparison still shows other figures.
func TestNoRating(t *testing.T) {
	a, _ := pair()
	m := fixture.Cluster("b")
	m.Config.Patterns = []string{"ring"}
	rings := m.Result()
	for _, both := range [][]*beff.Result{{a, rings}, {rings, a}, {rings, rings}} {
		o := compared(t, both...).Pairs[0]
		require.False(t, o.Main.Measured())
		require.NotEmpty(t, o.Groups)
	}
}

// Release 3.6 left out methods at the last two lengths, and the third repetition at the longest. For such a result, the
// figures of the grid agree with beff's.
func TestGridOfShortened(t *testing.T) {
	r := fixture.Cluster("a").Result()
	last := len(r.Lengths) - 1
	r.Rules = beff.Rules36
	var left []beff.Sample
	for i, s := range r.Samples {
		s.Seconds *= 1 + float64(i%13)/10 // all differ
		if s.Length < last-1 || s.Method == s.Pattern%3 && (s.Length < last || s.Repetition < 2) {
			left = append(left, s)
		}
	}
	r.Samples = left
	d, g := beff.Derive(r), beff.NewGrid(r)
	mean := func(b func(p, l int) float64) float64 {
		return g.Both(func(p int) float64 {
			return beff.Mean(0, len(r.Lengths),
				func(l int) float64 { return b(p, l) })
		})
	}
	require.InEpsilon(t, d.BEff, mean(g.Best), 1e-12)
	for i := range r.Repetitions {
		require.InEpsilon(t, d.PerRepetition[i], mean(func(p, l int) float64 { return g.InRepetition(p, l, i) }), 1e-12)
	}
	for m := range r.Methods {
		require.InEpsilon(t, d.PerMethod[m], mean(func(p, l int) float64 { return g.OfMethod(p, l, m) }), 1e-12)
	}
	// A repetition without samples has no bandwidth, except by the rules of release 3.6 at the longest message.
	r.Rules = beff.Rules2001
	require.True(t, math.IsNaN(g.InRepetition(0, last, 2)))
	r.Rules = beff.Rules36
	require.Equal(t, g.InRepetition(0, last, 0), g.InRepetition(0, last, 2))
}
