package versus

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Welch's interval agrees with Student's where both are the same.
func TestWelch(t *testing.T) {
	// The interval is centred on the ratio of the geometric means.
	i := Welch([]float64{10, 10.5, 11}, []float64{11, 12, 13})
	require.True(t, i.Known)
	require.InDelta(t, math.Log(12.0/10.5), (math.Log(i.Low)+math.Log(i.High))/2, 5e-3)
	require.Less(t, i.Low, 1.0)
	require.Greater(t, i.High, 1.25)
	// With equal variances and numbers of repetitions it is Student's with 4 degrees of freedom: t = 2.7764.
	x, y := []float64{1, math.E, math.Exp(2)}, []float64{math.Exp(10), math.Exp(11), math.Exp(12)}
	i = Welch(x, y)
	half := 2.7764451 * math.Sqrt(2.0/3)
	require.InDelta(t, 10-half, math.Log(i.Low), 1e-6)
	require.InDelta(t, 10+half, math.Log(i.High), 1e-6)

	require.False(t, Welch([]float64{1}, []float64{1, 2}).Known)
	require.False(t, Welch([]float64{1, 0}, []float64{1, 2}).Known)
	require.Equal(t, Interval{2, 2, true}, rounded(Welch([]float64{1, 1}, []float64{2, 2})))
}

func rounded(i Interval) Interval {
	i.Low, i.High = math.Round(i.Low*1e9)/1e9, math.Round(i.High*1e9)/1e9
	return i
}
