// Package ior measures how fast files are written and read by the method of IOR 4: each process moves blocks of
// transfers, in one shared file or in a file of its own, through MPI-IO or the calls of the C library. Opening, moving
// and closing are phases of their own, whose times begin with the first process and end with the last one.
//
// IOR is that of https://github.com/hpc/ior, in version 4.1. Its options keep their letters in comments. Sizes are in
// bytes, times in seconds.
//
// An IO500-like set has phases of metadata, too, which are those of package probe/method, by the method of mdtest, and
// the search for files as in IO500's find.
//
// Times of processes are those since the barrier before a phase, so that no clocks are compared. Two things differ from
// IOR. Transfers in random order (-z) are compiled in batches, and the time between two batches isn't counted. A file
// that is there is never overwritten, unless the user says that it is his (-E).
package ior
