package patterns

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Neighbours are mutual, and none is there twice.
func TestBox(t *testing.T) {
	require.Equal(t, []int{3, 1}, Box([]int{4}, 1, 0))
	require.Equal(t, []int{8, 6, 7, 2, 1, 5, 3, 4}, Box([]int{3, 3}, 1, 0))
	for _, sides := range [][]int{{2}, {1}, {2, 2}, {5}, {4, 3}, {5, 5}, {3, 3, 3}} {
		n := 1
		for _, side := range sides {
			n *= side
		}
		for rank := range n {
			list := Box(sides, 1, rank)
			for _, other := range list {
				require.Contains(t, Box(sides, 1, other), rank)
			}
			sorted := slices.Compact(slices.Sorted(slices.Values(list)))
			require.Len(t, sorted, len(list))
			require.NotContains(t, list, rank)
		}
	}
}
