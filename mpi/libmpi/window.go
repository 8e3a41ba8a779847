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

// window is memory for one-sided calls. Its space is on the C heap and lives until Close, because programs and Create
// use it.
type window struct {
	space     *plugin.Space // nil after Close
	world     *comm
	sizes     []int64 // bytes on each process of its communicator
	allocated bool    // the library allocated the memory with the window (MPI_Win_allocate)
}

var (
	_ mpi.Window       = (*window)(nil)
	_ mpi.WindowHinter = (*engine)(nil)
)

// HintWindows implements mpi.WindowHinter. The info is never freed, because programs may make windows until the end.
func (e *engine) HintWindows(hints []mpi.Hint) error {
	info, err := e.world.newInfo(hints)
	if err == nil {
		e.world.api.WindowHints(info)
	}
	return err
}

// NewWindow implements mpi.Windows by MPI_Win_create.
func (e *engine) NewWindow(c mpi.Comm, b mpi.Buffer) (mpi.Window, error) { return e.newWindow(c, b, 0) }

// Attach implements mpi.Attaching by MPI_Win_create_dynamic and MPI_Win_attach.
func (e *engine) Attach(c mpi.Comm, b mpi.Buffer) (mpi.Window, error) { return e.newWindow(c, b, 1) }

// newWindow makes a window on b, which may be nil on a process without memory in the window. The window is a dynamic
// one if dynamic is 1 instead of 0.
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

// expose makes the window on a buffer, which may be nil. It is collective over c. If distinct is true, it uses a
// communicator whose number differs from the numbers of the other colors' communicators (comm.distinct).
func (w *window) expose(c *comm, b mpi.Buffer, distinct bool) (err error) {
	win := &w.space.Window
	win.Handle, win.Comm = c.api.Constants.NoWindow, c.c.Comm
	if distinct {
		if win.Comm, err = c.distinct(); err != nil {
			return err
		}
	}
	if own, ok := b.(space); ok {
		win.Memory, win.Size = unsafe.Pointer(own.c().Base), b.Size()
	}
	if err := w.learnSizes(c); err != nil {
		return err
	}
	return w.Create()
}

// distinctColors is the number of colors that comm.distinct distinguishes.
const distinctColors = 128

// distinct returns a duplicate of the communicator with a number in Open MPI that the other colors of its
// MPI_Comm_split don't have. Open MPI gives communicators without common processes the same number, and uses the number
// in the name of the file that a window's processes on one host share (4.1). Each duplicate takes the next number. The
// method is collective.
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

// learnSizes sets the sizes of the window on all processes, because not all libraries check for accesses beyond a
// window. Open MPI writes there. It is collective over c.
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

// Allocate implements mpi.Windows by MPI_Win_allocate. The memory of the window is a second space on the C heap,
// because places in memory walk independently of places in the window.
func (e *engine) Allocate(c mpi.Comm, size int64) (mpi.Window, mpi.Buffer, error) {
	if size < 0 {
		return nil, nil, fmt.Errorf("allocate window: %d bytes", size)
	}
	made, err := alloc[plugin.Space](e.world.api, 2)
	if err != nil {
		return nil, nil, fmt.Errorf("allocate window: %w", err)
	}
	w := &window{space: made, world: e.world, allocated: true}
	win := &w.space.Window
	win.Handle, win.Comm, win.Size = e.world.api.Constants.NoWindow, c.(*comm).c.Comm, size
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
	errClosed    = errors.New("the window is closed")
	errAllocated = errors.New("the window came with its memory and exists until it is closed")
)

// recreatable returns an error if the window is closed, or is a window of Allocate, which can't be freed and made
// again.
func (w *window) recreatable() error {
	switch {
	case w.space == nil:
		return errClosed
	case w.allocated:
		return errAllocated
	}
	return nil
}

func (w *window) Create() error {
	if err := w.recreatable(); err != nil {
		return err
	}
	return w.world.do("MPI_Win_create", func() int32 { return w.world.api.WindowCreate(&w.space.Window) })
}

func (w *window) Free() error {
	if err := w.recreatable(); err != nil {
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

// checkWindow returns an error for a call of a program that would make or free a window which Allocate has made.
func checkWindow(places []mpi.Place, c mpi.Call) error {
	if c.Op != mpi.WinCreate && c.Op != mpi.WinFree {
		return nil
	}
	return places[c.Recv.First].Space.(*window).recreatable()
}

// checkTarget returns an error if a one-sided call would access memory beyond the target's window, because not all
// libraries check that. For calls that reduce elements, it sets the count and type of out, which all places share.
func (r *runner) checkTarget(out *plugin.Side, at mpi.Place, op mpi.Op) error {
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
