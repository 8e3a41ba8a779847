package suites

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// stridedSides are the sides of a transfer on which blocks have a stride. On the other sides the blocks are adjacent.
type stridedSides struct{ origin, target bool }

// layout is how blocks lie in memory.
type layout struct {
	count   int64 // number of blocks
	block   int64 // bytes of a block
	stride  int64 // from the start of one block to the next, in blocks
	derived bool  // the calls describe the blocks by a derived type, even if the stride is 1
}

// extent returns the bytes from the start of the first block to the end of the last one.
func (l layout) extent() int64 { return ((l.count-1)*l.stride + 1) * l.block }

// withLayout returns the place with this layout.
func (l layout) withLayout(place mpi.Place) mpi.Place {
	if l.derived {
		place.Pieces = mpi.Strided(int(l.count), l.block, l.stride*l.block)
	}
	return place
}

// layouts returns the layouts in the origin's memory and in the target's window.
func layouts(s *kernel.Setup, on stridedSides) (origin, target layout) {
	adjacent := layout{s.Bytes / s.Options.One.Block, s.Options.One.Block, 1, false}
	strided := layout{adjacent.count, adjacent.block, s.AxisValue, true}
	origin, target = adjacent, adjacent
	if on.origin {
		origin = strided
	}
	if on.target {
		target = strided
	}
	return origin, target
}

// directedLayouts returns the layouts from which and into which the data move.
func directedLayouts(s *kernel.Setup, op mpi.Op, on stridedSides) (from, into layout) {
	from, into = layouts(s, on)
	if op == mpi.Get {
		from, into = into, from
	}
	return from, into
}

// withStride returns the builder of a kernel in which the lower rank of a pair moves blocks by op, a Put or a Get. With
// twoWay both ranks do. The blocks have a stride on the given sides.
func withStride(op mpi.Op, on stridedSides, twoWay bool) *kernel.Builder {
	r := &kernel.Builder{Ops: lockedAll(op, mpi.WinFlush), Rows: kernel.Strided,
		Access: kernel.Access{Window: windowOf(op), Transfer: op, Waits: !twoWay, TwoWay: twoWay}}
	r.Data.Sizes = func(s *kernel.Setup) (send, recv int64) {
		from, into := directedLayouts(s, op, on)
		return from.extent(), into.extent()
	}
	r.Build = func(s *kernel.Setup) *kernel.Step {
		origin, target := layouts(s, on)
		places := transferPlaces(s, op, s.Partner(), 0, 0)
		places[0], places[1] = origin.withLayout(places[0]), target.withLayout(places[1])
		x := &kernel.Step{Places: places, Wants: blockWants(s, op, on, twoWay)}
		if !isOrigin(s, op, twoWay) {
			return waitingStep(s, x.Places, x.Wants)
		}
		return withCompletion(s, x, op, mpi.WinFlush)
	}
	return r
}

// blockWants returns the contents of the memory that the data enter: the blocks, and zeros between them. It returns nil
// for a process that no data enter.
func blockWants(s *kernel.Setup, op mpi.Op, on stridedSides, twoWay bool) []kernel.Want {
	receives := (s.Rank() == 0) == (op == mpi.Get)
	if !receives && !twoWay {
		return nil
	}
	from, into := directedLayouts(s, op, on)
	return []kernel.Want{{Area: &s.Recv, Length: into.extent(), Fill: blocksOf(s.SendData(s.Partner()), from, into),
		Unit: 1}}
}

// blocksOf returns the contents of memory that blocks of a sender's data have entered, with zeros between the blocks.
func blocksOf(data kernel.Filler, from, into layout) kernel.Filler {
	return func(part []byte, position int64) {
		clear(part)
		step := into.stride * into.block
		for i := position / step; i < into.count; i++ {
			start := i*step - position // of the block in part; negative if it began before
			if start >= int64(len(part)) {
				return
			}
			skip := max(0, -start)
			if skip >= into.block {
				continue
			}
			end := min(start+into.block, int64(len(part)))
			data(part[start+skip:end], i*from.stride*from.block+skip)
		}
	}
}
