package method

import (
	rand "math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The other clock is 100 s ahead. The first message takes 3 s out and 1 s back; the second takes 1 s out and 3 s back.
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
