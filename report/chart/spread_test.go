package chart

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The geometric mean of 1, 4 and 16 is 4; there is none of a part of the values.
func TestSpreadOf(t *testing.T) {
	s := SpreadOf([]float64{4, 16, 1})
	require.InEpsilon(t, 4, s.Mean, 1e-12)
	require.Equal(t, [2]float64{1, 16}, [2]float64{s.Low, s.High})
	for _, list := range [][]float64{nil, {1, math.NaN()}, {0, 1}, {math.Inf(1), 1}} {
		s := SpreadOf(list)
		require.True(t, math.IsNaN(s.Low) && math.IsNaN(s.Mean) && math.IsNaN(s.High), "%v", list)
	}
}
