// Package guidelines has the kernels of performance guidelines. Each consists of a call of the library, and of a
// mock-up that gives the same result by other calls. No library should need longer for the call than for the mock-up,
// on the same processes with the same bytes, because the library could do the same as the mock-up (Träff, Gropp and
// Thakur, Self-Consistent MPI Performance Guidelines, 2010; Hunold and others, PGMPI, 2016).
//
// If each process has a block (Gather, Allgather, Scatter, Alltoall, Reduce_scatter and Reduce_scatter_block), a row's
// length is the length of a block, otherwise of all data. A mock-up only makes calls: copies that it would need in
// memory aren't counted. All of its blocks are rounded up to the same length.
package guidelines
