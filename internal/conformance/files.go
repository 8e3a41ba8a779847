package conformance

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"

	"github.com/effective-bandwidth/beff/mpi"
)

// folder is a process with a directory for the files of a case. All processes run on one machine, or share /tmp.
type folder struct {
	*process
	files mpi.Files
}

// inFolder returns the body of a case with a directory, which process 0 makes and removes.
func inFolder(body func(d *folder)) func(p *process) {
	return func(p *process) {
		files, ok := p.Engine.(mpi.Files)
		if !ok {
			p.errorf("the engine runs file calls, but opens no files")
			return
		}
		if p.rank == 0 {
			var err error
			p.folder, err = os.MkdirTemp("", "conformance-")
			p.must(err)
			defer os.RemoveAll(p.folder)
		}
		path := make([]byte, 4096)
		copy(path, p.folder)
		p.must(p.world.Bcast(path, 0))
		p.folder = string(bytes.TrimRight(path, "\x00"))
		body(&folder{p, files})
		p.must(p.world.Barrier())
	}
}

// playing is like inFolder, for a body that plays scripts.
func playing(body func(p *process)) func(p *process) {
	return inFolder(func(d *folder) { body(d.process) })
}

func (d *folder) file(name string) string { return filepath.Join(d.folder, name) }

// withFile opens a file, calls use and closes the file, so that all processes see the data.
func (d *folder) withFile(c mpi.Comm, path string, mode mpi.FileMode, use func(f mpi.File)) {
	f, err := d.files.OpenFile(c, path, mode, nil)
	d.must(err)
	use(f)
	d.must(f.Close())
	d.must(c.Barrier())
}

// fileSeparate gives each process its own file.
func fileSeparate(p *process) {
	c, err := p.world.Split(p.rank, 0)
	p.must(err)
	for _, l := range segmentLayouts {
		p.play(c, func(x *script) { written(x, l) })
	}
	p.must(c.Free())
}

// fileShared tests calls that have no order. Each chunk must be in the file once, and be read once. A chunk begins with
// its number.
func fileShared(write, read mpi.Op) func(p *process) {
	return inFolder(func(d *folder) {
		const loops, length = 3, 1032
		b := d.buffer(loops * length)
		path := d.file(write.String())
		run := func(mode mpi.FileMode, op mpi.Op, program mpi.Program) {
			d.withFile(d.world, path, mode, func(f mpi.File) {
				file := mpi.One(program.Place(mpi.Place{Space: f, Length: length}))
				call := mpi.Call{Op: op, Send: mpi.One(0), Recv: file}
				if op.Reads() {
					call.Send, call.Recv = file, mpi.One(0)
				}
				program.Comm, program.Start = d.world, d.world
				if program.Call(call); op.Starts() {
					program.Call(mpi.Call{Op: mpi.Waitall})
				}
				d.runProgram(&program, mpi.Loops{Timed: loops})
			})
		}
		mark := mpi.Mark{Width: 8, Key: uint64(d.rank * loops), PerLoop: 1}
		run(mpi.ReadWrite|mpi.Create, write, mpi.Program{
			Places: []mpi.Place{{Space: b, Length: length, Mark: mark}},
			Loop:   []mpi.Call{{Op: mpi.Stamp, Send: mpi.One(0)}}})
		if d.rank == 0 {
			found, err := os.ReadFile(path)
			d.must(err)
			d.eachOnce(write, found, d.size*loops, length)
		}
		run(mpi.ReadOnly, read, mpi.Program{Places: []mpi.Place{{Space: b, Length: length, Step: length}},
			Loop: []mpi.Call{{Op: mpi.Walk, Recv: mpi.One(0)}}})
		all := make([]byte, d.size*len(b.Bytes()))
		if d.rank > 0 {
			all = nil
		}
		if d.must(d.world.Gather(b.Bytes(), all, 0)); d.rank == 0 {
			d.eachOnce(read, all, d.size*loops, length)
		}
	})
}

// eachOnce checks that data has the chunks 0 to n-1, each once, in any order.
func (d *folder) eachOnce(op mpi.Op, data []byte, n, length int) {
	if len(data) != n*length {
		d.errorf("%v: %d bytes of %d chunks", op, len(data), n)
		return
	}
	found := map[uint64]bool{}
	for ; len(data) > 0; data = data[length:] {
		want, number := make([]byte, length), binary.LittleEndian.Uint64(data)
		stamp(want, mpi.Mark{Width: 8, Key: number}, 0)
		if number >= uint64(n) || found[number] || !bytes.Equal(data[:length], want) {
			d.errorf("%v: chunk %d is there twice, or wrong", op, number)
		}
		found[number] = true
	}
}

// fileSync makes each process read the data of its neighbour while the file is open, after sync, barrier and sync (MPI
// 4.1, 14.6.1).
func fileSync(x *script) {
	l := layout{chunk: 1032}
	f := x.file()
	out := x.put(mpi.Place{Length: l.chunk, Mark: l.mark(x.rank)})
	in := x.put(mpi.Place{Length: l.chunk, Mark: l.mark(x.left)})
	mine := x.put(mpi.Place{Space: f, Offset: int64(x.rank) * l.chunk, Length: l.chunk})
	its := x.put(mpi.Place{Space: f, Offset: int64(x.left) * l.chunk, Length: l.chunk})
	sync := []mpi.Call{{Op: mpi.FileSync, Recv: mine}, {Op: mpi.Barrier}, {Op: mpi.FileSync, Recv: mine}}
	x.Call(mpi.Call{Op: mpi.Stamp, Send: out}, mpi.Call{Op: mpi.FileWriteAt, Send: out, Recv: mine})
	x.Call(sync...)
	x.Call(mpi.Call{Op: mpi.FileReadAt, Send: its, Recv: in}, mpi.Call{Op: mpi.Check, Recv: in})
	x.Call(sync...) // otherwise the next loop may overwrite data during the read
	x.run(mpi.Loops{Timed: 2})
}

// advancingFile writes and reads at offsets that advance.
func advancingFile(x *script) {
	const loops, length = 20, 16
	o := x.file()
	add := func() (memory, file mpi.Span) {
		return x.put(mpi.Place{Length: length, Mark: mpi.Mark{Width: 8, Key: uint64(x.rank), PerLoop: 1000}}),
			x.put(mpi.Place{Space: o, Offset: int64(x.rank) * length, Length: length, Advance: int64(x.size) * length})
	}
	memory, file := add()
	x.Loop = []mpi.Call{{Op: mpi.Stamp, Send: memory}, {Op: mpi.FileWriteAt, Send: memory, Recv: file}}
	x.After = []mpi.Call{{Op: mpi.FileSync, Recv: file}, {Op: mpi.Barrier}, {Op: mpi.FileSync, Recv: file}}
	x.run(mpi.Loops{Untimed: 5, Timed: 10}, mpi.Loops{Timed: loops - 15})
	x.begin()
	memory, file = add()
	x.Loop = []mpi.Call{{Op: mpi.FileReadAt, Send: file, Recv: memory}, {Op: mpi.Check, Recv: memory}}
	x.run(mpi.Loops{Untimed: 3, Timed: loops - 3})
}

// spoilt is the layout of a file that changes between write and read: 4 chunks in each of 3 loops.
var spoilt = layout{write: mpi.FileWriteAll, read: mpi.FileReadAll, view: slots(24), length: fixed(96), chunk: 24}

// flips holds the bytes of the last process's loop 1 that change in the file: bytes of marks, and bytes between marks.
var flips = [][]int64{{2 * 24}, {3*24 - 1}, {2 * 24, 3*24 - 1}, {1*24 + 3, 3*24 + 3, 2*24 - 2}, {2*24 + 12}}

// flipped changes bytes on disk between write and read.
func flipped(x *script, flip []int64) {
	o := x.file()
	spoilt.add(x, o, spoilt.write)
	x.run(mpi.Loops{Untimed: 1, Timed: 2})
	x.begin()
	spoilt.add(x, o, spoilt.read)
	x.change(o, func(data []byte) []byte {
		data = bytes.Clone(data)
		for _, i := range flip {
			data[seen(spoilt.view(x.size-1, x.size), 96+i)] ^= 0x10
		}
		return data
	})
	x.run(mpi.Loops{Untimed: 1, Timed: 2})
}

// hole reads a part of the file that was never written, and must get zeros.
func hole(x *script) {
	o := x.file()
	spoilt.add(x, o, spoilt.write)
	x.run(once)
	x.begin()
	spoilt.add(x, o, spoilt.read)
	x.change(o, func(data []byte) []byte { return append(data, make([]byte, 2*96*x.size)...) })
	x.run(mpi.Loops{Timed: 3})
}

// ending is a file whose last bytes are missing.
type ending struct {
	missing int
	ofBytes bool
	decides bool // the last process decides
}

var endings = []ending{{40, false, false}, {40, false, true}, {3, true, false}, {3, true, true}}

// end reads beyond the file's end on the last process in the third loop. The others must not wait for that process. If
// it decides, the failure ends the run.
func end(x *script, e ending) {
	const loops = 3
	l := layout{write: mpi.FileWrite, read: mpi.FileRead, length: fixed(80), view: func(rank, _ int) mpi.View {
		return mpi.View{Start: int64(rank) * loops * 80, OfBytes: e.ofBytes}
	}}
	o := x.file()
	l.add(x, o, l.write)
	x.run(mpi.Loops{Timed: loops})
	x.begin()
	l.add(x, o, l.read)
	x.Call(mpi.Call{Op: mpi.Barrier})
	x.change(o, func(data []byte) []byte { return data[:len(data)-e.missing] })
	n := mpi.Loops{Timed: loops}
	if e.decides {
		x.Call(mpi.Call{Op: mpi.Decide, Root: x.size - 1})
		n.Timed = 1 << 40
	}
	x.turns = append(x.turns, turn{program: 1, Loops: n, ends: loops})
}

// reopening holds calls around a write.
var reopening = [][2][]mpi.Op{
	{ops(mpi.FileOpen), ops(mpi.FileClose)},
	{ops(mpi.FileClose, mpi.FileOpen), nil},
	{nil, ops(mpi.FileClose, mpi.FileOpen)},
	{ops(mpi.FileClose, mpi.FileOpen), ops(mpi.FileClose, mpi.FileOpen)},
}

// reopened opens and closes a file in programs. The file must be usable afterwards, whether they leave it open or
// closed. The offset is in bytes, as in the view after MPI_File_open.
func reopened(x *script, around [2][]mpi.Op) {
	const length = 13
	o := x.file()
	x.see(o, mpi.View{OfBytes: true})
	memory := x.to(0, length)
	file := x.put(mpi.Place{Space: o, Offset: int64(x.rank) * length, Length: length})
	for i, list := range around {
		for _, op := range list {
			x.Call(mpi.Call{Op: op, Recv: file})
		}
		if i == 0 {
			x.Call(mpi.Call{Op: mpi.FileWriteAt, Send: memory, Recv: file})
		}
	}
	x.run(mpi.Loops{Untimed: 1, Timed: 3}, once)
}

// fileByteView compiles a program that is valid in a view of bytes and must be refused in a view of doubles.
func fileByteView(d *folder) {
	d.withFile(d.world, d.file("file"), mpi.ReadWrite|mpi.Create, func(f mpi.File) {
		b := d.buffer(8)
		odd := mpi.View{Start: 3, Block: 5, Slots: d.size, Slot: d.rank}
		if f.SetView(odd, nil) == nil {
			d.errorf("a view of doubles with blocks of 5 bytes from byte 3 was not refused")
		}
		for _, bytes := range []bool{true, false, true} {
			d.must(f.SetView(mpi.View{OfBytes: bytes}, nil))
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
	})
}

// fileSplitFails writes with split calls to a file that is open for reading. One of the halves must fail, and the other
// must not crash. (A read beyond the end would hang in Open MPI 4.1's second half.)
func fileSplitFails(d *folder) {
	b := d.buffer(64)
	path := d.file("file")
	d.first(d.world, func() { d.must(os.WriteFile(path, nil, 0o600)) })
	d.withFile(d.world, path, mpi.ReadOnly, func(f mpi.File) {
		program := &mpi.Program{Comm: d.world, Start: d.world}
		memory := mpi.One(program.Place(mpi.Place{Space: b, Length: 64}))
		file := mpi.One(program.Place(mpi.Place{Space: f, Length: 64}))
		begin, end := mpi.FileWriteAtAllBegin, mpi.FileWriteAtAllEnd
		program.Call(mpi.Call{Op: begin, Send: memory, Recv: file}, mpi.Call{Op: end, Send: memory, Recv: file})
		m := d.run(d.compile(program), once)
		if m.Failure == nil || m.Failure.Call != begin.String() && m.Failure.Call != end.String() {
			d.errorf("writing a file that is open for reading failed with %v", m.Failure)
		}
	})
}

// fileOpen opens files with right and with wrong modes.
func fileOpen(d *folder) {
	path := d.file("file")
	d.mustNotOpen(path, mpi.ReadOnly)
	d.mustNotOpen(path, mpi.ReadWrite)
	hints := []mpi.Hint{{Key: "no_such_hint", Value: "1"}}
	f, err := d.files.OpenFile(d.world, path, mpi.ReadWrite|mpi.Create|mpi.Exclusive|mpi.UniqueOpen, hints)
	d.must(err)
	if f.Size() != mpi.FileSize {
		d.errorf("the file's size is %d", f.Size())
	}
	_, err = f.Hints()
	d.must(errors.Join(err, f.SetView(mpi.View{Start: 8}, hints), f.Sync(), f.Close()))
	d.mustNotOpen(path, mpi.ReadWrite|mpi.Create|mpi.Exclusive)
	if d.rank == 0 {
		d.must(os.WriteFile(path, make([]byte, 100), 0o600))
	}
	d.must(d.world.Barrier())
	d.withFile(d.world, path, mpi.ReadWrite, func(f mpi.File) {
		d.must(f.Truncate())
		if n, err := f.Length(); n != 0 || err != nil {
			d.errorf("the truncated file has %d bytes: %v", n, err)
		}
	})
	d.withFile(d.world, path, mpi.ReadWrite|mpi.DeleteOnClose, func(mpi.File) {})
	if _, err := os.Lstat(path); d.rank == 0 && !errors.Is(err, os.ErrNotExist) {
		d.errorf("the file is not gone: %v", err)
	}
}

// mustNotOpen records an error if a file opens.
func (d *folder) mustNotOpen(path string, mode mpi.FileMode) {
	if _, err := d.files.OpenFile(d.world, path, mode, nil); err == nil {
		d.errorf("mode %b was not refused", mode)
	}
}
