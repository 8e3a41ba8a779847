package method

import (
	rand "math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Known answers of the offsets: 3 out and 1 back, then 1 out and 3 back, of a clock that is 100 ahead.
func TestOffset(t *testing.T) {
	o := offsetOf([]float64{0}, []float64{103}, []float64{4})
	require.Equal(t, offset{Seconds: 101, Uncertainty: 2}, o)
	o = offsetOf([]float64{0, 10}, []float64{103, 111}, []float64{4, 14})
	require.Equal(t, offset{Seconds: 100, Uncertainty: 1}, o)
}

// Whatever the delays, the true offset lies within its uncertainty.
func TestTrueOffset(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 1000 {
		ahead, now := 1000*random.NormFloat64(), 0.0
		var out, there, back []float64
		for range 1 + random.IntN(20) {
			now += random.Float64()
			out = append(out, now)
			now += random.ExpFloat64()
			there = append(there, now+ahead)
			now += random.ExpFloat64()
			back = append(back, now)
		}
		o := offsetOf(out, there, back)
		require.InDelta(t, ahead, o.Seconds, o.Uncertainty+1e-9)
	}
}
