package patterns

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func shuffled(n int, seed, number uint64) []int32 {
	order := make([]int32, n)
	shuffle(order, seed, number)
	return order
}

func TestShuffleIsPermutation(t *testing.T) {
	for _, n := range sizes {
		order := shuffled(n, 1, 1)
		slices.Sort(order)
		for i, v := range order {
			require.EqualValues(t, i, v)
		}
	}
}

// TestShuffleGolden checks that old seeds keep their meaning. The values come from an independent program in Python.
func TestShuffleGolden(t *testing.T) {
	require.Equal(t, []int32{7, 4, 9, 3, 8, 6, 5, 1, 0, 2}, shuffled(10, 1, 1))
	require.Equal(t, []int32{5, 9, 2, 7, 1, 0, 3, 6, 4, 8}, shuffled(10, 1, 2))
	require.Equal(t, []int32{4, 3, 6, 8, 7, 0, 5, 1, 2, 9}, shuffled(10, 2, 1))
}

func TestShuffleForgets(t *testing.T) {
	order := shuffled(20, 2, 2)
	shuffle(order, 1, 1)
	require.Equal(t, shuffled(20, 1, 1), order, "independent of the slice's old contents")
}

func TestShuffleIsUniform(t *testing.T) {
	const runs = 60_000
	count := map[[3]int32]int{}
	for seed := range uint64(runs) {
		count[[3]int32(shuffled(3, seed, 1))]++
	}
	require.Len(t, count, 6)
	for order, n := range count {
		require.InDelta(t, runs/6, n, 500, "%v", order) // 5.5 standard deviations
	}
}

func TestBelow(t *testing.T) {
	source := rand.NewPCG(1, 1)
	for range 100 {
		require.Zero(t, below(source, 1))
		require.Less(t, below(source, 1<<63+1), uint64(1<<63+1)) // every other draw is rejected
	}
}

func TestRandomRing(t *testing.T) {
	const processes = 9
	for i, p := range bEff(t, processes, 7)[6:36] {
		order := shuffled(processes, 7, uint64(i+1))
		for k, rank := range order {
			left, right := int(order[(k+8)%9]), int(order[(k+1)%9])
			require.Equal(t, []Exchange{{left, right}, {right, left}}, p.Exchanges(int(rank)), p.Name)
		}
	}
	require.Equal(t, "random-01", bEff(t, processes, 7)[6].Name)
	require.Equal(t, "random-30", bEff(t, processes, 7)[35].Name)
	require.Equal(t, []Exchange{{1, 1}}, named(t, 2, "random-01").Exchanges(0), "no second exchange")
}
