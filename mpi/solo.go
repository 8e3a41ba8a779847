package mpi

import "fmt"

// SoloComm is a communicator in which this process has rank 0, and the other processes don't exist. Calls act as if
// they passed the same data as this process, or the data that one of the functions returns. Engines that simulate the
// other processes use it. Nil functions have no effect.
type SoloComm struct {
	Processes int
	// Err returns the error of all methods.
	Err func() error
	// Passes returns the value that process rank passes to an Allreduce in which this process passes value.
	Passes func(rank int, value float64) float64
	// Sends returns the data that process rank passes to a Gather in which this process passes mine.
	Sends func(rank int, mine []byte) []byte
	// Members returns how many of a communicator's size processes pass this color to Split. If it is nil, all do.
	Members func(color, size int) int
	// Count is called with 1 when a communicator is made, and with -1 when one is freed.
	Count func(more int)
}

var _ Comm = (*SoloComm)(nil)

// Rank implements Comm.
func (c *SoloComm) Rank() int { return 0 }

// Size implements Comm.
func (c *SoloComm) Size() int { return c.Processes }

// Barrier implements Comm.
func (c *SoloComm) Barrier() error { return c.err() }

// Bcast implements Comm.
func (c *SoloComm) Bcast([]byte, int) error { return c.err() }

// Allreduce implements Comm.
func (c *SoloComm) Allreduce(values []float64, op Reduction) error {
	for i, mine := range values {
		switch {
		case c.Passes != nil:
		case op == Sum:
			values[i] *= float64(c.Processes)
			continue
		default:
			continue
		}
		for rank := 1; rank < c.Processes; rank++ {
			value := c.Passes(rank, mine)
			switch op {
			case Sum:
				values[i] += value
			case Max:
				values[i] = max(values[i], value)
			case Min:
				values[i] = min(values[i], value)
			}
		}
	}
	return c.err()
}

// Gather implements Comm.
func (c *SoloComm) Gather(send, recv []byte, root int) error {
	if root != 0 {
		return c.err()
	}
	if len(recv) != c.Processes*len(send) {
		return fmt.Errorf("gather: %d bytes for %d times %d", len(recv), c.Processes, len(send))
	}
	for rank := range c.Processes {
		data := send
		if rank > 0 && c.Sends != nil {
			data = c.Sends(rank, send)
		}
		copy(recv[rank*len(send):(rank+1)*len(send)], data)
	}
	return c.err()
}

// Split implements Comm.
func (c *SoloComm) Split(color, _ int) (Comm, error) {
	switch {
	case color < 0:
		return nil, c.err()
	case c.Members == nil:
		return c.part(c.Processes)
	}
	return c.part(c.Members(color, c.Processes))
}

// Cart implements Comm. Nothing is reordered.
func (c *SoloComm) Cart(dims []int, periodic []bool) (Comm, error) {
	size := 1
	for _, d := range dims {
		size *= d
	}
	if size < 1 || size > c.Processes || len(periodic) != len(dims) {
		return nil, fmt.Errorf("cart: %v, periodic %v, of %d processes", dims, periodic, c.Processes)
	}
	return c.part(size)
}

// Free implements Comm.
func (c *SoloComm) Free() error {
	c.count(-1)
	return c.err()
}

// part returns a new communicator of size processes.
func (c *SoloComm) part(size int) (Comm, error) {
	c.count(1)
	of := *c
	of.Processes = size
	return &of, c.err()
}

func (c *SoloComm) count(more int) {
	if c.Count != nil {
		c.Count(more)
	}
}

func (c *SoloComm) err() error {
	if c.Err == nil {
		return nil
	}
	return c.Err()
}
