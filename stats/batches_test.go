package stats

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBatches(t *testing.T) {
	variance, freedom := Batches([]float64{1, 2, 3, 6}, 1)
	require.InEpsilon(t, 4*14./3, variance, 1e-12, "four times the variance of the sample")
	require.InEpsilon(t, 3, freedom, 1e-12)
	variance, freedom = Batches([]float64{1, 2, 3, 6}, 2) // sums of neighbouring values less their mean: -3, -1, 3
	require.InEpsilon(t, 19./3*4/2*4/2, variance, 1e-12)
	require.InEpsilon(t, 1.5, freedom, 1e-12)
	for _, m := range []int{-1, 0, 4, 5} {
		variance, freedom = Batches([]float64{1, 2, 3, 6}, m)
		require.Zero(t, variance)
		require.Zero(t, freedom)
	}
}

// The variance is right for independent values with batches of any length, and for runs of equal values with long
// batches.
func TestBatchesOfRuns(t *testing.T) {
	const n, series, run = 48, 2000, 4
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		run  int
		m    int
		want float64
	}{{1, 1, n}, {1, 6, n}, {1, 12, n}, {run, 1, n}, {run, 24, run * n}} {
		sum := 0.0
		for range series {
			values, level := make([]float64, n), 0.0
			for i := range values {
				if i%c.run == 0 {
					level = r.NormFloat64()
				}
				values[i] = level
			}
			v, _ := Batches(values, c.m)
			sum += v / series
		}
		require.InEpsilon(t, c.want, sum, 0.1, "%+v", c)
	}
}
