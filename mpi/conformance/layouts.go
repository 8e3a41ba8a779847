package conformance

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// layout describes a program with one file call, so that the position of each byte of each process in the file is
// known.
type layout struct {
	write, read mpi.Op
	view        func(rank, size int) mpi.View
	length      func(rank int) int64       // bytes of a call
	offset      func(rank, size int) int64 // in the view, for calls with explicit offsets
	chunk       int64
}

// layoutLoops is the number of loops of a layout's program.
var layoutLoops = mpi.Loops{Untimed: 1, Timed: 2}

// whole returns the view of the whole file.
func whole(int, int) mpi.View { return mpi.View{} }

// segment returns a view of one part of the file for each process. The last process has the first part.
func segment(rank, size int) mpi.View { return mpi.View{Start: int64(size-1-rank) * 10320} }

// slots returns views of rows that have one block for each process.
func slots(block int64) func(rank, size int) mpi.View {
	return func(rank, size int) mpi.View { return mpi.View{Start: 40, Block: block, Slots: size, Slot: rank} }
}

// freeSlots returns views of rows that have two unused slots.
func freeSlots(rank, size int) mpi.View {
	return mpi.View{Block: 48, Slots: size + 2, Slot: rank + 1}
}

// always returns the same length for all processes.
func always(length int64) func(int) int64 { return func(int) int64 { return length } }

// longer returns another length for each process.
func longer(rank int) int64 { return 24 * int64(rank+1) }

var segmentLayouts = []layout{
	{write: mpi.FileWrite, read: mpi.FileRead, view: segment, length: always(3096), chunk: 1032},
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: segment, length: always(3096), chunk: 1032},
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: segment, length: longer, chunk: 8},
}

var slotLayouts = []layout{
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: slots(8), length: always(40), chunk: 8},
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: slots(1032), length: always(3096), chunk: 1032},
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: slots(32776), length: always(65552), chunk: 32776},
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: slots(24), length: always(40), chunk: 8}, // no whole blocks
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: slots(24), length: longer, chunk: 24},
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: freeSlots, length: always(96), chunk: 48},
	{write: mpi.FileWrite, read: mpi.FileRead, view: slots(1032), length: always(3096), chunk: 1032},
}

var orderedLayouts = []layout{
	{write: mpi.FileWriteOrdered, read: mpi.FileReadOrdered, view: whole, length: always(1032), chunk: 1032},
	{write: mpi.FileWriteOrdered, read: mpi.FileReadOrdered, view: whole, length: longer, chunk: 24},
}

var offsetLayouts = []layout{
	{write: mpi.FileWriteAt, read: mpi.FileReadAt, view: whole, length: always(1032), chunk: 1032, offset: backwards},
	{write: mpi.FileWriteAtAll, read: mpi.FileReadAtAll, view: whole, length: always(1032), chunk: 1032,
		offset: backwards},
	{write: mpi.FileWriteAtAll, read: mpi.FileReadAtAll, view: slots(48), length: always(96), chunk: 48,
		offset: sameOffset},
	{write: mpi.FileWriteAt, read: mpi.FileReadAt, view: slots(48), length: always(40), chunk: 8, offset: sameOffset},
}

var nonblockingLayouts = variants(mpi.FileNonblocking, segmentLayouts, offsetLayouts)

// sharedLayouts are those in which the position of each process' data is not known.
var sharedLayouts = append(sharedBlocking, variants(mpi.FileNonblocking, sharedBlocking)...)

var sharedBlocking = []layout{
	{write: mpi.FileWriteShared, read: mpi.FileReadShared, view: whole, length: always(1032), chunk: 1032},
}

var splitLayouts = append(variants(mpi.SplitBegin, segmentLayouts, slotLayouts, offsetLayouts),
	layout{write: mpi.FileWriteAllBegin, read: mpi.FileReadAllBegin, view: slots(32776), length: always(8 * 32776),
		chunk: 32776})

// splitOrderedLayouts have the same view on all processes, which the shared pointer requires (MPI 4.1, 14.4.4).
var splitOrderedLayouts = variants(mpi.SplitBegin, orderedLayouts)

// variants returns the layouts with the calls of a family instead of the blocking ones. Layouts without such calls are
// left out.
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

// byteLayouts have views of bytes, with lengths and offsets that are not multiples of an element's size.
var byteLayouts = []layout{
	{write: mpi.FileWriteAt, read: mpi.FileReadAt, view: ofBytes(whole), length: always(1),
		offset: func(rank, _ int) int64 { return int64(rank) }},
	{write: mpi.FileWrite, read: mpi.FileRead, view: ofBytes(oddSegment), length: always(13)},
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: ofBytes(oddSlots), length: always(15)},
	{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: ofBytes(oddSlots), length: always(1001)}, // no whole blocks
	{write: mpi.FileWriteAtAll, read: mpi.FileReadAtAll, view: ofBytes(oddSlots), length: always(10),
		offset: func(int, int) int64 { return 7 }},
	{write: mpi.FileIwriteAt, read: mpi.FileIreadAt, view: ofBytes(whole), length: always(333),
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

// opsOf returns the calls of layouts, with the second halves of split calls.
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

// mark returns the marks of a process, which differ between processes, loops and chunks. Layouts without chunks have
// none. With explicit offsets they don't depend on the loop, because all loops go to the same place.
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

// data returns the bytes that a process writes in a loop.
func (l layout) data(rank int, loop int64) []byte {
	data := make([]byte, l.length(rank))
	fill(data, rank, 0, 0)
	stamp(data, l.mark(rank), loop)
	return data
}

// at returns the position in the view at which the call of a loop starts.
func (l layout) at(rank, size int, loop int64) int64 {
	switch {
	case l.offset != nil:
		return l.offset(rank, size)
	case l.write.Blocking() != mpi.FileWriteOrdered:
		return loop * l.length(rank)
	}
	before, all := int64(0), int64(0)
	for r := range size {
		if r == rank {
			before = all
		}
		all += l.length(r)
	}
	return loop*all + before
}

// seen returns the position in the file of byte x of a view. It is a second implementation of mpi.View's definition.
func seen(v mpi.View, x int64) int64 {
	if v.Slots > 1 {
		row, in := x/v.Block, x%v.Block
		return v.Start + (row*int64(v.Slots)+int64(v.Slot))*v.Block + in
	}
	return v.Start + x
}

// behind returns the layout moved on by start bytes of the file.
func (l layout) behind(start int64) layout {
	view := l.view
	l.view = func(rank, size int) mpi.View {
		v := view(rank, size)
		v.Start += start
		return v
	}
	return l
}

// image is the known content of a file. Bytes that no process has written may have any value, because MPI libraries
// also write data between the places.
type image struct {
	data    []byte
	written []bool
}

// put adds the data of all loops of a layout.
func (f *image) put(l layout, size int, loops int64) {
	for loop := range loops {
		for rank := range size {
			v, at := l.view(rank, size), l.at(rank, size, loop)
			for x, b := range l.data(rank, loop) {
				i := seen(v, at+int64(x))
				if more := i + 1 - int64(len(f.data)); more > 0 {
					f.data, f.written = append(f.data, make([]byte, more)...), append(f.written, make([]bool, more)...)
				}
				f.data[i], f.written[i] = b, true
			}
		}
	}
}

// rowOf places layouts one after the other and returns the content of the file.
func rowOf(layouts []layout, size int, loops int64) (row []layout, file image) {
	for _, l := range layouts {
		l = l.behind(int64(len(file.data)))
		row = append(row, l)
		file.put(l, size, loops)
	}
	return row, file
}

// program returns a program that moves the layout's data between memory, which is place 0, and the file.
func (l layout) program(c mpi.Comm, f mpi.File, b mpi.Buffer, op mpi.Op) *mpi.Program {
	program := &mpi.Program{Comm: c, Start: c}
	length, offset := l.length(c.Rank()), int64(0)
	if l.offset != nil {
		offset = l.offset(c.Rank(), c.Size())
	}
	memory := mpi.One(program.Place(mpi.Place{Space: b, Length: length, Mark: l.mark(c.Rank())}))
	file := mpi.One(program.Place(mpi.Place{Space: f, Offset: offset, Length: length}))
	call := mpi.Call{Op: op, Send: file, Recv: memory}
	if op == l.write {
		program.Call(mpi.Call{Op: mpi.Stamp, Send: memory})
		call.Send, call.Recv = memory, file
	}
	program.Call(call)
	if op.Starts() {
		program.Call(mpi.Call{Op: mpi.Waitall})
	}
	if op.Family() == mpi.SplitBegin {
		call.Op = op.End()
		program.Call(call)
	}
	if op == l.read {
		program.Call(mpi.Call{Op: mpi.Check, Recv: memory})
	}
	return program
}
