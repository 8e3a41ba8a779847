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
	variance, freedom = Batches([]float64{1, 2, 3, 6}, 2) // sums of pairs less the mean: -3, -1, 3
	require.InEpsilon(t, 19./3*4/2*4/2, variance, 1e-12)
	require.InEpsilon(t, 1.5, freedom, 1e-12)
	for _, m := range []int{-1, 0, 4, 5} {
		variance, freedom = Batches([]float64{1, 2, 3, 6}, m)
		require.Zero(t, variance)
		require.Zero(t, freedom)
	}
}

// The variance of independent values is right for any length of batches, that of values which are alike in runs only
// for long ones.
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

func TestLargestChange(t *testing.T) {
	values := []float64{1, 1.01, 1, 1.01, 1, 2, 2.01, 2, 2.01}
	c := LargestChange(values, 3)
	require.Equal(t, 5, c.At)
	require.InEpsilon(t, 2, c.Ratio, 0.01)
	require.Greater(t, c.Sigma, 5.)
	require.Greater(t, c.Part, 0.99)
	require.Zero(t, LargestChange(values, 5))
	require.Zero(t, LargestChange(values, 0))
	require.Zero(t, LargestChange([]float64{3, 3, 3, 3, 3, 3}, 2))
	noise, r := make([]float64, 24), rand.New(rand.NewPCG(1, 2))
	worst := 0.0
	for range 2000 {
		for i := range noise {
			noise[i] = 1 + 0.1*r.NormFloat64()
		}
		worst = max(worst, LargestChange(noise, 3).Sigma)
	}
	require.Less(t, worst, 6.)
	require.Greater(t, worst, 3.)
	stall := []float64{1, 1.01, 1, 1.01, 1, 20, 1.01, 1, 1.01, 1, 1.01, 1}
	require.Less(t, LargestChange(stall, 3).Sigma, 2., "one value is no level")
}
