package stats

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The line is the least squares line if both of its coefficients are positive; otherwise one of them is 0.
func TestPositiveLine(t *testing.T) {
	x, err := []float64{1, 2, 3}, []float64{0.1, 0.1, 0.1}
	for _, c := range []struct {
		y                []float64
		intercept, slope float64
	}{
		{[]float64{3, 5, 7}, 1, 2}, {[]float64{7, 5, 3}, 5, 0}, {[]float64{1, 5, 9}, 0, 2.5},
		{[]float64{2.8, 5.4, 6.8}, 1, 2},
	} {
		intercept, slope := PositiveLine(x, c.y, err)
		require.InDelta(t, c.intercept, intercept, 1e-12)
		require.InDelta(t, c.slope, slope, 1e-12)
	}
	intercept, slope := PositiveLine([]float64{2, 2}, []float64{3, 5}, []float64{1, 1})
	require.Equal(t, []float64{4, 0}, []float64{intercept, slope}, "points at a single x have no slope")
	_, slope = PositiveLine(x, []float64{1, 2, 100}, []float64{1e-3, 1e-3, 1e3})
	require.InDelta(t, 1, slope, 1e-3)
}
