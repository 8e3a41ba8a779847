package beff

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/stats"
)

// The element at a place is that of the list in order, whatever the order was.
func TestOrdered(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 40; n++ {
		list := make([]float64, n)
		for i := range list {
			list[i] = float64(r.IntN(n))
		}
		want := slices.Sorted(slices.Values(list))
		for place := range list {
			require.Equal(t, want[place], ordered(slices.Clone(list), place), "%v", list)
		}
	}
}

func TestMedianIsThatOfOrderedValues(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 40; n++ {
		list := make([]float64, n)
		for i := range list {
			list[i] = math.Round(4 * random.NormFloat64())
		}
		before := slices.Clone(list)
		require.Equal(t, stats.Quantile(stats.Sorted(list), 0.5), median(list), "%v", before)
		require.Equal(t, before, list)
	}
}
