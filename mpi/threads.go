package mpi

// ThreadLevels lists the levels of thread support, in the order of the standard and without its prefix MPI_THREAD_ (MPI
// 4.1, 11.6.2).
var ThreadLevels = []string{"single", "funneled", "serialized", "multiple"}

// Multiple is the level at which several threads of a process make calls at the same time.
const Multiple = "multiple"

// Threaded is an Engine whose processes may have several threads that make calls at the same time. Each thread runs its
// own program. Thread 0 is the thread that calls all methods of the engine.
type Threaded interface {
	// Threads returns an error that explains why this process can't have n threads, or nil if it can.
	Threads(n int) error
	// ThreadComm returns a copy of c for the threads with this number. All processes of c must call it. ThreadComm
	// passes the number to the library (info key thread_id).
	ThreadComm(c Comm, thread int) (Comm, error)
	// ThreadBuffers returns a buffer of size bytes for each of n threads.
	ThreadBuffers(n int, size int64, how Allocation) ([]Buffer, error)
	// Team compiles a program for each thread. All programs have the same number of processes in Program.Start. Each
	// thread gets its own processor if this process and the others on its host may run on enough of them.
	Team(programs []*Program) (Team, error)
}

// Team is the threads of a process. Each thread has a compiled program.
type Team interface {
	// Run runs all programs at the same time, each as a Runner does. If the programs have a Start, all threads of its
	// processes first meet in a barrier. Measurements are in the order of the threads. A call that fails on a thread
	// other than the first ends the job.
	Run(Loops) ([]Measurement, error)
	// Close ends the threads, and releases the programs' resources.
	Close()
}

// Allocation is the way in which the memory of threads is allocated.
type Allocation uint8

// The allocations.
const (
	Serial     Allocation = iota // each buffer separately, by the first thread
	Continuous                   // adjacent buffers, without a gap, by the first thread
	Parallel                     // each buffer by its own thread, which touches it first
)
