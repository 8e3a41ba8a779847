package mpi

import "math"

// Files is implemented by an Engine whose processes can read and write files (MPI 4.1, chapter 14).
type Files interface {
	// OpenFile opens a file on all processes of c, which pass the same path, mode and hints (MPI_File_open). The view
	// is the whole file. It is collective over c.
	OpenFile(c Comm, path string, mode FileMode, hints []Hint) (File, error)
}

// File is an open file. It is also the Space of the places in the file that the file calls of a program use. A call
// with an explicit offset starts at the Offset of its Place, in bytes of the view. Other calls start at the individual
// or the shared file pointer, whatever the Offset. Walk doesn't move these pointers. All methods except Size and Length
// are collective over the communicator that opened the file. A method may fail on only some of its processes, so the
// processes must agree on errors.
type File interface {
	Space
	// SetView sets the view, and moves the process's individual file pointer and the shared one to its start
	// (MPI_File_set_view). To use the shared file pointer, all processes must have the same view.
	SetView(v View, hints []Hint) error
	// Hints returns the hints in force, in the library's order (MPI_File_get_info).
	Hints() ([]Hint, error)
	// Length returns the length of the file in bytes (MPI_File_get_size).
	Length() (int64, error)
	// Truncate cuts the file to 0 bytes (MPI_File_set_size).
	Truncate() error
	// Sync transfers the data that this process has written to the storage device (MPI_File_sync).
	Sync() error
	// Close closes the file (MPI_File_close), and deletes it if it was opened with DeleteOnClose.
	Close() error
}

// FileSize is the Size of every File. It doesn't limit a file: programs may write as much as the storage holds.
const FileSize = math.MaxInt64

// FileMode is the mode in which a file is opened (MPI 4.1, 14.2.1): ReadOnly or ReadWrite, and any of the others.
type FileMode uint8

// The flags of a FileMode.
const (
	ReadOnly FileMode = 1 << iota
	ReadWrite
	Create        // make the file if it doesn't exist
	Exclusive     // with Create: fail if the file exists
	UniqueOpen    // the file isn't opened by anyone else meanwhile
	DeleteOnClose // delete the file when it is closed
)

// Hint is a key and its value in an MPI_Info object.
type Hint struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// View selects the bytes of a file that a process sees. After the first Start bytes, the file consists of rows of Slots
// slots of Block bytes, of which the process sees one slot in each row. With one slot it sees everything after Start.
// If the elementary type is MPI_DOUBLE, Start and Block must be multiples of 8.
type View struct {
	OfBytes bool // the elementary type is MPI_BYTE, otherwise MPI_DOUBLE
	Start   int64
	Block   int64 // bytes of a slot, or 0 without slots
	Slots   int
	Slot    int // this process's slot, counted from 0
}
