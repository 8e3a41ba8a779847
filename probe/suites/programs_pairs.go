package suites

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// window is the number of messages that a process of Oneway_pairs sends before it waits for the answer.
const window = 16

// pairBuilders holds the builders of the kernels of pairs (MPIBlib manual, 7.7 and 9.18).
var pairBuilders = map[string]*kernel.Builder{
	"Roundtrip":       {Ops: []mpi.Op{mpi.Send, mpi.Recv}, Build: roundtrip, Lap: kernel.SinceReady},
	"Roundtrip_pairs": {Ops: []mpi.Op{mpi.Send, mpi.Recv}, Build: roundtrip, Lap: kernel.SinceReady},
	"Oneway_pairs": {Ops: []mpi.Op{mpi.Send, mpi.Recv, mpi.Isend, mpi.Irecv, mpi.Waitall}, Build: oneway,
		Lap: kernel.SinceReady, Data: kernel.Data{Sizes: windowMemory, Packed: true}, Directed: true},
}

// roundtrip sends a message back and forth. The partner first announces with an empty message that it is ready; this
// isn't timed.
func roundtrip(s *kernel.Setup) *kernel.Step {
	with := s.PairedWith()
	x := &kernel.Step{
		Places: []mpi.Place{
			s.In(&s.Send, 0, s.Bytes, with.Peer), s.In(&s.Recv, 0, s.Bytes, with.Peer),
			s.In(&s.Send, 0, 0, with.Peer), s.In(&s.Recv, 0, 0, with.Peer),
		},
		Wants: []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, with.Peer, 0)},
	}
	send, recv := mpi.Call{Op: mpi.Send, Send: mpi.One(0), Tag: kernel.Tag}, mpi.Call{Op: mpi.Recv, Recv: mpi.One(1),
		Tag: kernel.Tag}
	if ready := (mpi.Call{Op: mpi.Send, Send: mpi.One(2), Tag: kernel.Tag}); !with.Measures {
		if x.Silent = s.Run.Series == nil || !s.Run.Series.Synchronised; x.Silent {
			x.Each = []mpi.Call{ready, recv, send}
		} else { // the timing max uses the slower process's time
			x.Each = []mpi.Call{ready, {Op: mpi.Lap, Root: kernel.BeforeReady}, recv, send,
				{Op: mpi.Lap, Root: kernel.SinceReady}}
		}
		return x
	}
	x.Each = []mpi.Call{
		{Op: mpi.Recv, Recv: mpi.One(3), Tag: kernel.Tag},
		{Op: mpi.Lap, Root: kernel.BeforeReady},
		send, recv,
		{Op: mpi.Lap, Root: kernel.SinceReady},
	}
	return x
}

// oneway sends a window of messages one way, answered by an empty message when all have arrived. Both ends of the time
// are on the sender's clock. The time depends on the bandwidth of this direction; the other one only carries the
// answer. The receiver is ready once it has started all receives.
func oneway(s *kernel.Setup) *kernel.Step {
	with := s.PairedWith()
	x := &kernel.Step{Places: []mpi.Place{s.In(&s.Send, 0, 0, with.Peer), s.In(&s.Recv, 0, 0, with.Peer)}}
	const emptySend, emptyRecv, first = 0, 1, 2
	if with.Measures {
		x.Places = append(x.Places, s.In(&s.Send, 0, s.Bytes, with.Peer))
		x.Each = append(x.Each, mpi.Call{Op: mpi.Recv, Recv: mpi.One(emptyRecv), Tag: kernel.Tag},
			mpi.Call{Op: mpi.Lap, Root: kernel.BeforeReady})
		for range window {
			x.Each = append(x.Each, mpi.Call{Op: mpi.Isend, Send: mpi.One(first), Tag: kernel.Tag})
		}
		x.Each = append(x.Each, mpi.Call{Op: mpi.Waitall},
			mpi.Call{Op: mpi.Recv, Recv: mpi.One(emptyRecv), Tag: kernel.Tag}, mpi.Call{Op: mpi.Lap,
				Root: kernel.SinceReady})
		return x
	}
	x.Silent = true
	for i := range int64(window) {
		x.Places = append(x.Places, s.In(&s.Recv, i*s.Bytes, s.Bytes, with.Peer))
		x.Wants = append(x.Wants, s.Want(&s.Recv, i*s.Bytes, s.Bytes, with.Peer, 0))
		x.Each = append(x.Each, mpi.Call{Op: mpi.Irecv, Recv: mpi.One(first + int(i)), Tag: kernel.Tag})
	}
	empty := mpi.Call{Op: mpi.Send, Send: mpi.One(emptySend), Tag: kernel.Tag}
	x.Each = append(x.Each, empty, mpi.Call{Op: mpi.Waitall}, empty)
	return x
}

// windowMemory returns the memory of a process that sends, and then receives, a window of messages.
func windowMemory(s *kernel.Setup) (send, recv int64) { return s.Bytes, window * s.Bytes }
