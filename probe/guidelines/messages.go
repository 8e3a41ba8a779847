package guidelines

import (
	"github.com/effective-bandwidth/beff/mpi"
)

// pingPong returns the side of a message back and forth between two processes. The first op sends it, the others
// complete the sending.
func pingPong(send ...mpi.Op) side {
	return func(b *sideBuilder) {
		peer := 1 - b.rank
		sending := func() {
			call := b.call(send[0], one(withPeer(peer, b.sendPlace(0, b.bytes))), nil)
			for range send[1:] {
				b.wait(call)
			}
		}
		receiving := func() { b.call(mpi.Recv, nil, one(withPeer(peer, b.recvPlace(0, b.bytes)))) }
		b.roundTrip(sending, receiving)
		b.wantFrom(0, b.bytes, peer, 0)
	}
}

// roundTrip lets process 0 send first, and process 1 receive first.
func (b *sideBuilder) roundTrip(sending, receiving func()) {
	if b.rank == 0 {
		sending()
		receiving()
	} else {
		receiving()
		sending()
	}
}

// maxBlocks is the number of blocks of a long vector. A short one has blocks of minBlock bytes.
const (
	maxBlocks = 256
	minBlock  = 64
)

// vector returns the side of a vector sent back and forth, of which every other block is transferred. If copied is set,
// the blocks are copied from and to contiguous memory. Otherwise a derived type describes them.
func vector(copied bool) side {
	return func(b *sideBuilder) {
		peer, block := 1-b.rank, min(b.bytes, max(minBlock, (b.bytes+maxBlocks-1)/maxBlocks))
		var pieces []mpi.Piece
		for at := int64(0); at < b.bytes; at += block {
			piece := mpi.Piece{Offset: 2 * at, Length: min(block, b.bytes-at)}
			pieces = append(pieces, piece)
			b.wantFrom(piece.Offset, piece.Length, peer, piece.Offset)
		}
		packedIn, packedOut := b.sendPlace(2*b.bytes, b.bytes), b.recvPlace(2*b.bytes, b.bytes)
		from, into := packedIn, packedOut
		if !copied {
			from, into = b.sendPlace(0, 2*b.bytes), b.recvPlace(0, 2*b.bytes)
			from.Pieces, from.Length, into.Pieces, into.Length = pieces, b.bytes, pieces, b.bytes
		}
		copies := func(of func(at, length int64) mpi.Place, call func(piece, packed mpi.Place)) {
			at := 2 * b.bytes
			for i := 0; copied && i < len(pieces); i++ {
				call(of(pieces[i].Offset, pieces[i].Length), of(at, pieces[i].Length))
				at += pieces[i].Length
			}
		}
		sending := func() {
			copies(b.sendPlace, func(piece, packed mpi.Place) { b.call(mpi.Copy, one(piece), one(packed)) })
			b.call(mpi.Send, one(withPeer(peer, from)), nil)
		}
		receiving := func() {
			b.call(mpi.Recv, nil, one(withPeer(peer, into)))
			copies(b.recvPlace, func(piece, packed mpi.Place) { b.call(mpi.Copy, one(packed), one(piece)) })
		}
		b.roundTrip(sending, receiving)
	}
}

// answered returns the side of a message and an answer, which is sent when its receive has been posted.
func answered(answer mpi.Op) side {
	return func(b *sideBuilder) {
		peer := 1 - b.rank
		from, into := one(withPeer(peer, b.sendPlace(0, b.bytes))), one(withPeer(peer, b.recvPlace(0, b.bytes)))
		if b.rank == 0 {
			posted := b.call(mpi.Irecv, nil, into)
			b.call(mpi.Send, from, nil)
			b.wait(posted)
		} else {
			b.call(mpi.Recv, nil, into)
			b.call(answer, from, nil)
		}
		b.wantFrom(0, b.bytes, peer, 0)
	}
}

// persistentPingPong is the side of a message back and forth by persistent requests.
func persistentPingPong(b *sideBuilder) {
	peer := 1 - b.rank
	sending := func() { b.wait(b.call(mpi.SendInit, one(withPeer(peer, b.sendPlace(0, b.bytes))), nil)) }
	receiving := func() { b.wait(b.call(mpi.RecvInit, nil, one(withPeer(peer, b.recvPlace(0, b.bytes))))) }
	b.roundTrip(sending, receiving)
	b.wantFrom(0, b.bytes, peer, 0)
}

// left and right return the neighbours in the ring of all processes.
func (b *sideBuilder) left() int64  { return (b.rank + b.processes - 1) % b.processes }
func (b *sideBuilder) right() int64 { return (b.rank + 1) % b.processes }

// shift is the side of MPI_Sendrecv to the right neighbour, from the left one.
func shift(b *sideBuilder) {
	b.call(mpi.Sendrecv, one(withPeer(b.right(), b.sendPlace(0, b.bytes))),
		one(withPeer(b.left(), b.recvPlace(0, b.bytes))))
	b.wantFrom(0, b.bytes, b.left(), 0)
}

// shiftInParts is the side of the same shift by MPI_Isend, MPI_Recv and MPI_Wait.
func shiftInParts(b *sideBuilder) {
	sent := b.call(mpi.Isend, one(withPeer(b.right(), b.sendPlace(0, b.bytes))), nil)
	b.call(mpi.Recv, nil, one(withPeer(b.left(), b.recvPlace(0, b.bytes))))
	b.wait(sent)
	b.wantFrom(0, b.bytes, b.left(), 0)
}

// fromNeighbours expects the data of both neighbours: the left one's second block, and the right one's first.
func (b *sideBuilder) fromNeighbours() {
	b.wantFrom(0, b.bytes, b.left(), b.bytes)
	b.wantFrom(b.bytes, b.bytes, b.right(), 0)
}

// neighbours returns the places of a block to or from each neighbour, the left one first.
func (b *sideBuilder) neighbours(area func(at, length int64) mpi.Place) []mpi.Place {
	return []mpi.Place{withPeer(b.left(), area(0, b.bytes)), withPeer(b.right(), area(b.bytes, b.bytes))}
}

// exchange returns the side of one call that exchanges blocks with both neighbours.
func exchange(op mpi.Op) side {
	return func(b *sideBuilder) {
		b.call(op, b.neighbours(b.sendPlace), b.neighbours(b.recvPlace))
		b.fromNeighbours()
	}
}

// nonblockingExchange is the side of the same exchange by b_eff's method nonblocking.
func nonblockingExchange(b *sideBuilder) {
	for _, place := range b.neighbours(b.recvPlace) {
		b.call(mpi.Irecv, nil, one(place))
	}
	for _, place := range b.neighbours(b.sendPlace) {
		b.call(mpi.Isend, one(place), nil)
	}
	b.step.Call(mpi.Call{Op: mpi.Waitall})
	b.fromNeighbours()
}

// sendrecvExchange is the side of the same exchange by b_eff's method Sendrecv, with a call for each direction.
func sendrecvExchange(b *sideBuilder) {
	send, recv := b.neighbours(b.sendPlace), b.neighbours(b.recvPlace)
	b.call(mpi.Sendrecv, send[:1], recv[1:])
	b.call(mpi.Sendrecv, send[1:], recv[:1])
	b.fromNeighbours()
}
