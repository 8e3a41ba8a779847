// A library that prints the lower bound, the extent and the size of each type that is committed.
#include <mpi.h>
#include <stdio.h>

int MPI_Type_commit(MPI_Datatype *type) {
	MPI_Aint low, extent;
	int size, rc = PMPI_Type_commit(type);
	MPI_Type_get_extent(*type, &low, &extent);
	MPI_Type_size(*type, &size);
	printf("type %ld %ld %d\n", (long)low, (long)extent, size);
	fflush(stdout);
	return rc;
}
