package conformance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// shape is a collective call with all its variable properties.
type shape struct {
	op      mpi.Op
	form    mpi.Form
	kind    mpi.Type
	with    mpi.Reduction
	unit    int64 // elements of a block
	uneven  bool  // the blocks of vector calls differ in length, and some are empty
	inPlace bool
	root    int // 0 for the first process, otherwise the last one
	rotate  bool
	advance bool // the places advance with each loop
	ring    bool // the neighbours are the two neighbours in a ring, not all processes
}

// collectiveOps returns the calls of a family that move or combine data among all processes, and the barrier.
// Neighbourhood and persistent calls are separate cases, because libraries may lack them.
func collectiveOps(f mpi.Family) []mpi.Op {
	return collectivesThat(func(op mpi.Op) bool {
		return op.Family() == f && !op.Neighbourhood() && !op.Persistent() && !op.Large()
	})
}

var (
	neighbourOps  = collectivesThat(func(op mpi.Op) bool { return op.Neighbourhood() && !op.Persistent() })
	persistentOps = collectivesThat(func(op mpi.Op) bool { return op.Persistent() && !slices.Contains(faultyOps, op) })
	// faultyOps are persistent calls with known faults in some libraries (mpi.Library.Fault).
	faultyOps = []mpi.Op{mpi.GatherInit, mpi.ScatterInit, mpi.AllgatherInit}
)

// collectivesThat returns the collective calls for which holds returns true.
func collectivesThat(holds func(op mpi.Op) bool) (list []mpi.Op) {
	for _, op := range mpi.Ops() {
		is := op.Family() == mpi.Collective || op.Family() == mpi.NonblockingCollective
		if is && op.Blocking() != mpi.DupFree && op.Blocking() != mpi.Decide && holds(op) {
			list = append(list, op)
		}
	}
	return list
}

// rooted reports whether a call has a root.
func rooted(op mpi.Op) bool {
	sends, receives := op.AtRoot()
	return sends || receives
}

// blocks holds lengths of a block in bytes: none, one element, some, and just more than any library sends eagerly.
// Longer ones would take too much memory, which grows with the square of the number of processes.
var blocks = []int64{0, 8, 5000, 1<<17 + 8}

var numbers = []mpi.Type{mpi.Int32, mpi.Int64, mpi.Float32, mpi.Float64}

// shapes returns the shapes of some calls: each call with each length, root, form, and in place, each reduction with
// each type and operation, and random combinations of all these.
func shapes(ops []mpi.Op) (list []shape) {
	for _, op := range ops {
		if gives, _ := op.Parts(); gives == mpi.No {
			continue
		}
		kinds := []mpi.Type{mpi.Byte}
		if op.Reduces() {
			kinds = append(slices.Clone(numbers), mpi.Int8) // sums stay below 128, because Open MPI's saturate at 127
		}
		for i, kind := range kinds {
			with := mpi.Reduction(i % 3)
			for _, length := range blocks[:len(blocks)-min(i, 1)] { // long blocks of one type
				for root := range 3 {
					list = append(list, shape{op: op, kind: kind, with: with, unit: length / kind.Size(), uneven: true,
						root: root, rotate: root == 2, ring: root == 1})
				}
			}
			for _, length := range blocks[:3] {
				list = append(list, shape{op: op, kind: kind, with: with, unit: length / kind.Size(), inPlace: true})
				for form := mpi.BasicVector; form <= mpi.ResizedVector; form++ {
					list = append(list, shape{op: op, kind: kind, with: with, unit: length / kind.Size(), form: form,
						uneven: true})
				}
			}
			for with := range mpi.Min + 1 {
				if kind == mpi.Int8 && with == mpi.Sum {
					continue
				}
				list = append(list, shape{op: op, kind: kind, with: with, unit: 1250})
			}
		}
	}
	draw := rand.New(rand.NewPCG(1, uint64(ops[0])))
	for range 150 {
		s := shape{op: ops[draw.IntN(len(ops))], form: mpi.Form(draw.IntN(4)), kind: mpi.Type(draw.IntN(5)),
			with: mpi.Reduction(draw.IntN(3)), unit: []int64{0, 1, 2, 3, 17, 1000}[draw.IntN(6)],
			uneven: draw.IntN(2) == 0, inPlace: draw.IntN(3) == 0, root: draw.IntN(2), rotate: draw.IntN(3) == 0,
			advance: draw.IntN(2) == 0, ring: draw.IntN(2) == 0}
		if gives, _ := s.op.Parts(); gives != mpi.No {
			list = append(list, s)
		}
	}
	for i := range list {
		list[i].settle()
	}
	seen := map[shape]bool{}
	return slices.DeleteFunc(list, func(s shape) bool {
		again := seen[s]
		seen[s] = true
		return again
	})
}

// settle changes properties that the standard or a library doesn't allow.
func (s *shape) settle() {
	send, recv, _ := s.op.InPlace()
	s.inPlace = s.inPlace && (send || recv)
	if s.inPlace {
		s.form = mpi.Basic
	}
	if s.op.Reduces() && s.kind == mpi.Byte {
		s.kind = mpi.Int32
	}
	gives, gets := s.op.Parts()
	parts := gives >= mpi.Vector || gets >= mpi.Vector
	s.uneven = s.uneven && parts && !s.form.IsVector() // joined parts have the same length
	s.advance = s.advance && !(parts && s.op.Reduces())
	if !rooted(s.op) {
		s.root, s.rotate = 0, false
	}
	if s.op.Persistent() { // MPICH 4.0 frees a derived type at each start
		s.rotate, s.advance, s.form = false, false, mpi.Basic
	}
	if adjacent, _ := s.op.Blocks(); adjacent {
		s.uneven = false
	}
	s.ring = s.ring && s.op.Neighbourhood()
	if s.inPlace && s.op.Blocking() == mpi.Reduce && (s.root > 0 || s.rotate) {
		s.unit = min(s.unit, 2048/s.kind.Size()) // MPICH 4.0 crashes with longer vectors at a root other than 0
	}
}

// build adds the call. If it opens a request, it also opens a nonblocking barrier at the same time.
func (s shape) build(x *script) {
	gives, gets := s.op.Parts()
	x.main.kind = s.kind
	call := mpi.Call{Op: s.op, Rotate: s.rotate, Reduce: s.with, InPlace: s.inPlace,
		Root: min(s.root, 1) * (x.size - 1)}
	adjacent, same := s.op.Blocks()
	between := int64(2 * gap)
	if adjacent {
		between = 0
	}
	call.Recv = s.side(x, gets, between, func(peer int) int64 { return s.length(peer, x.rank) })
	if same {
		between = together
	}
	call.Send = s.side(x, gives, between, func(peer int) int64 { return s.length(x.rank, peer) })
	if s.op.Persistent() && s.kind == mpi.Byte && !s.inPlace { // a library may keep data of an earlier start
		x.renew(call.Send)
	}
	x.Call(call)
	if s.op.Starts() {
		of := len(x.Loop) - 1
		x.Call(mpi.Call{Op: mpi.Ibarrier}, mpi.Call{Op: mpi.Wait, Of: of}, mpi.Call{Op: mpi.Waitall})
	}
	x.run(mpi.Loops{Untimed: 1, Timed: 2})
}

// renew adds a call that writes other data into places in each loop.
func (x *script) renew(places mpi.Span) {
	for i := range places.Count {
		if p := &x.Places[places.First+i]; p.Length > 0 {
			p.Mark = mpi.Mark{Width: 1, Key: uint64(31 * x.rank), PerLoop: 1}
		}
	}
	if places.Count > 0 {
		x.Call(mpi.Call{Op: mpi.Stamp, Send: places})
	}
}

// length returns the bytes of the block that one process sends to another.
func (s shape) length(from, to int) int64 {
	n := s.unit
	gives, gets := s.op.Parts()
	_, same := s.op.Blocks()
	switch {
	case !s.uneven:
	case gives == mpi.Whole || same:
		n *= int64((from + 1) % 3)
	case gets == mpi.Whole:
		n *= int64((to + 1) % 3)
	default:
		n *= int64((from + 2*to + 1) % 3)
	}
	return n * s.kind.Size()
}

// together, as a gap, makes all places the same bytes.
const together = -1

// peers returns the processes that have places, in the reverse order of the ranks.
func (s shape) peers(x *script) (list []int) {
	if s.ring {
		list = []int{x.right, x.left}
		return slices.Compact(list)
	}
	for i := range x.size {
		list = append(list, x.size-1-i)
	}
	return list
}

// side adds the places of one side of the call, with a gap between them. The places of a vector call are in the reverse
// order of the ranks, unless the standard has a single buffer.
func (s shape) side(x *script, parts mpi.Parts, between int64, length func(peer int) int64) mpi.Span {
	place := mpi.Place{Type: s.kind, Form: s.form}
	first, loops := len(x.Places), int64(1)
	var end int64 // end of the places so far
	add := func(peer int, bytes int64) {
		place.Peer, place.Length = peer, bytes
		x.put(place)
		end = place.Offset + place.Extent()
	}
	if s.advance {
		loops = 4
	}
	// The places of a side have their own block, with room for each loop's places if they advance.
	space := x.memory(0)
	space.kind = s.kind
	place.Space, place.Offset = space, gap
	switch parts {
	case mpi.Whole:
		add(0, length(x.rank))
	case mpi.Equal:
		add(0, int64(x.size)*s.unit*s.kind.Size())
	default:
		peers := s.peers(x)
		if s.op.Reduces() {
			slices.Reverse(peers)
		}
		for _, peer := range peers {
			add(peer, length(peer))
			switch {
			case between == together:
			case !s.form.IsVector() && !s.op.Reduces():
				place.Offset = end + between // a whole number of elements with gaps
			default:
				place.Offset = end
			}
		}
	}
	slot := (end + 2*gap) / gap * gap
	space.size = loops * slot
	for i := first; s.advance && i < len(x.Places); i++ {
		x.Places[i].Advance = slot
	}
	return x.latest(len(x.Places) - first)
}

// collectives returns the body of a case that plays all shapes of some calls.
func collectives(ops []mpi.Op) func(p *process) {
	return func(p *process) {
		p.onGroups(func(c mpi.Comm) {
			for i, s := range shapes(ops) {
				if c != p.world && i%3 > 0 {
					continue
				}
				p.doing = fmt.Sprintf("%+v: ", s)
				p.play(c, s.build)
			}
		})
	}
}

// collectiveWalk moves places between the calls. A call that kept the first place would transfer old marks.
func collectiveWalk(x *script) {
	const chunk = 24
	length := int64(chunk * x.size)
	// The mark of a message from process a to process b is 1000·a + b, plus the loop's number times a million.
	sent := mpi.Mark{Width: 8, Key: uint64(1000 * x.rank), PerLoop: 1e6, Chunk: chunk, PerChunk: 1}
	received := mpi.Mark{Width: 8, Key: uint64(x.rank), PerLoop: 1e6, Chunk: chunk, PerChunk: 1000}
	send := x.put(mpi.Place{Space: x.memory(5*length + 8), Length: length, Step: length + 8, Mark: sent})
	recv := x.put(mpi.Place{Space: x.memory(3*length + 8), Length: length, Step: length, Mark: received})
	x.Call(mpi.Call{Op: mpi.Walk, Send: send, Recv: recv}, mpi.Call{Op: mpi.Stamp, Send: send},
		mpi.Call{Op: mpi.Alltoall, Send: send, Recv: recv}, mpi.Call{Op: mpi.Check, Recv: recv})
	x.run(once, mpi.Loops{Untimed: 3, Timed: 20})
}

// dupFree duplicates and frees communicators, with messages in between.
func dupFree(x *script) {
	for range 3 {
		x.Call(mpi.Call{Op: mpi.DupFree},
			mpi.Call{Op: mpi.Sendrecv, Send: x.to(x.right, 100), Recv: x.from(x.left, 100)})
	}
}

func programBarrier(p *process) {
	program := mpi.Program{Comm: p.world}
	program.Call(mpi.Call{Op: mpi.Barrier})
	p.holds(p.world, func() { p.runProgram(&program, once) })
	p.runProgram(&program, mpi.Loops{Untimed: 10, Timed: 20})
}

// exploit checks that Exploit takes more time for more products.
func exploit(p *process) {
	var seconds []float64
	for _, times := range []int64{0, 50, 1000} {
		program := mpi.Program{Comm: p.world, Start: p.world}
		program.Call(mpi.Call{Op: mpi.Exploit, Times: times})
		r := p.compile(&program)
		least := math.Inf(1)
		for range 3 {
			m := p.run(r, once)
			least = min(least, m.Seconds)
		}
		seconds = append(seconds, least)
	}
	if !(seconds[0] < seconds[1] && seconds[1] < seconds[2]) {
		p.errorf("0, 50 and 1000 products take %v s", seconds)
	}
}
