package compare

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/effective-bandwidth/beff/stats"
)

// Of means of equal spread and number the interval is Student's with 4 degrees of freedom: t = 2.7764.
func TestIntervalOfMeans(t *testing.T) {
	d := Difference{First: OfMean([]float64{1, math.E, math.Exp(2)}),
		Second: OfMean([]float64{math.Exp(10), math.Exp(11), math.Exp(12)})}
	half := 2.7764451 * math.Sqrt(2.0/3)
	in := d.Interval()
	require.True(t, in.Known)
	require.InDelta(t, 10, math.Log(d.Ratio()), 1e-12)
	require.InDelta(t, 10-half, math.Log(in.Low), 1e-6)
	require.InDelta(t, 10+half, math.Log(in.High), 1e-6)
}

// If one result doesn't vary, the degrees of freedom are those of the other. Student's t at 97.5 % is 4.302653 with 2
// degrees and 12.706205 with 1. The logarithms 0, 1, 2 have the variance 1, the logarithms 0, 1 have 1/2.
func TestIntervalOfOneThatVaries(t *testing.T) {
	three, two, same := OfMean([]float64{1, math.E, math.E * math.E}), OfMean([]float64{1, math.E}),
		OfMean([]float64{1, 1, 1, 1, 1})
	for _, c := range []struct {
		a, b         Sampled
		middle, half float64
	}{
		{three, same, -1, 4.302653 * math.Sqrt(1./3)},
		{same, three, 1, 4.302653 * math.Sqrt(1./3)},
		{two, same, -0.5, 12.706205 * math.Sqrt(1./4)},
		{same, two, 0.5, 12.706205 * math.Sqrt(1./4)},
	} {
		in := ratio(c.a, c.b)
		require.False(t, math.IsNaN(in.P))
		require.InDelta(t, c.middle-c.half, math.Log(in.Low), 1e-5)
		require.InDelta(t, c.middle+c.half, math.Log(in.High), 1e-5)
	}
}

// A figure without two repetitions, or with one that was not measured, has no spread.
func TestUnknownSpread(t *testing.T) {
	for _, each := range [][]float64{nil, {1}, {1, 2, 0}, {1, -1}, {1, math.NaN()}, {1, math.Inf(1)}} {
		for _, s := range []Sampled{OfBest(3, each), OfOne(3, each)} {
			require.Equal(t, Sampled{Value: 3}, s)
			require.False(t, Difference{First: s, Second: OfBest(1, []float64{1, 2})}.Interval().Known)
			require.False(t, Difference{First: OfBest(1, []float64{1, 2}), Second: s}.Interval().Known)
		}
	}
	for _, interval := range [][]float64{nil, {1}, {1, math.NaN()}, {math.NaN(), 1}, {-2, -1}} {
		require.Equal(t, Sampled{Value: 3}, OfInterval(3, interval, 9, 0.95))
	}
	require.Equal(t, Sampled{Value: 3}, OfInterval(3, []float64{1, 2}, 1, 0.95))
}

// Two figures that never vary differ as they are.
func TestNoSpread(t *testing.T) {
	same := []float64{1, 1, 1}
	apart := Difference{First: OfBest(1, same), Second: OfBest(2, same)}
	require.Equal(t, Interval{2, 2, true}, apart.Interval())
	require.Zero(t, ratio(apart.First, apart.Second).P)
	alike := Difference{First: OfBest(2, same), Second: OfBest(2, same)}
	require.Equal(t, Interval{1, 1, true}, alike.Interval())
	require.EqualValues(t, 1, ratio(alike.First, alike.Second).P)
}

// The deviations of the largest of n normal values are those of a simulation.
func TestDeviationOfBest(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	for n, want := range deviationOfBest {
		sum, squares, runs := 0.0, 0.0, 20000
		for range runs {
			best := math.Inf(-1)
			for range n + 1 {
				best = max(best, source.NormFloat64())
			}
			sum, squares = sum+best, squares+best*best
		}
		mean := sum / float64(runs)
		require.InDelta(t, want, math.Sqrt(squares/float64(runs)-mean*mean), 0.015, "of %d", n+1)
	}
}

// The interval of a row's series gives its deviation back.
func TestOfInterval(t *testing.T) {
	q := distuv.StudentsT{Sigma: 1, Nu: 9}.Quantile(0.95)
	s := OfInterval(7, []float64{7 * math.Exp(-0.02*q), 7 * math.Exp(0.02*q)}, 10, 0.9)
	require.InEpsilon(t, 0.02, s.Deviation, 1e-9)
	require.Equal(t, 9, s.Degrees)
	require.EqualValues(t, 7, s.Value)

	wide := OfInterval(2, []float64{-1, 5}, 10, 0.95)
	require.InEpsilon(t, 1.5, stats.Student(0.975, 9)*wide.Deviation, 1e-9,
		"an interval that holds 0 is wide, not unknown")
	require.Zero(t, OfInterval(0, []float64{-1, 1}, 10, 0.95).Degrees)
}

// Figures of one run are off together: half of the mean's interval is the mean of theirs.
func TestOfTogether(t *testing.T) {
	of := func(half float64, degrees int) Sampled {
		return Sampled{Value: 1, Deviation: half / stats.Student(0.975, float64(degrees)), Degrees: degrees}
	}
	half := func(list ...Sampled) float64 {
		s := OfTogether(3, list)
		require.EqualValues(t, 3, s.Value)
		in, known := s.Interval()
		require.Equal(t, s.Degrees > 0, known)
		if !known {
			return 0
		}
		return math.Log(in.High / 3)
	}
	require.InEpsilon(t, 0.03, half(of(0.02, 4), of(0.04, 100)), 1e-6)
	require.InEpsilon(t, 0.1/3, half(of(0.02, 4), of(0.04, 100), Sampled{Value: 1}), 1e-6, "as the widest")
	require.Zero(t, half(of(0.02, 4), Sampled{Value: 1}, Sampled{Value: 1}), "most aren't known")
	require.Zero(t, half())
}

// Whatever the results are, the ratio that is printed lies in its own interval, the wording follows from the interval,
// and a significant line is so by its own interval, too.
func TestRatioInItsInterval(t *testing.T) {
	source := rand.New(rand.NewPCG(3, 4))
	figure := func() Sampled {
		n, spread := 1+source.IntN(6), math.Exp(-12*source.Float64())
		level, best := math.Exp(20*source.Float64()), 0.0
		var each []float64
		for range n {
			x := level * math.Exp(spread*source.NormFloat64())
			if source.IntN(5) == 0 {
				x *= 0.1 // a disturbed repetition
			}
			each, best = append(each, x), max(best, x)
		}
		best *= 1 + 0.3*source.Float64() // the best of each cell is above each repetition
		return [...]Sampled{OfBest(best, each), OfOne(each[0], each), OfMean(each)}[source.IntN(3)]
	}
	for range 2000 {
		var list []Difference
		for range 1 + source.IntN(4) {
			list = append(list, Difference{Name: "x", First: figure(), Second: figure()})
		}
		Test(list)
		for _, d := range list {
			in := d.Interval()
			if !in.Known {
				require.False(t, d.Significant)
				continue
			}
			require.True(t, in.Holds(d.Ratio()), "%+v: %v not in %+v", d, d.Ratio(), in)
			if d.Significant {
				require.False(t, in.Holds(1), "%+v", d)
			}
		}
	}
}

// Of two runs of one machine, whose repetitions differ by states of the machine, the ratio's interval holds 1 in at
// least 95 % of the cases, and hardly in more: in 98 %, because Welch's t is cautious with as few as three repetitions.
func TestCoverage(t *testing.T) {
	source := rand.New(rand.NewPCG(5, 6))
	run := func() Sampled {
		best, each := 0.0, make([]float64, 3)
		for i := range each {
			each[i] = math.Exp(0.03 * source.NormFloat64())
			best = max(best, each[i])
		}
		return OfBest(best, each)
	}
	const pairs = 4000
	held := 0
	for range pairs {
		if (Difference{First: run(), Second: run()}).Interval().Holds(1) {
			held++
		}
	}
	share := float64(held) / pairs
	require.Greater(t, share, 0.95)
	require.Less(t, share, 0.99)
}

// Three runs have the deviation between them, two at least half of their distance, one its own.
func TestOfRuns(t *testing.T) {
	one := Sampled{Value: 3, Deviation: 0.1, Degrees: 2}
	require.Equal(t, one, OfRuns([]Sampled{one}))

	e := math.E
	three := OfRuns([]Sampled{{Value: 1}, {Value: e}, {Value: e * e}})
	require.InEpsilon(t, e, three.Value, 1e-12)
	require.InEpsilon(t, 1/math.Sqrt(3), three.Deviation, 1e-12, "the logarithms 0, 1, 2 have a deviation of 1")
	require.Equal(t, 2, three.Degrees)
	require.Equal(t, 3, three.Runs)

	near := OfRuns([]Sampled{{Value: 1, Deviation: 0.3, Degrees: 5}, {Value: 1, Deviation: 0.4, Degrees: 7}})
	require.InEpsilon(t, 0.25, near.Deviation, 1e-12)
	require.Equal(t, 5, near.Degrees)
	far := OfRuns([]Sampled{{Value: 1, Deviation: 0.3, Degrees: 5}, {Value: e * e, Deviation: 0.4, Degrees: 7}})
	require.InEpsilon(t, 1, far.Deviation, 1e-12)
	require.Zero(t, OfRuns([]Sampled{{Value: 1}, {Value: 2, Deviation: 1, Degrees: 3}}).Degrees, "one isn't known")
}

// What one run would spread is the root of their number times what the mean of several does.
func TestDetectableOfRuns(t *testing.T) {
	of := func(runs int) string {
		s := Sampled{Value: 1, Deviation: 0.03 / math.Sqrt(float64(runs)), Degrees: 100, Runs: runs}
		return Difference{Name: "b_eff", First: s, Second: s}.Detectable()
	}
	_, first, _ := strings.Cut(of(1), "each side needs ")
	_, fourth, _ := strings.Cut(of(4), "each side needs ")
	require.Regexp(t, `^\d+ runs, if runs differ as the repetitions do\.$`, first)
	require.Regexp(t, `^\d+ runs, if runs differ as these do\.$`, fourth)
	require.Equal(t, strings.Fields(first)[0], strings.Fields(fourth)[0])
}

// The line that a comparison is about doesn't count for the others, nor they for it.
func TestBesideOthers(t *testing.T) {
	of := func(ratio float64) Difference {
		return Difference{First: Sampled{Value: 1, Deviation: 0.01, Degrees: 100}, Second: Sampled{Value: ratio,
			Deviation: 0.01, Degrees: 100}}
	}
	const weak, strong = 1.032, 1.06 // p = 0.03, and below 0.001
	for main := range 3 {
		list := []Difference{of(strong), of(strong), of(strong)}
		list[main] = of(weak)
		TestWithMain(list, main)
		for i, d := range list {
			require.True(t, d.Significant, "%d of %d", i, main)
		}
	}
	list := []Difference{of(weak), of(weak), of(weak)}
	TestWithMain(list, 1)
	require.Equal(t, []bool{false, true, false}, []bool{list[0].Significant, list[1].Significant, list[2].Significant})
	list = []Difference{of(weak), of(weak)}
	TestWithMain(list, -1)
	require.False(t, list[0].Significant)
	TestWithMain(nil, 0)
	for _, factor := range []float64{1, strong} {
		p := Pair{Main: of(factor), Groups: []Group{{Rows: []Row{{Difference: of(factor), Main: true}}}}}
		p.test()
		require.Equal(t, factor == strong, p.Main.Significant)
		p = Pair{Main: of(factor), Groups: []Group{{Rows: []Row{{Difference: of(1)}}}}} // as of probes
		p.test()
		require.Equal(t, factor == strong, p.Main.Significant)
	}
}
