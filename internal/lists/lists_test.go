package lists

import (
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLists compares the functions with the loops that they replace, also for empty lists.
func TestLists(t *testing.T) {
	list := []int{3, 1, 2}
	double := func(x int) float64 { return 2 * float64(x) }
	odd := func(x int) bool { return x%2 == 1 }
	require.Equal(t, []float64{6, 2, 4}, Each(list, double))
	require.Nil(t, Each([]int{}, double))
	require.Equal(t, []int{0, 10, 20}, Of(3, func(i int) int { return 10 * i }))
	require.Equal(t, []int{0, 1, 2}, Numbers(3))
	require.Equal(t, []int{3, 1}, Where(list, odd))
	require.Nil(t, Where([]int{2}, odd))
	require.Equal(t, []int{3, 1}, Filled([]int{0, 3, 0, 1}))
	require.Nil(t, Filled([]string{""}))
	require.Equal(t, []int{3, 6, 1, 2, 2, 4}, Flat(list, func(x int) []int { return []int{x, 2 * x} }))
	require.Nil(t, Flat(list, func(int) []int { return nil }))
	require.Equal(t, 2, Count(list, odd))
	require.Equal(t, 2, First(list, func(x int) bool { return !odd(x) }))
	require.Zero(t, First(list, func(x int) bool { return x > 3 }))
	var tried []int
	try := func(fails int) error {
		tried = nil
		return Try(list, func(x int) error {
			tried = append(tried, x)
			return map[int]error{fails: io.EOF}[x]
		})
	}
	require.ErrorIs(t, try(1), io.EOF)
	require.Equal(t, []int{3, 1}, tried)
	require.NoError(t, try(7))
	require.Equal(t, list, tried)
	require.Equal(t, []int{3, 1, 2}, Unique([]int{3, 1, 3, 2, 1}))
	require.Nil(t, Unique([]int{}))
	require.Equal(t, 6, Sum(list))
	require.Equal(t, 12., SumOf(list, double))
	require.Equal(t, 6., Max(list, double))
	require.Zero(t, Max([]int{1}, func(int) int { return -1 }))
	require.Same(t, &list[1], Find(list, func(x *int) bool { return *x < 3 }))
	require.Nil(t, Find(list, func(x *int) bool { return *x > 3 }))
	addresses := slices.Collect(Elements(list))
	require.Len(t, addresses, 3)
	*addresses[2] = 7
	require.Equal(t, 7, list[2])
}
