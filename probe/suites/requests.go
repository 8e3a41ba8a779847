package suites

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// requestKernels returns the kernels that compare persistent calls to blocking ones, and that free and remake the
// persistent requests in each repetition.
func requestKernels() (list []kernel.Kernel) {
	for _, c := range slices.Concat(collectives, []collective{scatterBlock, alltoallw, barrier}) {
		call := mpi.InitOf(c.blocking)
		k := kernel.Kernel{Name: c.name + "_init", Class: kernel.Persistent, Type: c.kind, MinProcesses: 2,
			Calls: fmt.Sprintf("%v, MPI_Start, MPI_Wait, MPI_Request_free; compared with %v", call, c.blocking)}
		ops := []mpi.Op{call, c.blocking, mpi.Wait, mpi.Barrier, mpi.FreeRequest, mpi.MakeRequest}
		calls := func(_ *kernel.Setup, started mpi.Call) []mpi.Call {
			usual := started
			usual.Op = c.blocking
			return withRequestTimes(compareToUsual(&kernel.Step{Each: []mpi.Call{usual}}, started)).Each
		}
		k.Builder = c.builder(ops, calls)
		k.Builder.Processes.FixedRoot, k.Builder.Data.Packed = true, true
		list = append(list, k)
	}
	return append(list, kernel.Kernel{Name: "Exchange_init", Class: kernel.Persistent, Active: 2,
		Calls: "MPI_Recv_init, MPI_Send_init, MPI_Start, MPI_Waitall, MPI_Request_free; compared with MPI_Irecv, " +
			"MPI_Isend, MPI_Waitall",
		Builder: &kernel.Builder{Ops: []mpi.Op{mpi.RecvInit, mpi.SendInit, mpi.Irecv, mpi.Isend, mpi.Waitall,
			mpi.Barrier, mpi.FreeRequest, mpi.MakeRequest}, Data: kernel.Data{Packed: true},
			Build: exchangePersistent}})
}

// exchangePersistent exchanges a message with the partner, by nonblocking calls and by persistent ones.
func exchangePersistent(s *kernel.Setup) *kernel.Step {
	peer := s.Partner()
	x := &kernel.Step{Wants: []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, peer, 0)}}
	x.Receive(mpi.Irecv, s.In(&s.Recv, 0, s.Bytes, peer))
	x.Send(mpi.Isend, s.In(&s.Send, 0, s.Bytes, peer))
	x.Waitall()
	started := []mpi.Call{{Op: mpi.RecvInit, Recv: mpi.One(0), Tag: kernel.Tag},
		{Op: mpi.SendInit, Send: mpi.One(1), Tag: kernel.Tag}, {Op: mpi.Waitall}}
	return withRequestTimes(compareToUsual(x, started...))
}

// withRequestTimes adds calls that free and remake the requests of a step's persistent calls, each with a split time.
func withRequestTimes(x *kernel.Step) *kernel.Step {
	var frees, makes []mpi.Call
	for i, c := range x.Each {
		if c.Op.Persistent() {
			frees = append(frees, mpi.Call{Op: mpi.FreeRequest, Of: i})
			makes = append(makes, mpi.Call{Op: mpi.MakeRequest, Of: i})
		}
	}
	x.Each = slices.Concat(x.Each, frees, []mpi.Call{{Op: mpi.Lap, Root: kernel.Freeing}}, makes,
		[]mpi.Call{{Op: mpi.Lap, Root: kernel.Making}, {Op: mpi.Barrier}, {Op: mpi.Lap, Root: kernel.Between}})
	return x
}
