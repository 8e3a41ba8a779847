package suites

import (
	"math/rand/v2"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// newKernels returns the kernels of calls that no other suite measures. Each is compared to the usual way to do the
// same.
func newKernels() []kernel.Kernel {
	return kernel.Table(kernel.New, slices.Concat(requestKernels(), partitionedKernels(), neighbourKernels(),
		largeKernels(), startKernels()), nil)
}

// readiness is the order in which the parts of a message are made ready.
type readiness struct {
	name   string // appended to Partitioned
	calls  string
	order  func(parts int) []int
	ranged bool // one call makes all parts except the last one ready
	asked  bool // the receiver tests each part
}

// readinesses has a row for each kernel of partitioned messages.
var readinesses = []readiness{
	{name: "", calls: "MPI_Pready in the order of the parts", order: lists.Numbers},
	{name: "_reverse", calls: "MPI_Pready in reverse order", order: func(parts int) []int {
		order := lists.Numbers(parts)
		slices.Reverse(order)
		return order
	}},
	{name: "_random", calls: "MPI_Pready in a random order", order: func(parts int) []int {
		return rand.New(rand.NewPCG(1, 1)).Perm(parts)
	}},
	{name: "_range", calls: "MPI_Pready_range, and MPI_Pready of the last part", order: lists.Numbers, ranged: true},
	{name: "_arrived", calls: "MPI_Pready in the order of the parts, MPI_Parrived of each", order: lists.Numbers,
		asked: true},
}

// partitionedKernels returns the kernels that compare a round trip of a partitioned message to one of a plain message.
func partitionedKernels() (list []kernel.Kernel) {
	for _, r := range readinesses {
		ops := []mpi.Op{mpi.PsendInit, mpi.PrecvInit, mpi.Pready, mpi.Wait, mpi.Send, mpi.Recv}
		if r.ranged {
			ops = append(ops, mpi.PreadyRange)
		}
		if r.asked {
			ops = append(ops, mpi.Parrived)
		}
		list = append(list, kernel.Kernel{Name: "Partitioned" + r.name, Class: kernel.Partition, Moved: 1, Divisor: 2,
			Active: 2, Optional: r.name != "", Calls: "MPI_Psend_init, MPI_Precv_init; MPI_Start, " + r.calls +
				", MPI_Wait; compared with MPI_Send, MPI_Recv",
			Builder: &kernel.Builder{Ops: ops, Rows: kernel.Partitioned, Data: kernel.Data{Packed: true,
				Sizes: bothSides}, Build: r.build}})
	}
	return append(list, partitionedByThreads())
}

// build returns a repetition: a round trip of a partitioned message, and one of a plain message. The last part of each
// partitioned message is late.
func (r readiness) build(s *kernel.Setup) *kernel.Step {
	peer, parts := s.Partner(), int(s.AxisValue)
	x := &kernel.Step{Wants: []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, peer, 0),
		s.Want(&s.Recv, s.Bytes, s.Bytes, peer, 0)}}
	out, in := s.In(&s.Send, 0, s.Bytes, peer), s.In(&s.Recv, 0, s.Bytes, peer)
	plain := s.In(&s.Recv, s.Bytes, s.Bytes, peer)
	lap := func(number int) { x.Call(mpi.Call{Op: mpi.Lap, Root: number}) }
	send := func() {
		lap(kernel.PartsBegun)
		r.send(x, out, parts, s.Options.Delay)
	}
	receive := func() {
		start := x.Receive(mpi.PrecvInit, in)
		x.Each[start].Parts = parts
		for part := range parts {
			if r.asked {
				x.Call(mpi.Call{Op: mpi.Parrived, Of: start, Part: part})
			}
		}
		x.Call(mpi.Call{Op: mpi.Wait, Of: start})
	}
	if s.Rank() == 0 {
		send()
		receive()
		lap(kernel.PartsDone)
		x.Send(mpi.Send, out)
		x.Receive(mpi.Recv, plain)
	} else {
		receive()
		send()
		lap(kernel.PartsDone)
		x.Receive(mpi.Recv, plain)
		x.Send(mpi.Send, out)
	}
	lap(kernel.PlainDone)
	return x
}

// send adds the calls of a partitioned message. A split time is taken just before the last part becomes ready.
func (r readiness) send(x *kernel.Step, out mpi.Place, parts int, delay float64) {
	start := x.Send(mpi.PsendInit, out)
	x.Each[start].Parts = parts
	order := r.order(parts)
	last := order[parts-1]
	if r.ranged && parts > 1 {
		x.Call(mpi.Call{Op: mpi.PreadyRange, Of: start, Parts: parts - 1})
	}
	for _, part := range order[:parts-1] {
		if !r.ranged {
			x.Call(mpi.Call{Op: mpi.Pready, Of: start, Part: part})
		}
	}
	if delay > 0 {
		x.Call(mpi.Call{Op: mpi.Compute, Seconds: delay})
	}
	x.Call(mpi.Call{Op: mpi.Lap, Root: kernel.PartsReady})
	x.Call(mpi.Call{Op: mpi.Pready, Of: start, Part: last})
	x.Call(mpi.Call{Op: mpi.Wait, Of: start})
}
