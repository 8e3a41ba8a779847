package suites

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// No program is longer for more repetitions, because places advance by themselves. Programs with drawn partners hold a
// limited number of them.
func TestProgramsDontGrow(t *testing.T) {
	for _, k := range Kernels() {
		for _, mode := range k.ModesFor(&settings.Settings{}) {
			for rank := range k.MinProcesses {
				sizes := map[[3]int]bool{}
				fewest := int64(2)
				if k.Builder.Processes.Drawn {
					fewest = 250
				}
				for _, repetitions := range []int64{fewest, 20_000_000} {
					s := setupOf(t, k.Component, k.Name, mode, rank, k.MinProcesses, 8, repetitions)
					p := s.Program(k.Builder.Build(s))
					sizes[[3]int{len(p.Places), len(p.Loop), len(p.After)}] = true
				}
				require.Len(t, sizes, 1, "%s %s %s: %v", k.Component, k.Name, mode, sizes)
			}
		}
	}
}

// To identify the writer of a part of a file, take compares it with only one process's data.
func TestWriters(t *testing.T) {
	const processes, times = 3000, 3
	part := func(rank int) int64 { _, n := portion(10*processes-2, kernel.FileUnit, rank, processes); return n }
	fills := 0
	of := func(rank int) kernel.Filler {
		fills++
		return kernel.Pattern(rank)
	}
	w := newWriters(processes, times, part, of)
	var order []int
	for range times {
		order = append(order, rand.Perm(processes)...)
	}
	var file []byte
	for _, rank := range order {
		own := make([]byte, part(rank))
		kernel.Pattern(rank)(own, 0)
		file = append(file, own...)
	}
	first := slices.Clone(file)
	for _, rank := range order {
		n, ok := w.take(file[:min(len(file), 12)])
		require.True(t, ok)
		require.Equal(t, part(rank), n)
		file = file[n:]
	}
	require.Empty(t, file)
	require.LessOrEqual(t, fills, (times+1)*processes)
	_, ok := w.take(first[:12])
	require.False(t, ok, "a fourth time")
	_, ok = newWriters(processes, times, part, of).take(make([]byte, 12))
	require.False(t, ok, "nobody's")
}

// A view's data are written tile by tile.
func TestThroughView(t *testing.T) {
	const tile, row = 100, 300
	asked := 0
	view := func(offset int64) (position, length int64) {
		asked++
		return offset/tile*row + tile + offset%tile, tile - offset%tile
	}
	written := make([]byte, 1000)
	throughView(kernel.Pattern(kernel.FileOwner), view)(written, 30)
	require.Equal(t, 11, asked)
	for i := range written {
		var right [1]byte
		at := int64(30 + i)
		kernel.Pattern(kernel.FileOwner)(right[:], at/tile*row+tile+at%tile)
		require.Equal(t, right[0], written[i], "byte %d", i)
	}
}

// TestOverlapBytes checks the number of bytes where parts overlap.
func TestOverlapBytes(t *testing.T) {
	require.Zero(t, overlapBytes(nil))
	require.Zero(t, overlapBytes([]readPart{{5, 5}, {0, 5}, {7, 0}, {10, 3}}))
	require.EqualValues(t, 5, overlapBytes([]readPart{{5, 5}, {5, 5}}))
	require.EqualValues(t, 3+2, overlapBytes([]readPart{{0, 10}, {2, 3}, {8, 4}}))
}

// A kernel without a builder is detected at once.
func TestNoBuilder(t *testing.T) {
	require.PanicsWithValue(t, "kernel: no builder for Forgotten of RMA",
		func() { kernel.Table(kernel.RMA, []kernel.Kernel{{Name: "Forgotten"}}, nil) })
}
