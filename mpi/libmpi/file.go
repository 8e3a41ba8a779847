//go:build mpi

package libmpi

/*
#include <stdlib.h>
#include "calls.h"

static MPI_Info beff_no_info(void) { return MPI_INFO_NULL; }
static MPI_File beff_no_file(void) { return MPI_FILE_NULL; }
static int beff_exclusive(void) { return MPI_MODE_EXCL; }

// beff_mode returns the standard's mode. The array is in the order of mpi.FileMode.
static int beff_mode(unsigned mode) {
	const int modes[] = {MPI_MODE_RDONLY, MPI_MODE_RDWR, MPI_MODE_CREATE, MPI_MODE_EXCL, MPI_MODE_UNIQUE_OPEN,
	                     MPI_MODE_DELETE_ON_CLOSE};
	int flags = 0;
	for (int i = 0; i < 6; i++)
		if (mode & 1u << i) flags |= modes[i];
	return flags;
}

// beff_slots makes the type of one slot of each row of `slots` slots of `block` elements: a two-dimensional block
// array.
static int beff_slots(int slots, int slot, int block, MPI_Datatype etype, MPI_Datatype *type) {
	int sizes[] = {slots, block}, part[] = {1, block}, start[] = {slot, 0};
	int rc = MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, etype, type);
	return rc == MPI_SUCCESS ? MPI_Type_commit(type) : rc;
}

static int beff_set_view(MPI_File f, MPI_Offset start, int slots, int slot, int block, int bytes, MPI_Info info) {
	MPI_Datatype etype = bytes ? MPI_BYTE : MPI_DOUBLE, type = etype;
	if (slots > 1) {
		int rc = beff_slots(slots, slot, block, etype, &type);
		if (rc != MPI_SUCCESS) return rc;
	}
	int rc = MPI_File_set_view(f, start, etype, type, "native", info);
	if (slots > 1) MPI_Type_free(&type);
	return rc;
}
*/
import "C"

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
)

// element is the bytes of MPI_DOUBLE, the elementary type of views that aren't of bytes.
const element = 8

// file is an open file. It keeps the arguments that a program needs to open it again, until it is closed for good.
type file struct {
	space *C.beff_space
	world *comm
	unit  int64 // bytes of the view's elementary type, in which programs move data
}

var _ mpi.File = (*file)(nil)

func (e *engine) OpenFile(c mpi.Comm, path string, mode mpi.FileMode, hints []mpi.Hint) (mpi.File, error) {
	made, err := alloc[C.beff_space](1)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	f := &file{made, e.world, element}
	f.space.size = mpi.FileSize
	h := f.handle()
	h.handle, h.comm, h.path, h.mode = C.beff_no_file(), c.(*comm).c.comm, C.CString(path), C.beff_mode(C.uint(mode))
	if h.info, err = e.world.newInfo(hints); err == nil {
		if rc := C.beff_file_open(h); rc != C.MPI_SUCCESS {
			failed := e.world.failed("MPI_File_open", rc)
			failed.Text = path + ": " + failed.Text
			err = failed
		}
	}
	if err != nil {
		f.free()
		return nil, err
	}
	h.mode &^= C.beff_exclusive() // it exists when a program opens it again
	return f, nil
}

func (f *file) c() *C.beff_space     { return f.space }
func (f *file) handle() *C.beff_file { return &f.space.file }
func (f *file) Size() int64          { return mpi.FileSize }

func (f *file) Sync() error {
	return f.world.check("MPI_File_sync", C.MPI_File_sync(f.handle().handle))
}

func (f *file) Length() (int64, error) {
	var length C.MPI_Offset
	err := f.world.check("MPI_File_get_size", C.MPI_File_get_size(f.handle().handle, &length))
	return int64(length), err
}

func (f *file) Close() error {
	err := f.world.check("MPI_File_close", C.beff_file_close(f.handle()))
	f.free()
	return err
}

// free releases the C side.
func (f *file) free() {
	if h := f.handle(); h.info != C.beff_no_info() {
		C.MPI_Info_free(&h.info)
	}
	C.free(unsafe.Pointer(f.handle().path))
	free(f.space)
}

func (f *file) SetView(v mpi.View, hints []mpi.Hint) error {
	unit, bytes := int64(element), C.int(0)
	if v.OfBytes {
		unit, bytes = 1, 1
	}
	if v.Slots > 1 && v.Block < unit || v.Block%unit != 0 || v.Start%unit != 0 {
		return fmt.Errorf("view: from byte %d, blocks of %d bytes: want a multiple of %d", v.Start, v.Block, unit)
	}
	if v.Block/unit > math.MaxInt32 {
		return fmt.Errorf("view: blocks of %d bytes: %w", v.Block, mpi.ErrOverflow)
	}
	return f.world.withInfo(hints, func(info C.MPI_Info) error {
		rc := C.beff_set_view(f.handle().handle, C.MPI_Offset(v.Start), C.int(v.Slots), C.int(v.Slot),
			C.int(v.Block/unit), bytes, info)
		if rc == C.MPI_SUCCESS {
			f.unit, f.handle().etype = unit, C.int(unit)
		}
		return f.world.check("MPI_File_set_view", rc)
	})
}

func (f *file) SetHints(hints []mpi.Hint) error {
	return f.world.withInfo(hints, func(info C.MPI_Info) error {
		return f.world.check("MPI_File_set_info", C.MPI_File_set_info(f.handle().handle, info))
	})
}

func (f *file) Hints() ([]mpi.Hint, error) {
	var info C.MPI_Info
	if err := f.world.check("MPI_File_get_info", C.MPI_File_get_info(f.handle().handle, &info)); err != nil {
		return nil, err
	}
	if info == C.beff_no_info() {
		return nil, nil
	}
	defer C.MPI_Info_free(&info)
	var n C.int
	if err := f.world.check("MPI_Info_get_nkeys", C.MPI_Info_get_nkeys(info, &n)); err != nil {
		return nil, err
	}
	hints := make([]mpi.Hint, n)
	for i := range hints {
		var err error
		if hints[i], err = f.world.hint(info, C.int(i)); err != nil {
			return nil, err
		}
	}
	return hints, nil
}

// hint returns the n-th key of info and its value.
func (c *comm) hint(info C.MPI_Info, n C.int) (mpi.Hint, error) {
	var key [C.MPI_MAX_INFO_KEY + 1]C.char
	if err := c.check("MPI_Info_get_nthkey", C.MPI_Info_get_nthkey(info, n, &key[0])); err != nil {
		return mpi.Hint{}, err
	}
	var length, found C.int
	if err := c.check("MPI_Info_get_valuelen", C.MPI_Info_get_valuelen(info, &key[0], &length, &found)); err != nil {
		return mpi.Hint{}, err
	}
	value := make([]C.char, length+1)
	if err := c.check("MPI_Info_get", C.MPI_Info_get(info, &key[0], length, &value[0], &found)); err != nil {
		return mpi.Hint{}, err
	}
	return mpi.Hint{Key: C.GoString(&key[0]), Value: C.GoString(&value[0])}, nil
}

// withInfo calls use with an MPI_Info of the hints, or MPI_INFO_NULL if there are none.
func (c *comm) withInfo(hints []mpi.Hint, use func(C.MPI_Info) error) error {
	info, err := c.newInfo(hints)
	if err != nil {
		return err
	}
	if info != C.beff_no_info() {
		defer C.MPI_Info_free(&info)
	}
	return use(info)
}

// newInfo returns an MPI_Info of the hints, or MPI_INFO_NULL if there are none.
func (c *comm) newInfo(hints []mpi.Hint) (C.MPI_Info, error) {
	info := C.beff_no_info()
	if len(hints) == 0 {
		return info, nil
	}
	if err := c.check("MPI_Info_create", C.MPI_Info_create(&info)); err != nil {
		return C.beff_no_info(), err
	}
	for _, h := range hints {
		if err := c.setHint(info, h); err != nil {
			C.MPI_Info_free(&info)
			return C.beff_no_info(), err
		}
	}
	return info, nil
}

func (c *comm) setHint(info C.MPI_Info, h mpi.Hint) error {
	key, value := C.CString(h.Key), C.CString(h.Value)
	defer C.free(unsafe.Pointer(key))
	defer C.free(unsafe.Pointer(value))
	if err := c.check("MPI_Info_set", C.MPI_Info_set(info, key, value)); err != nil {
		return fmt.Errorf("hint %q: %w", h.Key, err)
	}
	return nil
}

// checkFile returns an error if a call doesn't move whole elements of a file's view.
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
