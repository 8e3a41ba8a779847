package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The least number n of values for which p^n is at largest (1-confidence)/2.
func TestNeeded(t *testing.T) {
	for _, c := range []struct {
		p, confidence float64
		n             int64
	}{{0.5, 0.95, 6}, {0.9, 0.95, 36}, {0.1, 0.95, 36}, {0.99, 0.95, 368}, {0.999, 0.95, 3688}, {0.999, 0.998, 6905},
		{0.9999, 0.95, 36887}} {
		require.Equal(t, c.n, Needed(c.p, c.confidence), "%v %v", c.p, c.confidence)
		_, _, ok := QuantileRanks(c.n-1, c.p, c.confidence)
		require.False(t, ok)
		low, high, ok := QuantileRanks(c.n, c.p, c.confidence)
		require.True(t, ok)
		require.True(t, 1 <= low && low < high && high <= c.n, "%d to %d of %d", low, high, c.n)
	}
}

// The probability that the interval holds the quantile is never less than the confidence, and except for few values
// hardly more, for any number of values up to 10^9.
func TestCoverageOfRanks(t *testing.T) {
	for _, p := range []float64{0.01, 0.5, 0.9, 0.99, 0.999} {
		least := Needed(p, 0.95)
		for _, n := range []int64{least, least + 1, 2 * least, 5 * least, 100 * least, 1e6, 1e9} {
			if n < least {
				continue
			}
			low, high, ok := QuantileRanks(n, p, 0.95)
			require.True(t, ok)
			first, weights := binomial(n, p)
			covered := 0.0
			for i, w := range weights {
				if k := first + int64(i); low <= k && k < high {
					covered += w
				}
			}
			require.GreaterOrEqual(t, covered, 0.95-1e-9, "%v of %d", p, n)
			largest := 0.955
			switch {
			case n < 5*least:
				largest = 0.985
			case n < 100*least:
				largest = 0.966
			}
			require.Less(t, covered, largest, "%v of %d: %d to %d", p, n, low, high)
		}
	}
}

// distribution is a distribution of times whose quantiles have a closed form.
type distribution struct {
	name     string
	draw     func(*rand.Rand) float64
	quantile func(p float64) float64
}

// distributions resemble the times on machines, in picoseconds: a bounded spread, a few long times, a heavy tail, two
// states.
var distributions = []distribution{
	{"even", func(r *rand.Rand) float64 { return 1e6 * (1 + r.Float64()) },
		func(p float64) float64 { return 1e6 * (1 + p) }},
	{"exponential", func(r *rand.Rand) float64 { return 1e6 * r.ExpFloat64() },
		func(p float64) float64 { return -1e6 * math.Log1p(-p) }},
	{"Pareto", func(r *rand.Rand) float64 { return 1e6 * math.Pow(1-r.Float64(), -0.8) },
		func(p float64) float64 { return 1e6 * math.Pow(1-p, -0.8) }},
	{"two states", func(r *rand.Rand) float64 {
		if x := r.ExpFloat64(); r.Float64() < 0.9 {
			return 1e6 * (1 + x/100)
		} else {
			return 1e7 * (1 + x)
		}
	}, func(p float64) float64 { // the fast nine tenths never take as long as the slow tenth
		if p < 0.9 {
			return 1e6 * (1 - math.Log1p(-p/0.9)/100)
		}
		return 1e7 * (1 - math.Log1p(-(p-0.9)/0.1))
	}},
}

// For each distribution 93 to 97 % of the intervals of 10,000 series hold the true quantile, with lists and histograms.
func TestQuantileIntervals(t *testing.T) {
	const series, n, withHistogram = 10_000, 400, 1000
	for _, d := range distributions {
		r := rand.New(rand.NewPCG(32, 1))
		percent := []float64{0.5, 0.95, 0.99}
		held, counted := make([]int, len(percent)), make([]int, len(percent))
		list := make([]float64, n)
		for k := range series {
			for i := range list {
				list[i] = math.Round(d.draw(r))
			}
			slices.Sort(list)
			var h Histogram
			for i := 0; i < n && k < withHistogram; i++ {
				h.Add(int64(list[i]), 1)
			}
			for i, p := range percent {
				low, high, ok := QuantileRanks(n, p, 0.95)
				require.True(t, ok)
				truth := d.quantile(p)
				if list[low-1] <= truth && truth <= list[high-1] {
					held[i]++
				}
				if k >= withHistogram {
					continue
				}
				from, _ := h.Rank(low)
				_, to := h.Rank(high)
				if float64(from) <= truth && truth <= float64(to) {
					counted[i]++
				}
			}
		}
		for i, p := range percent {
			require.InDelta(t, 0.95, float64(held[i])/series, 0.02, "%s, %v", d.name, p)
			require.InDelta(t, 0.95, float64(counted[i])/withHistogram, 0.03, "%s, %v", d.name, p)
		}
	}
}

func BenchmarkQuantileRanks(b *testing.B) {
	for range b.N {
		ranksOf(1e9, 0.999, 0.95)
	}
}

// SignedRank's interval of 12 values at z = 1.96 has the ends of tables of the signed-rank statistic: 13 of the 78
// means are below it. A value far away hardly moves it. Too few values have no interval.
func TestSignedRank(t *testing.T) {
	values := []float64{-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6}
	middle, low, high := SignedRank(values, 1.96)
	require.InDelta(t, 0.5, middle, 1e-12)
	require.InDelta(t, -2, low, 1e-12)
	require.InDelta(t, 3, high, 1e-12)
	values[11] = 600
	_, far, _ := SignedRank(values, 1.96)
	require.InDelta(t, low, far, 0.51)
	_, low, high = SignedRank(values[:5], 2.5)
	require.True(t, math.IsInf(low, -1) && math.IsInf(high, 1))
	_, _, high = SignedRank(values[:MinRanks], 3)
	require.False(t, math.IsInf(high, 1))
}
