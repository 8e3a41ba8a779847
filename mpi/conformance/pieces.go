package conformance

import (
	"bytes"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// total returns the bytes of pieces.
func total(pieces []mpi.Piece) (n int64) {
	for _, piece := range pieces {
		n += piece.Length
	}
	return n
}

// scatter writes a message into the pieces of a place that begins at data. Without pieces it is one run.
func scatter(data []byte, pieces []mpi.Piece, message []byte) {
	if pieces == nil {
		copy(data, message)
	}
	for _, piece := range pieces {
		message = message[copy(data[piece.Offset:][:piece.Length], message):]
	}
}

// unpiece returns the message of a place of length bytes that begins at data.
func unpiece(data []byte, pieces []mpi.Piece, length int64) (message []byte) {
	if pieces == nil {
		return bytes.Clone(data[:length])
	}
	for _, piece := range pieces {
		message = append(message, data[piece.Offset:][:piece.Length]...)
	}
	return message
}

// pieced is the bytes of each row of pieceTable.
const pieced = 400

// pieceTable holds layouts of pieced bytes: one run, a regular stride of 1, of more, with odd numbers, and no regular
// one.
var pieceTable = [][]mpi.Piece{
	nil,
	mpi.Strided(100, 4, 4),
	mpi.Strided(100, 4, 20),
	mpi.Strided(50, 8, 24),
	mpi.Strided(4, 100, 103),
	{{Offset: 200, Length: 100}, {Length: 150}, {Offset: 400}, {Offset: 350, Length: 50}, {Offset: 501, Length: 100}},
}

// sendPieces and recvPieces add the place of a message in pieces.
func (x *exchange) sendPieces(peer int, pieces []mpi.Piece, length int64, number int) mpi.Span {
	return x.place(peer, message{from: x.program.Comm.Rank(), to: peer, number: number, length: length, pieces: pieces})
}

func (x *exchange) recvPieces(peer int, pieces []mpi.Piece, length int64, number int) mpi.Span {
	return x.place(peer, message{from: peer, to: x.program.Comm.Rank(), number: number, length: length, received: true,
		pieces: pieces})
}

// inPieces sends from each layout into each other one around the ring: blocking, then all at once. Then come a long
// message, one shorter than its place, and an empty one.
func inPieces(p *process) error {
	left, right := neighbours(p.world)
	x := p.exchange(p.world)
	n := len(pieceTable)
	for i, from := range pieceTable {
		for j, into := range pieceTable {
			x.call(mpi.Call{Op: mpi.Sendrecv, Send: x.sendPieces(right, from, pieced, i*n+j),
				Recv: x.recvPieces(left, into, pieced, i*n+j)})
		}
	}
	for i, from := range pieceTable {
		for j, into := range pieceTable {
			x.call(mpi.Call{Op: mpi.Irecv, Recv: x.recvPieces(left, into, pieced, n*n+i*n+j), Tag: i*n + j})
			x.call(mpi.Call{Op: mpi.Isend, Send: x.sendPieces(right, from, pieced, n*n+i*n+j), Tag: i*n + j})
		}
	}
	x.call(mpi.Call{Op: mpi.Waitall})
	long, wide := mpi.Strided(1<<15, 4, 8), mpi.Strided(1<<14, 8, 24)
	for _, m := range []struct {
		length     int64
		from, into []mpi.Piece
	}{
		{1 << 17, long, wide}, {1 << 17, nil, long}, {1 << 17, wide, nil}, {pieced, nil, long},
		{250, nil, mpi.Strided(100, 4, 8)}, {0, []mpi.Piece{{Offset: 8}}, mpi.Strided(2, 0, 8)},
	} {
		x.call(mpi.Call{Op: mpi.Sendrecv, Send: x.sendPieces(right, m.from, m.length, len(x.messages)),
			Recv: x.recvPieces(left, m.into, m.length, len(x.messages)-1)})
	}
	return x.run(mpi.Loops{Untimed: 1, Timed: 2})
}

// advancingPieces moves places in pieces on with each loop, and compares all slots.
func advancingPieces(p *process) error {
	const slots, slot, length = 3, 40, 16
	left, right := neighbours(p.world)
	out, err := p.NewBuffer(slots * slot)
	if err != nil {
		return err
	}
	defer out.Free()
	in, err := p.NewBuffer(slots * slot)
	if err != nil {
		return err
	}
	defer in.Free()
	from, into := mpi.Strided(4, 4, 12), []mpi.Piece{{Offset: 20, Length: 8}, {Length: 8}}
	program := mpi.Program{Comm: p.world, Start: p.world}
	send := program.Place(mpi.Place{Space: out, Length: length, Pieces: from, Advance: slot, Peer: right})
	recv := program.Place(mpi.Place{Space: in, Offset: slot, Length: length, Pieces: into, Advance: slot, Peer: left})
	program.Call(mpi.Call{Op: mpi.Sendrecv, Send: mpi.One(send), Recv: mpi.One(recv)})
	copy(out.Bytes(), p.image(slots*slot, p.rank, 0))
	if err := p.runProgram(&program, mpi.Loops{Untimed: 1, Timed: slots}); err != nil {
		return err
	}
	sent, want := p.image(slots*slot, left, 0), make([]byte, slots*slot)
	for loop := range slots + 1 {
		at := loop % slots * slot
		scatter(want[(at+slot)%(slots*slot):], into, unpiece(sent[at:], from, length))
	}
	p.same("advancing pieces", in.Bytes(), want)
	return nil
}

// invalidPieces holds functions that spoil a valid program, which sends 16 bytes in pieces to itself.
var invalidPieces = []struct {
	name  string
	spoil func(p *mpi.Program)
}{
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

func piecesRefused(p *process) error {
	b, err := p.NewBuffer(64)
	if err != nil {
		return err
	}
	defer b.Free()
	build := func() *mpi.Program {
		program := selfProgram(p.world, b, mpi.Sendrecv)
		program.Places[0].Pieces = mpi.Strided(2, 8, 16)
		for i := range program.Places {
			program.Places[i].Peer = p.rank
		}
		return program
	}
	if err := p.runProgram(build(), once); err != nil {
		return fmt.Errorf("two pieces: %w", err)
	}
	for _, c := range invalidPieces {
		program := build()
		c.spoil(program)
		p.mustRefuse(program, c.name)
	}
	return nil
}
