package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The buckets are HdrHistogram's with three significant digits: one number each below 2048, then a power of two.
func TestBuckets(t *testing.T) {
	for _, c := range []struct{ v, from, width int64 }{{0, 0, 1}, {2047, 2047, 1}, {2048, 2048, 2}, {2049, 2048, 2},
		{4095, 4094, 2}, {4096, 4096, 4}, {4_000_001, 3_999_744, 2048},
		{math.MaxInt64, math.MaxInt64 - 1<<52 + 1, 1 << 52}} {
		require.Equal(t, c.from, floor(c.v), "%d", c.v)
		require.Equal(t, c.width, width(c.v), "%d", c.v)
	}
	for range 10_000 { // a bucket is no wider than 1/1024 of its least number
		v := rand.Int64N(1 << rand.IntN(62))
		require.True(t, floor(v) <= v && v < floor(v)+width(v) && (width(v) == 1 || 1024*width(v) <= floor(v)))
	}
}

// A histogram has the figures of a list of the same numbers: the extremes and the mean exactly, the others within a
// thousandth. Merged parts are the same as all numbers at once.
func TestHistogram(t *testing.T) {
	var all, part, other Histogram
	var list []float64
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 20_000 {
		v := int64(1e6 * math.Exp(r.NormFloat64()))
		list = append(list, float64(v))
		all.Add(v, 1)
		if i%3 == 0 {
			part.Add(v, 1)
		} else {
			other.Add(v, 1)
		}
	}
	sorted := Sorted(list)
	mean, _ := Mean(list, 0.95)
	require.EqualValues(t, 20_000, all.N())
	require.Equal(t, []float64{sorted[0], sorted[len(sorted)-1]}, []float64{float64(all.Min), float64(all.Max)})
	require.InEpsilon(t, mean, all.Mean(), 1e-12)
	require.InEpsilon(t, Deviation(list), all.Deviation(), 1e-3)
	for _, p := range []float64{0, 0.1, 0.5, 0.9, 0.999, 1} {
		require.InEpsilon(t, Quantile(sorted, p), all.Quantile(p), 1e-3, "%v", p)
	}
	count, rest := Outliers(sorted)
	counted, restCounted := all.Outliers()
	require.InDelta(t, count, counted, 30)
	require.InEpsilon(t, rest, restCounted, 1e-2)
	for _, k := range []int64{1, 2, 10_000, 20_000} {
		low, high := all.Rank(k)
		require.True(t, float64(low) <= sorted[k-1] && sorted[k-1] <= float64(high), "%d", k)
	}
	require.NoError(t, all.Check())

	part.Merge(&other)
	part.Merge(nil)
	part.Merge(new(Histogram))
	require.InEpsilon(t, all.Sum, part.Sum, 1e-12)
	part.Sum = all.Sum
	require.Equal(t, all, part)
	var empty Histogram
	empty.Merge(&all)
	require.Equal(t, all, empty)
}

// The number of buckets doesn't depend on the count: 10^9 repetitions need no more memory than 10^5.
func TestHistogramStaysSmall(t *testing.T) {
	var h Histogram
	for range 10_000 {
		h.Add(400_000+rand.Int64N(400_000), 100_000)
	}
	require.EqualValues(t, 1e9, h.N())
	require.LessOrEqual(t, len(h.From), 1+1024)
	require.NoError(t, h.Check())
}

// A sum of many rounded numbers is within the possible rounding error.
func TestRoundedSums(t *testing.T) {
	var h Histogram
	h.Add(20_000_000, 1e9)
	exact := h.Sum
	h.Sum = exact * (1 - 1e-7)
	require.NoError(t, h.Check())
	h.Sum = exact * (1 - 2e-7)
	require.Error(t, h.Check())
}

// Check refuses a histogram that no numbers can have made.
func TestWrongHistograms(t *testing.T) {
	good := func() *Histogram {
		h := new(Histogram)
		h.Add(5, 2)
		h.Add(5000, 1)
		return h
	}
	require.NoError(t, good().Check())
	for name, spoil := range map[string]func(*Histogram){
		"empty":                func(h *Histogram) { *h = Histogram{} },
		"a count is missing":   func(h *Histogram) { h.Counts = h.Counts[:1] },
		"an empty bucket":      func(h *Histogram) { h.Counts[0] = 0 },
		"begins in a bucket":   func(h *Histogram) { h.From[1]++ },
		"buckets not in order": func(h *Histogram) { h.From[0] = h.From[1] },
		"a wrong minimum":      func(h *Histogram) { h.Min = 4 },
		"a wrong maximum":      func(h *Histogram) { h.Max = 1 << 40 },
		"a negative number":    func(h *Histogram) { h.Min, h.From[0] = -1, -1 },
		"a sum too large":      func(h *Histogram) { h.Sum = 6000 },
		"no sum":               func(h *Histogram) { h.Sum = math.NaN() },
		"counts overflow":      func(h *Histogram) { h.Counts[0] = math.MaxInt64 },
	} {
		h := good()
		spoil(h)
		require.Error(t, h.Check(), name)
	}
}

// BenchmarkHistogram measures the cost of counting a time, which process 0 pays between two batches. A message of 1
// byte takes at least 140 ns.
func BenchmarkHistogram(b *testing.B) {
	var h Histogram
	r := rand.New(rand.NewPCG(1, 2))
	list := make([]int64, 1<<16)
	for i := range list {
		list[i] = int64(3e5 * math.Exp(r.NormFloat64()/10))
	}
	b.ResetTimer()
	for i := range b.N {
		h.Add(list[i&(len(list)-1)], 1)
	}
}
