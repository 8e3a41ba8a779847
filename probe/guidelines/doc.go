// Package guidelines has the kernels of performance guidelines: a call of the library, and a mock-up that gives the
// same result by other calls. No library should need longer for the call than for the mock-up, on the same processes
// with the same bytes: it could do what the mock-up does (Träff, Gropp and Thakur, Self-Consistent MPI Performance
// Guidelines, 2010; Hunold and others, PGMPI, 2016).
//
// The length of a row is that of a process' block where each process has one (Gather, Allgather, Scatter, Alltoall,
// Reduce_scatter and Reduce_scatter_block), else that of all data. A mock-up is the calls alone: what it would copy in
// memory isn't counted. Blocks of its own are rounded up to the same length each.
package guidelines
