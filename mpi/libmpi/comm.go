//go:build mpi

package libmpi

/*
#include <stdlib.h>
#include "loop.h"

static int beff_undefined(void) { return MPI_UNDEFINED; }
static int beff_is_null(MPI_Comm c) { return c == MPI_COMM_NULL; }
static int beff_bcast(void *data, int n, int root, MPI_Comm c) { return MPI_Bcast(data, n, MPI_BYTE, root, c); }
static int beff_gather(void *send, void *recv, int n, int root, MPI_Comm c) {
	return MPI_Gather(send, n, MPI_BYTE, recv, n, MPI_BYTE, root, c);
}
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
	color      int          // its color in Split
	copies     []C.MPI_Comm // see apart
}

var _ mpi.Comm = (*comm)(nil)

func newComm(handle C.MPI_Comm) (*C.beff_comm, error) {
	c, err := alloc[C.beff_comm](1)
	if err != nil {
		return nil, fmt.Errorf("new communicator: %w", err)
	}
	c.comm = handle
	return c, nil
}

// check returns an error for a return code other than MPI_SUCCESS.
func (c *comm) check(call string, rc C.int) error {
	if rc == C.MPI_SUCCESS {
		return nil
	}
	return c.failed(call, rc)
}

// failed returns the error of a return code.
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

// count returns a length as the standard's int.
func count(call string, n int) (C.int, error) {
	if n > math.MaxInt32 {
		return 0, fmt.Errorf("%s: %d elements: %w", call, n, mpi.ErrOverflow)
	}
	return C.int(n), nil
}

// outside returns memory of the C heap for n values, and its view in Go. Libraries register the memory that they send
// from and receive into, and notice when the C library releases it. Go's memory may go and come without their
// knowledge.
func outside[T any](call string, n int) (*T, []T, error) {
	array, err := alloc[T](n)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", call, err)
	}
	return array, unsafe.Slice(array, n), nil
}

func (c *comm) Bcast(data []byte, root int) error {
	const call = "MPI_Bcast"
	n, err := count(call, len(data))
	if err != nil {
		return err
	}
	array, view, err := outside[byte](call, len(data))
	if err != nil {
		return err
	}
	defer free(array)
	copy(view, data)
	err = c.check(call, C.beff_bcast(unsafe.Pointer(array), n, C.int(root), c.c.comm))
	copy(data, view)
	return err
}

func (c *comm) Allreduce(values []float64, op mpi.Reduction) error {
	const call = "MPI_Allreduce"
	n, err := count(call, len(values))
	if err != nil {
		return err
	}
	if err := op.Validate(); err != nil {
		return fmt.Errorf("%s: %w", call, err)
	}
	array, view, err := outside[float64](call, len(values))
	if err != nil {
		return err
	}
	defer free(array)
	copy(view, values)
	err = c.check(call, C.beff_allreduce((*C.double)(array), n, C.int(op), c.c.comm))
	copy(values, view)
	return err
}

func (c *comm) Gather(send, recv []byte, root int) error {
	const call = "MPI_Gather"
	n, err := count(call, len(send))
	if err != nil {
		return err
	}
	if c.rank != root {
		recv = nil
	} else if len(recv) != c.size*len(send) {
		return fmt.Errorf("%s: %d bytes for %d times %d", call, len(recv), c.size, len(send))
	}
	array, view, err := outside[byte](call, len(send)+len(recv))
	if err != nil {
		return err
	}
	defer free(array)
	from, into := view[:len(send)], view[len(send):]
	copy(from, send)
	err = c.check(call, C.beff_gather(unsafe.Pointer(array), unsafe.Add(unsafe.Pointer(array), len(send)), n,
		C.int(root), c.c.comm))
	copy(recv, into)
	return err
}

// adopt returns a comm for a new handle, or nil for MPI_COMM_NULL.
func (c *comm) adopt(handle C.MPI_Comm) (mpi.Comm, error) {
	if C.beff_is_null(handle) != 0 {
		return nil, nil
	}
	made, err := newComm(handle)
	if err != nil {
		return nil, err
	}
	n := &comm{c: made, worldRank: c.worldRank}
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
	const call = "MPI_Cart_create"
	array, view, err := outside[C.int](call, 2*len(dims))
	if err != nil {
		return nil, err
	}
	defer free(array)
	shape, wrap := view[:len(dims)], view[len(dims):]
	for i, d := range dims {
		shape[i] = C.int(d)
		if periodic[i] {
			wrap[i] = 1
		}
	}
	var handle C.MPI_Comm
	second := (*C.int)(unsafe.Add(unsafe.Pointer(array), len(dims)*C.sizeof_int))
	rc := C.MPI_Cart_create(c.c.comm, C.int(len(dims)), array, second, 1, &handle)
	if err := c.check(call, rc); err != nil {
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
	free(c.c)
	return err
}
