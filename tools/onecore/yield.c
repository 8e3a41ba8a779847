// Calls of MPI that yield their processor while they wait, for an MPI without such an option (MPICH): several processes
// can then share one core. The script set preloads them.
#include <mpi.h>
#include <sched.h>

static int wait_all(int n, MPI_Request *requests, MPI_Status *statuses) {
	for (int done = 0;;) {
		int code = PMPI_Testall(n, requests, &done, statuses);
		if (code != MPI_SUCCESS || done)
			return code;
		sched_yield();
	}
}

static int wait_one(int code, MPI_Request *request, MPI_Status *status) {
	for (int done = 0; code == MPI_SUCCESS && !done;) {
		code = PMPI_Test(request, &done, status);
		if (!done)
			sched_yield();
	}
	return code;
}

int MPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[]) { return wait_all(n, requests, statuses); }

int MPI_Wait(MPI_Request *request, MPI_Status *status) { return wait_one(MPI_SUCCESS, request, status); }

int MPI_Send(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c) {
	MPI_Request r;
	return wait_one(PMPI_Isend(b, n, t, to, tag, c, &r), &r, MPI_STATUS_IGNORE);
}

int MPI_Recv(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s) {
	MPI_Request r;
	return wait_one(PMPI_Irecv(b, n, t, from, tag, c, &r), &r, s);
}

int MPI_Sendrecv(const void *out, int nout, MPI_Datatype tout, int to, int tagout, void *in, int nin, MPI_Datatype tin,
                 int from, int tagin, MPI_Comm c, MPI_Status *status) {
	MPI_Request r[2];
	MPI_Status s[2];
	int code = PMPI_Irecv(in, nin, tin, from, tagin, c, &r[0]);
	if (code == MPI_SUCCESS)
		code = PMPI_Isend(out, nout, tout, to, tagout, c, &r[1]);
	if (code == MPI_SUCCESS)
		code = wait_all(2, r, s);
	if (code == MPI_SUCCESS && status != MPI_STATUS_IGNORE)
		*status = s[0];
	return code;
}

#define COLLECTIVE(name, parameters, ...)                                                                              \
	int MPI_##name parameters {                                                                                        \
		MPI_Request r;                                                                                                 \
		return wait_one(PMPI_I##__VA_ARGS__, &r, MPI_STATUS_IGNORE);                                                   \
	}

COLLECTIVE(Barrier, (MPI_Comm c), barrier(c, &r))
COLLECTIVE(Bcast, (void *b, int n, MPI_Datatype t, int root, MPI_Comm c), bcast(b, n, t, root, c, &r))
COLLECTIVE(Reduce, (const void *a, void *b, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c),
           reduce(a, b, n, t, o, root, c, &r))
COLLECTIVE(Allreduce, (const void *a, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
           allreduce(a, b, n, t, o, c, &r))
COLLECTIVE(Gather, (const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, int root, MPI_Comm c),
           gather(a, n, t, b, m, u, root, c, &r))
COLLECTIVE(Allgather, (const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm c),
           allgather(a, n, t, b, m, u, c, &r))
COLLECTIVE(Alltoallv, (const void *a, const int *n, const int *at, MPI_Datatype t, void *b, const int *m,
                       const int *bt, MPI_Datatype u, MPI_Comm c),
           alltoallv(a, n, at, t, b, m, bt, u, c, &r))
