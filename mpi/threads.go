package mpi

// ThreadLevels lists the levels of thread support, in the order of the standard and without its prefix MPI_THREAD_ (MPI
// 4.1, 11.6.2).
var ThreadLevels = []string{"single", "funneled", "serialized", "multiple"}

// Multiple is the level at which several threads of a process make calls at the same time.
const Multiple = "multiple"

// Threaded is an Engine whose processes may have several threads that make calls at the same time. Each thread runs a
// program of its own. Thread 0 is the process' first one, which calls all methods.
type Threaded interface {
	// Threads returns an error that says why this process can't have a number of threads.
	Threads(n int) error
	// ThreadComm returns a copy of a communicator for a thread of each of its processes, which all call it. The library
	// is told the thread's number (info key thread_id).
	ThreadComm(c Comm, thread int) (Comm, error)
	// ThreadBuffers returns a buffer of size bytes for each of n threads.
	ThreadBuffers(n int, size int64, how Allocation) ([]Buffer, error)
	// Team compiles a program for each thread. All of them have the same number of processes to meet (Program.Start).
	// Each thread has a processor of its own if the process and those beside it may run on enough of them.
	Team(programs []*Program) (Team, error)
}

// Team is the threads of a process, with a compiled program each.
type Team interface {
	// Run runs all programs at the same time, each as a Runner does. If they have a Start, all threads of its processes
	// meet before. Measurements are in the order of the threads. A call that fails on another thread than the first
	// ends the job.
	Run(Loops) ([]Measurement, error)
	// Close ends the threads, and releases the programs' resources.
	Close()
}

// Allocation says how the memory of threads is made.
type Allocation uint8

// The allocations.
const (
	Serial     Allocation = iota // each buffer by itself, by the first thread
	Continuous                   // one behind the other without a gap, by the first thread
	Parallel                     // each by its own thread, which touches it first
)
