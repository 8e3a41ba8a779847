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
// Files (file.go) are those of the operating system. Each rank has its own descriptor, and a file call is a system
// call. Only in collective calls on interleaved data a rank also moves data of other ranks (transfer.go).
//
// Not implemented: reordering of ranks in Cart, pinning goroutines to cores, hints for files, one-sided calls and
// nonblocking collective calls. The last are measured for their progress during the process' own work, for which this
// engine would need a further thread.
package local
