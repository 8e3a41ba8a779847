package suites

import (
	"encoding/binary"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// withCounts makes a tree distribute the counts as the settings require (MPIBlib manual, 6, "sgv"). Either the root
// first broadcasts all counts, or the counts travel with the data: in the same messages if the data go down the tree,
// in messages before them if the data go up. The counts lie at the end of an area; in Scatterv this includes the area
// that the root sends from. The counts only cost time: programs are made in advance, so all places are known without
// them.
func withCounts(r *kernel.Builder, tree treeBuilder, down bool) *kernel.Builder {
	build, memory := r.Build, r.Data.Sizes
	r.MoreOps = func(_ *kernel.Kernel, s *settings.Settings) []mpi.Op {
		return map[string][]mpi.Op{settings.CountsBroadcast: {mpi.Bcast}, settings.CountsMessage: {mpi.Recv, mpi.Send},
			settings.CountsDuplicate: {mpi.Recv, mpi.Send, mpi.DupFree}}[s.Blocks.Counts]
	}
	r.Data.Sizes = func(s *kernel.Setup) (send, recv int64) {
		send, recv = memory(s)
		if s.Options.Counts != "" {
			send, recv = countsAt(s, send)+countsLength(s), countsAt(s, recv)+countsLength(s)
		}
		return send, recv
	}
	r.Build = func(s *kernel.Setup) *kernel.Step {
		x := build(s)
		switch {
		case s.Options.Counts == "":
			return x
		case s.Options.Counts == settings.CountsBroadcast:
			at := x.Place(countsIn(s, &s.Recv, s.Run.Root))
			prepend(x, mpi.Call{Op: mpi.Bcast, Send: at, Recv: at, Root: s.Run.Root})
		case down:
			addCounts(x, s)
		default:
			passCounts(x, s, tree(s, s.Run.Root))
		}
		if s.Options.Counts == settings.CountsDuplicate {
			prepend(x, mpi.Call{Op: mpi.DupFree})
		}
		if counts := encodedCounts(s); s.Rank() != s.Run.Root {
			in := countsIn(s, &s.Recv, s.Run.Root)
			x.Wants = append(x.Wants, kernel.Want{Area: &s.Recv, At: in.Offset, Length: in.Length, Unit: in.Type.Size(),
				Fill: func(data []byte, position int64) { copy(data, counts[position:]) }})
		}
		return x
	}
	r.Data.Prepare = func(s *kernel.Setup) {
		if s.Options.Counts == "" {
			return
		}
		for _, a := range []*kernel.Area{&s.Send, &s.Recv} {
			for slot := int64(0); slot < a.Slots && (a == &s.Send || s.Rank() == s.Run.Root); slot++ {
				mpi.Store(a.Buffer, slot*a.Stride+a.Length-countsLength(s), encodedCounts(s))
			}
		}
	}
	return r
}

// countsAt returns the first offset at or after length bytes that is aligned for the counts.
func countsAt(s *kernel.Setup, length int64) int64 { return settings.RoundUp(length, mpi.Int32.Size()) }

func countsLength(s *kernel.Setup) int64 { return int64(s.Size()) * mpi.Int32.Size() }

// countsIn returns the place of the counts in an area.
func countsIn(s *kernel.Setup, a *kernel.Area, peer int) mpi.Place {
	place := s.In(a, a.Length-countsLength(s), countsLength(s), peer)
	place.Type = mpi.Int32
	return place
}

// encodedCounts returns the counts as MPI_INT.
func encodedCounts(s *kernel.Setup) []byte {
	var data []byte
	for _, count := range s.Blocks().Counts {
		data = binary.NativeEndian.AppendUint32(data, uint32(count))
	}
	return data
}

func prepend(x *kernel.Step, calls ...mpi.Call) {
	for i := range x.Each {
		x.Each[i].Of += len(calls) // only MPI_Wait uses it
	}
	x.Each = slices.Insert(x.Each, 0, calls...)
}

// addCounts adds the counts to each message of the tree, as its last piece.
func addCounts(x *kernel.Step, s *kernel.Setup) {
	for _, c := range x.Each {
		if c.Op.Family() != mpi.PointToPoint {
			continue
		}
		side := c.Send
		if side.Count == 0 {
			side = c.Recv
		}
		place := &x.Places[side.First]
		counts := countsIn(s, &s.Recv, place.Peer)
		if place.Space == mpi.Space(s.Send.Buffer) {
			counts = countsIn(s, &s.Send, place.Peer)
		}
		if place.Length == 0 {
			*place = counts
			place.Type = mpi.Byte
			continue
		}
		if len(place.Pieces) == 0 {
			place.Pieces = []mpi.Piece{{Length: place.Length}}
		}
		place.Pieces = append(slices.Clone(place.Pieces), mpi.Piece{Offset: counts.Offset - place.Offset,
			Length: counts.Length})
		place.Length += counts.Length
	}
}

// passCounts makes each process receive the counts from its parent and forward them, before it waits for the data of
// its children.
func passCounts(x *kernel.Step, s *kernel.Setup, t *patterns.Tree) {
	var calls []mpi.Call
	if parent := t.Parent[s.Rank()]; parent != patterns.None {
		calls = append(calls, mpi.Call{Op: mpi.Recv, Recv: x.Place(countsIn(s, &s.Recv, parent)), Tag: countsTag})
	}
	for _, child := range t.Children[s.Rank()] {
		calls = append(calls, mpi.Call{Op: mpi.Send, Send: x.Place(countsIn(s, &s.Recv, child)), Tag: countsTag})
	}
	prepend(x, calls...)
}

// countsTag is the tag of messages that only contain counts.
const countsTag = kernel.Tag + 1
