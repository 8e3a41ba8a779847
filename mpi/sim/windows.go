package sim

import (
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/sim/model"
)

// window is a process's handle of a window. Its memory is only a size.
type window struct {
	comm   mpi.Comm
	number uint64 // counts the process's windows
	size   int64  // of the largest part
	there  bool
	lent   bool // allocated with its memory
}

// NewWindow implements mpi.Windows.
func (r *Rank) NewWindow(c mpi.Comm, b mpi.Buffer) (mpi.Window, error) {
	if c == nil {
		return nil, errors.New("new window: no communicator")
	}
	size := []float64{0}
	if b != nil {
		size[0] = float64(b.Size())
	}
	if err := c.Allreduce(size, mpi.Max); err != nil {
		return nil, err
	}
	r.windows++
	return &window{comm: c, number: r.windows, size: int64(size[0]), there: true}, nil
}

// Allocate implements mpi.Windows.
func (r *Rank) Allocate(c mpi.Comm, size int64) (mpi.Window, mpi.Buffer, error) {
	b, err := newBuffer(size)
	if err != nil {
		return nil, nil, err
	}
	w, err := r.NewWindow(c, b)
	if err != nil {
		return nil, nil, err
	}
	w.(*window).lent = true
	return w, b, nil
}

// Size implements mpi.Space.
func (w *window) Size() int64 { return w.size }

// Create implements mpi.Window.
func (w *window) Create() error { return w.change(true) }

// Free implements mpi.Window.
func (w *window) Free() error { return w.change(false) }

func (w *window) change(there bool) error {
	switch {
	case w.lent:
		return errors.New("the window came with its memory and exists until it is closed")
	case w.there == there:
		return fmt.Errorf("the window exists already, or doesn't exist")
	}
	w.there = there
	return w.comm.Barrier()
}

// Close implements mpi.Window.
func (w *window) Close() error {
	there := w.there
	w.there = false
	if !there {
		return nil
	}
	return w.comm.Barrier()
}

var accesses = map[mpi.Op]func(c *composer, i int, x *mpi.Call){
	mpi.Put:            func(c *composer, _ int, x *mpi.Call) { c.access(x, 1, 0) },
	mpi.Get:            func(c *composer, _ int, x *mpi.Call) { c.access(x, 0, 1) },
	mpi.Rput:           func(c *composer, i int, x *mpi.Call) { c.requests[i] = c.request(c.access(x, 1, 0)) },
	mpi.Rget:           func(c *composer, i int, x *mpi.Call) { c.requests[i] = c.request(c.access(x, 0, 1)) },
	mpi.Accumulate:     func(c *composer, _ int, x *mpi.Call) { c.access(x, 1, 0) },
	mpi.GetAccumulate:  func(c *composer, _ int, x *mpi.Call) { c.access(x, 1, 1) },
	mpi.FetchAndOp:     func(c *composer, _ int, x *mpi.Call) { c.access(x, 1, 1) },
	mpi.CompareAndSwap: func(c *composer, _ int, x *mpi.Call) { c.access(x, 2, 1) },
}

// bytesOfWindow is the size of the description of a part of a new window that MPICH's processes exchange: address,
// size, unit and handle (MPID_Win_create, MPI_Allgather).
const bytesOfWindow = 32

// windowCalls holds the calls that make, free and synchronize windows. Locks take no time, because they are shared and
// no call waits for one. Synchronizing a process's own loads and stores takes no time either.
var windowCalls = map[mpi.Op]func(c *composer, x *mpi.Call){
	mpi.WinCreate: func(c *composer, _ *mpi.Call) {
		c.round++
		c.allgather(uniform(bytesOfWindow))
	},
	mpi.WinFree: func(c *composer, _ *mpi.Call) {
		c.round++
		c.barrier()
	},
	mpi.WinFence: func(c *composer, x *mpi.Call) {
		c.flush(x, model.Anyone, true)
		c.round++
		c.barrier()
	},
	mpi.WinLock:          func(*composer, *mpi.Call) {},
	mpi.WinLockAll:       func(*composer, *mpi.Call) {},
	mpi.WinSync:          func(*composer, *mpi.Call) {},
	mpi.WinUnlock:        func(c *composer, x *mpi.Call) { c.flush(x, c.target(x), true) },
	mpi.WinUnlockAll:     func(c *composer, x *mpi.Call) { c.flush(x, model.Anyone, true) },
	mpi.WinFlush:         func(c *composer, x *mpi.Call) { c.flush(x, c.target(x), true) },
	mpi.WinFlushLocal:    func(c *composer, x *mpi.Call) { c.flush(x, c.target(x), false) },
	mpi.WinFlushAll:      func(c *composer, x *mpi.Call) { c.flush(x, model.Anyone, true) },
	mpi.WinFlushLocalAll: func(c *composer, x *mpi.Call) { c.flush(x, model.Anyone, false) },
}

// target returns the process whose part of the window a call accesses. Targets are ranks of the window's communicator.
func (c *composer) target(x *mpi.Call) int32 {
	place := &c.play.program.Places[x.Recv.First]
	if w, ok := place.Space.(*window); ok {
		if on, ok := w.comm.(*handle); ok {
			return on.group.ranks[place.Peer]
		}
	}
	return c.members[place.Peer]
}

// window returns the number of the window that a call accesses.
func (c *composer) window(x *mpi.Call) uint64 {
	if w, ok := c.play.program.Places[x.Recv.First].Space.(*window); ok {
		return w.number
	}
	return 0
}

// access begins a transfer and returns its act. there and back are the bytes in each direction, as multiples of the
// length of the target's place.
func (c *composer) access(x *mpi.Call, there, back int64) *model.Act {
	n := c.play.program.Places[x.Recv.First].Length
	c.acts = append(c.acts, model.Act{Kind: model.Access, Peer: c.target(x), Tag: c.window(x), Bytes: there * n,
		Back: back * n, Waits: back > 0, Slot: -1})
	return &c.acts[len(c.acts)-1]
}

// request gives an act a request, and returns its slot.
func (c *composer) request(a *model.Act) int32 {
	a.Slot = c.slots
	c.slots++
	return a.Slot
}

func (c *composer) flush(x *mpi.Call, target int32, done bool) {
	c.acts = append(c.acts, model.Act{Kind: model.Flush, Peer: target, Tag: c.window(x), Waits: done})
}
