package probe

import "github.com/effective-bandwidth/beff/mpi"

// window is the number of messages that a process of Oneway_pairs sends before it waits for the answer.
const window = 16

// pairRecipes holds the recipes of the kernels of pairs (MPIBlib manual, 7.7 and 9.18).
var pairRecipes = map[string]*recipe{
	"Roundtrip":       {ops: []mpi.Op{mpi.Send, mpi.Recv}, build: roundtrip, lap: sinceReady},
	"Roundtrip_pairs": {ops: []mpi.Op{mpi.Send, mpi.Recv}, build: roundtrip, lap: sinceReady},
	"Oneway_pairs": {ops: []mpi.Op{mpi.Send, mpi.Recv, mpi.Isend, mpi.Irecv, mpi.Waitall}, build: oneway,
		lap: sinceReady, memory: windowed, packed: true, directed: true},
}

// roundtrip sends a message there and back. The partner says with an empty message that it is ready, before the clock
// is read: it isn't in the time.
func roundtrip(s *scene) *step {
	with := s.met()
	x := &step{
		places: []mpi.Place{
			s.in(&s.send, 0, s.bytes, with.peer), s.in(&s.recv, 0, s.bytes, with.peer),
			s.in(&s.send, 0, 0, with.peer), s.in(&s.recv, 0, 0, with.peer),
		},
		wants: []want{s.want(&s.recv, 0, s.bytes, with.peer, 0)},
	}
	send, recv := mpi.Call{Op: mpi.Send, Send: mpi.One(0), Tag: tag}, mpi.Call{Op: mpi.Recv, Recv: mpi.One(1), Tag: tag}
	if !with.measures {
		x.silent = true
		x.each = []mpi.Call{{Op: mpi.Send, Send: mpi.One(2), Tag: tag}, recv, send}
		return x
	}
	x.each = []mpi.Call{
		{Op: mpi.Recv, Recv: mpi.One(3), Tag: tag},
		{Op: mpi.Lap, Root: beforeReady},
		send, recv,
		{Op: mpi.Lap, Root: sinceReady},
	}
	return x
}

// oneway sends a window of messages one way, and an empty answer when all are there. Both ends of the time are of the
// sender's clock. A direction that moves fewer bytes per second makes it longer, and the other direction only carries
// the answer. The receiver is ready once it has started all receives.
func oneway(s *scene) *step {
	with := s.met()
	x := &step{places: []mpi.Place{s.in(&s.send, 0, 0, with.peer), s.in(&s.recv, 0, 0, with.peer)}}
	const emptySend, emptyRecv, first = 0, 1, 2
	if with.measures {
		x.places = append(x.places, s.in(&s.send, 0, s.bytes, with.peer))
		x.each = append(x.each, mpi.Call{Op: mpi.Recv, Recv: mpi.One(emptyRecv), Tag: tag},
			mpi.Call{Op: mpi.Lap, Root: beforeReady})
		for range window {
			x.each = append(x.each, mpi.Call{Op: mpi.Isend, Send: mpi.One(first), Tag: tag})
		}
		x.each = append(x.each, mpi.Call{Op: mpi.Waitall},
			mpi.Call{Op: mpi.Recv, Recv: mpi.One(emptyRecv), Tag: tag}, mpi.Call{Op: mpi.Lap, Root: sinceReady})
		return x
	}
	x.silent = true
	for i := range int64(window) {
		x.places = append(x.places, s.in(&s.recv, i*s.bytes, s.bytes, with.peer))
		x.wants = append(x.wants, s.want(&s.recv, i*s.bytes, s.bytes, with.peer, 0))
		x.each = append(x.each, mpi.Call{Op: mpi.Irecv, Recv: mpi.One(first + int(i)), Tag: tag})
	}
	empty := mpi.Call{Op: mpi.Send, Send: mpi.One(emptySend), Tag: tag}
	x.each = append(x.each, empty, mpi.Call{Op: mpi.Waitall}, empty)
	return x
}

// windowed is the memory of a process that sends, and then receives, a window of messages.
func windowed(s *scene) (send, recv int64) { return s.bytes, window * s.bytes }
