package suites

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// FuzzLayOut checks that with settings that pass their check, no row of any kernel has areas whose size overflows, up
// to 2^20 processes.
func FuzzLayOut(f *testing.F) {
	f.Add(int64(4096<<50), int64(64), int64(1000), int64(4), 2)
	f.Add(int64(1<<40), int64(1<<40), int64(math.MaxInt32),
		int64(1<<settings.LongestLog), 1<<20)
	f.Add(int64(1<<40), int64(1), int64(math.MaxInt32), int64(1), 1)
	f.Add(int64(0), int64(0), int64(1), int64(1<<settings.LongestLog), 1<<10)
	f.Fuzz(func(t *testing.T, cache, line, repetitions, bytes int64, processes int) {
		s := settings.Settings{Memory: settings.Memory{CacheSize: cache, CacheLine: line},
			Repetitions: settings.Repetitions{Most: repetitions}, Rows: settings.Rows{Lengths: []int64{bytes}}}
		if s.Check() != nil || repetitions < 1 || processes < 1 || processes > 1<<20 {
			return
		}
		for _, k := range Kernels() {
			x := &kernel.Scene{Kernel: k, Mode: slices.Concat(k.Modes, []settings.Mode{settings.Plain})[0],
				Bytes: bytes,
				Ranks: processes}
			x.Options.One = s.Transfers()
			x.LayOut(s.Memory.CacheSize, cmp.Or(s.Memory.CacheLine, settings.Default.CacheLine), repetitions)
			for _, a := range []*kernel.Area{&x.Send, &x.Recv} {
				require.GreaterOrEqual(t, a.Length, int64(0), k.Name)
				require.GreaterOrEqual(t, a.Stride, a.Length, k.Name)
				require.Positive(t, a.Slots, k.Name)
				require.LessOrEqual(t, a.Stride, (math.MaxInt64-kernel.LeastArea)/a.Slots, k.Name)
			}
			require.Positive(t, x.Memory(), k.Name)
		}
	})
}
