package conformance

import (
	"encoding/binary"
	"math"

	"github.com/effective-bandwidth/beff/mpi"
)

// reducing is a collective call that combines data of all processes.
type reducing struct {
	op      mpi.Op
	toRoot  bool
	scatter bool // each process receives a part
	even    bool // of the same length
	form    mpi.Form
}

// reductions has a row for each such call.
var reductions = []reducing{
	{op: mpi.Reduce, toRoot: true},
	{op: mpi.ReduceScatter, scatter: true},
	{op: mpi.ReduceScatterBlock, scatter: true, even: true},
	{op: mpi.Allreduce},
}

// reductionsOf returns reductions with the calls of a family instead of the blocking ones.
func reductionsOf(f mpi.Family) []reducing {
	var list []reducing
	for _, m := range reductions {
		m.op, _ = variant(m.op, f)
		list = append(list, m)
	}
	return list
}

// numeric is the type of the elements and the operation of a reduction.
type numeric struct {
	kind mpi.Type
	op   mpi.Reduction
}

// reductionTypes holds types and operations with which reductions are tested.
var reductionTypes = []numeric{{mpi.Float32, mpi.Sum}, {mpi.Int32, mpi.Max}, {mpi.Float64, mpi.Min},
	{mpi.Int64, mpi.Sum}}

// parts returns the number of elements that each process receives in a reduction of about n.
func (m reducing) parts(size int, n int64) []int64 {
	if !m.scatter {
		return []int64{n}
	}
	parts := make([]int64, size)
	for i := range parts {
		parts[i] = n / int64(size)
		if i == 0 && !m.even {
			parts[i] += n % int64(size)
		}
	}
	return parts
}

// element returns element i of a process. It is so small a whole number that all types hold it, and sums of a few,
// exactly.
func element(rank int, i int64) int64 { return (int64(rank+1)*31 + i*7) % 101 }

// encode appends a whole number as an element of a type.
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

// combined returns the reduction of element i of all processes.
func combined(op mpi.Reduction, size int, i int64) int64 {
	return reduceOthers(op, element(0, i), 0, size, i)
}

// reduction is one test of a reducing call.
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
	if m.scatter && !m.even {
		a.split(m)
	}
	a.recv = mpi.One(a.add(make([]byte, m.parts[m.part(rank)]*m.kind.Size()), rank, m.kind))
	a.data = append(a.data, make([]byte, gap)...)
	return a
}

// split replaces the one send place by a place for each process.
func (a *areas) split(m reduction) {
	whole := a.places[0]
	a.places, a.send = nil, mpi.Span{Count: len(m.parts)}
	for peer, n := range m.parts {
		whole.Length, whole.Peer = n*m.kind.Size(), peer
		a.places = append(a.places, whole)
		whole.Offset += whole.Length
	}
}

// part returns the index of the part that a process receives.
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

// runReductions tests calls with all roots, some types and some lengths.
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
					if err := (trial{call, memory, apply, m.form}).run(p, c); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}
