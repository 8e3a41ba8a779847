package conformance

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"

	"github.com/effective-bandwidth/beff/mpi"
)

// folder is a directory that the processes of a case have for their files. All of them run on one machine, or share
// /tmp.
type folder struct {
	*process
	files mpi.Files
	path  string
}

// inFolder is a case with a directory, which process 0 makes and removes.
func inFolder(body func(d *folder) error) func(p *process) error {
	return func(p *process) error {
		files, ok := p.Engine.(mpi.Files)
		if !ok {
			p.errorf("the engine runs file calls and opens no files")
			return nil
		}
		d := &folder{process: p, files: files}
		if p.rank == 0 {
			var err error
			if d.path, err = os.MkdirTemp("", "conformance-"); err != nil {
				return err
			}
			defer os.RemoveAll(d.path)
		}
		if err := d.share(); err != nil {
			return err
		}
		return body(d)
	}
}

// share tells all processes where the directory is.
func (d *folder) share() error {
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(d.path)))
	if err := d.world.Bcast(length, 0); err != nil {
		return err
	}
	path := make([]byte, binary.LittleEndian.Uint64(length))
	copy(path, d.path)
	err := d.world.Bcast(path, 0)
	d.path = string(path)
	return err
}

func (d *folder) file(name string) string { return filepath.Join(d.path, name) }

// alone lets process 0 do something to the files while nobody uses them.
func (d *folder) alone(do func() error) error {
	if err := d.world.Barrier(); err != nil {
		return err
	}
	if d.rank == 0 {
		if err := do(); err != nil {
			return err
		}
	}
	return d.world.Barrier()
}

// layout is a program with one file call, of which it is known where each byte of each process lies in the file.
type layout struct {
	write, read mpi.Op
	view        func(rank, size int) mpi.View
	length      func(rank int) int64       // of a call
	offset      func(rank, size int) int64 // in the view, of calls with explicit offsets
	chunk       int64
}

// layoutLoops is how often a layout's program runs.
var layoutLoops = mpi.Loops{Untimed: 1, Timed: 2}

// whole is the view of all of the file.
func whole(int, int) mpi.View { return mpi.View{} }

// segment gives each process a part of the file, the last one the first.
func segment(rank, size int) mpi.View { return mpi.View{Start: int64(size-1-rank) * 10320} }

// slots are rows of one block for each process.
func slots(block int64) func(rank, size int) mpi.View {
	return func(rank, size int) mpi.View { return mpi.View{Start: 40, Block: block, Slots: size, Slot: rank} }
}

// freeSlots are slots of rows that have two more of them.
func freeSlots(rank, size int) mpi.View {
	return mpi.View{Block: 48, Slots: size + 2, Slot: rank + 1}
}

// always is the same length for all.
func always(length int64) func(int) int64 { return func(int) int64 { return length } }

// longer is another length for each process.
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

var nonblockingLayouts = []layout{
	{write: mpi.FileIwrite, read: mpi.FileIread, view: segment, length: always(3096), chunk: 1032},
	{write: mpi.FileIwriteAt, read: mpi.FileIreadAt, view: whole, length: always(1032), chunk: 1032, offset: backwards},
}

// sharedLayouts are those of which nobody knows who writes where.
var sharedLayouts = []layout{
	{write: mpi.FileWriteShared, read: mpi.FileReadShared, view: whole, length: always(1032), chunk: 1032},
	{write: mpi.FileIwriteShared, read: mpi.FileIreadShared, view: whole, length: always(1032), chunk: 1032},
}

func backwards(rank, size int) int64 { return int64(size-1-rank) * 1032 }

func sameOffset(int, int) int64 { return 96 }

// opsOf lists the calls of layouts.
func opsOf(layouts []layout) []mpi.Op {
	ops := []mpi.Op{}
	for _, l := range layouts {
		ops = append(ops, l.write, l.read)
	}
	return ops
}

// mark is unlike all others for each process, loop and chunk; layouts without chunks have none. With explicit offsets
// all loops go to the same place.
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

// data is what a process writes in a loop.
func (l layout) data(rank int, loop int64) []byte {
	data := make([]byte, l.length(rank))
	fill(data, rank, 0, 0)
	stamp(data, l.mark(rank), loop)
	return data
}

// at is where the call of a loop starts in the view.
func (l layout) at(rank, size int, loop int64) int64 {
	switch {
	case l.offset != nil:
		return l.offset(rank, size)
	case l.write != mpi.FileWriteOrdered && l.write != mpi.FileWriteOrderedBegin:
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

// seen is the byte of the file that byte x of a view is: mpi.View's definition, put down a second time.
func seen(v mpi.View, x int64) int64 {
	if v.Slots > 1 {
		row, in := x/v.Block, x%v.Block
		return v.Start + (row*int64(v.Slots)+int64(v.Slot))*v.Block + in
	}
	return v.Start + x
}

// behind lets the layout begin at a byte of the file.
func (l layout) behind(start int64) layout {
	view := l.view
	l.view = func(rank, size int) mpi.View {
		v := view(rank, size)
		v.Start += start
		return v
	}
	return l
}

// image is what is known of a file. Bytes that nobody has written may be anything: MPI libraries write what they have
// in between too.
type image struct {
	data    []byte
	written []bool
}

// put adds what a file contains after the loops of a layout.
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

// rowOf lays layouts out one behind the other, and returns what the file contains.
func rowOf(layouts []layout, size int, loops int64) (row []layout, file image) {
	for _, l := range layouts {
		l = l.behind(int64(len(file.data)))
		row = append(row, l)
		file.put(l, size, loops)
	}
	return row, file
}

// program moves the layout's data between memory, which is place 0, and the file.
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
	if end, split := ends[op]; split {
		call.Op = end
		program.Call(call)
	}
	if op == l.read {
		program.Call(mpi.Call{Op: mpi.Check, Recv: memory})
	}
	return program
}

// pass is one layout's program, run on an open file. It returns what the memory contains in the end.
func (p *process) pass(c mpi.Comm, f mpi.File, l layout, op mpi.Op, n mpi.Loops) (m mpi.Measurement, memory []byte,
	err error) {
	if err := f.SetView(l.view(c.Rank(), c.Size()), nil); err != nil {
		return m, nil, fmt.Errorf("set view: %w", err)
	}
	b, err := p.NewBuffer(l.length(c.Rank()))
	if err != nil {
		return m, nil, err
	}
	defer b.Free()
	if op == l.write {
		fill(b.Bytes(), c.Rank(), 0, 0)
	}
	r, err := p.Compile(l.program(c, f, b, op))
	if err != nil {
		return m, nil, fmt.Errorf("compile: %w", err)
	}
	defer r.Close()
	m, err = r.Run(n)
	if err != nil {
		return m, nil, fmt.Errorf("run: %w", err)
	}
	return m, bytes.Clone(b.Bytes()), nil
}

// withFile opens a file, and closes it so that all see what was written.
func (d *folder) withFile(c mpi.Comm, path string, mode mpi.FileMode, use func(f mpi.File) error) error {
	f, err := d.files.OpenFile(c, path, mode, nil)
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	if err := use(f); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	return c.Barrier()
}

// fine notes what a run without faults may not contain.
func (p *process) fine(m mpi.Measurement, n mpi.Loops) {
	if m.Mismatch != nil {
		p.errorf("%w", m.Mismatch)
	}
	if m.Failure != nil {
		p.errorf("%w", m.Failure)
	}
	if m.Wrong != 0 || m.Loops != n.Timed {
		p.errorf("%d wrong chunks in %d loops of %d", m.Wrong, m.Loops, n.Timed)
	}
}

// runLayouts writes layouts one behind the other into a file, looks at all of its bytes, and reads them back.
func runLayouts(layouts []layout) func(p *process) error {
	return inFolder(func(d *folder) error { return d.runLayouts(d.world, d.file("file"), layouts) })
}

func (d *folder) runLayouts(c mpi.Comm, path string, layouts []layout) error {
	row, want := rowOf(layouts, c.Size(), layoutLoops.Untimed+layoutLoops.Timed)
	if err := d.writeLayouts(c, path, row, layoutLoops); err != nil {
		return err
	}
	if c.Rank() == 0 {
		found, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		d.sameFile(found, want)
	}
	if err := c.Barrier(); err != nil {
		return err
	}
	return d.withFile(c, path, mpi.ReadOnly, func(f mpi.File) error {
		for i, l := range row {
			m, memory, err := d.pass(c, f, l, l.read, layoutLoops)
			if err != nil {
				return fmt.Errorf("reading layout %d: %w", i, err)
			}
			d.fine(m, layoutLoops)
			if !bytes.Equal(memory, l.data(c.Rank(), layoutLoops.Untimed+layoutLoops.Timed-1)) {
				d.errorf("layout %d: what was read last is wrong", i)
			}
		}
		return nil
	})
}

func (d *folder) writeLayouts(c mpi.Comm, path string, layouts []layout, n mpi.Loops) error {
	return d.withFile(c, path, mpi.ReadWrite|mpi.Create, func(f mpi.File) error {
		for i, l := range layouts {
			m, _, err := d.pass(c, f, l, l.write, n)
			if err != nil {
				return fmt.Errorf("writing layout %d: %w", i, err)
			}
			d.fine(m, n)
		}
		return nil
	})
}

func (p *process) sameFile(found []byte, want image) {
	if len(found) != len(want.data) {
		p.errorf("the file has %d bytes instead of %d", len(found), len(want.data))
	}
	for i := range min(len(found), len(want.data)) {
		if want.written[i] && found[i] != want.data[i] {
			p.errorf("byte %d of the file is %#x instead of %#x", i, found[i], want.data[i])
			return
		}
	}
}

// fileSeparate gives each process a file of its own.
func fileSeparate(d *folder) error {
	c, err := d.world.Split(d.rank, 0)
	if err != nil {
		return err
	}
	if err := d.runLayouts(c, d.file(fmt.Sprint("file", d.rank)), segmentLayouts); err != nil {
		return err
	}
	if err := d.world.Barrier(); err != nil {
		return err
	}
	return c.Free()
}

// fileShared has calls in no order: each chunk must be in the file once, and be read once.
func fileShared(d *folder) error {
	const loops = 3
	for _, l := range sharedLayouts {
		path := d.file(l.write.String())
		if err := d.writeLayouts(d.world, path, []layout{l}, mpi.Loops{Timed: loops}); err != nil {
			return err
		}
		if d.rank == 0 {
			found, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			d.eachOnce(found, l, loops)
		}
		if err := d.world.Barrier(); err != nil {
			return err
		}
		if err := d.readShared(path, l, loops); err != nil {
			return err
		}
	}
	return nil
}

// readShared lets all processes read a part of the file into memory that they walk through, and gathers that.
func (d *folder) readShared(path string, l layout, loops int64) error {
	b, err := d.NewBuffer(loops * l.chunk)
	if err != nil {
		return err
	}
	defer b.Free()
	err = d.withFile(d.world, path, mpi.ReadOnly, func(f mpi.File) error {
		program := l.program(d.world, f, b, l.read)
		program.Places[0].Step = l.chunk
		program.Loop[len(program.Loop)-1] = mpi.Call{} // whose data these are is not known
		program.Loop = append([]mpi.Call{{Op: mpi.Walk, Recv: mpi.One(0)}}, program.Loop...)
		return d.runProgram(program, mpi.Loops{Timed: loops})
	})
	if err != nil {
		return err
	}
	var all []byte
	if d.rank == 0 {
		all = make([]byte, d.size*len(b.Bytes()))
	}
	if err := d.world.Gather(b.Bytes(), all, 0); err != nil {
		return err
	}
	if d.rank == 0 {
		d.eachOnce(all, l, loops)
	}
	return nil
}

// eachOnce checks that data are what all processes wrote in some order.
func (d *folder) eachOnce(data []byte, l layout, loops int64) {
	if len(data) != d.size*int(loops*l.chunk) {
		d.errorf("%d bytes of %d processes, %d loops", len(data), d.size, loops)
		return
	}
	left := map[string]bool{}
	for rank := range d.size {
		for loop := range loops {
			left[string(l.data(rank, loop))] = true
		}
	}
	for ; len(data) > 0; data = data[l.chunk:] {
		chunk := string(data[:l.chunk])
		if !left[chunk] {
			d.errorf("%v: chunk %x… is there twice, or nobody's", l.write, chunk[:8])
		}
		delete(left, chunk)
	}
}

// fileSync lets each process read what its neighbour wrote, while the file is open (MPI 4.1, 14.6.1: sync, barrier,
// sync).
func fileSync(d *folder) error {
	const length = 1032
	left, _ := neighbours(d.world)
	b, err := d.NewBuffer(2 * length)
	if err != nil {
		return err
	}
	defer b.Free()
	return d.withFile(d.world, d.file("file"), mpi.ReadWrite|mpi.Create, func(f mpi.File) error {
		program := &mpi.Program{Comm: d.world, Start: d.world}
		l := layout{chunk: length}
		out := mpi.One(program.Place(mpi.Place{Space: b, Length: length, Mark: l.mark(d.rank)}))
		in := mpi.One(program.Place(mpi.Place{Space: b, Offset: length, Length: length, Mark: l.mark(left)}))
		mine := mpi.One(program.Place(mpi.Place{Space: f, Offset: int64(d.rank) * length, Length: length}))
		its := mpi.One(program.Place(mpi.Place{Space: f, Offset: int64(left) * length, Length: length}))
		sync := []mpi.Call{{Op: mpi.FileSync, Recv: mine}, {Op: mpi.Barrier}, {Op: mpi.FileSync, Recv: mine}}
		program.Call(mpi.Call{Op: mpi.Stamp, Send: out}, mpi.Call{Op: mpi.FileWriteAt, Send: out, Recv: mine})
		program.Call(sync...)
		program.Call(mpi.Call{Op: mpi.FileReadAt, Send: its, Recv: in}, mpi.Call{Op: mpi.Check, Recv: in})
		program.Call(sync...) // or the next loop may overwrite what is being read
		if err := d.runProgram(program, mpi.Loops{Timed: 2}); err != nil {
			return err
		}
		return f.Sync()
	})
}
