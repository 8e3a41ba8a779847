package suites

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// runOf returns a single place for the blocks of several ranks, in the order of the list. Adjacent blocks are joined;
// if gaps remain, the place has pieces.
func runOf(s *kernel.Setup, a *kernel.Area, b kernel.Blocks, ranks []int, peer int) mpi.Place {
	var pieces []mpi.Piece
	low, all := b.Total, int64(0)
	for _, rank := range ranks {
		start, length := b.Starts[rank], b.Counts[rank]
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
		return s.In(a, 0, 0, peer)
	}
	place := s.In(a, low, all, peer)
	if len(pieces) > 1 {
		for i := range pieces {
			pieces[i].Offset -= low
		}
		place.Pieces = pieces
	}
	return place
}

// blockAt returns the place of a rank's block.
func blockAt(s *kernel.Setup, a *kernel.Area, b kernel.Blocks, rank, peer int) mpi.Place {
	return s.In(a, b.Starts[rank], b.Counts[rank], peer)
}

// wantBlock returns the block that a process must have received from the root.
func wantBlock(s *kernel.Setup, root int) []kernel.Want {
	b, me := s.Blocks(), s.Rank()
	return []kernel.Want{s.Want(&s.Recv, 0, b.Counts[me], root, b.Starts[me])}
}

// wantBlocks returns the blocks that the root must have received from all processes.
func wantBlocks(s *kernel.Setup, root int) (list []kernel.Want) {
	if s.Rank() != root {
		return nil
	}
	b := s.Blocks()
	for sender := range s.Size() {
		list = append(list, s.Want(&s.Recv, b.Starts[sender], b.Counts[sender], sender, 0))
	}
	return list
}

// scatterMemory returns the bytes of memory of operations in which the root sends each process a block.
func scatterMemory(s *kernel.Setup) (send, recv int64) {
	b := s.Blocks()
	return b.Total, b.Longest
}

// gatherMemory returns the bytes of memory of operations in which the root receives a block from each process.
func gatherMemory(s *kernel.Setup) (send, recv int64) {
	b := s.Blocks()
	return b.Longest, b.Total
}

// scatterFlat sends each block separately, in the given order of the ranks. The root copies its own block in its turn.
// MPI_Rsend follows a barrier, which the receivers enter once their receives are posted.
func scatterFlat(op mpi.Op, order func(b kernel.Blocks) []int) func(s *kernel.Setup) *kernel.Step {
	return func(s *kernel.Setup) *kernel.Step {
		b, me, root := s.Blocks(), s.Rank(), s.Run.Root
		x, own := &kernel.Step{Wants: wantBlock(s, root)}, s.In(&s.Recv, 0, b.Counts[me], root)
		switch {
		case me != root && op == mpi.Rsend:
			posted := x.Receive(mpi.Irecv, own)
			x.Call(mpi.Call{Op: mpi.Barrier})
			x.Call(mpi.Call{Op: mpi.Wait, Of: posted})
			return x
		case me != root:
			x.Receive(mpi.Recv, own)
			return x
		case op == mpi.Rsend:
			x.Call(mpi.Call{Op: mpi.Barrier})
		}
		for _, rank := range order(b) {
			if block := blockAt(s, &s.Send, b, rank, rank); rank == root {
				x.CopyOwn(block, own)
			} else {
				x.Send(op, block)
			}
		}
		x.Waitall()
		return x
	}
}

// gatherFlat receives each block separately, in the given order of the ranks. MPI_Rsend follows a barrier, which the
// root enters once its receives are posted.
func gatherFlat(send, recv mpi.Op, order func(b kernel.Blocks) []int) func(s *kernel.Setup) *kernel.Step {
	return func(s *kernel.Setup) *kernel.Step {
		b, me, root := s.Blocks(), s.Rank(), s.Run.Root
		x, own := &kernel.Step{Wants: wantBlocks(s, root)}, s.In(&s.Send, 0, b.Counts[me], root)
		if me == root {
			for _, rank := range order(b) {
				if block := blockAt(s, &s.Recv, b, rank, rank); rank == root {
					x.CopyOwn(own, block)
				} else {
					x.Receive(recv, block)
				}
			}
		}
		if send == mpi.Rsend {
			x.Call(mpi.Call{Op: mpi.Barrier})
		}
		if me != root {
			x.Send(send, own)
		}
		x.Waitall()
		return x
	}
}

// firstPart is the largest first message of gatherSync in bytes, as in Open MPI's linear_sync.
const firstPart = 32768

// gatherSync receives each block in two parts. The root posts the receive of the first part and then requests the part
// with an empty message. It waits for the first part before it asks the next process.
func gatherSync(s *kernel.Setup) *kernel.Step {
	b := s.Blocks()
	x, me := &kernel.Step{Wants: wantBlocks(s, s.Run.Root)}, s.Rank()
	first := func(rank int) int64 { return min(firstPart, b.Counts[rank]) }
	if me != s.Run.Root {
		part := first(me)
		x.Receive(mpi.Recv, s.In(&s.Recv, 0, 0, s.Run.Root))
		x.Send(mpi.Send, s.In(&s.Send, 0, part, s.Run.Root))
		if rest := b.Counts[me] - part; rest > 0 {
			x.Send(mpi.Send, s.In(&s.Send, part, rest, s.Run.Root))
		}
		return x
	}
	for rank := range s.Size() {
		if rank == me {
			continue
		}
		start, part := b.Starts[rank], first(rank)
		posted := x.Receive(mpi.Irecv, s.In(&s.Recv, start, part, rank))
		x.Send(mpi.Send, s.In(&s.Send, 0, 0, rank))
		if rest := b.Counts[rank] - part; rest > 0 {
			x.Receive(mpi.Irecv, s.In(&s.Recv, start+part, rest, rank))
		}
		x.Call(mpi.Call{Op: mpi.Wait, Of: posted})
	}
	x.CopyOwn(s.In(&s.Send, 0, b.Counts[me], me), blockAt(s, &s.Recv, b, me, me))
	x.Waitall()
	return x
}

// byRank returns all ranks, the root's included, in ascending order.
func byRank(b kernel.Blocks) []int { return patterns.SortedRanks(make([]int64, len(b.Counts)), false) }

// shortestFirst returns all ranks by the lengths of their blocks.
func shortestFirst(b kernel.Blocks) []int { return patterns.SortedRanks(b.Counts, false) }

// longestFirst returns all ranks by the lengths of their blocks, the longest first.
func longestFirst(b kernel.Blocks) []int { return patterns.SortedRanks(b.Counts, true) }

// reduceTree receives the sums of the children into separate memory, from the first child to the last, and adds its own
// data to the first sum. MPIBlib itself computes nothing (manual, 7.13.2.2).
func reduceTree(s *kernel.Setup, t *patterns.Tree) *kernel.Step {
	x, me := &kernel.Step{Wants: sumAtRoot(s, t.Root)}, s.Rank()
	own, sum := s.In(&s.Send, 0, s.Bytes, me), s.In(&s.Recv, 0, s.Bytes, me)
	var posted []int
	for i, child := range t.Children[me] {
		posted = append(posted, x.Receive(mpi.Irecv, s.In(&s.Recv, int64(i)*s.Bytes, s.Bytes, child)))
	}
	for i, request := range posted {
		x.Call(mpi.Call{Op: mpi.Wait, Of: request})
		from := own
		if i > 0 {
			from = s.In(&s.Recv, int64(i)*s.Bytes, s.Bytes, me)
		}
		x.Call(mpi.Call{Op: mpi.Combine, Send: x.Place(from), Recv: x.Place(sum), Reduce: mpi.Sum})
	}
	result := sum
	if len(posted) == 0 {
		result = own
	}
	switch parent := t.Parent[me]; {
	case parent != patterns.None:
		result.Peer = parent
		x.Send(mpi.Send, result)
	case len(posted) == 0:
		x.CopyOwn(own, sum) // the only process is the root
	}
	return x
}

// sumsOfChildren returns the memory of reduceTree, which holds the messages of all children of a process.
func sumsOfChildren(s *kernel.Setup, build treeBuilder) (send, recv int64) {
	most := 1
	for _, root := range s.Roots() {
		for _, children := range build(s, root).Children {
			most = max(most, len(children))
		}
	}
	return s.Bytes, int64(most) * s.Bytes
}

// scatterTree receives the blocks of its whole subtree, keeps its own block, and sends each child the blocks of the
// child's subtree, from the last child to the first. The root's blocks lie where the user has them. Inner processes
// hold the blocks in preorder, at the end of their receive area.
func scatterTree(s *kernel.Setup, t *patterns.Tree) *kernel.Step {
	b, me := s.Blocks(), s.Rank()
	x, own := &kernel.Step{Wants: wantBlock(s, t.Root)}, s.In(&s.Recv, 0, b.Counts[me], me)
	parent := t.Parent[me]
	switch {
	case parent == patterns.None:
		x.CopyOwn(blockAt(s, &s.Send, b, me, me), own)
	case len(t.Children[me]) == 0:
		own.Peer = parent
		x.Receive(mpi.Recv, own)
	default:
		x.Receive(mpi.Recv, s.In(&s.Recv, b.Longest, t.Weights(b.Counts)[me], parent))
		x.CopyOwn(s.In(&s.Recv, b.Longest, b.Counts[me], me), own)
	}
	sendToChildren(x, s, t, b, func(at, weight int64, child int) mpi.Place {
		if parent == patterns.None {
			return runOf(s, &s.Send, b, t.Preorder(child), child)
		}
		return s.In(&s.Recv, b.Longest+at, weight, child)
	})
	return x
}

// sendToChildren adds the messages to the children, from the last to the first. placeOf returns the place of a child's
// blocks: at is their offset among the process's blocks in preorder, weight their length, both in bytes.
func sendToChildren(x *kernel.Step, s *kernel.Setup, t *patterns.Tree, b kernel.Blocks,
	placeOf func(at, weight int64, child int) mpi.Place) {
	weights, me := t.Weights(b.Counts), s.Rank()
	end := weights[me]
	for _, child := range slices.Backward(t.Children[me]) {
		end -= weights[child]
		x.Send(mpi.Isend, placeOf(end, weights[child], child))
	}
	x.Waitall()
}

// scatterTreeMemory returns the memory of scatterTree: after the process's own block the receive area holds the blocks
// of a subtree.
func scatterTreeMemory(s *kernel.Setup, build treeBuilder) (send, recv int64) {
	b, most := s.Blocks(), int64(0)
	for _, root := range s.Roots() {
		t := build(s, root)
		for rank, weight := range t.Weights(b.Counts) {
			if rank != root && len(t.Children[rank]) > 0 {
				most = max(most, weight)
			}
		}
	}
	return b.Total, b.Longest + most
}

// gatherTree receives the blocks of the children's subtrees, from the first to the last, and forwards them with its
// own.
func gatherTree(s *kernel.Setup, t *patterns.Tree) *kernel.Step {
	b, me := s.Blocks(), s.Rank()
	weights, parent := t.Weights(b.Counts), t.Parent[me]
	x, own := &kernel.Step{Wants: wantBlocks(s, t.Root)}, s.In(&s.Send, 0, b.Counts[me], parent)
	if parent != patterns.None && len(t.Children[me]) == 0 {
		x.Send(mpi.Send, own)
		return x
	}
	into := s.In(&s.Recv, 0, b.Counts[me], me)
	if parent == patterns.None {
		own.Peer, into = me, blockAt(s, &s.Recv, b, me, me)
	}
	x.CopyOwn(own, into)
	for i, at := 0, b.Counts[me]; i < len(t.Children[me]); i++ {
		child := t.Children[me][i]
		if parent == patterns.None {
			x.Receive(mpi.Irecv, runOf(s, &s.Recv, b, t.Preorder(child), child))
		} else {
			x.Receive(mpi.Irecv, s.In(&s.Recv, at, weights[child], child))
		}
		at += weights[child]
	}
	x.Waitall()
	if parent != patterns.None {
		x.Send(mpi.Send, s.In(&s.Recv, 0, weights[me], parent))
	}
	return x
}

// gatherTreeMemory gives the root memory for all blocks, which is enough for any subtree.
func gatherTreeMemory(s *kernel.Setup, _ treeBuilder) (send, recv int64) { return gatherMemory(s) }

// gatherPlaces returns the places of MPI's own calls that bring a block of each process to the root.
func gatherPlaces(s *kernel.Setup) (send, recv []mpi.Place) {
	b := s.Blocks()
	return []mpi.Place{s.In(&s.Send, 0, b.Counts[s.Rank()], 0)}, blockPlaces(s, &s.Recv, b)
}

// scatterPlaces returns the places of MPI's own calls that bring a block from the root to each process.
func scatterPlaces(s *kernel.Setup) (send, recv []mpi.Place) {
	b := s.Blocks()
	return blockPlaces(s, &s.Send, b), []mpi.Place{s.In(&s.Recv, 0, b.Counts[s.Rank()], 0)}
}

// blockPlaces returns the places of all blocks in an area.
func blockPlaces(s *kernel.Setup, a *kernel.Area, b kernel.Blocks) (list []mpi.Place) {
	for rank := range b.Counts {
		list = append(list, blockAt(s, a, b, rank, rank))
	}
	return list
}
