//go:build mpi

package libmpi

/*
#include <stdlib.h>
#include "loop.h"

static int beff_undefined(void) { return MPI_UNDEFINED; }
static int beff_is_null(MPI_Comm c) { return c == MPI_COMM_NULL; }
static int beff_bcast(void *data, int n, int root, MPI_Comm c) { return MPI_Bcast(data, n, MPI_BYTE, root, c); }
static int beff_gather(void *send, void *recv, int n, int root, MPI_Comm c) { return MPI_Gather(send, n, MPI_BYTE, recv, n, MPI_BYTE, root, c); }
static int beff_allreduce(double *values, int n, int op, MPI_Comm c) {
	const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN};
	return MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, ops[op], c);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
)

// comm is a communicator.
type comm struct {
	c          *C.beff_comm
	rank, size int
	worldRank  int
	world      bool
	color      int          // that it was split by
	copies     []C.MPI_Comm // see apart
}

var _ mpi.Comm = (*comm)(nil)

func newComm(handle C.MPI_Comm) *C.beff_comm {
	c := (*C.beff_comm)(C.calloc(1, C.sizeof_beff_comm))
	c.comm = handle
	return c
}

// check makes an error of a return code that isn't MPI_SUCCESS.
func (c *comm) check(call string, rc C.int) error {
	if rc == C.MPI_SUCCESS {
		return nil
	}
	return c.failed(call, rc)
}

// failed is the error of a return code.
func (c *comm) failed(call string, rc C.int) *mpi.Error {
	var class, n C.int
	var text [C.MPI_MAX_ERROR_STRING + 1]C.char
	C.MPI_Error_class(rc, &class)
	C.MPI_Error_string(rc, &text[0], &n)
	// MPICH writes several lines.
	return &mpi.Error{Call: call, Rank: c.worldRank, Class: int(class),
		Text: strings.Join(strings.Fields(C.GoStringN(&text[0], n)), " ")}
}

func (c *comm) Rank() int      { return c.rank }
func (c *comm) Size() int      { return c.size }
func (c *comm) Barrier() error { return c.check("MPI_Barrier", C.MPI_Barrier(c.c.comm)) }

// count is a length as the standard's int.
func count(call string, n int) (C.int, error) {
	if n > math.MaxInt32 {
		return 0, fmt.Errorf("%s: %d elements: %w", call, n, mpi.ErrOverflow)
	}
	return C.int(n), nil
}

func (c *comm) Bcast(data []byte, root int) error {
	n, err := count("MPI_Bcast", len(data))
	if err != nil {
		return err
	}
	return c.check("MPI_Bcast", C.beff_bcast(unsafe.Pointer(unsafe.SliceData(data)), n, C.int(root), c.c.comm))
}

func (c *comm) Allreduce(values []float64, op mpi.Reduction) error {
	n, err := count("MPI_Allreduce", len(values))
	if err != nil {
		return err
	}
	return c.check("MPI_Allreduce", C.beff_allreduce((*C.double)(unsafe.SliceData(values)), n, C.int(op), c.c.comm))
}

func (c *comm) Gather(send, recv []byte, root int) error {
	n, err := count("MPI_Gather", len(send))
	if err != nil {
		return err
	}
	if c.rank == root && len(recv) != c.size*len(send) {
		return fmt.Errorf("MPI_Gather: %d bytes for %d times %d", len(recv), c.size, len(send))
	}
	return c.check("MPI_Gather", C.beff_gather(unsafe.Pointer(unsafe.SliceData(send)),
		unsafe.Pointer(unsafe.SliceData(recv)), n, C.int(root), c.c.comm))
}

// adopt makes a comm of a new handle; nil for MPI_COMM_NULL.
func (c *comm) adopt(handle C.MPI_Comm) (mpi.Comm, error) {
	if C.beff_is_null(handle) != 0 {
		return nil, nil
	}
	n := &comm{c: newComm(handle), worldRank: c.worldRank}
	var rank, size C.int
	if err := c.check("MPI_Comm_rank", C.MPI_Comm_rank(handle, &rank)); err != nil {
		return nil, err
	}
	if err := c.check("MPI_Comm_size", C.MPI_Comm_size(handle, &size)); err != nil {
		return nil, err
	}
	n.rank, n.size, n.c.rank = int(rank), int(size), rank
	return n, nil
}

func (c *comm) Split(color, key int) (mpi.Comm, error) {
	var handle C.MPI_Comm
	kind := C.int(color)
	if color < 0 {
		kind = C.beff_undefined()
	}
	if err := c.check("MPI_Comm_split", C.MPI_Comm_split(c.c.comm, kind, C.int(key), &handle)); err != nil {
		return nil, err
	}
	made, err := c.adopt(handle)
	if n, ok := made.(*comm); ok {
		n.color = color
	}
	return made, err
}

func (c *comm) Cart(dims []int, periodic []bool) (mpi.Comm, error) {
	shape, wrap := make([]C.int, len(dims)), make([]C.int, len(dims))
	for i, d := range dims {
		shape[i] = C.int(d)
		if periodic[i] {
			wrap[i] = 1
		}
	}
	var handle C.MPI_Comm
	rc := C.MPI_Cart_create(c.c.comm, C.int(len(dims)), unsafe.SliceData(shape), unsafe.SliceData(wrap), 1, &handle)
	if err := c.check("MPI_Cart_create", rc); err != nil {
		return nil, err
	}
	return c.adopt(handle)
}

func (c *comm) Free() error {
	if c.world {
		return nil
	}
	err := c.check("MPI_Comm_free", C.MPI_Comm_free(&c.c.comm))
	for i := range c.copies {
		err = errors.Join(err, c.check("MPI_Comm_free", C.MPI_Comm_free(&c.copies[i])))
	}
	C.free(unsafe.Pointer(c.c))
	return err
}
