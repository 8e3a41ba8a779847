package patterns

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDetailNames(t *testing.T) {
	two := []string{"worst-cycle", "bisection-best", "bisection-worst", "ping-pong",
		"cart2d-acyclic", "cart2d-cyclic-dim0", "cart2d-cyclic-all",
		"cart3d-acyclic", "cart3d-cyclic-dim0", "cart3d-cyclic-all"}
	eight := []string{"worst-cycle", "bisection-best", "bisection-worst", "ping-pong",
		"cart2d-acyclic", "cart2d-cyclic-dim0", "cart2d-cyclic-dim1", "cart2d-cyclic-all",
		"cart3d-acyclic", "cart3d-cyclic-dim0", "cart3d-cyclic-dim1", "cart3d-cyclic-dim2", "cart3d-cyclic-all"}
	for processes, want := range map[int][]string{2: two, 3: two, 8: eight, 100: eight} {
		var names []string
		for _, p := range bEff(t, processes, 1)[36:] {
			names = append(names, p.Name)
		}
		require.Equal(t, want, names)
	}
}

func TestWorstCycle(t *testing.T) {
	for processes, want := range map[int][]int{
		2: {0, 1},
		3: {0, 2, 1},
		6: {0, 5, 1, 4, 2, 3},
		7: {0, 6, 1, 5, 2, 4, 3},
	} {
		p := named(t, processes, "worst-cycle")
		var order []int
		for rank, k := 0, 0; k < processes; k++ {
			order = append(order, rank)
			rank = right(p.Exchanges(rank))
		}
		require.Equal(t, want, order)
	}
}

func TestBisections(t *testing.T) {
	lower := func(other int) []Exchange { return []Exchange{{other, None}, {None, other}} }
	upper := func(other int) []Exchange { return []Exchange{{None, other}, {other, None}} }
	best, worst := named(t, 7, "bisection-best"), named(t, 7, "bisection-worst")
	for rank := range 6 {
		want := [][]Exchange{lower(1), upper(0), lower(3), upper(2), lower(5), upper(4)}
		require.Equal(t, want[rank], best.Exchanges(rank))
		want = [][]Exchange{lower(5), lower(4), lower(3), upper(2), upper(1), upper(0)}
		require.Equal(t, want[rank], worst.Exchanges(rank))
	}
	require.Nil(t, best.Exchanges(6), "the process without a partner")
	require.Equal(t, 6, best.Processes)

	pair := named(t, 7, "ping-pong")
	require.Equal(t, lower(1), pair.Exchanges(0))
	require.Equal(t, upper(0), pair.Exchanges(1))
	require.Nil(t, pair.Exchanges(2))
	require.EqualValues(t, 2, pair.Messages)
}
