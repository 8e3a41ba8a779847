package rating

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// halves returns the distances of an interval's ends from a value, as logarithms of ratios.
func halves(value float64, in *Interval) (below, above float64) {
	return math.Log(value / in.Low), math.Log(in.High / value)
}

// The half width is Student's for the repetitions, divided by the root of the number of passes. It is at least as wide
// as the interval between three passes or more, and includes all of up to five passes.
func TestOfPasses(t *testing.T) {
	e := math.Exp
	for name, c := range map[string]struct {
		passes, repetitions []float64
		below, above        float64
		method              Method
	}{
		"one pass": {[]float64{1}, []float64{e(-0.01), 1, e(0.01)}, 4.303 * 0.01, 4.303 * 0.01, ByRepetitions},
		"a repetition that isn't known": {[]float64{1}, []float64{e(-0.01), math.NaN(), e(0.01), 0},
			12.706 * 0.01 * math.Sqrt2, 12.706 * 0.01 * math.Sqrt2, ByRepetitions},
		"two passes that agree": {[]float64{1, 1}, []float64{e(-0.01), e(0.01), e(-0.01), e(0.01)},
			3.182 * 0.01 * math.Sqrt(4./3/2), 3.182 * 0.01 * math.Sqrt(4./3/2), ByRepetitions},
		"two passes that are apart": {[]float64{e(-0.1), e(0.1)}, []float64{1, 1, 1, 1, 1, 1}, 0.1, 0.1, ByRepetitions},
		"three passes": {[]float64{e(-0.01), 1, e(0.01)}, []float64{1, 1, 1, 1, 1, 1}, 4.303 * 0.01 / math.Sqrt(3),
			4.303 * 0.01 / math.Sqrt(3), ByPasses},
		"five passes": {[]float64{1, 1, 1, 1, e(-0.1)}, []float64{1, 1}, 0.08, 0.0555, ByPasses},
		"six passes": {[]float64{1, 1, 1, 1, 1, e(-0.1)}, []float64{1, 1}, 2.571 * 0.1 / 6, 2.571 * 0.1 / 6,
			ByPasses},
		"passes of one repetition": {[]float64{e(-0.01), 1, e(0.01)}, []float64{e(-0.01), 1, e(0.01)},
			4.303 * 0.01 / math.Sqrt(3), 4.303 * 0.01 / math.Sqrt(3), ByRepetitions},
	} {
		mean, in := OfPasses(c.passes, c.repetitions)
		below, above := halves(mean, in)
		require.InEpsilon(t, c.below, below, 1e-3, name)
		require.InEpsilon(t, c.above, above, 1e-3, name)
		require.Equal(t, c.method, in.Method, name)
	}

	mean, in := OfPasses([]float64{2}, []float64{2})
	require.Nil(t, in, "a single repetition has no spread")
	require.Equal(t, 2.0, mean)
	_, in = OfPasses([]float64{1, 1.1}, nil)
	require.Nil(t, in)
	_, in = OfPasses([]float64{1, 1.1, 1.2}, nil)
	require.Equal(t, ByPasses, in.Method)
	mean, in = OfPasses([]float64{1, 0}, []float64{1, 1})
	require.True(t, math.IsNaN(mean))
	require.Nil(t, in)
}
