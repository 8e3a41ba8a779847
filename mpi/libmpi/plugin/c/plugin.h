// The interface of a plug-in: all functions that the Go side calls (Library in library.go). Those that return an int
// return MPI_SUCCESS or the return code of the first call that failed.
#ifndef BEFF_PLUGIN_H
#define BEFF_PLUGIN_H

#include "loop.h"

#define BEFF_EXPORT __attribute__((visibility("default")))

// The numbers of mpi.Types, mpi.Reductions, mpi.ThreadLevels and mpi.FileModes.
enum { beff_types = 6, beff_reductions = 3, beff_levels = 4, beff_modes = 6 };

enum { beff_text = 8192 }; // room for the longest text of a library

// The library's version, before it is initialized too.
typedef struct {
	char text[beff_text]; // of MPI_Get_library_version
	int version, subversion;
	int shmem, subshmem; // version of OpenSHMEM, whose plug-in this is; 0.0: MPI's
} beff_about;

// A handle as the Go side has it: eight bytes.
typedef union {
	MPI_Comm comm;
	MPI_Datatype type;
	MPI_Op reduce;
	MPI_Win window;
	MPI_File file;
	MPI_Info info;
	uint64_t bits;
} beff_handle;

// The library's values of the standard's constants.
typedef struct {
	beff_handle types[beff_types], reductions[beff_reductions];
	beff_handle no_comm, no_window, no_file, no_info;
	int modes[beff_modes];
	int any_source;
} beff_constants;

// The host and the clock of this process.
typedef struct {
	char name[beff_text];
	double tick; // seconds
	int global;  // 1: all processes read the same clock
} beff_host;

typedef struct {
	int class;
	int system; // errno of a file call in which data were lost; 0: none
	char text[beff_text];
} beff_failure;

// The seconds of the parts of a session: MPI_Session_init, MPI_Group_from_session_pset, MPI_Comm_create_from_group, the
// first barrier, and of ending all that.
typedef struct {
	double session, group, comm, barrier, freed;
} beff_session_times;

// A key of an MPI_Info and its value.
typedef struct {
	char key[beff_text], value[beff_text];
} beff_hint;

// beff_note identifies a plug-in. Programs find it in the file, without loading it.
extern BEFF_EXPORT const char beff_note[];

BEFF_EXPORT int beff_describe(beff_about *out);
BEFF_EXPORT void beff_name(beff_constants *out);

// beff_init initializes MPI. level is an index of mpi.ThreadLevels, or negative to ask for no level of thread support.
// provided gets the highest level that is provided.
BEFF_EXPORT int beff_init(int level, int *provided);
BEFF_EXPORT int beff_finalize(void);

// beff_sessions_begin opens a session of all processes before MPI is initialized, and another one while it is open,
// which it ends. It sets the times of both. beff_sessions_end ends the first one.
BEFF_EXPORT int beff_sessions_begin(beff_session_times *t);
BEFF_EXPORT int beff_sessions_end(beff_session_times *t);
BEFF_EXPORT int beff_locate(beff_host *out);
BEFF_EXPORT void beff_abort(const beff_comm *c, int code);
BEFF_EXPORT void beff_explain(int code, beff_failure *out);

// beff_guard makes a process that crashes in C say so in a line, with a name for the process. It is called before MPI
// is initialized and again afterwards, when it puts back the handlers of signals that the library has replaced.
BEFF_EXPORT void beff_guard(const char *name);

// beff_shed gives back the pages of the program's code, of which its start needs many.
BEFF_EXPORT void beff_shed(void);

// Memory outside of Go's heap, zeroed. beff_alloc_pages has whole pages and touches them. beff_alloc_folded has the
// same `fold` bytes again and again. NULL: there is none.
BEFF_EXPORT void *beff_alloc(int64_t count, int64_t size);
BEFF_EXPORT void *beff_alloc_pages(int64_t size);
BEFF_EXPORT void *beff_alloc_folded(int64_t size, int64_t fold);
BEFF_EXPORT void beff_free(void *memory);
BEFF_EXPORT void beff_free_pages(void *memory, int64_t size);

// Communicators. A process without a place in a new one gets the size 0. A negative color is MPI_UNDEFINED.
BEFF_EXPORT int beff_world(beff_comm *out);
BEFF_EXPORT int beff_split(const beff_comm *c, int color, int key, beff_comm *out);
BEFF_EXPORT int beff_cart(const beff_comm *c, int dims, const int *shape, const int *periodic, beff_comm *out);
BEFF_EXPORT int beff_dup(const beff_comm *c, beff_comm *out);

// beff_thread_comm duplicates a communicator for a thread, whose number the library is told.
BEFF_EXPORT int beff_thread_comm(const beff_comm *c, int thread, beff_comm *out);

// beff_ranks gives the ranks in the world of all members of a communicator, which are 0 to its size - 1.
BEFF_EXPORT int beff_ranks(const beff_comm *c, const int *members, int *world);
BEFF_EXPORT int beff_comm_free(beff_comm *c);
BEFF_EXPORT int beff_barrier(const beff_comm *c);
BEFF_EXPORT int beff_bcast(void *data, int n, int root, const beff_comm *c);
BEFF_EXPORT int beff_gather(void *send, void *recv, int n, int root, const beff_comm *c);
BEFF_EXPORT int beff_allreduce(double *values, int n, int reduction, const beff_comm *c);

// beff_long_type makes a type of n units of size bytes, for messages longer than an int counts: blocks of 2^30 units,
// then the rest.
BEFF_EXPORT int beff_long_type(int64_t n, beff_handle unit, int size, beff_handle *out);
BEFF_EXPORT int beff_type_free(beff_handle type);

// beff_strided_type makes a type of `count` runs of `length` bytes whose starts are `stride` bytes apart.
// beff_pieces_type makes one of runs of any lengths at any places.
BEFF_EXPORT int beff_strided_type(int count, int length, MPI_Aint stride, beff_handle *out);
BEFF_EXPORT int beff_pieces_type(int count, const int *lengths, const MPI_Aint *places, beff_handle *out);

// beff_form_type makes a type of elements of the basic type `unit` (mpi.Form): one element with a gap behind it if
// `apart` is set, and `n` of them if `joined` is set. beff_form_reduction makes a reduction that takes such types. type
// is an index of mpi.Types, reduction one of mpi.Reductions.
BEFF_EXPORT int beff_form_type(int64_t n, beff_handle unit, int apart, int joined, beff_handle *out);
BEFF_EXPORT int beff_form_reduction(int type, int reduction, beff_handle *out);
BEFF_EXPORT int beff_reduction_free(beff_handle reduction);

// beff_prepare makes the parts of a program that the C side defines: the arrays of the library's own types, and what is
// decided once for each place and call. beff_release frees them.
BEFF_EXPORT int beff_prepare(beff_program *p);
BEFF_EXPORT void beff_release(beff_program *p);

// beff_run waits until the core is quiet, if p->calm is set, and for the start barrier. It runs the untimed pass, then
// the timed one between two readings of the clock, by the stop rule in p->loops. It returns MPI_SUCCESS or the return
// code of the first call that failed. Failing file calls don't end it.
BEFF_EXPORT int beff_run(beff_program *p);

// beff_threads takes pthread_create and pthread_join. beff_team_open makes the threads of a team, beff_team_run lets
// them run their programs, beff_team_close ends them. A thread whose program fails ends the job.
BEFF_EXPORT void beff_threads(void *creates, void *joins);
BEFF_EXPORT int beff_team_open(beff_team *t);
BEFF_EXPORT void beff_team_run(beff_team *t);
BEFF_EXPORT void beff_team_close(beff_team *t);

// beff_interrupt makes this process decide against further loops. Any thread may call it.
BEFF_EXPORT void beff_interrupt(void);

// beff_window_hints gives the info of windows that are made from now on.
BEFF_EXPORT void beff_window_hints(beff_handle info);

// beff_window_create and beff_window_free are collective. They return MPI_ERR_WIN if the window exists already, or
// doesn't exist. beff_window_allocate makes a window of w->size zeroed bytes, and sets w->memory.
BEFF_EXPORT int beff_window_create(beff_window *w);
BEFF_EXPORT int beff_window_allocate(beff_window *w);
BEFF_EXPORT int beff_window_free(beff_window *w);

// beff_file_open, beff_file_truncate and beff_file_close are collective over the file's communicator.
BEFF_EXPORT int beff_file_open(beff_file *f);
BEFF_EXPORT int beff_file_truncate(beff_file *f);
BEFF_EXPORT int beff_file_close(beff_file *f);
BEFF_EXPORT int beff_file_sync(beff_file *f);
BEFF_EXPORT int beff_file_length(beff_file *f, int64_t *length);

// beff_file_view sets the view of a slot of each row of `slots` slots of `block` elements, from byte `start`. The
// elements are bytes if `bytes` is set, else of type MPI_DOUBLE.
BEFF_EXPORT int beff_file_view(beff_file *f, int64_t start, int slots, int slot, int block, int bytes,
                               beff_handle info);

// beff_file_info returns the hints in force, which may be MPI_INFO_NULL.
BEFF_EXPORT int beff_file_info(beff_file *f, beff_handle *out);
BEFF_EXPORT int beff_info_create(beff_handle *out);
BEFF_EXPORT int beff_info_free(beff_handle info);
BEFF_EXPORT int beff_info_set(beff_handle info, const char *key, const char *value);
BEFF_EXPORT int beff_info_size(beff_handle info, int *n);

// beff_info_get gives the n-th key of an info and its value.
BEFF_EXPORT int beff_info_get(beff_handle info, int n, beff_hint *out);

#endif
