package mpi

import "math"

// Files is what an Engine also offers if its processes can read and write files (MPI 4.1, chapter 14).
type Files interface {
	// OpenFile opens a file on all processes of c, which pass the same path, mode and hints (MPI_File_open). The view
	// is the whole file.
	OpenFile(c Comm, path string, mode FileMode, hints []Hint) (File, error)
}

// File is an open file, and the Space of the file's side of a program's calls: those with an explicit offset start at
// their Place's Offset, in bytes of the view; the others at their pointer, wherever their Place is. Walks don't move
// it. All methods but Size and Length are collective over the communicator that opened the file. They fail on one
// process alone, perhaps: what they return must be agreed.
type File interface {
	Space
	// SetView says which bytes the process sees, and sets its individual pointer and the shared pointer to the view's
	// start (MPI_File_set_view). For the shared pointer, the views of all processes must be the same.
	SetView(v View, hints []Hint) error
	// SetHints gives hints without a new view (MPI_File_set_info).
	SetHints(hints []Hint) error
	// Hints are the hints in force, in the library's order (MPI_File_get_info).
	Hints() ([]Hint, error)
	// Length is how many bytes the file has (MPI_File_get_size).
	Length() (int64, error)
	// Sync brings what was written to the storage device (MPI_File_sync).
	Sync() error
	// Close ends the file's use (MPI_File_close); with DeleteOnClose it is gone then.
	Close() error
}

// FileSize is the Size of a File: programs may write as much as the storage takes.
const FileSize = math.MaxInt64

// FileMode is how a file is opened (MPI 4.1, 14.2.1): ReadOnly or ReadWrite, and what else is wanted.
type FileMode uint8

// The parts of a FileMode.
const (
	ReadOnly FileMode = 1 << iota
	ReadWrite
	Create        // if it doesn't exist
	Exclusive     // with Create: an error if it exists
	UniqueOpen    // it is opened nowhere else
	DeleteOnClose // it is gone after Close
)

// Hint is one key and value of an MPI_Info.
type Hint struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// View is which bytes of a file a process sees: from byte Start on, its slot of each row of Slots slots of Block bytes.
// With one slot it sees all that follows. The elementary type is MPI_DOUBLE, whose 8 bytes Start and Block are
// multiples of, or MPI_BYTE.
type View struct {
	OfBytes bool // the elementary type is MPI_BYTE
	Start   int64
	Block   int64 // bytes of a slot; 0: no slots
	Slots   int
	Slot    int // this process' one, from 0
}
