package probe

import "github.com/effective-bandwidth/beff/mpi"

// files is the open file of a process in a row (guide, "File (IMB-IO)").
type files struct {
	comm     mpi.Comm // the group's, or one of this process alone
	private  bool
	path     string
	mode     mpi.FileMode
	file     mpi.File
	view     mpi.View
	position stretch // positions of the view's bytes
	kept     bool    // it stays for the block's further rows
}

// fileUse says how a kernel uses its file.
type fileUse struct {
	private bool // each process has a file of its own
	reads   bool
	// view returns a process' view of the file, and the positions of its bytes.
	view func(s *scene) (mpi.View, stretch)
	// contents returns the bytes of a file that the kernel reads, for a number of repetitions; nil: it reads none.
	contents func(s *scene, repetitions int64) int64
}

// fileUnit is the bytes of the units in which a length is divided among the processes: IMB's int.
const fileUnit = 4

// stretch returns the position in the file of a byte of a view, and the number of the view's bytes that are contiguous
// from there on.
type stretch func(offset int64) (position, length int64)
