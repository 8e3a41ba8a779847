package conformance

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// each returns the body of a case that plays a script for each value of a list.
func each[T any](list []T, build func(x *script, value T)) func(p *process) {
	return func(p *process) {
		for _, value := range list {
			p.doing = fmt.Sprintf("%+v: ", value)
			p.play(p.world, func(x *script) { build(x, value) })
			p.must(p.Collect())
		}
	}
}

// single returns the body of a case that plays one script.
func single(build func(x *script)) func(p *process) {
	return func(p *process) { p.play(p.world, build) }
}

// onGroups calls do with the world, and then, at the same time, with groups of two or more processes in reverse order.
func (p *process) onGroups(do func(c mpi.Comm)) {
	do(p.world)
	c, err := p.world.Split(p.rank%max(1, p.size/2), -p.rank)
	p.must(err)
	do(c)
	p.must(c.Free())
}

// onAllGroups returns the body of a case that plays a script with onGroups.
func onAllGroups(build func(x *script)) func(p *process) {
	return func(p *process) { p.onGroups(func(c mpi.Comm) { p.play(c, build) }) }
}

// lengths holds message lengths at and around the limits of b_eff's table, of eager protocols and of copies by words.
// Only one case uses the longest one, because the reference takes long to move it, and no engine treats it differently
// from the previous one.
var lengths = []int64{0, 1, 2, 7, 8, 4095, 4096, 65536, 1<<20 + 1, 8 << 20}

// upTo1MiB holds all lengths but the longest.
var upTo1MiB = lengths[:len(lengths)-1]

// sendrecv passes messages around the ring.
func sendrecv(x *script, length int64) {
	x.Call(mpi.Call{Op: mpi.Sendrecv, Send: x.to(x.right, length), Recv: x.from(x.left, length)})
	x.run(mpi.Loops{Untimed: 1, Timed: 2})
}

// replaces passes messages around the ring, each replacing the previous one in memory. After n loops a process has the
// message of the n-th process to its left.
func replaces(x *script, length int64) {
	send := x.to(x.right, length)
	place := x.Places[send.First]
	place.Peer = x.left
	x.Call(mpi.Call{Op: mpi.SendrecvReplace, Send: send, Recv: x.put(place), Tag: 3})
	x.run(mpi.Loops{Untimed: 2, Timed: 3})
}

// notifies sends notifications around the ring, in one direction and then in the other.
func notifies(x *script) {
	x.Call(mpi.Call{Op: mpi.Notify, Send: x.to(x.right, 0), Recv: x.from(x.left, 0)},
		mpi.Call{Op: mpi.Notify, Send: x.to(x.left, 0), Recv: x.from(x.right, 0), Tag: 1})
	x.run(mpi.Loops{Untimed: 1, Timed: 50})
}

// withEach exchanges messages with each other process, while others are under way. Then process 0 receives a message
// from each.
func withEach(x *script, length int64) {
	x.Call(mpi.Call{Op: mpi.Irecv, Recv: x.from(x.left, 8), Tag: 1},
		mpi.Call{Op: mpi.SendrecvEach, Send: x.to(mpi.AnySource, length), Recv: x.from(mpi.AnySource, length)},
		mpi.Call{Op: mpi.Send, Send: x.to(x.right, 8), Tag: 1}, mpi.Call{Op: mpi.Wait})
	if x.rank > 0 {
		x.Call(mpi.Call{Op: mpi.Send, Send: x.to(0, length), Tag: 2})
		return
	}
	all := x.from(mpi.AnySource, length*int64(x.size))
	x.Places[all.First].Length = length
	x.Call(mpi.Call{Op: mpi.RecvEach, Recv: all, Tag: 2})
}

// pingPong exchanges messages in pairs. If the number of processes is odd, the last one has no partner.
func pingPong(x *script, length int64) {
	peer := x.rank ^ 1
	if peer >= x.size {
		return
	}
	calls := []mpi.Call{{Op: mpi.Send, Send: x.to(peer, length)}, {Op: mpi.Recv, Recv: x.from(peer, length)}}
	if x.rank%2 == 1 {
		slices.Reverse(calls)
	}
	x.Call(calls...)
}

// startExchanges adds Irecv and Isend calls for messages of three lengths in both directions of the ring.
func (x *script) startExchanges() {
	for i, length := range []int64{8, 100000, 1} {
		x.Call(mpi.Call{Op: mpi.Irecv, Recv: x.from(x.left, length), Tag: i})
		x.Call(mpi.Call{Op: mpi.Irecv, Recv: x.from(x.right, length), Tag: 10 + i})
	}
	for i, length := range []int64{8, 100000, 1} {
		x.Call(mpi.Call{Op: mpi.Isend, Send: x.to(x.left, length), Tag: 10 + i})
		x.Call(mpi.Call{Op: mpi.Isend, Send: x.to(x.right, length), Tag: i})
	}
}

// waits completes a number of requests one by one in reverse order, and the rest with Waitall.
func waits(x *script, single int) {
	x.startExchanges()
	requests := len(x.Loop)
	for i := range single {
		x.Call(mpi.Call{Op: mpi.Wait, Of: requests - 1 - i})
	}
	if single < requests {
		x.Call(mpi.Call{Op: mpi.Waitall})
	}
	x.run(once, mpi.Loops{Untimed: 2, Timed: 20})
}

// tested tests each request and then waits for it.
func tested(x *script) {
	x.startExchanges()
	for i := range len(x.Loop) {
		x.Call(mpi.Call{Op: mpi.Test, Of: i}, mpi.Call{Op: mpi.Wait, Of: i})
	}
	x.run(once, mpi.Loops{Untimed: 2, Timed: 20})
}

// tags receives messages in the reverse order of sending, by their tags.
func tags(x *script) {
	for i, length := range []int64{8, 200000, 0, 8} {
		x.Call(mpi.Call{Op: mpi.Isend, Send: x.to(x.right, length), Tag: 100 + i})
	}
	for i, length := range []int64{8, 0, 200000, 8} {
		x.Call(mpi.Call{Op: mpi.Recv, Recv: x.from(x.left, length), Tag: 103 - i})
	}
	x.Call(mpi.Call{Op: mpi.Waitall})
	x.run(mpi.Loops{Timed: 10})
}

// order sends long and short messages in turn with one tag. A short one must not overtake a long one (MPI 4.1, 3.5).
// The receives are posted before the sends, or block.
func order(x *script, posted bool) {
	const messages = 16
	receive := func(op mpi.Op) {
		for i := range messages {
			x.Call(mpi.Call{Op: op, Recv: x.from(x.left, []int64{100000, 8}[i%2])})
		}
	}
	if posted {
		receive(mpi.Irecv)
	}
	for i := range messages {
		x.Call(mpi.Call{Op: mpi.Isend, Send: x.to(x.right, []int64{100000, 8}[i%2])})
	}
	if !posted {
		receive(mpi.Recv)
	}
	x.Call(mpi.Call{Op: mpi.Waitall})
	x.run(mpi.Loops{Timed: 5})
}

// sendsAfterReceives returns the build function of a case that sends after all receives are posted.
func sendsAfterReceives(op mpi.Op) func(x *script) {
	return func(x *script) {
		for i, length := range upTo1MiB {
			x.Call(mpi.Call{Op: mpi.Irecv, Recv: x.from(x.left, length), Tag: i})
		}
		x.Call(mpi.Call{Op: mpi.Barrier})
		for i, length := range upTo1MiB {
			x.Call(mpi.Call{Op: op, Send: x.to(x.right, length), Tag: i})
		}
		x.Call(mpi.Call{Op: mpi.Waitall})
		x.run(mpi.Loops{Untimed: 1, Timed: 2})
	}
}

// allForms has all forms of elements.
var allForms = []mpi.Form{mpi.Basic, mpi.BasicVector, mpi.Resized, mpi.ResizedVector}

// forms sends elements of all types in a form to the right neighbour. The last messages are shorter than their places,
// which is legal (MPI 4.1, 3.2.4). Vectors can't be shorter, because the standard has no partial elements.
func forms(x *script, form mpi.Form) {
	for _, kind := range append(numbers, mpi.Byte, mpi.Int8) {
		for _, n := range [][2]int64{{0, 0}, {1, 1}, {10, 10}, {40000, 40000}, {0, 64}, {1, 65}, {8, 11},
			{100000, 100064}} {
			if form.IsVector() && n[0] != n[1] {
				continue
			}
			place := func(n int64, peer int) mpi.Span {
				return x.put(mpi.Place{Length: n * kind.Size(), Peer: peer, Type: kind, Form: form})
			}
			x.Call(mpi.Call{Op: mpi.Sendrecv, Send: place(n[0], x.right), Recv: place(n[1], x.left)})
		}
	}
}

// randomMessages sends messages in both directions of the ring with random lengths, forms, pieces, tags and calls, from
// places that may advance. All processes draw the same numbers.
func randomMessages(x *script, seed int) {
	draw := rand.New(rand.NewPCG(2, uint64(seed)))
	loops := 3 + draw.Int64N(3)
	place := func(peer int, length int64, kind mpi.Type, form mpi.Form) mpi.Span {
		place := mpi.Place{Space: x.memory(0), Offset: gap, Length: length, Peer: peer, Type: kind, Form: form}
		if pieces := draw.Int64N(5); pieces > 0 && form == mpi.Basic {
			each := (length/8 + pieces - 1) / pieces * 8
			place.Length, place.Pieces = pieces*each, mpi.Strided(int(pieces), each, each+8*draw.Int64N(3))
		}
		slot := (place.Extent() + 2*gap) / gap * gap
		place.Space.(*block).size = loops * slot
		if draw.IntN(2) == 0 {
			place.Advance = slot
		}
		return x.put(place)
	}
	for tag := range 1 + draw.IntN(8) {
		unit, right := []int64{0, 8, 120, 4096, 70000}[draw.IntN(5)], draw.IntN(2) == 0
		into, from := x.left, x.right
		if right {
			into, from = x.right, x.left
		}
		kind, form := numbers[draw.IntN(4)], []mpi.Form{mpi.Basic, mpi.Resized}[draw.IntN(2)]
		send, recv := place(into, unit, kind, form), place(from, unit+40, kind, form)
		switch draw.IntN(3) {
		case 0:
			x.Call(mpi.Call{Op: mpi.Sendrecv, Send: send, Recv: recv, Tag: tag})
		case 1:
			x.Call(mpi.Call{Op: mpi.Irecv, Recv: recv, Tag: tag}, mpi.Call{Op: mpi.Send, Send: send, Tag: tag})
		default:
			x.Call(mpi.Call{Op: mpi.Isend, Send: send, Tag: tag}, mpi.Call{Op: mpi.Recv, Recv: recv, Tag: tag})
		}
	}
	x.Call(mpi.Call{Op: mpi.Waitall})
	x.run(mpi.Loops{Timed: 1}, mpi.Loops{Untimed: 1, Timed: loops})
}

// self sends to the process itself with each kind of call.
func self(x *script, length int64) {
	places := func() (send, recv mpi.Span) { return x.to(x.rank, length), x.from(x.rank, length) }
	for _, op := range []mpi.Op{mpi.Sendrecv, mpi.Alltoallv} {
		send, recv := places()
		x.Call(mpi.Call{Op: op, Send: send, Recv: recv})
	}
	send, recv := places()
	x.Call(mpi.Call{Op: mpi.Isend, Send: send}, mpi.Call{Op: mpi.Irecv, Recv: recv}, mpi.Call{Op: mpi.Waitall})
	send, recv = places()
	x.Call(mpi.Call{Op: mpi.Irecv, Recv: recv}, mpi.Call{Op: mpi.Send, Send: send}, mpi.Call{Op: mpi.Waitall})
}

// pieceBytes is the total length of each row of pieceTable.
const pieceBytes = 400

// pieceTable holds layouts of pieceBytes bytes: one run, adjacent pieces, regular strides, odd numbers, and irregular
// pieces.
var pieceTable = [][]mpi.Piece{
	nil,
	mpi.Strided(100, 4, 4),
	mpi.Strided(100, 4, 20),
	mpi.Strided(50, 8, 24),
	mpi.Strided(4, 100, 103),
	{{Offset: 200, Length: 100}, {Length: 150}, {Offset: 400}, {Offset: 350, Length: 50}, {Offset: 501, Length: 100}},
}

// pieces sends around the ring from each layout of pieceTable into each other one, first with blocking calls, then all
// at once. Then it sends long messages, messages shorter than their places, and an empty one.
func pieces(x *script) {
	place := func(peer int, length int64, pieces []mpi.Piece) mpi.Span {
		if pieces != nil {
			length = 0
		}
		for _, piece := range pieces {
			length += piece.Length
		}
		return x.put(mpi.Place{Length: length, Peer: peer, Pieces: pieces})
	}
	exchange := func(from, into []mpi.Piece, length int64, blocking bool, tag int) {
		send, recv := place(x.right, length, from), place(x.left, length, into)
		if blocking {
			x.Call(mpi.Call{Op: mpi.Sendrecv, Send: send, Recv: recv})
			return
		}
		x.Call(mpi.Call{Op: mpi.Irecv, Recv: recv, Tag: tag}, mpi.Call{Op: mpi.Isend, Send: send, Tag: tag})
	}
	for _, blocking := range []bool{true, false} {
		for i, from := range pieceTable {
			for j, into := range pieceTable {
				exchange(from, into, pieceBytes, blocking, i*len(pieceTable)+j)
			}
		}
	}
	x.Call(mpi.Call{Op: mpi.Waitall})
	long, wide := mpi.Strided(1<<15, 4, 8), mpi.Strided(1<<14, 8, 24)
	exchange(long, wide, 1<<17, true, 0)
	exchange(nil, long, 1<<17, true, 0)
	exchange(wide, nil, 1<<17, true, 0)
	exchange(nil, long, pieceBytes, true, 0)
	exchange(nil, mpi.Strided(100, 4, 8), 250, true, 0)
	exchange([]mpi.Piece{{Offset: 8}}, mpi.Strided(2, 0, 8), 0, true, 0)
	x.run(mpi.Loops{Untimed: 1, Timed: 2})
}

// advancingPieces sends between places in pieces that advance.
func advancingPieces(x *script) {
	const slots, slot, length = 3, 40, 16
	x.Call(mpi.Call{Op: mpi.Sendrecv,
		Send: x.put(mpi.Place{Space: x.memory(slots * slot), Length: length, Pieces: mpi.Strided(4, 4, 12),
			Advance: slot, Peer: x.right}),
		Recv: x.put(mpi.Place{Space: x.memory(slots * slot), Offset: slot, Length: length, Advance: slot, Peer: x.left,
			Pieces: []mpi.Piece{{Offset: 20, Length: 8}, {Length: 8}}})})
}

// alltoallvPeers adds an Alltoallv of length bytes to and from each peer, with places in the order of their ranks.
func (x *script) alltoallvPeers(peers []int, length int64) {
	slices.Sort(peers)
	peers = slices.Compact(peers)
	for range 2 {
		for _, peer := range peers {
			x.to(peer, length)
		}
	}
	n := len(peers)
	x.Call(mpi.Call{Op: mpi.Alltoallv, Send: mpi.Span{First: len(x.Places) - 2*n, Count: n}, Recv: x.latest(n)})
}

// alltoallvNeighbours exchanges messages with both neighbours of the ring.
func alltoallvNeighbours(x *script, length int64) { x.alltoallvPeers([]int{x.left, x.right}, length) }

// alltoallvWithoutPlaces makes a call in which the last process has no places, like processes outside of a pattern, and
// a call in which no process has places.
func alltoallvWithoutPlaces(x *script) {
	var peers []int
	if n := x.size - 1; x.rank < n {
		peers = []int{(x.rank + 1) % n, (x.rank + n - 1) % n}
	}
	x.alltoallvPeers(peers, 1000)
	x.alltoallvPeers(nil, 0)
}

// anySource sends the ranks to process 0, which receives them in any order.
func anySource(p *process) {
	b := p.buffer(int64(8 * (p.size + 1)))
	for _, op := range []mpi.Op{mpi.Recv, mpi.Irecv} {
		program := mpi.Program{Comm: p.world, Start: p.world}
		program.Call(mpi.Call{Op: mpi.Isend, Send: mpi.One(program.Place(mpi.Place{Space: b, Length: 8}))})
		for i := 1; i <= p.size && p.rank == 0; i++ {
			place := program.Place(mpi.Place{Space: b, Offset: int64(8 * i), Length: 8, Peer: mpi.AnySource})
			program.Call(mpi.Call{Op: op, Recv: mpi.One(place)})
		}
		program.Call(mpi.Call{Op: mpi.Waitall})
		for range 5 {
			clear(b.Bytes())
			binary.LittleEndian.PutUint64(b.Bytes(), uint64(p.rank))
			p.runProgram(&program, once)
			var ranks []int
			for i := 1; i <= p.size && p.rank == 0; i++ {
				ranks = append(ranks, int(binary.LittleEndian.Uint64(b.Bytes()[8*i:])))
			}
			slices.Sort(ranks)
			if p.rank == 0 && !slices.Equal(ranks, to(p.size)) {
				p.errorf("received from %v", ranks)
			}
		}
	}
}

// communicators sends to process 0 on the world. Process 0 first receives from any source with the same tag on another
// communicator, on which only process 0 itself has sent a message.
func communicators(p *process) {
	other, err := p.world.Split(0, 0)
	p.must(err)
	b := p.buffer(int64(8 * (p.size + 1)))
	binary.LittleEndian.PutUint64(b.Bytes(), uint64(1000+p.rank))
	if p.rank == 0 {
		time.Sleep(late)
		p.receiveOwn(other, b)
	} else {
		program := mpi.Program{Comm: p.world}
		program.Call(mpi.Call{Op: mpi.Send, Send: mpi.One(program.Place(mpi.Place{Space: b, Length: 8}))})
		p.runProgram(&program, once)
	}
	p.must(other.Free())
}

// receiveOwn sends process 0's message to itself on own, receives it there from any source, and then receives the
// messages of the others on the world.
func (p *process) receiveOwn(own mpi.Comm, b mpi.Buffer) {
	program := mpi.Program{Comm: own}
	send := program.Place(mpi.Place{Space: b, Length: 8})
	recv := program.Place(mpi.Place{Space: b, Offset: 8, Length: 8, Peer: mpi.AnySource})
	program.Call(mpi.Call{Op: mpi.Isend, Send: mpi.One(send)}, mpi.Call{Op: mpi.Recv, Recv: mpi.One(recv)},
		mpi.Call{Op: mpi.Waitall})
	p.runProgram(&program, once)
	rest := mpi.Program{Comm: p.world}
	for i := 1; i < p.size; i++ {
		place := rest.Place(mpi.Place{Space: b, Offset: int64(8 * (i + 1)), Length: 8, Peer: i})
		rest.Call(mpi.Call{Op: mpi.Recv, Recv: mpi.One(place)})
	}
	p.runProgram(&rest, once)
	for i := range p.size {
		if from := binary.LittleEndian.Uint64(b.Bytes()[8*(i+1):]); from != uint64(1000+i) {
			p.errorf("the message of %d on its communicator is %d", i, from)
		}
	}
}

// synchronous sends from process 0 to 1, which begins to receive late. The send must not end before that. Process 0's
// clock starts before the barrier ends, and process 1 sleeps after it, so a correct engine passes on any machine,
// however slow. Then all processes send to their right neighbours.
func synchronous(p *process) {
	for _, length := range []int64{0, 8, 100000} {
		b := p.buffer(length)
		program := &mpi.Program{Comm: p.world}
		place := mpi.One(program.Place(mpi.Place{Space: b, Length: length, Peer: 1 - min(p.rank, 1)}))
		switch p.rank {
		case 0:
			program.Call(mpi.Call{Op: mpi.Ssend, Send: place})
		case 1:
			program.Call(mpi.Call{Op: mpi.Recv, Recv: place})
		}
		begin := time.Now()
		p.must(p.world.Barrier())
		if p.rank == 1 {
			time.Sleep(late)
		}
		p.runProgram(program, once)
		if held := time.Since(begin); p.rank == 0 && held < late {
			p.errorf("%d bytes: the send ended after %v, and the receive began after %v", length, held, late)
		}
	}
	p.play(p.world, sendsAfterReceives(mpi.Ssend))
}

// truncation sends 8 bytes into 4. The receiver must get an error (MPI 4.1, 3.2.4). The sender may or may not get one.
func truncation(p *process) {
	b := p.buffer(8)
	program := mpi.Program{Comm: p.world}
	switch p.rank {
	case 0:
		program.Call(mpi.Call{Op: mpi.Send, Send: mpi.One(program.Place(mpi.Place{Space: b, Length: 8, Peer: 1}))})
	case 1:
		program.Call(mpi.Call{Op: mpi.Recv, Recv: mpi.One(program.Place(mpi.Place{Space: b, Length: 4, Peer: 0}))})
	}
	r := p.compile(&program)
	_, err := r.Run(once)
	var failed *mpi.Error
	if p.rank != 1 {
		return
	}
	if !errors.As(err, &failed) {
		p.errorf("8 bytes into 4 give %v instead of an *mpi.Error", err)
	} else if failed.Call != "MPI_Recv" || failed.Rank != 1 || failed.Text == "" {
		p.errorf("8 bytes into 4 give: %v", err)
	}
}
