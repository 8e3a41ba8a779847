package conformance

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// layout is a pair of calls that write and read a file, with their places in it.
type layout struct {
	write, read mpi.Op
	view        func(rank, size int) mpi.View
	length      func(rank int) int64       // bytes of a call
	offset      func(rank, size int) int64 // in the view, for calls with explicit offsets
	chunk       int64                      // bytes of a chunk with marks, or 0 for no marks
}

// variant returns the call of a family that does the same work as a blocking call.
func variant(of mpi.Op, family mpi.Family) (mpi.Op, bool) {
	for _, op := range mpi.Ops() {
		if op.Family() == family && op.Blocking() == of {
			return op, true
		}
	}
	return of, false
}

// whole is the view of the whole file.
func whole(int, int) mpi.View { return mpi.View{} }

// segment is a view of one part of the file for each process. The last process has the first part.
func segment(rank, size int) mpi.View { return mpi.View{Start: int64(size-1-rank) * 10320} }

// slots returns a view of rows with one block for each process.
func slots(block int64) func(rank, size int) mpi.View {
	return func(rank, size int) mpi.View { return mpi.View{Start: 40, Block: block, Slots: size, Slot: rank} }
}

// freeSlots is a view of rows with two unused slots.
func freeSlots(rank, size int) mpi.View {
	return mpi.View{Block: 48, Slots: size + 2, Slot: rank + 1}
}

// fixed returns the same length for all processes.
func fixed(length int64) func(int) int64 { return func(int) int64 { return length } }

// longer is a different length for each process.
func longer(rank int) int64 { return 24 * int64(rank+1) }

var segmentLayouts = []layout{
	{write: mpi.FileWrite, read: mpi.FileRead, view: segment, length: fixed(3096), chunk: 1032},
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: segment, length: fixed(3096), chunk: 1032},
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: segment, length: longer, chunk: 8},
}

var slotLayouts = []layout{
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: slots(8), length: fixed(40), chunk: 8},
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: slots(1032), length: fixed(3096), chunk: 1032},
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: slots(32776), length: fixed(65552), chunk: 32776},
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: slots(24), length: fixed(40), chunk: 8}, // no whole blocks
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: slots(24), length: longer, chunk: 24},
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: freeSlots, length: fixed(96), chunk: 48},
	{write: mpi.FileWrite, read: mpi.FileRead, view: slots(1032), length: fixed(3096), chunk: 1032},
}

var orderedLayouts = []layout{
	{write: mpi.FileWriteOrdered, read: mpi.FileReadOrdered, view: whole, length: fixed(1032), chunk: 1032},
	{write: mpi.FileWriteOrdered, read: mpi.FileReadOrdered, view: whole, length: longer, chunk: 24},
}

var offsetLayouts = []layout{
	{write: mpi.FileWriteAt, read: mpi.FileReadAt, view: whole, length: fixed(1032), chunk: 1032, offset: backwards},
	{write: mpi.FileWriteAtAll, read: mpi.FileReadAtAll, view: whole, length: fixed(1032), chunk: 1032,
		offset: backwards},
	{write: mpi.FileWriteAtAll, read: mpi.FileReadAtAll, view: slots(48), length: fixed(96), chunk: 48,
		offset: sameOffset},
	{write: mpi.FileWriteAt, read: mpi.FileReadAt, view: slots(48), length: fixed(40), chunk: 8, offset: sameOffset},
}

// largeLayouts have large counts, of doubles and of bytes.
var largeLayouts = []layout{
	{write: mpi.FileWriteAtLarge, read: mpi.FileReadAtLarge, view: whole, length: fixed(1032), chunk: 1032,
		offset: backwards},
	{write: mpi.FileWriteAtLarge, read: mpi.FileReadAtLarge, view: ofBytes(whole), length: fixed(333),
		offset: func(rank, _ int) int64 { return int64(rank) * 333 }},
}

var nonblockingLayouts = variants(mpi.FileNonblocking, segmentLayouts, offsetLayouts)

var splitLayouts = append(variants(mpi.SplitBegin, segmentLayouts, slotLayouts, offsetLayouts),
	layout{write: mpi.FileWriteAllBegin, read: mpi.FileReadAllBegin, view: slots(32776), length: fixed(8 * 32776),
		chunk: 32776})

// splitOrderedLayouts have the same view on all processes, which the shared pointer requires (MPI 4.1, 14.4.4).
var splitOrderedLayouts = variants(mpi.SplitBegin, orderedLayouts)

// byteLayouts have views of bytes, with lengths and offsets that are not multiples of an element's size.
var byteLayouts = []layout{
	{write: mpi.FileWriteAt, read: mpi.FileReadAt, view: ofBytes(whole), length: fixed(1),
		offset: func(rank, _ int) int64 { return int64(rank) }},
	{write: mpi.FileWrite, read: mpi.FileRead, view: ofBytes(oddSegment), length: fixed(13)},
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: ofBytes(oddSlots), length: fixed(15)},
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: ofBytes(oddSlots), length: fixed(1001)}, // no whole blocks
	{write: mpi.FileWriteAtAll, read: mpi.FileReadAtAll, view: ofBytes(oddSlots), length: fixed(10),
		offset: func(int, int) int64 { return 7 }},
	{write: mpi.FileIwriteAt, read: mpi.FileIreadAt, view: ofBytes(whole), length: fixed(333),
		offset: func(rank, _ int) int64 { return int64(rank) * 333 }},
	{write: mpi.FileWriteOrdered, read: mpi.FileReadOrdered, view: ofBytes(whole),
		length: func(rank int) int64 { return int64(3*rank + 1) }},
}

func ofBytes(view func(rank, size int) mpi.View) func(rank, size int) mpi.View {
	return func(rank, size int) mpi.View {
		v := view(rank, size)
		v.OfBytes = true
		return v
	}
}

func oddSegment(rank, size int) mpi.View { return mpi.View{Start: int64(size-1-rank) * 39} }

func oddSlots(rank, size int) mpi.View { return mpi.View{Start: 3, Block: 5, Slots: size, Slot: rank} }

func backwards(rank, size int) int64 { return int64(size-1-rank) * 1032 }

func sameOffset(int, int) int64 { return 96 }

// variants returns the layouts with the calls of a family instead of the blocking ones. It leaves out layouts without
// such calls.
func variants(f mpi.Family, tables ...[]layout) (list []layout) {
	for _, l := range slices.Concat(tables...) {
		var writes, reads bool
		l.write, writes = variant(l.write, f)
		if l.read, reads = variant(l.read, f); writes && reads {
			list = append(list, l)
		}
	}
	return list
}

// opsOf returns the calls of layouts, including the second halves of split calls.
func opsOf(layouts []layout) []mpi.Op {
	ops := []mpi.Op{}
	for _, l := range layouts {
		for _, op := range []mpi.Op{l.write, l.read} {
			if ops = append(ops, op); op.Family() == mpi.SplitBegin {
				ops = append(ops, op.End())
			}
		}
	}
	return ops
}

// mark returns the marks of a process, which differ between processes, loops and chunks. With explicit offsets they
// don't depend on the loop, because all loops use the same place.
func (l layout) mark(rank int) mpi.Mark {
	if l.chunk == 0 {
		return mpi.Mark{}
	}
	m := mpi.Mark{Width: 8, Key: 1000000 * uint64(rank+1), PerLoop: 1000, Chunk: l.chunk, PerChunk: 1}
	if l.offset != nil {
		m.PerLoop = 0
	}
	return m
}

// add adds the call op to the latest program, with stamps or checks.
func (l layout) add(x *script, o *openFile, op mpi.Op) {
	x.see(o, l.view(x.rank, x.size))
	place := mpi.Place{Space: o, Length: l.length(x.rank)}
	if l.offset != nil {
		place.Offset = l.offset(x.rank, x.size)
	}
	file := x.put(place)
	memory := x.put(mpi.Place{Length: place.Length, Mark: l.mark(x.rank)})
	call := mpi.Call{Op: op, Send: file, Recv: memory}
	if op.Writes() {
		x.Call(mpi.Call{Op: mpi.Stamp, Send: memory})
		call.Send, call.Recv = memory, file
	}
	x.Call(call)
	if op.Starts() {
		x.Call(mpi.Call{Op: mpi.Waitall})
	}
	if op.Family() == mpi.SplitBegin {
		call.Op = op.End()
		x.Call(call)
	}
	if op.Reads() {
		x.Call(mpi.Call{Op: mpi.Check, Recv: memory})
	}
}

// written writes a file and then reads it.
func written(x *script, l layout) {
	o := x.file()
	l.add(x, o, l.write)
	x.run(mpi.Loops{Untimed: 1, Timed: 2})
	x.begin()
	l.add(x, o, l.read)
	x.run(mpi.Loops{Untimed: 1, Timed: 2})
}
