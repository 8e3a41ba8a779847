// The timed loop: compiled programs and what one run of them returns.
#ifndef BEFF_LOOP_H
#define BEFF_LOOP_H

#include <mpi.h>
#include <stdint.h>

#if MPI_VERSION < 3 || (MPI_VERSION == 3 && MPI_SUBVERSION < 1)
#error "beff needs an MPI of version 3.1 or newer"
#endif

// Memory with the position that a walk hands out next.
typedef struct {
	char *base;
	int64_t size, walk;
} beff_space;

typedef struct {
	beff_space *space;
	char *addr; // where the place is now
	int64_t length, step;
	MPI_Datatype type;
	int count, peer;
	int width; // bytes of a mark; 0: none
	uint64_t key, per_loop, per_chunk;
	int64_t chunk; // never 0
} beff_place;

enum beff_op {
	BEFF_NOP,
	BEFF_WALK,
	BEFF_STAMP,
	BEFF_CHECK,
	BEFF_COMPUTE,
	BEFF_SEND,
	BEFF_RECV,
	BEFF_SENDRECV,
	BEFF_ISEND,
	BEFF_IRECV,
	BEFF_WAIT,
	BEFF_WAITALL,
	BEFF_BARRIER,
	BEFF_ALLTOALLV,
};

// A communicator and the argument arrays of its vector calls: zero but while a call runs.
typedef struct {
	MPI_Comm comm;
	int *sendcounts, *sdispls, *recvcounts, *rdispls; // one element a process; NULL until a program needs them
} beff_comm;

typedef struct {
	enum beff_op op;
	beff_place *send, *recv;
	int nsend, nrecv, tag;
	int request; // index in the program's requests: opened by a nonblocking call, completed by a wait
	double seconds;
} beff_call;

typedef struct {
	beff_comm *comm;
	MPI_Comm start; // MPI_COMM_NULL: no barrier
	beff_call *calls;
	int ncalls;
	MPI_Request *requests;
	MPI_Status *statuses;
	int nrequests;
	beff_place *places;
	int64_t loop; // loops that ran since the program was compiled

	// What the last run saw.
	double seconds;
	int failed, rc; // the call that failed (-1: the barrier, or a wrong mark alone) and its return code
	int mismatch;   // 1: a mark was wrong; the next fields tell the first one
	int wrong_place, wrong_end;
	int64_t wrong_loop, wrong_chunk;
	uint64_t expected, found;
} beff_program;

// beff_run waits at the start barrier, runs `untimed` loops, and `timed` ones between two readings of MPI_Wtime.
// It returns MPI_SUCCESS or the return code of the first call that failed.
int beff_run(beff_program *p, int64_t untimed, int64_t timed);

#endif
