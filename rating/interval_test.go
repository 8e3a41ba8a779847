package rating

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The logarithms 0, 1 and 2 have a mean of 1 and a deviation of 1; Student's t of two degrees of freedom is 4.3027.
func TestGeometricMean(t *testing.T) {
	mean, in := GeometricMean([]float64{1, math.E, math.E * math.E})
	require.InEpsilon(t, math.E, mean, 1e-12)
	half := 4.302653 / math.Sqrt(3)
	require.InEpsilon(t, math.Exp(1-half), in.Low, 1e-5)
	require.InEpsilon(t, math.Exp(1+half), in.High, 1e-5)
	require.Equal(t, ByRuns, in.Method)
	require.InEpsilon(t, math.Exp(half)-1, in.RelativeHalfWidth(mean), 1e-5)

	mean, in = GeometricMean([]float64{2, 8})
	require.InEpsilon(t, 4, mean, 1e-12)
	require.Nil(t, in, "two runs have no interval")
	mean, in = GeometricMean([]float64{5, 5, 5})
	require.InEpsilon(t, 5, mean, 1e-12)
	require.InEpsilon(t, 5, in.High, 1e-12)
	for _, list := range [][]float64{{1, 0, 2}, {1, -1, 2}, {1, math.NaN(), 2}} {
		mean, in = GeometricMean(list)
		require.True(t, math.IsNaN(mean), "%v", list)
		require.Nil(t, in)
	}
}

// A clock is coarse if its step is more than a hundredth of the shortest time.
func TestClockSigns(t *testing.T) {
	m := Machine{ClockResolution: 0.5}
	require.Empty(t, m.ClockSigns(0, "timed loop", ""))
	require.Empty(t, (&Machine{}).ClockSigns(1, "timed loop", ""))
	list := m.ClockSigns(50, "timed loop", "so")
	require.Equal(t, []Sign{{Name: "clock", Value: 0.01, Limit: 0.01, Quiet: true, Remedy: "so",
		Text: "the clock's step of 500 ms is 1 % of the shortest timed loop of 50 s (quiet: at most 1 %)"}}, list)
	require.False(t, m.ClockSigns(49.9, "timed loop", "")[0].Quiet)
}
