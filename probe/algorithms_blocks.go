package probe

import (
	"encoding/binary"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
)

// runOf returns one place of several ranks' blocks, in the order of the list: a run of bytes where they are next to each
// other, else pieces.
func runOf(s *scene, a *area, b blocks, ranks []int, peer int) mpi.Place {
	var pieces []mpi.Piece
	low, all := b.total, int64(0)
	for _, rank := range ranks {
		start, length := b.starts[rank], b.counts[rank]
		last := len(pieces) - 1
		switch {
		case length == 0:
			continue
		case last >= 0 && pieces[last].Offset+pieces[last].Length == start:
			pieces[last].Length += length
		default:
			pieces = append(pieces, mpi.Piece{Offset: start, Length: length})
		}
		low, all = min(low, start), all+length
	}
	if len(pieces) == 0 {
		return s.in(a, 0, 0, peer)
	}
	place := s.in(a, low, all, peer)
	if len(pieces) > 1 {
		for i := range pieces {
			pieces[i].Offset -= low
		}
		place.Pieces = pieces
	}
	return place
}

// blockAt returns the place of a rank's block.
func blockAt(s *scene, a *area, b blocks, rank, peer int) mpi.Place {
	return s.in(a, b.starts[rank], b.counts[rank], peer)
}

// wantBlock returns the block that a process gets from the root.
func wantBlock(s *scene, b blocks, root int) []want {
	me := s.rank()
	return []want{s.want(&s.recv, 0, b.counts[me], root, b.starts[me])}
}

// wantBlocks returns the blocks that the root gets from all processes.
func wantBlocks(s *scene, b blocks, root int) (list []want) {
	if s.rank() != root {
		return nil
	}
	for sender := range s.size() {
		list = append(list, s.want(&s.recv, b.starts[sender], b.counts[sender], sender, 0))
	}
	return list
}

// scatterMemory returns the memory of operations in which the root sends each process a block, in bytes.
func scatterMemory(s *scene) (send, recv int64) {
	b := s.blocks()
	return b.total, b.longest
}

// gatherMemory returns the memory of operations in which the root receives a block of each process, in bytes.
func gatherMemory(s *scene) (send, recv int64) {
	b := s.blocks()
	return b.longest, b.total
}

// scatterFlat sends each block by itself, in an order of the ranks, and copies the root's own when its turn comes.
func scatterFlat(op mpi.Op, order func(b blocks) []int) func(s *scene) *step {
	return func(s *scene) *step {
		b := s.blocks()
		x, me := &step{wants: wantBlock(s, b, s.root)}, s.rank()
		own := s.in(&s.recv, 0, b.counts[me], s.root)
		if me != s.root {
			x.receive(mpi.Recv, own)
			return x
		}
		addScatter(x, s, b, op, order(b), own)
		x.waitall()
		return x
	}
}

// addScatter adds the root's calls.
func addScatter(x *step, s *scene, b blocks, op mpi.Op, order []int, own mpi.Place) {
	for _, rank := range order {
		if rank == s.root {
			x.copyOwn(blockAt(s, &s.send, b, rank, rank), own)
		} else {
			x.send(op, blockAt(s, &s.send, b, rank, rank))
		}
	}
}

// scatterReady sends with MPI_Rsend, behind a barrier that all enter with their receives posted.
func scatterReady(s *scene) *step {
	b := s.blocks()
	x, me := &step{wants: wantBlock(s, b, s.root)}, s.rank()
	own := s.in(&s.recv, 0, b.counts[me], s.root)
	if me != s.root {
		posted := x.receive(mpi.Irecv, own)
		x.call(mpi.Call{Op: mpi.Barrier})
		x.call(mpi.Call{Op: mpi.Wait, Of: posted})
		return x
	}
	x.call(mpi.Call{Op: mpi.Barrier})
	addScatter(x, s, b, mpi.Rsend, byRank(b), own)
	return x
}

// gatherFlat receives each block by itself, in an order of the ranks.
func gatherFlat(op mpi.Op, order func(b blocks) []int) func(s *scene) *step {
	return func(s *scene) *step {
		b := s.blocks()
		x, me := &step{wants: wantBlocks(s, b, s.root)}, s.rank()
		own := s.in(&s.send, 0, b.counts[me], s.root)
		if me != s.root {
			x.send(mpi.Send, own)
			return x
		}
		addGather(x, s, b, op, order(b), own)
		x.waitall()
		return x
	}
}

// addGather adds the root's calls.
func addGather(x *step, s *scene, b blocks, op mpi.Op, order []int, own mpi.Place) {
	for _, rank := range order {
		if rank == s.root {
			x.copyOwn(own, blockAt(s, &s.recv, b, rank, rank))
		} else {
			x.receive(op, blockAt(s, &s.recv, b, rank, rank))
		}
	}
}

// gatherReady sends with MPI_Rsend, behind a barrier that the root enters with its receives posted.
func gatherReady(s *scene) *step {
	b := s.blocks()
	x, me := &step{wants: wantBlocks(s, b, s.root)}, s.rank()
	own := s.in(&s.send, 0, b.counts[me], s.root)
	if me != s.root {
		x.call(mpi.Call{Op: mpi.Barrier})
		x.send(mpi.Rsend, own)
		return x
	}
	addGather(x, s, b, mpi.Irecv, byRank(b), own)
	x.call(mpi.Call{Op: mpi.Barrier})
	x.waitall()
	return x
}

// firstPart is the most bytes of the first message of gatherSync, as in Open MPI's linear_sync.
const firstPart = 32768

// gatherSync receives each block in two parts. An empty message asks for the first part, when the receive of it is
// posted. The root waits for the first part before it asks the next process.
func gatherSync(s *scene) *step {
	b := s.blocks()
	x, me := &step{wants: wantBlocks(s, b, s.root)}, s.rank()
	first := func(rank int) int64 { return min(firstPart, b.counts[rank]) }
	if me != s.root {
		part := first(me)
		x.receive(mpi.Recv, s.in(&s.recv, 0, 0, s.root))
		x.send(mpi.Send, s.in(&s.send, 0, part, s.root))
		if rest := b.counts[me] - part; rest > 0 {
			x.send(mpi.Send, s.in(&s.send, part, rest, s.root))
		}
		return x
	}
	for rank := range s.size() {
		if rank == me {
			continue
		}
		start, part := b.starts[rank], first(rank)
		posted := x.receive(mpi.Irecv, s.in(&s.recv, start, part, rank))
		x.send(mpi.Send, s.in(&s.send, 0, 0, rank))
		if rest := b.counts[rank] - part; rest > 0 {
			x.receive(mpi.Irecv, s.in(&s.recv, start+part, rest, rank))
		}
		x.call(mpi.Call{Op: mpi.Wait, Of: posted})
	}
	x.copyOwn(s.in(&s.send, 0, b.counts[me], me), blockAt(s, &s.recv, b, me, me))
	x.waitall()
	return x
}

// byRank returns all ranks in their order. The orders are those in which a root goes through the ranks, itself among
// them.
func byRank(b blocks) []int { return patterns.SortedRanks(make([]int64, len(b.counts)), false) }

// shortestFirst returns all ranks by the lengths of their blocks.
func shortestFirst(b blocks) []int { return patterns.SortedRanks(b.counts, false) }

// longestFirst returns all ranks by the lengths of their blocks, the longest first.
func longestFirst(b blocks) []int { return patterns.SortedRanks(b.counts, true) }

// reduceTree receives the children's sums, each in memory of its own, the first to last, and adds its own data to the
// first one's. The original computes nothing (manual, 7.13.2.2).
func reduceTree(s *scene, t *patterns.Tree) *step {
	x, me := &step{wants: sumAtRoot(s, t.Root)}, s.rank()
	own, sum := s.in(&s.send, 0, s.bytes, me), s.in(&s.recv, 0, s.bytes, me)
	var posted []int
	for i, child := range t.Children[me] {
		posted = append(posted, x.receive(mpi.Irecv, s.in(&s.recv, int64(i)*s.bytes, s.bytes, child)))
	}
	for i, request := range posted {
		x.call(mpi.Call{Op: mpi.Wait, Of: request})
		from := own
		if i > 0 {
			from = s.in(&s.recv, int64(i)*s.bytes, s.bytes, me)
		}
		x.call(mpi.Call{Op: mpi.Combine, Send: x.place(from), Recv: x.place(sum), Reduce: mpi.Sum})
	}
	result := sum
	if len(posted) == 0 {
		result = own
	}
	switch parent := t.Parent[me]; {
	case parent != patterns.None:
		result.Peer = parent
		x.send(mpi.Send, result)
	case len(posted) == 0:
		x.copyOwn(own, sum) // the root is alone
	}
	return x
}

// sumsOfChildren is the memory of reduceTree: as much as the children of one process send.
func sumsOfChildren(s *scene, build treeBuilder) (send, recv int64) {
	most := 1
	for _, root := range s.roots() {
		for _, children := range build(s, root).Children {
			most = max(most, len(children))
		}
	}
	return s.bytes, int64(most) * s.bytes
}

// scatterTree receives the blocks of the whole subtree, keeps its own, and sends each child those of its subtree, last
// to first. The root's blocks are where the user has them. On the way they lie in preorder, behind the receive area.
func scatterTree(s *scene, t *patterns.Tree) *step {
	b, me := s.blocks(), s.rank()
	x, own := &step{wants: wantBlock(s, b, t.Root)}, s.in(&s.recv, 0, b.counts[me], me)
	parent := t.Parent[me]
	switch {
	case parent == patterns.None:
		x.copyOwn(blockAt(s, &s.send, b, me, me), own)
	case len(t.Children[me]) == 0:
		own.Peer = parent
		x.receive(mpi.Recv, own)
	default:
		x.receive(mpi.Recv, s.in(&s.recv, b.longest, t.Weights(b.counts)[me], parent))
		x.copyOwn(s.in(&s.recv, b.longest, b.counts[me], me), own)
	}
	sendToChildren(x, s, t, b, func(at, weight int64, child int) mpi.Place {
		if parent == patterns.None {
			return runOf(s, &s.send, b, t.Preorder(child), child)
		}
		return s.in(&s.recv, b.longest+at, weight, child)
	})
	return x
}

// sendToChildren adds the messages to the children, last to first. from returns the place of a child's subtree, which is at
// an offset of the process' own subtree in preorder.
func sendToChildren(x *step, s *scene, t *patterns.Tree, b blocks, from func(at, weight int64, child int) mpi.Place) {
	weights, me := t.Weights(b.counts), s.rank()
	end := weights[me]
	for _, child := range slices.Backward(t.Children[me]) {
		end -= weights[child]
		x.send(mpi.Isend, from(end, weights[child], child))
	}
	x.waitall()
}

// scatterTreeMemory has room for the blocks of a subtree behind the process' own.
func scatterTreeMemory(s *scene, build treeBuilder) (send, recv int64) {
	b, most := s.blocks(), int64(0)
	for _, root := range s.roots() {
		t := build(s, root)
		for rank, weight := range t.Weights(b.counts) {
			if rank != root && len(t.Children[rank]) > 0 {
				most = max(most, weight)
			}
		}
	}
	return b.total, b.longest + most
}

// gatherTree receives the blocks of the children's subtrees, first to last, and sends them on with its own.
func gatherTree(s *scene, t *patterns.Tree) *step {
	b, me := s.blocks(), s.rank()
	weights, parent := t.Weights(b.counts), t.Parent[me]
	x, own := &step{wants: wantBlocks(s, b, t.Root)}, s.in(&s.send, 0, b.counts[me], parent)
	if parent != patterns.None && len(t.Children[me]) == 0 {
		x.send(mpi.Send, own)
		return x
	}
	into := s.in(&s.recv, 0, b.counts[me], me)
	if parent == patterns.None {
		own.Peer, into = me, blockAt(s, &s.recv, b, me, me)
	}
	x.copyOwn(own, into)
	for i, at := 0, b.counts[me]; i < len(t.Children[me]); i++ {
		child := t.Children[me][i]
		if parent == patterns.None {
			x.receive(mpi.Irecv, runOf(s, &s.recv, b, t.Preorder(child), child))
		} else {
			x.receive(mpi.Irecv, s.in(&s.recv, at, weights[child], child))
		}
		at += weights[child]
	}
	x.waitall()
	if parent != patterns.None {
		x.send(mpi.Send, s.in(&s.recv, 0, weights[me], parent))
	}
	return x
}

// gatherTreeMemory has room for all blocks at the root, and so for those of any subtree.
func gatherTreeMemory(s *scene, _ treeBuilder) (send, recv int64) { return gatherMemory(s) }

// CountsBroadcast is the value of Settings.Counts for trees whose root broadcasts the counts first.
const CountsBroadcast = "bcast"

// announced returns the recipe of a tree in which the root broadcasts all counts first, if the settings say so
// (Settings.Counts). The counts lie behind the receive area.
func announced(r *recipe) *recipe {
	build, memory := r.build, r.memory
	r.ops = append(slices.Clone(r.ops), mpi.Bcast)
	r.memory = func(s *scene) (send, recv int64) {
		send, recv = memory(s)
		if s.announces {
			recv = countsAt(s, recv) + countsLength(s)
		}
		return send, recv
	}
	r.build = func(s *scene) *step {
		x := build(s)
		if s.announces {
			announce(x, s)
		}
		return x
	}
	r.prepare = func(s *scene) {
		if !s.announces || s.rank() != s.root {
			return
		}
		for slot := range s.recv.slots {
			copy(s.recv.buffer.Bytes()[slot*s.recv.stride+s.recv.length-countsLength(s):], encodedCounts(s))
		}
	}
	return r
}

// countsAt returns the offset of the counts behind a number of bytes: the next one that fits their type.
func countsAt(s *scene, length int64) int64 { return upTo(length, mpi.Int32.Size()) }

// countsLength returns the bytes of all counts.
func countsLength(s *scene) int64 { return int64(s.size()) * mpi.Int32.Size() }

// encodedCounts returns the counts as MPI_INT.
func encodedCounts(s *scene) []byte {
	var data []byte
	for _, count := range s.blocks().counts {
		data = binary.NativeEndian.AppendUint32(data, uint32(count))
	}
	return data
}

// announce puts the broadcast before the calls of a repetition.
func announce(x *step, s *scene) {
	place := s.in(&s.recv, s.recv.length-countsLength(s), countsLength(s), s.root)
	place.Type = mpi.Int32
	at := x.place(place)
	for i := range x.each {
		x.each[i].Of++ // only MPI_Wait looks at it
	}
	x.each = slices.Insert(x.each, 0, mpi.Call{Op: mpi.Bcast, Send: at, Recv: at, Root: s.root})
	if counts := encodedCounts(s); s.rank() != s.root {
		x.wants = append(x.wants, want{area: &s.recv, at: place.Offset, length: place.Length, unit: place.Type.Size(),
			fill: func(data []byte, position int64) { copy(data, counts[position:]) }})
	}
}

// gatherPlaces returns the places of the library's own calls that bring a block of each process to the root.
func gatherPlaces(s *scene) (send, recv []mpi.Place) {
	b := s.blocks()
	return []mpi.Place{s.in(&s.send, 0, b.counts[s.rank()], 0)}, blockPlaces(s, &s.recv, b)
}

// scatterPlaces returns the places of the library's own calls that bring each process a block of the root.
func scatterPlaces(s *scene) (send, recv []mpi.Place) {
	b := s.blocks()
	return blockPlaces(s, &s.send, b), []mpi.Place{s.in(&s.recv, 0, b.counts[s.rank()], 0)}
}

// blockPlaces returns the places of all blocks in an area.
func blockPlaces(s *scene, a *area, b blocks) (list []mpi.Place) {
	for rank := range b.counts {
		list = append(list, blockAt(s, a, b, rank, rank))
	}
	return list
}

// blocksAtRoot returns the data that the root must have after gatherPlaces' calls.
func blocksAtRoot(s *scene, root int) []want { return wantBlocks(s, s.blocks(), root) }

// blockFromRoot returns the data that a process must have after scatterPlaces' calls.
func blockFromRoot(s *scene, root int) []want { return wantBlock(s, s.blocks(), root) }
