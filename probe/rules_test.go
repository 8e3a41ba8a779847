package probe

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/scripted"
)

// follow takes over settings and the rules of their method.
func follow(s *scene, settings *Settings) {
	s.settings, s.rules = &settings.Today, settings.method(s.kernel).rules(s.kernel, settings)
}

// rowScene returns a rank's scene of a row of messages, 5 repetitions of 64 bytes.
func rowScene(t *testing.T, c Component, name string, rank, size int) *scene {
	t.Helper()
	k, _, ok := FindIn(c, name)
	require.True(t, ok)
	e := &scripted.Engine{Processes: size}
	s := &scene{kernel: k, bytes: 64, comm: part{e.World(), rank, size}, ranks: size, repetitions: 5}
	s.layOut(0, 0, s.repetitions)
	for _, a := range s.areas() {
		b, err := e.NewBuffer(a.size())
		require.NoError(t, err)
		a.buffer = b
	}
	return s
}

// Collective kernels of today's IMB: the clock around each repetition, a barrier behind it, root 0.
func TestTodaysCollectives(t *testing.T) {
	yes, no := true, false
	program := func(c Component, kernel string, settings Settings) *mpi.Program {
		s := rowScene(t, c, kernel, 1, 3)
		follow(s, &settings)
		p := s.program(s.kernel.recipe.build(s))
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
	rotates := func(kernel string, beside bool, method MethodName) bool {
		s := rowScene(t, NBC, kernel, 1, 3)
		follow(s, &Settings{Today: Today{Method: method}})
		s.overlapped, s.times = beside, 7
		return s.kernel.recipe.build(s).each[0].Rotate
	}
	require.True(t, rotates("Ireduce", true, ByToday))
	require.False(t, rotates("Ireduce", false, ByToday))
	require.False(t, rotates("Ibcast", true, ByToday))
	require.True(t, rotates("Ireduce", false, ByGuide))
}

// Only the calls count, not the time between repetitions.
func TestCounted(t *testing.T) {
	s := rowScene(t, MPI1, "Bcast", 0, 2)
	got := mpi.Measurement{Seconds: 9, Laps: []mpi.LapTime{{Seconds: 2}, {Seconds: 1}, {Seconds: 4}}}
	require.Equal(t, 9.0, s.counted(got))
	follow(s, &Settings{Today: Today{Method: ByToday}})
	require.Equal(t, 3.0, s.counted(got))
}
