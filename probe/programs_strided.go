package probe

import "github.com/effective-bandwidth/beff/mpi"

// stridedSides names the sides of a transfer on which blocks have a stride. On the other one they follow each other.
type stridedSides struct{ origin, target bool }

// layout is the way in which blocks lie in memory.
type layout struct {
	count, block int64
	stride       int64 // blocks from the start of one to the next
	apart        bool  // they have a stride, even if it is 1: a derived type tells the library
}

// extent returns the bytes from the first block to the end of the last one.
func (l layout) extent() int64 { return ((l.count-1)*l.stride + 1) * l.block }

// in returns a place whose bytes lie so.
func (l layout) in(place mpi.Place) mpi.Place {
	if l.apart {
		place.Pieces = mpi.Strided(int(l.count), l.block, l.stride*l.block)
	}
	return place
}

// layouts returns the layouts in the origin's memory and in the target's window.
func layouts(s *scene, on stridedSides) (origin, target layout) {
	dense := layout{s.bytes / s.one.Block, s.one.Block, 1, false}
	apart := layout{dense.count, dense.block, s.stride, true}
	origin, target = dense, dense
	if on.origin {
		origin = apart
	}
	if on.target {
		target = apart
	}
	return origin, target
}

// endsOf returns the layouts that the data leave and enter.
func endsOf(s *scene, op mpi.Op, on stridedSides) (from, into layout) {
	from, into = layouts(s, on)
	if op == mpi.Get {
		from, into = into, from
	}
	return from, into
}

// withStride returns the recipe of a kernel in which the lower rank of a pair, or both, move blocks with a stride on
// the sides of the origin, the target or both.
func withStride(op mpi.Op, on stridedSides, both bool) *recipe {
	r := &recipe{ops: lockedAll(op, mpi.WinFlush), window: windowOf(op), rows: strided, transfer: op, waits: !both,
		both: both}
	r.memory = func(s *scene) (send, recv int64) {
		from, into := endsOf(s, op, on)
		return from.extent(), into.extent()
	}
	r.build = func(s *scene) *step {
		origin, target := layouts(s, on)
		places := transferPlaces(s, op, s.partner(), 0, 0)
		places[0], places[1] = origin.in(places[0]), target.in(places[1])
		x := &step{places: places, wants: blockWants(s, op, on, both)}
		if !isOrigin(s, op, both) {
			return waitingStep(s, x.places, x.wants)
		}
		return completing(s, x, op, mpi.WinFlush)
	}
	return r
}

// blockWants returns the contents of the memory that the data enter: the blocks, and zeros between them.
func blockWants(s *scene, op mpi.Op, on stridedSides, both bool) []want {
	enters := s.rank() == 0
	if op == mpi.Put {
		enters = !enters
	}
	if !enters && !both {
		return nil
	}
	from, into := endsOf(s, op, on)
	return []want{{area: &s.recv, length: into.extent(), fill: blocksOf(s.own(s.partner()), from, into), unit: 1}}
}

// blocksOf returns the contents of memory that blocks of a sender's data have entered.
func blocksOf(data filler, from, into layout) filler {
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
