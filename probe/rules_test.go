package probe

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/scripted"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// follow takes over settings and the rules of their method.
func follow(s *kernel.Scene, settings *Settings) {
	s.Settings, s.Rules = &settings.Today, MethodOf(settings, s.Kernel).rules(s.Kernel, settings)
}

// rowScene returns a rank's scene of a row of messages, 5 repetitions of 64 bytes.
func rowScene(t *testing.T, c kernel.Component, name string, rank, size int) *kernel.Scene {
	t.Helper()
	k, _, ok := suites.FindIn(c, name)
	require.True(t, ok)
	e := &scripted.Engine{Processes: size}
	s := &kernel.Scene{Kernel: k, Bytes: 64, Comm: part{e.World(), rank, size}, Ranks: size, Repetitions: 5}
	s.LayOut(0, 0, s.Repetitions)
	for _, a := range s.Areas() {
		b, err := e.NewBuffer(a.Size())
		require.NoError(t, err)
		a.Buffer = b
	}
	return s
}

// Collective kernels of today's IMB: the clock around each repetition, a barrier behind it, root 0.
func TestTodaysCollectives(t *testing.T) {
	yes, no := true, false
	program := func(c kernel.Component, name string, settings Settings) *mpi.Program {
		s := rowScene(t, c, name, 1, 3)
		follow(s, &settings)
		p := s.Program(s.Kernel.Recipe.Build(s))
		require.NoError(t, p.Validate())
		return p
	}
	today := Settings{Today: kernel.Today{Method: kernel.ByToday}}
	p := program(kernel.MPI1, "Bcast", today)
	require.Equal(t, []mpi.Op{mpi.Bcast, mpi.Lap, mpi.Barrier, mpi.Lap}, ops(p))
	require.False(t, p.Loop[0].Rotate)

	today.Sync, today.RootShift = &no, &yes
	p = program(kernel.NBC, "Ibcast_pure", today)
	require.Equal(t, []mpi.Op{mpi.Ibcast, mpi.Wait, mpi.Lap, mpi.Lap}, ops(p))
	require.True(t, p.Loop[0].Rotate)

	today.Sync, today.OwnBarrier = &yes, true
	p = program(kernel.MPI1, "Reduce", today)
	require.Equal(t, []mpi.Op{mpi.Reduce, mpi.Lap, mpi.Sendrecv, mpi.Sendrecv, mpi.Lap}, ops(p))
	require.Equal(t, []int{2, 0, 0, 2}, []int{p.Places[2].Peer, p.Places[3].Peer, p.Places[4].Peer, p.Places[5].Peer})

	guide := Settings{}
	require.Equal(t, []mpi.Op{mpi.Bcast}, ops(program(kernel.MPI1, "Bcast", guide)))
	guide.Sync = &yes
	require.Equal(t, []mpi.Op{mpi.Bcast, mpi.Lap, mpi.Barrier, mpi.Lap}, ops(program(kernel.MPI1, "Bcast", guide)))
	require.Equal(t, []mpi.Op{mpi.Barrier}, ops(program(kernel.MPI1, "Barrier", guide)))
	require.Equal(t, []mpi.Op{mpi.Sendrecv}, ops(program(kernel.MPI1, "Sendrecv", guide)))
}

// Beside computing today's IMB changes the root of Ireduce, and of no other kernel.
func TestTodaysIreduce(t *testing.T) {
	rotates := func(name string, beside bool, method kernel.MethodName) bool {
		s := rowScene(t, kernel.NBC, name, 1, 3)
		follow(s, &Settings{Today: kernel.Today{Method: method}})
		s.Overlapped, s.Times = beside, 7
		return s.Kernel.Recipe.Build(s).Each[0].Rotate
	}
	require.True(t, rotates("Ireduce", true, kernel.ByToday))
	require.False(t, rotates("Ireduce", false, kernel.ByToday))
	require.False(t, rotates("Ibcast", true, kernel.ByToday))
	require.True(t, rotates("Ireduce", false, kernel.ByGuide))
}

// Only the calls count, not the time between repetitions.
func TestCounted(t *testing.T) {
	s := rowScene(t, kernel.MPI1, "Bcast", 0, 2)
	got := mpi.Measurement{Seconds: 9, Laps: []mpi.LapTime{{Seconds: 2}, {Seconds: 1}, {Seconds: 4}}}
	require.Equal(t, 9.0, s.Counted(got))
	follow(s, &Settings{Today: kernel.Today{Method: kernel.ByToday}})
	require.Equal(t, 3.0, s.Counted(got))
}
