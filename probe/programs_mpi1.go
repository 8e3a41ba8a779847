package probe

import "github.com/effective-bandwidth/beff/mpi"

// mpi1 holds the recipes of IMB-MPI1 (guide, "MPI-1 Benchmarks").
var mpi1 = map[string]*recipe{
	"PingPong":               {ops: []mpi.Op{mpi.Send, mpi.Recv}, build: pingPong(true)},
	"PingPongSpecificSource": {ops: []mpi.Op{mpi.Send, mpi.Recv}, build: pingPong(false)},
	"PingPing":               {ops: []mpi.Op{mpi.Isend, mpi.Recv, mpi.Wait}, build: pingPing(true)},
	"PingPingSpecificSource": {ops: []mpi.Op{mpi.Isend, mpi.Recv, mpi.Wait}, build: pingPing(false)},
	"Sendrecv":               {ops: []mpi.Op{mpi.Sendrecv}, build: sendrecv},
	"Exchange": {ops: []mpi.Op{mpi.Isend, mpi.Recv, mpi.Waitall}, build: exchange, memory: twice,
		alone: true},
	"Barrier": {ops: []mpi.Op{mpi.Barrier}, build: barrier, memory: nothing, rows: noLength},
}

func twice(s *scene) (send, recv int64) { return 2 * s.bytes, 2 * s.bytes }
func nothing(*scene) (send, recv int64) { return 0, 0 }

func sourceOf(s *scene, any bool, peer int) int {
	if any && !(s.settings.today() && s.kernel.Default(ByToday)) { // PingPong and PingPing of today name the source
		return mpi.AnySource
	}
	return peer
}

// pairStep returns a step with the two places of a kernel of two processes, and the data that arrive.
func pairStep(s *scene, anySource bool) *step {
	return &step{
		places: []mpi.Place{
			s.in(&s.send, 0, s.bytes, s.partner()),
			s.in(&s.recv, 0, s.bytes, sourceOf(s, anySource, s.partner())),
		},
		wants: []want{s.want(&s.recv, 0, s.bytes, s.partner(), 0)},
	}
}

// pingPong sends a message to and fro between the first and the last process.
func pingPong(anySource bool) func(s *scene) *step {
	return func(s *scene) *step {
		x := pairStep(s, anySource)
		send, recv := mpi.Call{Op: mpi.Send, Send: mpi.One(0), Tag: tag},
			mpi.Call{Op: mpi.Recv, Recv: mpi.One(1), Tag: tag}
		x.each = []mpi.Call{send, recv}
		if s.rank() > 0 {
			x.each = []mpi.Call{recv, send}
		}
		return x
	}
}

// pingPing sends two messages against each other.
func pingPing(anySource bool) func(s *scene) *step {
	return func(s *scene) *step {
		x := pairStep(s, anySource)
		x.each = []mpi.Call{
			{Op: mpi.Isend, Send: mpi.One(0), Tag: tag},
			{Op: mpi.Recv, Recv: mpi.One(1), Tag: tag},
			{Op: mpi.Wait, Of: 0},
		}
		return x
	}
}

// sendrecv returns a step of a periodic chain: to the right, from the left.
func sendrecv(s *scene) *step {
	return &step{
		places: []mpi.Place{s.in(&s.send, 0, s.bytes, s.right()), s.in(&s.recv, 0, s.bytes, s.left())},
		each:   []mpi.Call{{Op: mpi.Sendrecv, Send: mpi.One(0), Recv: mpi.One(1), Tag: tag}},
		wants:  []want{s.want(&s.recv, 0, s.bytes, s.left(), 0)},
	}
}

// exchange returns a step of a periodic chain with both neighbors. As in IMB both messages are received in the same
// memory, where the second overwrites the first. That takes half of the memory and of the caches. A further repetition
// receives them in memory of their own, so that both are checked.
//
// Of two processes each is the other's left and right neighbor. Messages of a pair don't overtake each other, so the
// first to arrive is the one sent to the right.
func exchange(s *scene) *step {
	second := int64(0)
	wants := []want{s.want(&s.recv, 0, s.bytes, s.right(), s.bytes)}
	if s.single {
		second = s.bytes
		wants = []want{s.want(&s.recv, 0, s.bytes, s.left(), 0), s.want(&s.recv, second, s.bytes, s.right(), s.bytes)}
	}
	return &step{
		places: []mpi.Place{
			s.in(&s.send, 0, s.bytes, s.right()), s.in(&s.send, s.bytes, s.bytes, s.left()),
			s.in(&s.recv, 0, s.bytes, s.left()), s.in(&s.recv, second, s.bytes, s.right()),
		},
		each: []mpi.Call{
			{Op: mpi.Isend, Send: mpi.One(0), Tag: tag},
			{Op: mpi.Isend, Send: mpi.One(1), Tag: tag},
			{Op: mpi.Recv, Recv: mpi.One(2), Tag: tag},
			{Op: mpi.Recv, Recv: mpi.One(3), Tag: tag},
			{Op: mpi.Waitall},
		},
		wants: wants,
	}
}

func barrier(*scene) *step { return &step{each: []mpi.Call{{Op: mpi.Barrier}}} }
