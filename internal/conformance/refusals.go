package conformance

import (
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// spoil makes a valid program wrong.
type spoil struct {
	name string
	do   func(p *mpi.Program)
}

// self returns a program of one call, with a place of 16 bytes to send from and one to receive into, in a space of 64,
// both with the process itself as peer.
func (p *process) self(b mpi.Space, op mpi.Op) *mpi.Program {
	program := &mpi.Program{Comm: p.world}
	send := program.Place(mpi.Place{Space: b, Length: 16, Peer: p.rank})
	recv := program.Place(mpi.Place{Space: b, Offset: 32, Length: 16, Peer: p.rank})
	program.Call(mpi.Call{Op: op, Send: mpi.One(send), Recv: mpi.One(recv)})
	if op.Starts() {
		program.Call(mpi.Call{Op: mpi.Waitall})
	}
	return program
}

func (p *process) mustRefuse(program *mpi.Program, what string) {
	if r, err := p.Compile(program); err == nil {
		p.errorf("%s: was not refused", what)
		r.Close()
	}
}

// refuses compiles a valid program, so that only the spoiled part can be the cause of a refusal, and then spoiled ones.
func (p *process) refuses(build func() *mpi.Program, spoils []spoil) {
	r, err := p.Compile(build())
	if err != nil {
		p.errorf("a valid program is refused: %w", err)
		return
	}
	r.Close()
	for _, s := range spoils {
		program := build()
		s.do(program)
		p.mustRefuse(program, s.name)
	}
}

// refusal is the body of a case with spoiled programs of one call. prepare changes the valid program first.
func refusal(op mpi.Op, prepare func(p *mpi.Program), spoils []spoil) func(p *process) {
	return func(p *process) {
		b := p.buffer(64)
		p.refuses(func() *mpi.Program {
			program := p.self(b, op)
			prepare(program)
			return program
		}, spoils)
	}
}

// plain leaves the program as it is.
func plain(*mpi.Program) {}

var invalid = []spoil{
	{"no communicator", func(p *mpi.Program) { p.Comm = nil }},
	{"no space", func(p *mpi.Program) { p.Places[0].Space = nil }},
	{"beyond the space", func(p *mpi.Program) { p.Places[0].Offset = 49 }},
	{"negative offset", func(p *mpi.Program) { p.Places[0].Offset = -1 }},
	{"negative length", func(p *mpi.Program) { p.Places[0].Length = -1 }},
	{"negative step", func(p *mpi.Program) { p.Places[0].Step = -8 }},
	{"negative advance", func(p *mpi.Program) { p.Places[0].Advance = -8 }},
	{"walks and advances", func(p *mpi.Program) { p.Places[0].Step, p.Places[0].Advance = 8, 8 }},
	{"half an element", func(p *mpi.Program) { p.Places[0].Type, p.Places[0].Length = mpi.Int64, 12 }},
	{"odd marks", func(p *mpi.Program) { p.Places[0].Mark.Width = 4 }},
	{"marks too wide", func(p *mpi.Program) { p.Places[0].Mark.Width, p.Places[0].Length = 8, 7 }},
	{"half a chunk", func(p *mpi.Program) { p.Places[0].Mark = mpi.Mark{Width: 1, Chunk: 5} }},
	{"span beyond the places", func(p *mpi.Program) { p.Loop[0].Send = mpi.Span{First: 1, Count: 2} }},
	{"two places", func(p *mpi.Program) { p.Loop[0].Send = mpi.Span{First: 0, Count: 2} }},
	{"no place to send from", func(p *mpi.Program) { p.Loop[0].Send = mpi.Span{} }},
	{"no place to receive into", func(p *mpi.Program) { p.Loop[0].Recv = mpi.Span{} }},
	{"peer beyond the last", func(p *mpi.Program) { p.Places[0].Peer = p.Comm.Size() }},
	{"send to any", func(p *mpi.Program) { p.Places[0].Peer = mpi.AnySource }},
	{"negative peer", func(p *mpi.Program) { p.Places[1].Peer = -2 }},
	{"never completed", func(p *mpi.Program) { p.Call(mpi.Call{Op: mpi.Isend, Send: mpi.One(0)}) }},
	{"wait for nothing", func(p *mpi.Program) { p.Call(mpi.Call{Op: mpi.Wait, Of: 0}) }},
	{"wait beyond the calls", func(p *mpi.Program) { p.Call(mpi.Call{Op: mpi.Wait, Of: 9}) }},
	{"unknown reduction", func(p *mpi.Program) { p.Loop[0].Reduce = 3 }},
	{"waits for another section's request", func(p *mpi.Program) {
		p.Before = []mpi.Call{{Op: mpi.Isend, Send: mpi.One(0)}, {Op: mpi.Irecv, Recv: mpi.One(1)}}
		p.Loop = []mpi.Call{{Op: mpi.Waitall}}
	}},
	{"decides after the loops", func(p *mpi.Program) { p.After = []mpi.Call{{Op: mpi.Decide}} }},
	{"a root that rotates before the loops", func(p *mpi.Program) {
		p.Before = []mpi.Call{{Op: mpi.Bcast, Send: mpi.One(0), Recv: mpi.One(1), Rotate: true}}
	}},
	{"unknown call", func(p *mpi.Program) { p.Loop[0].Op = 255 }},
	{"replaces others' memory", func(p *mpi.Program) { p.Loop[0].Op = mpi.SendrecvReplace }},
	{"in place", func(p *mpi.Program) { p.Loop[0].InPlace = true }},
	{"Alltoallv in place", func(p *mpi.Program) { p.Loop[0].Op, p.Loop[0].InPlace = mpi.Alltoallv, true }},
	{"Bcast in place", func(p *mpi.Program) { p.Loop[0].Op, p.Loop[0].InPlace = mpi.Bcast, true }},
	{"Barrier in place", func(p *mpi.Program) { p.Loop[0].Op, p.Loop[0].InPlace = mpi.Barrier, true }},
	{"a vector in two spaces", func(p *mpi.Program) {
		other := p.Place(p.Places[1])
		p.Places[1].Space, p.Places[1].Peer = elsewhere(64), 0
		p.Places[0].Peer = p.Comm.Size() - 1
		p.Loop[0] = mpi.Call{Op: mpi.Alltoallv, Send: mpi.Span{Count: 2}, Recv: mpi.One(other)}
	}},
}

// elsewhere is a space of some bytes that no engine has made.
type elsewhere int64

func (e elsewhere) Size() int64   { return int64(e) }
func (e elsewhere) Bytes() []byte { return make([]byte, e) }
func (e elsewhere) Free()         {}

func strided(p *mpi.Program) { p.Places[0].Pieces = mpi.Strided(2, 8, 16) }

var invalidPieces = []spoil{
	{"overlap", func(p *mpi.Program) { p.Places[0].Pieces[1].Offset = 7 }},
	{"fewer bytes than the place", func(p *mpi.Program) { p.Places[0].Length = 20 }},
	{"beyond the space", func(p *mpi.Program) { p.Places[0].Pieces[1].Offset = 57 }},
	{"beyond the space with the offset", func(p *mpi.Program) { p.Places[0].Offset = 41 }},
	{"negative offset", func(p *mpi.Program) { p.Places[0].Pieces[0].Offset = -8 }},
	{"negative length", func(p *mpi.Program) {
		p.Places[0].Pieces = append(p.Places[0].Pieces, mpi.Piece{Offset: 40, Length: -8},
			mpi.Piece{Offset: 24, Length: 8})
	}},
	{"half an element", func(p *mpi.Program) {
		p.Places[0].Type, p.Places[0].Pieces = mpi.Int64, []mpi.Piece{{Length: 4}, {Offset: 8, Length: 12}}
	}},
	{"walks", func(p *mpi.Program) { p.Places[0].Step = 32 }},
	{"marks", func(p *mpi.Program) { p.Places[0].Mark.Width = 1 }},
	{"stamped", func(p *mpi.Program) { p.Loop[0] = mpi.Call{Op: mpi.Stamp, Send: mpi.One(0)} }},
	{"broadcast", func(p *mpi.Program) { p.Loop[0].Op = mpi.Bcast }},
}

func apart(p *mpi.Program) { p.Places[0].Form, p.Places[1].Form = mpi.Apart, mpi.Apart }

var invalidForms = []spoil{
	{"copied", func(p *mpi.Program) { p.Loop[0].Op = mpi.Copy }},
	{"two forms", func(p *mpi.Program) { p.Places[0].Form = mpi.Adjacent }},
	{"unknown form", func(p *mpi.Program) { p.Places[0].Form, p.Places[1].Form = 9, 9 }},
	{"beyond the space", func(p *mpi.Program) { p.Places[1].Offset = 33 }},
	{"walks", func(p *mpi.Program) { p.Places[0].Step = 8 }},
	{"marks", func(p *mpi.Program) { p.Places[0].Mark.Width = 1 }},
	{"pieces", strided},
}

func typed(p *mpi.Program) { p.Places[0].Type, p.Places[1].Type = mpi.Int64, mpi.Int64 }

var invalidOwn = []spoil{
	{"different lengths", func(p *mpi.Program) { p.Places[0].Length = 8 }},
	{"different types", func(p *mpi.Program) { p.Places[0].Type = mpi.Float64 }},
	{"overlap", func(p *mpi.Program) { p.Places[0].Offset = 24 }},
	{"pieces", strided},
	{"no place", func(p *mpi.Program) { p.Loop[0].Recv = mpi.Span{} }},
	{"bytes combined", func(p *mpi.Program) {
		p.Loop[0].Op, p.Places[0].Type, p.Places[1].Type = mpi.Combine, mpi.Byte, mpi.Byte
	}},
}

// invalidWindows spoils a program that puts 8 bytes of type Int64 into a window of 64 bytes.
var invalidWindows = []spoil{
	{"beyond the window", func(p *mpi.Program) { p.Places[1].Offset = 57 }},
	{"beyond the last process", func(p *mpi.Program) { p.Places[1].Peer = p.Comm.Size() }},
	{"different lengths", func(p *mpi.Program) { p.Places[0].Length = 16 }},
	{"pieces put into fewer bytes", func(p *mpi.Program) {
		p.Places[0].Length, p.Places[0].Pieces = 16, mpi.Strided(2, 8, 16)
	}},
	{"pieces accumulated", func(p *mpi.Program) {
		p.Loop[0].Op, p.Places[0].Pieces = mpi.Accumulate, mpi.Strided(1, 8, 8)
	}},
	{"bytes reduced", func(p *mpi.Program) {
		p.Loop[0].Op, p.Places[0].Type, p.Places[1].Type = mpi.Accumulate, mpi.Byte, mpi.Byte
	}},
	{"one place to fetch", func(p *mpi.Program) { p.Loop[0].Op = mpi.FetchAndOp }},
	{"two elements fetched", func(p *mpi.Program) {
		p.Loop[0].Op, p.Places[0].Length, p.Places[1].Length = mpi.FetchAndOp, 16, 16
		p.Places[2].Length, p.Loop[0].Send.Count = 16, 2
		p.Places[1], p.Places[2] = p.Places[2], p.Places[1]
		p.Loop[0].Recv = mpi.One(2)
	}},
	{"floats compared", func(p *mpi.Program) {
		p.Loop[0].Op, p.Loop[0].Send, p.Loop[0].Recv = mpi.CompareAndSwap, mpi.Span{First: 2, Count: 3}, mpi.One(1)
		for i := range p.Places {
			p.Places[i].Type = mpi.Float64
		}
	}},
	{"a window as message", func(p *mpi.Program) { p.Loop[0].Op = mpi.Sendrecv }},
	{"memory as target", func(p *mpi.Program) { p.Loop[0].Recv = mpi.One(0) }},
}

func windowRefused(p *process) {
	b := p.buffer(64)
	p.withWindow(64, func(w mpi.Window, _ mpi.Buffer) {
		p.refuses(func() *mpi.Program {
			program := &mpi.Program{Comm: p.world}
			for i, space := range []mpi.Space{b, w, b, b, b} {
				program.Place(mpi.Place{Space: space, Offset: int64(i) * 8, Length: 8, Type: mpi.Int64})
			}
			program.Call(mpi.Call{Op: mpi.Put, Send: mpi.One(0), Recv: mpi.One(1)})
			return program
		}, invalidWindows)
	})
}

// invalidFiles spoils a program that writes 16 bytes (place 0) to a file (place 1).
var invalidFiles = []spoil{
	{"read the wrong way", func(p *mpi.Program) { p.Loop[0].Op = mpi.FileReadAt }},
	{"memory on both sides", func(p *mpi.Program) { p.Loop[0].Recv = mpi.One(0) }},
	{"a file on both sides", func(p *mpi.Program) { p.Loop[0].Send = mpi.One(1) }},
	{"different lengths", func(p *mpi.Program) { p.Places[1].Length = 8 }},
	{"odd lengths", func(p *mpi.Program) { p.Places[0].Length, p.Places[1].Length = 12, 12 }},
	{"odd offset", func(p *mpi.Program) { p.Places[1].Offset = 4 }},
	{"beyond all files", func(p *mpi.Program) { p.Places[1].Offset = mpi.FileSize - 8 }},
	{"a file as message", func(p *mpi.Program) {
		p.Loop[0].Op, p.Loop[0].Send, p.Loop[0].Recv = mpi.Sendrecv, mpi.One(1), mpi.One(0)
	}},
	{"a stamped file", func(p *mpi.Program) { p.Loop[0].Op, p.Loop[0].Send = mpi.Stamp, mpi.One(1) }},
	{"a checked file", func(p *mpi.Program) { p.Loop[0].Op = mpi.Check }},
	{"sync of memory", func(p *mpi.Program) { p.Loop[0].Op, p.Loop[0].Recv = mpi.FileSync, mpi.One(0) }},
}

func fileRefused(d *folder) {
	b := d.buffer(64)
	d.withFile(d.world, d.file("file"), mpi.ReadWrite|mpi.Create, func(f mpi.File) {
		d.refuses(func() *mpi.Program {
			program := d.self(b, mpi.FileWriteAt)
			program.Places[1].Space, program.Places[1].Offset = f, 0
			return program
		}, invalidFiles)
	})
}

// misfits holds collective calls whose send and receive sides don't fit together, as each process can see.
var misfits = []struct {
	op        mpi.Op
	send      int64 // bytes of the place to send from
	sendEach  int64 // additional bytes for each process
	recv      int64 // the same for the place to receive into
	recvEach  int64
	sent, got mpi.Type
}{
	{op: mpi.Allgather, send: 8, recv: 8, recvEach: 8},
	{op: mpi.Gather, send: 8, recv: 1, recvEach: 8},
	{op: mpi.Scatter, send: 1, sendEach: 8, recv: 8},
	{op: mpi.Alltoall, sendEach: 8, recv: 1, recvEach: 8},
	{op: mpi.Alltoall, sendEach: 8, recvEach: 16},
	{op: mpi.Bcast, send: 8, recv: 16},
	{op: mpi.Reduce, send: 8, recv: 16, sent: mpi.Float32, got: mpi.Float32},
	{op: mpi.Reduce, send: 8, recv: 8},
	{op: mpi.Allreduce, send: 8, recv: 8},
	{op: mpi.Allreduce, send: 8, recv: 8, sent: mpi.Float32, got: mpi.Int32},
	{op: mpi.Allreduce, send: 8, recv: 16, sent: mpi.Float64, got: mpi.Float64},
}

// collectiveRefused compiles calls that can't be right: the misfits, a gap in the data that ReduceScatter sends, and
// vector calls without a place for one of the processes. The root rotates, so that all processes can see the error.
func collectiveRefused(p *process) {
	b := p.buffer(int64(64 * (p.size + 1)))
	n := int64(p.size)
	for _, c := range misfits {
		program := &mpi.Program{Comm: p.world}
		program.Place(mpi.Place{Space: b, Length: c.send + c.sendEach*n, Type: c.sent})
		program.Place(mpi.Place{Space: b, Offset: 32 * n, Length: c.recv + c.recvEach*n, Type: c.got})
		program.Call(mpi.Call{Op: c.op, Send: mpi.One(0), Recv: mpi.One(1), Rotate: rooted(c.op)})
		p.mustRefuse(program, fmt.Sprintf("%+v", c))
	}
	program := &mpi.Program{Comm: p.world}
	for i := range p.size {
		program.Place(mpi.Place{Space: b, Offset: int64(16 * i), Length: 8, Peer: i, Type: mpi.Float32})
	}
	own := mpi.One(program.Place(mpi.Place{Space: b, Offset: 16 * n, Length: 8, Peer: p.rank, Type: mpi.Float32}))
	few := mpi.Span{First: 1, Count: p.size - 1}
	for _, c := range []mpi.Call{
		{Op: mpi.ReduceScatter, Send: mpi.Span{Count: p.size}, Recv: own},
		{Op: mpi.Gatherv, Send: own, Recv: few, Rotate: true}, {Op: mpi.Allgatherv, Send: own, Recv: few},
		{Op: mpi.Scatterv, Send: few, Recv: own, Rotate: true},
	} {
		if program.Loop = []mpi.Call{c}; p.size > 1 {
			p.mustRefuse(program, fmt.Sprintf("%+v", c))
		}
	}
	for i := range program.Places {
		program.Places[i].Form = mpi.Apart
	}
	program.Places[p.size-1].Offset += 4
	program.Loop = []mpi.Call{{Op: mpi.Allgatherv, Send: own, Recv: mpi.Span{Count: p.size}}}
	if p.size > 1 {
		p.mustRefuse(program, "parts that are half an element apart")
	}
}

// unsupported compiles each call that the engine doesn't have.
func unsupported(p *process) {
	b := p.buffer(64)
	for _, op := range mpi.Ops() {
		if p.Supports(op) {
			continue
		}
		r, err := p.Compile(p.self(b, op))
		var answer *mpi.UnsupportedError
		if err == nil {
			r.Close()
		}
		if !errors.As(err, &answer) || answer.Op != op || answer.Engine != p.Library().Engine {
			p.errorf("the answer to %v is: %v", op, err)
		}
	}
}

// loopsRefused checks that a run needs at least one timed loop.
func loopsRefused(p *process) {
	r := p.compile(&mpi.Program{})
	for _, n := range []mpi.Loops{{}, {Untimed: 1}, {Timed: -1}, {Untimed: -1, Timed: 1},
		{Timed: mpi.MostEach + 1, Each: true}} {
		if _, err := r.Run(n); err == nil {
			p.errorf("%+v were not refused", n)
		}
	}
	p.runRight(r, once)
}
