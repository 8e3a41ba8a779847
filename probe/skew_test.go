package probe_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// If the last of three processes comes to a barrier 100 ms late, the others wait that long. The late process doesn't,
// because its time begins when it has come.
func TestSkew(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4)) // the late one polls: the others need clocks meanwhile
	const late = 100e-3
	p := settings.Precision{Relative: 0.1, Confidence: 0.95, Min: 5, Max: 5, Inner: 1, Statistic: settings.ByMedian}
	wanted := settings.Settings{Series: settings.Series{Skew: settings.SkewOf("last", late), Precision: &p}}
	require.NoError(t, local.Run(3, func(e mpi.Engine) error {
		plan, err := probe.NewPlan(3, probe.On(e, probe.Config{Selections: named(t, "Barrier"), Settings: wanted}))
		if err != nil {
			return err
		}
		m, err := plan.Measure(e, rating.Observer[measured.Outcome]{})
		if err != nil || e.World().Rank() > 0 {
			return err
		}
		r := probe.NewResult(plan, m, probe.Run{})
		require.Len(t, r.Blocks, 2)
		for _, b := range r.Blocks { // of two processes, and of all: each has a last one
			x := b.Rows[0].Derived[0]
			require.Greater(t, x.Max, 0.9*late)
			require.Less(t, x.Min, 0.9*late)
		}
		return r.Check()
	}))
}

// Delays follow the pattern, and a trace must have one for each process.
func TestDelays(t *testing.T) {
	delays := func(pattern string, processes int) []float64 {
		list, err := (&settings.Settings{Series: settings.Series{Skew: pattern}}).Delays(processes)
		require.NoError(t, err)
		return list
	}
	require.Nil(t, delays("", 3))
	require.Equal(t, []float64{0, 0, 1e-5}, delays("last:1e-05", 3))
	require.Equal(t, []float64{0, 0.5, 0}, delays("trace:0,0.5,0", 3))
	require.Equal(t, []float64{0, 0.5}, delays("trace:0,0.5,0", 2))
	require.Equal(t, delays("random:7:0.001", 4), delays("random:7:0.001", 4))
	require.NotEqual(t, delays("random:7:0.001", 4), delays("random:8:0.001", 4))
	for _, x := range delays("random:7:0.001", 100) {
		require.True(t, x >= 0 && x <= 0.001)
	}
	for _, wrong := range []string{"first:1", "last:-1", "last:11", "last:x", "random:1", "random:x:1", "trace:",
		"trace:0,x"} {
		require.Error(t, (&settings.Settings{Series: settings.Series{Skew: wrong}}).Check(), wrong)
	}
	_, err := probe.NewPlan(2, probe.Config{Selections: named(t, "Barrier"),
		Settings: settings.Settings{Series: settings.Series{Skew: "trace:0,0,0"}}})
	require.ErrorContains(t, err, "has 3 processes, this job has 2")
	_, err = probe.NewPlan(4, probe.Config{Selections: named(t, "Barrier"), Members: []int{0, 2},
		Settings: settings.Settings{Series: settings.Series{Skew: "trace:0,0"}}})
	require.NoError(t, err, "two of the four take part")
}
