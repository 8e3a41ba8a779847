package suites

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/mutants"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// FuzzLayOut checks that with settings that pass their check, no row of any kernel has areas whose size overflows, on
// up to 2^20 processes. For guidelines and trees it is 2^14 processes, because they have lists with a place for each.
// The input is the sizes of a cache and of its line, repetitions, bytes, and processes. A mutated input checks every
// eighth kernel on few processes.
func FuzzLayOut(f *testing.F) {
	all := Kernels()
	var seeds []string
	for _, numbers := range [][]any{{4096 << 50, 64, 1000, 4, 2},
		{1 << 40, 1 << 40, math.MaxInt32, 1 << settings.LongestLog, 1 << 20}, {1 << 40, 1, math.MaxInt32, 1, 1},
		{0, 0, 1, 1 << settings.LongestLog, 1 << 10}} {
		seeds = append(seeds, fmt.Sprintln(numbers...))
		f.Add(seeds[len(seeds)-1])
	}
	mutants.Fuzz(f, func(t *testing.T, text string) {
		var cache, line, repetitions, bytes int64
		var processes int
		if _, err := fmt.Sscan(text, &cache, &line, &repetitions, &bytes, &processes); err != nil {
			return
		}
		s := settings.Settings{Memory: settings.Memory{CacheSize: cache, CacheLine: line},
			Repetitions: settings.Repetitions{Max: repetitions}, Rows: settings.Rows{Lengths: []int64{bytes}}}
		if s.Check() != nil || repetitions < 1 || processes < 1 || processes > 1<<20 {
			return
		}
		step, first := 8, int(crc32.ChecksumIEEE([]byte(text))%8)
		if slices.Contains(seeds, text) {
			step, first = 1, 0
		} else {
			processes = 1 + processes%64
		}
		for i := first; i < len(all); i += step {
			k, ranks := all[i], processes
			if k.Class == kernel.CallAndMockUp || k.Component == kernel.MPIB {
				ranks = min(ranks, 1<<14)
			}
			x := &kernel.Setup{Kernel: k, Mode: slices.Concat(k.Modes, []settings.Mode{settings.Plain})[0],
				Bytes: bytes,
				Ranks: ranks}
			x.Options.One = s.Transfers()
			x.LayOut(s.Memory.CacheSize, cmp.Or(s.Memory.CacheLine, settings.Default.CacheLine), repetitions)
			for _, a := range []*kernel.Area{&x.Send, &x.Recv} {
				require.GreaterOrEqual(t, a.Length, int64(0), k.Name)
				require.GreaterOrEqual(t, a.Stride, a.Length, k.Name)
				require.Positive(t, a.Slots, k.Name)
				require.LessOrEqual(t, a.Stride, (math.MaxInt64-kernel.MinArea)/a.Slots, k.Name)
			}
			require.Positive(t, x.Memory(), k.Name)
		}
	})
}
