package suites

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// partitionedByThreads returns the kernel in which each thread makes its parts of a message ready, compared to a plain
// message of each thread.
func partitionedByThreads() kernel.Kernel {
	return kernel.Kernel{Name: "Partitioned_threads", Class: kernel.Partition, Moved: 1, Divisor: 2, Active: 2,
		Optional: true, Calls: "MPI_Psend_init, MPI_Precv_init; MPI_Start, MPI_Pready of its parts by each thread, " +
			"MPI_Wait; compared with MPI_Send, MPI_Recv of each thread",
		Builder: &kernel.Builder{Ops: []mpi.Op{mpi.PsendInit, mpi.PrecvInit, mpi.Pready, mpi.Wait, mpi.Send, mpi.Recv},
			Rows: kernel.Partitioned, Data: kernel.Data{Packed: true, Sizes: bothSides},
			Threads: kernel.Threads{Of: threadsOfAll, OneMemory: true}, Build: partsByThreads}}
}

// threadStep is a thread's step under construction.
type threadStep struct {
	*kernel.Step
	s *kernel.Setup
}

// partsByThreads returns a thread's calls of a repetition: a round trip of a partitioned message, and one of a plain
// message of each thread. The first thread starts the partitioned messages, waits for them, and takes the split times.
// Its last part is late.
func partsByThreads(s *kernel.Setup) *kernel.Step {
	x := threadStep{&kernel.Step{}, s}
	first := s.Threads()[0]
	peer := s.Partner()
	receive := func() {
		if s.Team.Thread == 0 {
			start := x.Receive(mpi.PrecvInit, s.In(&s.Recv, 0, s.Bytes, peer))
			x.Each[start].Parts = int(s.AxisValue)
			x.Call(mpi.Call{Op: mpi.Wait, Of: start})
		}
	}
	lower := s.Rank() == 0
	if lower {
		x.sendParts()
		receive()
	} else {
		receive()
		x.sendParts()
	}
	x.lap(kernel.PartsDone)
	x.barrier()
	if from, n := x.share(s.Team.Thread); n > 0 {
		size := s.Bytes / s.AxisValue
		to := x.Place(s.In(&first.Send, from*size, n*size, peer))
		into := x.Place(s.In(&first.Recv, s.Bytes+from*size, n*size, peer))
		calls := []mpi.Call{{Op: mpi.Send, Send: to, Tag: kernel.Tag + s.Team.Thread},
			{Op: mpi.Recv, Recv: into, Tag: kernel.Tag + s.Team.Thread}}
		if !lower {
			slices.Reverse(calls)
		}
		x.Each = append(x.Each, calls...)
	}
	x.barrier()
	x.lap(kernel.PlainDone)
	if s.Team.Thread == 0 {
		x.Wants = []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, peer, 0), s.Want(&s.Recv, s.Bytes, s.Bytes, peer, 0)}
	}
	return x.Step
}

// sendParts adds the calls that send a partitioned message. The other threads' parts are ready before the last part.
func (x threadStep) sendParts() {
	from, n := x.share(x.s.Team.Thread)
	start, late := 0, x.s.Team.Thread == 0
	if x.lap(kernel.PartsBegun); late {
		start = x.Send(mpi.PsendInit, x.s.In(&x.s.Send, 0, x.s.Bytes, x.s.Partner()))
		x.Each[start].Parts = int(x.s.AxisValue)
		n--
	} else {
		start = slices.IndexFunc(partsByThreads(x.s.Threads()[0]).Each,
			func(c mpi.Call) bool { return c.Op == mpi.PsendInit })
	}
	x.barrier()
	ready := func(part int64) { x.Call(mpi.Call{Op: mpi.Pready, Of: start, Part: int(part)}) }
	for part := from; part < from+n; part++ {
		ready(part)
	}
	if late && x.s.Options.Delay > 0 {
		x.Call(mpi.Call{Op: mpi.Compute, Seconds: x.s.Options.Delay})
	}
	x.barrier()
	if x.lap(kernel.PartsReady); late {
		ready(from + n)
		x.Call(mpi.Call{Op: mpi.Wait, Of: start})
	}
}

// share returns the first part of a thread and the number of its parts. The parts are divided evenly; the first thread
// has at least one.
func (x threadStep) share(thread int) (first, n int64) {
	threads := int64(len(x.s.Threads()))
	begin := func(thread int) int64 { return (int64(thread)*x.s.AxisValue + threads - 1) / threads }
	first = begin(thread)
	return first, begin(thread+1) - first
}

// barrier adds a barrier of the process's threads.
func (x threadStep) barrier() {
	if len(x.s.Threads()) > 1 {
		x.Call(mpi.Call{Op: mpi.ThreadBarrier})
	}
}

func (x threadStep) lap(number int) {
	if x.s.Team.Thread == 0 {
		x.Call(mpi.Call{Op: mpi.Lap, Root: number})
	}
}
