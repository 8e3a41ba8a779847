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
	s := &Settings{Today: kernel.Today{OnlyMode: kernel.NonAggregate, NoZero: true, DataType: "double"}}
	put, _, _ := suites.FindIn(kernel.RMA, "Unidir_put")
	require.Equal(t, []kernel.Mode{kernel.NonAggregate}, modes(s, put))
	all, _, _ := suites.FindIn(kernel.RMA, "All_put_all")
	require.Equal(t, []kernel.Mode{kernel.Plain}, modes(s, all))
	bcast, _, _ := suites.Find("Bcast")
	require.Equal(t, []int64{8, 16, 32}, lengths(s, bcast)[:3])
	s.Lengths = []int64{0, 3, 17}
	require.Equal(t, []int64{8, 24}, lengths(s, bcast))
	require.Equal(t, mpi.Float64, bcast.Kind(&s.Today))
	reduce, _, _ := suites.Find("Reduce")
	require.Equal(t, mpi.Float32, reduce.Kind(&s.Today))
	require.Equal(t, mpi.Byte, put.Kind(&s.Today))
}

// A map may leave processes out, which keep their ranks, as in today's IMB.
func TestSmallerMap(t *testing.T) {
	p := &Plan{Processes: 7, Config: Config{Settings: Settings{Map: []int{2, 3},
		Today: kernel.Today{Method: kernel.ByToday}}}}
	require.NoError(t, checkFor(&p.Settings, 7))
	require.Equal(t, []int{0, 2, 4, 1, 3, 5, 6}, p.order())
	p.Settings.Method = kernel.ByGuide
	require.Error(t, checkFor(&p.Settings, 7))
}

func TestWrongToday(t *testing.T) {
	for _, s := range []kernel.Today{{OnlyMode: "both"}, {DataType: "char"}, {RedType: "byte"},
		{Pause: -1}} {
		require.Error(t, (&Settings{Today: s}).Check())
	}
	require.ErrorContains(t, checkFor(&Settings{Today: kernel.Today{Method: "imb"}}, 2), "unknown method")
}
