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
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
)

// shape is what a call does with the places of one side.
type shape uint8

const (
	unused   shape = iota
	whole          // one place, as it is
	share          // one place, of which each process has an equal part
	elements       // one place, of elements of its type
	one            // one such element
	vector         // a place for each process that takes part
	counts         // a place of elements for each process, one behind the other
)

// signature is what a call does with its places, and which side the root alone has.
type signature struct {
	send, recv         shape
	rootSend, rootRecv bool
}

// signatures are those of the calls with more arguments than a place holds. A nonblocking one has that of its blocking sister.
var signatures = map[mpi.Op]signature{
	mpi.Bcast:         {send: whole, recv: whole},
	mpi.Gather:        {send: whole, recv: share, rootRecv: true},
	mpi.Gatherv:       {send: whole, recv: vector, rootRecv: true},
	mpi.Scatter:       {send: share, recv: whole, rootSend: true},
	mpi.Scatterv:      {send: vector, recv: whole, rootSend: true},
	mpi.Allgather:     {send: whole, recv: share},
	mpi.Allgatherv:    {send: whole, recv: vector},
	mpi.Alltoall:      {send: share, recv: share},
	mpi.Alltoallv:     {send: vector, recv: vector},
	mpi.Reduce:        {send: elements, recv: elements, rootRecv: true},
	mpi.ReduceScatter: {send: counts, recv: elements},
	mpi.Allreduce:     {send: elements, recv: elements},
	mpi.Ibarrier:      {},
	mpi.Exploit:       {},

	// The places in memory are as long as the target.
	mpi.Put:            {recv: whole},
	mpi.Get:            {recv: whole},
	mpi.Accumulate:     {recv: elements},
	mpi.GetAccumulate:  {recv: elements},
	mpi.FetchAndOp:     {recv: one},
	mpi.CompareAndSwap: {recv: one},
}

// blocking is the sister of a nonblocking collective call.
var blocking = map[mpi.Op]mpi.Op{
	mpi.Ibcast: mpi.Bcast, mpi.Igather: mpi.Gather, mpi.Igatherv: mpi.Gatherv, mpi.Iscatter: mpi.Scatter, mpi.Iscatterv: mpi.Scatterv,
	mpi.Iallgather: mpi.Allgather, mpi.Iallgatherv: mpi.Allgatherv, mpi.Ialltoall: mpi.Alltoall, mpi.Ialltoallv: mpi.Alltoallv,
	mpi.Ireduce: mpi.Reduce, mpi.IreduceScatter: mpi.ReduceScatter, mpi.Iallreduce: mpi.Allreduce,
}

var errBytes = errors.New("bytes can't be reduced")

// extra makes what the C loop needs for a call beside its places; nil if that is nothing.
func (r *runner) extra(p *mpi.Program, c mpi.Call) (*C.beff_extra, error) {
	op := c.Op
	if sister, ok := blocking[op]; ok {
		op = sister
	}
	sig, ok := signatures[op]
	if !ok {
		return nil, nil
	}
	x := (*C.beff_extra)(r.alloc(1, C.sizeof_beff_extra))
	x.root, x.times, x.reduce = C.int(c.Root), C.int64_t(c.Times), C.beff_reduction(C.int(c.Reduce))
	if c.Rotate {
		x.round = C.int(p.Comm.Size())
	}
	if op == mpi.Exploit {
		C.beff_exploit_prepare()
	}
	atRoot := c.Rotate || c.Root == p.Comm.Rank()
	if sig.rootSend && !atRoot {
		sig.send = unused
	}
	if sig.rootRecv && !atRoot {
		sig.recv = unused
	}
	if err := r.side(&x.send, p, c.Send, sig.send); err != nil {
		return nil, fmt.Errorf("send: %w", err)
	}
	if err := r.side(&x.recv, p, c.Recv, sig.recv); err != nil {
		return nil, fmt.Errorf("receive: %w", err)
	}
	return x, checkLengths(p, c, sig)
}

// alloc is zeroed memory of the C heap that lives as long as the runner.
func (r *runner) alloc(n int, size C.size_t) unsafe.Pointer {
	array := C.calloc(C.size_t(max(n, 1)), size)
	r.arrays = append(r.arrays, array)
	return array
}

// side fills in the arguments of one side of a call.
func (r *runner) side(out *C.beff_side, p *mpi.Program, s mpi.Span, kind shape) error {
	places := p.Places[s.First : s.First+s.Count]
	out._type = basic(mpi.Byte)
	switch kind {
	case unused:
		return nil
	case vector:
		return r.vector(out, places, p.Comm.Size())
	case counts:
		return r.counts(out, places, p.Comm.Size())
	}
	if len(places) != 1 {
		return fmt.Errorf("%d places, takes one", len(places))
	}
	switch place := places[0]; kind {
	case share:
		n := int64(p.Comm.Size())
		if place.Length%n != 0 {
			return fmt.Errorf("%d bytes for %d processes", place.Length, n)
		}
		return r.movable(&out.count, &out._type, place.Length/n)
	case whole:
		return r.movable(&out.count, &out._type, place.Length)
	case one:
		if place.Length != place.Type.Size() {
			return fmt.Errorf("%d bytes, takes one element", place.Length)
		}
	}
	return reducible(&out.count, &out._type, places[0])
}

// reducible is a number of elements. Derived types have no operations.
func reducible(count *C.int, kind *C.MPI_Datatype, place mpi.Place) error {
	if place.Type == mpi.Byte {
		return errBytes
	}
	n := place.Length / place.Type.Size()
	if n > math.MaxInt32 {
		return fmt.Errorf("%d elements: %w", n, mpi.ErrOverflow)
	}
	*count, *kind = C.int(n), basic(place.Type)
	return nil
}

// basic is the type as MPI names it.
func basic(t mpi.Type) C.MPI_Datatype { return C.beff_type(C.int(t)) }

// ints is an array of them on the C heap, and its view in Go.
func (r *runner) ints(n int) (*C.int, []C.int) {
	array := (*C.int)(r.alloc(n, C.sizeof_int))
	return array, unsafe.Slice(array, n)
}

// vector has counts and displacements in bytes, from the first place on.
func (r *runner) vector(out *C.beff_side, places []mpi.Place, size int) error {
	var lengths, displs []C.int
	out.counts, lengths = r.ints(size)
	out.displs, displs = r.ints(size)
	for _, p := range places {
		if p.Step > 0 {
			out.moves = 1
		}
	}
	for _, p := range places {
		from := p.Offset - places[0].Offset
		if p.Length > math.MaxInt32 || from != int64(C.int(from)) || out.moves == 1 && p.Space.Size() > math.MaxInt32 {
			return fmt.Errorf("%d bytes, %d behind the first place, in %d bytes: %w", p.Length, from, p.Space.Size(), mpi.ErrOverflow)
		}
		lengths[p.Peer], displs[p.Peer] = C.int(p.Length), C.int(from)
	}
	return nil
}

// counts has numbers of elements. MPI takes the processes' parts one behind the other, and so they must lie; no walk keeps them together.
func (r *runner) counts(out *C.beff_side, places []mpi.Place, size int) error {
	if len(places) != size {
		return fmt.Errorf("%d places for %d processes", len(places), size)
	}
	var n []C.int
	out.counts, n = r.ints(size)
	at := places[0].Offset
	for i, p := range places {
		if p.Peer != i || p.Offset != at || p.Step != 0 || p.Type != places[0].Type {
			return fmt.Errorf("place %d is not right behind the one before, or not process %d's, or walks, or has another type", i, i)
		}
		if err := reducible(&n[i], &out._type, p); err != nil {
			return err
		}
		at += p.Length
	}
	return nil
}

// checkLengths refuses sides that don't fit together, which MPI would not notice before it has written behind a place.
func checkLengths(p *mpi.Program, c mpi.Call, sig signature) error {
	if sig.send == unused || sig.recv == unused || sig.send == vector || sig.recv == vector || sig.send == whole && sig.recv == whole {
		return nil
	}
	size, send, recv := int64(p.Comm.Size()), p.Places[c.Send.First], p.Places[c.Recv.First]
	if sig.send == counts {
		send = p.Places[c.Send.First+p.Comm.Rank()] // what this process gets
	}
	gives, gets := send.Length, recv.Length
	switch {
	case sig.send == whole:
		gives *= size
	case sig.recv == whole:
		gets *= size
	case sig.send != share && send.Type != recv.Type:
		return fmt.Errorf("type %d to type %d", send.Type, recv.Type)
	}
	if gives != gets {
		return fmt.Errorf("%d bytes to %d bytes of %d processes", send.Length, recv.Length, size)
	}
	return nil
}
