package sim

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// comm is a communicator in which this process has rank 0. All others pass the same data as this one.
type comm struct {
	e    *Engine
	size int
}

var _ mpi.Comm = (*comm)(nil)

func (c *comm) Rank() int               { return 0 }
func (c *comm) Size() int               { return c.size }
func (c *comm) Barrier() error          { return c.e.err() }
func (c *comm) Free() error             { return c.e.err() }
func (c *comm) Bcast([]byte, int) error { return c.e.err() }

// Allreduce implements mpi.Comm.
func (c *comm) Allreduce(values []float64, op mpi.Reduction) error {
	if op == mpi.Sum {
		for i := range values {
			values[i] *= float64(c.size)
		}
	}
	return c.e.err()
}

// Gather implements mpi.Comm.
func (c *comm) Gather(send, recv []byte, root int) error {
	if root != 0 {
		return c.e.err()
	}
	if len(recv) != c.size*len(send) {
		return fmt.Errorf("gather: %d bytes for %d times %d", len(recv), c.size, len(send))
	}
	for rank := range c.size {
		copy(recv[rank*len(send):], send)
	}
	return c.e.err()
}

// Split implements mpi.Comm.
func (c *comm) Split(color, _ int) (mpi.Comm, error) {
	if color < 0 {
		return nil, c.e.err()
	}
	return &comm{c.e, c.size}, c.e.err()
}

// Cart implements mpi.Comm. Nothing is reordered.
func (c *comm) Cart(dims []int, periodic []bool) (mpi.Comm, error) {
	size := 1
	for _, d := range dims {
		size *= d
	}
	if size < 1 || size > c.size || len(periodic) != len(dims) {
		return nil, fmt.Errorf("cart: %v, periodic %v, of %d processes", dims, periodic, c.size)
	}
	return &comm{c.e, size}, c.e.err()
}
