package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
)

// Boundaries are close to Pocock's table (1977, Table 1, two-sided 0.10 and 0.05 of 5 looks). They differ because here
// a wrong verdict on one side doesn't end the test on the other side.
func TestBoundary(t *testing.T) {
	require.InDelta(t, 1.645, Boundary(0.05, 1), 0.001)
	require.InDelta(t, 2.122, Boundary(0.05, 5), 0.01)
	require.InDelta(t, 2.413, Boundary(0.025, 5), 0.01)
	for _, looks := range []int{1, 2, 5, 20} {
		for _, p := range []float64{0.2, 0.05, 0.001, 1e-6} {
			require.InEpsilon(t, p, Crossing(Boundary(p, looks), looks), 1e-3)
		}
	}
	require.InEpsilon(t, distuv.UnitNormal.Survival(4), Crossing(4, 1), 1e-6)
	require.Equal(t, 1.0, Crossing(0, 3))
	require.Equal(t, 1.0, Crossing(math.NaN(), 3))
}

// The probability agrees with a simulation, also beyond the looks that are integrated.
func TestCrossing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		z     float64
		looks int
	}{{1.5, 3}, {2.1, 5}, {2, 20}, {2.5, 256}} {
		const tries = 20_000
		crossed := 0.0
		for range tries {
			sum := 0.0
			for k := 1; k <= c.looks; k++ {
				if sum += r.NormFloat64(); sum >= c.z*math.Sqrt(float64(k)) {
					crossed++
					break
				}
			}
		}
		p := Crossing(c.z, c.looks)
		require.InDelta(t, crossed/tries, p, 4*math.Sqrt(p/tries)+0.03*p, "%v", c)
	}
}

func TestHolm(t *testing.T) {
	hold, levels := Holm([]float64{0.02, 0.001, 0.04, 0.03}, 0.06)
	require.Equal(t, []bool{true, true, true, true}, hold)
	require.InDeltaSlice(t, []float64{0.02, 0.015, 0.06, 0.03}, levels, 1e-12)
	hold, levels = Holm([]float64{0.5, 0.001, 0.03}, 0.05) // the second one doesn't hold, so no further one does
	require.Equal(t, []bool{false, true, false}, hold)
	require.InDeltaSlice(t, []float64{0.025, 0.05 / 3, 0.025}, levels, 1e-12)
	hold, _ = Holm(nil, 0.05)
	require.Empty(t, hold)
	// As R's p.adjust: no smaller probability has the larger adjusted one, and equal ones have the same.
	require.InDeltaSlice(t, []float64{0.06, 0.004, 0.06, 0.06}, Adjusted([]float64{0.02, 0.001, 0.04, 0.03}), 1e-12)
	require.InDeltaSlice(t, []float64{0.03, 0.03, 1}, Adjusted([]float64{0.01, 0.01, 1}), 1e-12)
	require.Empty(t, Adjusted(nil))
}

// Without a given spread nothing is known of the mean for fewer than five values.
func TestSequential(t *testing.T) {
	q := Sequential{Looks: 5}
	require.True(t, math.IsNaN(q.Test([]float64{1, 1.01, 0.99, 1}, 0).Z))
	s := q.Test([]float64{1, 1.01, 0.99, 1, 1}, 0)
	require.Equal(t, MeasuredSpread, s.By)
	above, below := s.PValues()
	require.Less(t, above, 1e-4)
	require.Equal(t, 1.0, below)
	require.Less(t, s.Half(0.05), 0.02)

	q.Spread = 0.03
	one := q.Test([]float64{0.1}, 0) // a single value can't contradict the spread, which counts twice
	require.InDelta(t, 0.1/0.06, one.Z, 1e-12)
	require.InDelta(t, Boundary(0.05, 5)*0.06, one.Half(0.05), 1e-12)
	two := q.Test([]float64{0.1, 0.12}, 0)
	require.Equal(t, GivenSpread, two.By)
	require.InDelta(t, 0.11*math.Sqrt2/0.03, two.Z, 1e-12)
	require.InDelta(t, 0.05, q.Test([]float64{0.1, 0.12}, 0.05).Deviation, 1e-12) // the given minimum
	require.Equal(t, UnknownSpread, q.Test([]float64{0.1, 0.3}, 0).By)            // they contradict it
	require.InDelta(t, -two.Z, q.Test([]float64{-0.1, -0.12}, 0).Z, 1e-12)
	require.InDelta(t, two.Z-0.1*math.Sqrt2/0.03, two.Against(0.1).Z, 1e-9)
	require.Equal(t, 10, q.Test(make([]float64, 6), 0).Looks)
}

// MeanTest.Needed is the number of values that a verdict needs if mean and deviation stay.
func TestSequentialNeeded(t *testing.T) {
	q := Sequential{Looks: 5, Spread: 0.03}
	s := q.Test([]float64{0.03, 0.03}, 0)
	n := s.Needed(0.05, 100)
	require.Equal(t, int(math.Ceil(math.Pow(Boundary(0.05, 5), 2))), n)
	near := q.Test([]float64{0.0001, 0.0001}, 0)
	require.Zero(t, near.Needed(0.05, 100))
	unknown := Sequential{Looks: 5}.Test([]float64{0.03}, 0)
	require.Equal(t, 5, unknown.Needed(0.05, 100))
}
