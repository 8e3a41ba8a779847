package suites

import (
	"cmp"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// imb2021Kernels holds the builders of IMB-MPI1's kernels that aren't in the guide.
var imb2021Kernels = map[string]*kernel.Builder{
	"PingPongAnySource": {Ops: []mpi.Op{mpi.Send, mpi.Recv}, Build: pingPong(true)},
	"PingPingAnySource": {Ops: []mpi.Op{mpi.Isend, mpi.Recv, mpi.Wait}, Build: pingPing(true)},
	"Reduce_local":      {Ops: []mpi.Op{mpi.Combine}, Build: reduceLocal},
	"Uniband": {Ops: []mpi.Op{mpi.Isend, mpi.Irecv, mpi.Waitall, mpi.Send, mpi.Recv}, Build: pairWindows(false, paired),
		Data: kernel.Data{Sizes: answeredMemory}},
	"Biband": {Ops: []mpi.Op{mpi.Isend, mpi.Irecv, mpi.Waitall, mpi.Send, mpi.Recv}, Build: pairWindows(true, paired),
		Data: kernel.Data{Sizes: answeredMemory}},
}

// reduceLocal repeatedly adds the same numbers, without any communication.
func reduceLocal(s *kernel.Setup) *kernel.Step {
	x := &kernel.Step{
		Places: []mpi.Place{s.In(&s.Send, 0, s.Bytes, s.Rank()), s.In(&s.Recv, 0, s.Bytes, s.Rank())},
		Each:   []mpi.Call{{Op: mpi.Combine, Send: mpi.One(0), Recv: mpi.One(1), Reduce: mpi.Sum}},
	}
	if hits := s.Hits(&s.Recv); kernel.Float32HoldsSum(1, hits) {
		x.Wants = []kernel.Want{s.WithForm(kernel.Want{Area: &s.Recv, Length: s.Bytes, Fill: kernel.Numbers(s.Kind(),
			s.Rank(), hits),
			Unit: s.Kind().Size(), Kind: s.Kind()})}
	}
	return x
}

// answeredMemory returns the memory of a message, and of the byte that answers a window of messages.
func answeredMemory(s *kernel.Setup) (send, recv int64) { return s.Bytes + 1, s.Bytes + 1 }

// pairWindows returns a step of pairs of processes. The lower process, or both, send a window of messages and wait for
// the other's answer. As in IMB, all messages of a window share memory.
func pairWindows(twoWay bool, pair func(*kernel.Setup) (partner int, lower bool)) func(s *kernel.Setup) *kernel.Step {
	return func(s *kernel.Setup) *kernel.Step {
		partner, lower := pair(s)
		answer := func(a *kernel.Area) mpi.Place {
			return mpi.Place{Space: a.Buffer, Offset: s.Bytes * s.Form().Stride(), Length: 1, Peer: partner}
		}
		x := &kernel.Step{Places: []mpi.Place{s.In(&s.Send, 0, s.Bytes, partner), s.In(&s.Recv, 0, s.Bytes, partner),
			answer(&s.Send), answer(&s.Recv)}}
		window := func(c mpi.Call) {
			for range cmp.Or(s.Rules.Window, settings.Default.Window) {
				x.Each = append(x.Each, c)
			}
		}
		if twoWay || !lower {
			window(mpi.Call{Op: mpi.Irecv, Recv: mpi.One(1), Tag: kernel.Tag})
			x.Wants = []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, partner, 0)}
		}
		if twoWay || lower {
			window(mpi.Call{Op: mpi.Isend, Send: mpi.One(0), Tag: kernel.Tag})
		}
		x.Each = append(x.Each, mpi.Call{Op: mpi.Waitall})
		if lower {
			x.Each = append(x.Each, mpi.Call{Op: mpi.Recv, Recv: mpi.One(3), Tag: kernel.Tag})
		} else {
			x.Each = append(x.Each, mpi.Call{Op: mpi.Send, Send: mpi.One(2), Tag: kernel.Tag})
		}
		return x
	}
}

// scatterBlock is Reduce_scatter_block, in which each process gets the sum of its own block.
var scatterBlock = collective{"Reduce_scatter_block", mpi.ReduceScatterBlock, mpi.IreduceScatterBlock, mpi.Float32,
	movement{memory: allToOne, places: wholePlaces, wants: sumOfBlock}}

func sumOfBlock(s *kernel.Setup, _ int) []kernel.Want {
	return []kernel.Want{s.Sum(&s.Recv, s.Bytes, int64(s.Rank())*s.Bytes)}
}
