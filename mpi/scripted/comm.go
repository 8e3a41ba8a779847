package scripted

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// comm is a communicator in which this process has rank 0.
type comm struct {
	s    *Engine
	size int
}

var _ mpi.Comm = (*comm)(nil)

func (c *comm) Rank() int      { return 0 }
func (c *comm) Size() int      { return c.size }
func (c *comm) Barrier() error { return c.s.err() }

func (c *comm) Free() error {
	c.s.left--
	return c.s.err()
}

func (c *comm) Bcast([]byte, int) error { return c.s.err() }

func (c *comm) Allreduce(values []float64, op mpi.Reduction) error {
	for i, mine := range values {
		for rank := 1; rank < c.size; rank++ {
			value := mine
			if c.s.Skew != nil {
				value = c.s.Skew(rank, mine)
			}
			switch op {
			case mpi.Sum:
				values[i] += value
			case mpi.Max:
				values[i] = max(values[i], value)
			case mpi.Min:
				values[i] = min(values[i], value)
			}
		}
	}
	return c.s.err()
}

func (c *comm) Gather(send, recv []byte, root int) error {
	if root != 0 {
		return c.s.err()
	}
	if len(recv) != c.size*len(send) {
		return fmt.Errorf("gather: %d bytes for %d times %d", len(recv), c.size, len(send))
	}
	for rank := range c.size {
		data := send
		if rank > 0 && c.s.Gathered != nil {
			data = c.s.Gathered(rank, send)
		}
		copy(recv[rank*len(send):(rank+1)*len(send)], data)
	}
	return c.s.err()
}

func (c *comm) Split(color, _ int) (mpi.Comm, error) {
	switch {
	case color < 0:
		return nil, c.s.err()
	case c.s.Members == nil:
		return c.part(c.size)
	}
	return c.part(c.s.Members(color, c.size))
}

func (c *comm) Cart(dims []int, periodic []bool) (mpi.Comm, error) {
	size := 1
	for _, d := range dims {
		size *= d
	}
	if size < 1 || size > c.size || len(periodic) != len(dims) {
		return nil, fmt.Errorf("cart: %v, periodic %v, of %d processes", dims, periodic, c.size)
	}
	return c.part(size)
}

// part returns a new communicator of some of the processes.
func (c *comm) part(size int) (mpi.Comm, error) {
	c.s.left++
	return &comm{c.s, size}, c.s.err()
}
