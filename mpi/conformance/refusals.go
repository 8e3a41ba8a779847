package conformance

import (
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// invalid holds functions that spoil a valid program. That program has two places of 16 bytes in a space of 64, both
// with rank 0 as peer.
var invalid = []struct {
	name  string
	spoil func(p *mpi.Program)
}{
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
}

func refused(p *process) error {
	b, err := p.NewBuffer(64)
	if err != nil {
		return err
	}
	defer b.Free()
	for _, c := range invalid {
		program := selfProgram(p.world, b, mpi.Sendrecv)
		c.spoil(program)
		if r, err := p.Compile(program); err == nil {
			p.errorf("%s: was not refused", c.name)
			r.Close()
		}
	}
	return nil
}

// selfProgram returns a program of one call with a place to send from and one to receive into.
func selfProgram(c mpi.Comm, b mpi.Buffer, op mpi.Op) *mpi.Program {
	program := &mpi.Program{Comm: c}
	send := program.Place(mpi.Place{Space: b, Length: 16})
	recv := program.Place(mpi.Place{Space: b, Offset: 32, Length: 16})
	program.Call(mpi.Call{Op: op, Send: mpi.One(send), Recv: mpi.One(recv)})
	if op.Starts() {
		program.Call(mpi.Call{Op: mpi.Waitall})
	}
	return program
}

// unsupported compiles each call that the engine doesn't have.
func unsupported(p *process) error {
	b, err := p.NewBuffer(64)
	if err != nil {
		return err
	}
	defer b.Free()
	for _, op := range mpi.Ops() {
		if p.Supports(op) {
			continue
		}
		r, err := p.Compile(selfProgram(p.world, b, op))
		var answer *mpi.UnsupportedError
		if err == nil {
			r.Close()
		}
		if !errors.As(err, &answer) || answer.Op != op || answer.Engine != p.Library().Engine {
			p.errorf("the answer to %v is: %v", op, err)
		}
	}
	return nil
}

// loopsRefused checks that a run needs at least one timed loop.
func loopsRefused(p *process) error {
	r, err := p.Compile(&mpi.Program{})
	if err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	defer r.Close()
	for _, n := range []mpi.Loops{{}, {Untimed: 1}, {Timed: -1}, {Untimed: -1, Timed: 1},
		{Timed: mpi.MostEach + 1, Each: true}} {
		if _, err := r.Run(n); err == nil {
			p.errorf("%+v were not refused", n)
		}
	}
	return p.runRight(r, once)
}
