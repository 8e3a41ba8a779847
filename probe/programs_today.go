package probe

import "github.com/effective-bandwidth/beff/mpi"

// todaysKernels holds the recipes of IMB-MPI1's kernels that the guide doesn't have.
var todaysKernels = map[string]*recipe{
	"PingPongAnySource": {ops: []mpi.Op{mpi.Send, mpi.Recv}, build: pingPong(true)},
	"PingPingAnySource": {ops: []mpi.Op{mpi.Isend, mpi.Recv, mpi.Wait}, build: pingPing(true)},
	"Reduce_local":      {ops: []mpi.Op{mpi.Combine}, build: reduceLocal},
	"Uniband": {ops: []mpi.Op{mpi.Isend, mpi.Irecv, mpi.Waitall, mpi.Send, mpi.Recv}, build: band(false),
		memory: withAnswer},
	"Biband": {ops: []mpi.Op{mpi.Isend, mpi.Irecv, mpi.Waitall, mpi.Send, mpi.Recv}, build: band(true),
		memory: withAnswer},
}

// reduceLocal adds the same numbers again and again, without any communication.
func reduceLocal(s *scene) *step {
	x := &step{
		places: []mpi.Place{s.in(&s.send, 0, s.bytes, s.rank()), s.in(&s.recv, 0, s.bytes, s.rank())},
		each:   []mpi.Call{{Op: mpi.Combine, Send: mpi.One(0), Recv: mpi.One(1), Reduce: mpi.Sum}},
	}
	if hits := s.hits(&s.recv); exact(1, hits) {
		x.wants = []want{s.formed(want{area: &s.recv, length: s.bytes, fill: numbers(s.kind(), s.rank(), hits),
			unit: s.kind().Size()})}
	}
	return x
}

// withAnswer is the memory of a message and of the byte that answers a window of them.
func withAnswer(s *scene) (send, recv int64) { return s.bytes + 1, s.bytes + 1 }

// band returns a step of pairs of processes half of the ranks apart. The lower one sends a window of messages, or both
// do, and waits for the other's answer. As in IMB all messages of a window leave and enter the same memory.
func band(both bool) func(s *scene) *step {
	return func(s *scene) *step {
		half := s.size() / 2
		lower, partner := s.rank() < half, (s.rank()+half)%s.size()
		answer := func(a *area) mpi.Place {
			return mpi.Place{Space: a.buffer, Offset: s.bytes * s.form().Stride(), Length: 1, Peer: partner}
		}
		x := &step{places: []mpi.Place{s.in(&s.send, 0, s.bytes, partner), s.in(&s.recv, 0, s.bytes, partner),
			answer(&s.send), answer(&s.recv)}}
		window := func(c mpi.Call) {
			for range s.settings.inWindow() {
				x.each = append(x.each, c)
			}
		}
		if both || !lower {
			window(mpi.Call{Op: mpi.Irecv, Recv: mpi.One(1), Tag: tag})
			x.wants = []want{s.want(&s.recv, 0, s.bytes, partner, 0)}
		}
		if both || lower {
			window(mpi.Call{Op: mpi.Isend, Send: mpi.One(0), Tag: tag})
		}
		x.each = append(x.each, mpi.Call{Op: mpi.Waitall})
		if lower {
			x.each = append(x.each, mpi.Call{Op: mpi.Recv, Recv: mpi.One(3), Tag: tag})
		} else {
			x.each = append(x.each, mpi.Call{Op: mpi.Send, Send: mpi.One(2), Tag: tag})
		}
		return x
	}
}

// scatterBlock is the movement of Reduce_scatter_block: each process gets the sum of a length of its own.
var scatterBlock = collective{"Reduce_scatter_block", mpi.ReduceScatterBlock, mpi.IreduceScatterBlock, mpi.Float32,
	movement{memory: allToOne, places: wholes, wants: sumOfBlock}}

func sumOfBlock(s *scene, _ int) []want {
	return []want{s.sum(&s.recv, s.bytes, int64(s.rank())*s.bytes)}
}
