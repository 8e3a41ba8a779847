package conformance

import (
	"bytes"
	"fmt"
	"os"

	"github.com/effective-bandwidth/beff/mpi"
)

// fileByteView has a program that is valid in a view of bytes and refused in a view of doubles.
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

// reopening holds programs with Open and Close around a write.
var reopening = []struct {
	name          string
	before, after []mpi.Op
}{
	{"open, write, close", ops(mpi.FileOpen), ops(mpi.FileClose)},
	{"close, open, write", ops(mpi.FileClose, mpi.FileOpen), nil},
	{"write, close, open", nil, ops(mpi.FileClose, mpi.FileOpen)},
	{"close, open, write, close, open", ops(mpi.FileClose, mpi.FileOpen), ops(mpi.FileClose, mpi.FileOpen)},
}

// fileReopen opens and closes a file in programs. The file must be usable afterwards, whether they leave it open or
// closed.
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

// reopenProgram returns a program in which each process writes its own part of the file. The offset is in bytes, as in
// the default view.
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

// usable checks that an open file can be used, and records errors.
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

// lookReopened checks the content of the file that all processes have written.
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

// fileSplitFails writes with split calls into a file that is open for reading. One of the halves must fail, and the
// other must not crash. (Open MPI 4.1 hangs in the second half of a read beyond the end.)
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
