package scripted

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// file is an empty file.
type file struct{ s *Engine }

var _ mpi.File = (*file)(nil)

// OpenFile takes the time of Files, and never fails.
func (s *Engine) OpenFile(mpi.Comm, string, mpi.FileMode, []mpi.Hint) (mpi.File, error) {
	f := &file{s}
	return f, f.call("MPI_File_open")
}

func (f *file) call(name string) error { return f.s.spend(name) }

// spend advances the clock by the time of a method.
func (s *Engine) spend(name string) error {
	if s.Files != nil {
		s.elapsed += s.Files(name)
	}
	return s.err()
}

func (f *file) Size() int64                        { return mpi.FileSize }
func (f *file) SetView(mpi.View, []mpi.Hint) error { return f.call("MPI_File_set_view") }
func (f *file) Truncate() error                    { return f.call("MPI_File_set_size") }
func (f *file) Sync() error                        { return f.call("MPI_File_sync") }
func (f *file) Close() error                       { return f.call("MPI_File_close") }
func (f *file) Length() (int64, error)             { return mpi.FileSize, f.s.err() }
func (f *file) Hints() ([]mpi.Hint, error)         { return nil, f.s.err() }

// window is a window that no process accesses.
type window struct {
	s     *Engine
	size  int64
	there bool
	whole bool // made by Allocate
}

var _ mpi.Window = (*window)(nil)

// NewWindow takes the time of Files, and never fails. All processes' windows are as large as the window of rank 0.
func (s *Engine) NewWindow(_ mpi.Comm, b mpi.Buffer) (mpi.Window, error) {
	w := &window{s: s}
	if b != nil {
		w.size = b.Size()
	}
	return w, w.Create()
}

// Allocate takes the time of Files for "MPI_Win_allocate". All processes' windows are as large as the window of rank 0.
func (s *Engine) Allocate(_ mpi.Comm, size int64) (mpi.Window, mpi.Buffer, error) {
	b, err := s.NewBuffer(size)
	if err != nil {
		return nil, nil, err
	}
	return &window{s: s, size: size, there: true, whole: true}, b, s.spend("MPI_Win_allocate")
}

func (w *window) Size() int64 { return w.size }

func (w *window) Create() error { return w.change(true, "MPI_Win_create") }

func (w *window) Free() error { return w.change(false, "MPI_Win_free") }

// change makes or frees the window.
func (w *window) change(there bool, call string) error {
	if w.whole {
		return fmt.Errorf("%s: the window came with its memory", call)
	}
	w.there = there
	return w.s.spend(call)
}

func (w *window) Close() error {
	if !w.there {
		return w.s.err()
	}
	w.whole = false
	return w.Free()
}

// buffer allocates its memory when it is first needed, because b_eff's buffers are large.
type buffer struct {
	s    *Engine
	size int64
	data []byte
}

var _ mpi.Buffer = (*buffer)(nil)

func (b *buffer) Size() int64 { return b.size }

func (b *buffer) Bytes() []byte {
	if b.data == nil {
		b.data = make([]byte, b.size)
	}
	return b.data
}

func (b *buffer) Free() {
	b.s.left--
	b.data = nil
}
