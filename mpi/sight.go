package mpi

// Sight is a look at a process from another goroutine, while the process itself may be in a call that doesn't return.
type Sight struct {
	Rank  int    // in the world
	Call  string // that the process is in, by its name in the MPI standard; empty: in none
	Path  string // of the file that the call is on, or of its directory; empty: none
	With  []int  // ranks in the world that the call's messages go to and come from; nil: none or all
	Bytes int64  // of the call's longest message or piece of a file on this process; 0: none
	// Loop is the loop of the program that the process runs, counted from the program's first run; -1: it runs none.
	Loop int64
	// Moment differs between two looks if the process went on in between.
	Moment Moment
}

// Moment is a place in the course of a process.
type Moment struct {
	Calls uint64 // calls and runs so far
	Loop  int64  // as in Sight
	Index int    // of the call in its program
}

// Watchable is an Engine whose processes can be looked at. Any goroutine may call Look at any time. No process stops or
// waits for it.
type Watchable interface {
	// Look returns a sight of this process: of all ranks in the order of their numbers, if the engine's ranks are one
	// process.
	Look() []Sight
}
