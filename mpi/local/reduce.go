package local

import (
	"fmt"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
)

const (
	// least is the smallest number of bytes of a result that a member computes. Fewer aren't worth the transfer to the
	// others.
	least = 8 << 10
	// block is the number of bytes that are combined at once. They stay in the first-level cache from one member's
	// values to the next.
	block = 16 << 10
)

// reduceToRoot does Reduce. Each member computes a segment of the result in the root's memory.
func reduceToRoot(w work) error {
	begin, end := w.segment()
	into := w.members[w.root].into[0].data
	return w.combine(into, begin, end)
}

// reduceToAll does Allreduce. Each member computes a segment in its own memory and then copies it to the others.
func reduceToAll(w work) error {
	begin, end := w.segment()
	if err := w.combine(w.into[0].data, begin, end); err != nil {
		return err
	}
	for i := range w.members {
		into := w.members[(w.me+i)%len(w.members)].into[0].data
		if len(into) != len(w.into[0].data) {
			return fmt.Errorf("a place of %d bytes here, of %d bytes on process %d", len(w.into[0].data), len(into),
				(w.me+i)%len(w.members))
		}
		if i > 0 {
			w.copy(into[begin:end], w.into[0].data[begin:end])
		}
	}
	return nil
}

// reduceScatter does Reduce_scatter, whose result is divided into segments by definition.
func reduceScatter(w work) error { return w.combine(w.into[0].data, 0, len(w.into[0].data)) }

// scan does Scan, the reduction of the data of all members up to this one.
func scan(w work) error {
	w.members = w.members[:w.me+1]
	return w.combine(w.into[0].data, 0, len(w.into[0].data))
}

// exscan does Exscan, the reduction of the data of all members before this one.
func exscan(w work) error {
	if w.me == 0 {
		return nil
	}
	w.members = w.members[:w.me]
	return w.combine(w.into[0].data, 0, len(w.into[0].data))
}

// segment returns the range of bytes of the result that this member computes. It has whole cache lines, so that no two
// members write to the same one.
func (w *work) segment() (begin, end int) {
	all := len(w.from[0].data)
	share := (all + len(w.members) - 1) / len(w.members)
	share = max(least, (share+line-1)/line*line)
	return min(w.me*share, all), min((w.me+1)*share, all)
}

// combine computes bytes begin to end of the reduction of the data that the members send to this member. It combines in
// the order of the ranks, so that the result is the same in each run and on each member.
func (w *work) combine(into []byte, begin, end int) error {
	for i := range w.members {
		if n := len(w.sent(i, w.me)); n != len(into) || w.members[i].from[0].kind != w.from[0].kind {
			return fmt.Errorf("%d bytes from process %d, a place of %d, or not of the same type", n, i, len(into))
		}
	}
	do := combinersOf(w.from[0].kind, w.gap > 0)
	for at := begin; at < end; at += block {
		next := min(at+block, end)
		result := into[at:next]
		if w.scratch != nil { // the result's place may hold elements that a member sends
			result = w.scratch[:next-at]
		}
		w.copy(result, w.sent(0, w.me)[at:next])
		for i := 1; i < len(w.members); i++ {
			do(w.call.Reduce, result, w.sent(i, w.me)[at:next])
		}
		if w.scratch != nil {
			copy(into[at:next], result)
		}
	}
	return nil
}

// combiners holds a function for each type of numbers.
var combiners = [...]func(op mpi.Reduction, into, with []byte){
	mpi.Int32:   combine[int32],
	mpi.Int64:   combine[int64],
	mpi.Float32: combine[float32],
	mpi.Float64: combine[float64],
	mpi.Int8:    combine[int8],
}

// combine combines two lists of the same length into the first one.
func combine[T int8 | int32 | int64 | float32 | float64](op mpi.Reduction, into, with []byte) {
	a, b := numbers[T](into), numbers[T](with)
	b = b[:len(a)]
	switch op {
	case mpi.Sum:
		for i, v := range b {
			a[i] += v
		}
	case mpi.Max:
		for i, v := range b {
			a[i] = max(a[i], v)
		}
	case mpi.Min:
		for i, v := range b {
			a[i] = min(a[i], v)
		}
	}
}

// gappedCombiners holds functions for numbers that are each followed by a gap.
var gappedCombiners = [...]func(op mpi.Reduction, into, with []byte){
	mpi.Int32:   combineGapped[int32],
	mpi.Int64:   combineGapped[int64],
	mpi.Float32: combineGapped[float32],
	mpi.Float64: combineGapped[float64],
	mpi.Int8:    combineGapped[int8],
}

// combinersOf returns the function for a type of numbers, with or without gaps between them.
func combinersOf(kind mpi.Type, gapped bool) func(op mpi.Reduction, into, with []byte) {
	if gapped {
		return gappedCombiners[kind]
	}
	return combiners[kind]
}

// combineGapped combines every other element of two lists of the same length into the first one.
func combineGapped[T int8 | int32 | int64 | float32 | float64](op mpi.Reduction, into, with []byte) {
	a, b := numbers[T](into), numbers[T](with)
	b = b[:len(a)]
	for i := 0; i < len(a); i += 2 {
		switch op {
		case mpi.Sum:
			a[i] += b[i]
		case mpi.Max:
			a[i] = max(a[i], b[i])
		case mpi.Min:
			a[i] = min(a[i], b[i])
		}
	}
}

// numbers returns bytes as numbers without a copy. As in MPI, the caller is responsible for the alignment. The
// processors that Go and MPI run on accept any address.
func numbers[T int8 | int32 | int64 | float32 | float64](data []byte) []T {
	var one T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/int(unsafe.Sizeof(one)))
}
