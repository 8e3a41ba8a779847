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
	for _, k := range suites.Kernels {
		if k.Component == kernel.IO {
			require.Zero(t, suites.Way(&settings.Settings{}, &k).WarmUp(1, 1000), k.Name)
		} else {
			require.EqualValues(t, 100, suites.Way(&settings.Settings{}, &k).WarmUp(1, 1000), k.Name)
		}
	}
}

// A repetition of a second and more is estimated by one.
func TestTrial(t *testing.T) {
	k, _, _ := suites.FindIn(kernel.MPI1, "Sendrecv")
	require.EqualValues(t, 1, method.Trial(k, 100, 1))
	require.EqualValues(t, 1, method.Trial(k, 100, 60))
}

// The repetitions of the guide's formula, and of IMB's hyperbola. Lengths of less than an element count as one: of
// 1000·4 / (2·4 + 4) = 333, 332 are a multiple of 2.
func TestSelected(t *testing.T) {
	k, _, _ := suites.Find("Bcast")
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
		require.Equal(t, c.want, suites.Way(&settings.Settings{Policy: c.policy}, k).Most(b, c.bytes), "%s, %d bytes",
			c.policy,
			c.bytes)
	}
	s := &settings.Settings{}
	barrier, _, _ := suites.Find("Barrier")
	multiple := &settings.Settings{Policy: settings.MultipleNP}
	require.EqualValues(t, 332, suites.Way(multiple, barrier).Most(&measured.Block{Processes: 2}, 0))
	require.EqualValues(t, 249, suites.Way(multiple, barrier).Most(&measured.Block{Processes: 3}, 0))
	put, _, _ := suites.FindIn(kernel.EXT, "Unidir_Put")
	require.EqualValues(t, 100, suites.Way(s, put).Most(&measured.Block{Mode: settings.NonAggregate, Processes: 2}, 4))
	require.EqualValues(t, 1000, suites.Way(s, put).Most(&measured.Block{Mode: settings.Aggregate, Processes: 2}, 4))
	write, _, _ := suites.Find("S_Write_Indv")
	require.EqualValues(t, 16, suites.Way(s, write).Most(&measured.Block{Mode: settings.Aggregate, Processes: 1},
		1<<20))
}

// -iter below the repetitions of non-aggregate mode limits them, too, as IMB 2021.11 has it; by the guide it doesn't.
func TestIterNonAggregate(t *testing.T) {
	k, _, _ := suites.FindIn(kernel.EXT, "Unidir_Put")
	b := &measured.Block{Processes: 2, Mode: settings.NonAggregate}
	for name, want := range map[settings.MethodName]int64{settings.ByToday: 20, settings.ByGuide: 100} {
		s := &settings.Settings{MsgsPer: 20, Today: settings.Today{Method: name}}
		require.EqualValues(t, want, suites.Way(s, k).Most(b, 4), name)
	}
	s := &settings.Settings{MsgsPer: 20, MsgsNonAggr: 7, Today: settings.Today{Method: settings.ByToday}}
	require.EqualValues(t, 7, suites.Way(s, k).Most(b, 4))
}
