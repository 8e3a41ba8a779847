// Package local is the embedded engine: the ranks are goroutines of this process, and messages go through its memory.
//
// It rates the memory of one machine as goroutines see it, not an MPI. Data are copied from one rank's buffer into the
// other's. Point-to-point calls match by source, tag and communicator, and messages of a pair don't overtake each other
// (MPI 4.1, 3.5). Every blocking call makes progress with all open requests.
//
// Messages (pair.go): each ordered pair of ranks has a small queue with one writer and one reader. A short message is
// in a cell of the queue, a longer one in a block of the sender. For a long message the cell holds only the address,
// and the receiver copies the data out of the sender's buffer. A message takes no lock, and no allocation unless it
// arrives before a message that is received earlier. Only pairs that a compiled program names have a queue, which takes
// less than 1 kB.
//
// Collective calls (collective.go, reduce.go) are two meetings of the communicator's ranks. Between them each rank
// copies directly from and to the buffers of the others, or computes its part of a reduction.
//
// Nonblocking collective calls (nonblocking.go) begin when all ranks have started them. Each rank does its part during
// its next wait, and nothing while it computes. Alltoallv, blocking or not, is messages.
//
// One-sided calls (onesided.go) are the origin's own copy from or to the target's memory. The target takes no part, so
// their times are times of memory.
//
// Files (file.go) are files of the operating system. Each rank has its own descriptor, and a file call is a system
// call. A rank moves data of other ranks only in collective calls on interleaved data (transfer.go).
//
// The engine runs every call of package mpi. Cart doesn't reorder ranks, because all are equally far from each other.
// Goroutines aren't pinned to cores, because the Go scheduler moves them, but the operating system can pin the whole
// process (taskset). Hints for files are ignored, as the standard allows (MPI 4.1, 10), because there is no file
// library to tune.
package local
