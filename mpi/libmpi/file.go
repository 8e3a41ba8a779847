package libmpi

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// element is the size in bytes of MPI_DOUBLE, the elementary type of views that aren't of bytes.
const element = 8

// file is an open file, with the arguments by which programs open it again.
type file struct {
	space *plugin.Space
	world *comm
	path  string
	unit  int64 // bytes of the view's elementary type; programs move multiples of it
}

var _ mpi.File = (*file)(nil)

func (e *engine) OpenFile(c mpi.Comm, path string, mode mpi.FileMode, hints []mpi.Hint) (mpi.File, error) {
	if !e.Supports(mpi.FileOpen) {
		return nil, &mpi.UnsupportedError{Engine: e.lib.Engine, Op: mpi.FileOpen}
	}
	made, err := alloc[plugin.Space](e.world.api, 1)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	f := &file{made, e.world, path, element}
	f.space.Size = mpi.FileSize
	h := f.handle()
	h.Handle, h.Comm, h.Mode = e.world.api.Constants.NoFile, c.(*comm).c.Comm, f.mode(mode)
	h.Info = e.world.api.Constants.NoInfo
	if h.Path, err = e.world.text(path); err == nil {
		h.Info, err = e.world.newInfo(hints)
	}
	if err == nil {
		err = f.do("MPI_File_open", func() int32 { return e.world.api.FileOpen(h) })
	}
	if err != nil {
		f.free()
		return nil, err
	}
	h.Mode &^= f.mode(mpi.Exclusive) // the file exists when a program opens it again
	return f, nil
}

func (f *file) c() *plugin.Space     { return f.space }
func (f *file) handle() *plugin.File { return &f.space.File }
func (f *file) Size() int64          { return mpi.FileSize }

// mode returns the standard's mode.
func (f *file) mode(mode mpi.FileMode) int32 {
	flags := int32(0)
	for i, flag := range f.world.api.Constants.Modes {
		if mode&(1<<i) != 0 {
			flags |= flag
		}
	}
	return flags
}

// text returns a C string on the C heap.
func (c *comm) text(text string) (*byte, error) {
	array, err := alloc[byte](c.api, len(text)+1)
	if err == nil {
		copy(unsafe.Slice(array, len(text)), text)
	}
	return array, err
}

// do makes a call of the library on the file.
func (f *file) do(call string, of func() int32) error {
	return f.world.doOn(f.path, call, of)
}

func (f *file) Truncate() error {
	return f.do("MPI_File_set_size", func() int32 { return f.world.api.FileTruncate(f.handle()) })
}

func (f *file) Sync() error {
	return f.do("MPI_File_sync", func() int32 { return f.world.api.FileSync(f.handle()) })
}

func (f *file) Length() (int64, error) {
	length := int64(0)
	err := f.do("MPI_File_get_size", func() int32 { return f.world.api.FileLength(f.handle(), &length) })
	return length, err
}

func (f *file) Close() error {
	err := f.do("MPI_File_close", func() int32 { return f.world.api.FileClose(f.handle()) })
	f.free()
	return err
}

// free releases the file's memory on the C heap.
func (f *file) free() {
	f.world.freeInfo(f.handle().Info)
	free(f.world.api, f.handle().Path)
	free(f.world.api, f.space)
}

func (f *file) SetView(v mpi.View, hints []mpi.Hint) error {
	unit, bytes := int64(element), int32(0)
	if v.OfBytes {
		unit, bytes = 1, 1
	}
	if v.Slots > 1 && v.Block < unit || v.Block%unit != 0 || v.Start%unit != 0 {
		return fmt.Errorf("view: from byte %d, blocks of %d bytes: want a multiple of %d", v.Start, v.Block, unit)
	}
	if v.Block/unit > math.MaxInt32 {
		return fmt.Errorf("view: blocks of %d bytes: %w", v.Block, mpi.ErrOverflow)
	}
	info, err := f.world.newInfo(hints)
	if err != nil {
		return err
	}
	defer f.world.freeInfo(info)
	err = f.do("MPI_File_set_view", func() int32 {
		return f.world.api.FileView(f.handle(), v.Start, int32(v.Slots), int32(v.Slot), int32(v.Block/unit), bytes,
			info)
	})
	if err == nil {
		f.unit, f.handle().Etype = unit, int32(unit)
	}
	return err
}

func (f *file) Hints() ([]mpi.Hint, error) {
	info := f.world.api.Constants.NoInfo
	if err := f.world.check("MPI_File_get_info", f.world.api.FileInfo(f.handle(), &info)); err != nil {
		return nil, err
	}
	return f.world.hintsOf(info)
}

// hintsOf returns the keys and values of an MPI_Info, and frees it.
func (c *comm) hintsOf(info plugin.Handle) ([]mpi.Hint, error) {
	if info == c.api.Constants.NoInfo {
		return nil, nil
	}
	defer c.freeInfo(info)
	n := int32(0)
	if err := c.check("MPI_Info_get_nkeys", c.api.InfoSize(info, &n)); err != nil {
		return nil, err
	}
	hints := make([]mpi.Hint, n)
	for i := range hints {
		var hint plugin.Hint
		if err := c.check("MPI_Info_get", c.api.InfoGet(info, int32(i), &hint)); err != nil {
			return nil, err
		}
		hints[i] = mpi.Hint{Key: goText(hint.Key[:]), Value: goText(hint.Value[:])}
	}
	return hints, nil
}

// newInfo returns an MPI_Info of the hints, or MPI_INFO_NULL if there are none.
func (c *comm) newInfo(hints []mpi.Hint) (plugin.Handle, error) {
	info := c.api.Constants.NoInfo
	if len(hints) == 0 {
		return info, nil
	}
	if err := c.check("MPI_Info_create", c.api.InfoCreate(&info)); err != nil {
		return c.api.Constants.NoInfo, err
	}
	for _, h := range hints {
		if err := c.check("MPI_Info_set", c.api.InfoSet(info, h.Key, h.Value)); err != nil {
			c.freeInfo(info)
			return c.api.Constants.NoInfo, fmt.Errorf("hint %q: %w", h.Key, err)
		}
	}
	return info, nil
}

// freeInfo frees an MPI_Info unless it is MPI_INFO_NULL.
func (c *comm) freeInfo(info plugin.Handle) {
	if info != c.api.Constants.NoInfo {
		c.api.InfoFree(info)
	}
}

// checkFile returns an error unless a call moves whole elements of a file's view.
func checkFile(places []mpi.Place, c mpi.Call) error {
	for _, s := range []mpi.Span{c.Send, c.Recv} {
		for _, p := range places[s.First : s.First+s.Count] {
			f, ok := p.Space.(*file)
			if !ok || c.Op == mpi.Walk {
				continue
			}
			if p.Length%f.unit != 0 || c.Op.Explicit() && (p.Offset%f.unit|p.Step%f.unit|p.Advance%f.unit) != 0 {
				return fmt.Errorf("compile: %v of %d bytes at %d, step %d, advance %d: want multiples of %d", c.Op,
					p.Length, p.Offset, p.Step, p.Advance, f.unit)
			}
		}
	}
	return nil
}
