package rating

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// halves returns how far the ends of an interval are from a value, on the logarithm.
func halves(value float64, in *Interval) (below, above float64) {
	return math.Log(value / in.Low), math.Log(in.High / value)
}

// Intervals of passes that agree narrow each other. The quantile of 51 degrees of freedom is 0.9516 times that of 17.
func TestOfPasses(t *testing.T) {
	of := func(method Method, halves ...float64) (list []*Interval) {
		for _, half := range halves {
			list = append(list, Around(1, half, method))
		}
		return list
	}
	same := []float64{1, 1, 1}
	mean, in := OfPasses(same, of(ByBlocks, 0.03, 0.03, 0.03), false)
	below, above := halves(mean, in)
	require.InEpsilon(t, 0.9516*0.03/math.Sqrt(3), below, 1e-4)
	require.InEpsilon(t, below, above, 1e-9)
	require.Equal(t, ByBlocks, in.Method)

	// All have met both states; or some, which then are those of all.
	mean, in = OfPasses(same, of(ByStates, 0.3, 0.3, 0.3), false)
	below, _ = halves(mean, in)
	require.InEpsilon(t, 0.9516*0.3/math.Sqrt(3), below, 1e-4)
	for _, method := range []Method{ByStates, ByRepetitions} {
		mean, in = OfPasses(same, append(of(ByBlocks, 0.01, 0.01), of(method, 0.3)...), false)
		below, above = halves(mean, in)
		require.InEpsilon(t, 0.3, below, 1e-9)
		require.InEpsilon(t, 0.3, above, 1e-9)
		require.Equal(t, method, in.Method)
	}
	mean, in = OfPasses(same, append(of(ByBlocks, 0.01, 0.01), of(ByRepetitions, 0.1)...), false)
	below, _ = halves(mean, in)
	require.Less(t, below, 0.04, "noise makes that, too")

	// Passes that differ by more than they say: Student's, and of two their distance.
	differ := func(ratings ...float64) *Interval {
		var list []*Interval
		for _, x := range ratings {
			list = append(list, Around(x, 0.1, ByBlocks))
		}
		mean, in := OfPasses(ratings, list, false)
		below, above = halves(mean, in)
		return in
	}
	require.Equal(t, ByPasses, differ(1, math.E, math.E*math.E).Method)
	require.InEpsilon(t, 4.302653/math.Sqrt(3), above, 1e-5)
	require.Equal(t, ByPasses, differ(1, math.E).Method)
	require.InEpsilon(t, 1, below, 1e-9)
	require.Equal(t, ByBlocks, differ(1, 1.001).Method)

	// Without intervals of their own three have that between them, two have none.
	_, in = OfPasses([]float64{1, 1.1, 1.2}, make([]*Interval, 3), false)
	require.Equal(t, ByPasses, in.Method)
	_, in = OfPasses([]float64{1, 1.1}, make([]*Interval, 2), false)
	require.Nil(t, in)
	mean, in = OfPasses([]float64{1, 0}, of(ByBlocks, 0.1, 0.1), false)
	require.Nil(t, in)
	require.True(t, math.IsNaN(mean))
	mean, in = OfPasses([]float64{2}, []*Interval{Around(2, 0.1, ByBlocks)}, false)
	below, _ = halves(mean, in)
	require.InEpsilon(t, 0.1, below, 1e-9, "a single pass has its own")
}

// Short passes that differ hold the lowest and the highest one; those that don't are as others.
func TestOfShortPasses(t *testing.T) {
	apart := func(halfWidth float64, short bool) *Interval {
		ratings := []float64{1, 1, 1, 1, 1, 1, 1, 1, 0.8}
		var within []*Interval
		for _, x := range ratings {
			within = append(within, Around(x, halfWidth, ByBlocks))
		}
		_, in := OfPasses(ratings, within, short)
		return in
	}
	require.Greater(t, apart(0.01, false).Low, 0.9, "Student's, between nine passes")
	require.InEpsilon(t, 0.8, apart(0.01, true).Low, 1e-12)
	require.Greater(t, apart(0.01, true).High, 1.)
	require.Equal(t, apart(0.5, false), apart(0.5, true))
}
