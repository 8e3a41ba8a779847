package libmpi

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// extra returns the data that the C loop needs for a call in addition to its places, or nil if it needs none.
func (r *runner) extra(p *mpi.Program, c mpi.Call) (*plugin.Extra, error) {
	family := c.Op.Family()
	switch {
	case c.Op == mpi.Exploit, c.Op == mpi.Combine, c.Op == mpi.StopOnSignal, c.Op == mpi.FileSetSize:
	case family == mpi.OneSided, family == mpi.Collective, family == mpi.NonblockingCollective:
	default:
		return nil, nil
	}
	x, err := allocFor[plugin.Extra](r, 1)
	if err != nil {
		return nil, err
	}
	x.Root, x.Times, x.Reduce = int32(c.Root), c.Times, r.api.Constants.Reductions[c.Reduce]
	if c.Rotate {
		x.Round = int32(p.Comm.Size())
	}
	if c.InPlace {
		setInPlace(x, c.Op)
	}
	if f, given := c.Function.(function); given {
		x.Function = uintptr(f)
	}
	if c.Op.Neighbourhood() {
		x.Neighbours = 1
		if n := r.comm.neighbours; n > 0 {
			x.Neighbours = 2
			if c.Send.Count != n || c.Recv.Count != n {
				return nil, fmt.Errorf("%d and %d places for %d neighbours in a grid", c.Send.Count, c.Recv.Count, n)
			}
		}
	}
	if slices.Contains(wide, c.Op.Blocking()) {
		x.Wide = 1
	}
	switch {
	case c.Op == mpi.Exploit, c.Op == mpi.StopOnSignal, c.Op == mpi.FileSetSize:
		return x, nil
	case c.Op == mpi.Combine:
		place := p.Places[c.Send.First]
		return x, errors.Join(r.reducible(&x.Send.Count, &x.Send.Type, place), r.reduceForm(x, place, c.Reduce))
	case family == mpi.OneSided:
		return x, r.checkTarget(&x.Recv, p.Places[c.Recv.First], c.Op)
	}
	send, recv := c.Op.Parts()
	if err := r.side(&x.Send, p, c.Send, send, c.Op); err != nil {
		return nil, fmt.Errorf("send: %w", err)
	}
	if err := r.side(&x.Recv, p, c.Recv, recv, c.Op); err != nil {
		return nil, fmt.Errorf("receive: %w", err)
	}
	if c.Op.Reduces() {
		return x, r.reduceForm(x, p.Places[c.Send.First], c.Reduce)
	}
	return x, nil
}

// wide holds the calls in which each place has its own type, and displacements are in bytes.
var wide = []mpi.Op{mpi.Alltoallw, mpi.NeighborAlltoallw}

// setInPlace makes a call pass MPI_IN_PLACE.
func setInPlace(x *plugin.Extra, op mpi.Op) {
	flag := map[bool]int32{true: 1}
	send, recv, atRoot := op.InPlace()
	x.SendInPlace, x.RecvInPlace, x.AtRoot = flag[send], flag[recv], flag[atRoot]
}

// side fills in the arguments of one side of a collective call, which mpi.Program.Validate has checked. If only the
// root uses the side, the arguments of the other processes don't matter.
func (r *runner) side(out *plugin.Side, p *mpi.Program, s mpi.Span, parts mpi.Parts, op mpi.Op) error {
	places, size := p.Places[s.First:s.First+s.Count], p.Comm.Size()
	out.Type, out.Extent = r.basic(mpi.Byte), 1
	switch {
	case parts == mpi.No:
		return nil
	case op.Large():
		return r.large(out, places, parts, op, size)
	case parts == mpi.Sparse || parts == mpi.Vector && !op.Reduces():
		return r.vector(out, places, arguments{size, op})
	case parts == mpi.Vector:
		return r.elements(out, places, size)
	case op.Reduces():
		return r.reducible(&out.Count, &out.Type, places[0])
	case parts == mpi.Equal:
		return r.elementsOf(&out.Count, &out.Type, places[0], places[0].Length/int64(size))
	}
	return r.elementsOf(&out.Count, &out.Type, places[0], places[0].Length)
}

// elementsOf sets the number of a place's elements in n bytes, and their type, which is MPI_BYTE if they are adjacent.
func (r *runner) elementsOf(count *int32, kind *plugin.Handle, place mpi.Place, n int64) error {
	if place.Form == mpi.Basic {
		return r.bytesType(count, kind, n)
	}
	return r.formed(count, kind, place, n)
}

// reducible sets the number of a place's elements and their type, for a reduction.
func (r *runner) reducible(count *int32, kind *plugin.Handle, place mpi.Place) error {
	if place.Form != mpi.Basic {
		return r.formed(count, kind, place, place.Length)
	}
	n := place.Length / place.Type.Size()
	if n > math.MaxInt32 {
		return fmt.Errorf("%d elements: %w", n, mpi.ErrOverflow)
	}
	*count, *kind = int32(n), r.basic(place.Type)
	return nil
}

// basic returns the library's handle of a type.
func (r *runner) basic(t mpi.Type) plugin.Handle { return r.api.Constants.Types[t] }

// ints returns an array of n ints on the C heap, and its view in Go.
func (r *runner) ints(n int) (*int32, []int32, error) { return array[int32](r, n) }

// array returns an array of n numbers on the C heap, and its view in Go.
func array[T any](r *runner, n int) (*T, []T, error) {
	made, err := allocFor[T](r, n)
	if err != nil {
		return nil, nil, err
	}
	return made, unsafe.Slice(made, n), nil
}

// arguments defines how the arrays of a vector call are indexed.
type arguments struct {
	size int // of the communicator
	op   mpi.Op
}

// number returns the length of the arrays.
func (a arguments) number(places []mpi.Place) int {
	if a.op.Neighbourhood() {
		return len(places)
	}
	return a.size
}

func (a arguments) at(i int, p mpi.Place) int {
	if a.op.Neighbourhood() {
		return i
	}
	return p.Peer
}

// vector fills in counts and displacements in bytes, relative to the first place, and the count of the first place.
func (r *runner) vector(out *plugin.Side, places []mpi.Place, a arguments) (err error) {
	var lengths, displs []int32
	if out.Counts, lengths, err = r.ints(a.number(places)); err != nil {
		return err
	}
	if out.Displs, displs, err = r.ints(a.number(places)); err != nil {
		return err
	}
	defer func() {
		if len(places) > 0 {
			out.Count = lengths[a.at(0, places[0])]
		}
	}()
	for _, p := range places {
		if p.Step > 0 || p.Advance > 0 {
			out.Moves = 1
		}
	}
	if len(places) > 0 && places[0].Form != mpi.Basic {
		return r.formedVector(out, places, lengths, displs, a)
	}
	for i, p := range places {
		from := p.Offset - places[0].Offset
		if p.Length > math.MaxInt32 || from != int64(int32(from)) || out.Moves == 1 && p.Space.Size() > math.MaxInt32 {
			return fmt.Errorf("%d bytes, %d after the first place, in %d bytes: %w", p.Length, from, p.Space.Size(),
				mpi.ErrOverflow)
		}
		lengths[a.at(i, p)], displs[a.at(i, p)] = int32(p.Length), int32(from)
	}
	return nil
}

// elements fills in the number of elements that each process gets. The elements of all processes are adjacent.
func (r *runner) elements(out *plugin.Side, places []mpi.Place, size int) (err error) {
	var n []int32
	if out.Counts, n, err = r.ints(size); err != nil {
		return err
	}
	if places[0].Form != mpi.Basic {
		return r.formedVector(out, places, n, make([]int32, size), arguments{size: size})
	}
	for i, p := range places {
		if err := r.reducible(&n[i], &out.Type, p); err != nil {
			return err
		}
	}
	return nil
}
