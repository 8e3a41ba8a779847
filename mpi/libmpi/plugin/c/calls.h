// The calls outside of loop.c. They are rare, or take so long that a function call doesn't matter.
#ifndef BEFF_CALLS_H
#define BEFF_CALLS_H

#include "plugin.h"

// LATER declares a call of MPI 4.0, which a library may lack.
#define LATER(name, ...) extern int MPI_##name(__VA_ARGS__) __attribute__((weak));

// beff_now returns the time in seconds, by a clock that doesn't jump.
double beff_now(void);

// beff_calls makes the calls from `begin` up to `end`, without that, `n` times or until loop p->stop. The first loop
// has the number `first`.
int beff_calls(beff_program *p, const beff_call *begin, const beff_call *end, int64_t first, int64_t n);

// beff_advance moves each place that advances to its next position, or to the first one if it would reach beyond the
// end (mpi.Place.At).
void beff_advance(beff_program *p);

// beff_count counts a lap in its bucket (mpi.TallyBucket).
void beff_count(beff_tally *t, beff_slow lap);

// beff_team_barrier is a barrier of a team's threads.
void beff_team_barrier(beff_team *t);

// beff_process_name returns the name of this process.
const char *beff_process_name(void);

// beff_exploit multiplies a 100x100 matrix with a vector, `times` times. beff_exploit_prepare initializes them.
void beff_exploit_prepare(void);
void beff_exploit(int64_t times);

// beff_compare compares the bytes between the marks of a place's chunks with the bytes of another place. It leaves out
// chunks with a wrong mark, which the loop's check has counted.
void beff_compare(beff_program *prog, const beff_place *from, const beff_place *p, int64_t loop);

// The arguments of one side of a collective call, and of reductions. A root that sends to all uses its place Send, the
// others their place Recv.
#define BEFF_SEND_SIDE send, s->count, s->type
#define BEFF_RECV_SIDE recv, r->count, r->type
#define BEFF_SEND_PARTS send, s->counts, s->displs, s->type
#define BEFF_RECV_PARTS recv, r->counts, r->displs, r->type
#define BEFF_FROM_ROOT me == root ? send : recv, me == root ? s->count : r->count, me == root ? s->type : r->type
#define BEFF_REDUCED send, recv, s->count, s->type, x->reduce

// BEFF_COLLECTIVES lists the collective calls that are blocking, nonblocking and persistent: for each the names and the
// arguments before the communicator.
#define BEFF_COLLECTIVES(X) \
	X(BCAST, Bcast, bcast, BEFF_FROM_ROOT, root) \
	X(GATHER, Gather, gather, BEFF_SEND_SIDE, BEFF_RECV_SIDE, root) \
	X(GATHERV, Gatherv, gatherv, BEFF_SEND_SIDE, BEFF_RECV_PARTS, root) \
	X(SCATTER, Scatter, scatter, BEFF_SEND_SIDE, BEFF_RECV_SIDE, root) \
	X(SCATTERV, Scatterv, scatterv, BEFF_SEND_PARTS, BEFF_RECV_SIDE, root) \
	X(ALLGATHER, Allgather, allgather, BEFF_SEND_SIDE, BEFF_RECV_SIDE) \
	X(ALLGATHERV, Allgatherv, allgatherv, BEFF_SEND_SIDE, BEFF_RECV_PARTS) \
	X(ALLTOALL, Alltoall, alltoall, BEFF_SEND_SIDE, BEFF_RECV_SIDE) \
	X(ALLTOALLV, Alltoallv, alltoallv, BEFF_SEND_PARTS, BEFF_RECV_PARTS) \
	X(ALLTOALLW, Alltoallw, alltoallw, send, s->counts, s->displs, s->types, recv, r->counts, r->displs, r->types) \
	X(REDUCE, Reduce, reduce, BEFF_REDUCED, root) \
	X(REDUCE_SCATTER, Reduce_scatter, reduce_scatter, send, recv, s->counts, s->type, x->reduce) \
	X(REDUCE_SCATTER_BLOCK, Reduce_scatter_block, reduce_scatter_block, send, recv, r->count, r->type, x->reduce) \
	X(ALLREDUCE, Allreduce, allreduce, BEFF_REDUCED) \
	X(NEIGHBOR_ALLGATHER, Neighbor_allgather, neighbor_allgather, BEFF_SEND_SIDE, BEFF_RECV_SIDE) \
	X(NEIGHBOR_ALLGATHERV, Neighbor_allgatherv, neighbor_allgatherv, BEFF_SEND_SIDE, BEFF_RECV_PARTS) \
	X(NEIGHBOR_ALLTOALL, Neighbor_alltoall, neighbor_alltoall, BEFF_SEND_SIDE, BEFF_RECV_SIDE) \
	X(NEIGHBOR_ALLTOALLV, Neighbor_alltoallv, neighbor_alltoallv, BEFF_SEND_PARTS, BEFF_RECV_PARTS) \
	X(NEIGHBOR_ALLTOALLW, Neighbor_alltoallw, neighbor_alltoallw, \
	  send, s->counts, s->bytes, s->types, recv, r->counts, r->bytes, r->types)

// beff_collective makes the collective call c. For a nonblocking call it opens the request, for a persistent one it
// makes the request.
int beff_collective(beff_program *p, const beff_call *c);
int beff_make_collective(const beff_call *c, const beff_extra *x, int root, int me, MPI_Comm comm, void *send,
                         void *recv, MPI_Request *q);

// beff_large_message, beff_large and beff_large_file make calls with large counts: messages, collective calls, and
// calls at an offset of a file.
int beff_large_file(const beff_call *c, MPI_Offset at, MPI_Status *status);
int beff_large_message(const beff_call *c, MPI_Comm comm);
int beff_large(const beff_call *c, const beff_extra *x, int root, int me, MPI_Comm comm, void *send, void *recv);

// beff_request frees the request of a persistent call, or makes it again. It also makes a BEFF_DEVICE_COPY.
int beff_request(beff_program *p, const beff_call *c);

// BEFF_DEVICE_COPY is a BEFF_COPY from or to the memory of a device. `tag` says on which processes it is made. `root`
// is the root in the first loop, and `part` is 1 if it is another one in each loop. `parts` is one of the last enum.
enum { BEFF_DEVICE_COPY = 1 << 10 };
enum { BEFF_COPY_ALWAYS, BEFF_COPY_AT_ROOT, BEFF_COPY_ELSEWHERE };
// BEFF_COPY_WITHIN waits for a copy within the device. The others copy the marks of places.
enum { BEFF_COPY_WITHIN = 1, BEFF_STAMP_MARKS, BEFF_CHECK_MARKS };
int beff_device_copy_call(beff_program *p, const beff_call *c);
int beff_check_mark(beff_program *prog, const beff_place *p, int64_t loop, int64_t chunk, int end, const char *at,
                    uint64_t want);

// beff_device_crash returns the explanation of a crash at an address in a device's memory, and of an abort while such
// memory is used. It returns NULL for any other crash.
const char *beff_device_crash(int number, const void *address);

// beff_make_parted makes the request of a message in parts. beff_part makes a call on its parts.
int beff_make_parted(const beff_call *c, MPI_Comm comm, MPI_Request *q);
int beff_part(const beff_call *c, MPI_Request *q);

// beff_persist changes persistent calls into calls that start their requests. beff_ready makes these requests, and the
// graphs of neighbourhoods. All processes of the program's communicator call it before the first run. beff_unready
// frees requests and graphs.
void beff_persist(beff_program *p);
int beff_ready(beff_program *p);
void beff_unready(beff_program *p);

// beff_windows_begin prepares windows after MPI has been initialized. beff_windows_end finalizes them and MPI.
// beff_windows_version sets the version of OpenSHMEM, or 0.0 if windows are MPI's.
int beff_windows_begin(void);
int beff_windows_end(void);
void beff_windows_version(int *major, int *minor);

#ifdef BEFF_SHMEM
// beff_windows_enter prepares a program's communicator for beff_notify and beff_reduce, before a run.
int beff_windows_enter(const beff_program *p);

// beff_notify notifies process `to`, and waits for a notification by process `from`.
int beff_notify(int to, int from, int tag, MPI_Comm comm);

// beff_reduce makes an MPI_Allreduce with OpenSHMEM.
int beff_reduce(const beff_call *c, const void *send, void *recv);
#else
static inline int beff_windows_enter(const beff_program *p) { return (void)p, MPI_SUCCESS; }

static inline int beff_notify(int to, int from, int tag, MPI_Comm comm) {
	char nothing;
	return MPI_Sendrecv(&nothing, 0, MPI_BYTE, to, tag, &nothing, 0, MPI_BYTE, from, tag, comm, MPI_STATUS_IGNORE);
}
#endif

// beff_one_sided makes the window call c. Rput and Rget open their request.
int beff_one_sided(beff_program *p, const beff_call *c);

// beff_lost returns the errno of the last file call if it means that data are lost, otherwise 0. Libraries hide such
// errors: Open MPI's OMPIO returns success from calls in which a system call has failed. The caller must set errno to 0
// before the file call.
int beff_lost(void);
extern int beff_system; // the value for the last call outside of programs

// Calls on files. beff_file_move moves data and sets the status. beff_file_start opens a request. beff_file_act does
// neither.
int beff_file_move(const beff_call *c, MPI_Status *status);
int beff_file_start(const beff_call *c, MPI_Request *request);
int beff_file_act(const beff_call *c);

// beff_path returns the path of a place, in the space's memory. beff_path_call makes a call of the C library, and
// returns 0 or its errno.
const char *beff_path(const beff_place *p);
int beff_path_call(const beff_call *c);

#endif
