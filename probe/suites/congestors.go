package suites

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// congestors lists the communication patterns that load a network, by the names of settings.Congestors. Process 0 of a
// group is the root. The first four are GPCNeT's.
var congestors = kernel.Table(kernel.Load, []kernel.Kernel{
	{Name: "alltoall", Class: kernel.Congestion, Calls: "MPI_Sendrecv with each other process", DefaultLength: 4096,
		Builder: &kernel.Builder{Ops: []mpi.Op{mpi.SendrecvEach}, Build: congestAll}},
	{Name: "incast", Class: kernel.Congestion, Calls: "MPI_Send to process 0, there MPI_Irecv and MPI_Waitall",
		DefaultLength: 4096, Builder: &kernel.Builder{Ops: []mpi.Op{mpi.Send, mpi.RecvEach},
			Data:  kernel.Data{Sizes: oneToAll},
			Build: congestRoot}},
	{Name: "put_incast", Class: kernel.Congestion, Calls: "MPI_Put to process 0, MPI_Win_flush", DefaultLength: 4096,
		Builder: congestWindow(mpi.Put)},
	{Name: "get_bcast", Class: kernel.Congestion, Calls: "MPI_Get from process 0, MPI_Win_flush", DefaultLength: 4096,
		Builder: congestWindow(mpi.Get)},
	{Name: "stencil", Class: kernel.Congestion, DefaultLength: 64 << 10,
		Calls:   "MPI_Irecv and MPI_Isend with the neighbours in a periodic grid of two dimensions, MPI_Waitall",
		Builder: &kernel.Builder{Ops: []mpi.Op{mpi.Irecv, mpi.Isend, mpi.Waitall}, Build: congestGrid}},
}, nil)

// Congestor returns the kernel of a pattern of congestors.
func Congestor(name string) *kernel.Kernel {
	i := slices.IndexFunc(congestors, func(k kernel.Kernel) bool { return k.Name == name })
	return &congestors[max(i, 0)]
}

// congestAll exchanges a message with every other process, one after the other.
func congestAll(s *kernel.Setup) *kernel.Step {
	x := &kernel.Step{Moves: s.Bytes * int64(s.Last())}
	x.Call(mpi.Call{Op: mpi.SendrecvEach, Send: x.Place(s.In(&s.Send, 0, s.Bytes, mpi.AnySource)),
		Recv: x.Place(s.In(&s.Recv, 0, s.Bytes, mpi.AnySource)), Tag: kernel.Tag})
	return x
}

// congestRoot sends a message from every other process to the root.
func congestRoot(s *kernel.Setup) *kernel.Step {
	x := &kernel.Step{}
	if s.Rank() > 0 {
		x.Moves = s.Bytes
		x.Send(mpi.Send, s.In(&s.Send, 0, s.Bytes, 0))
		return x
	}
	x.Receive(mpi.RecvEach, s.In(&s.Recv, 0, s.Bytes, mpi.AnySource))
	return x
}

// congestWindow returns the builder in which every other process accesses the root's memory.
func congestWindow(op mpi.Op) *kernel.Builder {
	r := &kernel.Builder{Ops: openWindowOps(op), Access: kernel.Access{Window: kernel.RecvSide},
		Data: kernel.Data{Sizes: oneToAll}}
	if op == mpi.Get {
		r.Access.Window = kernel.SendSide
	}
	r.Build = func(s *kernel.Setup) *kernel.Step {
		x := openWindows(s, &kernel.Step{})
		if s.Rank() == 0 {
			return x
		}
		x.Moves = s.Bytes
		here, there := s.In(&s.Send, 0, s.Bytes, 0), s.At(0, int64(s.Rank())*s.Bytes, s.Bytes)
		if op == mpi.Get {
			here, there = s.In(&s.Recv, 0, s.Bytes, 0), s.At(0, 0, s.Bytes)
		}
		c := mpi.Call{Op: op, Send: x.Place(here), Recv: x.Place(there)}
		x.Call(c)
		x.Call(mpi.Call{Op: mpi.WinFlush, Recv: c.Recv})
		return x
	}
	return r
}

// congestGrid exchanges a message with each neighbour in a grid.
func congestGrid(s *kernel.Setup) *kernel.Step {
	x := &kernel.Step{}
	flat := func(side int) bool { return side == 1 }
	peers := patterns.Stencil(slices.DeleteFunc(patterns.Dims(s.Size(), 2), flat), s.Rank())
	for _, peer := range peers {
		x.Receive(mpi.Irecv, s.In(&s.Recv, 0, s.Bytes, peer))
	}
	for _, peer := range peers {
		x.Send(mpi.Isend, s.In(&s.Send, 0, s.Bytes, peer))
		x.Moves += s.Bytes
	}
	x.Waitall()
	return x
}
