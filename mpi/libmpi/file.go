//go:build mpi

package libmpi

/*
#include <stdlib.h>
#include "loop.h"

static MPI_Info beff_no_info(void) { return MPI_INFO_NULL; }

// The mode of the standard: the names of mpi.FileMode in order.
static int beff_mode(unsigned mode) {
	const int modes[] = {MPI_MODE_RDONLY, MPI_MODE_RDWR, MPI_MODE_CREATE, MPI_MODE_EXCL, MPI_MODE_UNIQUE_OPEN, MPI_MODE_DELETE_ON_CLOSE};
	int flags = 0;
	for (int i = 0; i < 6; i++)
		if (mode & 1u << i) flags |= modes[i];
	return flags;
}

// The slot of each row of `slots` slots of `block` elements: a two-dimensional block array.
static int beff_slots(int slots, int slot, int block, MPI_Datatype *type) {
	int sizes[] = {slots, block}, part[] = {1, block}, start[] = {slot, 0};
	int rc = MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_DOUBLE, type);
	return rc == MPI_SUCCESS ? MPI_Type_commit(type) : rc;
}

static int beff_set_view(MPI_File f, MPI_Offset start, int slots, int slot, int block, MPI_Info info) {
	MPI_Datatype type = MPI_DOUBLE;
	if (slots > 1) {
		int rc = beff_slots(slots, slot, block, &type);
		if (rc != MPI_SUCCESS) return rc;
	}
	int rc = MPI_File_set_view(f, start, MPI_DOUBLE, type, "native", info);
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

// element is the size of the elementary type of views, MPI_DOUBLE.
const element = 8

// file is an open file. Until a view is set, its elementary type is MPI_BYTE.
type file struct {
	space *C.beff_space
	world *comm
}

var _ mpi.File = (*file)(nil)

func (e *engine) OpenFile(c mpi.Comm, path string, mode mpi.FileMode, hints []mpi.Hint) (mpi.File, error) {
	f := &file{(*C.beff_space)(C.calloc(1, C.sizeof_beff_space)), e.world}
	f.space.size, f.space.etype = mpi.FileSize, 1
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	err := e.world.withInfo(hints, func(info C.MPI_Info) error {
		rc := C.MPI_File_open(c.(*comm).c.comm, name, C.beff_mode(C.uint(mode)), info, &f.space.file)
		if rc == C.MPI_SUCCESS {
			return nil
		}
		err := e.world.failed("MPI_File_open", rc)
		err.Text = path + ": " + err.Text
		return err
	})
	if err != nil {
		C.free(unsafe.Pointer(f.space))
		return nil, err
	}
	return f, nil
}

func (f *file) c() *C.beff_space { return f.space }
func (f *file) Size() int64      { return mpi.FileSize }
func (f *file) Sync() error      { return f.world.check("MPI_File_sync", C.MPI_File_sync(f.space.file)) }

func (f *file) Length() (int64, error) {
	var length C.MPI_Offset
	err := f.world.check("MPI_File_get_size", C.MPI_File_get_size(f.space.file, &length))
	return int64(length), err
}

func (f *file) Close() error {
	err := f.world.check("MPI_File_close", C.MPI_File_close(&f.space.file))
	C.free(unsafe.Pointer(f.space))
	return err
}

func (f *file) SetView(v mpi.View, hints []mpi.Hint) error {
	if v.Slots > 1 && (v.Block < element || v.Block/element > math.MaxInt32) || v.Block%element != 0 || v.Start%element != 0 {
		return fmt.Errorf("view: from byte %d, blocks of %d bytes: want a multiple of %d that an int counts", v.Start, v.Block, element)
	}
	return f.world.withInfo(hints, func(info C.MPI_Info) error {
		rc := C.beff_set_view(f.space.file, C.MPI_Offset(v.Start), C.int(v.Slots), C.int(v.Slot), C.int(v.Block/element), info)
		if rc == C.MPI_SUCCESS {
			f.space.etype = element
		}
		return f.world.check("MPI_File_set_view", rc)
	})
}

func (f *file) SetHints(hints []mpi.Hint) error {
	return f.world.withInfo(hints, func(info C.MPI_Info) error {
		return f.world.check("MPI_File_set_info", C.MPI_File_set_info(f.space.file, info))
	})
}

func (f *file) Hints() ([]mpi.Hint, error) {
	var info C.MPI_Info
	if err := f.world.check("MPI_File_get_info", C.MPI_File_get_info(f.space.file, &info)); err != nil {
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

// hint is the n-th key of info and its value.
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

// withInfo calls use with an MPI_Info of the hints, MPI_INFO_NULL for none.
func (c *comm) withInfo(hints []mpi.Hint, use func(C.MPI_Info) error) error {
	info := C.beff_no_info()
	if len(hints) == 0 {
		return use(info)
	}
	if err := c.check("MPI_Info_create", C.MPI_Info_create(&info)); err != nil {
		return err
	}
	defer C.MPI_Info_free(&info)
	for _, h := range hints {
		if err := c.setHint(info, h); err != nil {
			return err
		}
	}
	return use(info)
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

// isRead says whether op moves data from a file to memory.
func isRead(op mpi.Op) bool { return op >= mpi.FileReadAt && op <= mpi.FileIreadShared }

// explicit are the calls that say where in the file they start.
var explicit = map[mpi.Op]bool{
	mpi.FileWriteAt: true, mpi.FileWriteAtAll: true, mpi.FileIwriteAt: true,
	mpi.FileReadAt: true, mpi.FileReadAtAll: true, mpi.FileIreadAt: true,
}

// checkFile refuses what isn't made of whole elements.
func checkFile(places []mpi.Place, c mpi.Call) error {
	for _, s := range []mpi.Span{c.Send, c.Recv} {
		for _, p := range places[s.First : s.First+s.Count] {
			if _, ok := p.Space.(*file); !ok || c.Op == mpi.Walk {
				continue
			}
			if p.Length%element != 0 || explicit[c.Op] && (p.Offset%element != 0 || p.Step%element != 0) {
				return fmt.Errorf("compile: %v of %d bytes at %d, step %d: want multiples of %d", c.Op, p.Length, p.Offset, p.Step, element)
			}
		}
	}
	return nil
}
