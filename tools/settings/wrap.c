/* A library that is loaded before an MPI (LD_PRELOAD) and slows its calls by a known factor, for tools/settings/run.
 *
 *   WRAP_PART=0.05     MPI_Allreduce, and MPI_Send and MPI_Recv in process 0, take 5 % longer than they do
 *   WRAP_TAKE=100      collective calls, and MPI_Wait, take at least 100 us times a factor
 *   WRAP_ALLREDUCE=2.4 the factor of MPI_Allreduce (2)
 *
 * Only process 0 spins in MPI_Send and MPI_Recv, so that a round trip gets longer by the part only once. Processes that
 * all wait for each other, as in MPI_Allreduce, spin at the same time.
 *
 * The factors keep each guideline of collective calls: MPI_Allreduce takes as long as MPI_Reduce and MPI_Bcast, and
 * less than MPI_Reduce_scatter and MPI_Allgather. With 2.4 it takes 1.2 times as long as the former, and still less
 * than the latter, so that one guideline is violated, and no other. MPI_Iallreduce and MPI_Wait take as long.
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static double part, take, allreduce = 2, next = 1; /* next: the factor of the next MPI_Wait */
static int rank = -1;

static double number(const char *name, double otherwise)
{
	const char *text = getenv(name);
	return text ? atof(text) : otherwise;
}

__attribute__((constructor)) static void settings(void)
{
	part = number("WRAP_PART", 0);
	take = number("WRAP_TAKE", 0) * 1e-6;
	allreduce = number("WRAP_ALLREDUCE", allreduce);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Spins until a call has taken a part longer than it did, and the least time. */
static int ended(int code, double began, double longer, double least)
{
	double end = now();
	end += longer * (end - began);
	if (end < began + least)
		end = began + least;
	while (now() < end)
		;
	return code;
}

static double of_first(void)
{
	if (rank < 0)
		PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return rank == 0 ? part : 0;
}

#define CALL(name, longer, factor, parameters, arguments) \
	int MPI_##name parameters \
	{ \
		double began = now(); \
		int code = PMPI_##name arguments; \
		return ended(code, began, longer, (factor) * take); \
	}

static double next_wait(void)
{
	double factor = next;
	next = 1;
	return factor;
}

int MPI_Iallreduce(const void *a, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c, MPI_Request *r)
{
	next = allreduce;
	return PMPI_Iallreduce(a, b, n, t, o, c, r);
}

typedef MPI_Datatype type;
typedef const int *list;

CALL(Send, of_first(), 0, (const void *a, int n, type t, int to, int tag, MPI_Comm c), (a, n, t, to, tag, c))
CALL(Recv, of_first(), 0, (void *a, int n, type t, int from, int tag, MPI_Comm c, MPI_Status *s),
	(a, n, t, from, tag, c, s))
CALL(Wait, 0, next_wait(), (MPI_Request *r, MPI_Status *s), (r, s))
CALL(Bcast, 0, 1, (void *a, int n, type t, int root, MPI_Comm c), (a, n, t, root, c))
CALL(Reduce, 0, 1, (const void *a, void *b, int n, type t, MPI_Op o, int root, MPI_Comm c), (a, b, n, t, o, root, c))
CALL(Allreduce, part, allreduce, (const void *a, void *b, int n, type t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
CALL(Scan, 0, 1, (const void *a, void *b, int n, type t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
CALL(Exscan, 0, 1, (const void *a, void *b, int n, type t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
CALL(Reduce_scatter_block, 0, 1.6, (const void *a, void *b, int n, type t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
CALL(Reduce_scatter, 0, 1.6, (const void *a, void *b, list n, type t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
CALL(Gather, 0, 1, (const void *a, int n, type t, void *b, int m, type u, int root, MPI_Comm c),
	(a, n, t, b, m, u, root, c))
CALL(Gatherv, 0, 1, (const void *a, int n, type t, void *b, list m, list at, type u, int root, MPI_Comm c),
	(a, n, t, b, m, at, u, root, c))
CALL(Scatter, 0, 1, (const void *a, int n, type t, void *b, int m, type u, int root, MPI_Comm c),
	(a, n, t, b, m, u, root, c))
CALL(Scatterv, 0, 1, (const void *a, list n, list at, type t, void *b, int m, type u, int root, MPI_Comm c),
	(a, n, at, t, b, m, u, root, c))
CALL(Allgather, 0, 1, (const void *a, int n, type t, void *b, int m, type u, MPI_Comm c), (a, n, t, b, m, u, c))
CALL(Allgatherv, 0, 1, (const void *a, int n, type t, void *b, list m, list at, type u, MPI_Comm c),
	(a, n, t, b, m, at, u, c))
CALL(Alltoall, 0, 1, (const void *a, int n, type t, void *b, int m, type u, MPI_Comm c), (a, n, t, b, m, u, c))
CALL(Alltoallv, 0, 1,
	(const void *a, list n, list at, type t, void *b, list m, list into, type u, MPI_Comm c),
	(a, n, at, t, b, m, into, u, c))
