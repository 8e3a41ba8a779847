package mpi

// ThreadLevels lists the levels of thread support, in the order of the standard and without its prefix MPI_THREAD_ (MPI
// 4.1, 11.6.2).
var ThreadLevels = []string{"single", "funneled", "serialized", "multiple"}
