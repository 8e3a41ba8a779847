package compare

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"gonum.org/v1/gonum/stat/distuv"
)

func TestGeometricMean(t *testing.T) {
	require.Zero(t, GeometricMean(nil))
	require.InEpsilon(t, 4., GeometricMean([]float64{2, 8}), 1e-15)
	require.InEpsilon(t, 1., GeometricMean([]float64{0.25, 2, 2}), 1e-15)
}

// A difference is measured if both results have a figure.
func TestMeasured(t *testing.T) {
	of := func(a, b float64) Difference { return Difference{First: Sampled{Value: a}, Second: Sampled{Value: b}} }
	for _, none := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		require.False(t, of(none, 0.5).Measured(), "%v", none)
		require.False(t, of(0.5, none).Measured(), "%v", none)
	}
	require.True(t, of(0.5, 1e12).Measured())
}

// Each of the others has its main figure.
func TestMains(t *testing.T) {
	main := func(x float64) Difference { return Difference{Second: Sampled{Value: 2 * x}} }
	c := Comparison{Pairs: []Pair{{Main: main(1)}, {Main: main(3)}}}
	require.Equal(t, []Difference{main(1), main(3)}, c.Mains())
}

// between returns a difference with a ratio, and an interval of it whose ends are a factor off, as 4 repetitions give
// it.
func between(ratio, factor float64) Difference {
	t := distuv.StudentsT{Sigma: 1, Nu: 3}.Quantile(0.975)
	return Difference{Name: "speed", First: Sampled{Value: 10, Degrees: 1e9},
		Second: Sampled{Value: 10 * ratio, Deviation: math.Log(factor) / t, Degrees: 3}}
}

// Holm's rule takes the lines from the smallest probability on, each at its part of 5 %, and ends at the first that
// isn't below. Probabilities 0.03, 0.01, 0.02 and 0.012: 0.01 is below 0.05/4, 0.012 below 0.05/3, 0.02 below 0.05/2,
// 0.03 below 0.05. With 0.04 instead of 0.02 it ends there.
func TestHolm(t *testing.T) {
	of := func(p float64) Difference {
		x := distuv.StudentsT{Sigma: 1, Nu: 5}.Quantile(1 - p/2)
		return Difference{First: Sampled{Value: 1, Degrees: 5},
			Second: Sampled{Value: math.Exp(x), Deviation: 1, Degrees: 5}}
	}
	for _, c := range []struct {
		p    []float64
		want []bool
	}{
		{[]float64{0.03, 0.01, 0.02, 0.012}, []bool{true, true, true, true}},
		{[]float64{0.045, 0.01, 0.04, 0.012}, []bool{false, true, false, true}},
		{[]float64{0.013, 0.013, 0.013, 0.013}, []bool{false, false, false, false}},
		{[]float64{0.04}, []bool{true}}, {[]float64{0.06}, []bool{false}}, {nil, nil},
	} {
		var list []Difference
		for _, p := range c.p {
			list = append(list, of(p), Difference{First: Sampled{Value: 1}, Second: Sampled{Value: 9}})
		}
		Test(list)
		for i, want := range c.want {
			require.Equal(t, want, list[2*i].Significant, "%v: line %d", c.p, i)
			require.False(t, list[2*i+1].Significant, "its spread isn't known")
		}
	}
}

// Words follow from the interval.
func TestEffect(t *testing.T) {
	require.Equal(t, "+10.0 %, 95 % interval +7.8 to +12.2 %: significant, if runs differ as the repetitions do",
		between(1.1, 1.02).Effect())
	require.Equal(t, "-50.0 %, 95 % interval -51.0 to -49.0 %: significant, if runs differ as the repetitions do",
		between(0.5, 1.02).Effect())
	runs := between(1.1, 1.02) // with the deviation of a single run too, 1.02^√(3+1)
	runs.Second.Runs = rating.MinRuns
	require.Equal(t, "+10.0 %, 95 % interval +5.7 to +14.4 %: significant", runs.Effect())
	require.Equal(t, "+1.0 %, 95 % interval -1.0 to +3.0 %: not significant", between(1.01, 1.02).Effect())
	require.Equal(t, "+200 %",
		Difference{First: Sampled{Value: 1}, Second: Sampled{Value: 3}}.Effect())
	require.Equal(t, "0.0 %",
		Difference{First: Sampled{Value: 1}, Second: Sampled{Value: 1.0001}}.Effect())
}

// With one run each and a spread of 2 % nothing below half of the interval is seen. n runs each show 1 % if t·2
// %·√(2/n) is less than its logarithm, t with 2n-2 degrees of freedom.
func TestDetectable(t *testing.T) {
	run := Sampled{Value: 5, Deviation: 0.02, Degrees: 2}
	d := Difference{Name: "b_eff", First: run, Second: run}
	least := math.Expm1((2.776445 + 0.940965) * 0.02 * math.Sqrt2) // quantiles of 97.5 and 80 %, 4 degrees
	require.InDelta(t, 0.111, least, 1e-3)
	require.Equal(t, "The smallest difference in b_eff that such runs would find in 80 of 100 comparisons is 11 "+
		"%. For 1 % each side needs 65 runs, if runs differ as the repetitions do.", d.Detectable())
	at := func(n float64) float64 {
		of := distuv.StudentsT{Sigma: 1, Nu: 1.5 * (n - 1)}
		return (of.Quantile(0.975) + of.Quantile(0.8)) * 0.02 * math.Sqrt(2/n)
	}
	require.LessOrEqual(t, at(65), math.Log(1.01))
	require.Greater(t, at(64), math.Log(1.01))
	run.Deviation = 0.001
	d = Difference{Name: "b_eff", First: run, Second: run}
	require.Equal(t, "Such runs would find a difference of 1 % in b_eff in at least 80 of 100 comparisons.",
		d.Detectable())
	run.Deviation = 5
	d = Difference{First: run, Second: run}
	require.Regexp(t, `is a factor of \S+\. .* needs more than 1000 runs`, d.Detectable())
	run.Degrees = 0
	require.Empty(t, Difference{First: run, Second: run}.Detectable())
}

// The sentence holds: with the runs that it names, and with those that were there, a difference that is said to be seen
// is significant in 80 % of the comparisons.
func TestPower(t *testing.T) {
	const comparisons = 4000
	source := rand.New(rand.NewPCG(3, 4))
	side := func(runs int, factor, deviation float64) Sampled {
		each := make([]float64, runs)
		for i := range each {
			each[i] = factor * math.Exp(deviation*source.NormFloat64())
		}
		return OfMean(each)
	}
	seen := func(runs int, factor, deviation float64) float64 {
		n := 0
		for range comparisons {
			if told := ratio(side(runs, 1, deviation), side(runs, factor, deviation)); told.P < 1-confidence {
				n++
			}
		}
		return float64(n) / comparisons
	}
	for _, deviation := range []float64{0.01, 0.03} {
		one := Sampled{Value: 1, Deviation: deviation, Degrees: rating.Normal}
		named := Difference{First: one, Second: one}.runs()
		runs, err := strconv.Atoi(strings.Fields(named)[0])
		require.NoError(t, err)
		require.InDelta(t, power, seen(runs, 1+wanted, deviation), 0.03, "%s, runs %g apart", named, deviation)
	}
	for _, runs := range []int{3, 5, 10} {
		deviation := 0.02
		least := detectable(deviation*math.Sqrt(2/float64(runs)), 1.5*float64(runs-1))
		require.InDelta(t, power, seen(runs, math.Exp(least), deviation), 0.03, "%d runs", runs)
	}
}

// A single run is significantly off the mean of others of the same machine in 5 % of the comparisons, however little
// its own repetitions spread, and two runs are, too.
func TestFewRunsBesideOthers(t *testing.T) {
	const comparisons, deviation, within = 4000, 0.03, 0.003
	source := rand.New(rand.NewPCG(5, 6))
	run := func() Sampled {
		return Sampled{Value: math.Exp(deviation * source.NormFloat64()), Deviation: within, Degrees: rating.Normal}
	}
	side := func(runs int) Sampled {
		var list []Sampled
		for range runs {
			list = append(list, run())
		}
		return OfRuns(list)
	}
	for _, few := range []int{1, 2} {
		for _, many := range []int{3, 9} {
			significant := 0
			for range comparisons {
				told := ratio(side(few), side(many))
				require.Equal(t, told.P < 1-confidence, told.Low > 1 || told.High < 1)
				if told.P < 1-confidence {
					significant++
				}
			}
			part := float64(significant) / comparisons
			require.Less(t, part, 0.06, "%d beside %d", few, many)
			if few == 1 {
				require.Greater(t, part, 0.04, "%d beside %d", few, many)
			}
		}
	}
	wide := Sampled{Value: 1, Deviation: 1, Degrees: 7}
	told := ratio(wide, side(3))
	require.Greater(t, told.Deviation, 1., "its own spread counts if it is larger")
	require.InDelta(t, 7, told.Freedom, 0.1)
}
