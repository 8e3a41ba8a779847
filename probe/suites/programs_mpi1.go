package suites

import (
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"maps"
)

// mpi1 holds the builders of IMB-MPI1 (guide, "MPI-1 Benchmarks").
var mpi1 = map[string]*kernel.Builder{
	"PingPong":               {Ops: []mpi.Op{mpi.Send, mpi.Recv}, Build: pingPong(true)},
	"PingPongSpecificSource": {Ops: []mpi.Op{mpi.Send, mpi.Recv}, Build: pingPong(false)},
	"PingPing":               {Ops: []mpi.Op{mpi.Isend, mpi.Recv, mpi.Wait}, Build: pingPing(true)},
	"PingPingSpecificSource": {Ops: []mpi.Op{mpi.Isend, mpi.Recv, mpi.Wait}, Build: pingPing(false)},
	"Sendrecv":               {Ops: []mpi.Op{mpi.Sendrecv}, Build: sendrecv},
	"Exchange": {Ops: []mpi.Op{mpi.Isend, mpi.Recv, mpi.Waitall}, Build: exchange, Data: kernel.Data{Sizes: twice,
		Singles: true}},
	"Barrier": {Ops: []mpi.Op{mpi.Barrier}, Build: stepOf(mpi.Barrier), Data: kernel.Data{Sizes: nothing},
		Rows: kernel.NoLength},
}

// mpi1Builders returns the builders of IMB-MPI1's kernels, by name.
func mpi1Builders() map[string]*kernel.Builder {
	all := map[string]*kernel.Builder{}
	maps.Copy(all, mpi1)
	maps.Copy(all, imb2021Kernels)
	for _, c := range append([]collective{scatterBlock}, collectives...) {
		all[c.name] = c.builder([]mpi.Op{c.blocking}, blockingCall)
	}
	return all
}

func twice(s *kernel.Setup) (send, recv int64) { return 2 * s.Bytes, 2 * s.Bytes }
func nothing(*kernel.Setup) (send, recv int64) { return 0, 0 }

func sourceOf(s *kernel.Setup, any bool, peer int) int {
	// PingPong and PingPing of IMB 2021.11 name the source.
	if any && !(s.Options.IMB.Is2021() && s.Kernel.RunsByDefault(settings.ByIMB2021)) {
		return mpi.AnySource
	}
	return peer
}

// pairStep returns the two places of a kernel of two processes, and the data that must arrive.
func pairStep(s *kernel.Setup, anySource bool) *kernel.Step {
	return &kernel.Step{
		Places: []mpi.Place{
			s.In(&s.Send, 0, s.Bytes, s.Partner()),
			s.In(&s.Recv, 0, s.Bytes, sourceOf(s, anySource, s.Partner())),
		},
		Wants: []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, s.Partner(), 0)},
	}
}

// pingPong sends a message back and forth between the first and the last process.
func pingPong(anySource bool) func(s *kernel.Setup) *kernel.Step {
	return func(s *kernel.Setup) *kernel.Step {
		x := pairStep(s, anySource)
		send, recv := mpi.Call{Op: mpi.Send, Send: mpi.One(0), Tag: kernel.Tag},
			mpi.Call{Op: mpi.Recv, Recv: mpi.One(1), Tag: kernel.Tag}
		x.Each = []mpi.Call{send, recv}
		if s.Rank() > 0 {
			x.Each = []mpi.Call{recv, send}
		}
		return x
	}
}

// pingPing sends two messages in opposite directions at the same time.
func pingPing(anySource bool) func(s *kernel.Setup) *kernel.Step {
	return func(s *kernel.Setup) *kernel.Step {
		x := pairStep(s, anySource)
		x.Each = []mpi.Call{
			{Op: mpi.Isend, Send: mpi.One(0), Tag: kernel.Tag},
			{Op: mpi.Recv, Recv: mpi.One(1), Tag: kernel.Tag},
			{Op: mpi.Wait, Of: 0},
		}
		return x
	}
}

// sendrecv returns a step of a periodic chain, which sends to the right and receives from the left.
func sendrecv(s *kernel.Setup) *kernel.Step { return sendrecvWith(s, s.Right(), s.Left()) }

// sendrecvWith returns a step that sends to one process and at the same time receives from another.
func sendrecvWith(s *kernel.Setup, to, from int) *kernel.Step {
	return &kernel.Step{
		Places: []mpi.Place{s.In(&s.Send, 0, s.Bytes, to), s.In(&s.Recv, 0, s.Bytes, from)},
		Each:   []mpi.Call{{Op: mpi.Sendrecv, Send: mpi.One(0), Recv: mpi.One(1), Tag: kernel.Tag}},
		Wants:  []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, from, 0)},
	}
}

// exchange returns a step of a periodic chain that exchanges messages with both neighbours. As in IMB, both messages
// are received into the same memory, where the second one overwrites the first. That halves the memory and the use of
// caches. Another, untimed repetition receives them into separate memory, so that both are checked.
//
// With two processes, each is the other's left and right neighbour. Messages between a pair don't overtake each other,
// so the message that was sent to the right arrives first.
func exchange(s *kernel.Setup) *kernel.Step {
	second := int64(0)
	wants := []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, s.Right(), s.Bytes)}
	if s.Run.Single {
		second = s.Bytes
		wants = []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, s.Left(), 0), s.Want(&s.Recv, second, s.Bytes, s.Right(),
			s.Bytes)}
	}
	return &kernel.Step{
		Places: []mpi.Place{
			s.In(&s.Send, 0, s.Bytes, s.Right()), s.In(&s.Send, s.Bytes, s.Bytes, s.Left()),
			s.In(&s.Recv, 0, s.Bytes, s.Left()), s.In(&s.Recv, second, s.Bytes, s.Right()),
		},
		Each: []mpi.Call{
			{Op: mpi.Isend, Send: mpi.One(0), Tag: kernel.Tag},
			{Op: mpi.Isend, Send: mpi.One(1), Tag: kernel.Tag},
			{Op: mpi.Recv, Recv: mpi.One(2), Tag: kernel.Tag},
			{Op: mpi.Recv, Recv: mpi.One(3), Tag: kernel.Tag},
			{Op: mpi.Waitall},
		},
		Wants: wants,
	}
}

// stepOf returns a builder of steps that only make the given calls.
func stepOf(ops ...mpi.Op) func(*kernel.Setup) *kernel.Step {
	return func(*kernel.Setup) *kernel.Step {
		return &kernel.Step{Each: lists.Each(ops, func(op mpi.Op) mpi.Call { return mpi.Call{Op: op} })}
	}
}
