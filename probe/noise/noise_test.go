package noise

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/rating"
)

// methods lists the methods.
var methods = []rating.NoiseMethod{rating.FixedWork, rating.FixedTime, rating.Detours}

// disturbed returns an engine whose loops take the seconds of their work, except that something else takes the
// processor for lost seconds in each period.
func disturbed(work func(scripted.Step) float64, lost, period float64) *scripted.Engine {
	now := 0.0
	return &scripted.Engine{Processes: 1, Each: func(s scripted.Step, _ int64) []float64 {
		left, begin := work(s), now
		for left > 0 {
			at := now - period*float64(int(now/period))
			if at < lost {
				now += lost - at + 1e-12 // the process waits
				continue
			}
			step := min(left, period-at)
			now, left = now+step+1e-12, left-step
		}
		return []float64{now - begin}
	}}
}

// A process from which something takes 1 ms each 10 ms loses 10 % of its time, with a period of 10 ms, by each method.
func TestKnownNoise(t *testing.T) {
	for _, c := range []struct {
		method rating.NoiseMethod
		work   func(scripted.Step) float64
	}{
		{rating.FixedWork, func(s scripted.Step) float64 { return 5e-6 * float64(s.Products) }},
		{rating.FixedTime, func(scripted.Step) float64 { return 2e-6 }},
		{rating.Detours, func(scripted.Step) float64 { return 2e-6 }},
	} {
		n, err := Measure(disturbed(c.work, 1e-3, 10e-3), c.method, 1)
		require.NoError(t, err, c.method)
		require.InDelta(t, 0.10, n.Share(), 0.005, c.method)
		require.InEpsilon(t, 10e-3, n.Period(), 0.005, c.method)
		require.InEpsilon(t, 1e-3, n.LongestOfAll(), 0.05, c.method)
		require.InDelta(t, 1, n.Seconds, 0.6, c.method)
		require.NoError(t, n.Check(1))
		require.Contains(t, n.Words(), "every 10 ms")
		sum := 0.0
		for _, x := range n.Parts {
			sum += x / float64(len(n.Parts))
		}
		require.InDelta(t, 0.10, sum, 0.006, c.method)
		require.InDelta(t, n.Seconds/10e-3, n.Detours.N(), 2, c.method)
	}
}

// If nothing disturbs the process, no noise is found.
func TestNoNoise(t *testing.T) {
	for _, m := range methods {
		n, err := Measure(&scripted.Engine{Processes: 1, Cost: func(s scripted.Step) float64 {
			return 2e-6 * float64(max(s.Products, 1))
		}}, m, 0.5)
		require.NoError(t, err, m)
		require.InDelta(t, 0, n.Share(), 1e-6, m)
		require.Zero(t, n.Period(), m)
		require.Nil(t, n.Detours, m)
		require.Equal(t, m, n.Method)
	}
}

// A clock that doesn't advance doesn't cause an endless loop.
func TestStandingClock(t *testing.T) {
	for _, m := range methods {
		_, err := Measure(&scripted.Engine{Processes: 1}, m, 1)
		require.ErrorContains(t, err, "the clock does not advance", m)
	}
}

// On the embedded engine each process has figures, and process 0 has all.
func TestProcesses(t *testing.T) {
	require.NoError(t, local.Run(3, func(e mpi.Engine) error {
		n, err := Measure(e, rating.Detours, 0.05)
		if err == nil && e.World().Rank() == 0 {
			err = n.Check(3)
		}
		return err
	}))
}
