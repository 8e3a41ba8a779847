package conformance

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/effective-bandwidth/beff/mpi"
)

// openFile is one process's handle of an open file.
type openFile struct {
	*fileContent
	views   map[int]mpi.View                 // set before turns, by program
	changes map[int]func(data []byte) []byte // changes of the file on disk before turns, by program
	view    mpi.View
	next    int64 // the individual pointer
	file    mpi.File
}

// fileContent is the part of a file that all processes share. Bytes that no process has written may have any value,
// because MPI libraries also write between the places.
type fileContent struct {
	data    []byte
	written []bool
	shared  int64 // the shared pointer
}

// Size implements mpi.Space.
func (o *openFile) Size() int64 { return mpi.FileSize }

// seen returns the position in the file of byte i of a view. It implements mpi.View's definition independently of the
// engines.
func seen(v mpi.View, i int64) int64 {
	if v.Slots > 1 {
		row, in := i/v.Block, i%v.Block
		return v.Start + (row*int64(v.Slots)+int64(v.Slot))*v.Block + in
	}
	return v.Start + i
}

// onFile carries out a file call, or takes part in an ordered call.
func (r *reference) onFile(a *referenceProcess, s step) done {
	switch op := s.Op.Blocking(); {
	case s.Op.Family() == mpi.SplitEnd: // the first half has moved the data
		return always
	case !op.Reads() && !op.Writes(), op == mpi.FileWriteOrdered, op == mpi.FileReadOrdered:
		return r.meet(a, s)
	}
	place, memory := a.sides(s)
	o := place.Space.(*openFile)
	if s.Op.Explicit() {
		a.move(s, o, place.Offset, memory)
		return always
	}
	a.move(s, o, o.next, memory)
	o.next += place.Length
	return always
}

// ordered carries out an ordered call for all processes.
func (r *reference) ordered(steps map[int]step) {
	for rank, a := range r.processes {
		place, memory := a.sides(steps[rank])
		o := place.Space.(*openFile)
		a.move(steps[rank], o, o.shared, memory)
		o.shared += place.Length
	}
}

// sides returns the places of a file call in the file and in memory.
func (a *referenceProcess) sides(s step) (file, memory location) {
	send, recv := a.location(s, s.Send.First), a.location(s, s.Recv.First)
	if s.Op.Reads() {
		return send, recv
	}
	return recv, send
}

// move moves data between memory and a position of a file. A read ends at the end of the file.
func (a *referenceProcess) move(s step, o *openFile, at int64, memory location) {
	data := memory.take()
	if s.Op.Reads() {
		got := 0
		for ; got < len(data) && seen(o.view, at+int64(got)) < int64(len(o.data)); got++ {
			data[got] = o.data[seen(o.view, at+int64(got))]
		}
		if memory.put(data[:got]); got < len(data) {
			a.seen.Failure = &mpi.Error{Call: s.Op.String(), Rank: a.rank,
				Text: fmt.Sprintf("%d of %d bytes were read", got, len(data))}
		}
		return
	}
	for i, b := range data {
		x := seen(o.view, at+int64(i))
		if more := int(x) + 1 - len(o.data); more > 0 {
			o.data, o.written = append(o.data, make([]byte, more)...), append(o.written, make([]bool, more)...)
		}
		o.data[x], o.written[x] = b, true
	}
}

// prepare changes the reference's file and sets the view before a turn.
func (o *openFile) prepare(t turn, first bool) {
	if change := o.changes[t.program]; change != nil && first {
		o.data = change(o.data)
		o.written = append(o.written, make([]bool, max(0, len(o.data)-len(o.written)))...)[:len(o.data)]
	}
	if v, ok := o.views[t.program]; ok {
		o.view, o.next, o.shared = v, 0, 0
	}
}

// file adds a new file.
func (x *script) file() *openFile {
	o := &openFile{views: map[int]mpi.View{}, changes: map[int]func([]byte) []byte{}}
	x.files = append(x.files, o)
	return o
}

// see sets a file's view before each turn of the latest program.
func (x *script) see(o *openFile, v mpi.View) { o.views[len(x.programs)-1] = v }

// change changes a file on disk before each turn of the latest program.
func (x *script) change(o *openFile, change func(data []byte) []byte) {
	o.changes[len(x.programs)-1] = change
}

// openFiles opens the files of a script.
func (s *engineRun) openFiles(serial int) {
	for i, o := range s.files {
		name := []byte{byte(s.process.rank)} // processes outside of the communicator have other files
		s.must(s.comm.Bcast(name, 0))
		s.paths = append(s.paths, filepath.Join(s.folder, fmt.Sprint("play", serial, "-", i, "-", name[0])))
		f, err := s.Engine.(mpi.Files).OpenFile(s.comm, s.paths[i], mpi.ReadWrite|mpi.Create, nil)
		s.must(err)
		o.file = f
	}
}

// prepareFiles changes the files on disk and sets views before a turn.
func (s *engineRun) prepareFiles(t turn) {
	for i, o := range s.files {
		if change := o.changes[t.program]; change != nil {
			s.first(s.comm, func() {
				data, err := os.ReadFile(s.paths[i])
				s.must(err)
				s.must(os.WriteFile(s.paths[i], change(data), 0o600))
			})
		}
		if v, ok := o.views[t.program]; ok {
			s.must(o.file.SetView(v, nil))
		}
	}
}

// first calls do on the first process while no other process uses the files.
func (p *process) first(c mpi.Comm, do func()) {
	p.must(c.Barrier())
	if c.Rank() == 0 {
		do()
	}
	p.must(c.Barrier())
}

// compareFiles compares the files on disk with the reference's after a turn.
func (s *engineRun) compareFiles(want []fileContent) {
	for i, o := range s.files {
		s.must(o.file.Sync())
		s.must(s.comm.Barrier())
		length, err := o.file.Length()
		s.must(err)
		if length != int64(len(want[i].data)) {
			s.errorf("the file has %d bytes instead of %d", length, len(want[i].data))
		}
		s.first(s.comm, func() {
			found, err := os.ReadFile(s.paths[i])
			s.must(err)
			for k := range min(len(found), len(want[i].data)) {
				if want[i].written[k] && found[k] != want[i].data[k] {
					s.errorf("byte %d of the file is %#x instead of %#x", k, found[k], want[i].data[k])
					break
				}
			}
		})
	}
}

// copyFiles returns copies of the files' contents.
func (x *script) copyFiles() (list []fileContent) {
	for _, o := range x.files {
		list = append(list, fileContent{data: bytes.Clone(o.data), written: append([]bool(nil), o.written...)})
	}
	return list
}
