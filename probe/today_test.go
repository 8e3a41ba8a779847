package probe

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// ops returns the calls of a program's loop.
func ops(p *mpi.Program) (list []mpi.Op) {
	for _, c := range p.Loop {
		list = append(list, c.Op)
	}
	return list
}

// Collective kernels of today's IMB: the clock around each repetition, a barrier behind it, root 0.
func TestTodaysCollectives(t *testing.T) {
	yes, no := true, false
	program := func(c Component, kernel string, settings Settings) *mpi.Program {
		s := sceneOf(t, c, kernel, Plain, 1, 3, 64, 5)
		s.settings = &settings
		p := s.program(s.kernel.recipe().build(s))
		require.NoError(t, p.Validate())
		return p
	}
	today := Settings{Today: Today{Method: ByToday}}
	p := program(MPI1, "Bcast", today)
	require.Equal(t, []mpi.Op{mpi.Bcast, mpi.Lap, mpi.Barrier, mpi.Lap}, ops(p))
	require.False(t, p.Loop[0].Rotate)

	today.Sync, today.RootShift = &no, &yes
	p = program(NBC, "Ibcast_pure", today)
	require.Equal(t, []mpi.Op{mpi.Ibcast, mpi.Wait, mpi.Lap, mpi.Lap}, ops(p))
	require.True(t, p.Loop[0].Rotate)

	today.Sync, today.OwnBarrier = &yes, true
	p = program(MPI1, "Reduce", today)
	require.Equal(t, []mpi.Op{mpi.Reduce, mpi.Lap, mpi.Sendrecv, mpi.Sendrecv, mpi.Lap}, ops(p))
	require.Equal(t, []int{2, 0, 0, 2}, []int{p.Places[2].Peer, p.Places[3].Peer, p.Places[4].Peer, p.Places[5].Peer})

	guide := Settings{}
	require.Equal(t, []mpi.Op{mpi.Bcast}, ops(program(MPI1, "Bcast", guide)))
	guide.Sync = &yes
	require.Equal(t, []mpi.Op{mpi.Bcast, mpi.Lap, mpi.Barrier, mpi.Lap}, ops(program(MPI1, "Bcast", guide)))
	require.Equal(t, []mpi.Op{mpi.Barrier}, ops(program(MPI1, "Barrier", guide)))
	require.Equal(t, []mpi.Op{mpi.Sendrecv}, ops(program(MPI1, "Sendrecv", guide)))
}

// Beside computing today's IMB changes the root of Ireduce, and of no other kernel.
func TestTodaysIreduce(t *testing.T) {
	rotates := func(kernel string, beside bool, method Method) bool {
		s := sceneOf(t, NBC, kernel, Plain, 1, 3, 64, 5)
		s.settings, s.overlapped, s.times = &Settings{Today: Today{Method: method}}, beside, 7
		return s.kernel.recipe().build(s).each[0].Rotate
	}
	require.True(t, rotates("Ireduce", true, ByToday))
	require.False(t, rotates("Ireduce", false, ByToday))
	require.False(t, rotates("Ibcast", true, ByToday))
	require.True(t, rotates("Ireduce", false, ByGuide))
}

// Only the calls count, not the time between repetitions.
func TestCounted(t *testing.T) {
	s := sceneOf(t, MPI1, "Bcast", Plain, 0, 2, 64, 5)
	got := mpi.Measurement{Seconds: 9, Laps: []mpi.LapTime{{Seconds: 2}, {Seconds: 1}, {Seconds: 4}}}
	require.Equal(t, 9.0, s.counted(got))
	s.settings = &Settings{Today: Today{Method: ByToday}}
	require.Equal(t, 3.0, s.counted(got))
}

// The only mode, no row of 0 bytes, and lengths in elements of the type that was chosen.
func TestTodaysRows(t *testing.T) {
	p := &Plan{Config: Config{Settings: Settings{Today: Today{OnlyMode: NonAggregate, NoZero: true,
		DataType: "double"}}}}
	put, _, _ := FindIn(RMA, "Unidir_put")
	require.Equal(t, []Mode{NonAggregate}, p.modes(put))
	all, _, _ := FindIn(RMA, "All_put_all")
	require.Equal(t, []Mode{Plain}, p.modes(all))
	bcast, _, _ := Find("Bcast")
	require.Equal(t, []int64{8, 16, 32}, p.lengths(bcast)[:3])
	p.Settings.Lengths = []int64{0, 3, 17}
	require.Equal(t, []int64{8, 24}, p.lengths(bcast))
	require.Equal(t, mpi.Float64, p.Settings.kind(bcast))
	reduce, _, _ := Find("Reduce")
	require.Equal(t, mpi.Float32, p.Settings.kind(reduce))
	require.Equal(t, mpi.Byte, p.Settings.kind(put))
}

// A map may leave processes out, which keep their ranks, as in today's IMB.
func TestSmallerMap(t *testing.T) {
	p := &Plan{Processes: 7, Config: Config{Settings: Settings{Map: []int{2, 3}, Today: Today{Method: ByToday}}}}
	require.NoError(t, p.Settings.checkFor(7))
	require.Equal(t, []int{0, 2, 4, 1, 3, 5, 6}, p.order())
	p.Settings.Method = ByGuide
	require.Error(t, p.Settings.checkFor(7))
}

func TestWrongToday(t *testing.T) {
	for _, s := range []Today{{Method: "imb"}, {OnlyMode: "both"}, {DataType: "char"}, {RedType: "byte"}, {Pause: -1}} {
		require.Error(t, (&Settings{Today: s}).Check())
	}
}

// The data of a sender at any position are those of the whole.
func TestNumbers(t *testing.T) {
	for _, kind := range []mpi.Type{mpi.Int32, mpi.Int64, mpi.Float32, mpi.Float64} {
		whole := make([]byte, 100*kind.Size())
		numbers(kind, 3, 2)(whole, 0)
		part := make([]byte, 9*kind.Size())
		numbers(kind, 3, 2)(part, 13*kind.Size())
		require.Equal(t, whole[13*kind.Size():22*kind.Size()], part)
		require.Equal(t, appendNumber(nil, kind, 2*float64(value(3, 13))), part[:kind.Size()])
	}
}
