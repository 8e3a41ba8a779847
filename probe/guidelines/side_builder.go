package guidelines

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// sideBuilder makes the step of a side on one process. The send area holds the process's data. The receive area holds
// the data that arrive, followed by intermediate data of a mock-up.
type sideBuilder struct {
	*kernel.Setup
	step       *kernel.Step
	n, p       int64 // bytes of the row, processes
	rank, root int64 // in the communicator of the calls
	send, recv int64 // bytes used of the areas
	sizing     bool  // only these are wanted: calls and expected data can be long lists
	isReversed bool  // the communicator has the processes in reverse order
}

// side adds the calls of one side, and the data that they must leave.
type side func(b *sideBuilder)

// newSideBuilder returns the builder of a setup's process. Processes outside of the group have the root's builder.
func newSideBuilder(s *kernel.Setup) *sideBuilder {
	b := &sideBuilder{Setup: s, step: &kernel.Step{}, n: s.Bytes, p: int64(s.Size()), rank: kernel.Root,
		root: kernel.Root}
	if s.Comm != nil {
		b.rank = int64(s.Rank())
	}
	return b
}

// in returns a place in the send area, and out one in the receive area.
func (b *sideBuilder) in(at, length int64) mpi.Place {
	b.send = max(b.send, at+length)
	return b.In(&b.Send, at, length, 0)
}

func (b *sideBuilder) out(at, length int64) mpi.Place {
	b.recv = max(b.recv, at+length)
	return b.In(&b.Recv, at, length, 0)
}

// parts returns adjacent places of equal length, one for each process, which begin at an offset.
func (b *sideBuilder) parts(area func(at, length int64) mpi.Place, at, length int64) (list []mpi.Place) {
	list = make([]mpi.Place, b.p)
	for peer := range list {
		list[peer] = area(at+int64(peer)*length, length)
		list[peer].Peer = peer
	}
	return list
}

func one(p mpi.Place) []mpi.Place { return []mpi.Place{p} }

// to returns the place with a peer.
func to(peer int64, p mpi.Place) mpi.Place {
	p.Peer = int(peer)
	return p
}

func (b *sideBuilder) call(op mpi.Op, send, recv []mpi.Place) int {
	if b.sizing {
		return 0
	}
	first := len(b.step.Places)
	b.step.Places = append(append(b.step.Places, send...), recv...)
	return b.step.Call(mpi.Call{Op: op, Send: mpi.Span{First: first, Count: len(send)},
		Recv: mpi.Span{First: first + len(send), Count: len(recv)}, Root: int(b.root), Reduce: mpi.Sum,
		Tag: kernel.Tag})
}

func (b *sideBuilder) wait(call int) {
	if !b.sizing {
		b.step.Call(mpi.Call{Op: mpi.Wait, Of: call})
	}
}

// block returns the length of a process's block, if all data are divided into equal numbers of elements.
func (b *sideBuilder) block(bytes int64) int64 { return settings.RoundUp((bytes+b.p-1)/b.p, b.Unit()) }

// half returns half of a number of bytes, rounded up to whole elements.
func (b *sideBuilder) half(bytes int64) int64 { return settings.RoundUp((bytes+1)/2, b.Unit()) }

// want adds data that must arrive at an offset of the receive area from a rank in the communicator of the calls.
func (b *sideBuilder) want(at, length, sender, position int64) {
	if b.sizing {
		return
	}
	if b.isReversed {
		sender = b.p - 1 - sender
	}
	b.step.Wants = append(b.step.Wants, b.Want(&b.Recv, at, length, int(sender), position))
}

// sum adds the sum over all processes that must arrive.
func (b *sideBuilder) sum(at, length, position int64) { b.prefix(at, length, position, b.p) }

// prefix adds the sum over the first processes that must arrive.
func (b *sideBuilder) prefix(at, length, position, processes int64) {
	if b.sizing {
		return
	}
	w := b.Prefix(&b.Recv, length, position, int(processes))
	w.At += at
	b.step.Wants = append(b.step.Wants, w)
}

// onRoot calls want only on the root.
func (b *sideBuilder) onRoot(want func()) {
	if b.rank == b.root {
		want()
	}
}

// build returns the builder of a side.
func build(of side, s *kernel.Setup) *sideBuilder {
	b := newSideBuilder(s)
	of(b)
	return b
}
