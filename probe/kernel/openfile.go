package kernel

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/pagecache"
)

// Files is the open file of a process in a row (guide, "File (IMB-IO)").
type Files struct {
	Comm     mpi.Comm // the group's, or one of this process alone
	Private  bool
	Path     string
	Mode     mpi.FileMode
	File     mpi.File
	View     mpi.View
	Position Stretch // positions of the view's bytes
	Kept     bool    // it stays for the block's further rows
	// What this process reads in the last run, and what memory held of it before.
	Read pagecache.Part
	Seen rating.PageSample
}

// FileUse says how a kernel uses its file.
type FileUse struct {
	Private bool // each process has a file of its own
	Reads   bool
	// View returns a process' view of the file, and the positions of its bytes.
	View func(s *Scene) (mpi.View, Stretch)
	// At returns the offset in the view of the bytes that a process moves in a repetition, and their number.
	At func(s *Scene, repetition int64) (offset, length int64)
	// Contents returns the bytes of a file that the kernel reads, for a number of repetitions; nil: it reads none.
	Contents func(s *Scene, repetitions int64) int64
}

// Part returns the part of the file that a process moves in a number of repetitions.
func (a *FileUse) Part(s *Scene, repetitions int64) pagecache.Part {
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

// Stretch returns the position in the file of a byte of a view, and the number of the view's bytes that are contiguous
// from there on.
type Stretch func(offset int64) (position, length int64)
