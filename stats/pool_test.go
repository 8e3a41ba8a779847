package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPool(t *testing.T) {
	e := Pool([]Estimate{{1, 1, 0}, {1.5, 1, 0}, {2, 4, 0}})
	require.InEpsilon(t, (1+1.5+0.5)/2.25, e.Value, 1e-9, "by the variances, which explain what they differ")
	require.InEpsilon(t, 1/2.25, e.Variance, 1e-9)
	require.InEpsilon(t, 2., e.Freedom, 1e-12)

	e = Pool([]Estimate{{0, 1e-6, 0}, {1, 1e-6, 0}, {5, 1e-6, 0}})
	require.InEpsilon(t, 2, e.Value, 1e-3, "variances say nothing: all count alike")
	require.InEpsilon(t, 14./2/3, e.Variance, 1e-3)

	near := []Estimate{{1, 1, 0}, {1.1, 1, 0}, {0.9, 1, 0}, {1, 1, 0}}
	far := append(near, Estimate{1000, 1, 0}, Estimate{7, 0, 0})
	require.Equal(t, Pool(near), Pool(far), "far off, or without error")

	require.Zero(t, Pool(nil))
	require.Zero(t, Pool(near[:2]))
}

// The interval by a pooled estimate holds the true value in 95 of 100 cases, whether or not estimates differ by more
// than their variances say.
func TestPoolCovers(t *testing.T) {
	const sets, n = 2000, 20
	r := rand.New(rand.NewPCG(1, 2))
	for _, more := range []float64{0, 3} {
		held := 0.0
		for range sets {
			var list []Estimate
			for range n {
				v := 0.1 + r.ExpFloat64()
				list = append(list, Estimate{5 + math.Sqrt(v+more)*r.NormFloat64(), v, 0})
			}
			e := Pool(list)
			if math.Abs(e.Value-5) <= Student(0.975, e.Freedom)*math.Sqrt(e.Variance) {
				held += 1. / sets
			}
		}
		require.InDelta(t, 0.95, held, 0.025, "%v", more)
	}
}

func TestReach(t *testing.T) {
	require.InEpsilon(t, 1.95996, Reach(0, 1, 1e9, 0.95), 1e-4)
	require.InEpsilon(t, 2*2.2281, Reach(0, 2, 10, 0.95), 1e-4)
	require.InEpsilon(t, 10+1.64485, Reach(-10, 1, 1e9, 0.95), 1e-4, "only one end can miss")
	require.InEpsilon(t, 3., Reach(3, 0, 0, 0.95), 1e-12)
	require.Zero(t, Reach(0, 0, 0, 0.95))
	last := 0.0
	for off := 0.; off < 5; off += 0.25 {
		half := Reach(off, 1, 30, 0.95)
		require.Greater(t, half, last)
		last = half
	}
}
