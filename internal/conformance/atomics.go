package conformance

import (
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// withWindow calls use with a window of all processes, of size bytes on each, and with the window's memory.
func (p *process) withWindow(size int64, use func(w mpi.Window, b mpi.Buffer)) {
	engine, ok := p.Engine.(mpi.Windows)
	if !ok {
		p.errorf("the engine runs one-sided calls, but makes no windows")
		return
	}
	w, b := p.newWindow(engine, p.world, size, false)
	if w.Size() != size {
		p.errorf("a window of %d bytes has %d", size, w.Size())
	}
	use(w, b)
	p.must(w.Close())
}

// newWindow makes a window with Allocate if kept is true, or if the engine has no other windows. Otherwise it makes a
// window of a new buffer.
func (p *process) newWindow(e mpi.Windows, c mpi.Comm, size int64, kept bool) (w mpi.Window, b mpi.Buffer) {
	var err error
	if kept || !p.Supports(mpi.WinCreate) {
		w, b, err = e.Allocate(c, size)
	} else {
		b = p.buffer(size)
		w, err = e.NewWindow(c, b)
	}
	p.must(err)
	return w, b
}

// unfit reports whether err refuses a program because of its operands, such as irregular pieces.
func unfit(err error) bool {
	var refused *mpi.UnsupportedError
	return errors.As(err, &refused) && refused.Why != ""
}

// ticketLoops is the number of tickets that each process takes.
const ticketLoops = 25

// tickets returns the body of a case in which all processes increment a counter in one window. Each number must be
// returned once, and each process must get its numbers in ascending order.
func tickets(op mpi.Op) func(p *process) {
	return func(p *process) {
		p.withWindow(2*8, func(w mpi.Window, b mpi.Buffer) {
			for i, e := range p.epochs() {
				if !e.passive() {
					continue
				}
				kind := []mpi.Type{mpi.Int64, mpi.Float64}[i%2]
				p.tickets(w, b, e, op, kind)
			}
		})
	}
}

func (p *process) tickets(w mpi.Window, counter mpi.Buffer, e epoch, op mpi.Op, kind mpi.Type) {
	one := p.buffer(8)
	// The place of the results walks through a separate buffer.
	results := p.buffer(8 * ticketLoops)
	arithmetic[kind].encode(one.Bytes(), 1)
	p.must(p.world.Barrier()) // other processes may still count
	clear(counter.Bytes())
	program := &mpi.Program{Comm: p.world, Start: p.world}
	program.Place(mpi.Place{Space: one, Length: 8, Type: kind})
	result := mpi.One(program.Place(mpi.Place{Space: results, Length: 8, Step: 8, Type: kind}))
	target := mpi.One(program.Place(mpi.Place{Space: w, Offset: 8, Length: 8, Type: kind, Peer: p.size / 2}))
	program.Loop = append([]mpi.Call{{Op: mpi.Walk, Send: result}},
		e.around(target, mpi.Call{Op: op, Send: mpi.Span{First: 0, Count: 2}, Recv: target})...)
	r, err := p.Compile(program)
	if kind != mpi.Int64 && unfit(err) {
		return
	}
	p.must(err)
	p.runRight(r, mpi.Loops{Untimed: 10, Timed: ticketLoops - 10})
	r.Close()
	all := make([]byte, p.size*8*ticketLoops)
	if p.rank > 0 {
		all = nil
	}
	p.must(p.world.Gather(results.Bytes(), all, 0))
	seen, last := map[int64]bool{}, int64(-1)
	for i := range len(all) / 8 {
		if i%ticketLoops == 0 {
			last = -1
		}
		ticket := arithmetic[kind].decode(all[8*i:])
		if ticket < 0 || ticket >= int64(p.size*ticketLoops) || seen[ticket] || ticket <= last {
			p.errorf("%v, %s, type %d: ticket %d of process %d is %d after %d", op, e.name, kind, i%ticketLoops,
				i/ticketLoops, ticket, last)
			break
		}
		seen[ticket], last = true, ticket
	}
}

// swaps makes all processes try to replace 0 by their number. One of them must win, and the others must get its number.
// (With 8 bytes, MPI_Compare_and_swap of Open MPI 4.1 crashes on a process's own window.)
func swaps(p *process) {
	const kind, size = mpi.Int32, 4
	p.withWindow(2*size, func(w mpi.Window, target mpi.Buffer) {
		b := p.buffer(3 * size)
		for _, e := range p.epochs() {
			if e.creates() {
				continue
			}
			program := &mpi.Program{Comm: p.world, Start: p.world}
			for i, value := range []int64{int64(p.rank + 1), 0, -1} { // value, compare, result
				arithmetic[kind].encode(b.Bytes()[i*size:], value)
				program.Place(mpi.Place{Space: b, Offset: int64(i) * size, Length: size, Type: kind})
			}
			at := mpi.One(program.Place(mpi.Place{Space: w, Offset: size, Length: size, Type: kind, Peer: p.size - 1}))
			program.Loop = e.around(at, mpi.Call{Op: mpi.CompareAndSwap, Send: mpi.Span{Count: 3}, Recv: at})
			clear(target.Bytes())
			p.runProgram(program, mpi.Loops{Untimed: 1, Timed: 2})
			// After the first loop all processes find the winner's number, including the winner.
			p.must(p.world.Barrier())
			want := make([]byte, 3*size)
			copy(want[2*size:], target.Bytes()[size:])
			p.must(p.world.Bcast(want, p.size-1))
			if n := arithmetic[kind].decode(want[2*size:]); n < 1 || int(n) > p.size {
				p.errorf("%s: process %d of %d has won", e.name, n, p.size)
			}
			arithmetic[kind].encode(want, int64(p.rank+1))
			arithmetic[kind].encode(want[size:], 0)
			p.same("result, "+e.name, b.Bytes(), want)
			p.must(p.world.Barrier())
		}
	})
}

// windowAllocate checks a window of Allocate, and that it can't be made, freed or closed again.
func windowAllocate(p *process) {
	engine, ok := p.Engine.(mpi.Windows)
	if !ok {
		return // WindowPut reports the error
	}
	const size = 1000
	window, memory, err := engine.Allocate(p.world, size)
	p.must(err)
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
	p.must(window.Close())
	if window.Close() == nil {
		p.errorf("an allocated window was closed twice")
	}
	p.must(p.world.Barrier())
}

// windowClose closes a window that exists and one that has been freed, and then fails to create it again.
func windowClose(p *process) {
	engine, ok := p.Engine.(mpi.Windows)
	if !ok {
		return // WindowPut reports the error
	}
	b := p.buffer(64)
	for _, free := range []bool{false, true} {
		w, err := engine.NewWindow(p.world, b)
		p.must(err)
		if free {
			err = w.Free()
		}
		p.must(errors.Join(err, w.Close()))
		if w.Create() == nil || w.Free() == nil || w.Close() == nil {
			p.errorf("a closed window was made, freed or closed again; it was free before: %v", free)
		}
		program := p.callItself(b, mpi.Put)
		program.Places[1].Space, program.Places[1].Length, program.Places[0].Length = w, 8, 8
		p.mustRefuse(program, "a place in a closed window")
	}
}

// windowUneven writes from all processes to a window in which only process 0 has memory.
func windowUneven(p *process) {
	engine, ok := p.Engine.(mpi.Windows)
	if !ok {
		return // WindowPut reports the error
	}
	const length = 1000
	b := p.buffer(int64(p.size) * length)
	mine := b
	if p.rank > 0 {
		mine = nil
	}
	w, err := engine.NewWindow(p.world, mine)
	p.must(err)
	if w.Size() != b.Size() {
		p.errorf("the largest window has %d bytes, not %d", w.Size(), b.Size())
	}
	source := p.buffer(length)
	fill(source.Bytes(), p.rank, 0, 0)
	program := &mpi.Program{Comm: p.world, Start: p.world}
	memory := mpi.One(program.Place(mpi.Place{Space: source, Length: length}))
	target := mpi.One(program.Place(mpi.Place{Space: w, Offset: int64(p.rank) * length, Length: length}))
	program.Loop = allEpochs[0].around(target, mpi.Call{Op: mpi.Put, Send: memory, Recv: target})
	p.runProgram(program, once)
	for from := 0; p.rank == 0 && from < p.size; from++ {
		want := make([]byte, length)
		fill(want, from, 0, 0)
		p.same(fmt.Sprintf("part %d", from), b.Bytes()[from*length:][:length], want)
	}
	program.Places[target.First].Peer = p.size - 1
	p.mustRefuse(program, "a place beyond the target's window")
	p.must(w.Close())
}
