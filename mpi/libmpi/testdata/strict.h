// Compiled into a plug-in, this makes a status count only the elements of its call's type, as the standard has it (MPI
// 4.1, 5.1.11): of any other type their number is not defined. Open MPI and MPICH count bytes as well.
#define _GNU_SOURCE // before all headers, where some sources have it
#include <mpi.h>

__attribute__((weak)) MPI_Datatype strict_type;

static inline int strict_elements(const MPI_Status *status, MPI_Datatype type, MPI_Count *count) {
	if (type == strict_type) return MPI_Get_elements_x(status, type, count);
	*count = MPI_UNDEFINED;
	return MPI_SUCCESS;
}

static inline int strict_count(const MPI_Status *status, MPI_Datatype type, int *count) {
	if (type == strict_type) return MPI_Get_count(status, type, count);
	*count = MPI_UNDEFINED;
	return MPI_SUCCESS;
}

#define MPI_Get_count strict_count
#define MPI_Get_elements_x strict_elements
#define MPI_File_write_at(f, at, memory, n, type, status) \
	(strict_type = (type), MPI_File_write_at(f, at, memory, n, type, status))
#define MPI_File_read_at(f, at, memory, n, type, status) \
	(strict_type = (type), MPI_File_read_at(f, at, memory, n, type, status))
