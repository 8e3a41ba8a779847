package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

var rule = Changes{Level: 0.05, MinValues: 2}

// With two clean levels of four values, two of the 70 ways to place the four lowest values are as good.
func TestChangesExact(t *testing.T) {
	for _, x := range []struct {
		values []float64
		p      float64
	}{
		{[]float64{4, 3, 1, 2, 8, 6, 7, 5}, 2.0 / 70},
		{[]float64{8, 6, 7, 5, 4, 3, 1, 2}, 2.0 / 70},
		{[]float64{1, 2, 3, 4, 5, 6, 7}, 4.0/35 - 2.0/140}, // splits at 3 and 4 are as good; two orders have both
		{[]float64{1, 2, 5, 6, 7}, 4.0/10 - 2.0/30},
		{[]float64{1, 2, 9, 10}, 2.0 / 6},
		{[]float64{3, 3, 3, 3, 3, 3}, 1},
		{[]float64{1, 2, 3}, 1},
	} {
		require.InDelta(t, x.p, rule.chance(Ranks(x.values)), 1e-12, "%v", x.values)
	}
}

// Several changes are found at their places, and an outlier is no change.
func TestChangesFind(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	var values []float64
	for _, level := range []struct {
		n    int
		mean float64
	}{{20, 1}, {15, 0.9}, {25, 1.05}} {
		for range level.n {
			values = append(values, level.mean*(1+0.01*random.NormFloat64()))
		}
	}
	values[5] = 0.2
	places, p := rule.Find(values)
	require.Equal(t, []int{20, 35}, places)
	require.Less(t, p[0], 0.001)
	levels, deviation, freedom := Levels([]float64{1, 3, 10, 12, 14}, []int{2})
	require.Equal(t, []Level{{0, 2, 2}, {2, 5, 12}}, levels)
	require.Equal(t, 3, freedom)
	require.InDelta(t, math.Sqrt(10.0/3), deviation, 1e-12)
}

// The place of a change follows from the values. A fall after a drift is found where the values fall, an outlier
// doesn't move it, and a drift by itself has no place.
func TestChangesPlace(t *testing.T) {
	drift := func(n int, from float64) (list []float64) {
		for i := range n {
			list = append(list, from*(1-0.001*float64(i)))
		}
		return list
	}
	strict := Changes{Level: 0.01, MinValues: 2}
	for _, x := range []struct {
		before, after []float64
		want          []int
	}{
		{drift(10, 100), drift(6, 40), []int{10}},
		{drift(15, 100), drift(5, 40), []int{15}},
		{slices.Concat(drift(4, 100), []float64{5}, drift(5, 99.5)), drift(8, 80), []int{10}},
		{drift(40, 100), nil, nil},
	} {
		places, _ := strict.Find(slices.Concat(x.before, x.after))
		require.Equal(t, x.want, places)
	}
}

// At most 5 % of series of pure noise of any kind are split, 6 of 120. Each kind has its own generator, so the counts
// are always the same. More than 15 would have a chance of 1 in 1000.
func TestChangesFalse(t *testing.T) {
	for seed, c := range []struct {
		name  string
		noise func(*rand.Rand) float64
		split [3]int // of 120 series of 8, 12 and 30 values
	}{
		{"normal", (*rand.Rand).NormFloat64, [3]int{2, 3, 6}},
		{"exponential", (*rand.Rand).ExpFloat64, [3]int{4, 7, 5}},
		{"log-normal", func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) }, [3]int{4, 5, 5}},
		{"two states", func(r *rand.Rand) float64 { return float64(r.IntN(2)) }, [3]int{2, 5, 3}},
	} {
		random := rand.New(rand.NewPCG(uint64(seed), 3))
		var split [3]int
		for k, n := range []int{8, 12, 30} {
			for range 120 {
				values := make([]float64, n)
				for i := range values {
					values[i] = c.noise(random)
				}
				if places, _ := rule.Find(values); len(places) > 0 {
					split[k]++
				}
			}
		}
		require.Equal(t, c.split, split, c.name)
		require.LessOrEqual(t, slices.Max(split[:]), 15, c.name)
	}
}

func TestRanks(t *testing.T) {
	require.Equal(t, []float64{0, -1, 1}, Ranks([]float64{5, 3, 9}))
	require.Equal(t, []float64{-0.5, -0.5, 1}, Ranks([]float64{3, 3, 9}))
}
