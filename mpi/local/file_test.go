package local_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// open opens a file that all ranks must be able to open.
func (s *step) open(path string, mode mpi.FileMode) mpi.File {
	f, err := s.Engine.(mpi.Files).OpenFile(s.World(), path, mode, nil)
	s.ok(err)
	return f
}

// file adds places of memory and of a file, and a call that moves data between them.
func (s *step) file(op mpi.Op, f mpi.File, length int) []byte {
	memory, data := s.place(0, length)
	place := mpi.One(s.Place(mpi.Place{Space: f, Length: int64(length)}))
	c := mpi.Call{Op: op, Send: memory, Recv: place}
	if op.Reads() {
		c.Send, c.Recv = place, memory
	}
	s.Call(c)
	return data
}

// failure runs a program and returns its failure.
func (s *step) failure(loops mpi.Loops) *mpi.Error {
	x, err := s.Compile(&s.Program)
	s.ok(err)
	defer x.Close()
	m, err := x.Run(loops)
	s.ok(err)
	require.Equal(s.t, loops.Timed, m.Loops)
	return m.Failure
}

// interleave gives each rank its slot of the rows.
func (s *step) interleave(f mpi.File, block int64) {
	s.ok(f.SetView(mpi.View{Block: block, Slots: s.size, Slot: s.me}, nil))
}

// TestFullDevice checks that each rank's first failure is recorded, and that all ranks finish.
func TestFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	for op, name := range map[mpi.Op]string{
		mpi.FileWrite: "MPI_File_write", mpi.FileWriteAll: "MPI_File_write_all",
		mpi.FileWriteOrdered: "MPI_File_write_ordered",
	} {
		ranks(t, 3, func(s *step) {
			f := s.open("/dev/full", mpi.ReadWrite)
			s.interleave(f, 1024)
			s.file(op, f, 8192)
			s.Call(mpi.Call{Op: mpi.FileSync, Recv: mpi.One(1)}, mpi.Call{Op: mpi.Barrier})
			require.Equal(t, &mpi.Error{
				Call: name, Rank: s.me, Class: 41,
				Text: "/dev/full: no space left on device: 0 of 8192 bytes were written",
			}, s.failure(mpi.Loops{Untimed: 1, Timed: 2}))
			var failed *mpi.Error
			require.ErrorAs(t, f.Sync(), &failed)
			require.Equal(t, "MPI_File_sync", failed.Call)
			require.Equal(t, 0, failed.Rank)
			require.NoError(t, f.Close())
		})
	}
}

// TestShortRead reads a file that ends in the second rank's part.
func TestShortRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, make([]byte, 1024+512), 0o600))
	for op, name := range map[mpi.Op]string{mpi.FileReadOrdered: "MPI_File_read_ordered",
		mpi.FileReadAll: "MPI_File_read_all"} {
		ranks(t, 2, func(s *step) {
			f := s.open(path, mpi.ReadOnly)
			if op == mpi.FileReadAll {
				s.interleave(f, 256) // rank 1 reads the second half of the rows
			}
			s.file(op, f, 1024)
			failed := s.failure(once)
			if s.me == 0 {
				require.Nil(t, failed)
				return
			}
			require.Equal(t, &mpi.Error{Call: name, Rank: 1, Class: 35, Text: path + ": 512 of 1024 bytes were read"},
				failed)
		})
	}
}

// TestOpenRefused checks that all ranks get the same error.
func TestOpenRefused(t *testing.T) {
	dir := t.TempDir()
	there, link := filepath.Join(dir, "there"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(there, nil, 0o600))
	require.NoError(t, os.Symlink(there, link))
	for _, c := range []struct {
		path  string
		mode  mpi.FileMode
		class int
		text  string
	}{
		{link, mpi.ReadWrite | mpi.Create, 35, "open " + link + ": too many levels of symbolic links"},
		{there, mpi.ReadWrite | mpi.Create | mpi.Exclusive, 28, "open " + there + ": file exists"},
		{there + "not", mpi.ReadOnly, 42, "open " + there + "not: no such file or directory"},
		{there, mpi.ReadOnly | mpi.ReadWrite, 21, "no mode: 11"},
		{there, mpi.ReadOnly | mpi.Create, 21, "no mode: 101"},
		{there, mpi.UniqueOpen, 21, "no mode: 10000"},
	} {
		ranks(t, 3, func(s *step) {
			f, err := s.Engine.(mpi.Files).OpenFile(s.World(), c.path, c.mode, nil)
			require.Nil(t, f)
			require.Equal(t, &mpi.Error{Call: "MPI_File_open", Class: c.class, Text: c.text}, err)
		})
	}
}

// TestPermissions checks that no other user may read the file.
func TestPermissions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	ranks(t, 2, func(s *step) { s.ok(s.open(path, mpi.ReadWrite|mpi.Create).Close()) })
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
}

func TestViewRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, v := range []mpi.View{
		{Start: -8}, {Start: 4}, {Slots: 2}, {Block: 12, Slots: 2}, {Block: 8, Slots: 2, Slot: 2},
		{Block: 8, Slots: 2, Slot: -1},
	} {
		ranks(t, 2, func(s *step) {
			f := s.open(path, mpi.ReadWrite|mpi.Create)
			mine := mpi.View{}
			if s.me == 1 {
				mine = v
			}
			var failed *mpi.Error
			require.ErrorAs(t, f.SetView(mine, nil), &failed)
			require.Equal(t, 1, failed.Rank)
			require.NoError(t, f.Close())
		})
	}
}

// TestClosedFile checks that a program compiled before a file was closed doesn't write into another file that has the
// descriptor now.
func TestClosedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	ranks(t, 2, func(s *step) {
		f := s.open(path, mpi.ReadWrite|mpi.Create)
		s.interleave(f, 8)
		s.file(mpi.FileWriteAll, f, 16)
		x, err := s.Compile(&s.Program)
		s.ok(err)
		s.ok(f.Close())
		m, err := x.Run(once)
		s.ok(err)
		require.Equal(t, &mpi.Error{
			Call: "MPI_File_write_all", Rank: s.me, Class: 30,
			Text: path + ": bad file descriptor: 0 of 16 bytes were written",
		}, m.Failure)
		_, err = s.Compile(&s.Program)
		require.Error(t, err)
		for _, again := range []func() error{f.Close, f.Sync, func() error { return f.SetView(mpi.View{}, nil) }} {
			var failed *mpi.Error
			require.ErrorAs(t, again(), &failed)
			require.Equal(t, 30, failed.Class)
		}
	})
}

// TestFileAllocations checks that timed file calls allocate nothing.
func TestFileAllocations(t *testing.T) {
	if raced {
		t.Skip("it allocates as much without the race detector")
	}
	path := filepath.Join(t.TempDir(), "file")
	ranks(t, 2, func(s *step) {
		f := s.open(path, mpi.ReadWrite|mpi.Create)
		s.interleave(f, 8)
		s.file(mpi.FileWriteAtAll, f, 1<<14)
		s.file(mpi.FileReadAt, f, 64)
		s.file(mpi.FileWriteOrdered, f, 64)
		s.Call(mpi.Call{Op: mpi.Lap}, mpi.Call{Op: mpi.FileSync, Recv: mpi.One(1)}, mpi.Call{Op: mpi.Decide})
		x, err := s.Compile(&s.Program)
		s.ok(err)
		_, err = x.Run(mpi.Loops{Timed: 10, Budget: 100})
		s.ok(err)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := x.Run(mpi.Loops{Timed: 100, Budget: 100})
		s.ok(err)
		runtime.ReadMemStats(&after)
		require.Nil(t, m.Failure)
		require.Less(t, after.Mallocs-before.Mallocs, uint64(50))
	})
}

// TestFailureEndsOwnClock checks that a rank that decides by its own clock ends its run after a failure.
func TestFailureEndsOwnClock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	ranks(t, 1, func(s *step) {
		f := s.open(path, mpi.ReadWrite|mpi.Create)
		s.file(mpi.FileRead, f, 8)
		x, err := s.Compile(&s.Program)
		s.ok(err)
		m, err := x.Run(mpi.Loops{Timed: 1 << 40, Budget: 1e6})
		s.ok(err)
		require.Equal(t, int64(1), m.Loops)
		require.Equal(t, path+": 0 of 8 bytes were read", m.Failure.Text)
	})
}

// TestReopen checks that a file that a program opens again has another view and other pointers, and that the previous
// view and pointers are back after the program has closed it.
func TestReopen(t *testing.T) {
	path := t.TempDir() + "/file"
	ranks(t, 2, func(s *step) {
		f, err := s.Engine.(mpi.Files).OpenFile(s.World(), path, mpi.ReadWrite|mpi.Create|mpi.Exclusive, nil)
		s.ok(err)
		s.ok(f.SetView(mpi.View{OfBytes: true, Start: 100}, nil))
		memory := s.send(0, 3, byte('a'+s.me))
		file := mpi.One(s.Place(mpi.Place{Space: f, Length: 3}))
		write := mpi.Call{Op: mpi.FileWriteOrdered, Send: memory, Recv: file}
		s.Call(write, mpi.Call{Op: mpi.FileOpen, Recv: file}, write, mpi.Call{Op: mpi.FileClose, Recv: file}, write)
		s.must(mpi.Loops{Timed: 2})
		s.ok(s.World().Barrier()) // the last writes of both ranks are done
		length, err := f.Length()
		s.ok(err)
		require.Equal(t, int64(100+4*6), length)
		s.ok(f.Close())
		if s.me == 0 {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, "aaabbb", string(data[:6]))
			require.Equal(t, "\x00aaabbbaaabbbaaabbbaaabbb", string(data[99:]))
		}
	})
}

// TestReopenGone checks that a file that can't be opened again is a failure, and that the first opening stays open.
func TestReopenGone(t *testing.T) {
	path := t.TempDir() + "/file"
	ranks(t, 2, func(s *step) {
		f, err := s.Engine.(mpi.Files).OpenFile(s.World(), path, mpi.ReadWrite|mpi.Create, nil)
		s.ok(err)
		if s.me == 0 {
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.Mkdir(path, 0o700))
		}
		s.ok(s.World().Barrier())
		memory := s.send(0, 8, 1)
		file := mpi.One(s.Place(mpi.Place{Space: f, Length: 8}))
		s.Call(mpi.Call{Op: mpi.FileOpen, Recv: file}, mpi.Call{Op: mpi.FileWriteAt, Send: memory, Recv: file},
			mpi.Call{Op: mpi.FileClose, Recv: file})
		x, err := s.Compile(&s.Program)
		s.ok(err)
		m, err := x.Run(once)
		s.ok(err)
		require.NotNil(t, m.Failure)
		require.Equal(t, "MPI_File_open", m.Failure.Call)
		s.ok(f.Sync())
		s.ok(f.Close())
	})
}
