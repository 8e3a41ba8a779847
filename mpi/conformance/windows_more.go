package conformance

import (
	"bytes"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// transferred puts to or gets from the right neighbour's window in an epoch, and compares all memory. The places are in
// the memory and in the window. calls are those of the epoch.
func (w *exposed) transferred(e epoch, op mpi.Op, memory, target mpi.Place,
	calls func(memory, target mpi.Span) []mpi.Call) error {
	size := w.window.Size()
	left, right := neighbours(w.comm)
	memory.Space, target.Space, target.Peer = w.work, w.window, right
	program := &mpi.Program{Comm: w.comm, Start: w.comm}
	m, t := mpi.One(program.Place(memory)), mpi.One(program.Place(target))
	wantWindow, wantMemory := w.image(size, w.comm.Rank(), 0), w.image(size, w.comm.Rank(), 1)
	found, work, err := w.runEpoch(e, program, t, bytes.Clone(wantWindow), bytes.Clone(wantMemory), calls(m, t)...)
	if err != nil {
		return err
	}
	if op == mpi.Put || op == mpi.Rput {
		message := unpiece(w.image(size, left, 1)[memory.Offset:], memory.Pieces, memory.Length)
		scatter(wantWindow[target.Offset:], target.Pieces, message)
	} else {
		message := unpiece(w.image(size, right, 0)[target.Offset:], target.Pieces, target.Length)
		scatter(wantMemory[memory.Offset:], memory.Pieces, message)
	}
	w.same(fmt.Sprintf("window, %v, %s", op, e.name), found, wantWindow)
	w.same(fmt.Sprintf("memory, %v, %s", op, e.name), work, wantMemory)
	return nil
}

// windowRequests opens requests for the halves of a transfer, and completes one by Wait and the other by Waitall.
func windowRequests(p *process) error {
	for _, half := range []int64{0, 8, 50000} {
		err := p.withWindow(p.world, 2*half+3*gap, func(w *exposed) error {
			for _, e := range p.passive() {
				for _, op := range []mpi.Op{mpi.Rput, mpi.Rget} {
					if err := w.requests(e, op, half); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *exposed) requests(e epoch, op mpi.Op, half int64) error {
	size := w.window.Size()
	left, right := neighbours(w.comm)
	program := &mpi.Program{Comm: w.comm, Start: w.comm}
	var calls []mpi.Call
	wantWindow, wantMemory := w.image(size, w.rank, 0), w.image(size, w.rank, 1)
	for i := range int64(2) {
		at := gap + i*(half+gap)
		memory := mpi.One(program.Place(mpi.Place{Space: w.work, Offset: at, Length: half}))
		target := mpi.One(program.Place(mpi.Place{Space: w.window, Offset: at, Length: half, Peer: right}))
		calls = append(calls, mpi.Call{Op: op, Send: memory, Recv: target})
		if op == mpi.Rput {
			copy(wantWindow[at:at+half], w.image(size, left, 1)[at:])
		} else {
			copy(wantMemory[at:at+half], w.image(size, right, 0)[at:])
		}
	}
	calls = append(calls, mpi.Call{Op: mpi.Wait, Of: len(e.open) + 1}, mpi.Call{Op: mpi.Waitall})
	window, memory, err := w.runEpoch(e, program, mpi.One(1), w.image(size, w.rank, 0), w.image(size, w.rank, 1),
		calls...)
	if err != nil {
		return err
	}
	w.same(fmt.Sprintf("window, %v, %s", op, e.name), window, wantWindow)
	w.same(fmt.Sprintf("memory, %v, %s", op, e.name), memory, wantMemory)
	return nil
}

// windowPieces puts and gets in pieces: on the target's side, on the origin's, on both, with different ones. An engine
// may refuse pieces of any but 4 bytes, 8 to 128 apart.
func windowPieces(p *process) error {
	return p.withWindow(p.world, 32*pieced+2*gap, func(w *exposed) error {
		layouts := append([][]mpi.Piece{mpi.Strided(100, 4, 8), mpi.Strided(100, 4, 128)}, pieceTable[1:]...)
		for i, layout := range layouts {
			for k, sides := range [][2][]mpi.Piece{{nil, layout}, {layout, nil}, {layout, layout},
				{layout, layouts[(i+1)%len(layouts)]}} {
				err := w.inPieces(i, sides)
				if mayRefuse := i > 1 || i == 1 && k == 3; err != nil && (!mayRefuse || !unfit(err)) {
					return err
				}
			}
		}
		w.refusePieces()
		return nil
	})
}

// inPieces puts and gets with the pieces of both sides.
func (w *exposed) inPieces(number int, sides [2][]mpi.Piece) error {
	memory := mpi.Place{Offset: gap, Length: pieced, Pieces: sides[0]}
	target := mpi.Place{Offset: gap, Length: pieced, Pieces: sides[1]}
	all := w.epochs()
	e := all[number%2*5%len(all)] // fence, or lock all and flush
	for _, op := range []mpi.Op{mpi.Put, mpi.Get} {
		err := w.transferred(e, op, memory, target, func(m, t mpi.Span) []mpi.Call {
			return []mpi.Call{{Op: op, Send: m, Recv: t}}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// refusePieces tries pieces where there can be none, and sides of different lengths.
func (w *exposed) refusePieces() {
	program := &mpi.Program{Comm: w.world}
	memory := mpi.One(program.Place(mpi.Place{Space: w.work, Length: 16, Type: mpi.Int32,
		Pieces: mpi.Strided(4, 4, 8)}))
	target := mpi.One(program.Place(mpi.Place{Space: w.window, Length: 16, Type: mpi.Int32}))
	program.Call(mpi.Call{Op: mpi.Accumulate, Send: memory, Recv: target})
	w.mustRefuse(program, "pieces accumulated")
	program.Loop[0].Op, program.Places[1].Length = mpi.Put, 20
	w.mustRefuse(program, "16 bytes put into 20")
}

// windowSync reads and writes windows within one epoch: each process stamps its own memory, the left one gets the stamp
// and puts it back to another place. WinSync stands between the stores and loads of a process and the accesses of
// others (MPI 4.1, 12.7).
func windowSync(p *process) error {
	const length = 24
	return p.withWindow(p.world, 2*length, func(w *exposed) error {
		_, right := neighbours(p.world)
		mark := func(rank int) mpi.Mark { return mpi.Mark{Width: 8, Key: uint64(100 * rank), PerLoop: 1} }
		program := &mpi.Program{Comm: p.world, Start: p.world}
		own := mpi.One(program.Place(mpi.Place{Space: w.target, Length: length, Mark: mark(p.rank)}))
		back := mpi.One(program.Place(mpi.Place{Space: w.target, Offset: length, Length: length, Mark: mark(p.rank)}))
		memory := mpi.One(program.Place(mpi.Place{Space: w.work, Length: length, Mark: mark(right)}))
		from := mpi.One(program.Place(mpi.Place{Space: w.window, Length: length, Peer: right}))
		into := mpi.One(program.Place(mpi.Place{Space: w.window, Offset: length, Length: length, Peer: right}))
		program.Before = []mpi.Call{{Op: mpi.WinLockAll, Recv: from}}
		program.Loop = []mpi.Call{
			{Op: mpi.Stamp, Send: own}, {Op: mpi.WinSync, Recv: from}, {Op: mpi.Barrier},
			{Op: mpi.Get, Send: memory, Recv: from}, {Op: mpi.WinFlush, Recv: from}, {Op: mpi.Check, Recv: memory},
			{Op: mpi.Put, Send: memory, Recv: into}, {Op: mpi.WinFlush, Recv: into}, {Op: mpi.Barrier},
			{Op: mpi.WinSync, Recv: from}, {Op: mpi.Check, Recv: back},
		}
		program.After = []mpi.Call{{Op: mpi.WinUnlockAll, Recv: from}}
		return p.runProgram(program, once, mpi.Loops{Untimed: 2, Timed: 20})
	})
}

// windowAllocate makes windows with memory of their own, and tries what they refuse.
func windowAllocate(p *process) error {
	engine, ok := p.Engine.(mpi.Windows)
	if !ok {
		return nil // WindowPut tells
	}
	const length = 1000
	return p.inOrders(func(c mpi.Comm) error {
		work, err := p.NewBuffer(length + 2*gap)
		if err != nil {
			return err
		}
		defer work.Free()
		window, memory, err := engine.Allocate(c, length+2*gap)
		if err != nil {
			return fmt.Errorf("allocate window: %w", err)
		}
		if window.Size() != work.Size() || memory.Size() != work.Size() {
			p.errorf("a window of %d bytes has %d, its memory %d", work.Size(), window.Size(), memory.Size())
		}
		p.same("new memory", memory.Bytes(), make([]byte, work.Size()))
		if err := c.Barrier(); err != nil { // nobody writes before all have looked
			return err
		}
		w := &exposed{process: p, comm: c, created: true, window: window, target: memory, work: work}
		for _, e := range p.epochs() {
			if e.open[0] == mpi.WinCreate {
				continue
			}
			for _, op := range []mpi.Op{mpi.Put, mpi.Get} {
				place := mpi.Place{Offset: gap, Length: length}
				err := w.transferred(e, op, place, place, func(m, t mpi.Span) []mpi.Call {
					return []mpi.Call{{Op: op, Send: m, Recv: t}}
				})
				if err != nil {
					return err
				}
			}
		}
		if memory.Free(); memory.Size() != work.Size() {
			p.errorf("an allocated window's memory was freed")
		}
		w.refuseChanges()
		if err := window.Close(); err != nil {
			return err
		}
		if window.Close() == nil {
			p.errorf("an allocated window was closed twice")
		}
		return nil
	})
}

// refuseChanges tries to free and to make a window that came with its memory.
func (w *exposed) refuseChanges() {
	if w.window.Create() == nil || w.window.Free() == nil {
		w.errorf("an allocated window was made or freed")
	}
	for _, op := range []mpi.Op{mpi.WinCreate, mpi.WinFree} {
		program := &mpi.Program{Comm: w.comm}
		at := mpi.One(program.Place(mpi.Place{Space: w.window, Length: 8}))
		program.Call(mpi.Call{Op: op, Recv: at})
		w.mustRefuse(program, fmt.Sprintf("%v of an allocated window", op))
	}
}
