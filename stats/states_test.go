package stats

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Blocks that differ alike have a correlation of 1, blocks that take turns of -1, and a step somewhere hardly less.
func TestNeighbourCorrelation(t *testing.T) {
	alike := [][]float64{{1, 0, 0}, {3, 2, 2}, {5, 4, 4}, {1, 0, 0}}
	require.InDelta(t, 1, NeighbourCorrelation(alike), 1e-12)
	turns := [][]float64{{1, 0}, {0, 1}, {1, 0}, {0, 1}}
	require.InDelta(t, -1, NeighbourCorrelation(turns), 1e-12)
	step := [][]float64{{1, 0}, {1, 0}, {1, 0}, {0, 1}, {0, 1}, {0, 1}}
	require.InDelta(t, 0.6, NeighbourCorrelation(step), 1e-12, "4 alike and one not, of 5")
	require.Zero(t, NeighbourCorrelation([][]float64{{1, 1}, {2, 2}}))
	require.Zero(t, NeighbourCorrelation(nil))
}

// The line is that of least squares where both of its parts are positive; else one of them is 0.
func TestPositiveLine(t *testing.T) {
	check := func(intercept, slope float64, y ...float64) {
		a, b := PositiveLine([]float64{1, 2, 3}, y)
		require.InDelta(t, intercept, a, 1e-12)
		require.InDelta(t, slope, b, 1e-12)
	}
	check(1, 2, 3, 5, 7)
	check(5, 0, 7, 5, 3)
	check(0, 30./14, 1, 4, 7)
	a, b := PositiveLine([]float64{2, 2}, []float64{3, 5})
	require.InDelta(t, 4, a, 1e-12)
	require.Zero(t, b, "a single place has no slope")
}
