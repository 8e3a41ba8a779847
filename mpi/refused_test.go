package mpi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// spoil makes a valid program wrong.
type spoil struct {
	name string
	do   func(p *Program)
}

// self returns a program of one call, with a place of 16 bytes to send from and one to receive into, in a space of 64,
// both with the process itself as peer.
func self(op Op) *Program {
	s, c := space(64), comm3{}
	p := &Program{Comm: c, Places: []Place{{Space: &s, Length: 16, Peer: c.Rank()},
		{Space: &s, Offset: 32, Length: 16, Peer: c.Rank()}}}
	p.Call(Call{Op: op, Send: One(0), Recv: One(1)})
	return p
}

// TestRefused spoils one part of each valid program, so that only this part can cause the error.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		op     Op
		valid  func(p *Program)
		spoils []spoil
	}{
		{"a message", Sendrecv, func(*Program) {}, invalid},
		{"pieces", Sendrecv, strided, invalidPieces},
		{"forms", Sendrecv, apart, invalidForms},
		{"a copy", Copy, typed, invalidOwn},
		{"a combination", Combine, typed, invalidOwn},
		{"a window", Put, inWindow, invalidWindows},
		{"a file", FileWriteAt, inFile, invalidFiles},
	} {
		program := self(c.op)
		c.valid(program)
		require.NoError(t, program.Validate(), c.name)
		for _, s := range c.spoils {
			program := self(c.op)
			c.valid(program)
			s.do(program)
			require.Error(t, program.Validate(), "%s: %s", c.name, s.name)
		}
	}
}

var invalid = []spoil{
	{"no communicator", func(p *Program) { p.Comm = nil }},
	{"no space", func(p *Program) { p.Places[0].Space = nil }},
	{"beyond the space", func(p *Program) { p.Places[0].Offset = 49 }},
	{"negative offset", func(p *Program) { p.Places[0].Offset = -1 }},
	{"negative length", func(p *Program) { p.Places[0].Length = -1 }},
	{"negative step", func(p *Program) { p.Places[0].Step = -8 }},
	{"negative advance", func(p *Program) { p.Places[0].Advance = -8 }},
	{"walks and advances", func(p *Program) { p.Places[0].Step, p.Places[0].Advance = 8, 8 }},
	{"half an element", func(p *Program) { p.Places[0].Type, p.Places[0].Length = Int64, 12 }},
	{"odd marks", func(p *Program) { p.Places[0].Mark.Width = 4 }},
	{"marks too wide", func(p *Program) { p.Places[0].Mark.Width, p.Places[0].Length = 8, 7 }},
	{"half a chunk", func(p *Program) { p.Places[0].Mark = Mark{Width: 1, Chunk: 5} }},
	{"span beyond the places", func(p *Program) { p.Loop[0].Send = Span{First: 1, Count: 2} }},
	{"two places", func(p *Program) { p.Loop[0].Send = Span{First: 0, Count: 2} }},
	{"no place to send from", func(p *Program) { p.Loop[0].Send = Span{} }},
	{"no place to receive into", func(p *Program) { p.Loop[0].Recv = Span{} }},
	{"peer beyond the last", func(p *Program) { p.Places[0].Peer = p.Comm.Size() }},
	{"send to any", func(p *Program) { p.Places[0].Peer = AnySource }},
	{"negative peer", func(p *Program) { p.Places[1].Peer = -2 }},
	{"never completed", func(p *Program) { p.Call(Call{Op: Isend, Send: One(0)}) }},
	{"wait for nothing", func(p *Program) { p.Call(Call{Op: Wait, Of: 0}) }},
	{"wait beyond the calls", func(p *Program) { p.Call(Call{Op: Wait, Of: 9}) }},
	{"unknown reduction", func(p *Program) { p.Loop[0].Reduce = 3 }},
	{"waits for another section's request", func(p *Program) {
		p.Before = []Call{{Op: Isend, Send: One(0)}, {Op: Irecv, Recv: One(1)}}
		p.Loop = []Call{{Op: Waitall}}
	}},
	{"decides after the loops", func(p *Program) { p.After = []Call{{Op: Decide}} }},
	{"a root that rotates before the loops", func(p *Program) {
		p.Before = []Call{{Op: Bcast, Send: One(0), Recv: One(1), Rotate: true}}
	}},
	{"unknown call", func(p *Program) { p.Loop[0].Op = 255 }},
	{"replaces others' memory", func(p *Program) { p.Loop[0].Op = SendrecvReplace }},
	{"in place", func(p *Program) { p.Loop[0].InPlace = true }},
	{"Alltoallv in place", func(p *Program) { p.Loop[0].Op, p.Loop[0].InPlace = Alltoallv, true }},
	{"Bcast in place", func(p *Program) { p.Loop[0].Op, p.Loop[0].InPlace = Bcast, true }},
	{"Barrier in place", func(p *Program) { p.Loop[0].Op, p.Loop[0].InPlace = Barrier, true }},
	{"a vector in two spaces", func(p *Program) {
		other := p.Place(p.Places[1])
		p.Places[1].Space, p.Places[1].Peer = otherSpace(), 0
		p.Places[0].Peer = p.Comm.Size() - 1
		p.Loop[0] = Call{Op: Alltoallv, Send: Span{Count: 2}, Recv: One(other)}
	}},
}

// otherSpace returns another space of memory with 64 bytes.
func otherSpace() Space {
	s := space(64)
	return &s
}

func strided(p *Program) { p.Places[0].Pieces = Strided(2, 8, 16) }

var invalidPieces = []spoil{
	{"overlap", func(p *Program) { p.Places[0].Pieces[1].Offset = 7 }},
	{"fewer bytes than the place", func(p *Program) { p.Places[0].Length = 20 }},
	{"beyond the space", func(p *Program) { p.Places[0].Pieces[1].Offset = 57 }},
	{"beyond the space with the offset", func(p *Program) { p.Places[0].Offset = 41 }},
	{"negative offset", func(p *Program) { p.Places[0].Pieces[0].Offset = -8 }},
	{"negative length", func(p *Program) {
		p.Places[0].Pieces = append(p.Places[0].Pieces, Piece{Offset: 40, Length: -8},
			Piece{Offset: 24, Length: 8})
	}},
	{"half an element", func(p *Program) {
		p.Places[0].Type, p.Places[0].Pieces = Int64, []Piece{{Length: 4}, {Offset: 8, Length: 12}}
	}},
	{"walks", func(p *Program) { p.Places[0].Step = 32 }},
	{"marks", func(p *Program) { p.Places[0].Mark.Width = 1 }},
	{"stamped", func(p *Program) { p.Loop[0] = Call{Op: Stamp, Send: One(0)} }},
	{"broadcast", func(p *Program) { p.Loop[0].Op = Bcast }},
}

func apart(p *Program) { p.Places[0].Form, p.Places[1].Form = Resized, Resized }

var invalidForms = []spoil{
	{"copied", func(p *Program) { p.Loop[0].Op = Copy }},
	{"two forms", func(p *Program) { p.Places[0].Form = Basic }},
	{"unknown form", func(p *Program) { p.Places[0].Form, p.Places[1].Form = 9, 9 }},
	{"beyond the space", func(p *Program) { p.Places[1].Offset = 33 }},
	{"walks", func(p *Program) { p.Places[0].Step = 8 }},
	{"marks", func(p *Program) { p.Places[0].Mark.Width = 1 }},
	{"pieces", strided},
}

func typed(p *Program) { p.Places[0].Type, p.Places[1].Type = Int64, Int64 }

var invalidOwn = []spoil{
	{"different lengths", func(p *Program) { p.Places[0].Length = 8 }},
	{"different types", func(p *Program) { p.Places[0].Type = Float64 }},
	{"overlap", func(p *Program) { p.Places[0].Offset = 24 }},
	{"pieces", strided},
	{"no place", func(p *Program) { p.Loop[0].Recv = Span{} }},
	{"bytes combined", func(p *Program) {
		p.Loop[0].Op, p.Places[0].Type, p.Places[1].Type = Combine, Byte, Byte
	}},
}

// window is a window that does nothing.
type window struct {
	Window
	bytes int64
}

func (w window) Size() int64 { return w.bytes }

func inWindow(p *Program) {
	for i := range 5 {
		place := Place{Space: p.Places[0].Space, Offset: int64(i) * 8, Length: 8, Type: Int64}
		if i == 1 {
			place.Space = window{bytes: 64}
		}
		p.Places = append(p.Places[:i], place)
	}
}

// invalidWindows spoils a program that puts 8 bytes of type Int64 into a window of 64 bytes.
var invalidWindows = []spoil{
	{"beyond the window", func(p *Program) { p.Places[1].Offset = 57 }},
	{"beyond the last process", func(p *Program) { p.Places[1].Peer = p.Comm.Size() }},
	{"different lengths", func(p *Program) { p.Places[0].Length = 16 }},
	{"pieces put into fewer bytes", func(p *Program) {
		p.Places[0].Length, p.Places[0].Pieces = 16, Strided(2, 8, 16)
	}},
	{"pieces accumulated", func(p *Program) {
		p.Loop[0].Op, p.Places[0].Pieces = Accumulate, Strided(1, 8, 8)
	}},
	{"bytes reduced", func(p *Program) {
		p.Loop[0].Op, p.Places[0].Type, p.Places[1].Type = Accumulate, Byte, Byte
	}},
	{"one place to fetch", func(p *Program) { p.Loop[0].Op = FetchAndOp }},
	{"two elements fetched", func(p *Program) {
		p.Loop[0].Op, p.Places[0].Length, p.Places[1].Length = FetchAndOp, 16, 16
		p.Places[2].Length, p.Loop[0].Send.Count = 16, 2
		p.Places[1], p.Places[2] = p.Places[2], p.Places[1]
		p.Loop[0].Recv = One(2)
	}},
	{"floats compared", func(p *Program) {
		p.Loop[0].Op, p.Loop[0].Send, p.Loop[0].Recv = CompareAndSwap, Span{First: 2, Count: 3}, One(1)
		for i := range p.Places {
			p.Places[i].Type = Float64
		}
	}},
	{"a window as message", func(p *Program) { p.Loop[0].Op = Sendrecv }},
	{"memory as target", func(p *Program) { p.Loop[0].Recv = One(0) }},
}

func inFile(p *Program) { p.Places[1].Space, p.Places[1].Offset = file{}, 0 }

// invalidFiles spoils a program that writes 16 bytes (place 0) to a file (place 1).
var invalidFiles = []spoil{
	{"read the wrong way", func(p *Program) { p.Loop[0].Op = FileReadAt }},
	{"memory on both sides", func(p *Program) { p.Loop[0].Recv = One(0) }},
	{"a file on both sides", func(p *Program) { p.Loop[0].Send = One(1) }},
	{"different lengths", func(p *Program) { p.Places[1].Length = 8 }},
	{"beyond all files", func(p *Program) { p.Places[1].Offset = FileSize - 8 }},
	{"a file as message", func(p *Program) {
		p.Loop[0].Op, p.Loop[0].Send, p.Loop[0].Recv = Sendrecv, One(1), One(0)
	}},
	{"a stamped file", func(p *Program) { p.Loop[0].Op, p.Loop[0].Send = Stamp, One(1) }},
	{"a checked file", func(p *Program) { p.Loop[0].Op = Check }},
	{"sync of memory", func(p *Program) { p.Loop[0].Op, p.Loop[0].Recv = FileSync, One(0) }},
}

// misfits holds collective calls whose send and receive sides don't fit together on each single process.
var misfits = []struct {
	op        Op
	send      int64 // bytes of the place to send from
	sendEach  int64 // additional bytes for each process
	recv      int64 // bytes of the place to receive into
	recvEach  int64
	sent, got Type
}{
	{op: Allgather, send: 8, recv: 8, recvEach: 8},
	{op: Gather, send: 8, recv: 1, recvEach: 8},
	{op: Scatter, send: 1, sendEach: 8, recv: 8},
	{op: Alltoall, sendEach: 8, recv: 1, recvEach: 8},
	{op: Alltoall, sendEach: 8, recvEach: 16},
	{op: Bcast, send: 8, recv: 16},
	{op: Reduce, send: 8, recv: 16, sent: Float32, got: Float32},
	{op: Reduce, send: 8, recv: 8},
	{op: Allreduce, send: 8, recv: 8},
	{op: Allreduce, send: 8, recv: 8, sent: Float32, got: Int32},
	{op: Allreduce, send: 8, recv: 16, sent: Float64, got: Float64},
}

// TestCollectiveRefused checks that calls that can't be right are refused: the misfits, a gap in the data that
// ReduceScatter sends, and vector calls without a place for one of the processes. The root rotates, so that all
// processes can see the error.
func TestCollectiveRefused(t *testing.T) {
	const n = 3
	s := space(64 * (n + 1))
	for _, c := range misfits {
		sends, receives := c.op.AtRoot()
		program := &Program{Comm: comm3{}, Places: []Place{{Space: &s, Length: c.send + c.sendEach*n, Type: c.sent},
			{Space: &s, Offset: 32 * n, Length: c.recv + c.recvEach*n, Type: c.got}},
			Loop: []Call{{Op: c.op, Send: One(0), Recv: One(1), Rotate: sends || receives}}}
		require.Error(t, program.Validate(), fmt.Sprintf("%+v", c))
	}
	program := &Program{Comm: comm3{}}
	for i := range n {
		program.Place(Place{Space: &s, Offset: int64(16 * i), Length: 8, Peer: i, Type: Float32})
	}
	own := One(program.Place(Place{Space: &s, Offset: 16 * n, Length: 8, Peer: comm3{}.Rank(), Type: Float32}))
	few := Span{First: 1, Count: n - 1}
	for _, c := range []Call{
		{Op: ReduceScatter, Send: Span{Count: n}, Recv: own},
		{Op: Gatherv, Send: own, Recv: few, Rotate: true}, {Op: Allgatherv, Send: own, Recv: few},
		{Op: Scatterv, Send: few, Recv: own, Rotate: true},
	} {
		program.Loop = []Call{c}
		require.Error(t, program.Validate(), fmt.Sprintf("%+v", c))
	}
	for i := range program.Places {
		program.Places[i].Form = Resized
	}
	program.Places[n-1].Offset += 4
	program.Loop = []Call{{Op: Allgatherv, Send: own, Recv: Span{Count: n}}}
	require.Error(t, program.Validate(), "parts that are half an element apart")
}

// TestPersistentRefused checks that requests whose arguments would change are refused, and neighbours whose places
// don't fit.
func TestPersistentRefused(t *testing.T) {
	b := space(64)
	refuse := func(what string, c Call, places ...Place) {
		for i := range places {
			places[i].Space = &b
		}
		require.Error(t, (&Program{Comm: comm3{}, Places: places, Loop: []Call{c, {Op: Wait}}}).Validate(), what)
	}
	sends := Call{Op: SendInit, Send: One(0)}
	refuse("a place that advances", sends, Place{Length: 8, Advance: 8})
	refuse("a place that walks", sends, Place{Length: 8, Step: 8})
	refuse("a root that rotates", Call{Op: BcastInit, Send: One(0), Recv: One(1), Rotate: true},
		Place{Length: 8}, Place{Length: 8, Offset: 8})
	start, free := Call{Op: BarrierInit}, Call{Op: FreeRequest}
	wait, again := Call{Op: Wait}, Call{Op: MakeRequest}
	for what, calls := range map[string][]Call{"a request that is free at the end": {start, wait, free},
		"an open request that is freed": {start, free, again, wait}, "a request that isn't free": {start, wait, again},
		"a request that isn't persistent": {{Op: Ibarrier}, wait, free, again}} {
		require.Error(t, (&Program{Comm: comm3{}, Loop: calls}).Validate(), what)
	}
	sides := Call{Send: Span{Count: 2}, Recv: Span{First: 2, Count: 2}}
	for op, second := range map[Op]Place{IneighborAlltoall: {Offset: 12, Length: 8, Peer: 1},
		IneighborAllgather: {Offset: 8, Length: 8, Peer: 1}, IneighborAllgatherv: {Length: 4, Peer: 1}} {
		sides.Op = op
		refuse(op.String(), sides, Place{Length: 8}, second, Place{Offset: 32, Length: 8},
			Place{Offset: 40, Length: 8, Peer: 1})
	}
}

// TestPartitionsRefused checks that messages whose parts don't make up a message are refused.
func TestPartitionsRefused(t *testing.T) {
	b := space(64)
	refuse := func(what string, calls ...Call) {
		place := Place{Space: &b, Length: 24, Peer: comm3{}.Rank()}
		err := (&Program{Comm: comm3{}, Places: []Place{place}, Loop: calls}).Validate()
		require.Error(t, err, what)
	}
	send := Call{Op: PsendInit, Send: One(0), Parts: 2}
	recv := Call{Op: PrecvInit, Recv: One(0), Parts: 2}
	ready, wait := Call{Op: Pready}, Call{Op: Wait}
	second := Call{Op: Pready, Part: 1}
	refuse("no parts", Call{Op: PsendInit, Send: One(0)}, wait)
	refuse("parts of a fraction of a byte", Call{Op: PrecvInit, Recv: One(0), Parts: 7}, wait)
	refuse("a part that is never ready", send, ready, wait)
	refuse("a part that is never ready", send, second, Call{Op: Waitall})
	refuse("a part that is ready twice", send, ready, ready, second, wait)
	refuse("a part that it doesn't have", send, ready, Call{Op: Pready, Part: 2}, wait)
	refuse("more parts than it has", send, Call{Op: PreadyRange, Part: 1, Parts: 2}, ready, wait)
	refuse("a part to receive that is ready", recv, ready, wait)
	refuse("a part to send that arrives", send, ready, second, Call{Op: Parrived}, wait)
	refuse("a part after the wait", recv, wait, Call{Op: Parrived})
}
