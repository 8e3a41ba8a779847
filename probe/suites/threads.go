package suites

import (
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// mtKernels returns the kernels of IMB-MT 2021.11. Each thread has a separate communicator and separate memory, and
// does the same as the threads with its number on other processes.
func mtKernels() []kernel.Kernel {
	builder := func(build func(s *kernel.Setup) *kernel.Step, pairs bool, ops ...mpi.Op) *kernel.Builder {
		return &kernel.Builder{Ops: ops, Build: build, Processes: kernel.Processes{Pairs: pairs},
			Threads: kernel.Threads{Of: threadsOfAll}}
	}
	exchanged := builder(exchangeByStride, false, mpi.Isend, mpi.Recv, mpi.Waitall)
	exchanged.Data.Sizes = bothSides
	windows := func(twoWay bool) *kernel.Builder {
		r := builder(pairWindows(twoWay, (*kernel.Setup).Opposite), true, mpi.Isend, mpi.Irecv, mpi.Waitall, mpi.Send,
			mpi.Recv)
		r.Data.Sizes = answeredMemory
		return r
	}
	barriers := builder(stepOf(mpi.ThreadBarrier, mpi.Barrier), false, mpi.Barrier)
	barriers.Data.Sizes, barriers.Rows = nothing, kernel.NoLength
	collected := func(op mpi.Op, m movement) *kernel.Builder {
		r := collective{kind: mpi.Int32, movement: m}.builder([]mpi.Op{op}, blockingCall)
		r.Threads.Of, r.Barriers, r.Processes.FixedRoot, r.Data.Singles = threadsOfAll, barriersOfMT, true, false
		return r
	}
	list := []kernel.Kernel{
		{Name: "PingPongMT", Class: kernel.Parallel, Calls: "MPI_Send, MPI_Recv", Moved: 1, Divisor: 2,
			Builder: builder(pingPongByStride, true, mpi.Send, mpi.Recv)},
		{Name: "PingPingMT", Class: kernel.Parallel, Calls: "MPI_Isend, MPI_Recv, MPI_Wait", Moved: 1,
			Builder: builder(pingPingByStride, true, mpi.Isend, mpi.Recv, mpi.Wait)},
		{Name: "SendRecvMT", Class: kernel.Parallel, Calls: "MPI_Sendrecv", Moved: 2,
			Builder: builder(sendrecvByStride, false, mpi.Sendrecv)},
		{Name: "ExchangeMT", Class: kernel.Parallel, Calls: "2 MPI_Isend, 2 MPI_Recv, MPI_Waitall", Moved: 4,
			Builder: exchanged},
		{Name: "UniBandMT", Class: kernel.Band, Calls: "64 MPI_Isend one way, MPI_Waitall, an answer", Moved: 1,
			Builder: windows(false)},
		{Name: "BiBandMT", Class: kernel.Band, Calls: "64 MPI_Isend each way, MPI_Waitall, an answer", Moved: 1,
			Divisor: 2, Builder: windows(true)},
		{Name: "BarrierMT", Class: kernel.Sync, Calls: "a barrier of the threads, MPI_Barrier", Builder: barriers},
		{Name: "BcastMT", Class: kernel.Collective, Calls: "MPI_Bcast", Rooted: true,
			Builder: collected(mpi.Bcast, movement{places: wholePlaces, wants: fromRoot(0), rooted: true})},
		{Name: "ReduceMT", Class: kernel.Collective, Calls: "MPI_Reduce", Rooted: true,
			Builder: collected(mpi.Reduce, movement{places: wholePlaces, wants: sumAtRoot, rooted: true})},
		{Name: "AllReduceMT", Class: kernel.Collective, Calls: "MPI_Allreduce",
			Builder: collected(mpi.Allreduce, movement{places: wholePlaces, wants: sumEverywhere})},
	}
	for k := range lists.Elements(list) {
		k.Calls += " of each thread"
		if k.Type = mpi.Int32; k.Builder.Processes.Pairs {
			k.MinProcesses = 2
		}
	}
	return kernel.Table(kernel.MT, list, nil)
}

// barriersOfMT is the number of barriers of all threads after a collective call of IMB-MT.
const barriersOfMT = 5

func threadsOfAll(t settings.Threading, _ int) int { return max(t.Threads, 1) }

func pingPongByStride(s *kernel.Setup) *kernel.Step {
	partner, lower := s.Opposite()
	return toAndFro(s, partner, lower)
}

// toAndFro returns a step that sends a message to a partner and one back.
func toAndFro(s *kernel.Setup, partner int, lower bool) *kernel.Step {
	x := &kernel.Step{Wants: []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, partner, 0)}}
	to, from := s.In(&s.Send, 0, s.Bytes, partner), s.In(&s.Recv, 0, s.Bytes, partner)
	if lower {
		x.Send(mpi.Send, to)
	}
	x.Receive(mpi.Recv, from)
	if !lower {
		x.Send(mpi.Send, to)
	}
	return x
}

// pingPingByStride sends two messages in opposite directions at the same time.
func pingPingByStride(s *kernel.Setup) *kernel.Step {
	partner, _ := s.Opposite()
	x := &kernel.Step{Wants: []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, partner, 0)}}
	sent := x.Send(mpi.Isend, s.In(&s.Send, 0, s.Bytes, partner))
	x.Receive(mpi.Recv, s.In(&s.Recv, 0, s.Bytes, partner))
	x.Call(mpi.Call{Op: mpi.Wait, Of: sent})
	return x
}

// neighboursByStride returns the processes one stride away on both sides.
func neighboursByStride(s *kernel.Setup) (left, right int) {
	stride, n := s.Options.Threading.Apart(s.Size()), s.Size()
	return (s.Rank() - stride%n + n) % n, (s.Rank() + stride) % n
}

// sendrecvByStride sends to the right and receives from the left.
func sendrecvByStride(s *kernel.Setup) *kernel.Step {
	left, right := neighboursByStride(s)
	return sendrecvWith(s, right, left)
}

// exchangeByStride sends the same data to both sides, and receives from both.
func exchangeByStride(s *kernel.Setup) *kernel.Step {
	left, right := neighboursByStride(s)
	x := &kernel.Step{Wants: []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, left, 0),
		s.Want(&s.Recv, s.Bytes, s.Bytes, right, 0)}}
	x.Send(mpi.Isend, s.In(&s.Send, 0, s.Bytes, left))
	x.Send(mpi.Isend, s.In(&s.Send, 0, s.Bytes, right))
	x.Receive(mpi.Recv, s.In(&s.Recv, 0, s.Bytes, left))
	x.Receive(mpi.Recv, s.In(&s.Recv, s.Bytes, s.Bytes, right))
	x.Call(mpi.Call{Op: mpi.Waitall})
	return x
}

// latencyMT is the builder of osu_latency_mt. The threads of both processes take turns with the repetitions. If only
// one thread sends, any receiving thread takes any message; otherwise each repetition has its own tag.
var latencyMT = &kernel.Builder{
	Ops: []mpi.Op{mpi.Send, mpi.Recv},
	Threads: kernel.Threads{Of: func(t settings.Threading, rank int) int {
		senders, receivers := t.Sides()
		if rank == 0 {
			return senders
		}
		return receivers
	}},
	Build: func(s *kernel.Setup) *kernel.Step {
		senders, receivers := s.Options.Threading.Sides()
		cycle := senders // to their least common multiple
		for cycle%receivers != 0 {
			cycle += senders
		}
		lower := s.Rank() == 0
		x := &kernel.Step{Silent: !lower, Cycle: int64(cycle), Wants: toAndFro(s, s.Partner(), lower).Wants}
		to, from := x.Place(s.In(&s.Send, 0, s.Bytes, s.Partner())), x.Place(s.In(&s.Recv, 0, s.Bytes, s.Partner()))
		for i := s.Team.Thread; i < cycle; i += len(s.Threads()) {
			ping, pong := 1, 2
			if senders > 1 {
				ping, pong = i, i
			}
			calls := []mpi.Call{{Op: mpi.Send, Send: to, Tag: ping}, {Op: mpi.Recv, Recv: from, Tag: pong}}
			if !lower {
				calls = []mpi.Call{{Op: mpi.Recv, Recv: from, Tag: ping}, {Op: mpi.Send, Send: to, Tag: pong}}
			}
			if lower && i > s.Team.Thread {
				x.Each = append(x.Each, s.Between()...)
			}
			x.Each = append(x.Each, calls...)
		}
		return x
	},
}
