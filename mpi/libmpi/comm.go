package libmpi

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"syscall"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// success is MPI_SUCCESS (MPI 4.1, 9.4).
const success = 0

// comm is a communicator.
type comm struct {
	api        *plugin.Library
	c          *plugin.Comm
	rank, size int
	worldRank  int
	world      bool
	members    members
	state      *callState     // of the process; see Look
	color      int            // its color in Split
	neighbours int            // of a process, if Cart made the communicator
	copies     []*plugin.Comm // see distinct
}

var _ mpi.Comm = (*comm)(nil)

// newComm makes a communicator by the call create.
func newComm(api *plugin.Library, create func(out *plugin.Comm) error) (*comm, error) {
	made, err := alloc[plugin.Comm](api, 1)
	if err != nil {
		return nil, fmt.Errorf("new communicator: %w", err)
	}
	if err := create(made); err != nil {
		free(api, made)
		return nil, err
	}
	return &comm{api: api, c: made, rank: int(made.Rank), size: int(made.Size)}, nil
}

// check returns an error for a return code other than MPI_SUCCESS.
func (c *comm) check(call string, rc int32) error {
	if rc == success {
		return nil
	}
	return c.failed(call, rc)
}

// failed returns the error of a return code. For calls that aren't MPI's, only the operating system has a text.
func (c *comm) failed(call string, rc int32) *mpi.Error {
	var why plugin.Failure
	c.api.DescribeError(rc, &why)
	text := ""
	if strings.HasPrefix(call, "MPI_") {
		text = strings.Join(strings.Fields(goText(why.Text[:])), " ") // MPICH writes several lines
	}
	return &mpi.Error{Call: call, Rank: c.worldRank, Class: int(why.Class), Text: withSystem(text, why.System)}
}

// withSystem adds the operating system's text for an error number other than 0 to a text that lacks it.
func withSystem(text string, number int32) string {
	words := syscall.Errno(number).Error()
	switch {
	case number == 0 || strings.Contains(strings.ToLower(text), strings.ToLower(words)):
		return text
	case text == "":
		return words
	}
	return text + ": " + words
}

func (c *comm) Rank() int { return c.rank }
func (c *comm) Size() int { return c.size }
func (c *comm) Barrier() error {
	return c.do("MPI_Barrier", func() int32 { return c.api.Barrier(c.c) })
}

// count returns a length as a C int.
func count(call string, n int) (int32, error) {
	if n > math.MaxInt32 {
		return 0, fmt.Errorf("%s: %d elements: %w", call, n, mpi.ErrOverflow)
	}
	return int32(n), nil
}

// cArray returns memory of the C heap for n values, and its view in Go. Libraries register the memory of messages, and
// notice when the C library releases it. They don't notice when Go does.
func cArray[T any](api *plugin.Library, call string, n int) (*T, []T, error) {
	array, err := alloc[T](api, n)
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
	array, view, err := cArray[byte](c.api, call, len(data))
	if err != nil {
		return err
	}
	defer free(c.api, array)
	copy(view, data)
	err = c.do(call, func() int32 { return c.api.Bcast(unsafe.Pointer(array), n, int32(root), c.c) })
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
	array, view, err := cArray[float64](c.api, call, len(values))
	if err != nil {
		return err
	}
	defer free(c.api, array)
	copy(view, values)
	err = c.do(call, func() int32 { return c.api.Allreduce(array, n, int32(op), c.c) })
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
	array, view, err := cArray[byte](c.api, call, len(send)+len(recv))
	if err != nil {
		return err
	}
	defer free(c.api, array)
	from, into := view[:len(send)], view[len(send):]
	copy(from, send)
	err = c.do(call, func() int32 {
		return c.api.Gather(unsafe.Pointer(array), unsafe.Add(unsafe.Pointer(array), len(send)), n, int32(root), c.c)
	})
	copy(recv, into)
	return err
}

// create returns the communicator that a call makes from this one, or nil if this process isn't in it.
func (c *comm) create(call string, f func(out *plugin.Comm) int32) (*comm, error) {
	made, err := newComm(c.api, func(out *plugin.Comm) error {
		return c.do(call, func() int32 { return f(out) })
	})
	if err != nil {
		return nil, err
	}
	made.worldRank, made.state = c.worldRank, c.state
	if made.size == 0 {
		free(c.api, made.c)
		return nil, nil
	}
	return made, made.learnRanks()
}

// members holds the ranks in the world of a communicator's members: first, first + step and so on, or the ranks in a
// list. Nearly all communicators have such a step, and a list takes 8 bytes for each process on each process.
type members struct {
	first, step int
	list        []int32
}

// of returns the rank in the world of a member.
func (m *members) of(rank int) int {
	if m.list != nil {
		return int(m.list[rank])
	}
	return m.first + rank*m.step
}

// membersOf returns the members with these ranks in the world.
func membersOf(ranks []int32) members {
	m := members{first: int(ranks[0])}
	if len(ranks) > 1 {
		m.step = int(ranks[1]) - m.first
	}
	for i, rank := range ranks {
		if m.of(i) != int(rank) {
			return members{list: slices.Clone(ranks)}
		}
	}
	return m
}

// learnRanks gets the members' ranks in the world, which Look reports.
func (c *comm) learnRanks() error {
	const call = "MPI_Group_translate_ranks"
	members, own, err := cArray[int32](c.api, call, c.size)
	if err != nil {
		return err
	}
	defer free(c.api, members)
	world, ranks, err := cArray[int32](c.api, call, c.size)
	if err != nil {
		return err
	}
	defer free(c.api, world)
	for i := range own {
		own[i] = int32(i)
	}
	err = c.check(call, c.api.Ranks(c.c, members, world))
	c.members = membersOf(ranks)
	return err
}

// orNil returns a communicator as an interface, which is nil if the process isn't in it.
func orNil(made *comm, err error) (mpi.Comm, error) {
	if made == nil {
		return nil, err
	}
	return made, err
}

func (c *comm) Split(color, key int) (mpi.Comm, error) {
	made, err := c.create("MPI_Comm_split", func(out *plugin.Comm) int32 {
		return c.api.Split(c.c, int32(color), int32(key), out)
	})
	if made != nil {
		made.color = color
	}
	return orNil(made, err)
}

func (c *comm) Cart(dims []int, periodic []bool) (mpi.Comm, error) {
	const call = "MPI_Cart_create"
	array, view, err := cArray[int32](c.api, call, 2*len(dims))
	if err != nil {
		return nil, err
	}
	defer free(c.api, array)
	shape, wrap := view[:len(dims)], view[len(dims):]
	for i, d := range dims {
		shape[i] = int32(d)
		if periodic[i] {
			wrap[i] = 1
		}
	}
	second := (*int32)(unsafe.Add(unsafe.Pointer(array), len(dims)*int(unsafe.Sizeof(*array))))
	made, err := c.create(call, func(out *plugin.Comm) int32 {
		return c.api.Cart(c.c, int32(len(dims)), array, second, out)
	})
	if made != nil {
		made.neighbours = 2 * len(dims)
	}
	return orNil(made, err)
}

func (c *comm) Free() error {
	if c.world {
		return nil
	}
	var err error
	for _, made := range append(c.copies, c.c) {
		err = errors.Join(err, c.do("MPI_Comm_free", func() int32 { return c.api.CommFree(made) }))
		free(c.api, made)
	}
	return err
}
