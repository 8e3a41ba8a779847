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

// (highest - lowest) / highest of two numbers at least.
func TestWorst(t *testing.T) {
	require.EqualValues(t, 0.25, Worst([]float64{4, math.NaN(), 3, 3.5}))
	require.EqualValues(t, 0.75, Worst([]float64{0.25, 0.0625}))
	require.Zero(t, Worst([]float64{4, 4}))
	require.True(t, math.IsNaN(Worst([]float64{4, math.NaN()})))
	require.True(t, math.IsNaN(Worst(nil)))
}

// A quantile of p is the smallest number that p of the numbers don't exceed: of 1 to 20, in steps of 5 %.
func TestQuartiles(t *testing.T) {
	q := Quartiles{X: 7}
	for i := range 20 {
		q.Sorted = append(q.Sorted, float64(i+1))
	}
	for p, want := range map[float64]float64{0.05: 1, 0.25: 5, 0.5: 10, 0.75: 15, 0.95: 19, 1: 20} {
		require.Equal(t, want, q.at(p), "%v", p)
	}
	require.Equal(t, []Point{{X: 7, Y: 1}, {X: 7, Y: 20}}, q.Values())
	require.Equal(t, []Point{{X: 7, Y: 3}, {X: 7, Y: 3}}, Quartiles{X: 7, Sorted: []float64{3}}.Values())
}
