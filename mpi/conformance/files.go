package conformance

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"

	"github.com/effective-bandwidth/beff/mpi"
)

// folder is a directory for the files of a case. All processes run on one machine, or share /tmp.
type folder struct {
	*process
	files mpi.Files
	path  string
}

// inFolder returns the body of a case with a directory, which process 0 makes and removes.
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

// share broadcasts the directory's path from process 0.
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

// alone calls do on process 0 while no process uses the files.
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

// pass runs one layout's program on an open file. It returns the measurement and the final content of the memory.
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

// withFile opens a file, calls use and closes the file, so that all processes see the data.
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

// fine records an error if a run has a mismatch, a failure or a wrong number of loops.
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

// runLayouts writes layouts one after the other into a file, compares all of its bytes, and reads them back.
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

// fileSeparate gives each process its own file.
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

// fileShared has calls without an order: each chunk must be in the file once, and be read once.
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

// readShared lets all processes read a part of the file into memory that they walk through, and gathers the data.
func (d *folder) readShared(path string, l layout, loops int64) error {
	b, err := d.NewBuffer(loops * l.chunk)
	if err != nil {
		return err
	}
	defer b.Free()
	err = d.withFile(d.world, path, mpi.ReadOnly, func(f mpi.File) error {
		program := l.program(d.world, f, b, l.read)
		program.Places[0].Step = l.chunk
		program.Loop[len(program.Loop)-1] = mpi.Call{} // the process that wrote these data is not known
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

// eachOnce checks that data are those of all processes, each once, in any order.
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

// fileSync lets each process read the data of its neighbour while the file is open (MPI 4.1, 14.6.1: sync, barrier,
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
		program.Call(sync...) // otherwise the next loop may overwrite data that are being read
		if err := d.runProgram(program, mpi.Loops{Timed: 2}); err != nil {
			return err
		}
		return f.Sync()
	})
}
