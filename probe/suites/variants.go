package suites

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// sendVariants holds the builders of messages between two processes that don't use a plain MPI_Send (MPIBlib manual,
// 4.6 to 4.8, 7.10).
var sendVariants = map[string]*kernel.Builder{
	"PingPong_rsend": {Ops: []mpi.Op{mpi.Irecv, mpi.Send, mpi.Recv, mpi.Rsend, mpi.Wait}, Build: pingPongReady},
	"Relayed":        {Ops: []mpi.Op{mpi.Isend, mpi.Irecv, mpi.Waitall, mpi.Recv, mpi.Send}, Build: relayed},
	"Fragments":      {Ops: []mpi.Op{mpi.Isend, mpi.Irecv, mpi.Waitall, mpi.Recv, mpi.Send}, Build: fragments},
	"Fragments_threads": {Ops: []mpi.Op{mpi.Send, mpi.Recv}, Build: fragmentsByThreads,
		Threads: kernel.Threads{Of: threadsOfAll, OneMemory: true}},
}

// piece returns the offset and length of piece i of a message that is cut into n pieces. The first piece includes the
// remainder.
func piece(bytes int64, n, i int) (start, length int64) {
	each := bytes / int64(n)
	first := each + bytes%int64(n)
	if i == 0 {
		return 0, first
	}
	return first + int64(i-1)*each, each
}

// pingPongReady is PingPong by MPI_Rsend. Each side posts its receive and announces it by an empty message. MPIBlib
// uses a barrier instead, which doesn't order the receive and the send.
func pingPongReady(s *kernel.Setup) *kernel.Step {
	x := &kernel.Step{Wants: []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, s.Partner(), 0)}}
	data, other := s.In(&s.Send, 0, s.Bytes, s.Partner()), s.In(&s.Recv, 0, s.Bytes, s.Partner())
	// If the empty message had the tag of the data, the receive that is posted for the data would take it.
	announceReady := func() {
		x.Call(mpi.Call{Op: mpi.Send, Send: x.Place(s.In(&s.Send, 0, 0, s.Partner())), Tag: readyTag})
	}
	awaitReady := func() {
		x.Call(mpi.Call{Op: mpi.Recv, Recv: x.Place(s.In(&s.Recv, 0, 0, s.Partner())), Tag: readyTag})
	}
	posted := x.Receive(mpi.Irecv, other)
	if s.Rank() == 0 {
		awaitReady()
		x.Send(mpi.Rsend, data)
		announceReady()
		x.Call(mpi.Call{Op: mpi.Wait, Of: posted})
		return x
	}
	announceReady()
	x.Call(mpi.Call{Op: mpi.Wait, Of: posted})
	awaitReady()
	x.Send(mpi.Rsend, data)
	return x
}

// readyTag is the tag of messages that announce a posted receive.
const readyTag = kernel.Tag + 1

// relayed sends a message from process 0 to process 1: one piece directly, and one through each further process. Only
// the times of the two processes count.
func relayed(s *kernel.Setup) *kernel.Step {
	x, pieces := &kernel.Step{}, s.Size()-1
	switch me := s.Rank(); me {
	case 0:
		for i := range pieces {
			start, length := piece(s.Bytes, pieces, i)
			x.Send(mpi.Isend, s.In(&s.Send, start, length, i+1))
		}
		x.Waitall()
	case 1:
		for i := range pieces {
			start, length := piece(s.Bytes, pieces, i)
			from := 0
			if i > 0 {
				from = i + 1
			}
			x.Receive(mpi.Irecv, s.In(&s.Recv, start, length, from))
		}
		x.Waitall()
		x.Wants = []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, 0, 0)}
	default:
		x.Silent = true
		start, length := piece(s.Bytes, pieces, me-1)
		x.Receive(mpi.Recv, s.In(&s.Recv, start, length, 0))
		x.Send(mpi.Send, s.In(&s.Recv, start, length, 1))
	}
	return x
}

// fragments sends the pieces of a message at the same time, and waits for an empty answer.
func fragments(s *kernel.Setup) *kernel.Step {
	x, none := &kernel.Step{}, func(a *kernel.Area) mpi.Place { return s.In(a, 0, 0, s.Partner()) }
	op, a := mpi.Isend, &s.Send
	if s.Rank() > 0 {
		op, a = mpi.Irecv, &s.Recv
		x.Wants = []kernel.Want{s.Want(a, 0, s.Bytes, 0, 0)}
	}
	for i := range s.Options.Fragments {
		start, length := piece(s.Bytes, s.Options.Fragments, i)
		if s.Rank() == 0 {
			x.Send(op, s.In(a, start, length, s.Partner()))
		} else {
			x.Receive(op, s.In(a, start, length, s.Partner()))
		}
	}
	x.Waitall()
	if s.Rank() == 0 {
		x.Receive(mpi.Recv, none(&s.Recv))
	} else {
		x.Send(mpi.Send, none(&s.Send))
	}
	return x
}

// fragmentsByThreads sends a message in pieces, one from each thread to the thread with the same number, and waits for
// an empty answer (manual, 4.7). Process 0's time counts.
func fragmentsByThreads(s *kernel.Setup) *kernel.Step {
	x := threadStep{&kernel.Step{Silent: s.Rank() > 0}, s}
	first, peer := s.Threads()[0], s.Partner()
	start, length := piece(s.Bytes, len(s.Threads()), s.Team.Thread)
	tag, leads := kernel.Tag+s.Team.Thread, s.Team.Thread == 0
	if s.Rank() == 0 {
		x.Call(mpi.Call{Op: mpi.Send, Send: x.Place(s.In(&first.Send, start, length, peer)), Tag: tag})
		if leads {
			x.Receive(mpi.Recv, s.In(&s.Recv, 0, 0, peer))
		}
		x.barrier()
		return x.Step
	}
	x.Call(mpi.Call{Op: mpi.Recv, Recv: x.Place(s.In(&first.Recv, start, length, peer)), Tag: tag})
	x.barrier()
	if leads {
		x.Send(mpi.Send, s.In(&s.Send, 0, 0, peer))
		x.Wants = []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, peer, 0)}
	}
	return x.Step
}
