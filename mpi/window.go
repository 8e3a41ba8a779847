package mpi

// Windows is what an Engine also offers if its processes can reach into each other's memory (MPI 4.1, chapter 12).
type Windows interface {
	// NewWindow makes a window of each process' buffer b on all processes of c (MPI_Win_create, displacements in
	// bytes). A process may pass nil: its window is empty.
	NewWindow(c Comm, b Buffer) (Window, error)
}

// Window is memory that other processes may reach into, and the Space of the target's side of a program's calls. Its
// Size is that of the largest window of all processes; what lies beyond a target's own window is an error of the call.
type Window interface {
	Space
	// Create makes it again after a Free, with the same communicator and buffer; Free ends its use. Both are
	// collective. A program may do the same by the calls WinCreate and WinFree.
	Create() error
	Free() error
	// Close gives the window back for good. It is collective if the window is not free, and frees it then. No program
	// that names the window may run any more.
	Close() error
}
