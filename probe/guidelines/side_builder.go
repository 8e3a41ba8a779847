package guidelines

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// sideBuilder makes the step of one side of a guideline on one process. The send area holds the process's data. The
// receive area holds the data that arrive, followed by intermediate data of a mock-up.
type sideBuilder struct {
	*kernel.Setup
	step                 *kernel.Step
	bytes                int64 // message length of the row
	processes            int64
	rank, root           int64 // in the communicator of the calls
	sendBytes, recvBytes int64 // length that the side uses of each area
	sizesOnly            bool  // find only these lengths: calls and expected data can be long lists
	isReversed           bool  // the communicator has the processes in reverse order
}

// side adds the calls of one side, and the data that must have arrived after them.
type side func(b *sideBuilder)

// newSideBuilder returns the builder for the process of a setup. A process outside of the group gets the root's rank.
func newSideBuilder(s *kernel.Setup) *sideBuilder {
	b := &sideBuilder{Setup: s, step: &kernel.Step{}, bytes: s.Bytes, processes: int64(s.Size()), rank: kernel.Root,
		root: kernel.Root}
	if s.Comm != nil {
		b.rank = int64(s.Rank())
	}
	return b
}

// sendPlace returns a place in the send area.
func (b *sideBuilder) sendPlace(at, length int64) mpi.Place {
	b.sendBytes = max(b.sendBytes, at+length)
	return b.In(&b.Send, at, length, 0)
}

// recvPlace returns a place in the receive area.
func (b *sideBuilder) recvPlace(at, length int64) mpi.Place {
	b.recvBytes = max(b.recvBytes, at+length)
	return b.In(&b.Recv, at, length, 0)
}

// parts returns adjacent places of equal length in an area, one for each process. The first one is at an offset.
func (b *sideBuilder) parts(area func(at, length int64) mpi.Place, at, length int64) (list []mpi.Place) {
	list = make([]mpi.Place, b.processes)
	for peer := range list {
		list[peer] = area(at+int64(peer)*length, length)
		list[peer].Peer = peer
	}
	return list
}

// one returns a list of one place.
func one(p mpi.Place) []mpi.Place { return []mpi.Place{p} }

// withPeer returns the place with a peer.
func withPeer(peer int64, p mpi.Place) mpi.Place {
	p.Peer = int(peer)
	return p
}

// call adds a call between places, and returns its index for wait.
func (b *sideBuilder) call(op mpi.Op, send, recv []mpi.Place) int {
	if b.sizesOnly {
		return 0
	}
	first := len(b.step.Places)
	b.step.Places = append(append(b.step.Places, send...), recv...)
	return b.step.Call(mpi.Call{Op: op, Send: mpi.Span{First: first, Count: len(send)},
		Recv: mpi.Span{First: first + len(send), Count: len(recv)}, Root: int(b.root), Reduce: mpi.Sum,
		Tag: kernel.Tag})
}

// wait adds an MPI_Wait for the request of a call.
func (b *sideBuilder) wait(call int) {
	if !b.sizesOnly {
		b.step.Call(mpi.Call{Op: mpi.Wait, Of: call})
	}
}

// block returns the length of each process's block, if bytes are divided into equal numbers of elements.
func (b *sideBuilder) block(bytes int64) int64 {
	return settings.RoundUp((bytes+b.processes-1)/b.processes, b.Unit())
}

// half returns half of a number of bytes, rounded up to whole elements.
func (b *sideBuilder) half(bytes int64) int64 { return settings.RoundUp((bytes+1)/2, b.Unit()) }

// wantFrom adds the data that must arrive at an offset of the receive area: length bytes that begin at a position of
// the sender's send area. sender is a rank in the communicator of the calls.
func (b *sideBuilder) wantFrom(at, length, sender, position int64) {
	if b.sizesOnly {
		return
	}
	if b.isReversed {
		sender = b.processes - 1 - sender
	}
	b.step.Wants = append(b.step.Wants, b.Want(&b.Recv, at, length, int(sender), position))
}

// wantSum adds the sum over all processes, which must arrive at an offset of the receive area. The summands begin at a
// position of the send areas.
func (b *sideBuilder) wantSum(at, length, position int64) {
	b.wantPrefix(at, length, position, b.processes)
}

// wantPrefix is like wantSum, but for the sum over the first processes.
func (b *sideBuilder) wantPrefix(at, length, position, processes int64) {
	if b.sizesOnly {
		return
	}
	w := b.PrefixSum(&b.Recv, length, position, int(processes))
	w.At += at
	b.step.Wants = append(b.step.Wants, w)
}

// onRoot calls a function only on the root.
func (b *sideBuilder) onRoot(do func()) {
	if b.rank == b.root {
		do()
	}
}

// buildSide returns the step of a side.
func buildSide(of side, s *kernel.Setup) *kernel.Step {
	b := newSideBuilder(s)
	of(b)
	return b.step
}
