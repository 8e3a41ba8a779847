//go:build mpi

package libmpi

/*
#include <stdlib.h>
#include "loop.h"

static MPI_Comm beff_no_comm(void) { return MPI_COMM_NULL; }
static MPI_Request beff_no_request(void) { return MPI_REQUEST_NULL; }
static int beff_any_source(void) { return MPI_ANY_SOURCE; }

// beff_long_type makes a type of `n` units of `size` bytes, for messages longer than an int counts: blocks of 2^30
// units, then the rest.
static int beff_long_type(int64_t n, MPI_Datatype unit, int size, MPI_Datatype *type) {
	const int64_t block = 1 << 30;
	MPI_Datatype large, blocks;
	int lengths[2] = {1, (int)(n % block)};
	MPI_Aint places[2] = {0, (n - n % block) * size};
	int rc = MPI_Type_contiguous((int)block, unit, &large);
	if (rc == MPI_SUCCESS) rc = MPI_Type_contiguous((int)(n / block), large, &blocks);
	MPI_Datatype types[2] = {blocks, unit};
	if (rc == MPI_SUCCESS) rc = MPI_Type_create_struct(2, lengths, places, types, type);
	if (rc == MPI_SUCCESS) rc = MPI_Type_commit(type);
	if (rc == MPI_SUCCESS) rc = MPI_Type_free(&large);
	if (rc == MPI_SUCCESS) rc = MPI_Type_free(&blocks);
	return rc;
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

// space is a space of places: a buffer, a window or a file.
type space interface{ c() *C.beff_space }

// runner is a compiled program. All data that the C loop reads are on the C heap.
type runner struct {
	prog   *C.beff_program
	calls  []mpi.Op // as in prog
	world  *comm
	room   int64            // number of loops whose times fit in prog.each
	types  []C.MPI_Datatype // made for this program
	arrays []unsafe.Pointer // on the C heap, made for this program
}

var (
	_ mpi.Runner = (*runner)(nil)
	_ mpi.Calmer = (*runner)(nil)
)

func (e *engine) Compile(p *mpi.Program) (mpi.Runner, error) {
	if err := mpi.CheckSupport(e, p); err != nil {
		return nil, err
	}
	prog, err := alloc[C.beff_program](1)
	if err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	r := &runner{prog: prog, world: e.world}
	r.prog.start = C.beff_no_comm()
	if p.Start != nil {
		r.prog.start = p.Start.(*comm).c.comm
	}
	if p.Comm != nil {
		r.prog.comm = p.Comm.(*comm).c
	}
	err = r.compilePlaces(p.Places)
	if err == nil {
		err = r.compileCalls(p)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *runner) compilePlaces(places []mpi.Place) (err error) {
	if r.prog.places, err = allocFor[C.beff_place](r, len(places)); err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	out := unsafe.Slice(r.prog.places, len(places))
	for i, in := range places {
		space := in.Space.(space).c()
		if space == nil {
			return fmt.Errorf("compile: place %d: the space is closed", i)
		}
		out[i] = C.beff_place{
			space: space, length: C.int64_t(in.Length), step: C.int64_t(in.Step),
			advance: C.int64_t(in.Advance), extent: C.int64_t(in.Extent()), peer: C.int(in.Peer),
			width: C.int(in.Mark.Width), key: C.uint64_t(in.Mark.Key), per_loop: C.uint64_t(in.Mark.PerLoop),
			per_chunk: C.uint64_t(in.Mark.PerChunk), chunk: C.int64_t(in.Mark.Chunk),
		}
		C.beff_put(&out[i], C.int64_t(in.Offset))
		if in.Mark.Chunk == 0 {
			out[i].chunk = C.int64_t(max(in.Length, 1))
		}
		out[i].marks = C.beff_marks(&out[i])
		if in.Peer == mpi.AnySource {
			out[i].peer = C.beff_any_source()
		}
		if err := r.setType(&out[i], in); err != nil {
			return err
		}
	}
	return r.findAdvancing(out)
}

// findAdvancing lists the places that advance.
func (r *runner) findAdvancing(places []C.beff_place) (err error) {
	if r.prog.advancing, err = allocFor[*C.beff_place](r, len(places)); err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	list := unsafe.Slice(r.prog.advancing, len(places))
	for i := range places {
		if places[i].advance > 0 {
			list[r.prog.nadvancing] = &places[i]
			r.prog.nadvancing++
		}
	}
	return nil
}

// setType sets the type and count of a place: bytes in messages, elements of the view in files.
func (r *runner) setType(out *C.beff_place, in mpi.Place) error {
	out.unit = 1
	if f, ok := in.Space.(*file); ok && f.unit == element {
		out.unit = element
		return r.units(&out.count, &out._type, in.Length/element, basic(mpi.Float64), element)
	}
	if len(in.Pieces) > 0 {
		return r.pieces(out, in.Pieces)
	}
	return r.movable(&out.count, &out._type, in.Length)
}

// movable sets the type and count of n bytes.
func (r *runner) movable(count *C.int, kind *C.MPI_Datatype, n int64) error {
	return r.units(count, kind, n, basic(mpi.Byte), 1)
}

// units sets the type and count of n units of size bytes. If they are more than an int counts, the type is derived.
func (r *runner) units(count *C.int, kind *C.MPI_Datatype, n int64, unit C.MPI_Datatype, size int) error {
	if n <= math.MaxInt32 {
		*kind, *count = unit, C.int(n)
		return nil
	}
	if rc := C.beff_long_type(C.int64_t(n), unit, C.int(size), kind); rc != C.MPI_SUCCESS {
		return r.world.check("MPI_Type_create_struct", rc)
	}
	*count = 1
	r.types = append(r.types, *kind)
	return nil
}

func (r *runner) compileCalls(p *mpi.Program) (err error) {
	r.prog.nbefore, r.prog.nloop = C.int(len(p.Before)), C.int(len(p.Loop))
	r.prog.nafter = C.int(len(p.After))
	n := len(p.Before) + len(p.Loop) + C.beff_behind + len(p.After)
	if r.prog.calls, err = allocFor[C.beff_call](r, n); err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	calls := unsafe.Slice(r.prog.calls, n)
	behind := make([]mpi.Call, C.beff_behind) // Nop, until the C loop fills them in
	for _, section := range [][]mpi.Call{p.Before, p.Loop, behind, p.After} {
		if err := r.compileSection(p, calls[:len(section)], section); err != nil {
			return err
		}
		calls = calls[len(section):]
	}
	if err := errors.Join(r.allocate(), r.findReopens()); err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	return nil
}

// compileSection makes the calls of one section. A section completes its requests, so the next one uses their places
// again.
func (r *runner) compileSection(p *mpi.Program, calls []C.beff_call, section []mpi.Call) error {
	requests := C.int(0)
	for i, in := range section {
		if err := errors.Join(checkFile(p.Places, in), checkWindow(p.Places, in)); err != nil {
			return err
		}
		if in.Op.Reads() {
			in.Send, in.Recv = in.Recv, in.Send
		}
		calls[i] = C.beff_call{
			op: uint32(in.Op), family: uint32(in.Op.Family()),
			tag: C.int(in.Tag), root: C.int(in.Root), seconds: C.double(in.Seconds),
			send: r.place(in.Send), nsend: C.int(in.Send.Count),
			recv: r.place(in.Recv), nrecv: C.int(in.Recv.Count),
		}
		switch {
		case in.Op.Starts():
			calls[i].request = requests
			requests++
			r.prog.nrequests = max(r.prog.nrequests, requests)
		case in.Op == mpi.Wait:
			calls[i].request = calls[in.Of].request
		case in.Op == mpi.Decide:
			r.prog.decides = 1
		case in.Op == mpi.Lap:
			r.prog.nlaps = max(r.prog.nlaps, C.int(in.Root+1))
		}
		extra, err := r.extra(p, in)
		if err != nil {
			return fmt.Errorf("compile: call %d (%v): %w", i, in.Op, err)
		}
		calls[i].extra = extra
		r.calls = append(r.calls, in.Op)
	}
	return nil
}

// findReopens lists, for each file, the first call that opens or closes it.
func (r *runner) findReopens() (err error) {
	n := len(r.calls)
	first := map[*C.beff_space]bool{}
	if r.prog.reopens, err = allocFor[*C.beff_call](r, n); err != nil {
		return err
	}
	list, calls := unsafe.Slice(r.prog.reopens, n), unsafe.Slice(r.prog.calls, n)
	for i, op := range r.calls {
		if op != mpi.FileOpen && op != mpi.FileClose || first[calls[i].recv.space] {
			continue
		}
		first[calls[i].recv.space] = true
		list[r.prog.nreopens] = &calls[i]
		r.prog.nreopens++
	}
	return nil
}

// allocate makes the arrays whose lengths follow from the calls.
func (r *runner) allocate() (err error) {
	n := int(r.prog.nrequests)
	if r.prog.requests, err = allocFor[C.MPI_Request](r, n); err != nil {
		return err
	}
	requests := unsafe.Slice(r.prog.requests, n)
	for i := range requests {
		requests[i] = C.beff_no_request()
	}
	if r.prog.statuses, err = allocFor[C.MPI_Status](r, n); err != nil {
		return err
	}
	if r.prog.moving, err = allocFor[*C.beff_call](r, n); err != nil {
		return err
	}
	r.prog.laps, err = allocFor[C.beff_lap](r, int(r.prog.nlaps))
	return err
}

// place returns the address of a span's first place. The address of an empty span is never read.
func (r *runner) place(s mpi.Span) *C.beff_place {
	return (*C.beff_place)(unsafe.Add(unsafe.Pointer(r.prog.places), s.First*C.sizeof_beff_place))
}

func (r *runner) Run(n mpi.Loops) (mpi.Measurement, error) {
	if err := n.Validate(); err != nil {
		return mpi.Measurement{}, err
	}
	p := r.prog
	loops := C.beff_loops{untimed: C.int64_t(n.Untimed), timed: C.int64_t(n.Timed), budget: C.double(n.Budget),
		later: C.double(n.Later)}
	if n.Each {
		loops.each = 1
		if err := r.keepEach(n.Timed); err != nil {
			return mpi.Measurement{}, err
		}
	}
	if rc := C.beff_run(p, loops); rc != C.MPI_SUCCESS {
		call := "MPI_Barrier"
		if p.failed >= 0 {
			call = r.calls[p.failed].String()
		}
		return mpi.Measurement{}, r.world.check(call, rc)
	}
	m := mpi.Measurement{Begin: float64(p.begin), Seconds: float64(p.seconds), Loops: int64(p.loop - p.first),
		Wrong: int64(p.wrong), Failure: r.failure()}
	kept := min(m.Loops, n.Timed) // another process may have decided on more loops
	if n.Each {
		m.Each = seconds(p.each, kept)
	}
	for _, l := range unsafe.Slice(p.laps, int(p.nlaps)) {
		lap := mpi.LapTime{Seconds: float64(l.seconds), Last: float64(l.last)}
		if n.Each {
			lap.Each = seconds(l.each, kept)
		}
		m.Laps = append(m.Laps, lap)
	}
	if p.mismatch != 0 {
		m.Mismatch = &mpi.Mismatch{
			Rank: r.world.worldRank, Place: int(p.wrong_place), Loop: int64(p.wrong_loop), Chunk: int64(p.wrong_chunk),
			AtEnd: p.wrong_end != 0, Expected: uint64(p.expected), Found: uint64(p.found),
		}
	}
	return m, nil
}

// Calm makes each later run wait first.
func (r *runner) Calm() { r.prog.calm = 1 }

// keepEach makes room for the times of n loops and of their laps.
func (r *runner) keepEach(n int64) error {
	if n <= r.room {
		return nil
	}
	free(r.prog.each)
	r.prog.each, r.room = nil, 0
	each, err := alloc[C.double](int(n) * int(1+r.prog.nlaps))
	if err != nil {
		return fmt.Errorf("run: the times of %d loops: %w", n, err)
	}
	r.prog.each, r.room = each, n
	return nil
}

// seconds copies times from the C heap.
func seconds(from *C.double, n int64) []float64 {
	list := make([]float64, n)
	for i, t := range unsafe.Slice(from, n) {
		list[i] = float64(t)
	}
	return list
}

// failure returns the error of the first file call that failed.
func (r *runner) failure() *mpi.Error {
	p := r.prog
	if p.failure == nil {
		return nil
	}
	index := (uintptr(unsafe.Pointer(p.failure)) - uintptr(unsafe.Pointer(p.calls))) / C.sizeof_beff_call
	op := r.calls[index]
	if p.failure_rc != C.MPI_SUCCESS {
		return r.world.failed(op.String(), p.failure_rc)
	}
	done := "written"
	if op.Reads() {
		done = "read"
	}
	length := int64(p.failure.recv.length)
	text := fmt.Sprintf("%d of %d bytes were %s", int64(p.moved), length, done)
	if p.moved < 0 {
		text = fmt.Sprintf("a part of %d bytes was %s, which ends within an element", length, done)
	}
	return &mpi.Error{Call: op.String(), Rank: r.world.worldRank, Text: text}
}

func (r *runner) Close() {
	for i := range r.types {
		C.MPI_Type_free(&r.types[i])
	}
	free(r.prog.each)
	for _, array := range r.arrays {
		C.free(array)
	}
	free(r.prog)
}
