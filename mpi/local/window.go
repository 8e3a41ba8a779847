package local

import (
	"errors"
	"fmt"
	"sync"

	"github.com/effective-bandwidth/beff/mpi"
)

// window is one rank's handle of a window.
type window struct {
	comm   *comm
	parts  []exposed // of all ranks of the communicator, which share the slice
	size   int64     // of the largest part
	walker           // for the rank's own places
	there  bool      // the window exists: made and not freed
	lender *buffer   // the buffer that Allocate made with the window
	closed bool
	_      [line]byte
}

// exposed is one rank's part of a window.
type exposed struct {
	memory []byte
	mu     sync.Mutex // guards memory while elements are combined, which is atomic for each element (MPI 4.1, 12.7.1)
	_      [line - 32]byte
}

var (
	_ mpi.Windows   = (*rank)(nil)
	_ mpi.Attaching = (*rank)(nil)
	_ mpi.Window    = (*window)(nil)
)

func (r *rank) NewWindow(c mpi.Comm, b mpi.Buffer) (mpi.Window, error) {
	var memory []byte
	if own, ok := b.(*buffer); ok && own != nil {
		memory = own.memory
	}
	return r.expose(c, memory)
}

// Attach is NewWindow, because ranks can access all of each other's memory.
func (r *rank) Attach(c mpi.Comm, b mpi.Buffer) (mpi.Window, error) { return r.NewWindow(c, b) }

// Allocate is NewWindow with a new buffer.
func (r *rank) Allocate(c mpi.Comm, size int64) (mpi.Window, mpi.Buffer, error) {
	if size < 0 {
		return nil, nil, fmt.Errorf("allocate window: %d bytes", size)
	}
	b, err := newBuffer(size)
	if err != nil {
		return nil, nil, err
	}
	w, err := r.expose(c, b.memory)
	if err != nil {
		return nil, nil, err
	}
	w.lender, b.lent = b, true
	return w, b, nil
}

// expose makes a window of the memory that each rank passes.
func (r *rank) expose(c mpi.Comm, memory []byte) (*window, error) {
	own, err := r.own(c)
	switch {
	case err != nil:
		return nil, err
	case own == nil:
		return nil, errors.New("new window: no communicator")
	}
	if own.number == 0 {
		own.group.exposed = make([]exposed, own.Size())
	}
	if err := own.meet(); err != nil {
		return nil, err
	}
	w := &window{comm: own, parts: own.group.exposed, there: true}
	w.parts[own.number].memory = memory
	if err := own.meet(); err != nil {
		return nil, err
	}
	for i := range w.parts {
		w.size = max(w.size, int64(len(w.parts[i].memory)))
	}
	w.walker.size = int(w.size)
	return w, own.meet() // no member makes another window before all know this one
}

func (w *window) Size() int64 { return w.size }

func (w *window) Create() error { return w.change(true, "MPI_Win_create") }

func (w *window) Free() error { return w.change(false, "MPI_Win_free") }

// check returns an error unless the window exists.
func (w *window) check(op mpi.Op) error {
	if !w.there {
		return w.comm.fail(op.String(), errWin, "the window doesn't exist")
	}
	return nil
}

// changeable returns an error if the window can't be made or freed at all.
func (w *window) changeable(call string) error {
	switch {
	case w.closed:
		return w.comm.fail(call, errWin, "the window is closed")
	case w.lender != nil:
		return w.comm.fail(call, errWin, "the window came with its memory and exists until it is closed")
	}
	return nil
}

// change makes the window again, or frees it. Both are collective.
func (w *window) change(there bool, call string) error {
	if err := w.changeable(call); err != nil {
		return err
	}
	if w.there == there {
		return w.comm.fail(call, errWin, "the window exists already, or doesn't exist")
	}
	w.there = there
	return w.comm.meet()
}

func (w *window) Close() error {
	const call = "MPI_Win_free"
	if w.closed {
		return w.comm.fail(call, errWin, "the window is closed")
	}
	w.closed = true
	if !w.there {
		return nil
	}
	w.there = false
	if err := w.comm.meet(); err != nil {
		return err
	}
	if w.lender != nil {
		w.lender.memory = nil
	}
	return nil
}

// inWindow sets the memory of a place in a window to its peer's part. A place that doesn't fit there only names the
// window, and never moves.
func (p *place) inWindow(w *window, given mpi.Place) {
	p.window, p.walker = w, &w.walker
	if given.Peer >= 0 && given.Peer < len(w.parts) {
		p.memory = w.parts[given.Peer].memory
	}
	size, end := int64(len(p.memory)), given.Offset+given.Extent()
	if end <= size {
		p.data = p.memory[given.Offset:end:end]
	}
	if end > size || size < w.size {
		p.moves = nil
		return
	}
	p.step = int(given.Step)
}

// target returns an error for an access beyond the target's part of a window. A place that only names the window may be
// anywhere in it.
func (p *place) target(given mpi.Place) error {
	w := p.window
	if given.Peer >= len(w.parts) {
		return fmt.Errorf("target %d of a window of %d processes", given.Peer, len(w.parts))
	}
	size := int64(len(p.memory))
	if given.Offset > size-given.Extent() || (given.Step > 0 || given.Advance > 0) && size < w.size {
		return fmt.Errorf("%d bytes from %d, step %d, advance %d, of process %d's window of %d bytes", given.Extent(),
			given.Offset, given.Step, given.Advance, given.Peer, size)
	}
	return nil
}
