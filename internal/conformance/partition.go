package conformance

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// partitionedSend is a partitioned message that is sent when all of its parts are ready.
type partitionedSend struct {
	step step
	data []byte
	left int // parts that aren't ready
	sent bool
}

func (u *partitionedSend) gone() bool { return u.sent }

// beginPartitioned begins a partitioned message.
func (a *referenceProcess) beginPartitioned(s step) done {
	u := &partitionedSend{step: s, data: make([]byte, a.program.Places[s.Send.First].Length), left: s.Parts}
	a.unsent[s.number] = u
	return u.gone
}

// part runs Pready and PreadyRange, which send the data that the parts have now. For Parrived it waits until the whole
// message has arrived.
func (r *reference) part(a *referenceProcess, s step) done {
	if s.Op == mpi.Parrived {
		return a.open[s.Of]
	}
	u := a.unsent[s.Of]
	first, n := s.Ready()
	size := len(u.data) / u.step.Parts
	from, end := first*size, (first+n)*size
	copy(u.data[from:end], a.location(u.step, u.step.Send.First).take()[from:end])
	if u.left -= n; u.left == 0 {
		u.sent = true
		r.deliver(a, u.step, u.data)
	}
	return always
}

// matchTag returns the tag for matching. Partitioned messages match no others.
func (s step) matchTag() int {
	if s.Op.Partitioned() {
		return -1 - s.Tag
	}
	return s.Tag
}

// partitionedShape holds the properties of a partitioned message.
type partitionedShape struct {
	length          int64
	sends, receives int    // parts on both sides
	order           string // in which parts become ready
	arrived         bool   // the receiver waits for each of its parts
}

var partitionedShapes = []partitionedShape{
	{0, 1, 1, "", true}, {8, 1, 1, "", false}, {3 * 4096, 3, 3, "reverse", true}, {1 << 20, 16, 16, "range", true},
	{1 << 19, 4, 16, "", false}, {1 << 19, 16, 4, "reverse", true}, {5 * 16, 5, 1, "range", false},
}

// partitioned passes a partitioned message around the ring, together with a message of the same tag. The data of each
// part are written after the start, before the part is ready.
func partitioned(x *script, s partitionedShape) {
	const tag = 5
	send, recv := x.to(x.right, s.length), x.from(x.left, s.length)
	x.Call(mpi.Call{Op: mpi.PrecvInit, Recv: recv, Parts: s.receives, Tag: tag},
		mpi.Call{Op: mpi.PsendInit, Send: send, Parts: s.sends, Tag: tag})
	whole, size := x.Places[send.First], s.length/int64(s.sends)
	write := func(part int) {
		if size >= 16 {
			mark := mpi.Mark{Width: 8, Key: uint64(part), PerLoop: 1 << 32}
			x.Call(mpi.Call{Op: mpi.Stamp, Send: x.put(mpi.Place{Space: whole.Space, Length: size, Mark: mark,
				Offset: whole.Offset + int64(part)*size})})
		}
	}
	order := to(s.sends)
	if s.order == "reverse" {
		slices.Reverse(order)
	}
	for _, part := range order {
		if write(part); s.order != "range" {
			x.Call(mpi.Call{Op: mpi.Pready, Of: 1, Part: part})
		}
	}
	if s.order == "range" {
		x.Call(mpi.Call{Op: mpi.Pready, Of: 1}, mpi.Call{Op: mpi.PreadyRange, Of: 1, Part: 1, Parts: s.sends - 1})
	}
	x.Call(mpi.Call{Op: mpi.Sendrecv, Send: x.to(x.right, 100), Recv: x.from(x.left, 100), Tag: tag})
	for part := s.receives - 1; s.arrived && part >= 0; part-- {
		x.Call(mpi.Call{Op: mpi.Parrived, Of: 0, Part: part})
	}
	x.Call(mpi.Call{Op: mpi.Wait, Of: 1}, mpi.Call{Op: mpi.Waitall})
	x.run(once, mpi.Loops{Untimed: 1, Timed: 3})
}

// largeCounts makes calls with large counts: messages to the right neighbour, and collective calls.
func largeCounts(x *script, length int64) {
	number := func(kind mpi.Type) mpi.Span { return x.put(mpi.Place{Length: length, Type: kind}) }
	send := mpi.Call{Op: mpi.SendLarge, Send: x.to(x.right, length), Tag: 2}
	recv := mpi.Call{Op: mpi.RecvLarge, Recv: x.from(x.left, length), Tag: 2}
	switch {
	case x.size == 1:
	case x.rank == 0:
		x.Call(recv, send)
	default:
		x.Call(send, recv)
	}
	x.Call(mpi.Call{Op: mpi.BcastLarge, Send: number(mpi.Byte), Recv: number(mpi.Byte), Root: x.size - 1})
	x.Call(mpi.Call{Op: mpi.AlltoallvLarge, Send: x.spread(length), Recv: x.spread(length)})
	x.begin()
	x.main = x.memory(gap)
	x.main.kind = mpi.Int64
	x.Call(mpi.Call{Op: mpi.AllreduceLarge, Send: number(mpi.Int64), Recv: number(mpi.Int64), Reduce: mpi.Max})
}

// spread adds a place for each process in new memory, in the reverse order of the ranks.
func (x *script) spread(length int64) mpi.Span {
	space := x.memory(int64(x.size) * (length + gap))
	for i := range x.size {
		x.Place(mpi.Place{Space: space, Offset: int64(i) * (length + gap), Length: length, Peer: x.size - 1 - i})
	}
	return x.latest(x.size)
}

// cartesian exchanges data between the neighbours of Cartesian communicators, some of which are missing.
func cartesian(p *process) {
	for _, sides := range [][]int{{p.size}, {1, p.size}, {2, p.size / 2}, {p.size, 1, 1}} {
		n := 1
		for _, side := range sides {
			n *= side
		}
		if n != p.size {
			continue
		}
		periodic := make([]bool, len(sides))
		for d, side := range sides {
			periodic[d] = side > 2 // libraries differ in the order if both neighbours are the same process
		}
		c, err := p.world.Cart(sides, periodic)
		p.must(err)
		p.play(c, func(x *script) { neighboursOnGrid(x, sides) })
		p.must(c.Free())
	}
}

// neighboursOnGrid makes neighbourhood calls with the neighbours on a grid.
func neighboursOnGrid(x *script, sides []int) {
	const length = 1000
	var peers []int
	below := x.size
	for _, side := range sides {
		below /= side
		here := x.rank / below % side
		for _, away := range []int{-1, 1} {
			there, peer := here+away, mpi.Nobody
			if side > 2 || there >= 0 && there < side {
				peer = x.rank + ((there+side)%side-here)*below
			}
			peers = append(peers, peer)
		}
	}
	places := func(apart int64) mpi.Span {
		space := x.memory(int64(len(peers)) * length)
		for i, peer := range peers {
			x.Place(mpi.Place{Space: space, Offset: int64(i) * apart, Length: length, Peer: peer})
		}
		return x.latest(len(peers))
	}
	x.Call(mpi.Call{Op: mpi.NeighborAlltoall, Send: places(length), Recv: places(length)})
	x.Call(mpi.Call{Op: mpi.IneighborAlltoallv, Send: places(length), Recv: places(length)},
		mpi.Call{Op: mpi.Wait, Of: 1})
	x.Call(mpi.Call{Op: mpi.NeighborAllgather, Send: places(0), Recv: places(length)})
}
