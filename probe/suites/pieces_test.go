package suites

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
)

// Pieces of 0, 1, n-1, n and n+1 bytes follow each other, and add up to the message.
func TestPieces(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8} {
		for _, bytes := range []int64{0, 1, int64(n) - 1, int64(n), int64(n) + 1, 1000} {
			end := int64(0)
			for i := range n {
				start, length := piece(bytes, n, i)
				require.Equal(t, end, start)
				end += length
				if i > 0 {
					require.Equal(t, bytes/int64(n), length)
				}
			}
			require.Equal(t, bytes, end, "%d pieces", n)
		}
	}
}

// The variants' calls match, and their data arrive.
func TestVariants(t *testing.T) {
	for name, sizes := range map[string][]int{"PingPong_rsend": {2}, "Relayed": {3, 4, 7}, "Fragments": {2},
		"Fragments_threads": {2}} {
		k, _, ok := Find(kernel.MPIB, name)
		require.True(t, ok)
		for _, size := range sizes {
			for _, bytes := range []int64{0, 1, 5, 100} {
				w := runAlgorithm(t, k, size, 0, bytes, nil)
				require.GreaterOrEqual(t, w.moved, bytes)
			}
		}
	}
	k, _, _ := Find(kernel.MPIB, "Relayed")
	w := runAlgorithm(t, k, 4, 0, 10, nil) // 4 bytes directly, 3 twice by way of another process
	require.Equal(t, int64(4+2*(3+3)), w.moved)
	require.True(t, w.ranks[3].step.Silent)
	require.False(t, w.ranks[1].step.Silent)
}
