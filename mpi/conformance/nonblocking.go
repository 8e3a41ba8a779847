package conformance

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/mpi"
)

// movement is a collective call that brings blocks from some processes to some, and changes none.
type movement struct {
	op               mpi.Op
	fromRoot, toRoot bool // the root alone gives, or gets
	personal         bool // each process gets another block
	vector           bool // blocks have lengths of their own, and gaps between them
}

var nonblockingMovements = []movement{
	{op: mpi.Ibcast, fromRoot: true},
	{op: mpi.Igather, toRoot: true},
	{op: mpi.Igatherv, toRoot: true, vector: true},
	{op: mpi.Iscatter, fromRoot: true, personal: true},
	{op: mpi.Iscatterv, fromRoot: true, personal: true, vector: true},
	{op: mpi.Iallgather},
	{op: mpi.Iallgatherv, vector: true},
	{op: mpi.Ialltoall, personal: true},
	{op: mpi.Ialltoallv, personal: true, vector: true},
}

// nonblockingUnits are the bytes of a block: none, one, one element, some, and more than any library sends eagerly:
// times P², so no more than that.
var nonblockingUnits = []int64{0, 1, 4, 5000, 1<<17 + 8}

// length is that of a block; the third process of three gives, or gets, nothing by vector calls.
func (m movement) length(from, to int, unit int64) int64 {
	switch {
	case !m.vector:
		return unit
	case !m.personal:
		return unit * int64((from+1)%3)
	case m.fromRoot:
		return unit * int64((to+1)%3)
	}
	return unit * int64((from+2*to+1)%3)
}

// block is what one process gives another. If all get the same, no receiver is in it.
func (m movement) block(from, to int, unit int64) []byte {
	data := make([]byte, m.length(from, to, unit))
	if !m.personal {
		to = 0
	}
	fill(data, from, to, int(m.op))
	return data
}

// areas is the memory of one process: what it gives, then what it gets, with gaps around all places.
type areas struct {
	data       []byte
	places     []mpi.Place // without their space
	send, recv mpi.Span
}

// add appends a place with these bytes, and returns its index.
func (a *areas) add(data []byte, peer int, kind mpi.Type) int {
	a.data = append(a.data, make([]byte, gap)...)
	for len(a.data)%int(kind.Size()) != 0 {
		a.data = append(a.data, 0)
	}
	a.places = append(a.places, mpi.Place{Offset: int64(len(a.data)), Length: int64(len(data)), Peer: peer, Type: kind})
	a.data = append(a.data, data...)
	return len(a.places) - 1
}

// addBlocks appends the blocks of one side: one place for each, from the last to the first, or one place for all.
func (a *areas) addBlocks(blocks [][]byte, apart bool) mpi.Span {
	if !apart {
		return mpi.One(a.add(bytes.Join(blocks, nil), 0, mpi.Byte))
	}
	first := len(a.places)
	for peer := len(blocks) - 1; peer >= 0; peer-- {
		a.add(blocks[peer], peer, mpi.Byte)
	}
	return mpi.Span{First: first, Count: len(blocks)}
}

// memory is that of a process before any call.
func (m movement) memory(rank, size int, unit int64) *areas {
	a := &areas{}
	give, get := [][]byte{m.block(rank, 0, unit)}, [][]byte{}
	for to := 1; m.personal && to < size; to++ {
		give = append(give, m.block(rank, to, unit))
	}
	for from := range size {
		get = append(get, make([]byte, m.length(from, rank, unit)))
	}
	if m.fromRoot {
		get = get[:1] // of the same length, whoever is the root
	}
	a.send = a.addBlocks(give, m.vector && m.personal)
	a.recv = a.addBlocks(get, m.vector && !m.fromRoot)
	a.data = append(a.data, make([]byte, gap)...)
	return a
}

// apply puts into a process' memory what it gets from a call.
func (m movement) apply(a *areas, rank, size, root int, unit int64) {
	if m.toRoot && rank != root || m.fromRoot && !m.personal && rank == root {
		return // the root of a broadcast has what it gives
	}
	at := a.places[a.recv.First].Offset
	for from := range size {
		switch {
		case m.fromRoot && from != root:
			continue
		case m.vector && !m.fromRoot:
			at = a.places[a.recv.First+size-1-from].Offset
		}
		at += int64(copy(a.data[at:], m.block(from, rank, unit)))
	}
}

// reducing is a collective call that combines what all processes give.
type reducing struct {
	op      mpi.Op
	toRoot  bool
	scatter bool // each process gets a part
}

var nonblockingReductions = []reducing{
	{op: mpi.Ireduce, toRoot: true},
	{op: mpi.IreduceScatter, scatter: true},
	{op: mpi.Iallreduce},
}

// numeric is what is combined, and how.
type numeric struct {
	kind mpi.Type
	op   mpi.Reduction
}

// reductionTypes are the types and operations that reductions are tried with.
var reductionTypes = []numeric{{mpi.Float32, mpi.Sum}, {mpi.Int32, mpi.Max}, {mpi.Float64, mpi.Min},
	{mpi.Int64, mpi.Sum}}

// parts are the elements that each process gets of a reduction of about n.
func (m reducing) parts(size int, n int64) []int64 {
	if !m.scatter {
		return []int64{n}
	}
	parts := make([]int64, size)
	for i := range parts {
		parts[i] = n / int64(size)
		if i == 0 {
			parts[i] += n % int64(size)
		}
	}
	return parts
}

// element number i of a process is a whole number that all types have, and so have sums of a few.
func element(rank int, i int64) int64 { return (int64(rank+1)*31 + i*7) % 101 }

// encode writes a whole number as an element of a type.
func encode(data []byte, kind mpi.Type, value int64) []byte {
	switch kind {
	case mpi.Int32:
		return binary.NativeEndian.AppendUint32(data, uint32(value))
	case mpi.Int64:
		return binary.NativeEndian.AppendUint64(data, uint64(value))
	case mpi.Float32:
		return binary.NativeEndian.AppendUint32(data, math.Float32bits(float32(value)))
	}
	return binary.NativeEndian.AppendUint64(data, math.Float64bits(float64(value)))
}

// combined is what all processes' elements make.
func combined(op mpi.Reduction, size int, i int64) int64 {
	value := element(0, i)
	for rank := 1; rank < size; rank++ {
		switch other := element(rank, i); op {
		case mpi.Sum:
			value += other
		case mpi.Max:
			value = max(value, other)
		default:
			value = min(value, other)
		}
	}
	return value
}

// reduction is one try of a reducing call.
type reduction struct {
	reducing
	kind  mpi.Type
	with  mpi.Reduction
	parts []int64
}

func (m reduction) memory(rank int) *areas {
	a, i, last := &areas{}, int64(0), 0
	var all []byte
	for _, n := range m.parts {
		for range n {
			all = encode(all, m.kind, element(rank, i))
			i++
		}
	}
	last = a.add(all, 0, m.kind)
	a.send = mpi.One(last)
	if m.scatter {
		a.split(m)
	}
	a.recv = mpi.One(a.add(make([]byte, m.parts[m.part(rank)]*m.kind.Size()), rank, m.kind))
	a.data = append(a.data, make([]byte, gap)...)
	return a
}

// split makes a place for each process of the one that there is.
func (a *areas) split(m reduction) {
	whole := a.places[0]
	a.places, a.send = nil, mpi.Span{Count: len(m.parts)}
	for peer, n := range m.parts {
		whole.Length, whole.Peer = n*m.kind.Size(), peer
		a.places = append(a.places, whole)
		whole.Offset += whole.Length
	}
}

// part is the index of what a process gets.
func (m reduction) part(rank int) int {
	if m.scatter {
		return rank
	}
	return 0
}

func (m reduction) apply(a *areas, rank, size, root int) {
	if m.toRoot && rank != root {
		return
	}
	first := int64(0)
	for _, n := range m.parts[:m.part(rank)] {
		first += n
	}
	var result []byte
	for i := range m.parts[m.part(rank)] {
		result = encode(result, m.kind, combined(m.with, size, first+i))
	}
	copy(a.data[a.places[a.recv.First].Offset:], result)
}

// trial is a collective call in a program: with its memory, and what a call does to that.
type trial struct {
	call   mpi.Call
	memory *areas
	apply  func(root int)
}

// run runs the call three times over two runs of a program, and compares all memory after each run.
func (t trial) run(p *process, c mpi.Comm) error {
	b, err := p.NewBuffer(int64(len(t.memory.data)))
	if err != nil {
		return err
	}
	defer b.Free()
	copy(b.Bytes(), t.memory.data)
	r, err := p.Compile(t.program(c, b))
	if err != nil {
		return fmt.Errorf("compile %v: %w", t.call.Op, err)
	}
	defer r.Close()
	root := t.call.Root
	for _, n := range []mpi.Loops{{Timed: 1}, {Untimed: 1, Timed: 1}} {
		if err := p.runRight(r, n); err != nil {
			return fmt.Errorf("%v: %w", t.call.Op, err)
		}
		for range n.Untimed + n.Timed {
			t.apply(root)
			if t.call.Rotate {
				root = (root + 1) % c.Size()
			}
		}
		if !bytes.Equal(b.Bytes(), t.memory.data) {
			p.errorf("%+v: the memory of %d bytes is wrong after %+v", t.call, b.Size(), n)
		}
	}
	return nil
}

// program lets a barrier be under way beside a call that opens a request.
func (t trial) program(c mpi.Comm, b mpi.Buffer) *mpi.Program {
	program := &mpi.Program{Comm: c, Start: c}
	for _, place := range t.memory.places {
		place.Space = b
		program.Place(place)
	}
	t.call.Send, t.call.Recv = t.memory.send, t.memory.recv
	program.Call(t.call)
	if t.call.Op.Starts() {
		program.Call(mpi.Call{Op: mpi.Ibarrier}, mpi.Call{Op: mpi.Wait, Of: 0}, mpi.Call{Op: mpi.Waitall})
	}
	return program
}

// roots are where the root stays or starts.
func roots(size int) []mpi.Call {
	return []mpi.Call{{Root: 0}, {Root: size - 1}, {Root: size - 1, Rotate: true}}
}

// nonblocking moves blocks.
func nonblocking(p *process) error {
	return p.onHalves(func(c mpi.Comm) error { return p.runMovements(c, nonblockingMovements) })
}

// runMovements tries calls with all lengths and roots.
func (p *process) runMovements(c mpi.Comm, movements []movement) error {
	for _, m := range movements {
		for _, unit := range nonblockingUnits {
			for i, call := range roots(c.Size()) {
				if i > 0 && !m.fromRoot && !m.toRoot {
					break
				}
				call.Op = m.op
				memory := m.memory(c.Rank(), c.Size(), unit)
				apply := func(root int) { m.apply(memory, c.Rank(), c.Size(), root, unit) }
				if err := (trial{call, memory, apply}).run(p, c); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// nonblockingReduce combines elements.
func nonblockingReduce(p *process) error {
	return p.runReductions(p.world, nonblockingReductions, reductionTypes, nonblockingUnits)
}

// runReductions tries calls with all roots, some types and some lengths.
func (p *process) runReductions(c mpi.Comm, reductions []reducing, kinds []numeric, units []int64) error {
	for _, m := range reductions {
		for _, n := range units {
			for _, t := range kinds {
				for i, call := range roots(c.Size()) {
					if i > 0 && !m.toRoot {
						break
					}
					try := reduction{m, t.kind, t.op, m.parts(c.Size(), n/4)}
					call.Op, call.Reduce = m.op, t.op
					memory := try.memory(c.Rank())
					apply := func(root int) { try.apply(memory, c.Rank(), c.Size(), root) }
					if err := (trial{call, memory, apply}).run(p, c); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// onHalves does something on all processes, then on both halves of them.
func (p *process) onHalves(do func(c mpi.Comm) error) error {
	if err := do(p.world); err != nil {
		return err
	}
	c, err := p.world.Split(p.rank%2, -p.rank)
	if err != nil {
		return err
	}
	if err := do(c); err != nil {
		return err
	}
	return c.Free()
}

// nonblockingOps are the calls of both cases.
func nonblockingOps() []mpi.Op {
	ops := []mpi.Op{mpi.Ibarrier}
	for _, m := range nonblockingMovements {
		ops = append(ops, m.op)
	}
	for _, m := range nonblockingReductions {
		ops = append(ops, m.op)
	}
	return ops
}
