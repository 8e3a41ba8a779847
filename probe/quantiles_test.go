package probe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/method"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// With quantiles the times of repetitions are counted. Of 150,000 repetitions of 1 µs every 500th takes 50 µs, so the
// tail begins at 99.8 %. No batch has more times than fit into half a megabyte, and no list of times is kept.
func TestQuantiles(t *testing.T) {
	n, largest := 0, int64(0)
	s := &scripted.Engine{Processes: 2, Each: func(x scripted.Step, loop int64) []float64 {
		if !isSeries(x) {
			return []float64{0, 0, 0}
		}
		if largest = max(largest, x.Loops.Timed); loop == 0 {
			return laps(x, 0, 15*micro) // this repetition isn't kept
		}
		if n++; n%500 == 0 {
			return laps(x, 0, 50*micro)
		}
		return laps(x, 0, micro)
	}}
	wanted := settings.Settings{Rows: settings.Rows{Lengths: []int64{64}},
		Series: settings.Series{Quantiles: []float64{50, 99, 99.9, 99.999}}}
	wanted.Series.Precision = &settings.Precision{Relative: 0.025, Confidence: 0.95, Min: 150_000, Max: 150_000,
		Inner:     1,
		Statistic: settings.ByMedian}
	r := onScript(t, s, probe.Config{Selections: named(t, "Sendrecv"), Settings: wanted})
	row := &r.Blocks[0].Rows[0]
	require.EqualValues(t, 150_000, row.Repetitions)
	require.Equal(t, 150_000, n)
	require.LessOrEqual(t, largest, int64(1<<16+1))
	x := row.Series[0]
	require.Empty(t, x.Max)
	require.Nil(t, x.Counted.Min, "both processes take the same")
	require.Equal(t, []int64{149_700, 300}, x.Counted.Max.Counts)
	require.Equal(t, settings.AtMost, x.Ended)
	k, _ := r.Kernel(&r.Blocks[0])
	require.NoError(t, method.CheckEndings(&r.Settings, k, row))
	require.NoError(t, r.Check())

	q := row.Statistics[0].Quantiles
	for i, want := range []float64{micro, micro, 50 * micro} {
		require.InEpsilon(t, want, q[i].Value, 1e-3, "%v", q[i].Percent)
		require.True(t, q[i].Interval[0] <= want*1.001 && want*0.999 <= q[i].Interval[1], "%+v", q[i])
		require.True(t, q[i].Known())
	}
	require.Zero(t, q[3].Value)
	require.EqualValues(t, 368_887, q[3].Needed, "too few repetitions")
	require.InEpsilon(t, micro, row.Derived[0].Max, 1e-3)
	require.InEpsilon(t, (149_700*micro+300*50*micro)/150_000, row.Statistics[0].Mean, 1e-9, "the mean is exact")
}

// Timings that need all times at the end, or that may give negative times, have no quantiles.
func TestQuantilesRefused(t *testing.T) {
	for _, timing := range []settings.Timing{settings.ByRoot, settings.ByGlobal} {
		_, err := probe.NewPlan(2, probe.Config{Selections: named(t, "Sendrecv"),
			Settings: settings.Settings{Series: settings.Series{Quantiles: []float64{50}, Timing: timing}}})
		require.ErrorContains(t, err, "has no quantiles by the timing "+string(timing))
	}
	_, err := probe.NewPlan(2, probe.Config{Selections: named(t, "Roundtrip_pairs"),
		Settings: settings.Settings{Series: settings.Series{Quantiles: []float64{50}}}})
	require.ErrorContains(t, err, "has no quantiles")
	many := settings.Default.Precision
	many.Max = 1 << 21
	_, err = probe.NewPlan(2, probe.Config{Selections: named(t, "Sendrecv"),
		Settings: settings.Settings{Series: settings.Series{Precision: &many}}})
	require.ErrorContains(t, err, "with quantiles, which count them")
}
