package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The best line is that of least squares where both of its parts are positive; else one of them is 0. The others lie
// two standard errors of the slope to its sides.
func TestPositiveLines(t *testing.T) {
	x, err := []float64{1, 2, 3}, []float64{0.1, 0.1, 0.1}
	check := func(intercept, slope float64, y ...float64) [][2]float64 {
		lines := PositiveLines(x, y, err)
		require.Len(t, lines, 3)
		require.InDelta(t, intercept, lines[0][0], 1e-12)
		require.InDelta(t, slope, lines[0][1], 1e-12)
		return lines
	}
	lines := check(1, 2, 3, 5, 7)
	wide := 2 * 0.1 / math.Sqrt(2)
	require.InDelta(t, 2-wide, lines[1][1], 1e-12)
	require.InDelta(t, 5-2*(2-wide), lines[1][0], 1e-12)
	require.InDelta(t, 2+wide, lines[2][1], 1e-12)
	check(5, 0, 7, 5, 3)
	check(0, 2.5, 1, 5, 9)
	lines = check(1, 2, 2.8, 5.4, 6.8)
	require.InDelta(t, 2-wide*math.Sqrt(0.24)/0.1, lines[1][1], 1e-9, "points off the line make it wider")

	same := PositiveLines([]float64{2, 2}, []float64{3, 5}, []float64{1, 1})
	require.Equal(t, [][2]float64{{4, 0}, {4, 0}, {0, 2}}, same, "a single place has no slope")
	heavy := PositiveLines([]float64{1, 2, 3}, []float64{1, 2, 100}, []float64{1e-3, 1e-3, 1e3})
	require.InDelta(t, 1, heavy[0][1], 1e-3)
}
