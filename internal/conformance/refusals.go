package conformance

import (
	"errors"

	"github.com/effective-bandwidth/beff/mpi"
)

// callItself returns a program that makes a call with the process itself as its peer. The call sends from and receives
// into a place of 16 bytes each, in a space of 64 bytes.
func (p *process) callItself(b mpi.Space, op mpi.Op) *mpi.Program {
	program := &mpi.Program{Comm: p.world}
	send := program.Place(mpi.Place{Space: b, Length: 16, Peer: p.rank})
	recv := program.Place(mpi.Place{Space: b, Offset: 32, Length: 16, Peer: p.rank})
	program.Call(mpi.Call{Op: op, Send: mpi.One(send), Recv: mpi.One(recv)})
	if op.Starts() {
		program.Call(mpi.Call{Op: mpi.Waitall})
	}
	return program
}

// mustRefuse reports an error unless the engine refuses to compile a program, which is wrong for the given reason.
func (p *process) mustRefuse(program *mpi.Program, reason string) {
	if r, err := p.Compile(program); err == nil {
		p.errorf("%s: was not refused", reason)
		r.Close()
	}
}

// invalidPrograms checks that the engine refuses some programs that mpi.Program.Validate refuses. The tests of package
// mpi have the others.
func invalidPrograms(p *process) {
	b := p.buffer(64)
	p.compile(p.callItself(b, mpi.Sendrecv))
	for reason, spoil := range map[string]func(x *mpi.Program){
		"beyond the space":     func(x *mpi.Program) { x.Places[0].Offset = 49 },
		"peer beyond the last": func(x *mpi.Program) { x.Places[0].Peer = p.size },
		"wait for nothing":     func(x *mpi.Program) { x.Call(mpi.Call{Op: mpi.Wait}) },
		"unknown call":         func(x *mpi.Program) { x.Loop[0].Op = 255 },
	} {
		program := p.callItself(b, mpi.Sendrecv)
		spoil(program)
		p.mustRefuse(program, reason)
	}
}

// unsupportedCalls checks that the engine refuses each call that it doesn't support with an *mpi.UnsupportedError.
func unsupportedCalls(p *process) {
	b := p.buffer(64)
	for _, op := range mpi.Ops() {
		if p.Supports(op) {
			continue
		}
		r, err := p.Compile(p.callItself(b, op))
		var refusal *mpi.UnsupportedError
		if err == nil {
			r.Close()
		}
		if !errors.As(err, &refusal) || refusal.Op != op || refusal.Engine != p.Library().Engine {
			p.errorf("%v is refused with: %v", op, err)
		}
	}
}

// invalidLoops checks that a runner refuses numbers of loops that mpi.Loops.Validate refuses: without a timed loop,
// below 0, or with too many loops to keep the time of each. After that it still runs.
func invalidLoops(p *process) {
	r := p.compile(&mpi.Program{})
	for _, n := range []mpi.Loops{{}, {Untimed: 1}, {Timed: -1}, {Untimed: -1, Timed: 1},
		{Timed: mpi.MaxEach + 1, Each: true}} {
		if _, err := r.Run(n); err == nil {
			p.errorf("%+v: was not refused", n)
		}
	}
	p.runRight(r, once)
}
