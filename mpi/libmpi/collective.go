//go:build mpi

package libmpi

/*
#include <stdlib.h>
#include "loop.h"

void beff_exploit_prepare(void);

// The types and operations of package mpi, in its order.
static MPI_Datatype beff_type(int type) {
	const MPI_Datatype types[] = {MPI_BYTE, MPI_INT, MPI_INT64_T, MPI_FLOAT, MPI_DOUBLE};
	return types[type];
}

static MPI_Op beff_reduction(int op) {
	const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN};
	return ops[op];
}
*/
import "C"

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
)

// extra returns the data that the C loop needs for a call beside its places, or nil if it needs none.
func (r *runner) extra(p *mpi.Program, c mpi.Call) (*C.beff_extra, error) {
	family := c.Op.Family()
	switch {
	case c.Op == mpi.Exploit, c.Op == mpi.Combine:
	case family == mpi.OneSided, family == mpi.Collective, family == mpi.NonblockingCollective:
	default:
		return nil, nil
	}
	x, err := allocFor[C.beff_extra](r, 1)
	if err != nil {
		return nil, err
	}
	x.root, x.times, x.reduce = C.int(c.Root), C.int64_t(c.Times), C.beff_reduction(C.int(c.Reduce))
	if c.Rotate {
		x.round = C.int(p.Comm.Size())
	}
	if c.InPlace {
		setInPlace(x, c.Op)
	}
	switch {
	case c.Op == mpi.Exploit:
		C.beff_exploit_prepare()
		return x, nil
	case c.Op == mpi.Combine:
		return x, reducible(&x.send.count, &x.send._type, p.Places[c.Send.First])
	case family == mpi.OneSided:
		return x, r.target(&x.recv, p.Places[c.Recv.First], c.Op)
	}
	send, recv := c.Op.Parts()
	if err := r.side(&x.send, p, c.Send, send, c.Op); err != nil {
		return nil, fmt.Errorf("send: %w", err)
	}
	if err := r.side(&x.recv, p, c.Recv, recv, c.Op); err != nil {
		return nil, fmt.Errorf("receive: %w", err)
	}
	return x, nil
}

// setInPlace makes a call pass MPI_IN_PLACE.
func setInPlace(x *C.beff_extra, op mpi.Op) {
	flag := map[bool]C.int{true: 1}
	send, recv, atRoot := op.InPlace()
	x.send_in_place, x.recv_in_place, x.at_root = flag[send], flag[recv], flag[atRoot]
}

// side fills in the arguments of one side of a collective call, which mpi.Program.Validate has checked. Where only the
// root uses its arguments, the others may be anything.
func (r *runner) side(out *C.beff_side, p *mpi.Program, s mpi.Span, parts mpi.Parts, op mpi.Op) error {
	places, size := p.Places[s.First:s.First+s.Count], p.Comm.Size()
	out._type = basic(mpi.Byte)
	switch {
	case parts == mpi.No:
		return nil
	case parts == mpi.Sparse || parts == mpi.Vector && !op.Reduces():
		return r.vector(out, places, size)
	case parts == mpi.Vector:
		return r.elements(out, places, size)
	case op.Reduces():
		return reducible(&out.count, &out._type, places[0])
	case parts == mpi.Equal:
		return r.movable(&out.count, &out._type, places[0].Length/int64(size))
	}
	return r.movable(&out.count, &out._type, places[0].Length)
}

// reducible sets the number of elements and their type. Reductions have no operations on derived types.
func reducible(count *C.int, kind *C.MPI_Datatype, place mpi.Place) error {
	n := place.Length / place.Type.Size()
	if n > math.MaxInt32 {
		return fmt.Errorf("%d elements: %w", n, mpi.ErrOverflow)
	}
	*count, *kind = C.int(n), basic(place.Type)
	return nil
}

// basic returns MPI's name of a type.
func basic(t mpi.Type) C.MPI_Datatype { return C.beff_type(C.int(t)) }

// ints returns an array of n ints on the C heap, and its view in Go.
func (r *runner) ints(n int) (*C.int, []C.int, error) {
	array, err := allocFor[C.int](r, n)
	if err != nil {
		return nil, nil, err
	}
	return array, unsafe.Slice(array, n), nil
}

// vector fills in counts and displacements in bytes, from the first place on.
func (r *runner) vector(out *C.beff_side, places []mpi.Place, size int) (err error) {
	var lengths, displs []C.int
	if out.counts, lengths, err = r.ints(size); err != nil {
		return err
	}
	if out.displs, displs, err = r.ints(size); err != nil {
		return err
	}
	for _, p := range places {
		if p.Step > 0 || p.Advance > 0 {
			out.moves = 1
		}
	}
	for _, p := range places {
		from := p.Offset - places[0].Offset
		if p.Length > math.MaxInt32 || from != int64(C.int(from)) || out.moves == 1 && p.Space.Size() > math.MaxInt32 {
			return fmt.Errorf("%d bytes, %d behind the first place, in %d bytes: %w", p.Length, from, p.Space.Size(),
				mpi.ErrOverflow)
		}
		lengths[p.Peer], displs[p.Peer] = C.int(p.Length), C.int(from)
	}
	return nil
}

// elements fills in the number of elements that each process gets. They lie one behind the other.
func (r *runner) elements(out *C.beff_side, places []mpi.Place, size int) (err error) {
	var n []C.int
	if out.counts, n, err = r.ints(size); err != nil {
		return err
	}
	for i, p := range places {
		if err := reducible(&n[i], &out._type, p); err != nil {
			return err
		}
	}
	return nil
}
