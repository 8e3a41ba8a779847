package method

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/pagecache"
)

// openFiles creates the file of a row, with contents if the kernel reads it. All processes of the world take part.
func (m *Measurer) openFiles(t *Table, s *kernel.Setup, repetitions int64) error {
	a := s.Kernel.Builder.File
	if a == nil {
		return nil
	}
	f := &kernel.Files{Comm: s.Comm, Private: a.Private, Mode: mpi.Create | mpi.ReadWrite}
	if a.Private {
		color := -1
		if s.Comm != nil {
			color = m.World.Rank()
		}
		var err error
		if f.Comm, err = m.World.Split(color, 0); err != nil {
			return err
		}
		f.Mode |= mpi.UniqueOpen
	}
	name := cmp.Or(m.Settings.FileName, settings.Default.FileName)
	f.Path = filepath.Join(m.Directory, name+fileSuffix(t, a.Private, m.World.Rank()))
	f.View, f.Position = a.View(s)
	s.Files = f
	size := a.Size(s, repetitions)
	prepare := []func(s *kernel.Setup) error{m.removeFile,
		func(s *kernel.Setup) error { return m.writeContents(a, s, size) }}
	if f.StaysOpen = t.way.keepsFile(); f.StaysOpen {
		size = t.way.imb2021Size(a, t.block.Processes)
		if t.prepared {
			prepare = nil
		} else if !a.Reads {
			prepare[1] = func(s *kernel.Setup) error { return m.stretchFile(s, size) }
		}
		t.prepared = true
	}
	for _, action := range append(prepare, m.openFile) {
		var err error
		if s.Comm != nil {
			err = action(s)
		}
		if err := m.Agree(m.World, err); err != nil {
			return err
		}
	}
	return nil
}

// fileSuffix returns the suffix that IMB adds to the file's name: the group in the multiple mode, and the process if
// each has a separate file.
func fileSuffix(t *Table, private bool, rank int) (name string) {
	if t.block.Multi {
		name += fmt.Sprintf("_g%d", t.group)
	}
	if private {
		name += fmt.Sprintf("_%d", rank)
	}
	return name
}

func (m *Measurer) openPath(s *kernel.Setup, mode mpi.FileMode) (mpi.File, error) {
	opener, ok := m.Engine.(mpi.Files)
	if !ok {
		return nil, fmt.Errorf("%s has no files", m.Engine.Library().Library)
	}
	return opener.OpenFile(s.Files.Comm, s.Files.Path, mode, m.Settings.Hints)
}

// removeFile deletes the file, if it exists.
func (m *Measurer) removeFile(s *kernel.Setup) error {
	f, err := m.openPath(s, mpi.Create|mpi.ReadWrite|mpi.DeleteOnClose)
	if err != nil {
		return err
	}
	return f.Close()
}

// openFile opens the file in the programs' mode. For programs that open it themselves, engines keep its state
// (mpi.FileOpen).
func (m *Measurer) openFile(s *kernel.Setup) (err error) {
	s.Files.File, err = m.openPath(s, s.Files.Mode)
	return err
}

// rewind sets all file pointers to the start before a run. For nonblocking kernels it first reopens the file (guide,
// "Non-blocking I/O Benchmarks").
func (m *Measurer) rewind(s *kernel.Setup) error {
	if err := m.dropFromCache(s); err != nil {
		return err
	}
	if s.Run.Overlapped {
		if err := s.Files.File.Close(); err != nil {
			return err
		}
		if err := m.openFile(s); err != nil {
			return err
		}
	}
	return s.Files.File.SetView(s.Files.View, m.Settings.Hints)
}

// dropFromCache drops a file that will be read from this node's page cache, if the settings say so, and records how
// much of it is there.
func (m *Measurer) dropFromCache(s *kernel.Setup) error {
	a := s.Kernel.Builder.File
	if !a.Reads || !mpi.MovesData(m.Engine) {
		return nil
	}
	if m.Settings.Memory.Cold {
		// In the previous run other processes may still be reading the file, or may not yet have dropped it.
		err := s.Comm.Barrier()
		if err == nil {
			err = pagecache.Drop(s.Files.Path)
		}
		if err = errors.Join(err, s.Comm.Barrier()); err != nil {
			return err
		}
	}
	s.Files.Read = a.Part(s, s.Run.Repetitions)
	s.Files.CachedBefore = sampleRead(s)
	return nil
}

// sampleRead returns how much of the data that a process reads is in memory.
func sampleRead(s *kernel.Setup) rating.PageSample {
	if s.Files.Read.Length == 0 {
		return rating.PageSample{}
	}
	return rating.SamplePages(s.Files.Path, s.Files.Read)
}

// pages returns how much of the data that all processes read in the last run was in memory before and after it. It is
// nil if the run read nothing or if it isn't known. All processes of the world call it.
func (m *Measurer) pages(s *kernel.Setup) (*rating.Pages, error) {
	if a := s.Kernel.Builder.File; a == nil || !a.Reads || !mpi.MovesData(m.Engine) {
		return nil, nil
	}
	var before, after rating.PageSample
	if s.Comm != nil {
		before, after = s.Files.CachedBefore, sampleRead(s)
	}
	pages, err := rating.SumPages(m.World, before, after)
	if pages != nil {
		pages.Fetched = 0 // the total that a kernel reads isn't known
	}
	return pages, err
}

func (m *Measurer) closeFiles(s *kernel.Setup) error {
	if s.Files == nil || s.Files.File == nil {
		return nil
	}
	if err := s.Files.File.Close(); err != nil {
		return err
	}
	if !s.Files.StaysOpen {
		if err := m.removeFile(s); err != nil {
			return err
		}
	}
	if !s.Files.Private {
		return nil
	}
	return s.Files.Comm.Free()
}

// contentsChunk is the number of bytes in each write of a file's contents.
const contentsChunk = 1 << 20

// writeContents fills a file that the kernel reads. One process does it for all that share the file.
func (m *Measurer) writeContents(a *kernel.FileUse, s *kernel.Setup, size int64) error {
	if !a.Reads {
		return nil
	}
	return m.onOneProcess(s, func(f mpi.File) error { return m.writePattern(s, f, size) }, mpi.File.Sync)
}

// onOneProcess opens the file as bytes, lets one process work on it for all that share it, and closes it. Before they
// close it, all of them call then, unless it is nil.
func (m *Measurer) onOneProcess(s *kernel.Setup, work, then func(f mpi.File) error) error {
	f, err := m.openPath(s, s.Files.Mode)
	if err != nil {
		return err
	}
	if err := f.SetView(mpi.View{OfBytes: true}, m.Settings.Hints); err != nil {
		return err
	}
	var failed error // the others wait in the following calls
	if s.Files.Comm.Rank() == 0 {
		failed = work(f)
	}
	if then != nil {
		if err := then(f); err != nil {
			return errors.Join(failed, err)
		}
	}
	return errors.Join(failed, f.Close())
}

func (m *Measurer) writePattern(s *kernel.Setup, f mpi.File, size int64) error {
	buffer, err := m.Engine.NewBuffer(min(max(size, kernel.MinArea), contentsChunk))
	if err != nil {
		return err
	}
	defer buffer.Free()
	fill := kernel.Pattern(kernel.FileOwner)
	for start := int64(0); start < size; start += contentsChunk {
		n := min(size-start, contentsChunk)
		fill(buffer.Bytes()[:n], start)
		if err := m.move(s, mpi.FileWriteAt, mpi.Place{Space: buffer, Length: n},
			mpi.Place{Space: f, Offset: start, Length: n}); err != nil {
			return err
		}
	}
	return nil
}

// move makes one file call outside of the timed part.
func (m *Measurer) move(s *kernel.Setup, op mpi.Op, from, to mpi.Place) error {
	got, err := m.Execute(&mpi.Program{Comm: s.Files.Comm, Places: []mpi.Place{from, to},
		Loop: []mpi.Call{{Op: op, Send: mpi.One(0), Recv: mpi.One(1)}}}, mpi.Loops{Timed: 1})
	if err == nil && got.Failure != nil {
		err = got.Failure
	}
	return err
}

// keepsFile reports whether all rows of a block use one file. Other policies may have more repetitions than fit into
// it.
func (w Way) keepsFile() bool {
	return w.kernel.Component == kernel.IO && w.keepsFiles && w.settings.IterPolicy() == settings.Dynamic &&
		w.kernel.Builder.Rows != kernel.NoLength
}

// imb2021Size returns the bytes of a block's file. A file that is read has room for all repetitions of all rows. A file
// that is written has the size of IMB 2021.11: the volume of a row or a number of repetitions of the longest length. A
// private file has a process's part.
func (w Way) imb2021Size(a *kernel.FileUse, processes int) int64 {
	const repetitions = 50 // IMB_settings_io.h
	s, d := w.settings, w.Defaults(kernel.IO)
	longest, volume := d.Longest(), cmp.Or(s.Repetitions.Volume, d.OverallVol)
	if len(s.Rows.Lengths) > 0 {
		longest = max(1, slices.Max(s.Rows.Lengths))
	}
	total := max(longest, volume)
	if !a.Reads && volume/longest > repetitions {
		total = longest * repetitions
	}
	if a.Private {
		total = (total + int64(processes) - 1) / int64(processes)
	}
	most := cmp.Or(s.Repetitions.Max, d.MsgsPer)
	return total + kernel.FileUnit*int64(processes)*most // the parts of a length may differ
}

// stretchFile creates the file and sets its size by a byte at its end. One process does it for all that share it.
func (m *Measurer) stretchFile(s *kernel.Setup, size int64) error {
	return m.onOneProcess(s, func(f mpi.File) error {
		return m.move(s, mpi.FileWriteAt, mpi.Place{Space: s.Send.Buffer, Length: 1},
			mpi.Place{Space: f, Offset: size - 1, Length: 1})
	}, nil)
}
