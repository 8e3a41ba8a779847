package programfile

import (
	"errors"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// At is the process and the row that a file is resolved for.
type At struct {
	Rank, Size, Root int
	Bytes            int64
}

// Program holds the calls of one repetition of one process. Their spans and the indices of MPI_Wait are those of
// mpi.Program.
type Program struct {
	Places []Place
	Calls  []mpi.Call
	Lines  []int // of the file, one for each call
	Checks []Check
}

// Place is a run of bytes in an area.
type Place struct {
	Area           int // index in File.Areas
	Offset, Length int64
	Peer           int
	Type           mpi.Type
	Window         bool // in the window of Peer
	File           bool // in the file
}

// Check says that a place must hold what a process has in the same bytes of an area from Position on, or the sum over
// all processes.
type Check struct {
	Place    Place
	Source   int // index in File.Areas
	Position int64
	Rank     int // Sum: of all processes
}

// Sum as the rank of a check stands for the sum over all processes.
const Sum = -1

// resolver resolves a file for one process.
type resolver struct {
	file     *File
	at       At
	values   *values
	sizes    []int64
	requests map[string]int // index of the call that opened it last
	turns    int            // of loops so far
	epoch    epoch
	out      *Program
}

// Resolve returns a process' calls. An error names the file, the line and the rank.
func (f *File) Resolve(at At) (*Program, error) {
	r := &resolver{file: f, at: at, values: &values{}, requests: map[string]int{}, out: &Program{},
		epoch: epoch{locked: map[int]bool{}}}
	r.values.add("size", int64(at.Size))
	r.values.add("bytes", at.Bytes)
	r.values.add("rank", int64(at.Rank))
	r.values.add("root", int64(at.Root))
	if err := f.set(r.values, usesBytes|usesRank|usesRoot, at.Rank); err != nil {
		return nil, err
	}
	var err error
	if r.sizes, err = f.Sizes(at.Size, at.Bytes); err != nil {
		return nil, err
	}
	if err := r.list(f.calls); err != nil {
		return nil, err
	}
	if r.epoch.all || len(r.epoch.locked) > 0 {
		return nil, f.wrong(0, at.Rank, errors.New("the window is still locked at the end"))
	}
	for _, c := range f.checks {
		if err := r.check(c); err != nil {
			return nil, err
		}
	}
	return r.out, nil
}

// wrong returns an error at a line.
func (r *resolver) wrong(line int, format string, args ...any) error {
	return r.file.wrong(line, r.at.Rank, fmt.Errorf(format, args...))
}

func (r *resolver) value(e *expr) (int64, error) {
	n, err := e.value(r.values)
	if err != nil {
		err = r.wrong(e.line, "%w", err)
	}
	return n, err
}

func (r *resolver) list(list []node) error {
	for i := range list {
		if err := r.node(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

// node adds the calls of an item.
func (r *resolver) node(x *node) error {
	switch {
	case x.when != nil:
		n, err := r.value(x.when)
		if err != nil || n == 0 {
			return err
		}
		return r.list(x.do)
	case x.each != "":
		return r.loop(x)
	}
	return r.call(x)
}

// loop adds the calls of a loop. Loops without calls are limited as well.
func (r *resolver) loop(x *node) error {
	first, err := r.value(x.first)
	if err != nil {
		return err
	}
	last, err := r.value(x.last)
	if err != nil || last < first {
		return err
	}
	if turns, err := subtract(last, first); err != nil || turns >= MostCalls {
		return r.wrong(x.line, "a loop from %d to %d: at most %d turns", first, last, MostCalls)
	}
	for k := first; k <= last; k++ {
		if r.turns++; r.turns > MostCalls {
			return r.wrong(x.line, "more than %d turns of loops", MostCalls)
		}
		r.values.add(x.each, k)
		err := r.list(x.do)
		r.values.drop()
		if err != nil {
			return err
		}
	}
	return nil
}

// call adds a call.
func (r *resolver) call(x *node) error {
	if len(r.out.Calls) >= MostCalls {
		return r.wrong(x.line, "more than %d calls", MostCalls)
	}
	c := mpi.Call{Op: x.call.op, Reduce: x.reduction}
	numbers := map[operand]int64{optag: defaultTag, root: int64(r.at.Root)}
	for _, k := range operandNames {
		if e := x.exprs[k.operand]; e != nil {
			n, err := r.value(e)
			if err != nil {
				return err
			}
			numbers[k.operand] = n
		}
	}
	for _, o := range []operand{to, from, root, atRank} {
		if n := numbers[o]; x.call.operands&o != 0 && (n < 0 || n >= int64(r.at.Size)) {
			return r.wrong(x.line, "%s: rank %d of %d", x.call.name, n, r.at.Size)
		}
	}
	switch {
	case numbers[optag] < 0 || numbers[optag] > mostTag:
		return r.wrong(x.line, "%s: tag %d: want 0 to %d", x.call.name, numbers[optag], mostTag)
	case numbers[times] < 0 || numbers[micros] < 0 || numbers[micros] > mostMicros || numbers[times] > mostTimes:
		return r.wrong(x.line, "%s: want 0 to %d times, or 0 to %d microseconds", x.call.name, mostTimes, mostMicros)
	}
	if x.call.operands&optag != 0 {
		c.Tag = int(numbers[optag])
	}
	if x.call.operands&root != 0 {
		c.Root = int(numbers[root])
	}
	c.Times, c.Seconds = numbers[times], float64(numbers[micros])/1e6
	if c.Op.OnWindow() {
		if err := r.access(x, &c, numbers[atRank]); err != nil {
			return err
		}
		return r.add(x, c)
	}
	if c.Op == mpi.FileSync {
		c.Recv = mpi.One(len(r.out.Places))
		r.out.Places = append(r.out.Places, Place{Area: r.file.File, File: true})
	}
	var err error
	if x.call.operands&of != 0 {
		if c.Send, err = r.span(x, &x.of, eachOf, numbers[to]); err != nil {
			return err
		}
	}
	if x.call.operands&into != 0 {
		if c.Recv, err = r.span(x, &x.into, eachInto, numbers[from]); err != nil {
			return err
		}
	}
	return r.add(x, c)
}

// Limits of operands. The least tag that every MPI has is 32767 (MPI 4.1, 9.1.2).
const (
	defaultTag = 1
	mostTag    = 32767
	mostTimes  = 1 << 40
	mostMicros = 3600 * 1000 * 1000
)

// add appends a call, and remembers its request.
func (r *resolver) add(x *node, c mpi.Call) error {
	index := len(r.out.Calls)
	switch {
	case x.call.operands&request != 0:
		of, open := r.requests[x.request]
		if !open {
			return r.wrong(x.line, "wait: %q is not open", x.request)
		}
		c.Of = of
		delete(r.requests, x.request)
	case c.Op == mpi.Waitall:
		clear(r.requests)
	case x.request != "":
		if _, open := r.requests[x.request]; open {
			return r.wrong(x.line, "%s: %q is still open", x.call.name, x.request)
		}
		r.requests[x.request] = index
	}
	r.out.Calls, r.out.Lines = append(r.out.Calls, c), append(r.out.Lines, max(1, x.line-r.file.hidden))
	return nil
}

// span adds the places of one side of a call: one, or one for each process.
func (r *resolver) span(x *node, p *place, each operand, peer int64) (mpi.Span, error) {
	span := mpi.Span{First: len(r.out.Places), Count: 1}
	if x.call.operands&each == 0 {
		place, err := r.place(x.line, p, x.kind)
		place.Peer = int(peer)
		r.out.Places = append(r.out.Places, place)
		return span, err
	}
	span.Count = r.at.Size
	if len(r.out.Places)+span.Count > MostCalls {
		return span, r.wrong(x.line, "more than %d places", MostCalls)
	}
	for peer := range r.at.Size {
		r.values.add("peer", int64(peer))
		place, err := r.place(x.line, p, x.kind)
		r.values.drop()
		if err != nil {
			return span, err
		}
		place.Peer = peer
		r.out.Places = append(r.out.Places, place)
	}
	return span, nil
}

// place computes a part of an area.
func (r *resolver) place(line int, p *place, kind mpi.Type) (x Place, err error) {
	size := r.sizes[p.area]
	x = Place{Area: p.area, Length: size, Type: kind, File: p.area == r.file.File}
	if p.offset != nil {
		if x.Offset, err = r.value(p.offset); err != nil {
			return x, err
		}
		if x.Length, err = r.value(p.length); err != nil {
			return x, err
		}
	}
	if x.Offset < 0 || x.Length < 0 || x.Length > size || x.Offset > size-x.Length {
		return x, r.wrong(line, "%s[%d, %d]: the area has %d bytes", r.file.Areas[p.area].Name, x.Offset, x.Length,
			size)
	}
	if x.Length%kind.Size() != 0 {
		return x, r.wrong(line, "%s[%d, %d]: no whole number of elements of %d bytes", r.file.Areas[p.area].Name,
			x.Offset, x.Length, kind.Size())
	}
	return x, nil
}

// check adds a comparison.
func (r *resolver) check(c check) error {
	if c.when != nil {
		if n, err := r.value(c.when); err != nil || n == 0 {
			return err
		}
	}
	kind := r.file.Areas[c.want.area].Type
	have, err := r.place(c.line, &c.have, kind)
	if err != nil {
		return err
	}
	want, err := r.place(c.line, &c.want, kind)
	if err != nil {
		return err
	}
	rank := int64(Sum)
	if c.of != nil {
		if rank, err = r.value(c.of); err != nil {
			return err
		}
	}
	switch {
	case have.Length != want.Length:
		return r.wrong(c.line, "check: %d bytes against %d", have.Length, want.Length)
	case c.of != nil && (rank < 0 || rank >= int64(r.at.Size)):
		return r.wrong(c.line, "check: rank %d of %d", rank, r.at.Size)
	case want.Offset%kind.Size() != 0:
		return r.wrong(c.line, "check: byte %d is inside of an element of %d bytes", want.Offset, kind.Size())
	}
	r.out.Checks = append(r.out.Checks, Check{have, want.Area, want.Offset, int(rank)})
	return nil
}

// Ops returns the calls that the file has, each once.
func (f *File) Ops() (ops []mpi.Op) {
	walk(f.calls, func(x *node) {
		if !slices.Contains(ops, x.call.op) {
			ops = append(ops, x.call.op)
		}
	})
	return ops
}

// Packed reports whether the file has a call whose places must stay next to each other.
func (f *File) Packed() bool {
	return slices.ContainsFunc(f.Ops(), func(op mpi.Op) bool {
		send, _ := op.Parts()
		return op.Reduces() && send == mpi.Vector
	})
}

// walk calls see with each call of a list, those inside of loops and conditions too.
func walk(list []node, see func(*node)) {
	for i := range list {
		if x := &list[i]; x.when != nil || x.each != "" {
			walk(x.do, see)
		} else {
			see(x)
		}
	}
}

// Refused returns the error of a resolved program that mpi.Program.Validate refuses, with the line of the call that it
// names.
func (f *File) Refused(p *Program, rank int, err error) error {
	line, index := 0, 0
	if n, _ := fmt.Sscanf(err.Error(), "program: call %d", &index); n == 1 && index >= 0 && index < len(p.Lines) {
		line = p.Lines[index]
	}
	return &Error{f.Source, line, rank, err}
}
