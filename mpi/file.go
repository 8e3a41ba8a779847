package mpi

import "math"

// Files is implemented by an Engine whose processes can read and write files (MPI 4.1, chapter 14).
type Files interface {
	// OpenFile opens a file on all processes of c, which pass the same path, mode and hints (MPI_File_open). The view
	// is the whole file.
	OpenFile(c Comm, path string, mode FileMode, hints []Hint) (File, error)
}

// File is an open file, and the Space of the file's side of a program's calls. Calls with an explicit offset start at
// their Place's Offset, in bytes of the view. The others start at their pointer, wherever their Place is; walks don't
// move the pointer. All methods but Size and Length are collective over the communicator that opened the file. They may
// fail on only some processes, so the processes must agree on their errors.
type File interface {
	Space
	// SetView sets the bytes that the process sees, and moves its individual pointer and the shared pointer to the
	// view's start (MPI_File_set_view). The shared pointer needs the same view on all processes.
	SetView(v View, hints []Hint) error
	// Hints returns the hints in force, in the library's order (MPI_File_get_info).
	Hints() ([]Hint, error)
	// Length returns the file's bytes (MPI_File_get_size).
	Length() (int64, error)
	// Truncate cuts the file to 0 bytes (MPI_File_set_size).
	Truncate() error
	// Sync brings the written data to the storage device (MPI_File_sync).
	Sync() error
	// Close closes the file (MPI_File_close), and deletes it if it was opened with DeleteOnClose.
	Close() error
}

// FileSize is the Size of a File: programs may write as much as the storage takes.
const FileSize = math.MaxInt64

// FileMode is the mode in which a file is opened (MPI 4.1, 14.2.1): ReadOnly or ReadWrite, and any of the others.
type FileMode uint8

// The parts of a FileMode.
const (
	ReadOnly FileMode = 1 << iota
	ReadWrite
	Create        // if it doesn't exist
	Exclusive     // with Create: an error if it exists
	UniqueOpen    // no other process has it open
	DeleteOnClose // Close deletes it
)

// Hint is one key and value of an MPI_Info.
type Hint struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// View selects the bytes of a file that a process sees. After the first Start bytes, the file consists of rows of Slots
// slots of Block bytes, of which the process sees one slot in each row. With one slot it sees everything after Start.
// The elementary type is MPI_BYTE, or MPI_DOUBLE, in which case Start and Block are multiples of 8.
type View struct {
	OfBytes bool // the elementary type is MPI_BYTE
	Start   int64
	Block   int64 // bytes of a slot, or 0 without slots
	Slots   int
	Slot    int // this process' slot, from 0
}
