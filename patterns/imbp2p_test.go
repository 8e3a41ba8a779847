package patterns

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGrid has the grids that IMB-P2P 2021.11 prints, and numbers of processes without a grid.
func TestGrid(t *testing.T) {
	for processes, want := range map[int][2][]int{
		1: {}, 2: {}, 3: {}, 5: {}, 7: {}, 13: {},
		4: {{2, 2}, nil}, 6: {{2, 3}, nil}, 8: {{4, 2}, {2, 2, 2}}, 9: {{3, 3}, nil}, 10: {{5, 2}, nil},
		12: {{3, 4}, {2, 3, 2}}, 16: {{4, 4}, {4, 2, 2}}, 20: {{4, 5}, {5, 2, 2}}, 24: {{6, 4}, {3, 4, 2}},
		27: {{9, 3}, {3, 3, 3}}, 30: {{5, 6}, {5, 3, 2}}, 32: {{8, 4}, {4, 4, 2}}, 64: {{8, 8}, {4, 4, 4}},
	} {
		require.Equal(t, want[0], Grid(processes, 2), "%d, two dimensions", processes)
		require.Equal(t, want[1], Grid(processes, 3), "%d, three dimensions", processes)
	}
}

func TestStencil(t *testing.T) {
	require.Equal(t, []int{1, 1, 2, 2}, Stencil([]int{2, 2}, 0))
	require.Equal(t, []int{3, 5, 1, 7}, Stencil([]int{3, 3}, 4))
	require.Equal(t, []int{2, 1, 6, 3}, Stencil([]int{3, 3}, 0))
	require.Equal(t, []int{7, 7, 4, 4, 2, 2}, Stencil([]int{2, 2, 2}, 6))
}

// A rank is listed by its neighbours as often as it lists them.
func TestStencilIsMutual(t *testing.T) {
	for _, sides := range [][]int{{2, 2}, {5, 2}, {4, 3}, {3, 2, 2}, {4, 3, 3}} {
		processes := 1
		for _, side := range sides {
			processes *= side
		}
		counts := map[[2]int]int{}
		for rank := range processes {
			for _, to := range Stencil(sides, rank) {
				require.NotEqual(t, rank, to)
				counts[[2]int{rank, to}]++
			}
		}
		for pair, n := range counts {
			require.Equal(t, n, counts[[2]int{pair[1], pair[0]}])
		}
	}
}

// The first pairs agree with IMB-P2P 2021.11, the processes of a pair differ, and all processes are in about as many
// pairs.
func TestRandomPairs(t *testing.T) {
	var first [][2]int
	for from, to := range RandomPairs(4, 6) {
		first = append(first, [2]int{from, to})
	}
	require.Equal(t, [][2]int{{1, 3}, {2, 3}, {2, 3}, {3, 0}, {0, 1}, {3, 0}}, first)
	count := make([]int, 5)
	for from, to := range RandomPairs(5, 5000) {
		require.NotEqual(t, from, to)
		count[from]++
		count[to]++
	}
	for _, n := range count {
		require.InDelta(t, 2000, n, 200)
	}
}

func TestRandomRings(t *testing.T) {
	n := 0
	for ring := range RandomRings(7, 100) {
		sorted := slices.Clone(ring)
		slices.Sort(sorted)
		require.Equal(t, []int{0, 1, 2, 3, 4, 5, 6}, sorted)
		n++
	}
	require.Equal(t, 100, n)
}
