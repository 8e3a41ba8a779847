package kernel

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/pagecache"
)

// Files is the open file of a process in a row (guide, "File (IMB-IO)").
type Files struct {
	Comm     mpi.Comm // the group, or this process only
	Private  bool
	Path     string
	Mode     mpi.FileMode
	File     mpi.File
	View     mpi.View
	Position Stretch // of the view's bytes
	Kept     bool    // stays open for the block's further rows
	// The part that this process reads in the last run, and how much of it memory held before.
	Read pagecache.Part
	Seen rating.PageSample
}

// FileUse describes how a kernel uses its file.
type FileUse struct {
	Private bool // each process has its own file
	Reads   bool
	// View returns a process's view of the file, and the positions of its bytes.
	View func(s *Setup) (mpi.View, Stretch)
	// At returns the offset in the view of the bytes that a process moves in a repetition, and their number.
	At func(s *Setup, repetition int64) (offset, length int64)
	// Contents returns the size in bytes of a file that the kernel reads in so many repetitions. It is nil if the
	// kernel reads none.
	Contents func(s *Setup, repetitions int64) int64
}

// Part returns the part of the file that a process moves in a number of repetitions.
func (a *FileUse) Part(s *Setup, repetitions int64) pagecache.Part {
	position := func(repetition int64) int64 {
		offset, _ := a.At(s, repetition)
		at, _ := s.Files.Position(offset)
		return at
	}
	_, length := a.At(s, 0)
	return pagecache.Part{Offset: position(0), Length: length, Distance: position(1) - position(0), Count: repetitions}
}

// FileUnit is the bytes of the units in which a length is divided among the processes: IMB's int.
const FileUnit = 4

// Stretch returns the position in the file of a byte of a view, and how many bytes of the view are contiguous in the
// file, starting there.
type Stretch func(offset int64) (position, length int64)
