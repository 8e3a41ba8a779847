package probe

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// At its limit each setting is accepted, and nothing overflows. One more is refused.
func TestSettingsAtTheirLimits(t *testing.T) {
	multi, no := 1, 2
	for name, x := range map[string]struct{ largest, tooLarge Settings }{
		"MsgsPer":     {Settings{MsgsPer: math.MaxInt32}, Settings{MsgsPer: 1 << 31}},
		"MsgsNonAggr": {Settings{MsgsNonAggr: math.MaxInt32}, Settings{MsgsNonAggr: 1 << 31}},
		"OverallVol":  {Settings{OverallVol: math.MaxInt32 << 20}, Settings{OverallVol: 1 << 51}},
		"SampleTime":  {Settings{SampleTime: kernel.LongestTime}, Settings{SampleTime: math.Inf(1)}},
		"no time":     {Settings{}, Settings{SampleTime: math.NaN()}},
		"Memory":      {Settings{Memory: kernel.MostMemory}, Settings{Memory: kernel.MostMemory + 1}},
		"LeastProcs":  {Settings{LeastProcs: math.MaxInt32}, Settings{LeastProcs: 1 << 31}},
		"CacheSize":   {Settings{CacheSize: LargestCache}, Settings{CacheSize: 1 << 62}},
		"CacheLine":   {Settings{CacheLine: LargestCache}, Settings{CacheLine: LargestCache + 1}},
		"Multi":       {Settings{Multi: &multi}, Settings{Multi: &no}},
		"Map":         {Settings{Map: []int{1, math.MaxInt32}}, Settings{Map: []int{math.MaxInt64, 2}}},
		"Map's Q":     {Settings{Map: []int{math.MaxInt32, 1}}, Settings{Map: []int{2, math.MaxInt64}}},
		"length": {Settings{Lengths: []int64{kernel.LongestLength}},
			Settings{Lengths: []int64{kernel.LongestLength + 1}}},
		"lengths": {Settings{Lengths: make([]int64, MostLengths)}, Settings{Lengths: make([]int64, MostLengths+1)}},
	} {
		require.NoError(t, x.largest.Check(), name)
		require.Error(t, x.tooLarge.Check(), name)
	}
	for _, s := range []Settings{{MsgsPer: -1}, {Memory: -1}, {CacheSize: -1}, {CacheLine: -1}, {LeastProcs: -1},
		{SampleTime: -1}, {Lengths: []int64{-1}}, {Map: []int{0, 1}}, {Map: []int{1}}, {Policy: "never"}} {
		require.Error(t, s.Check(), "%+v", s)
	}
}

// FuzzLayOut checks that with settings that pass their check, no row of any kernel has areas whose size overflows, up
// to 2^20 processes.
func FuzzLayOut(f *testing.F) {
	f.Add(int64(4096<<50), int64(64), int64(1000), int64(4), 2)
	f.Add(int64(LargestCache), int64(LargestCache), int64(math.MaxInt32), int64(kernel.LongestLength), 1<<20)
	f.Add(int64(LargestCache), int64(1), int64(math.MaxInt32), int64(1), 1)
	f.Add(int64(0), int64(0), int64(1), int64(kernel.LongestLength), 1<<20)
	f.Fuzz(func(t *testing.T, cache, line, repetitions, bytes int64, processes int) {
		s := Settings{CacheSize: cache, CacheLine: line, MsgsPer: repetitions, Lengths: []int64{bytes}}
		if s.Check() != nil || repetitions < 1 || processes < 1 || processes > 1<<20 {
			return
		}
		for i := range suites.Kernels {
			k := &suites.Kernels[i]
			x := &kernel.Scene{Kernel: k, Mode: slices.Concat(k.Modes, []kernel.Mode{kernel.Plain})[0], Bytes: bytes,
				Ranks: processes}
			x.One = s.oneSided()
			x.LayOut(s.CacheSize, cmp.Or(s.CacheLine, DefaultCacheLine), repetitions)
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
