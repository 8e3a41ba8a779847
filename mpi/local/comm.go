package local

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// Error classes (MPI 4.1, 9.4). The standard leaves the numbers to the library. These are Open MPI's.
const (
	errComm       = 5
	errRoot       = 8
	errDims       = 12
	errArg        = 13
	errTruncate   = 15
	errAccess     = 20
	errAmode      = 21
	errFileExists = 28
	errFile       = 30
	errIO         = 35
	errNoSpace    = 41
	errNoSuchFile = 42
	errQuota      = 44
	errReadOnly   = 45
	errWin        = 53
)

// comm is one rank's handle of a group.
type comm struct {
	group     *group
	rank      *rank
	number    int // rank in the group
	permanent bool
	freed     bool
	round     uint64 // number of the meeting that the rank takes part in
	copy      *comm  // for DupFree
	started   int64  // nonblocking calls
}

var _ mpi.Comm = (*comm)(nil)

func newComm(g *group, r *rank, number int) *comm {
	return &comm{group: g, rank: r, number: number}
}

func (c *comm) Rank() int { return c.number }

func (c *comm) Size() int { return len(c.group.members) }

func (c *comm) Barrier() error {
	if err := c.enter("MPI_Barrier", 0); err != nil {
		return err
	}
	return c.meet()
}

func (c *comm) Bcast(data []byte, root int) error {
	const call = "MPI_Bcast"
	if err := c.enter(call, root); err != nil {
		return err
	}
	if c.number == root {
		c.group.bytes[root] = data
	}
	if err := c.meet(); err != nil {
		return err
	}
	sent := c.group.bytes[root]
	if c.number != root {
		copy(data, sent)
	}
	fits := len(sent) == len(data)
	if err := c.meet(); err != nil || fits {
		return err
	}
	return c.fail(call, errTruncate, fmt.Sprintf("%d bytes from the root, %d here", len(sent), len(data)))
}

func (c *comm) Allreduce(values []float64, op mpi.Reduction) error {
	const call = "MPI_Allreduce"
	if err := c.enter(call, 0); err != nil {
		return err
	}
	if err := op.Validate(); err != nil {
		return fmt.Errorf("%s: %w", call, err)
	}
	c.group.values[c.number] = values
	if err := c.meet(); err != nil {
		return err
	}
	if c.number == 0 {
		c.group.reduce(op)
	}
	if err := c.meet(); err != nil {
		return err
	}
	if len(c.group.result) != len(values) {
		return c.fail(call, errTruncate, "the processes pass different numbers of values")
	}
	copy(values, c.group.result)
	return nil
}

func (c *comm) Gather(send, recv []byte, root int) error {
	const call = "MPI_Gather"
	if err := c.enter(call, root); err != nil {
		return err
	}
	c.group.bytes[c.number] = send
	if err := c.meet(); err != nil {
		return err
	}
	fits := true
	if c.number == root {
		fits = len(recv) == len(send)*c.Size()
		for i, part := range c.group.bytes {
			fits = fits && len(part) == len(send)
			if fits {
				copy(recv[i*len(send):], part)
			}
		}
	}
	if err := c.meet(); err != nil || fits {
		return err
	}
	return c.fail(call, errTruncate, fmt.Sprintf("%d times %d bytes into %d, or processes pass different lengths",
		c.Size(), len(send), len(recv)))
}

func (c *comm) Split(color, key int) (mpi.Comm, error) {
	if err := c.enter("MPI_Comm_split", 0); err != nil {
		return nil, err
	}
	g := c.group
	g.splits[c.number] = split{color: color, key: key}
	if err := c.meet(); err != nil {
		return nil, err
	}
	if c.number == 0 {
		g.divide()
	}
	if err := c.meet(); err != nil {
		return nil, err
	}
	s := g.splits[c.number]
	if s.group == nil {
		return nil, nil
	}
	return newComm(s.group, c.rank, s.number), nil
}

func (c *comm) Cart(dims []int, periodic []bool) (mpi.Comm, error) {
	const call = "MPI_Cart_create"
	if err := c.enter(call, 0); err != nil {
		return nil, err
	}
	size := 1
	for _, d := range dims {
		if d < 1 || size > c.Size()/d {
			return nil, c.fail(call, errDims, fmt.Sprintf("dimensions %v of %d processes", dims, c.Size()))
		}
		size *= d
	}
	if len(periodic) != len(dims) {
		return nil, c.fail(call, errArg, fmt.Sprintf("%d dimensions, periodic or not: %d", len(dims), len(periodic)))
	}
	color := 0
	if c.number >= size {
		color = -1
	}
	return c.Split(color, c.number)
}

func (c *comm) Free() error {
	if c.permanent {
		return nil
	}
	if err := c.enter("MPI_Comm_free", 0); err != nil {
		return err
	}
	c.freed = true
	return c.meet()
}

// enter records for Look that the rank is in a collective call, and checks that the call is possible.
func (c *comm) enter(call string, root int) error {
	c.rank.enter(call, "")
	return c.usable(call, root)
}

// usable checks that a call is possible.
func (c *comm) usable(call string, root int) error {
	if err := c.group.world.check(); err != nil {
		return err
	}
	if c.freed {
		return c.fail(call, errComm, "the communicator has been freed")
	}
	if root < 0 || root >= c.Size() {
		return c.fail(call, errRoot, fmt.Sprintf("root %d of %d", root, c.Size()))
	}
	return nil
}

func (c *comm) fail(call string, class int, text string) *mpi.Error {
	return &mpi.Error{Call: call, Rank: c.rank.number, Class: class, Text: text}
}

// meet returns once all members have called it.
func (c *comm) meet() error {
	c.round = c.group.round.Load()
	if c.group.arrive() {
		return c.group.world.check()
	}
	return c.rank.await(c)
}

// met reports whether the meeting is over.
func (c *comm) met() bool { return c.group.round.Load() != c.round }
