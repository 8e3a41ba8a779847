package settings

import (
	"math"
	rand "math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// alternating returns n values around 1: above, below, above …
func alternating(n int, by float64) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = 1 + by
		by = -by
	}
	return list
}

// met reports whether a series may end by the rule with its present values.
func met(p Precision, times []float64) bool {
	_, ended := p.Next(times)
	return ended == Precise
}

// stopped returns the number of values after which a series ends if the rule is applied after each repetition, as in
// MPIBlib.
func stopped(p Precision, times []float64) int {
	for n := 1; n < len(times); n++ {
		if _, ended := p.Next(times[:n]); ended != "" {
			return n
		}
	}
	return len(times)
}

// Known answers of the stop rule (MPIBlib manual, 7.6.2.4, 9.21), with the two-sided quantile.
func TestStopRule(t *testing.T) {
	p := Default.Precision
	relative, known := p.Width([]float64{10, 12, 11, 10, 12})
	require.True(t, known)
	require.InDelta(t, 0.112879, relative, 1e-6)

	p.Max = 1000
	oneSided := p
	oneSided.Confidence = 0.9 // MPIBlib's release uses the one-sided quantile
	for _, c := range []struct {
		times                []float64
		stops, oneSidedStops int
	}{
		{make([]float64, 0), 0, 0},
		{alternating(1000, 0.1), 65, 47},
		{alternating(1000, 0.05), 19, 14},
		{append([]float64{10}, alternating(999, 0)...), 698, 0},
	} {
		require.Equal(t, c.stops, stopped(p, c.times))
		if c.oneSidedStops > 0 {
			require.Equal(t, c.oneSidedStops, stopped(oneSided, c.times))
		}
	}
	require.Equal(t, 5, stopped(p, alternating(1000, 0)), "all equal")
	require.False(t, met(p, alternating(4, 0)), "fewer than the least")
	p.Min = 1
	require.Equal(t, 3, stopped(p, alternating(1000, 0)), "of two values nothing is known")
}

// totals returns the numbers of repetitions after each batch.
func totals(p Precision, times []float64) (list []int64, ended Ending) {
	n := p.First()
	for more := n; ; n += more {
		list = append(list, n)
		if more, ended = p.Next(times[:n]); more == 0 {
			return list, ended
		}
	}
}

func TestBatches(t *testing.T) {
	for by, want := range map[float64][]int64{0: {5}, 0.02: {5, 6}, 0.05: {5, 10, 20}, 0.1: {5, 10, 20, 40, 68}} {
		got, ended := totals(Default.Precision, alternating(200, by))
		require.Equal(t, want, got, "1±%v", by)
		require.Equal(t, Precise, ended)
	}
	p := Default.Precision
	got, ended := totals(p, alternating(200, 0.5))
	require.Equal(t, []int64{5, 10, 20, 40, 80, 100}, got)
	require.Equal(t, AtMost, ended)
	for least, want := range map[int64]int64{1: 3, 2: 3, 3: 3, 4: 4, 100: 100} {
		p.Min = least
		require.Equal(t, want, p.First())
	}
	p.Min, p.Max = 2, 2
	require.EqualValues(t, 2, p.First())
}

// If the fewest and the most repetitions are equal, the interval doesn't end the series.
func TestFixedNumber(t *testing.T) {
	for _, n := range []int64{1, 2, 3, 20} {
		p := Default.Precision
		p.Min, p.Max = n, n
		got, ended := totals(p, alternating(200, 0))
		require.Equal(t, []int64{n}, got)
		require.Equal(t, AtMost, ended)
	}
}

// A mean that isn't above 0 is never precise. Coarse clocks and the timing root give such means.
func TestMeanNotAboveZero(t *testing.T) {
	for _, times := range [][]float64{make([]float64, 200), alternating(200, 3), {-1, -1, -1, -1, -1, -1, -1}} {
		p := Default.Precision
		p.Max = int64(len(times))
		got, ended := totals(p, times)
		require.Equal(t, AtMost, ended, "%v", got)
	}
}

// The median's interval is made of order statistics, and its larger side counts.
func TestStopByMedian(t *testing.T) {
	p := Default.Precision
	p.Statistic = ByMedian
	relative, known := p.Width([]float64{90, 1, 100, 101, 104, 200, 102, 99, 101})
	require.True(t, known)
	require.InDelta(t, 0.11, relative-0, 0.021, "90 to 104 around 101")
	require.InEpsilon(t, (101.0-90)/101, relative, 1e-12)
	_, known = p.Width([]float64{1, 1, 1, 1, 1})
	require.False(t, known, "five")
	outlier := append([]float64{10}, alternating(999, 0)...)
	got, ended := totals(p, outlier)
	require.Equal(t, []int64{5, 10}, got, "the mean needs 698")
	require.Equal(t, Precise, ended)
}

// If all times are c times as long, a series takes the same number of repetitions.
func TestStopRuleScales(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		times, longer, c := make([]float64, 100), make([]float64, 100), math.Exp2(float64(random.IntN(60)-30))
		for i := range times {
			times[i] = 1 + random.ExpFloat64()*random.Float64()/3
			longer[i] = c * times[i]
		}
		for _, s := range []Statistic{ByMean, ByMedian} {
			p := Default.Precision
			p.Statistic = s
			want, _ := totals(p, times)
			got, _ := totals(p, longer)
			require.Equal(t, want, got)
		}
	}
}

func TestPrecisionCheck(t *testing.T) {
	require.NoError(t, Default.Precision.Check())
	for want, change := range map[string]func(*Precision){
		"not 0 %":                  func(p *Precision) { p.Relative = 0 },
		"not 100 %":                func(p *Precision) { p.Relative = 1 },
		"not NaN %":                func(p *Precision) { p.Relative = math.NaN() },
		"a confidence from 50 %":   func(p *Precision) { p.Confidence = 1 },
		"not 20 %":                 func(p *Precision) { p.Confidence = 0.2 },
		"not 6:5":                  func(p *Precision) { p.Min, p.Max = 6, 5 },
		"not 0:5":                  func(p *Precision) { p.Min, p.Max = 0, 5 },
		"not 1:2147483648":         func(p *Precision) { p.Min, p.Max = 1, MaxCount+1 },
		"1 to 4096 operations":     func(p *Precision) { p.Inner = 4097 },
		"the clock, not 0":         func(p *Precision) { p.Inner = 0 },
		`unknown statistic "mode"`: func(p *Precision) { p.Statistic = "mode" },
	} {
		p := Default.Precision
		change(&p)
		require.ErrorContains(t, p.Check(), want)
	}
}
