package mpi

// Windows is implemented by an Engine whose processes can access each other's memory (MPI 4.1, chapter 12).
type Windows interface {
	// NewWindow makes a window of each process's buffer b on all processes of c (MPI_Win_create, displacements in
	// bytes). A process that passes nil has an empty window.
	NewWindow(c Comm, b Buffer) (Window, error)
	// Allocate makes a window of new memory on all processes of c, size zeroed bytes on this process
	// (MPI_Win_allocate). Libraries may share such memory within a host. The buffer is that memory. It lives as long as
	// the window: its Free does nothing, and the window exists until Close. Create and Free fail, and programs can't
	// make or free it.
	Allocate(c Comm, size int64) (Window, Buffer, error)
}

// Attaching is implemented by Windows that make windows to which memory is attached later (MPI 4.1, 12.2.4).
type Attaching interface {
	// Attach is like Windows.NewWindow, by MPI_Win_create_dynamic and MPI_Win_attach.
	Attach(c Comm, b Buffer) (Window, error)
}

// WindowHinter is implemented by Windows that take hints for windows.
type WindowHinter interface {
	// HintWindows sets the hints of all windows that are made later (the info of MPI_Win_create).
	HintWindows(hints []Hint) error
}

// Symmetric is implemented by an Engine whose reductions only take memory that Allocate has made.
type Symmetric interface {
	Windows
	Symmetric()
}

// Window is memory that other processes may access, and the Space of the target's side of a program's calls. Its Size
// is the size of the largest window of all processes. A call fails if it reaches beyond the target's own window.
type Window interface {
	Space
	// Free ends the use of the window, and Create makes it again, with the same communicator and buffer. Both are
	// collective. The calls WinCreate and WinFree do the same in a program.
	Create() error
	Free() error
	// Close releases the window for good. If the window is not free, Close frees it and is collective. No program that
	// names the window may run any more.
	Close() error
}
