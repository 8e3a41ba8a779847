package probe

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// ops returns the calls of a program's loop.
func ops(p *mpi.Program) (list []mpi.Op) {
	for _, c := range p.Loop {
		list = append(list, c.Op)
	}
	return list
}

// The only mode, no row of 0 bytes, and lengths in elements of the type that was chosen.
func TestTodaysRows(t *testing.T) {
	p := &Plan{Config: Config{Settings: Settings{Today: kernel.Today{OnlyMode: kernel.NonAggregate, NoZero: true,
		DataType: "double"}}}}
	put, _, _ := suites.FindIn(kernel.RMA, "Unidir_put")
	require.Equal(t, []kernel.Mode{kernel.NonAggregate}, p.modes(put))
	all, _, _ := suites.FindIn(kernel.RMA, "All_put_all")
	require.Equal(t, []kernel.Mode{kernel.Plain}, p.modes(all))
	bcast, _, _ := suites.Find("Bcast")
	require.Equal(t, []int64{8, 16, 32}, p.lengths(bcast)[:3])
	p.Settings.Lengths = []int64{0, 3, 17}
	require.Equal(t, []int64{8, 24}, p.lengths(bcast))
	require.Equal(t, mpi.Float64, p.Settings.Kind(bcast))
	reduce, _, _ := suites.Find("Reduce")
	require.Equal(t, mpi.Float32, p.Settings.Kind(reduce))
	require.Equal(t, mpi.Byte, p.Settings.Kind(put))
}

// A map may leave processes out, which keep their ranks, as in today's IMB.
func TestSmallerMap(t *testing.T) {
	p := &Plan{Processes: 7, Config: Config{Settings: Settings{Map: []int{2, 3},
		Today: kernel.Today{Method: kernel.ByToday}}}}
	require.NoError(t, p.Settings.checkFor(7))
	require.Equal(t, []int{0, 2, 4, 1, 3, 5, 6}, p.order())
	p.Settings.Method = kernel.ByGuide
	require.Error(t, p.Settings.checkFor(7))
}

func TestWrongToday(t *testing.T) {
	for _, s := range []kernel.Today{{Method: "imb"}, {OnlyMode: "both"}, {DataType: "char"}, {RedType: "byte"},
		{Pause: -1}} {
		require.Error(t, (&Settings{Today: s}).Check())
	}
}
