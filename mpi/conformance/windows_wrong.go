package conformance

import (
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// windowClose closes a window that exists and one that has been freed, and then fails to create it again.
func windowClose(p *process) error {
	engine, ok := p.Engine.(mpi.Windows)
	if !ok {
		return nil // WindowPut reports the error
	}
	b, err := p.NewBuffer(64)
	if err != nil {
		return err
	}
	defer b.Free()
	for _, free := range []bool{false, true} {
		w, err := engine.NewWindow(p.world, b)
		if err != nil {
			return fmt.Errorf("new window: %w", err)
		}
		if free {
			err = w.Free()
		}
		if err := errors.Join(err, w.Close()); err != nil {
			return err
		}
		if w.Create() == nil || w.Free() == nil || w.Close() == nil {
			p.errorf("a closed window was made, freed or closed again; it was free before: %v", free)
		}
		program := selfProgram(p.world, b, mpi.Put)
		program.Places[1].Space, program.Places[1].Length, program.Places[0].Length = w, 8, 8
		if r, err := p.Compile(program); err == nil {
			p.errorf("a program has a place in a closed window")
			r.Close()
		}
	}
	return nil
}

// windowUneven has a window in which only process 0 has memory. All processes write there.
func windowUneven(p *process) error {
	engine, ok := p.Engine.(mpi.Windows)
	if !ok {
		return nil // WindowPut reports the error
	}
	const length = 1000
	b, err := p.NewBuffer(int64(p.size) * length)
	if err != nil {
		return err
	}
	defer b.Free()
	mine := b
	if p.rank > 0 {
		mine = nil
	}
	w, err := engine.NewWindow(p.world, mine)
	if err != nil {
		return fmt.Errorf("new window: %w", err)
	}
	if w.Size() != b.Size() {
		p.errorf("the largest window has %d bytes, not %d", w.Size(), b.Size())
	}
	source, err := p.NewBuffer(length)
	if err != nil {
		return err
	}
	defer source.Free()
	fill(source.Bytes(), p.rank, 0, 0)
	program := &mpi.Program{Comm: p.world, Start: p.world}
	memory := mpi.One(program.Place(mpi.Place{Space: source, Length: length}))
	target := mpi.One(program.Place(mpi.Place{Space: w, Offset: int64(p.rank) * length, Length: length}))
	program.Loop = allEpochs[0].around(target, mpi.Call{Op: mpi.Put, Send: memory, Recv: target})
	if err := p.runProgram(program, once); err != nil {
		return err
	}
	for from := 0; p.rank == 0 && from < p.size; from++ {
		want := make([]byte, length)
		fill(want, from, 0, 0)
		p.same(fmt.Sprintf("part %d", from), b.Bytes()[from*length:][:length], want)
	}
	program.Places[target.First].Peer = p.size - 1
	if r, err := p.Compile(program); err == nil && p.size > 1 {
		p.errorf("a place beyond the target's window was not refused")
		r.Close()
	}
	return w.Close()
}

// invalidWindows holds functions that spoil a valid program. That program puts 8 bytes of type Int64 into process 0's
// window of 64 bytes.
var invalidWindows = []struct {
	name  string
	spoil func(p *mpi.Program)
}{
	{"beyond the window", func(p *mpi.Program) { p.Places[1].Offset = 57 }},
	{"beyond the last process", func(p *mpi.Program) { p.Places[1].Peer = p.Comm.Size() }},
	{"different lengths", func(p *mpi.Program) { p.Places[0].Length = 16 }},
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

// windowRefused also compiles the valid program, so that only the spoiled part can be the cause of a refusal.
func windowRefused(p *process) error {
	return p.withWindow(p.world, 64, func(w *exposed) error {
		build := func() *mpi.Program {
			program := &mpi.Program{Comm: p.world}
			for i, space := range []mpi.Space{w.work, w.window, w.work, w.work, w.work} {
				program.Place(mpi.Place{Space: space, Offset: int64(i) * 8, Length: 8, Type: mpi.Int64})
			}
			program.Call(mpi.Call{Op: mpi.Put, Send: mpi.One(0), Recv: mpi.One(1)})
			return program
		}
		r, err := p.Compile(build())
		if err != nil {
			return fmt.Errorf("compile: %w", err)
		}
		r.Close()
		for _, c := range invalidWindows {
			program := build()
			c.spoil(program)
			if r, err := p.Compile(program); err == nil {
				p.errorf("%s: was not refused", c.name)
				r.Close()
			}
		}
		return nil
	})
}
