package stats

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Period finds pulses of any length and distance in noise. It finds no period in values that have none.
func TestPeriod(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		n, distance, length float64
	}{{1000, 10, 1}, {10_000, 100, 10}, {10_000, 40, 1}, {7919, 33.3, 2}, {50_000, 2500, 4}, {3000, 50, 25}} {
		values := make([]float64, int(c.n))
		for i := range values {
			values[i] = 0.05 * r.Float64()
		}
		for at := 0.0; at < c.n-c.length; at += c.distance {
			for i := range int(c.length) {
				values[int(at)+i] += 1
			}
		}
		p, ok := Period(values, 0.5)
		require.True(t, ok, "%+v", c)
		require.InEpsilon(t, c.distance*0.5, p, 0.01, "%+v", c)
	}
	chance := 0
	for range 500 {
		values := make([]float64, 2000)
		for i := range values {
			values[i] = r.ExpFloat64()
		}
		if _, ok := Period(values, 1); ok {
			chance++
		}
	}
	require.LessOrEqual(t, chance, 3, "of 500, at 0.1 %%")
	for _, none := range [][]float64{nil, {1, 2, 3}, make([]float64, 1000)} {
		_, ok := Period(none, 1)
		require.False(t, ok)
	}
}
