package suites

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// outstanding is the number of messages to each neighbour that bandwidth kernels keep in flight.
const outstanding = 8

// loadKernels returns GPCNeT's network tests as victims, in GPCNeT's order, and the kernel of congestors without
// victims. Processes with the same number on each node form a ring, or the group of a collective call.
func loadKernels() []kernel.Kernel {
	const block = 128 << 10
	messages := []mpi.Op{mpi.Isend, mpi.Irecv, mpi.Waitall}
	band := func(meets bool) *kernel.Builder {
		return &kernel.Builder{Ops: append(slices.Clone(messages), mpi.Barrier), Build: ring(outstanding, meets),
			Data: kernel.Data{Sizes: bothSides}}
	}
	natural := band(false)
	natural.Processes.InOrder = true
	return kernel.Table(kernel.Load, []kernel.Kernel{
		{Name: "Ring_latency", Class: kernel.Averaged, Calls: "2 MPI_Isend, 2 MPI_Irecv, MPI_Waitall", Divisor: 2,
			MinProcesses: 2, DefaultLength: 8, Builder: &kernel.Builder{Ops: messages, Build: ring(1, false),
				Data: kernel.Data{Sizes: bothSides}}},
		{Name: "Ring_get_latency", Class: kernel.Averaged, Calls: "2 MPI_Get, 2 MPI_Win_flush", Divisor: 2,
			MinProcesses: 2, DefaultLength: 8, Optional: true, Builder: ringAccess(mpi.Get, 1)},
		{Name: "Ring_bandwidth", Class: kernel.Averaged, Calls: "8 MPI_Isend to each neighbour, MPI_Waitall",
			Moved: 2 * outstanding, MinProcesses: 2, DefaultLength: block, Optional: true, Builder: band(false)},
		{Name: "Ring_put_bandwidth", Class: kernel.Averaged, Calls: "8 MPI_Put to each neighbour, 2 MPI_Win_flush",
			Moved: 2 * outstanding, MinProcesses: 2, DefaultLength: block, Optional: true,
			Builder: ringAccess(mpi.Put, outstanding)},
		{Name: "Ring_bandwidth_sync", Class: kernel.Averaged,
			Calls: "8 MPI_Isend to each neighbour, MPI_Waitall, MPI_Barrier", Moved: 2 * outstanding, MinProcesses: 2,
			DefaultLength: block, Builder: band(true)},
		{Name: "Natural_bandwidth", Class: kernel.Averaged, Calls: "8 MPI_Isend to each neighbour, MPI_Waitall",
			Moved: 2 * outstanding, MinProcesses: 2, DefaultLength: block, Optional: true, Builder: natural},
		{Name: "Multiple_allreduce", Class: kernel.Averaged, Calls: "MPI_Allreduce", Type: mpi.Float32, MinProcesses: 2,
			DefaultLength: 8, Builder: blocking("Allreduce")},
		{Name: "Multiple_alltoall", Class: kernel.Multiple, Calls: "MPI_Alltoall", Moved: 1, MinProcesses: 2,
			DefaultLength: 4096, Optional: true, Builder: blocking("Alltoall")},
		{Name: NoVictims, Class: kernel.Congestion, Calls: "the calls of the congestors", Optional: true,
			Builder: &kernel.Builder{Rows: kernel.NoLength, Data: kernel.Data{Sizes: nothing}, Build: stepOf()}},
	}, nil)
}

// NoVictims is the name of the kernel that only runs congestors.
const NoVictims = "Congestors"

// blocking returns the builder of a collective call.
func blocking(name string) *kernel.Builder {
	c := collectives[slices.IndexFunc(collectives, func(c collective) bool { return c.name == name })]
	return c.builder([]mpi.Op{c.blocking}, blockingCall)
}

// bothSides returns the memory of a message that goes to both neighbours, and of a message from each.
func bothSides(s *kernel.Setup) (send, recv int64) { return s.Bytes, 2 * s.Bytes }

// fromBoth returns the data that must have arrived from both neighbours.
func fromBoth(s *kernel.Setup) []kernel.Want {
	return []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, s.Left(), 0), s.Want(&s.Recv, s.Bytes, s.Bytes, s.Right(), 0)}
}

// ring returns a builder that exchanges messages with both neighbours in a ring, followed by a barrier if meets is set.
func ring(messages int, meets bool) func(s *kernel.Setup) *kernel.Step {
	return func(s *kernel.Setup) *kernel.Step {
		x := &kernel.Step{Wants: fromBoth(s)}
		peers := []int{s.Left(), s.Right()}
		for side, peer := range peers {
			for range messages {
				x.Receive(mpi.Irecv, s.In(&s.Recv, int64(side)*s.Bytes, s.Bytes, peer))
			}
		}
		for _, peer := range peers {
			for range messages {
				x.Send(mpi.Isend, s.In(&s.Send, 0, s.Bytes, peer))
			}
		}
		x.Call(mpi.Call{Op: mpi.Waitall})
		if meets {
			x.Call(mpi.Call{Op: mpi.Barrier})
		}
		return x
	}
}

// openWindowOps returns the calls of kernels whose windows stay open to all processes during all repetitions.
func openWindowOps(op mpi.Op) []mpi.Op {
	return []mpi.Op{op, mpi.WinLockAll, mpi.WinFlush, mpi.WinUnlockAll, mpi.WinLock, mpi.WinUnlock, mpi.Barrier}
}

// openWindows adds the calls around all repetitions that open and close the windows of all processes.
func openWindows(s *kernel.Setup, x *kernel.Step) *kernel.Step {
	own := x.Place(s.At(s.Rank(), 0, 0))
	x.Enter = []mpi.Call{{Op: mpi.WinLockAll, Recv: own}}
	x.Leave = []mpi.Call{{Op: mpi.WinUnlockAll, Recv: own}, {Op: mpi.Barrier}}
	return x
}

// ringAccess returns the builder in which each process makes this many transfers to or from both neighbours.
func ringAccess(op mpi.Op, transfers int) *kernel.Builder {
	r := &kernel.Builder{Ops: openWindowOps(op), Data: kernel.Data{Sizes: bothSides},
		Access: kernel.Access{Window: kernel.RecvSide}}
	if op == mpi.Get {
		r.Access.Window = kernel.SendSide
	}
	r.Build = func(s *kernel.Setup) *kernel.Step {
		x := openWindows(s, &kernel.Step{Wants: fromBoth(s)})
		var flushes []mpi.Call
		for side, peer := range []int{s.Left(), s.Right()} {
			here, there := s.In(&s.Send, 0, s.Bytes, peer), s.At(peer, int64(1-side)*s.Bytes, s.Bytes)
			if op == mpi.Get {
				here, there = s.In(&s.Recv, int64(side)*s.Bytes, s.Bytes, peer), s.At(peer, 0, s.Bytes)
			}
			c := mpi.Call{Op: op, Send: x.Place(here), Recv: x.Place(there)}
			for range transfers {
				x.Call(c)
			}
			flushes = append(flushes, mpi.Call{Op: mpi.WinFlush, Recv: c.Recv})
		}
		x.Each = append(x.Each, flushes...)
		return x
	}
	return r
}
