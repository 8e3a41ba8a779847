package local

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/effective-bandwidth/beff/mpi"
)

// maxTransfer is the largest number of bytes that one system call may move. Some systems limit a call to 2 GB.
const maxTransfer = 1 << 30

// transfer holds the parameters of a file call that reads or writes.
type transfer struct {
	file   *file
	memory *place
	place  *place // the place in the file, with its explicit offset in the view
	write  bool
}

// part is the data that one rank moves in a collective call. The other ranks read it.
type part struct {
	data []byte
	at   int64 // offset in the view
}

// The functions of file calls move data at the explicit offset, at the individual pointer or at the shared one, for one
// rank or collectively.

func atOffset(x *runner, rec *record) error { return x.move(rec, rec.place.at) }

func atOffsetAll(x *runner, rec *record) error { return x.moveAll(rec, rec.place.at) }

func atPointer(x *runner, rec *record) error { return x.move(rec, rec.forward()) }

func atPointerAll(x *runner, rec *record) error { return x.moveAll(rec, rec.forward()) }

func atShared(x *runner, rec *record) error {
	length := int64(rec.memory.length)
	return x.move(rec, rec.file.shared.pointer.Add(length)-length)
}

// inOrder moves the parts of all ranks in the order of their ranks, starting at the shared pointer (MPI 4.1, 14.4.4).
func inOrder(x *runner, rec *record) error {
	f := rec.file
	f.shared.parts[f.comm.number] = part{data: rec.memory.data}
	if err := f.comm.meet(); err != nil {
		return err
	}
	before, all := int64(0), int64(0)
	for i, p := range f.shared.parts {
		if i == f.comm.number {
			before = all
		}
		all += int64(len(p.data))
	}
	if f.comm.number == 0 {
		f.shared.base = f.shared.pointer.Add(all) - all
	}
	if err := f.comm.meet(); err != nil {
		return err
	}
	return x.move(rec, f.shared.base+before)
}

func syncFile(x *runner, rec *record) error {
	x.rank.storePosition()
	failed, err := rec.file.once(rec.op.String(), rec.file.system.Sync)
	if x.failure == nil {
		x.failure = failed
	}
	return err
}

func openFile(x *runner, rec *record) error {
	x.rank.storePosition()
	return x.recordFailure(rec.file.reopen())
}

func closeFile(x *runner, rec *record) error {
	x.rank.storePosition()
	return x.recordFailure(rec.file.leave(rec.op.String()))
}

// recordFailure keeps an error of the file, if it is the run's first failure. It returns all other errors.
func (x *runner) recordFailure(err error) error {
	var failed *mpi.Error
	if !errors.As(err, &failed) || errors.Is(err, mpi.ErrAborted) {
		return err
	}
	if x.failure == nil {
		x.failure = failed
	}
	return nil
}

// forward returns the individual pointer and advances it by the length of the transfer.
func (t *transfer) forward() int64 {
	at := t.file.pointer
	t.file.pointer += int64(t.memory.length)
	return at
}

// move moves the rank's own data.
func (x *runner) move(rec *record, at int64) error {
	if err := x.rank.world.check(); err != nil {
		return err
	}
	x.rank.storePosition()
	moved, err := rec.file.move(rec.memory.data, at, rec.write)
	x.recordIncomplete(rec, moved, err)
	return nil
}

// moveAll moves the data of all ranks. It moves interleaved data as the two-phase I/O of MPI libraries does: each rank
// moves a contiguous part of the file, from and to the memory of all ranks. With chunks of 1 kB this is about 12 times
// as fast as one system call for each chunk.
func (x *runner) moveAll(rec *record, at int64) error {
	f := rec.file
	if !f.rows {
		return x.move(rec, at)
	}
	f.shared.parts[f.comm.number] = part{rec.memory.data, at}
	if err := f.comm.meet(); err != nil {
		return err
	}
	x.rank.storePosition()
	moved, err := 0, error(nil)
	if f.wholeBlocks() {
		moved, err = f.moveRows(rec.write)
	} else {
		moved, err = f.move(rec.memory.data, at, rec.write)
	}
	x.recordIncomplete(rec, moved, err)
	return f.comm.meet()
}

// recordIncomplete keeps the error of a transfer that moved too few bytes, if it is the run's first failure.
func (x *runner) recordIncomplete(rec *record, moved int, err error) {
	all := len(rec.memory.data)
	if moved == all || x.failure != nil {
		return
	}
	done, class, text := "read", errIO, ""
	if rec.write {
		done = "written"
	}
	if err != nil {
		class, text = classOf(err), err.Error()+": "
	}
	x.failure = rec.file.comm.fail(rec.op.String(), class,
		fmt.Sprintf("%s: %s%d of %d bytes were %s", rec.file.path, text, moved, all, done))
}

// move moves bytes at position at of the view, block by block, and returns their number.
func (f *file) move(data []byte, at int64, write bool) (moved int, err error) {
	v := f.view
	if v.Slots <= 1 {
		return f.readOrWrite(data, v.Start+at, write)
	}
	for moved < len(data) {
		row, inBlock := at/v.Block, at%v.Block
		length := min(len(data)-moved, int(v.Block-inBlock))
		position := v.Start + (row*int64(v.Slots)+int64(v.Slot))*v.Block + inBlock
		n, err := f.readOrWrite(data[moved:][:length], position, write)
		moved, at = moved+n, at+int64(n)
		if err != nil || n < length {
			return moved, err
		}
	}
	return moved, nil
}

// readOrWrite moves bytes at position at of the file, and returns their number. Fewer bytes without an error mean the
// end of the file.
func (f *file) readOrWrite(data []byte, at int64, write bool) (moved int, err error) {
	readOrWrite := unix.Pread
	if write {
		readOrWrite = unix.Pwrite
	}
	for moved < len(data) {
		n, err := readOrWrite(f.descriptor, data[moved:min(len(data), moved+maxTransfer)], at+int64(moved))
		switch {
		case err == unix.EINTR:
		case err != nil || n == 0:
			return moved, err
		default:
			moved += n
		}
	}
	return moved, nil
}

// wholeBlocks reports whether all ranks move the same blocks of their slots, and only whole ones.
func (f *file) wholeBlocks() bool {
	first := f.shared.parts[0]
	for _, p := range f.shared.parts {
		if len(p.data) != len(first.data) || p.at != first.at {
			return false
		}
	}
	return first.at%f.view.Block == 0 && int64(len(first.data))%f.view.Block == 0
}

// moveRows moves this rank's share of the rows: a contiguous part of the file with as many bytes as each rank has in
// memory.
func (f *file) moveRows(write bool) (moved int, err error) {
	mine := f.shared.parts[f.comm.number]
	begin := f.comm.number * len(mine.data) // offset in the rows
	at := f.view.Start + mine.at*int64(f.view.Slots) + int64(begin)
	for moved < len(mine.data) {
		f.gather(begin+moved, begin+len(mine.data))
		n, err := moveVector(f.descriptor, f.vector, at+int64(moved), write)
		switch {
		case err == unix.EINTR:
		case err != nil || n == 0:
			return moved, err
		default:
			moved += n
		}
	}
	return moved, nil
}

// gather sets f.vector to the pieces of the ranks' memory that belong to the bytes from begin to end of the rows. If
// there are more pieces than one system call can move, it leaves out the last ones.
func (f *file) gather(begin, end int) {
	block := int(f.view.Block)
	f.vector = f.vector[:0]
	for begin < end && len(f.vector) < maxVector {
		number, inBlock := begin/block, begin%block
		row, slot := number/f.view.Slots, number%f.view.Slots
		data := f.shared.parts[slot].data[row*block+inBlock:]
		v := unix.Iovec{Base: &data[0]}
		v.SetLen(min(block-inBlock, end-begin))
		f.vector = append(f.vector, v)
		begin += block - inBlock
	}
}
