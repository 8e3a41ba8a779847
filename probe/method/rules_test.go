package method_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/method"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// follow takes over settings and the rules of their method.
func follow(s *kernel.Setup, settings *settings.Settings) {
	s.Options.IMB, s.Rules = &settings.IMB, suites.Way(settings, s.Kernel).Rules()
}

// rowSetup returns a rank's setup of a row of messages, 5 repetitions of 64 bytes.
func rowSetup(t *testing.T, c kernel.Component, name string, rank, size int) *kernel.Setup {
	t.Helper()
	k, _, ok := suites.Find(c, name)
	require.True(t, ok)
	e := &scripted.Engine{Processes: size}
	s := &kernel.Setup{Kernel: k, Bytes: 64, Comm: member{e.World(), rank, size}, Ranks: size,
		Run: kernel.Run{Repetitions: 5}}
	s.LayOut(0, 0, s.Run.Repetitions)
	for _, a := range s.Areas() {
		b, err := e.NewBuffer(a.Size())
		require.NoError(t, err)
		a.Buffer = b
	}
	return s
}

// In collective kernels IMB 2021.11 reads the clock around each repetition, ends each with a barrier, and keeps root 0.
func TestCollectivesOfIMB2021(t *testing.T) {
	yes, no := true, false
	program := func(c kernel.Component, name string, settings settings.Settings) *mpi.Program {
		s := rowSetup(t, c, name, 1, 3)
		follow(s, &settings)
		p := s.Program(s.Kernel.Builder.Build(s))
		require.NoError(t, p.Validate())
		return p
	}
	imb2021 := settings.Settings{IMB: settings.IMB{Method: settings.ByIMB2021}}
	p := program(kernel.MPI1, "Bcast", imb2021)
	require.Equal(t, []mpi.Op{mpi.Bcast, mpi.Lap, mpi.Barrier, mpi.Lap}, ops(p))
	require.False(t, p.Loop[0].Rotate)

	imb2021.Sync, imb2021.RootShift = &no, &yes
	p = program(kernel.NBC, "Ibcast_pure", imb2021)
	require.Equal(t, []mpi.Op{mpi.Ibcast, mpi.Wait, mpi.Lap, mpi.Lap}, ops(p))
	require.True(t, p.Loop[0].Rotate)

	imb2021.Sync, imb2021.OwnBarrier = &yes, true
	p = program(kernel.MPI1, "Reduce", imb2021)
	require.Equal(t, []mpi.Op{mpi.Reduce, mpi.Lap, mpi.Sendrecv, mpi.Sendrecv, mpi.Lap}, ops(p))
	require.Equal(t, []int{2, 0, 0, 2}, []int{p.Places[2].Peer, p.Places[3].Peer, p.Places[4].Peer, p.Places[5].Peer})

	guide := settings.Settings{}
	require.Equal(t, []mpi.Op{mpi.Bcast}, ops(program(kernel.MPI1, "Bcast", guide)))
	guide.Sync = &yes
	require.Equal(t, []mpi.Op{mpi.Bcast, mpi.Lap, mpi.Barrier, mpi.Lap}, ops(program(kernel.MPI1, "Bcast", guide)))
	require.Equal(t, []mpi.Op{mpi.Barrier}, ops(program(kernel.MPI1, "Barrier", guide)))
	require.Equal(t, []mpi.Op{mpi.Sendrecv}, ops(program(kernel.MPI1, "Sendrecv", guide)))
}

// If communication overlaps with computing, IMB 2021.11 changes the root of Ireduce, and of no other kernel.
func TestIreduceOfIMB2021(t *testing.T) {
	rotates := func(name string, overlapped bool, method settings.MethodName) bool {
		s := rowSetup(t, kernel.NBC, name, 1, 3)
		follow(s, &settings.Settings{IMB: settings.IMB{Method: method}})
		s.Run.Overlapped, s.Run.Times = overlapped, 7
		return s.Kernel.Builder.Build(s).Each[0].Rotate
	}
	require.True(t, rotates("Ireduce", true, settings.ByIMB2021))
	require.False(t, rotates("Ireduce", false, settings.ByIMB2021))
	require.False(t, rotates("Ibcast", true, settings.ByIMB2021))
	require.True(t, rotates("Ireduce", false, settings.ByGuide))
}

// Only the calls count, not the time between repetitions.
func TestCounted(t *testing.T) {
	s := rowSetup(t, kernel.MPI1, "Bcast", 0, 2)
	got := mpi.Measurement{Seconds: 9, Laps: []mpi.LapTime{{Seconds: 2}, {Seconds: 1}, {Seconds: 4}}}
	require.Equal(t, 9.0, s.Counted(got))
	follow(s, &settings.Settings{IMB: settings.IMB{Method: settings.ByIMB2021}})
	require.Equal(t, 3.0, s.Counted(got))
}

// ops returns the calls of a program's loop.
func ops(p *mpi.Program) (list []mpi.Op) {
	for _, c := range p.Loop {
		list = append(list, c.Op)
	}
	return list
}

// Rows have only the chosen mode, not 0 bytes, and lengths in elements of the chosen type.
func TestRowsOfIMB2021(t *testing.T) {
	s := &settings.Settings{IMB: settings.IMB{OnlyMode: settings.NonAggregate, NoZero: true, DataType: "double"}}
	put, _, _ := suites.Find(kernel.RMA, "Unidir_put")
	require.Equal(t, []settings.Mode{settings.NonAggregate}, put.ModesFor(s))
	all, _, _ := suites.Find(kernel.RMA, "All_put_all")
	require.Equal(t, []settings.Mode{settings.Plain}, all.ModesFor(s))
	bcast, _, _ := suites.Find("", "Bcast")
	require.Equal(t, []int64{8, 16, 32}, suites.Way(s, bcast).Lengths()[:3])
	s.Rows.Lengths = []int64{0, 3, 17}
	require.Equal(t, []int64{8, 24}, suites.Way(s, bcast).Lengths())
	require.Equal(t, mpi.Float64, bcast.Kind(&s.IMB))
	reduce, _, _ := suites.Find("", "Reduce")
	require.Equal(t, mpi.Float32, reduce.Kind(&s.IMB))
	require.Equal(t, mpi.Byte, put.Kind(&s.IMB))
}

func TestWrongIMB(t *testing.T) {
	for _, s := range []settings.IMB{{OnlyMode: "both"}, {DataType: "complex"}, {RedType: "byte"},
		{Pause: -1}} {
		require.Error(t, (&settings.Settings{IMB: s}).Check())
	}
	require.ErrorContains(t, suites.Check(&settings.Settings{IMB: settings.IMB{Method: "imb"}}, 2),
		"unknown method")
}

// The methods can measure each class of kernels.
func TestClassesAreMeasured(t *testing.T) {
	for _, k := range suites.Kernels() {
		require.True(t, method.IsMeasured(k.Class), "%s %s", k.Component, k.Name)
	}
}

// member is a communicator as a process of a rank sees it.
type member struct {
	mpi.Comm
	rank, size int
}

func (m member) Rank() int { return m.rank }
func (m member) Size() int { return m.size }
