package mpi

// Snapshot is a snapshot of a process, taken by another goroutine while the process may be in a call that doesn't
// return.
type Snapshot struct {
	Rank  int    // in the world
	Call  string // that the process is in, by its name in the MPI standard, or empty
	Path  string // of the call's file or its directory, or empty
	With  []int  // ranks in the world that the call's messages go to and come from; nil for none or all
	Bytes int64  // of the call's longest message or piece of a file on this process, or 0
	// Loop is the current loop of the program, counted from the program's first run, or -1 if the process runs none.
	Loop int64
	// Position differs between two snapshots if the process made progress in between.
	Position Position
}

// Position is the position of a process in its work.
type Position struct {
	Calls uint64 // calls and runs so far
	Loop  int64  // as in Snapshot
	Index int    // of the call in its program
}

// Watchable is an Engine that shows where its processes are. Any goroutine may call Look at any time, and no process
// stops or waits for it.
type Watchable interface {
	// Look returns a snapshot of this process or, if the engine's ranks share one process, of each rank in order.
	Look() []Snapshot
}
