// A library that crashes: in MPI_Barrier on rank 1, and in MPI_Init if CRASH_INIT is set. MPI_Init replaces a signal
// handler.
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
