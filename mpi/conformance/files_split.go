package conformance

import (
	"bytes"
	"fmt"
	"os"

	"github.com/effective-bandwidth/beff/mpi"
)

// ends are the second halves of split collective calls.
var ends = map[mpi.Op]mpi.Op{
	mpi.FileWriteAtAllBegin:   mpi.FileWriteAtAllEnd,
	mpi.FileWriteAllBegin:     mpi.FileWriteAllEnd,
	mpi.FileWriteOrderedBegin: mpi.FileWriteOrderedEnd,
	mpi.FileReadAtAllBegin:    mpi.FileReadAtAllEnd,
	mpi.FileReadAllBegin:      mpi.FileReadAllEnd,
	mpi.FileReadOrderedBegin:  mpi.FileReadOrderedEnd,
}

var splitLayouts = []layout{
	{write: mpi.FileWriteAllBegin, read: mpi.FileReadAllBegin, view: segment, length: always(3096), chunk: 1032},
	{write: mpi.FileWriteAllBegin, read: mpi.FileReadAllBegin, view: slots(1032), length: always(3096), chunk: 1032},
	{write: mpi.FileWriteAllBegin, read: mpi.FileReadAllBegin, view: slots(24), length: longer, chunk: 24},
	{write: mpi.FileWriteAllBegin, read: mpi.FileReadAllBegin, view: slots(32776), length: always(8 * 32776),
		chunk: 32776},
	{write: mpi.FileWriteAtAllBegin, read: mpi.FileReadAtAllBegin, view: whole, length: always(1032), chunk: 1032,
		offset: backwards},
	{write: mpi.FileWriteAtAllBegin, read: mpi.FileReadAtAllBegin, view: slots(48), length: always(96), chunk: 48,
		offset: sameOffset},
}

// splitOrderedLayouts have no view of their own: the shared pointer wants the same of all.
var splitOrderedLayouts = []layout{
	{write: mpi.FileWriteOrderedBegin, read: mpi.FileReadOrderedBegin, view: whole, length: always(1032), chunk: 1032},
	{write: mpi.FileWriteOrderedBegin, read: mpi.FileReadOrderedBegin, view: whole, length: longer, chunk: 24},
}

// byteLayouts have views, lengths and offsets that are no multiples of anything.
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

// opsWithEnds lists the calls of layouts and their second halves.
func opsWithEnds(layouts ...layout) []mpi.Op {
	all := opsOf(layouts)
	for _, op := range all {
		all = append(all, ends[op])
	}
	return all
}

// fileByteView refuses with doubles what it takes with bytes.
func fileByteView(d *folder) error {
	return d.withFile(d.world, d.file("file"), mpi.ReadWrite|mpi.Create, func(f mpi.File) error {
		b, err := d.NewBuffer(8)
		if err != nil {
			return err
		}
		defer b.Free()
		odd := mpi.View{Start: 3, Block: 5, Slots: d.size, Slot: d.rank}
		if f.SetView(odd, nil) == nil {
			d.errorf("a view of doubles with blocks of 5 bytes from byte 3 was not refused")
		}
		for _, bytes := range []bool{true, false, true} {
			if err := f.SetView(mpi.View{OfBytes: bytes}, nil); err != nil {
				return fmt.Errorf("set view: %w", err)
			}
			program := &mpi.Program{Comm: d.world}
			memory := mpi.One(program.Place(mpi.Place{Space: b, Length: 5}))
			file := mpi.One(program.Place(mpi.Place{Space: f, Offset: 1, Length: 5}))
			program.Call(mpi.Call{Op: mpi.FileWriteAt, Send: memory, Recv: file})
			r, err := d.Compile(program)
			if (err == nil) != bytes {
				d.errorf("5 bytes in a view of bytes, %v: %v", bytes, err)
			}
			if err == nil {
				r.Close()
			}
		}
		return nil
	})
}

// reopening are programs of Open and Close around a write, and whether the file is open behind them.
var reopening = []struct {
	name          string
	before, after []mpi.Op
}{
	{"open, write, close", ops(mpi.FileOpen), ops(mpi.FileClose)},
	{"close, open, write", ops(mpi.FileClose, mpi.FileOpen), nil},
	{"write, close, open", nil, ops(mpi.FileClose, mpi.FileOpen)},
	{"close, open, write, close, open", ops(mpi.FileClose, mpi.FileOpen), ops(mpi.FileClose, mpi.FileOpen)},
}

// fileReopen opens and closes a file in programs. It must be usable afterwards, in whatever state they leave it.
func fileReopen(d *folder) error {
	const length = 13
	b, err := d.NewBuffer(length)
	if err != nil {
		return err
	}
	defer b.Free()
	for i, c := range reopening {
		path := d.file(fmt.Sprint("file", i))
		err := d.withFile(d.world, path, mpi.ReadWrite|mpi.Create, func(f mpi.File) error {
			if err := f.SetView(mpi.View{OfBytes: true}, nil); err != nil {
				return fmt.Errorf("set view: %w", err)
			}
			program := d.reopenProgram(f, b, c.before, c.after)
			if err := d.runFine(program, mpi.Loops{Untimed: 1, Timed: 3}, mpi.Loops{Timed: 1}); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			return d.usable(f, c.name, int64(d.size)*length)
		})
		if err != nil {
			return err
		}
		if err := d.alone(func() error { return d.lookReopened(path, length) }); err != nil {
			return err
		}
	}
	return nil
}

// reopenProgram writes to where nobody else does, at an offset that is in bytes of the default view.
func (d *folder) reopenProgram(f mpi.File, b mpi.Buffer, before, after []mpi.Op) *mpi.Program {
	fill(b.Bytes(), d.rank, 0, 0)
	program := &mpi.Program{Comm: d.world, Start: d.world}
	memory := mpi.One(program.Place(mpi.Place{Space: b, Length: b.Size()}))
	file := mpi.One(program.Place(mpi.Place{Space: f, Offset: int64(d.rank) * b.Size(), Length: b.Size()}))
	for _, op := range before {
		program.Call(mpi.Call{Op: op, Recv: file})
	}
	program.Call(mpi.Call{Op: mpi.FileWriteAt, Send: memory, Recv: file})
	for _, op := range after {
		program.Call(mpi.Call{Op: op, Recv: file})
	}
	return program
}

// runFine runs a program whose file calls must not fail.
func (p *process) runFine(program *mpi.Program, loops ...mpi.Loops) error {
	r, err := p.Compile(program)
	if err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	defer r.Close()
	for _, n := range loops {
		m, err := r.Run(n)
		if err != nil {
			return fmt.Errorf("run: %w", err)
		}
		p.fine(m, n)
	}
	return nil
}

// usable notes what an open file can't do.
func (d *folder) usable(f mpi.File, what string, want int64) error {
	if err := f.Sync(); err != nil {
		return fmt.Errorf("%s: sync: %w", what, err)
	}
	if err := d.world.Barrier(); err != nil {
		return err
	}
	length, err := f.Length()
	if err != nil {
		return fmt.Errorf("%s: length: %w", what, err)
	}
	if length != want {
		d.errorf("%s: the file has %d bytes instead of %d", what, length, want)
	}
	if err := f.SetView(mpi.View{}, nil); err != nil {
		return fmt.Errorf("%s: set view: %w", what, err)
	}
	_, err = f.Hints()
	return err
}

// lookReopened looks at the file that all processes wrote.
func (d *folder) lookReopened(path string, length int) error {
	found, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var want []byte
	for rank := range d.size {
		data := make([]byte, length)
		fill(data, rank, 0, 0)
		want = append(want, data...)
	}
	if !bytes.Equal(found, want) {
		d.errorf("%s is %x instead of %x", path, found, want)
	}
	return nil
}

// fileSplitFails writes by split calls into a file that is open for reading: that is a failure of one of the halves,
// and no crash of the other. (Open MPI 4.1 waits for ever for the second half of a read beyond the end.)
func fileSplitFails(d *folder) error {
	b, err := d.NewBuffer(64)
	if err != nil {
		return err
	}
	defer b.Free()
	path := d.file("file")
	if err := d.alone(func() error { return os.WriteFile(path, nil, 0o600) }); err != nil {
		return err
	}
	return d.withFile(d.world, path, mpi.ReadOnly, func(f mpi.File) error {
		program := &mpi.Program{Comm: d.world, Start: d.world}
		memory := mpi.One(program.Place(mpi.Place{Space: b, Length: 64}))
		file := mpi.One(program.Place(mpi.Place{Space: f, Length: 64}))
		begin, end := mpi.FileWriteAtAllBegin, mpi.FileWriteAtAllEnd
		program.Call(mpi.Call{Op: begin, Send: memory, Recv: file}, mpi.Call{Op: end, Send: memory, Recv: file})
		r, err := d.Compile(program)
		if err != nil {
			return fmt.Errorf("compile: %w", err)
		}
		defer r.Close()
		m, err := r.Run(once)
		if err != nil {
			return fmt.Errorf("run: %w", err)
		}
		if m.Failure == nil || m.Failure.Call != begin.String() && m.Failure.Call != end.String() {
			d.errorf("writing a file that is open for reading failed like this: %v", m.Failure)
		}
		return nil
	})
}
