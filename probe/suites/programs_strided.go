package suites

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// stridedSides are the sides of a transfer on which blocks have a stride. On the other sides the blocks are adjacent.
type stridedSides struct{ origin, target bool }

// layout is how blocks lie in memory.
type layout struct {
	count, block int64
	stride       int64 // from the start of one block to the next, in blocks
	apart        bool  // described by a derived type, even if the stride is 1
}

// extent returns the bytes from the start of the first block to the end of the last one.
func (l layout) extent() int64 { return ((l.count-1)*l.stride + 1) * l.block }

// in returns the place with this layout.
func (l layout) in(place mpi.Place) mpi.Place {
	if l.apart {
		place.Pieces = mpi.Strided(int(l.count), l.block, l.stride*l.block)
	}
	return place
}

// layouts returns the layouts in the origin's memory and in the target's window.
func layouts(s *kernel.Setup, on stridedSides) (origin, target layout) {
	dense := layout{s.Bytes / s.Options.One.Block, s.Options.One.Block, 1, false}
	apart := layout{dense.count, dense.block, s.Along, true}
	origin, target = dense, dense
	if on.origin {
		origin = apart
	}
	if on.target {
		target = apart
	}
	return origin, target
}

// endsOf returns the layouts from and into which the data move.
func endsOf(s *kernel.Setup, op mpi.Op, on stridedSides) (from, into layout) {
	from, into = layouts(s, on)
	if op == mpi.Get {
		from, into = into, from
	}
	return from, into
}

// withStride returns the builder of a kernel in which the lower rank of a pair, or both, move blocks with a stride on
// the sides of the origin, the target or both.
func withStride(op mpi.Op, on stridedSides, both bool) *kernel.Builder {
	r := &kernel.Builder{Ops: lockedAll(op, mpi.WinFlush), Access: kernel.Access{Window: windowOf(op), Transfer: op,
		Waits: !both,
		Both:  both}, Rows: kernel.Strided}
	r.Data.Sizes = func(s *kernel.Setup) (send, recv int64) {
		from, into := endsOf(s, op, on)
		return from.extent(), into.extent()
	}
	r.Build = func(s *kernel.Setup) *kernel.Step {
		origin, target := layouts(s, on)
		places := transferPlaces(s, op, s.Partner(), 0, 0)
		places[0], places[1] = origin.in(places[0]), target.in(places[1])
		x := &kernel.Step{Places: places, Wants: blockWants(s, op, on, both)}
		if !isOrigin(s, op, both) {
			return waitingStep(s, x.Places, x.Wants)
		}
		return withCompletion(s, x, op, mpi.WinFlush)
	}
	return r
}

// blockWants returns the contents of the memory that the data enter: the blocks, and zeros between them.
func blockWants(s *kernel.Setup, op mpi.Op, on stridedSides, both bool) []kernel.Want {
	enters := s.Rank() == 0
	if op == mpi.Put {
		enters = !enters
	}
	if !enters && !both {
		return nil
	}
	from, into := endsOf(s, op, on)
	return []kernel.Want{{Area: &s.Recv, Length: into.extent(), Fill: blocksOf(s.Own(s.Partner()), from, into),
		Unit: 1}}
}

// blocksOf returns the contents of memory that blocks of a sender's data have entered.
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
