// Compiled into a plug-in, this makes the first MPI_Waitall end when its first request has failed, with all others
// pending (MPI 4.1, 3.7.5). Closing a file while one is still pending ends the job.
#define _GNU_SOURCE // before all headers, where some sources have it
#include <mpi.h>
#include <stdio.h>

__attribute__((weak)) int pending_calls; // of MPI_Waitall

static inline int pending_waitall(int n, MPI_Request *requests, MPI_Status *statuses) {
	if (pending_calls++) return MPI_Waitall(n, requests, statuses);
	MPI_Wait(requests, statuses);
	for (int i = 0; i < n; i++) statuses[i].MPI_ERROR = i ? MPI_ERR_PENDING : MPI_ERR_IO;
	return MPI_ERR_IN_STATUS;
}

static inline int pending_close(MPI_File *file) {
	if (pending_calls == 1) {
		fprintf(stderr, "closed with a pending request\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	return MPI_File_close(file);
}

#define MPI_Waitall pending_waitall
#define MPI_File_close pending_close
