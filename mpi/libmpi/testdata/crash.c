// A library that crashes: rank 1's barriers.
#include <mpi.h>
#include <stddef.h>

int MPI_Barrier(MPI_Comm comm) {
	int rank;
	PMPI_Comm_rank(comm, &rank);
	if (rank == 1) *(volatile int *)NULL = 0;
	return PMPI_Barrier(comm);
}
