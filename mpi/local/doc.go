// Package local is the embedded engine: the ranks are goroutines of this process, and messages go through its memory.
//
// What it rates is the memory of one machine as goroutines reach it, not an MPI. Data are really copied from one rank's
// buffer into the other's, point-to-point calls keep MPI's matching rules (MPI 4.1, 3.5: source, tag, communicator;
// messages of a pair don't overtake each other), and every blocking call makes progress with all open requests.
//
// How a message travels (pair.go): each ordered pair of ranks has a small queue with one writer and one reader. Its
// cells carry short messages themselves, longer ones in a block of the sender's, and of long ones only where they are:
// the receiver copies them out of the sender's buffer. Nothing is locked on that way, and nothing allocated unless a
// message comes before one that is wanted. A queue exists only for pairs that a compiled program names, and takes less
// than 1 kB.
//
// Collective calls (collective.go, reduce.go) are two meetings of the communicator, between which each rank copies
// straight from and to the buffers of the others, or computes its part of a reduction.
//
// Files (file.go) are those of the operating system: a rank has its own descriptor, and a file call is a system call.
// Only collective calls on interleaved data move other ranks' data too (transfer.go).
//
// Not done: reordering of ranks in Cart, pinning goroutines to cores, hints for files, one-sided calls and nonblocking
// collective calls: what these are measured for, progress beside the process' own work, only a further thread could
// make.
package local
