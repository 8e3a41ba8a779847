// The calls outside of loop.c: they are rare, or take so long that a function call doesn't matter.
#ifndef BEFF_CALLS_H
#define BEFF_CALLS_H

#include "plugin.h"

// LATER declares a call of MPI 4.0, which libraries may lack.
#define LATER(name, ...) extern int MPI_##name(__VA_ARGS__) __attribute__((weak));

// beff_now returns the time in seconds, by a clock that doesn't jump.
double beff_now(void);

// beff_calls makes the calls from `begin` to before `end`, `n` times, or until loop p->stop. The first loop has the
// number `first`.
int beff_calls(beff_program *p, const beff_call *begin, const beff_call *end, int64_t first, int64_t n);

// beff_advance moves the places that advance to their next position, or to the first if they would reach beyond the end
// (mpi.Place.At).
void beff_advance(beff_program *p);

// beff_count counts a lap in its bucket (mpi.TallyBucket).
void beff_count(beff_tally *t, beff_slow lap);

// beff_meet lets the threads of a team wait for each other.
void beff_meet(beff_team *t);

// beff_who returns the name of this process.
const char *beff_who(void);

// beff_exploit multiplies a 100x100 matrix with a vector, `times` times. beff_exploit_prepare fills them.
void beff_exploit_prepare(void);
void beff_exploit(int64_t times);

// beff_compare compares the bytes between the marks of a place's chunks with those of another place. A chunk with a
// wrong mark is left out, because the loop's check has counted it.
void beff_compare(beff_program *prog, const beff_place *from, const beff_place *p, int64_t loop);

// beff_collective makes the collective call c. A nonblocking one opens its request, a persistent one makes it.
int beff_collective(beff_program *p, const beff_call *c);
int beff_make_collective(const beff_call *c, const beff_extra *x, int root, int me, MPI_Comm comm, void *send,
                         void *recv, MPI_Request *q);

// beff_large_message, beff_large and beff_large_file make calls with large counts, the last one from a position on.
int beff_large_file(const beff_call *c, MPI_Offset at, MPI_Status *status);
int beff_large_message(const beff_call *c, MPI_Comm comm);
int beff_large(const beff_call *c, const beff_extra *x, int root, int me, MPI_Comm comm, void *send, void *recv);

// beff_request frees the request of a persistent call, or makes it anew.
int beff_request(beff_program *p, const beff_call *c);

// beff_make_parted makes the request of a message in parts. beff_part is a call about its parts.
int beff_make_parted(const beff_call *c, MPI_Comm comm, MPI_Request *q);
int beff_part(const beff_call *c, MPI_Request *q);

// beff_persist makes persistent calls start their requests. beff_ready makes these, and the graphs of neighbourhoods:
// all processes of the program's communicator call it, before its first run. beff_unready frees all that.
void beff_persist(beff_program *p);
int beff_ready(beff_program *p);
void beff_unready(beff_program *p);

// beff_windows_begin readies windows, once MPI is initialized. beff_windows_end ends them and MPI.
// beff_windows_version gives the version of OpenSHMEM that windows are made with, 0.0 if they are MPI's.
int beff_windows_begin(void);
int beff_windows_end(void);
void beff_windows_version(int *major, int *minor);

#ifdef BEFF_SHMEM
// beff_windows_enter readies a program's communicator for beff_notify and beff_reduce, before a run of it.
int beff_windows_enter(const beff_program *p);

// beff_notify tells a process, and waits until another one tells this one.
int beff_notify(int to, int from, int tag, MPI_Comm comm);

// beff_reduce makes an MPI_Allreduce.
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

// beff_lost returns the errno of a file call that has just returned if it means that data are lost, else 0. Libraries
// swallow such errors: Open MPI's OMPIO returns success from calls in which a system call has failed. The caller sets
// errno to 0 before.
int beff_lost(void);
extern int beff_system; // that of the last call outside of programs

// Calls of an open file. beff_file_move moves data and sets the status. beff_file_start opens a request. beff_file_act
// does neither.
int beff_file_move(const beff_call *c, MPI_Status *status);
int beff_file_start(const beff_call *c, MPI_Request *request);
int beff_file_act(const beff_call *c);

// beff_path makes the path of a place, and returns it. beff_path_call makes a call of the C library, and returns 0 or
// its errno.
const char *beff_path(const beff_place *p);
int beff_path_call(const beff_call *c);

#endif
