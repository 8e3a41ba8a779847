package kernel

import "github.com/effective-bandwidth/beff/mpi"

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
}

// FileUse says how a kernel uses its file.
type FileUse struct {
	Private bool // each process has a file of its own
	Reads   bool
	// View returns a process' view of the file, and the positions of its bytes.
	View func(s *Scene) (mpi.View, Stretch)
	// Contents returns the bytes of a file that the kernel reads, for a number of repetitions; nil: it reads none.
	Contents func(s *Scene, repetitions int64) int64
}

// FileUnit is the bytes of the units in which a length is divided among the processes: IMB's int.
const FileUnit = 4

// Stretch returns the position in the file of a byte of a view, and the number of the view's bytes that are contiguous
// from there on.
type Stretch func(offset int64) (position, length int64)
