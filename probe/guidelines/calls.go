package guidelines

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// collective is a call with the shape of its data.
type collective struct {
	op          mpi.Op
	name        string
	nonblocking mpi.Op // its nonblocking form
	blocks      extent // ends with a block of the length for each process, instead of one block
	vector      extent // ends with a place for each process
	// expected adds the data that must arrive; nil if there are none.
	expected func(b *sideBuilder, length, from, at int64)
}

// extent is a set of the two ends of a call, where it sends and where it receives.
type extent uint8

const (
	sends extent = 1 << iota
	receives
)

// The collective calls.
var (
	barrier   = collective{op: mpi.Barrier, name: "Barrier"}
	bcast     = collective{mpi.Bcast, "Bcast", mpi.Ibcast, 0, 0, wholeOfRoot}
	reduce    = collective{mpi.Reduce, "Reduce", mpi.Ireduce, 0, 0, sumAtRoot}
	allreduce = collective{mpi.Allreduce, "Allreduce", mpi.Iallreduce, 0, 0, sumOfAll}
	gather    = collective{mpi.Gather, "Gather", mpi.Igather, receives, 0, blocksAtRoot}
	scatter   = collective{mpi.Scatter, "Scatter", mpi.Iscatter, sends, 0, blockOfRoot}
	allgather = collective{mpi.Allgather, "Allgather", mpi.Iallgather, receives, 0, blocksOfAll}
	alltoall  = collective{mpi.Alltoall, "Alltoall", mpi.Ialltoall, sends | receives, 0, ownBlocks}
	gatherv   = collective{mpi.Gatherv, "Gatherv", mpi.Igatherv, receives, receives, blocksAtRoot}
	scatterv  = collective{mpi.Scatterv, "Scatterv", mpi.Iscatterv, sends, sends, blockOfRoot}

	allgatherv = collective{mpi.Allgatherv, "Allgatherv", mpi.Iallgatherv, receives, receives,
		blocksOfAll}
	alltoallv = collective{mpi.Alltoallv, "Alltoallv", mpi.Ialltoallv, sends | receives,
		sends | receives, ownBlocks}
	scatterBlock = collective{mpi.ReduceScatterBlock, "Reduce_scatter_block", mpi.IreduceScatterBlock,
		sends, 0, ownSum}
	reduceScatter = collective{mpi.ReduceScatter, "Reduce_scatter", mpi.IreduceScatter, sends,
		sends, ownSum}
	scan   = collective{op: mpi.Scan, name: "Scan", expected: sumSoFar}
	exscan = collective{op: mpi.Exscan, name: "Exscan"}
)

// wholeOfRoot expects the root's data on the other processes. It and the following functions add the data that must
// arrive at offset at of the receive area, and that begin at offset from in the send areas.
func wholeOfRoot(b *sideBuilder, length, from, at int64) {
	if b.rank != b.root {
		b.wantFrom(at, length, b.root, from)
	}
}

func sumOfAll(b *sideBuilder, length, from, at int64) { b.wantSum(at, length, from) }

func sumSoFar(b *sideBuilder, length, from, at int64) { b.wantPrefix(at, length, from, b.rank+1) }

func sumAtRoot(b *sideBuilder, length, from, at int64) {
	b.onRoot(func() { b.wantSum(at, length, from) })
}

func blocksOfAll(b *sideBuilder, length, from, at int64) {
	for sender := range b.processes {
		b.wantFrom(at+sender*length, length, sender, from)
	}
}

func blocksAtRoot(b *sideBuilder, length, from, at int64) {
	b.onRoot(func() { blocksOfAll(b, length, from, at) })
}

func blockOfRoot(b *sideBuilder, length, from, at int64) {
	b.wantFrom(at, length, kernel.Root, from+b.rank*length)
}

func ownBlocks(b *sideBuilder, length, from, at int64) {
	for sender := range b.processes {
		b.wantFrom(at+sender*length, length, sender, from+b.rank*length)
	}
}

func ownSum(b *sideBuilder, length, from, at int64) { b.wantSum(at, length, from+b.rank*length) }

// add adds the call as an op between places of two areas. At the ends in blocks the data have a length for each
// process.
func (c collective) add(b *sideBuilder, op mpi.Op, length int64, from, into func(at, length int64) mpi.Place,
	fromAt, intoAt int64) int {
	places := func(area func(at, length int64) mpi.Place, end extent, at int64) []mpi.Place {
		switch {
		case c.vector&end != 0:
			return b.parts(area, at, length)
		case c.blocks&end != 0:
			return one(area(at, b.processes*length))
		}
		return one(area(at, length))
	}
	if c.op == mpi.Barrier {
		return b.call(op, nil, nil)
	}
	return b.call(op, places(from, sends, fromAt), places(into, receives, intoAt))
}

// single returns the side of this call, with a length that is times the row's.
func (c collective) single(times func(b *sideBuilder) int64) side {
	return func(b *sideBuilder) {
		length := b.bytes * times(b)
		c.add(b, c.op, length, b.sendPlace, b.recvPlace, 0, 0)
		c.expect(b, length, 0, 0)
	}
}

// expect adds the data that must be in the receive area after the call.
func (c collective) expect(b *sideBuilder, length, from, at int64) {
	if c.expected != nil {
		c.expected(b, length, from, at)
	}
}

// once, perProcess and twice return factors of the row's length: one, the number of processes, and two.
func once(*sideBuilder) int64         { return 1 }
func perProcess(b *sideBuilder) int64 { return b.processes }
func twice(*sideBuilder) int64        { return 2 }

// reversed is the side of the call on a communicator of the same processes in reverse order, with the same root.
func (c collective) reversed(b *sideBuilder) {
	b.rank, b.root, b.isReversed = b.processes-1-b.rank, b.processes-1-b.root, true
	c.single(once)(b)
}

// split is the side of two calls with half of the length each.
func (c collective) split(b *sideBuilder) {
	half := b.half(b.bytes)
	for i := range int64(2) {
		from, at := i*half, i*half
		if c.blocks&sends != 0 {
			from *= b.processes
		}
		if c.blocks&receives != 0 {
			at *= b.processes
		}
		c.add(b, c.op, half, b.sendPlace, b.recvPlace, from, at)
		c.expect(b, half, from, at)
	}
}

// started returns the side of another form of the call, followed by MPI_Wait.
func (c collective) started(op mpi.Op) side {
	return func(b *sideBuilder) {
		b.wait(c.add(b, op, b.bytes, b.sendPlace, b.recvPlace, 0, 0))
		c.expect(b, b.bytes, 0, 0)
	}
}

// reduceBcast is the side of MPI_Reduce, and MPI_Bcast of the sum.
func reduceBcast(b *sideBuilder) {
	reduce.add(b, mpi.Reduce, b.bytes, b.sendPlace, b.recvPlace, 0, 0)
	bcast.add(b, mpi.Bcast, b.bytes, b.recvPlace, b.recvPlace, 0, 0)
	sumOfAll(b, b.bytes, 0, 0)
}

// gatherBcast is the side of MPI_Gather, and MPI_Bcast of all blocks.
func gatherBcast(b *sideBuilder) {
	gather.add(b, mpi.Gather, b.bytes, b.sendPlace, b.recvPlace, 0, 0)
	bcast.add(b, mpi.Bcast, b.processes*b.bytes, b.recvPlace, b.recvPlace, 0, 0)
	blocksOfAll(b, b.bytes, 0, 0)
}

// inBlocks returns the side of a call that leaves each process a block of all data, and of a second one that combines
// the blocks.
func inBlocks(first, second collective, expect func(b *sideBuilder, length, from, at int64)) side {
	return func(b *sideBuilder) {
		m := b.block(b.bytes)
		after := b.processes * m
		first.add(b, first.op, m, b.sendPlace, b.recvPlace, 0, after)
		second.add(b, second.op, m, b.recvPlace, b.recvPlace, after, 0)
		expect(b, b.bytes, 0, 0)
	}
}

// reduceThen returns the side of MPI_Reduce of a block for each process, and of a second call that distributes the
// blocks.
func reduceThen(second collective) side {
	return func(b *sideBuilder) {
		reduce.add(b, mpi.Reduce, b.processes*b.bytes, b.sendPlace, b.recvPlace, 0, b.bytes)
		second.add(b, second.op, b.bytes, b.recvPlace, b.recvPlace, b.bytes, 0)
		ownSum(b, b.bytes, 0, 0)
	}
}

// exscanThenOwn is the side of MPI_Exscan, and of MPI_Reduce_local with the process's own data. Process 0, which
// receives nothing from MPI_Exscan, copies its data.
func exscanThenOwn(b *sideBuilder) {
	exscan.add(b, mpi.Exscan, b.bytes, b.sendPlace, b.recvPlace, 0, 0)
	own := mpi.Combine
	if b.rank == 0 {
		own = mpi.Copy
	}
	b.call(own, one(b.sendPlace(0, b.bytes)), one(b.recvPlace(0, b.bytes)))
	sumSoFar(b, b.bytes, 0, 0)
}

// bcastByAllgatherv is the side of MPI_Allgatherv in which only the root contributes data.
func bcastByAllgatherv(b *sideBuilder) {
	length := func(rank int64) int64 {
		if rank == kernel.Root {
			return b.bytes
		}
		return 0
	}
	var into []mpi.Place
	for peer := range b.processes {
		into = append(into, withPeer(peer, b.recvPlace(0, length(peer))))
		if peer != kernel.Root {
			into[peer] = withPeer(peer, b.recvPlace(b.bytes, 0))
		}
	}
	b.call(mpi.Allgatherv, one(b.sendPlace(0, length(b.rank))), into)
	b.wantFrom(0, b.bytes, kernel.Root, 0)
}

// circulant is the side of MPI_Allgather by messages on a circulant graph. In rounds, each process sends the blocks
// that it has to the process 1, 2, 4 … ranks before it. Its blocks begin with its own, so none has to be moved.
func circulant(b *sideBuilder) {
	b.call(mpi.Copy, one(b.sendPlace(0, b.bytes)), one(b.recvPlace(0, b.bytes)))
	for have := int64(1); have < b.processes; have *= 2 {
		length := min(have, b.processes-have) * b.bytes
		b.call(mpi.Sendrecv, one(withPeer((b.rank+b.processes-have)%b.processes, b.recvPlace(0, length))),
			one(withPeer((b.rank+have)%b.processes, b.recvPlace(have*b.bytes, length))))
	}
	for at := range b.processes {
		b.wantFrom(at*b.bytes, b.bytes, (b.rank+at)%b.processes, 0)
	}
}

// circulantBarrier is the side of a barrier by empty messages on the same graph.
func circulantBarrier(b *sideBuilder) {
	for away := int64(1); away < b.processes; away *= 2 {
		b.call(mpi.Sendrecv, one(withPeer((b.rank+b.processes-away)%b.processes, b.recvPlace(0, 0))),
			one(withPeer((b.rank+away)%b.processes, b.recvPlace(0, 0))))
	}
}

// allreduceElement is the side of MPI_Allreduce of one element.
func allreduceElement(b *sideBuilder) {
	allreduce.add(b, mpi.Allreduce, b.Unit(), b.sendPlace, b.recvPlace, 0, 0)
	sumOfAll(b, b.Unit(), 0, 0)
}
