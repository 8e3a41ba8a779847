package conformance

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// epoch is a way to synchronize access to windows: the calls before and after the one that moves data. Calls for one
// target get the place of that target. Several targets need an epoch with all set.
type epoch struct {
	name        string
	open, close []mpi.Op
	all         bool // for any number of targets
}

var allEpochs = []epoch{
	{"fence", ops(mpi.WinFence), ops(mpi.WinFence), true},
	{"lock", ops(mpi.WinLock), ops(mpi.WinUnlock), false},
	{"lock, flush", ops(mpi.WinLock), ops(mpi.WinFlush, mpi.WinUnlock), false},
	{"lock, flush local", ops(mpi.WinLock), ops(mpi.WinFlushLocal, mpi.WinUnlock), false},
	{"lock all", ops(mpi.WinLockAll), ops(mpi.WinUnlockAll), true},
	{"lock all, flush", ops(mpi.WinLockAll), ops(mpi.WinFlush, mpi.WinUnlockAll), false},
	{"lock all, flush all", ops(mpi.WinLockAll), ops(mpi.WinFlushAll, mpi.WinUnlockAll), true},
	{"lock all, flush local all", ops(mpi.WinLockAll), ops(mpi.WinFlushLocalAll, mpi.WinUnlockAll), true},
	{"create", ops(mpi.WinCreate, mpi.WinFence), ops(mpi.WinFence, mpi.WinFree), true},
}

// epochs returns the epochs that the engine has.
func (p *process) epochs() []epoch {
	return slices.DeleteFunc(slices.Clone(allEpochs), func(e epoch) bool {
		lacks := func(op mpi.Op) bool { return !p.Supports(op) }
		return slices.ContainsFunc(e.open, lacks) || slices.ContainsFunc(e.close, lacks)
	})
}

// passive returns the epochs in which the target takes no part.
func (p *process) passive() []epoch {
	return slices.DeleteFunc(p.epochs(),
		func(e epoch) bool { return e.open[0] != mpi.WinLock && e.open[0] != mpi.WinLockAll })
}

func ops(list ...mpi.Op) []mpi.Op { return list }

// around puts calls into an epoch. at is a place in the window.
func (e epoch) around(at mpi.Span, calls ...mpi.Call) []mpi.Call {
	var all []mpi.Call
	for _, op := range e.open {
		all = append(all, mpi.Call{Op: op, Recv: at})
	}
	all = append(all, calls...)
	for _, op := range e.close {
		all = append(all, mpi.Call{Op: op, Recv: at})
	}
	return all
}

// exposed is a window and the memory of one process: its part of the window, and a buffer of the same size.
type exposed struct {
	*process
	comm         mpi.Comm
	window       mpi.Window
	target, work mpi.Buffer
	created      bool // the window exists
}

// withWindow calls use with a window of size bytes on each process. A program of use may have freed the window.
func (p *process) withWindow(c mpi.Comm, size int64, use func(w *exposed) error) error {
	engine, ok := p.Engine.(mpi.Windows)
	if !ok {
		p.errorf("the engine runs one-sided calls and makes no windows")
		return nil
	}
	if len(p.epochs()) == 0 {
		p.errorf("the engine runs one-sided calls and has no way to synchronize them")
		return nil
	}
	w := &exposed{process: p, comm: c, created: true}
	var err error
	if w.work, err = p.NewBuffer(size); err != nil {
		return err
	}
	defer w.work.Free()
	if w.window, w.target, err = p.openWindow(engine, c, size); err != nil {
		return fmt.Errorf("new window: %w", err)
	}
	defer w.target.Free()
	if w.window.Size() != size {
		p.errorf("a window of %d bytes has %d", size, w.window.Size())
	}
	if err := use(w); err != nil {
		return err
	}
	return w.window.Close()
}

// openWindow makes a window of a new buffer, or one with memory of its own if the engine has no others.
func (p *process) openWindow(engine mpi.Windows, c mpi.Comm, size int64) (w mpi.Window, b mpi.Buffer, err error) {
	if !p.Supports(mpi.WinCreate) {
		return engine.Allocate(c, size)
	}
	if b, err = p.NewBuffer(size); err != nil {
		return nil, nil, err
	}
	w, err = engine.NewWindow(c, b)
	return w, b, err
}

// unfit reports whether the engine refuses a program for its operands, such as pieces of any shape.
func unfit(err error) bool {
	var refused *mpi.UnsupportedError
	return errors.As(err, &refused) && refused.Why != ""
}

// runEpoch runs calls in an epoch. data and other are the contents of the window and of the memory before. It returns
// both contents afterwards.
func (w *exposed) runEpoch(e epoch, p *mpi.Program, at mpi.Span, data, other []byte, calls ...mpi.Call) (window,
	memory []byte, err error) {
	if inLoop := e.open[0] == mpi.WinCreate; inLoop == w.created {
		change := w.window.Create
		if inLoop {
			change = w.window.Free
		}
		if err := change(); err != nil {
			return nil, nil, err
		}
		w.created = !inLoop
	}
	copy(w.target.Bytes(), data)
	copy(w.work.Bytes(), other)
	p.Loop = e.around(at, calls...)
	if err := w.runProgram(p, mpi.Loops{Untimed: 1, Timed: 2}); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", e.name, err)
	}
	if err := w.comm.Barrier(); err != nil {
		return nil, nil, err
	}
	window, memory = bytes.Clone(w.target.Bytes()), bytes.Clone(w.work.Bytes())
	return window, memory, w.comm.Barrier()
}

// same records the first wrong byte.
func (p *process) same(what string, found, want []byte) {
	for i := range want {
		if found[i] != want[i] {
			p.errorf("%s: byte %d of %d is %#x instead of %#x", what, i, len(want), found[i], want[i])
			return
		}
	}
}

// image returns the initial content of a process' window or memory, which differs from all others.
func (p *process) image(size int64, rank, number int) []byte {
	data := make([]byte, size)
	fill(data, rank, rank, number)
	return data
}

// windowPut writes to the right neighbour's window, in all epochs.
func windowPut(p *process) error {
	return p.neighbourly(mpi.Put, func(w *exposed, window, memory []byte, at mpi.Place, left, right int) (wantWindow,
		wantMemory []byte) {
		wantWindow = p.image(w.window.Size(), w.comm.Rank(), 0)
		copy(wantWindow[at.Offset:][:at.Length], p.image(w.window.Size(), left, 1)[gap:])
		return wantWindow, p.image(w.window.Size(), w.comm.Rank(), 1)
	})
}

// windowGet reads from the right neighbour's window, in all epochs.
func windowGet(p *process) error {
	return p.neighbourly(mpi.Get, func(w *exposed, window, memory []byte, at mpi.Place, left, right int) (wantWindow,
		wantMemory []byte) {
		wantMemory = p.image(w.window.Size(), w.comm.Rank(), 1)
		copy(wantMemory[gap:][:at.Length], p.image(w.window.Size(), right, 0)[at.Offset:])
		return p.image(w.window.Size(), w.comm.Rank(), 0), wantMemory
	})
}

// expectation returns the contents of window and memory after the calls. at is the place in the window.
type expectation func(w *exposed, window, memory []byte, at mpi.Place, left, right int) (wantWindow, wantMemory []byte)

// neighbourly moves data between a process and its right neighbour's window and compares all bytes. It does so on all
// processes in both orders and in groups.
func (p *process) neighbourly(op mpi.Op, want expectation) error {
	return p.inOrders(func(c mpi.Comm) error {
		units := blockUnits
		if c != p.world {
			units = units[len(units)-2 : len(units)-1]
		}
		for _, length := range units {
			err := p.withWindow(c, length+5*gap, func(w *exposed) error {
				left, right := neighbours(c)
				for _, e := range p.epochs() {
					program := &mpi.Program{Comm: c, Start: c}
					memory := mpi.One(program.Place(mpi.Place{Space: w.work, Offset: gap, Length: length}))
					target := mpi.One(program.Place(mpi.Place{Space: w.window, Offset: 3 * gap, Length: length,
						Peer: right}))
					window, work, err := w.runEpoch(e, program, target, p.image(w.window.Size(), c.Rank(), 0),
						p.image(w.window.Size(), c.Rank(), 1),
						mpi.Call{Op: op, Send: memory, Recv: target})
					if err != nil {
						return err
					}
					wantWindow, wantWork := want(w, window, work, program.Places[target.First], left, right)
					p.same(fmt.Sprintf("window, %v, %s", op, e.name), window, wantWindow)
					p.same(fmt.Sprintf("memory, %v, %s", op, e.name), work, wantWork)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// inOrders calls do with the world, with all processes in reverse order, and with groups of two at the same time.
func (p *process) inOrders(do func(c mpi.Comm) error) error {
	if err := do(p.world); err != nil {
		return err
	}
	pair := p.rank / 2
	if pair == p.size/2 {
		pair = -1 // alone
	}
	for _, color := range []int{0, pair} {
		c, err := p.world.Split(color, -p.rank)
		if err != nil {
			return err
		}
		if c == nil {
			continue
		}
		if err := errors.Join(do(c), c.Free()); err != nil {
			return err
		}
	}
	return nil
}

// windowLoops is the number of loops of runEpoch's programs.
const windowLoops = 3

// windowAll lets all processes write into and read from all windows in one epoch.
func windowAll(p *process) error {
	const length = 1000
	return p.withWindow(p.world, int64(2*p.size)*length, func(w *exposed) error {
		size := w.window.Size()
		for _, e := range p.epochs() {
			if !e.all {
				continue
			}
			program := &mpi.Program{Comm: p.world, Start: p.world}
			var calls []mpi.Call
			wantWindow, wantMemory := p.image(size, p.rank, 0), p.image(size, p.rank, 1)
			for peer := range p.size {
				mine, its := int64(p.rank)*length, int64(p.size+peer)*length
				out := mpi.One(program.Place(mpi.Place{Space: w.work, Offset: int64(peer) * length, Length: length}))
				in := mpi.One(program.Place(mpi.Place{Space: w.work, Offset: its, Length: length}))
				to := mpi.One(program.Place(mpi.Place{Space: w.window, Offset: mine, Length: length, Peer: peer}))
				from := mpi.One(program.Place(mpi.Place{Space: w.window, Offset: int64(p.size)*length + mine,
					Length: length, Peer: peer}))
				calls = append(calls, mpi.Call{Op: mpi.Put, Send: out, Recv: to},
					mpi.Call{Op: mpi.Get, Send: in, Recv: from})
				copy(wantWindow[int64(peer)*length:][:length], p.image(size, peer, 1)[mine:])
				copy(wantMemory[its:][:length], p.image(size, peer, 0)[int64(p.size)*length+mine:])
			}
			window, memory, err := w.runEpoch(e, program, mpi.One(2), p.image(size, p.rank, 0),
				p.image(size, p.rank, 1), calls...)
			if err != nil {
				return err
			}
			p.same("window, "+e.name, window, wantWindow)
			p.same("memory, "+e.name, memory, wantMemory)
		}
		return nil
	})
}

// windowAccumulate combines the data of all processes in the last one's window, at the same time.
func windowAccumulate(p *process) error {
	for i, n := range []int64{0, 1, 1000, 1<<18 + 2} {
		for _, t := range reductionTypes[:len(reductionTypes)-i] { // fewer types for long vectors, which take time
			err := p.withWindow(p.world, n*t.kind.Size()+2*gap,
				func(w *exposed) error { return w.accumulate(t.kind, t.op, n) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *exposed) accumulate(kind mpi.Type, op mpi.Reduction, n int64) error {
	margin := make([]byte, gap)
	var before, mine, after []byte
	for i := range n {
		start, all := int64(5+i%3), combined(op, w.size, i)
		result := start
		for range windowLoops {
			result = pairwise(op, result, all)
		}
		before, mine, after = encode(before, kind, start), encode(mine, kind, element(w.rank, i)),
			encode(after, kind, result)
	}
	if w.rank != w.size-1 {
		after = before
	}
	framed := func(data []byte) []byte { return slices.Concat(margin, data, margin) }
	program := &mpi.Program{Comm: w.world, Start: w.world}
	length := n * kind.Size()
	memory := mpi.One(program.Place(mpi.Place{Space: w.work, Offset: gap, Length: length, Type: kind}))
	target := mpi.One(program.Place(mpi.Place{Space: w.window, Offset: gap, Length: length, Type: kind,
		Peer: w.size - 1}))
	for _, e := range w.epochs() {
		window, work, err := w.runEpoch(e, program, target, framed(before), framed(mine),
			mpi.Call{Op: mpi.Accumulate, Send: memory, Recv: target, Reduce: op})
		if err != nil {
			return err
		}
		w.same(fmt.Sprintf("accumulated %d of type %d, %s", n, kind, e.name), window, framed(after))
		w.same("memory, "+e.name, work, framed(mine))
	}
	return nil
}

// ticketLoops is the number of tickets that each process takes.
const ticketLoops = 25

// windowTickets lets all processes increment a counter in one window. Each number must be returned once, and to each
// process in ascending order.
func windowTickets(op mpi.Op) func(p *process) error {
	return func(p *process) error {
		return p.withWindow(p.world, 2*8, func(w *exposed) error {
			for i, e := range p.passive() {
				kind := []mpi.Type{mpi.Int64, mpi.Float64}[i%2]
				if err := w.tickets(e, op, kind); err != nil && (kind == mpi.Int64 || !unfit(err)) {
					return err
				}
			}
			return nil
		})
	}
}

func (w *exposed) tickets(e epoch, op mpi.Op, kind mpi.Type) error {
	one, err := w.NewBuffer(8)
	if err != nil {
		return err
	}
	defer one.Free()
	// The place of the results walks through a buffer of its own.
	results, err := w.NewBuffer(8 * ticketLoops)
	if err != nil {
		return err
	}
	defer results.Free()
	copy(one.Bytes(), encode(nil, kind, 1))
	if err := w.world.Barrier(); err != nil { // other processes may still count
		return err
	}
	clear(w.target.Bytes())
	program := &mpi.Program{Comm: w.world, Start: w.world}
	program.Place(mpi.Place{Space: one, Length: 8, Type: kind})
	result := mpi.One(program.Place(mpi.Place{Space: results, Length: 8, Step: 8, Type: kind}))
	target := mpi.One(program.Place(mpi.Place{Space: w.window, Offset: 8, Length: 8, Type: kind, Peer: w.size / 2}))
	program.Loop = append([]mpi.Call{{Op: mpi.Walk, Send: result}},
		e.around(target, mpi.Call{Op: op, Send: mpi.Span{First: 0, Count: 2}, Recv: target})...)
	if err := w.runProgram(program, mpi.Loops{Untimed: 10, Timed: ticketLoops - 10}); err != nil {
		return err
	}
	all := make([]byte, w.size*8*ticketLoops)
	if w.rank > 0 {
		all = nil
	}
	if err := w.world.Gather(results.Bytes(), all, 0); err != nil {
		return err
	}
	w.eachTicket(fmt.Sprintf("%v, %s, type %d", op, e.name, kind), kind, all)
	return nil
}

// eachTicket checks on process 0 that each ticket was taken.
func (w *exposed) eachTicket(what string, kind mpi.Type, all []byte) {
	number := map[string]int{}
	for i := range len(all) / 8 {
		number[string(encode(nil, kind, int64(i)))] = i
	}
	seen := map[int]bool{}
	last := -1
	for i := range len(all) / 8 {
		if i%ticketLoops == 0 {
			last = -1
		}
		ticket, known := number[string(all[8*i:8*i+8])]
		if !known || seen[ticket] || ticket <= last {
			w.errorf("%s: ticket %d of process %d is %d after %d", what, i%ticketLoops, i/ticketLoops, ticket, last)
			return
		}
		seen[ticket], last = true, ticket
	}
}

// windowGetAccumulate fetches elements from the right neighbour and leaves sums there.
func windowGetAccumulate(p *process) error {
	const kind = mpi.Float32
	for _, n := range []int64{0, 1, 1000, 1<<18 + 2} {
		length := n * kind.Size()
		err := p.withWindow(p.world, 2*length, func(w *exposed) error {
			left, right := neighbours(p.world)
			program := &mpi.Program{Comm: p.world, Start: p.world}
			program.Place(mpi.Place{Space: w.work, Length: length, Type: kind})
			program.Place(mpi.Place{Space: w.work, Offset: length, Length: length, Type: kind})
			target := mpi.One(program.Place(mpi.Place{Space: w.window, Length: length, Type: kind, Peer: right}))
			var before, mine, window, got []byte
			for i := range n {
				before, mine = encode(before, kind, i%5), encode(mine, kind, element(p.rank, i))
				window = encode(window, kind, i%5+windowLoops*element(left, i))
				got = encode(got, kind, i%5+(windowLoops-1)*element(p.rank, i))
			}
			for _, e := range p.epochs() {
				found, memory, err := w.runEpoch(e, program, target, before, mine,
					mpi.Call{Op: mpi.GetAccumulate, Send: mpi.Span{First: 0, Count: 2}, Recv: target})
				if err != nil {
					return err
				}
				p.same("window, "+e.name, found, window)
				p.same("memory, "+e.name, memory, append(mine, got...))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// windowSwap lets all processes try to replace 0 by their number. One of them must win, and the others must get its
// number. (With 8 bytes, MPI_Compare_and_swap of Open MPI 4.1 crashes on a process' own window.)
func windowSwap(p *process) error {
	const value, compare, result = 0, 1, 2
	const kind, size = mpi.Int32, 4
	return p.withWindow(p.world, 4*size, func(w *exposed) error {
		for _, e := range p.epochs() {
			program := &mpi.Program{Comm: p.world, Start: p.world}
			for i := range int64(3) {
				program.Place(mpi.Place{Space: w.work, Offset: i * size, Length: size, Type: kind})
			}
			target := mpi.One(program.Place(mpi.Place{Space: w.window, Offset: size, Length: size, Type: kind,
				Peer: p.size - 1}))
			memory := encode(encode(encode(encode(nil, kind, int64(p.rank+1)), kind, 0), kind, -1), kind, -1)
			window, after, err := w.runEpoch(e, program, target, make([]byte, 4*size), memory,
				mpi.Call{Op: mpi.CompareAndSwap, Send: mpi.Span{First: value, Count: 3}, Recv: target})
			if err != nil {
				return err
			}
			// After the first loop all processes find the winner's number, the winner too.
			winner := make([]byte, size)
			copy(winner, window[size:])
			if err := p.world.Bcast(winner, p.size-1); err != nil {
				return err
			}
			if n := binary.NativeEndian.Uint32(winner); n < 1 || int(n) > p.size {
				p.errorf("%s: process %d of %d has won", e.name, n, p.size)
			}
			p.same("result, "+e.name, after, slices.Concat(memory[:result*size], winner, memory[3*size:]))
		}
		return nil
	})
}
