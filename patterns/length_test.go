package patterns

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLmax(t *testing.T) {
	for memory, want := range map[int64]int64{
		512<<10 - 1:  4095,
		512 << 10:    4096,
		1024 << 20:   8 << 20,
		16<<30 - 128: 128<<20 - 1,
		16 << 30:     128 << 20,
		16<<30 + 128: 128 << 20,
		1 << 62:      128 << 20,
	} {
		require.Equal(t, want, Lmax(memory), "%d", memory)
	}
}

func TestLengths(t *testing.T) {
	fixed := []int64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096}
	for lmax, want := range map[int64][]int64{
		8 << 20: {10624, 27554, 71468, 185364, 480774, 1246974, 3234251, 8388608}, // 1024 MB per process
		1 << 20: {8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576},
		4096:    {4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096},
		4097:    {4096, 4096, 4096, 4096, 4097, 4097, 4097, 4097},
	} {
		require.Equal(t, slices.Concat(fixed, want), Lengths(lmax))
	}
	require.Nil(t, Lengths(4095))
}

func TestLengthsGrow(t *testing.T) {
	for _, lmax := range []int64{4096, 4097, 5000, 1<<20 - 1, 3 << 20, longestMessage - 1, longestMessage} {
		lengths := Lengths(lmax)
		require.Len(t, lengths, 21)
		require.True(t, slices.IsSorted(lengths))
		require.Equal(t, lmax, lengths[20], "exact")
	}
}
