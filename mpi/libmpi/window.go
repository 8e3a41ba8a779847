//go:build mpi

package libmpi

/*
#include <stdlib.h>
#include "calls.h"

static MPI_Win beff_no_window(void) { return MPI_WIN_NULL; }
*/
import "C"

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
)

// window is memory for one-sided calls. Programs and a later Create need its C side, until Close.
type window struct {
	space *C.beff_space // nil: closed
	world *comm
	sizes []int64 // bytes, of all processes of its communicator
}

var _ mpi.Window = (*window)(nil)

func (e *engine) NewWindow(c mpi.Comm, b mpi.Buffer) (mpi.Window, error) {
	made, err := alloc[C.beff_space](1)
	if err != nil {
		return nil, fmt.Errorf("new window: %w", err)
	}
	w := &window{space: made, world: e.world}
	if err := w.expose(c.(*comm), b, e.lib.Library == openMPI); err != nil {
		free(w.space)
		return nil, err
	}
	return w, nil
}

// expose makes the window of a buffer.
func (w *window) expose(c *comm, b mpi.Buffer, apart bool) (err error) {
	win := &w.space.window
	win.handle, win.comm = C.beff_no_window(), c.c.comm
	if apart {
		if win.comm, err = c.apart(); err != nil {
			return err
		}
	}
	if own, ok := b.(*buffer); ok && own != nil {
		win.memory, win.size = unsafe.Pointer(own.space.base), C.MPI_Aint(own.Size())
	}
	if err := w.learnSizes(c); err != nil {
		return err
	}
	return w.Create()
}

// mostApart is the number of groups of one host that apart keeps apart.
const mostApart = 128

// apart returns a copy of the communicator whose number in Open MPI differs from those of the other colors of its
// split. Communicators without common processes get the same number, and Open MPI 4.1 names by it the file that a
// window's processes on one host share. Each copy takes the next number.
func (c *comm) apart() (C.MPI_Comm, error) {
	for len(c.copies) < c.color%mostApart {
		var made C.MPI_Comm
		if err := c.check("MPI_Comm_dup", C.MPI_Comm_dup(c.c.comm, &made)); err != nil {
			return made, err
		}
		c.copies = append(c.copies, made)
	}
	if len(c.copies) == 0 {
		return c.c.comm, nil
	}
	return c.copies[len(c.copies)-1], nil
}

// learnSizes asks all processes for the sizes of their windows. Not all libraries notice an access beyond a window:
// Open MPI writes there.
func (w *window) learnSizes(c mpi.Comm) error {
	all := make([]byte, 8*c.Size())
	mine := binary.NativeEndian.AppendUint64(nil, uint64(w.space.window.size))
	if err := c.Gather(mine, all, 0); err != nil {
		return err
	}
	if err := c.Bcast(all, 0); err != nil {
		return err
	}
	for ; len(all) > 0; all = all[8:] {
		w.sizes = append(w.sizes, int64(binary.NativeEndian.Uint64(all)))
	}
	w.space.size = C.int64_t(slices.Max(w.sizes))
	return nil
}

// Allocate makes the window first. Its memory is a space of its own, so that it walks apart from the window.
func (e *engine) Allocate(c mpi.Comm, size int64) (mpi.Window, mpi.Buffer, error) {
	if size < 0 {
		return nil, nil, fmt.Errorf("allocate window: %d bytes", size)
	}
	made, err := alloc[C.beff_space](2)
	if err != nil {
		return nil, nil, fmt.Errorf("allocate window: %w", err)
	}
	w := &window{space: made, world: e.world}
	win := &w.space.window
	win.handle, win.comm, win.size, win.whole = C.beff_no_window(), c.(*comm).c.comm, C.MPI_Aint(size), 1
	if e.lib.Library == openMPI {
		win.comm, err = c.(*comm).apart()
	}
	if err == nil {
		err = w.learnSizes(c)
	}
	if err == nil {
		err = w.world.check("MPI_Win_allocate", C.beff_window_allocate(win))
	}
	if err != nil {
		free(w.space)
		return nil, nil, err
	}
	memory := (*C.beff_space)(unsafe.Add(unsafe.Pointer(made), C.sizeof_beff_space))
	memory.base, memory.size = (*C.char)(win.memory), win.size
	return w, &buffer{space: memory, lent: true}, nil
}

func (w *window) c() *C.beff_space { return w.space }
func (w *window) Size() int64      { return slices.Max(w.sizes) }

var (
	errClosed = errors.New("the window is closed")
	errWhole  = errors.New("the window came with its memory and exists until it is closed")
)

// usable returns an error if the window can't be made or freed now.
func (w *window) usable() error {
	switch {
	case w.space == nil:
		return errClosed
	case w.space.window.whole != 0:
		return errWhole
	}
	return nil
}

func (w *window) Create() error {
	if err := w.usable(); err != nil {
		return err
	}
	return w.world.check("MPI_Win_create", C.beff_window_create(&w.space.window))
}

func (w *window) Free() error {
	if err := w.usable(); err != nil {
		return err
	}
	return w.world.check("MPI_Win_free", C.beff_window_free(&w.space.window))
}

func (w *window) Close() (err error) {
	if w.space == nil {
		return errClosed
	}
	if w.space.window.handle != C.beff_no_window() {
		err = w.world.check("MPI_Win_free", C.beff_window_free(&w.space.window))
	}
	free(w.space)
	w.space = nil
	return err
}

// checkWindow refuses to make or free a window that came with its memory.
func checkWindow(places []mpi.Place, c mpi.Call) error {
	if c.Op != mpi.WinCreate && c.Op != mpi.WinFree {
		return nil
	}
	return places[c.Recv.First].Space.(*window).usable()
}

// target checks the window's place of a one-sided call: libraries don't all notice an access beyond the target's
// window. For calls on elements it fills in the count and type that all their places share.
func (r *runner) target(out *C.beff_side, at mpi.Place, op mpi.Op) error {
	w := at.Space.(*window)
	size := w.sizes[at.Peer]
	if at.Offset > size-at.Extent() || (at.Step > 0 || at.Advance > 0) && size < w.Size() {
		return fmt.Errorf("%d bytes from %d, step %d, advance %d, of process %d's window of %d bytes", at.Extent(),
			at.Offset, at.Step, at.Advance, at.Peer, size)
	}
	switch op {
	case mpi.Put, mpi.Get, mpi.Rput, mpi.Rget:
		return nil // each side has its own type
	}
	return reducible(&out.count, &out._type, at)
}
