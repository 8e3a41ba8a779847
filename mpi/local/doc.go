// Package local is the embedded engine: the ranks are goroutines of this process, and messages go through its memory.
//
// It rates the memory of one machine as goroutines see it, not an MPI. Data are really copied from one rank's buffer
// into the other's. Point-to-point calls keep MPI's matching rules (MPI 4.1, 3.5: source, tag, communicator; messages
// of a pair don't overtake each other). Every blocking call makes progress with all open requests.
//
// Messages (pair.go): each ordered pair of ranks has a small queue with one writer and one reader. A cell of the queue
// holds a short message itself. A longer one is in a block of the sender. Of a long one the cell holds only the
// address, and the receiver copies it out of the sender's buffer. A message takes no lock, and no allocation unless it
// comes before one that is wanted. A queue exists only for pairs that a compiled program names, and takes less than 1
// kB.
//
// Collective calls (collective.go, reduce.go) are two meetings of the communicator's ranks. Between them each rank
// copies directly from and to the buffers of the others, or computes its part of a reduction.
//
// Nonblocking collective calls (nonblocking.go) begin once all ranks have started them. Each rank does its part where
// it next waits, and none while it computes. Alltoallv, blocking or not, is messages.
//
// One-sided calls (onesided.go) are the origin's own copy from or to the target's memory. The target takes no part, so
// their times are those of memory.
//
// Files (file.go) are those of the operating system. Each rank has its own descriptor, and a file call is a system
// call. Only in collective calls on interleaved data a rank also moves data of other ranks (transfer.go).
//
// It runs every call of package mpi. Some things it has no use for. Cart doesn't reorder ranks, because all are equally
// far from each other. Goroutines aren't pinned to cores, because the Go scheduler moves them: the operating system can
// pin the whole process (taskset). Hints for files are ignored, as the standard allows (MPI 4.1, 10): there is no
// library of files that they could tune.
package local
