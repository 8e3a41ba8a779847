package conformance

import (
	"errors"
	"fmt"
	"os"

	"github.com/effective-bandwidth/beff/mpi"
)

// fileOpen opens files with right and with wrong modes.
func fileOpen(d *folder) error {
	path := d.file("file")
	d.opensNot(path, mpi.ReadOnly)
	d.opensNot(path, mpi.ReadWrite)
	hints := []mpi.Hint{{Key: "no_such_hint", Value: "1"}}
	f, err := d.files.OpenFile(d.world, path, mpi.ReadWrite|mpi.Create|mpi.Exclusive|mpi.UniqueOpen, hints)
	if err != nil {
		return err
	}
	if f.Size() != mpi.FileSize {
		d.errorf("the file's size is %d", f.Size())
	}
	_, err = f.Hints()
	if err := errors.Join(err, f.SetHints(hints), f.SetView(mpi.View{Start: 8}, hints), f.Sync(),
		f.Close()); err != nil {
		return err
	}
	d.opensNot(path, mpi.ReadWrite|mpi.Create|mpi.Exclusive)
	if err := d.world.Barrier(); err != nil {
		return err
	}
	if err := d.withFile(d.world, path, mpi.ReadWrite|mpi.DeleteOnClose,
		func(mpi.File) error { return nil }); err != nil {
		return err
	}
	if _, err := os.Lstat(path); d.rank == 0 && !errors.Is(err, os.ErrNotExist) {
		d.errorf("the file is not gone: %v", err)
	}
	return nil
}

// opensNot records an error if a file opens.
func (d *folder) opensNot(path string, mode mpi.FileMode) {
	if _, err := d.files.OpenFile(d.world, path, mode, nil); err == nil {
		d.errorf("mode %b was not refused", mode)
	}
}

// invalidFiles holds functions that spoil a valid program. That program writes 16 bytes (place 0) to a file (place 1).
var invalidFiles = []struct {
	name  string
	spoil func(p *mpi.Program)
}{
	{"read the wrong way", func(p *mpi.Program) { p.Loop[0].Op = mpi.FileReadAt }},
	{"memory on both sides", func(p *mpi.Program) { p.Loop[0].Recv = mpi.One(0) }},
	{"a file on both sides", func(p *mpi.Program) { p.Loop[0].Send = mpi.One(1) }},
	{"different lengths", func(p *mpi.Program) { p.Places[1].Length = 8 }},
	{"odd lengths", func(p *mpi.Program) { p.Places[0].Length, p.Places[1].Length = 12, 12 }},
	{"odd offset", func(p *mpi.Program) { p.Places[1].Offset = 4 }},
	{"beyond all files", func(p *mpi.Program) { p.Places[1].Offset = mpi.FileSize - 8 }},
	{"a file as message", func(p *mpi.Program) {
		p.Loop[0].Op, p.Loop[0].Send, p.Loop[0].Recv = mpi.Sendrecv, mpi.One(1), mpi.One(0)
	}},
	{"a stamped file", func(p *mpi.Program) { p.Loop[0].Op, p.Loop[0].Send = mpi.Stamp, mpi.One(1) }},
	{"a checked file", func(p *mpi.Program) { p.Loop[0].Op = mpi.Check }},
	{"sync of memory", func(p *mpi.Program) { p.Loop[0].Op, p.Loop[0].Recv = mpi.FileSync, mpi.One(0) }},
}

func fileRefused(d *folder) error {
	b, err := d.NewBuffer(64)
	if err != nil {
		return err
	}
	defer b.Free()
	return d.withFile(d.world, d.file("file"), mpi.ReadWrite|mpi.Create, func(f mpi.File) error {
		for _, c := range invalidFiles {
			program := &mpi.Program{Comm: d.world}
			memory := mpi.One(program.Place(mpi.Place{Space: b, Length: 16}))
			file := mpi.One(program.Place(mpi.Place{Space: f, Length: 16}))
			program.Call(mpi.Call{Op: mpi.FileWriteAt, Send: memory, Recv: file})
			c.spoil(program)
			if r, err := d.Compile(program); err == nil {
				d.errorf("%s: was not refused", c.name)
				r.Close()
			}
		}
		return nil
	})
}

// spoilt is the layout of a file that is changed between write and read: 4 chunks in each of 3 loops.
var spoilt = layout{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: slots(24), length: always(96), chunk: 24}

var spoiltLoops = mpi.Loops{Untimed: 1, Timed: 2}

// flips holds bytes of loop 1 of the last process that are changed in the file, and the number of wrong chunks that
// result.
var flips = []struct {
	bytes []int64
	wrong int64
}{
	{[]int64{2 * 24}, 1},
	{[]int64{3*24 - 1}, 1},
	{[]int64{2 * 24, 3*24 - 1}, 1},
	{[]int64{1*24 + 3, 3*24 + 3, 2*24 - 2}, 2},
	{[]int64{2*24 + 12}, 0}, // between the marks
}

// fileFlip changes bytes on disk between write and read.
func fileFlip(d *folder) error {
	path := d.file("file")
	if err := d.writeLayouts(d.world, path, []layout{spoilt}, spoiltLoops); err != nil {
		return err
	}
	victim := d.size - 1
	at := spoilt.at(victim, d.size, 1)
	for _, flip := range flips {
		data := spoilt.data(victim, 1)
		for _, x := range flip.bytes {
			data[x] ^= 0x10
		}
		change := func() error { return flipBytes(path, spoilt.view(victim, d.size), at, flip.bytes) }
		if err := d.alone(change); err != nil {
			return err
		}
		m, err := d.readSpoilt(path, spoiltLoops)
		if err != nil {
			return err
		}
		wrong, want := flip.wrong, check(data, spoilt.mark(victim), 1)
		if d.rank != victim {
			wrong, want = 0, nil
		}
		d.sameWrong(m, wrong, want)
		if err := d.alone(change); err != nil {
			return err
		}
	}
	return nil
}

func flipBytes(path string, v mpi.View, at int64, bytes []int64) error {
	file, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, x := range bytes {
		file[seen(v, at+x)] ^= 0x10
	}
	return os.WriteFile(path, file, 0o600)
}

func (d *folder) readSpoilt(path string, n mpi.Loops) (m mpi.Measurement, err error) {
	err = d.withFile(d.world, path, mpi.ReadOnly, func(f mpi.File) (err error) {
		m, _, err = d.pass(d.world, f, spoilt, spoilt.read, n)
		return err
	})
	return m, err
}

// sameWrong compares the number of wrong chunks and the mismatch of a run. want lacks the rank.
func (p *process) sameWrong(m mpi.Measurement, wrong int64, want *mpi.Mismatch) {
	if m.Wrong != wrong {
		p.errorf("%d chunks are wrong, found %d", wrong, m.Wrong)
	}
	if m.Failure != nil {
		p.errorf("%w", m.Failure)
	}
	if want != nil {
		want.Rank = p.rank
	}
	p.sameMismatch(m.Mismatch, want)
}

// fileHole reads a part of the file that was never written: zeros.
func fileHole(d *folder) error {
	path := d.file("file")
	if err := d.writeLayouts(d.world, path, []layout{spoilt}, once); err != nil {
		return err
	}
	_, file := rowOf([]layout{spoilt}, d.size, 3)
	if err := d.alone(func() error { return os.Truncate(path, int64(len(file.data))) }); err != nil {
		return err
	}
	m, err := d.readSpoilt(path, mpi.Loops{Timed: 3})
	if err != nil {
		return err
	}
	d.sameWrong(m, 2*4, check(make([]byte, 96), spoilt.mark(d.rank), 1))
	return nil
}

// fileEnd reads beyond the file's end on the last process, which must not keep the others waiting. If that process
// decides, the failure ends the run. The number of bytes read is counted in whole elements of the view.
func fileEnd(d *folder) error {
	for _, end := range []ending{
		{path: d.file("doubles"), missing: 40, text: "40 of 80 bytes were read"},
		{path: d.file("bytes"), ofBytes: true, missing: 3, text: "77 of 80 bytes were read"},
	} {
		for _, decides := range []bool{false, true} {
			if err := d.end(end, decides); err != nil {
				return fmt.Errorf("%s, decide %v: %w", end.text, decides, err)
			}
		}
	}
	return nil
}

// ending is a file whose last bytes are missing.
type ending struct {
	path    string
	ofBytes bool
	missing int64
	text    string // of the failure
}

func (d *folder) end(end ending, decides bool) error {
	const length, loops = 80, 3
	l := layout{write: mpi.FileWrite, read: mpi.FileRead, length: always(length), chunk: length}
	l.view = func(rank, _ int) mpi.View {
		return mpi.View{Start: int64(rank) * loops * length, OfBytes: end.ofBytes}
	}
	if err := d.writeLayouts(d.world, end.path, []layout{l}, mpi.Loops{Timed: loops}); err != nil {
		return err
	}
	whole := int64(d.size * loops * length)
	if err := d.alone(func() error { return os.Truncate(end.path, whole-end.missing) }); err != nil {
		return err
	}
	b, err := d.NewBuffer(length)
	if err != nil {
		return err
	}
	defer b.Free()
	last := d.size - 1
	return d.withFile(d.world, end.path, mpi.ReadOnly, func(f mpi.File) error {
		if err := f.SetView(l.view(d.rank, d.size), nil); err != nil {
			return err
		}
		program, n := l.program(d.world, f, b, l.read), mpi.Loops{Timed: loops}
		program.Loop[len(program.Loop)-1] = mpi.Call{Op: mpi.Barrier}
		if decides {
			program.Call(mpi.Call{Op: mpi.Decide, Root: last})
			n.Timed = 1 << 40
		}
		want := ""
		if d.rank == last {
			want = end.text
		}
		return d.runFailing(program, n, want)
	})
}

// runFailing runs a program whose third loop must fail with the given text. Without a text it must not fail on this
// process.
func (d *folder) runFailing(program *mpi.Program, n mpi.Loops, text string) error {
	r, err := d.Compile(program)
	if err != nil {
		return err
	}
	defer r.Close()
	m, err := r.Run(n)
	if err != nil {
		return err
	}
	if m.Loops != 3 {
		d.errorf("%d loops instead of 3", m.Loops)
	}
	switch {
	case text == "" && m.Failure != nil:
		d.errorf("%w", m.Failure)
	case text != "" && m.Failure == nil:
		d.errorf("a read beyond the end is no failure")
	case text != "" && (m.Failure.Call != mpi.FileRead.String() || m.Failure.Rank != d.rank || m.Failure.Text != text):
		d.errorf("%+v", m.Failure)
	}
	return d.world.Barrier()
}
