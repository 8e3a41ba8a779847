package kernel

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/pagecache"
)

// Files is the open file of a process in a row (guide, "File (IMB-IO)").
type Files struct {
	Comm      mpi.Comm // the group, or this process only
	Private   bool
	Path      string
	Mode      mpi.FileMode
	File      mpi.File
	View      mpi.View
	Position  PositionFunc // of the view's bytes in the file
	StaysOpen bool         // for the other rows of the block
	// Read is the part of the file that this process reads in the last run, and CachedBefore holds how much of it was
	// in the page cache before.
	Read         pagecache.Part
	CachedBefore rating.PageSample
}

// FileUse describes how a kernel uses its file.
type FileUse struct {
	Private bool // each process has a separate file
	Reads   bool
	// View returns a process's view of the file, and the positions of the view's bytes in the file.
	View func(s *Setup) (mpi.View, PositionFunc)
	// Range returns the offset in the view, and the length, of the bytes that a process moves in a repetition.
	Range func(s *Setup, repetition int64) (offset, length int64)
	// Size returns the size in bytes that a file needs if the kernel reads it in this many repetitions. It is nil if
	// the kernel doesn't read files.
	Size func(s *Setup, repetitions int64) int64
}

// Part returns the part of the file that a process moves in these repetitions.
func (a *FileUse) Part(s *Setup, repetitions int64) pagecache.Part {
	position := func(repetition int64) int64 {
		offset, _ := a.Range(s, repetition)
		at, _ := s.Files.Position(offset)
		return at
	}
	_, length := a.Range(s, 0)
	return pagecache.Part{Offset: position(0), Length: length, Distance: position(1) - position(0), Count: repetitions}
}

// FileUnit is the size in bytes of the units in which a length is divided among the processes: IMB's int.
const FileUnit = 4

// PositionFunc returns the position in the file of the byte at an offset in a view, and how many bytes of the view are
// contiguous in the file from there.
type PositionFunc func(offset int64) (position, length int64)
