package conformance

import (
	"github.com/effective-bandwidth/beff/mpi"
)

func copies(x *script, length int64) {
	x.Call(mpi.Call{Op: mpi.Copy, Send: x.to(0, length), Recv: x.from(0, length)})
	x.run(once)
}

// combines combines numbers of all types, with all operations and forms.
func combines(x *script) {
	for _, n := range []int64{0, 1, 1003} {
		for _, kind := range numbers {
			space := x.memory(0)
			space.kind = kind
			for with := range mpi.Min + 1 {
				for form := mpi.Basic; form <= mpi.ResizedVector; form++ {
					place := mpi.Place{Space: space, Offset: space.size + gap, Length: n * kind.Size(),
						Type: kind, Form: form}
					send := x.put(place)
					place.Offset += place.Extent() + gap
					x.Call(mpi.Call{Op: mpi.Combine, Send: send, Recv: x.put(place), Reduce: with})
					space.size = place.Offset + (place.Extent()+2*gap-1)/gap*gap
				}
			}
		}
	}
}

// touches writes and reads lines of two places.
func touches(x *script, length int64) {
	x.to(0, length)
	x.to(0, length)
	x.Call(mpi.Call{Op: mpi.TouchSend, Send: x.latest(2), Tag: 200 + x.rank}, mpi.Call{Op: mpi.ThreadBarrier},
		mpi.Call{Op: mpi.TouchRecv, Recv: x.latest(2)})
}

// walks makes two programs walk through the same memory in turn, with places that walk and places that don't.
func walks(x *script) {
	one, other := x.memory(128), x.memory(64)
	marked := func(places ...mpi.Place) {
		for i, place := range places {
			place.Mark = mpi.Mark{Width: 1, Key: uint64(10 * (len(x.programs)*5 + i)), PerLoop: 1}
			x.put(place)
		}
		all := mpi.Span{Count: len(places)}
		x.Call(mpi.Call{Op: mpi.Walk, Send: mpi.One(0), Recv: mpi.Span{First: 1, Count: len(places) - 1}},
			mpi.Call{Op: mpi.Stamp, Send: all})
	}
	marked(mpi.Place{Space: one, Length: 24, Step: 32}, mpi.Place{Space: other, Length: 10, Step: 16},
		mpi.Place{Space: one, Length: 16, Step: 24}, mpi.Place{Space: one, Offset: 13, Length: 8},
		mpi.Place{Space: other, Offset: 50, Length: 8})
	x.begin()
	marked(mpi.Place{Space: one, Length: 40, Step: 40},
		mpi.Place{Space: one, Length: 128, Step: 8}, // the whole memory, always at 0
		mpi.Place{Space: one, Length: 1, Step: 100}) // a step far beyond the end
	for i := range 6 {
		x.turns = append(x.turns, turn{program: i % 2,
			Loops: mpi.Loops{Untimed: int64(i % 3), Timed: int64(1 + i%2)}})
	}
}

// advancing stamps places that advance through memory.
func advancing(x *script) {
	for _, place := range []mpi.Place{
		{Length: 4, Advance: 12}, {Offset: 3, Length: 8, Advance: 16}, {Offset: 40, Length: 12, Advance: 20},
		{Offset: 92, Length: 8, Advance: 8}, {Offset: 7, Length: 1, Advance: 1}, {Length: 60, Advance: 50},
		{Offset: 1, Length: 99, Advance: 5}, {Offset: 96, Length: 4, Advance: 1 << 62},
	} {
		x.begin()
		place.Space, place.Mark = x.memory(100), mpi.Mark{Width: 1, Key: 1, PerLoop: 1}
		stamp := []mpi.Call{{Op: mpi.Stamp, Send: x.put(place)}}
		x.Before, x.Loop, x.After = stamp, stamp, stamp
		x.run(once, mpi.Loops{Untimed: 2, Timed: 3}, mpi.Loops{Timed: 9}, once)
	}
}

// advancingMessages sends between advancing places, with messages or with vector calls.
func advancingMessages(x *script, op mpi.Op) {
	mark := func(rank int) mpi.Mark { return mpi.Mark{Width: 8, Key: uint64(rank), PerLoop: 1000} }
	from := x.put(mpi.Place{Space: x.memory(100), Offset: 20, Length: 8, Advance: 24, Peer: x.right,
		Mark: mark(x.rank)})
	into := x.put(mpi.Place{Space: x.memory(70), Length: 8, Advance: 16, Peer: x.left, Mark: mark(x.left)})
	x.Call(mpi.Call{Op: mpi.Stamp, Send: from}, mpi.Call{Op: op, Send: from, Recv: into},
		mpi.Call{Op: mpi.Check, Recv: into})
	x.run(once, mpi.Loops{Untimed: 2, Timed: 4})
}

// sections records in each section the number of each loop in which it runs. Before and After must run once in each
// pass, including the untimed one, as parts of its first and last loop.
func sections(x *script) {
	trail := func() []mpi.Call {
		place := x.put(mpi.Place{Space: x.memory(200), Length: 8, Step: 8,
			Mark: mpi.Mark{Width: 8, Key: 1, PerLoop: 1}})
		return []mpi.Call{{Op: mpi.Walk, Send: place}, {Op: mpi.Stamp, Send: place}}
	}
	x.Before, x.Loop, x.After = trail(), trail(), trail()
	x.run(mpi.Loops{Untimed: 2, Timed: 3}, once, mpi.Loops{Timed: 2, Budget: 1e6}, mpi.Loops{Timed: 3, Each: true})
}

// sectionMessages exchanges messages in each section. Each section has separate requests.
func sectionMessages(x *script) {
	exchange := func(section int, last mpi.Call) []mpi.Call {
		mark := func(sender int) mpi.Mark {
			return mpi.Mark{Width: 8, Key: uint64(100*sender + section), PerLoop: 1e6}
		}
		send := x.put(mpi.Place{Length: 16, Peer: x.right, Mark: mark(x.rank)})
		recv := x.put(mpi.Place{Length: 16, Peer: x.left, Mark: mark(x.left)})
		return []mpi.Call{
			{Op: mpi.Stamp, Send: send}, {Op: mpi.Irecv, Recv: recv, Tag: section},
			{Op: mpi.Isend, Send: send, Tag: section}, {Op: mpi.Wait, Of: 1}, last, {Op: mpi.Check, Recv: recv},
		}
	}
	x.Before = exchange(0, mpi.Call{Op: mpi.Wait, Of: 2})
	x.Loop = exchange(1, mpi.Call{Op: mpi.Waitall})
	x.After = exchange(2, mpi.Call{Op: mpi.Wait, Of: 2})
	x.run(once, mpi.Loops{Untimed: 2, Timed: 5}, mpi.Loops{Timed: 3, Each: true})
}
