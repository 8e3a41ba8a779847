package conformance

import (
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// withWindow calls use with a window of all processes, of size bytes on each, and with the memory of it.
func (p *process) withWindow(size int64, use func(w mpi.Window, b mpi.Buffer) error) error {
	engine, ok := p.Engine.(mpi.Windows)
	if !ok {
		p.errorf("the engine runs one-sided calls and makes no windows")
		return nil
	}
	w, b, err := mpi.Window(nil), mpi.Buffer(nil), error(nil)
	if !p.Supports(mpi.WinCreate) {
		w, b, err = engine.Allocate(p.world, size)
	} else if b, err = p.NewBuffer(size); err == nil {
		w, err = engine.NewWindow(p.world, b)
	}
	if err != nil {
		return fmt.Errorf("new window: %w", err)
	}
	defer b.Free()
	if w.Size() != size {
		p.errorf("a window of %d bytes has %d", size, w.Size())
	}
	if err := use(w, b); err != nil {
		return err
	}
	return w.Close()
}

// unfit reports whether the engine refuses a program for its operands, such as pieces of any shape.
func unfit(err error) bool {
	var refused *mpi.UnsupportedError
	return errors.As(err, &refused) && refused.Why != ""
}

// ticketLoops is the number of tickets that each process takes.
const ticketLoops = 25

// tickets returns the body of a case in which all processes increment a counter in one window. Each number must be
// returned once, and to each process in ascending order.
func tickets(op mpi.Op) func(p *process) error {
	return func(p *process) error {
		return p.withWindow(2*8, func(w mpi.Window, b mpi.Buffer) error {
			for i, e := range p.epochs() {
				if !e.passive() {
					continue
				}
				kind := []mpi.Type{mpi.Int64, mpi.Float64}[i%2]
				if err := p.tickets(w, b, e, op, kind); err != nil && (kind == mpi.Int64 || !unfit(err)) {
					return err
				}
			}
			return nil
		})
	}
}

func (p *process) tickets(w mpi.Window, counter mpi.Buffer, e epoch, op mpi.Op, kind mpi.Type) error {
	one, err := p.NewBuffer(8)
	if err != nil {
		return err
	}
	defer one.Free()
	// The place of the results walks through a buffer of its own.
	results, err := p.NewBuffer(8 * ticketLoops)
	if err != nil {
		return err
	}
	defer results.Free()
	encode(kind, one.Bytes(), 1)
	if err := p.world.Barrier(); err != nil { // other processes may still count
		return err
	}
	clear(counter.Bytes())
	program := &mpi.Program{Comm: p.world, Start: p.world}
	program.Place(mpi.Place{Space: one, Length: 8, Type: kind})
	result := mpi.One(program.Place(mpi.Place{Space: results, Length: 8, Step: 8, Type: kind}))
	target := mpi.One(program.Place(mpi.Place{Space: w, Offset: 8, Length: 8, Type: kind, Peer: p.size / 2}))
	program.Loop = append([]mpi.Call{{Op: mpi.Walk, Send: result}},
		e.around(target, mpi.Call{Op: op, Send: mpi.Span{First: 0, Count: 2}, Recv: target})...)
	if err := p.runProgram(program, mpi.Loops{Untimed: 10, Timed: ticketLoops - 10}); err != nil {
		return err
	}
	all := make([]byte, p.size*8*ticketLoops)
	if p.rank > 0 {
		all = nil
	}
	if err := p.world.Gather(results.Bytes(), all, 0); err != nil {
		return err
	}
	seen, last := map[int64]bool{}, int64(-1)
	for i := range len(all) / 8 {
		if i%ticketLoops == 0 {
			last = -1
		}
		ticket := decode(kind, all[8*i:])
		if ticket < 0 || ticket >= int64(p.size*ticketLoops) || seen[ticket] || ticket <= last {
			p.errorf("%v, %s, type %d: ticket %d of process %d is %d after %d", op, e.name, kind, i%ticketLoops,
				i/ticketLoops, ticket, last)
			break
		}
		seen[ticket], last = true, ticket
	}
	return nil
}

// swaps lets all processes try to replace 0 by their number. One of them must win, and the others must get its number.
// (With 8 bytes, MPI_Compare_and_swap of Open MPI 4.1 crashes on a process' own window.)
func swaps(p *process) error {
	const kind, size = mpi.Int32, 4
	return p.withWindow(2*size, func(w mpi.Window, target mpi.Buffer) error {
		b, err := p.NewBuffer(3 * size)
		if err != nil {
			return err
		}
		defer b.Free()
		for _, e := range p.epochs() {
			if e.creates() {
				continue
			}
			program := &mpi.Program{Comm: p.world, Start: p.world}
			for i, value := range []int64{int64(p.rank + 1), 0, -1} { // value, compare, result
				encode(kind, b.Bytes()[i*size:], value)
				program.Place(mpi.Place{Space: b, Offset: int64(i) * size, Length: size, Type: kind})
			}
			at := mpi.One(program.Place(mpi.Place{Space: w, Offset: size, Length: size, Type: kind, Peer: p.size - 1}))
			program.Loop = e.around(at, mpi.Call{Op: mpi.CompareAndSwap, Send: mpi.Span{Count: 3}, Recv: at})
			clear(target.Bytes())
			if err := p.runProgram(program, mpi.Loops{Untimed: 1, Timed: 2}); err != nil {
				return fmt.Errorf("%s: %w", e.name, err)
			}
			// After the first loop all processes find the winner's number, the winner too.
			if err := p.world.Barrier(); err != nil {
				return err
			}
			want := make([]byte, 3*size)
			copy(want[2*size:], target.Bytes()[size:])
			if err := p.world.Bcast(want, p.size-1); err != nil {
				return err
			}
			if n := decode(kind, want[2*size:]); n < 1 || int(n) > p.size {
				p.errorf("%s: process %d of %d has won", e.name, n, p.size)
			}
			encode(kind, want, int64(p.rank+1))
			encode(kind, want[size:], 0)
			p.same("result, "+e.name, b.Bytes(), want)
			if err := p.world.Barrier(); err != nil {
				return err
			}
		}
		return nil
	})
}

// windowAllocate looks at a window with memory of its own, and tries what it refuses.
func windowAllocate(p *process) error {
	engine, ok := p.Engine.(mpi.Windows)
	if !ok {
		return nil // WindowPut tells
	}
	const size = 1000
	window, memory, err := engine.Allocate(p.world, size)
	if err != nil {
		return fmt.Errorf("allocate window: %w", err)
	}
	if window.Size() != size || memory.Size() != size {
		p.errorf("a window of %d bytes has %d, its memory %d", size, window.Size(), memory.Size())
	}
	p.same("new memory", memory.Bytes(), make([]byte, size))
	if memory.Free(); memory.Size() != size {
		p.errorf("an allocated window's memory was freed")
	}
	if window.Create() == nil || window.Free() == nil {
		p.errorf("an allocated window was made or freed")
	}
	for _, op := range []mpi.Op{mpi.WinCreate, mpi.WinFree} {
		program := &mpi.Program{Comm: p.world}
		at := mpi.One(program.Place(mpi.Place{Space: window, Length: 8}))
		program.Call(mpi.Call{Op: op, Recv: at})
		p.mustRefuse(program, fmt.Sprintf("%v of an allocated window", op))
	}
	if err := window.Close(); err != nil {
		return err
	}
	if window.Close() == nil {
		p.errorf("an allocated window was closed twice")
	}
	return p.world.Barrier()
}

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
		program := p.self(b, mpi.Put)
		program.Places[1].Space, program.Places[1].Length, program.Places[0].Length = w, 8, 8
		p.mustRefuse(program, "a place in a closed window")
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
	p.mustRefuse(program, "a place beyond the target's window")
	return w.Close()
}
