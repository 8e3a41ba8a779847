package libmpi

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// window is memory for one-sided calls. Its space on the C heap lives until Close, because programs and Create use it.
type window struct {
	space *plugin.Space // nil after Close
	world *comm
	sizes []int64 // bytes on each process of its communicator
}

var (
	_ mpi.Window       = (*window)(nil)
	_ mpi.WindowHinter = (*engine)(nil)
)

// HintWindows implements mpi.WindowHinter. The info is never freed, because programs make windows again.
func (e *engine) HintWindows(hints []mpi.Hint) error {
	info, err := e.world.newInfo(hints)
	if err == nil {
		e.world.api.WindowHints(info)
	}
	return err
}

func (e *engine) NewWindow(c mpi.Comm, b mpi.Buffer) (mpi.Window, error) { return e.newWindow(c, b, 0) }

// Attach implements mpi.Attaching.
func (e *engine) Attach(c mpi.Comm, b mpi.Buffer) (mpi.Window, error) { return e.newWindow(c, b, 1) }

func (e *engine) newWindow(c mpi.Comm, b mpi.Buffer, dynamic int32) (mpi.Window, error) {
	made, err := alloc[plugin.Space](e.world.api, 1)
	if err != nil {
		return nil, fmt.Errorf("new window: %w", err)
	}
	w := &window{space: made, world: e.world}
	w.space.Window.Dynamic = dynamic
	if err := w.expose(c.(*comm), b, e.lib.Library == openMPI); err != nil {
		free(e.world.api, w.space)
		return nil, err
	}
	return w, nil
}

// expose makes the window on a buffer.
func (w *window) expose(c *comm, b mpi.Buffer, distinct bool) (err error) {
	win := &w.space.Window
	win.Handle, win.Comm = c.api.Constants.NoWindow, c.c.Comm
	if distinct {
		if win.Comm, err = c.distinct(); err != nil {
			return err
		}
	}
	if own, ok := b.(*buffer); ok && own != nil {
		win.Memory, win.Size = unsafe.Pointer(own.space.Base), own.Size()
	}
	if err := w.learnSizes(c); err != nil {
		return err
	}
	return w.Create()
}

// distinctColors is the number of colors that distinct distinguishes.
const distinctColors = 128

// distinct returns a copy of the communicator whose number in Open MPI differs between the colors of its split.
// Communicators without common processes get the same number, which Open MPI 4.1 uses to name the file that a window's
// processes on one host share. Each copy takes the next number.
func (c *comm) distinct() (plugin.Handle, error) {
	for len(c.copies) < c.color%distinctColors {
		made, err := c.create("MPI_Comm_dup", func(out *plugin.Comm) int32 { return c.api.Dup(c.c, out) })
		if err != nil {
			return 0, err
		}
		c.copies = append(c.copies, made.c)
	}
	if len(c.copies) == 0 {
		return c.c.Comm, nil
	}
	return c.copies[len(c.copies)-1].Comm, nil
}

// learnSizes gets the sizes of all processes' windows, because not all libraries check for accesses beyond a window.
// Open MPI writes there.
func (w *window) learnSizes(c mpi.Comm) error {
	all := make([]byte, 8*c.Size())
	mine := binary.NativeEndian.AppendUint64(nil, uint64(w.space.Window.Size))
	if err := c.Gather(mine, all, 0); err != nil {
		return err
	}
	if err := c.Bcast(all, 0); err != nil {
		return err
	}
	for ; len(all) > 0; all = all[8:] {
		w.sizes = append(w.sizes, int64(binary.NativeEndian.Uint64(all)))
	}
	w.space.Size = slices.Max(w.sizes)
	return nil
}

// Allocate makes the window first. The memory is another space, with its own walk.
func (e *engine) Allocate(c mpi.Comm, size int64) (mpi.Window, mpi.Buffer, error) {
	if size < 0 {
		return nil, nil, fmt.Errorf("allocate window: %d bytes", size)
	}
	made, err := alloc[plugin.Space](e.world.api, 2)
	if err != nil {
		return nil, nil, fmt.Errorf("allocate window: %w", err)
	}
	w := &window{space: made, world: e.world}
	win := &w.space.Window
	win.Handle, win.Comm, win.Size, win.Whole = e.world.api.Constants.NoWindow, c.(*comm).c.Comm, size, 1
	if e.lib.Library == openMPI {
		win.Comm, err = c.(*comm).distinct()
	}
	if err == nil {
		err = w.learnSizes(c)
	}
	if err == nil {
		err = w.world.do("MPI_Win_allocate", func() int32 { return w.world.api.WindowAllocate(win) })
	}
	if err != nil {
		free(e.world.api, w.space)
		return nil, nil, err
	}
	memory := (*plugin.Space)(unsafe.Add(unsafe.Pointer(made), unsafe.Sizeof(*made)))
	memory.Base, memory.Size = (*byte)(win.Memory), win.Size
	return w, &buffer{api: e.world.api, space: memory, lent: true}, nil
}

func (w *window) c() *plugin.Space { return w.space }
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
	case w.space.Window.Whole != 0:
		return errWhole
	}
	return nil
}

func (w *window) Create() error {
	if err := w.usable(); err != nil {
		return err
	}
	return w.world.do("MPI_Win_create", func() int32 { return w.world.api.WindowCreate(&w.space.Window) })
}

func (w *window) Free() error {
	if err := w.usable(); err != nil {
		return err
	}
	return w.world.do("MPI_Win_free", func() int32 { return w.world.api.WindowFree(&w.space.Window) })
}

func (w *window) Close() (err error) {
	if w.space == nil {
		return errClosed
	}
	if w.space.Window.Handle != w.world.api.Constants.NoWindow {
		err = w.world.do("MPI_Win_free", func() int32 { return w.world.api.WindowFree(&w.space.Window) })
	}
	free(w.world.api, w.space)
	w.space = nil
	return err
}

// checkWindow returns an error for a call that would make or free a window of Allocate.
func checkWindow(places []mpi.Place, c mpi.Call) error {
	if c.Op != mpi.WinCreate && c.Op != mpi.WinFree {
		return nil
	}
	return places[c.Recv.First].Space.(*window).usable()
}

// target checks the window's place of a one-sided call, because not all libraries check for accesses beyond the
// target's window. For calls on elements it fills in the count and type, which all their places share.
func (r *runner) target(out *plugin.Side, at mpi.Place, op mpi.Op) error {
	w := at.Space.(*window)
	size := w.sizes[at.Peer]
	if at.Offset > size-at.Extent() || (at.Step > 0 || at.Advance > 0) && size < w.Size() {
		return fmt.Errorf("%d bytes from %d, step %d, advance %d, of process %d's window of %d bytes", at.Extent(),
			at.Offset, at.Step, at.Advance, at.Peer, size)
	}
	switch op {
	case mpi.Put, mpi.Get, mpi.Rput, mpi.Rget:
		return nil // each place has its own type
	}
	return r.reducible(&out.Count, &out.Type, at)
}
