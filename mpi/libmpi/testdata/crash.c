// A library that crashes: rank 1's barriers, or MPI_Init behind CRASH_INIT. MPI_Init takes a handler away.
#include <mpi.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

int MPI_Init(int *argc, char ***argv) {
	signal(SIGTERM, SIG_DFL);
	if (getenv("CRASH_INIT")) *(volatile int *)NULL = 0;
	return PMPI_Init(argc, argv);
}

int MPI_Barrier(MPI_Comm comm) {
	int rank;
	PMPI_Comm_rank(comm, &rank);
	if (rank == 1) *(volatile int *)NULL = 0;
	return PMPI_Barrier(comm);
}
