package conformance

import (
	"errors"

	"github.com/effective-bandwidth/beff/mpi"
)

// self returns a program of one call, with a place of 16 bytes to send from and one to receive into, in a space of 64
// bytes. The process itself is the peer of both.
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

// refused compiles some programs that mpi.Program.Validate refuses. The tests of package mpi have the others.
func refused(p *process) {
	b := p.buffer(64)
	for what, spoil := range map[string]func(x *mpi.Program){
		"":                     func(*mpi.Program) {},
		"beyond the space":     func(x *mpi.Program) { x.Places[0].Offset = 49 },
		"peer beyond the last": func(x *mpi.Program) { x.Places[0].Peer = p.size },
		"wait for nothing":     func(x *mpi.Program) { x.Call(mpi.Call{Op: mpi.Wait}) },
		"unknown call":         func(x *mpi.Program) { x.Loop[0].Op = 255 },
	} {
		program := p.self(b, mpi.Sendrecv)
		if spoil(program); what != "" {
			p.mustRefuse(program, what)
			continue
		}
		p.compile(program)
	}
}

// unsupported compiles each call that the engine doesn't support.
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
		{Timed: mpi.MaxEach + 1, Each: true}} {
		if _, err := r.Run(n); err == nil {
			p.errorf("%+v were not refused", n)
		}
	}
	p.runRight(r, once)
}
