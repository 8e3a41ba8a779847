//go:build mpi

package libmpi

/*
#include <stdlib.h>
#include "loop.h"

static MPI_Comm beff_no_comm(void) { return MPI_COMM_NULL; }
static MPI_Request beff_no_request(void) { return MPI_REQUEST_NULL; }
static int beff_any_source(void) { return MPI_ANY_SOURCE; }
static MPI_Datatype beff_bytes(void) { return MPI_BYTE; }

// A type of `length` bytes, for messages longer than an int counts: blocks of 1 GiB, then the rest.
static int beff_long_type(int64_t length, MPI_Datatype *type) {
	const int64_t block = 1 << 30;
	MPI_Datatype gib, blocks;
	int lengths[2] = {1, (int)(length % block)};
	MPI_Aint places[2] = {0, length - length % block};
	int rc = MPI_Type_contiguous((int)block, MPI_BYTE, &gib);
	if (rc == MPI_SUCCESS) rc = MPI_Type_contiguous((int)(length / block), gib, &blocks);
	MPI_Datatype types[2] = {blocks, MPI_BYTE};
	if (rc == MPI_SUCCESS) rc = MPI_Type_create_struct(2, lengths, places, types, type);
	if (rc == MPI_SUCCESS) rc = MPI_Type_commit(type);
	if (rc == MPI_SUCCESS) rc = MPI_Type_free(&gib);
	if (rc == MPI_SUCCESS) rc = MPI_Type_free(&blocks);
	return rc;
}
*/
import "C"

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
)

// ops says which calls the C loop runs, and as what.
var ops = map[mpi.Op]uint32{
	mpi.Nop:       C.BEFF_NOP,
	mpi.Walk:      C.BEFF_WALK,
	mpi.Stamp:     C.BEFF_STAMP,
	mpi.Check:     C.BEFF_CHECK,
	mpi.Compute:   C.BEFF_COMPUTE,
	mpi.Send:      C.BEFF_SEND,
	mpi.Recv:      C.BEFF_RECV,
	mpi.Sendrecv:  C.BEFF_SENDRECV,
	mpi.Isend:     C.BEFF_ISEND,
	mpi.Irecv:     C.BEFF_IRECV,
	mpi.Wait:      C.BEFF_WAIT,
	mpi.Waitall:   C.BEFF_WAITALL,
	mpi.Barrier:   C.BEFF_BARRIER,
	mpi.Alltoallv: C.BEFF_ALLTOALLV,
}

// runner is a compiled program: everything that the C loop reads is on the C heap.
type runner struct {
	prog  *C.beff_program
	calls []mpi.Call
	world *comm
	types []C.MPI_Datatype // made for this program
}

var _ mpi.Runner = (*runner)(nil)

func (e *engine) Compile(p *mpi.Program) (mpi.Runner, error) {
	if err := mpi.CheckSupport(e, p); err != nil {
		return nil, err
	}
	r := &runner{prog: (*C.beff_program)(C.calloc(1, C.sizeof_beff_program)), calls: p.Calls, world: e.world}
	r.prog.start = C.beff_no_comm()
	if p.Start != nil {
		r.prog.start = p.Start.(*comm).c.comm
	}
	if p.Comm != nil {
		r.prog.comm = p.Comm.(*comm).c
	}
	err := r.compilePlaces(p.Places)
	if err == nil {
		err = r.compileCalls(p)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *runner) compilePlaces(places []mpi.Place) error {
	r.prog.places = (*C.beff_place)(C.calloc(C.size_t(max(len(places), 1)), C.sizeof_beff_place))
	out := unsafe.Slice(r.prog.places, len(places))
	for i, in := range places {
		space := in.Space.(*buffer).space
		out[i] = C.beff_place{
			space: space, addr: (*C.char)(unsafe.Add(unsafe.Pointer(space.base), in.Offset)),
			length: C.int64_t(in.Length), step: C.int64_t(in.Step), peer: C.int(in.Peer),
			width: C.int(in.Mark.Width), key: C.uint64_t(in.Mark.Key), per_loop: C.uint64_t(in.Mark.PerLoop),
			per_chunk: C.uint64_t(in.Mark.PerChunk), chunk: C.int64_t(in.Mark.Chunk),
			_type: C.beff_bytes(), count: C.int(in.Length),
		}
		if in.Mark.Chunk == 0 {
			out[i].chunk = C.int64_t(max(in.Length, 1))
		}
		if in.Peer == mpi.AnySource {
			out[i].peer = C.beff_any_source()
		}
		if in.Length > math.MaxInt32 {
			if rc := C.beff_long_type(out[i].length, &out[i]._type); rc != C.MPI_SUCCESS {
				return r.world.check("MPI_Type_create_struct", rc)
			}
			out[i].count = 1
			r.types = append(r.types, out[i]._type)
		}
	}
	return nil
}

func (r *runner) compileCalls(p *mpi.Program) error {
	r.prog.ncalls = C.int(len(p.Calls))
	r.prog.calls = (*C.beff_call)(C.calloc(C.size_t(max(len(p.Calls), 1)), C.sizeof_beff_call))
	calls := unsafe.Slice(r.prog.calls, len(p.Calls))
	for i, in := range p.Calls {
		calls[i] = C.beff_call{
			op: ops[in.Op], tag: C.int(in.Tag), seconds: C.double(in.Seconds),
			send: r.place(in.Send), nsend: C.int(in.Send.Count),
			recv: r.place(in.Recv), nrecv: C.int(in.Recv.Count),
		}
		switch {
		case in.Op.Starts():
			calls[i].request = r.prog.nrequests
			r.prog.nrequests++
		case in.Op == mpi.Wait:
			calls[i].request = calls[in.Of].request
		case in.Op == mpi.Alltoallv:
			p.Comm.(*comm).vectors()
			if err := checkVector(p.Places, in); err != nil {
				return err
			}
		}
	}
	n := C.size_t(max(r.prog.nrequests, 1))
	r.prog.requests = (*C.MPI_Request)(C.calloc(n, C.sizeof_MPI_Request))
	r.prog.statuses = (*C.MPI_Status)(C.calloc(n, C.sizeof_MPI_Status))
	requests := unsafe.Slice(r.prog.requests, int(r.prog.nrequests))
	for i := range requests {
		requests[i] = C.beff_no_request()
	}
	return nil
}

// place is the address of a span's first place; that of an empty span is never read.
func (r *runner) place(s mpi.Span) *C.beff_place {
	return (*C.beff_place)(unsafe.Add(unsafe.Pointer(r.prog.places), s.First*C.sizeof_beff_place))
}

// checkVector refuses displacements beyond an int.
func checkVector(places []mpi.Place, c mpi.Call) error {
	for _, s := range []mpi.Span{c.Send, c.Recv} {
		for _, p := range places[s.First : s.First+s.Count] {
			if p.Space.Size() > math.MaxInt32 {
				return fmt.Errorf("compile: %v in %d bytes: displacements are more than an int holds", c.Op, p.Space.Size())
			}
		}
	}
	return nil
}

func (r *runner) Run(n mpi.Loops) (mpi.Measurement, error) {
	if err := n.Validate(); err != nil {
		return mpi.Measurement{}, err
	}
	p := r.prog
	if rc := C.beff_run(p, C.int64_t(n.Untimed), C.int64_t(n.Timed)); rc != C.MPI_SUCCESS {
		call := "MPI_Barrier"
		if p.failed >= 0 {
			call = r.calls[p.failed].Op.String()
		}
		return mpi.Measurement{}, r.world.check(call, rc)
	}
	m := mpi.Measurement{Seconds: float64(p.seconds)}
	if p.mismatch != 0 {
		m.Mismatch = &mpi.Mismatch{
			Rank: r.world.worldRank, Place: int(p.wrong_place), Loop: int64(p.wrong_loop), Chunk: int64(p.wrong_chunk),
			AtEnd: p.wrong_end != 0, Expected: uint64(p.expected), Found: uint64(p.found),
		}
	}
	return m, nil
}

func (r *runner) Close() {
	for i := range r.types {
		C.MPI_Type_free(&r.types[i])
	}
	for _, array := range []unsafe.Pointer{
		unsafe.Pointer(r.prog.places), unsafe.Pointer(r.prog.calls), unsafe.Pointer(r.prog.requests), unsafe.Pointer(r.prog.statuses), unsafe.Pointer(r.prog),
	} {
		C.free(array)
	}
}
