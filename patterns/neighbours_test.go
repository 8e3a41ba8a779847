package patterns

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Neighbours are mutual, and none is listed twice.
func TestBoxNeighbours(t *testing.T) {
	require.Equal(t, []int{3, 1}, BoxNeighbours([]int{4}, 1, 0))
	require.Equal(t, []int{8, 6, 7, 2, 1, 5, 3, 4}, BoxNeighbours([]int{3, 3}, 1, 0))
	for _, sides := range [][]int{{2}, {1}, {2, 2}, {5}, {4, 3}, {5, 5}, {3, 3, 3}} {
		n := 1
		for _, side := range sides {
			n *= side
		}
		for rank := range n {
			list := BoxNeighbours(sides, 1, rank)
			for _, other := range list {
				require.Contains(t, BoxNeighbours(sides, 1, other), rank)
			}
			sorted := slices.Compact(slices.Sorted(slices.Values(list)))
			require.Len(t, sorted, len(list))
			require.NotContains(t, list, rank)
		}
	}
}

// Neighbours of a grid are mutual, on opposite sides, and a process is no neighbour of itself.
func TestStarNeighbours(t *testing.T) {
	require.Equal(t, []int{2, 1}, StarNeighbours([]int{3}, 0))
	require.Equal(t, []int{None, 1}, StarNeighbours([]int{2}, 0))
	require.Equal(t, []int{0, None, None, None}, StarNeighbours([]int{2, 1}, 1))
	require.Equal(t, []int{2, 8, 4, 3}, StarNeighbours([]int{3, 3}, 5))
	for _, sides := range [][]int{{1}, {2, 2}, {5}, {4, 3}, {3, 3, 2}, {2, 1, 1}} {
		n := 1
		for _, side := range sides {
			n *= side
		}
		for rank := range n {
			list := StarNeighbours(sides, rank)
			require.Len(t, list, 2*len(sides))
			for i, other := range list {
				require.NotEqual(t, rank, other)
				if other != None {
					require.Equal(t, rank, StarNeighbours(sides, other)[i^1], "%v: %d of %d", sides, i, rank)
				}
			}
		}
	}
}

// The lists of senders and receivers agree.
func TestRandomNeighbours(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7} {
		for rank := range n {
			from, to := RandomNeighbours(n, 4, rank)
			require.Len(t, to, min(4, n-1))
			require.NotContains(t, to, rank)
			for _, other := range to {
				back, _ := RandomNeighbours(n, 4, other)
				require.Contains(t, back, rank)
			}
			for _, other := range from {
				_, there := RandomNeighbours(n, 4, other)
				require.Contains(t, there, rank)
			}
		}
	}
}
