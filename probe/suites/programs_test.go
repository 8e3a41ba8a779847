package suites

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// member is a communicator whose process has a rank and a size of the test's choice.
type member struct {
	mpi.Comm
	rank, size int
}

func (m member) Rank() int { return m.rank }
func (m member) Size() int { return m.size }

// setupOf returns a rank's setup of a kernel's row, with the memory, window and file that it needs.
func setupOf(t *testing.T, c kernel.Component, name string, mode settings.Mode, rank, size int, bytes,
	repetitions int64) *kernel.Setup {
	t.Helper()
	k, _, ok := Find(c, name)
	require.True(t, ok)
	if k.Builder.Rows == kernel.OneElement {
		bytes = k.Unit(&settings.IMB{})
	}
	e := &scripted.Engine{Processes: size}
	s := &kernel.Setup{Kernel: k, Mode: mode, Bytes: bytes, AxisValue: 2, World: e.World(),
		Comm: member{e.World(), rank, size}, Ranks: size, Run: kernel.Run{Repetitions: repetitions},
		Options: kernel.Options{Fragments: settings.Default.Fragments}}
	s.Rules.RootShifts = true
	s.Options.One = settings.OneSided{Completion: settings.CompleteEach, Window: settings.WindowKinds[0],
		Target: settings.TargetWorks[0], Block: settings.Default.Block,
		Count: settings.Default.Count, Strides: settings.Default.Strides}
	s.LayOut(0, 0, repetitions)
	for _, a := range s.Areas() {
		b, err := e.NewBuffer(a.Size())
		require.NoError(t, err)
		a.Buffer = b
	}
	if k.Builder.Access.Window != kernel.NoSide {
		w, err := e.NewWindow(s.Comm, s.Exposed().Buffer)
		require.NoError(t, err)
		s.Window = w
	}
	if k.Builder.File != nil {
		f, err := e.OpenFile(s.Comm, "f", mpi.ReadWrite, nil)
		require.NoError(t, err)
		s.Files = &kernel.Files{Comm: s.Comm, File: f}
		s.Files.View, s.Files.Position = k.Builder.File.View(s)
	}
	if use := k.Builder.Path; use != nil {
		s.PathStart = &kernel.PathStart{Paths: names{&mpi.PathList{Prefixes: []string{"f."}, PerPrefix: 9}},
			Owner: rank}
		if use.Rename {
			s.PathStart.New = names{&mpi.PathList{Prefixes: []string{"g."}, PerPrefix: 9}}
		}
	}
	return s
}

// names are paths without an engine.
type names struct{ *mpi.PathList }

func (names) Free() {}

// callTo is a call with its peer.
type callTo struct {
	op   mpi.Op
	peer int
}

// calls returns the calls of a timed program, each with the peer of its first place.
func calls(t *testing.T, s *kernel.Setup) (each, after []callTo) {
	t.Helper()
	p := s.Program(s.Kernel.Builder.Build(s))
	require.NoError(t, p.Validate())
	require.Empty(t, p.Before)
	return withPeers(p, p.Loop), withPeers(p, p.After)
}

func withPeers(p *mpi.Program, calls []mpi.Call) (list []callTo) {
	for _, c := range calls {
		x := callTo{c.Op, 0}
		switch {
		case c.Recv.Count > 0 && (c.Op.OnWindow() || c.Op.OnFile() || c.Send.Count == 0):
			x.peer = p.Places[c.Recv.First].Peer
		case c.Send.Count > 0:
			x.peer = p.Places[c.Send.First].Peer
		}
		list = append(list, x)
	}
	return list
}

// Programs make the calls of the guide's definitions ("PingPong", "Exchange", "Bcast", "Unidir_Put",
// "P_[ACTION]_indv"), after the last repetition, too.
func TestDefinitions(t *testing.T) {
	sync := []callTo{{mpi.FileSync, 0}, {mpi.Barrier, 0}, {mpi.FileSync, 0}}
	for _, c := range []struct {
		component   kernel.Component
		name        string
		mode        settings.Mode
		rank, size  int
		each, after []callTo
	}{
		{kernel.MPI1, "PingPong", settings.Plain, 0, 2, []callTo{{mpi.Send, 1}, {mpi.Recv, mpi.AnySource}}, nil},
		{kernel.MPI1, "PingPong", settings.Plain, 1, 2, []callTo{{mpi.Recv, mpi.AnySource}, {mpi.Send, 0}}, nil},
		{kernel.MPI1, "PingPongSpecificSource", settings.Plain, 1, 2, []callTo{{mpi.Recv, 0}, {mpi.Send, 0}}, nil},
		{kernel.MPI1, "PingPing", settings.Plain, 1, 2, []callTo{{mpi.Isend, 0}, {mpi.Recv, mpi.AnySource},
			{mpi.Wait, 0}}, nil},
		{kernel.MPI1, "Sendrecv", settings.Plain, 0, 5, []callTo{{mpi.Sendrecv, 1}}, nil},
		{kernel.MPI1, "Exchange", settings.Plain, 0, 5, []callTo{{mpi.Isend, 1}, {mpi.Isend, 4}, {mpi.Recv, 4},
			{mpi.Recv, 1}, {mpi.Waitall, 0}}, nil},
		{kernel.MPI1, "Bcast", settings.Plain, 2, 5, []callTo{{mpi.Bcast, 0}}, nil},
		{kernel.EXT, "Unidir_Put", settings.NonAggregate, 0, 2, []callTo{{mpi.Put, 1}, {mpi.WinFence, 1}}, nil},
		{kernel.EXT, "Unidir_Put", settings.NonAggregate, 1, 2, []callTo{{mpi.WinFence, 0}}, nil},
		{kernel.EXT, "Unidir_Put", settings.Aggregate, 0, 2, []callTo{{mpi.Put, 1}}, []callTo{{mpi.WinFence, 1}}},
		{kernel.RMA, "Unidir_put", settings.NonAggregate, 0, 2, []callTo{{mpi.Put, 1}, {mpi.WinFlush, 1}}, nil},
		{kernel.RMA, "Unidir_put", settings.Aggregate, 0, 2, []callTo{{mpi.Put, 1}}, []callTo{{mpi.WinFlush, 1}}},
		{kernel.RMA, "Unidir_put", settings.NonAggregate, 1, 2, nil, []callTo{{mpi.Barrier, 0}}},
		{kernel.RMA, "All_put_all", settings.Plain, 1, 3, []callTo{{mpi.Put, 2}, {mpi.Put, 0}, {mpi.WinFlushAll, 2}},
			nil},
		{kernel.IO, "P_Write_Indv", settings.NonAggregate, 1, 3, append([]callTo{{mpi.FileWrite, 0}}, sync...), nil},
		{kernel.IO, "P_Write_Indv", settings.Aggregate, 1, 3, []callTo{{mpi.FileWrite, 0}}, sync},
		{kernel.IO, "P_Read_Indv", settings.Plain, 1, 3, []callTo{{mpi.FileRead, 0}}, nil},
	} {
		each, after := calls(t, setupOf(t, c.component, c.name, c.mode, c.rank, c.size, 24, 3))
		require.Equal(t, c.each, each, "%s, rank %d", c.name, c.rank)
		require.Equal(t, c.after, after, "%s, rank %d", c.name, c.rank)
	}
}

// Collective operations move the bytes that the guide gives for each of them, with X bytes as the message length. All
// of the 3 processes move the same number, and the root rotates if there is one. The same holds for nonblocking
// operations.
func TestBytesOfCollectives(t *testing.T) {
	const x, all = 24, 3 * 24
	for name, c := range map[string]struct {
		sent, received int64
		rotates        bool
	}{
		"Bcast": {x, x, true}, "Reduce": {x, x, true}, "Allreduce": {x, x, false}, "Reduce_scatter": {x, x / 3, false},
		"Allgather": {x, all, false}, "Allgatherv": {x, all, false}, "Gather": {x, all, true},
		"Gatherv": {x, all, true}, "Scatter": {all, x, true}, "Scatterv": {all, x, true}, "Alltoall": {all, all, false},
		"Alltoallv": {all, all, false}, "Barrier": {0, 0, false},
	} {
		for component, name := range map[kernel.Component]string{kernel.MPI1: name,
			kernel.NBC: "I" + strings.ToLower(name)} {
			for rank := range 3 {
				s := setupOf(t, component, name, settings.Plain, rank, 3, x, 1)
				p := s.Program(s.Kernel.Builder.Build(s))
				bytes := func(of mpi.Span) (n int64) {
					for _, place := range p.Places[of.First : of.First+of.Count] {
						n += place.Length
					}
					return n
				}
				require.Equal(t, c.rotates, p.Loop[0].Rotate, name)
				require.Equal(t, [2]int64{c.sent, c.received}, [2]int64{bytes(p.Loop[0].Send), bytes(p.Loop[0].Recv)},
					"%s, rank %d", name, rank)
			}
		}
	}
}

// The root rotates, beginning with 0.
func TestRotatingRoot(t *testing.T) {
	s := setupOf(t, kernel.MPI1, "Bcast", settings.Plain, 2, 5, 24, 3)
	p := s.Program(s.Kernel.Builder.Build(s))
	require.True(t, p.Loop[0].Rotate)
	require.Zero(t, p.Loop[0].Root)
}

// Reduce_scatter and files divide a length as evenly as elements allow (guide, "Reduce_scatter": L = r·np + s).
func TestPortion(t *testing.T) {
	for _, length := range []int64{0, 1, 4, 8, 10, 1000, 1 << 20} {
		for size := 1; size <= 7; size++ {
			end := int64(0)
			for rank := range size {
				start, part := portion(length, 4, rank, size)
				require.Equal(t, end, start, "%d bytes, rank %d of %d", length, rank, size)
				require.True(t, start%4 == 0 || part == 0)
				end = start + part
			}
			require.Equal(t, length, end)
		}
	}
}

// Each kernel of the table has programs, and every rank's programs are valid by package mpi's rules.
func TestBuilders(t *testing.T) {
	for _, k := range Kernels() {
		for _, mode := range k.ModesFor(&settings.Settings{}) {
			for size := k.MinProcesses; size <= 5; size++ {
				if k.Active > 0 && size > k.Active || !k.Fits(size) {
					continue
				}
				for rank := range size {
					s := setupOf(t, k.Component, k.Name, mode, rank, size, 64, 2)
					x := k.Builder.Build(s)
					p := s.Program(x)
					require.NoError(t, p.Validate(), "%s, rank %d of %d", k.Name, rank, size)
				}
			}
		}
	}
}

// The position of data in a file can be computed from the data.
func TestPattern(t *testing.T) {
	all := make([]byte, 4096)
	kernel.Pattern(kernel.FileOwner)(all, 0)
	for _, position := range []int64{0, 1, 7, 8, 13, 1001} {
		part := make([]byte, 57)
		kernel.Pattern(kernel.FileOwner)(part, position)
		require.Equal(t, all[position:position+57], part)
		found, known := locate(part, 4096)
		require.True(t, known)
		require.Equal(t, position, found)
	}
	require.NotEqual(t, kernel.Word(0, 0), kernel.Word(1, 0))
}
