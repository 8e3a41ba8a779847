package suites

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// cutKernels returns the kernels that send across cuts, with all pairs of a step at once. As in LinkTest 2, messages go
// one way (unidirectional) or both ways (bidirectional).
func cutKernels() []kernel.Kernel {
	return kernel.Table(kernel.Cut, []kernel.Kernel{
		{Name: "Cut_uni", Class: kernel.AcrossCut, Moved: 1, MinProcesses: 2,
			Calls: "MPI_Send of all pairs one way, an empty answer after the last; then back",
			Builder: &kernel.Builder{Ops: []mpi.Op{mpi.Send, mpi.Recv}, Build: crossOneWay,
				Data:     kernel.Data{Packed: true},
				Directed: true}},
		{Name: "Cut_bi", Class: kernel.AcrossCut, Moved: 2, MinProcesses: 2,
			Calls: "MPI_Sendrecv of all pairs, both ways at the same time",
			Builder: &kernel.Builder{Ops: []mpi.Op{mpi.Sendrecv}, Build: crossBothWays,
				Data: kernel.Data{Packed: true}}},
	}, nil)
}

// crossOneWay sends messages from the measuring process to its partner, which answers when all have arrived.
func crossOneWay(s *kernel.Setup) *kernel.Step {
	with := s.PairedWith()
	x := &kernel.Step{Places: []mpi.Place{
		s.In(&s.Send, 0, s.Bytes, with.Peer), s.In(&s.Recv, 0, s.Bytes, with.Peer),
		s.In(&s.Send, 0, 0, with.Peer), s.In(&s.Recv, 0, 0, with.Peer)}}
	send := func(place int) []mpi.Call {
		return []mpi.Call{{Op: mpi.Send, Send: mpi.One(place), Tag: kernel.Tag}}
	}
	receive := func(place int) []mpi.Call {
		return []mpi.Call{{Op: mpi.Recv, Recv: mpi.One(place), Tag: kernel.Tag}}
	}
	if with.Measures {
		x.Each, x.AfterLoops = send(0), receive(3)
		return x
	}
	x.Silent = true
	x.Each, x.AfterLoops = receive(1), send(2)
	x.Wants = []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, with.Peer, 0)}
	return x
}

// crossBothWays exchanges messages with the partner in both directions at the same time.
func crossBothWays(s *kernel.Setup) *kernel.Step {
	with := s.PairedWith()
	return sendrecvWith(s, with.Peer, with.Peer)
}
