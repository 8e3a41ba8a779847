package method_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/method"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// Files have no warm-up (guide: "Warm-Up Phase (IMB-MPI1, IMB-EXT, IMB-NBC, and IMB-RMA)").
func TestNoWarmUpOfFiles(t *testing.T) {
	for _, k := range suites.Kernels() {
		switch k.Component {
		case kernel.OSU: // see TestOSU
		case kernel.IO:
			require.Zero(t, suites.Way(&settings.Settings{}, k).WarmUp(1, 1000), k.Name)
		default:
			require.EqualValues(t, 100, suites.Way(&settings.Settings{}, k).WarmUp(1, 1000), k.Name)
		}
	}
}

// Timed and untimed repetitions depend on the class of OSU's test and on the length (osu.md of the benchmarks 7.4).
func TestOSU(t *testing.T) {
	for name, want := range map[string][4]int64{ // up to 8 KiB, and beyond
		"osu_latency": {10000, 100, 1000, 10}, "osu_multi_lat": {10000, 100, 1000, 10},
		"osu_put_latency": {10000, 100, 1000, 10}, "osu_cas_latency": {10000, 100, 1000, 10},
		"osu_bw": {100, 10, 20, 2}, "osu_put_bw": {100, 10, 20, 2}, "osu_mbw_mr": {100, 10, 100, 10},
		"osu_allreduce": {1000, 100, 100, 10}, "osu_ibcast": {1000, 100, 100, 10},
		"osu_barrier": {1000, 100, 1000, 100},
	} {
		k, _, found := suites.Find(kernel.OSU, name)
		require.True(t, found, name)
		w := suites.Way(&settings.Settings{}, k)
		got := [4]int64{w.MaxRepetitions(nil, 8192), w.WarmUp(8192, 0), w.MaxRepetitions(nil, 8193), w.WarmUp(8193, 0)}
		require.Equal(t, want, got, name)
	}
	warm := int64(3)
	k, _, _ := suites.Find(kernel.OSU, "osu_bw")
	w := suites.Way(&settings.Settings{Repetitions: settings.Repetitions{Max: 7, WarmUp: &warm}}, k)
	require.EqualValues(t, 7, w.MaxRepetitions(nil, 1<<20))
	require.EqualValues(t, 3, w.WarmUp(1<<20, 0))
	require.Equal(t, 64, w.Window())
}

// One repetition is enough to estimate the time if it takes a second or more.
func TestTrial(t *testing.T) {
	k, _, _ := suites.Find(kernel.MPI1, "Sendrecv")
	require.EqualValues(t, 1, method.Trial(k, 100, 1))
	require.EqualValues(t, 1, method.Trial(k, 100, 60))
}

// The numbers of repetitions follow the guide's formula and IMB's hyperbola. Lengths of less than an element count as
// one: of 1000·4 / (2·4 + 4) = 333, 332 are a multiple of 2.
func TestSelected(t *testing.T) {
	k, _, _ := suites.Find("", "Bcast")
	b := &measured.Block{Processes: 8}
	for _, c := range []struct {
		policy settings.Policy
		bytes  int64
		want   int64
	}{
		{settings.Dynamic, 0, 1000}, {settings.Dynamic, 1 << 15, 1000}, {settings.Dynamic, 1 << 16, 640},
		{settings.Dynamic, 1 << 22, 10},
		{settings.Off, 1 << 22, 1000},
		{settings.MultipleNP, 0, 1000}, {settings.MultipleNP, 1 << 22, 104}, {settings.Auto, 1 << 22, 104},
	} {
		s := &settings.Settings{Repetitions: settings.Repetitions{Policy: c.policy}}
		require.Equal(t, c.want, suites.Way(s, k).MaxRepetitions(b, c.bytes), "%s, %d bytes", c.policy, c.bytes)
	}
	maxOf := func(s *settings.Settings, k *kernel.Kernel, mode settings.Mode, processes int, bytes int64) int64 {
		return suites.Way(s, k).MaxRepetitions(&measured.Block{Mode: mode, Processes: processes}, bytes)
	}
	s := &settings.Settings{}
	barrier, _, _ := suites.Find("", "Barrier")
	multiple := &settings.Settings{Repetitions: settings.Repetitions{Policy: settings.MultipleNP}}
	require.EqualValues(t, 332, maxOf(multiple, barrier, settings.Plain, 2, 0))
	require.EqualValues(t, 249, maxOf(multiple, barrier, settings.Plain, 3, 0))
	put, _, _ := suites.Find(kernel.EXT, "Unidir_Put")
	require.EqualValues(t, 100, maxOf(s, put, settings.NonAggregate, 2, 4))
	require.EqualValues(t, 1000, maxOf(s, put, settings.Aggregate, 2, 4))
	write, _, _ := suites.Find("", "S_Write_Indv")
	require.EqualValues(t, 16, maxOf(s, write, settings.Aggregate, 1, 1<<20))
}

// -iter below the repetitions of non-aggregate mode limits them, too, as IMB 2021.11 has it; by the guide it doesn't.
func TestIterNonAggregate(t *testing.T) {
	k, _, _ := suites.Find(kernel.EXT, "Unidir_Put")
	b := &measured.Block{Processes: 2, Mode: settings.NonAggregate}
	for name, want := range map[settings.MethodName]int64{settings.ByIMB2021: 20, settings.ByGuide: 100} {
		s := &settings.Settings{Repetitions: settings.Repetitions{Max: 20}, IMB: settings.IMB{Method: name}}
		require.EqualValues(t, want, suites.Way(s, k).MaxRepetitions(b, 4), name)
	}
	s := &settings.Settings{Repetitions: settings.Repetitions{Max: 20, MaxNonAggr: 7},
		IMB: settings.IMB{Method: settings.ByIMB2021}}
	require.EqualValues(t, 7, suites.Way(s, k).MaxRepetitions(b, 4))
}
