package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// osuKernels returns the tests of the OSU micro-benchmarks 7.4, named after its programs.
func osuKernels() []kernel.Kernel {
	return slices.Concat(osuMessages(), osuOneSided(), osuCollectives(), osuNeighbours(), osuPersistent(), osuStart())
}

// osuMessages returns the tests of point-to-point messages.
func osuMessages() []kernel.Kernel {
	messages := []mpi.Op{mpi.Send, mpi.Recv}
	paired := func(barriers int) *kernel.Builder {
		return &kernel.Builder{Ops: messages, Build: pairedPingPong, Processes: kernel.Processes{Pairs: true},
			Barriers: barriers}
	}
	window := func(twoWay bool, barriers int) *kernel.Builder { return osuWindow(usualWindow, twoWay, barriers) }
	return kernel.Table(kernel.OSU, []kernel.Kernel{
		{Name: "osu_latency", Class: kernel.Averaged, Calls: "MPI_Send, MPI_Recv", Moved: 1, Divisor: 2, Active: 2,
			Builder: &kernel.Builder{Ops: messages, Build: pairedPingPong}},
		{Name: "osu_bw", Class: kernel.Stream, Calls: "64 MPI_Isend one way, MPI_Waitall, an answer", Moved: 1,
			Active: 2, Builder: window(false, 0)},
		{Name: "osu_bibw", Class: kernel.Stream, Calls: "64 MPI_Isend each way, MPI_Waitall", Moved: 2, Active: 2,
			Builder: window(true, 0)},
		{Name: "osu_mbw_mr", Class: kernel.Stream, Calls: "64 MPI_Isend one way, MPI_Waitall, an answer, of all pairs",
			Moved: 1, MinProcesses: 2, Builder: window(false, 2)},
		{Name: "osu_multi_lat", Class: kernel.Averaged, Calls: "MPI_Send, MPI_Recv of all pairs", Moved: 1, Divisor: 2,
			MinProcesses: 2, Builder: paired(1)},
		{Name: "osu_latency_mt", Class: kernel.Averaged, Calls: "MPI_Send, MPI_Recv of threads in turn", Moved: 1,
			Divisor: 2, Active: 2, Builder: latencyMT},
		{Name: "osu_latency_mp", Class: kernel.Averaged, Calls: "MPI_Send, MPI_Recv after a barrier", Moved: 1,
			Divisor: 2, Active: 2, Builder: &kernel.Builder{Ops: messages, Build: pairedPingPong, Barriers: 1}},
		{Name: "osu_bw_fan_out", Class: kernel.Stream, Moved: 1, MinProcesses: 2, Builder: osuFan(false),
			Calls: "64 MPI_Isend of each process of a node to one of each other node, MPI_Waitall, answers"},
		{Name: "osu_bw_fan_in", Class: kernel.Stream, Moved: 1, MinProcesses: 2, Builder: osuFan(true),
			Calls: "64 MPI_Isend to each process of a node from one of each other node, MPI_Waitall, an answer"},
	}, nil)
}

// paired returns the partner of this process, half of the ranks away, and whether this process is the lower one of the
// two. The number of processes must be even.
func paired(s *kernel.Setup) (partner int, lower bool) {
	half := s.Size() / 2
	return (s.Rank() + half) % s.Size(), !s.Second()
}

// pairedPingPong sends a message back and forth between the processes of each pair. The lower process's clock gives the
// time.
func pairedPingPong(s *kernel.Setup) *kernel.Step {
	partner, lower := paired(s)
	x := toAndFro(s, partner, lower)
	x.Silent = !lower
	return x
}

// osuWindowMemory returns the memory of the messages of a window and of the byte that answers them. The messages share
// memory, unless the settings give each message separate memory.
func osuWindowMemory(s *kernel.Setup) (send, recv int64) {
	n := s.Bytes
	if s.Options.OSU.Apart {
		n *= s.Messages()
	}
	return n + 1, n + 1
}

// osuWindowStep returns the builder of a window of messages between the processes of each pair: either one way,
// answered by a byte, or both ways without an answer.
func osuWindowStep(c windowCalls, twoWay bool) func(s *kernel.Setup) *kernel.Step {
	return func(s *kernel.Setup) *kernel.Step {
		partner, lower := paired(s)
		x := &kernel.Step{Silent: !lower}
		window := func(a *kernel.Area, call func(p mpi.Place)) {
			for i := range s.Messages() {
				at := int64(0)
				if s.Options.OSU.Apart {
					at = i * s.Bytes
				}
				call(s.In(a, at, s.Bytes, partner))
			}
		}
		if twoWay || !lower {
			window(&s.Recv, func(p mpi.Place) { x.Receive(c.recv, p) })
			x.Wants = []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, partner, 0)}
		}
		if twoWay || lower {
			window(&s.Send, func(p mpi.Place) { x.Send(c.send, p) })
		}
		x.Call(mpi.Call{Op: mpi.Waitall})
		send, recv := osuWindowMemory(s)
		answer := func(a *kernel.Area, end int64) mpi.Place {
			return mpi.Place{Space: a.Buffer, Offset: end - 1, Length: 1, Peer: partner}
		}
		switch {
		case twoWay:
		case lower:
			x.Receive(mpi.Recv, answer(&s.Recv, recv))
		default:
			x.Send(mpi.Send, answer(&s.Send, send))
		}
		return x
	}
}

// osuFan returns the builder of windows of messages between each process of the first node and the corresponding
// process of every other node. If in is set, they go to the first node, otherwise from it. Each sender's messages have
// separate memory.
func osuFan(in bool) *kernel.Builder {
	r := osuWindow(usualWindow, false, 0)
	r.Processes.Fan = true
	r.Data.Sizes = func(s *kernel.Setup) (send, recv int64) {
		send, recv = osuWindowMemory(s)
		if in {
			recv = (recv-1)*int64(s.Size()/max(s.PerNode, 1)-1) + 1
		}
		return send, recv
	}
	r.Build = func(s *kernel.Setup) *kernel.Step {
		perNode := max(s.PerNode, 1)
		first := s.Rank() < perNode
		peers := []int{s.Rank() % perNode}
		if first {
			peers = peers[:0]
			for peer := s.Rank() + perNode; peer < s.Size(); peer += perNode {
				peers = append(peers, peer)
			}
		}
		sends := first != in
		x := &kernel.Step{Silent: !sends}
		own, _ := osuWindowMemory(s)
		for i := range s.Messages() {
			for n, peer := range peers {
				at := int64(0)
				if s.Options.OSU.Apart {
					at = i * s.Bytes
				}
				if sends {
					x.Send(mpi.Isend, s.In(&s.Send, at, s.Bytes, peer))
					continue
				}
				at += int64(n) * (own - 1)
				x.Receive(mpi.Irecv, s.In(&s.Recv, at, s.Bytes, peer))
				if i == 0 {
					x.Wants = append(x.Wants, s.Want(&s.Recv, at, s.Bytes, peer, 0))
				}
			}
		}
		x.Call(mpi.Call{Op: mpi.Waitall})
		send, recv := r.Data.Sizes(s)
		for _, peer := range peers {
			if sends {
				x.Receive(mpi.Recv, mpi.Place{Space: s.Recv.Buffer, Offset: recv - 1, Length: 1, Peer: peer})
			} else {
				x.Send(mpi.Send, mpi.Place{Space: s.Send.Buffer, Offset: send - 1, Length: 1, Peer: peer})
			}
		}
		return x
	}
	return r
}

// osuCollectives returns the tests of collective calls: blocking ones, and nonblocking ones that overlap with
// computing.
func osuCollectives() []kernel.Kernel {
	var blocking, starting []kernel.Kernel
	for _, c := range osuMovements() {
		name := strings.ToLower(c.name)
		k := kernel.Kernel{Name: "osu_" + name, Class: kernel.Averaged, Type: c.kind, MinProcesses: 2,
			Calls: c.blocking.String()}
		k.Builder = c.builder([]mpi.Op{c.blocking}, blockingCall)
		if c.blocking != mpi.Barrier {
			k.Builder.Barriers = 1
		}
		blocking = append(blocking, k)

		k.Name, k.Class = "osu_i"+name, kernel.OverlapParts
		k.Calls = fmt.Sprintf("%v, computing, MPI_Wait", c.starting)
		k.Builder = c.builder([]mpi.Op{c.starting, mpi.Wait}, startComputeWait)
		k.Builder.Barriers, k.Builder.MoreOps = 1, osuTests
		starting = append(starting, k)
	}
	return kernel.Table(kernel.OSU, append(blocking, starting...), nil)
}

// osuTests returns MPI_Test if the settings ask for calls of it.
func osuTests(_ *kernel.Kernel, s *settings.Settings) []mpi.Op {
	if s.OSU.Tests > 0 {
		return []mpi.Op{mpi.Test}
	}
	return nil
}

// startComputeWait returns the calls of a nonblocking operation, with or without computing. With it the clock is read
// before and after each part, as OSU does.
func startComputeWait(s *kernel.Setup, c mpi.Call) []mpi.Call {
	if !s.Run.Overlapped {
		return []mpi.Call{c, {Op: mpi.Wait, Of: 0}}
	}
	between := mpi.Call{Op: mpi.Lap, Root: kernel.Elsewhere}
	calls := []mpi.Call{between, c, {Op: mpi.Lap, Root: kernel.Starting}, between}
	n := max(s.Options.OSU.Tests, 1)
	for range n {
		calls = append(calls, mpi.Call{Op: mpi.Compute, Seconds: s.Run.Seconds / float64(n)},
			mpi.Call{Op: mpi.Lap, Root: kernel.Computing})
		if s.Options.OSU.Tests > 0 {
			calls = append(calls, mpi.Call{Op: mpi.Test, Of: 1}, mpi.Call{Op: mpi.Lap, Root: kernel.Testing})
		}
	}
	return append(calls, between, mpi.Call{Op: mpi.Wait, Of: 1}, mpi.Call{Op: mpi.Lap, Root: kernel.Waited})
}

// osuBlock returns the bytes of a process's block in a reduction of s.Bytes in all, rounded down to whole elements.
func osuBlock(s *kernel.Setup) int64 { return s.Bytes / s.Unit() / int64(s.Size()) * s.Unit() }

func osuBlockMemory(s *kernel.Setup) (send, recv int64) {
	return int64(s.Size()) * osuBlock(s), osuBlock(s)
}

func sumOfOSUBlock(s *kernel.Setup, _ int) []kernel.Want {
	return []kernel.Want{s.Sum(&s.Recv, osuBlock(s), int64(s.Rank())*osuBlock(s))}
}
