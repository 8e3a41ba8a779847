package patterns

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDims(t *testing.T) {
	for _, c := range []struct {
		n, ndims int
		want     []int
	}{
		{6, 2, []int{3, 2}}, // the standard's examples
		{7, 2, []int{7, 1}},
		{6, 3, []int{3, 2, 1}},
		{1, 1, []int{1}},
		{1, 3, []int{1, 1, 1}},
		{16, 2, []int{4, 4}},
		{16, 3, []int{4, 2, 2}},
		{36, 3, []int{4, 3, 3}},
		{108, 3, []int{6, 6, 3}},
		{1024, 3, []int{16, 8, 8}},
		{65536, 4, []int{16, 16, 16, 16}},
		{1_000_000, 2, []int{1000, 1000}},
		{1_000_000, 3, []int{100, 100, 100}},
		{999_983, 3, []int{999_983, 1, 1}}, // prime
		{0, 2, nil},
		{-4, 2, nil},
		{4, 0, nil},
	} {
		require.Equal(t, c.want, Dims(c.n, c.ndims), "%d in %d", c.n, c.ndims)
	}
}

// TestDimsContract compares Dims with all triples of factors.
func TestDimsContract(t *testing.T) {
	for n := 1; n <= 300; n++ {
		dims := Dims(n, 3)
		require.Equal(t, n, dims[0]*dims[1]*dims[2])
		require.True(t, slices.IsSortedFunc(dims, func(a, b int) int { return b - a }))
		for c := 1; c*c*c <= n; c++ {
			for b := c; b*b*c <= n; b++ {
				if a := n / b / c; a*b*c == n {
					require.LessOrEqual(t, dims[0]-dims[2], a-c, "%d: %v, better %d %d %d", n, dims, a, b, c)
				}
			}
		}
	}
}

func TestCartesianDims(t *testing.T) {
	for processes, want := range map[int][2][]int{
		2:   {{2, 1}, {2, 1, 1}},
		3:   {{3, 1}, {3, 1, 1}},
		4:   {{2, 2}, {2, 2, 1}},
		5:   {{2, 2}, {2, 2, 1}},
		6:   {{3, 2}, {3, 2, 1}},
		7:   {{3, 2}, {3, 2, 1}},
		8:   {{4, 2}, {2, 2, 2}},
		9:   {{3, 3}, {2, 2, 2}},
		11:  {{5, 2}, {2, 2, 2}},
		13:  {{4, 3}, {3, 2, 2}},
		97:  {{12, 8}, {6, 4, 4}},
		128: {{16, 8}, {8, 4, 4}},
	} {
		require.Equal(t, want[0], cartesianDims(processes, 2), "%d", processes)
		require.Equal(t, want[1], cartesianDims(processes, 3), "%d", processes)
	}
}

func TestCartesianExchanges(t *testing.T) {
	// 3x2, row-major: 0 1 / 2 3 / 4 5
	for name, want := range map[string]struct {
		messages int64
		rank2    []Exchange
		rank5    []Exchange
	}{
		"cart2d-acyclic": {14, []Exchange{{0, 4}, {4, 0}, {None, 3}, {3, None}},
			[]Exchange{{3, None}, {None, 3}, {4, None}, {None, 4}}},
		"cart2d-cyclic-dim0": {12, []Exchange{{0, 4}, {4, 0}}, []Exchange{{3, 1}, {1, 3}}},
		"cart2d-cyclic-dim1": {6, []Exchange{{3, 3}}, []Exchange{{4, 4}}},
		"cart2d-cyclic-all":  {18, []Exchange{{0, 4}, {4, 0}, {3, 3}}, []Exchange{{3, 1}, {1, 3}, {4, 4}}},
	} {
		p := named(t, 6, name)
		require.Equal(t, want.messages, p.Messages, name)
		require.Equal(t, want.rank2, p.Exchanges(2), name)
		require.Equal(t, want.rank5, p.Exchanges(5), name)
	}
}
