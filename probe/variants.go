package probe

import (
	"github.com/effective-bandwidth/beff/mpi"
)

// variants holds the recipes of messages between two processes that go in other ways than by MPI_Send (MPIBlib manual,
// 4.6 to 4.8, 7.10).
var variants = map[string]*recipe{
	"PingPong_rsend": {ops: []mpi.Op{mpi.Irecv, mpi.Send, mpi.Recv, mpi.Rsend, mpi.Wait}, build: pingPongReady},
	"Relayed":        {ops: []mpi.Op{mpi.Isend, mpi.Irecv, mpi.Waitall, mpi.Recv, mpi.Send}, build: relayed},
	"Fragments":      {ops: []mpi.Op{mpi.Isend, mpi.Irecv, mpi.Waitall, mpi.Recv, mpi.Send}, build: fragments},
}

// Default numbers of the variants.
const (
	DefaultRelays    = 2 // processes that pass on a piece each, or as many as there are
	DefaultFragments = 4 // pieces
	mostPieces       = 1 << 16
)

// piece returns a piece of a message that is cut into n of them. The first one has the remainder.
func piece(bytes int64, n, i int) (start, length int64) {
	each := bytes / int64(n)
	first := each + bytes%int64(n)
	if i == 0 {
		return 0, first
	}
	return first + int64(i-1)*each, each
}

// pingPongReady is PingPong by MPI_Rsend: each side posts its receive and says so by an empty message. The original
// has a barrier instead, which doesn't order the two.
func pingPongReady(s *scene) *step {
	x := &step{wants: []want{s.want(&s.recv, 0, s.bytes, s.partner(), 0)}}
	data, other := s.in(&s.send, 0, s.bytes, s.partner()), s.in(&s.recv, 0, s.bytes, s.partner())
	// With the tag of the data, the receive that is posted for these would take the empty message.
	say := func() {
		x.call(mpi.Call{Op: mpi.Send, Send: x.place(s.in(&s.send, 0, 0, s.partner())), Tag: readyTag})
	}
	hear := func() {
		x.call(mpi.Call{Op: mpi.Recv, Recv: x.place(s.in(&s.recv, 0, 0, s.partner())), Tag: readyTag})
	}
	posted := x.receive(mpi.Irecv, other)
	if s.rank() == 0 {
		hear()
		x.send(mpi.Rsend, data)
		say()
		x.call(mpi.Call{Op: mpi.Wait, Of: posted})
		return x
	}
	say()
	x.call(mpi.Call{Op: mpi.Wait, Of: posted})
	hear()
	x.send(mpi.Rsend, data)
	return x
}

// readyTag is the tag of messages that say that a receive is posted.
const readyTag = tag + 1

// relayed sends a message from process 0 to process 1: a piece directly, and one through each further process. The time
// is that of the two, without the helpers'.
func relayed(s *scene) *step {
	x, pieces := &step{}, s.size()-1
	switch me := s.rank(); me {
	case 0:
		for i := range pieces {
			start, length := piece(s.bytes, pieces, i)
			x.send(mpi.Isend, s.in(&s.send, start, length, i+1))
		}
		x.waitall()
	case 1:
		for i := range pieces {
			start, length := piece(s.bytes, pieces, i)
			from := 0
			if i > 0 {
				from = i + 1
			}
			x.receive(mpi.Irecv, s.in(&s.recv, start, length, from))
		}
		x.waitall()
		x.wants = []want{s.want(&s.recv, 0, s.bytes, 0, 0)}
	default:
		x.silent = true
		start, length := piece(s.bytes, pieces, me-1)
		x.receive(mpi.Recv, s.in(&s.recv, start, length, 0))
		x.send(mpi.Send, s.in(&s.recv, start, length, 1))
	}
	return x
}

// fragments sends a message in pieces at the same time, and waits for an empty answer.
func fragments(s *scene) *step {
	x, none := &step{}, func(a *area) mpi.Place { return s.in(a, 0, 0, s.partner()) }
	op, a := mpi.Isend, &s.send
	if s.rank() > 0 {
		op, a = mpi.Irecv, &s.recv
		x.wants = []want{s.want(a, 0, s.bytes, 0, 0)}
	}
	for i := range s.fragments {
		start, length := piece(s.bytes, s.fragments, i)
		if s.rank() == 0 {
			x.send(op, s.in(a, start, length, s.partner()))
		} else {
			x.receive(op, s.in(a, start, length, s.partner()))
		}
	}
	x.waitall()
	if s.rank() == 0 {
		x.receive(mpi.Recv, none(&s.recv))
	} else {
		x.send(mpi.Send, none(&s.send))
	}
	return x
}
