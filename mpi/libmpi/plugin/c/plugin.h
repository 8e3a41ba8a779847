// The interface of a plug-in: all functions that the Go side calls (Library in library.go). Functions that return an
// int return MPI_SUCCESS or the return code of the first call that failed.
#ifndef BEFF_PLUGIN_H
#define BEFF_PLUGIN_H

#include "loop.h"

#define BEFF_EXPORT __attribute__((visibility("default")))

// The numbers of mpi.Types, mpi.Reductions, mpi.ThreadLevels and mpi.FileModes.
enum { beff_types = 6, beff_reductions = 3, beff_levels = 4, beff_modes = 6 };

enum { beff_text = 8192 }; // bytes for the longest text of a library

// The library's version, which is known before it is initialized.
typedef struct {
	char text[beff_text]; // of MPI_Get_library_version
	int version, subversion;
	int shmem, subshmem; // version of OpenSHMEM, or 0.0 in a plug-in for MPI
} beff_about;

// A handle in the eight bytes that the Go side has for one.
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
	int system; // errno of a file call that lost data, or 0
	char text[beff_text];
} beff_failure;

// The seconds of the steps of a session: MPI_Session_init, MPI_Group_from_session_pset, MPI_Comm_create_from_group, the
// first barrier, and freeing all these.
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
BEFF_EXPORT void beff_get_constants(beff_constants *out);

// beff_init initializes MPI. level is an index of mpi.ThreadLevels, or negative for MPI_Init, without thread support.
// It sets provided to the highest level that the library provides.
BEFF_EXPORT int beff_init(int level, int *provided);
BEFF_EXPORT int beff_finalize(void);

// beff_sessions_begin opens a session of all processes before MPI is initialized. While that is open, it opens and ends
// a second one. It sets the times of both. beff_sessions_end ends the first one.
BEFF_EXPORT int beff_sessions_begin(beff_session_times *t);
BEFF_EXPORT int beff_sessions_end(beff_session_times *t);
BEFF_EXPORT int beff_describe_host(beff_host *out);
BEFF_EXPORT void beff_abort(const beff_comm *c, int code);
BEFF_EXPORT void beff_describe_error(int code, beff_failure *out);

// beff_guard makes a process that crashes in C print one line with the process's name. It is called before MPI is
// initialized and again afterwards, when it restores signal handlers that the library has replaced.
BEFF_EXPORT void beff_guard(const char *name);

// beff_release_pages releases the pages of the program's code, because the start needs many that are not needed later.
BEFF_EXPORT void beff_release_pages(void);

// Zeroed memory outside of Go's heap, or NULL. beff_alloc_pages allocates whole pages and touches them.
// beff_alloc_folded maps the same `fold` bytes again and again.
BEFF_EXPORT void *beff_alloc(int64_t count, int64_t size);
BEFF_EXPORT void *beff_alloc_pages(int64_t size);
BEFF_EXPORT void *beff_alloc_folded(int64_t size, int64_t fold);
BEFF_EXPORT void beff_free(void *memory);
BEFF_EXPORT void beff_free_pages(void *memory, int64_t size);

// beff_device sets functions of a device's driver: one that copies, one that waits for copies or NULL, and the command
// list of Level Zero or NULL. explanation is printed if the library crashes because it uses a device's memory as the
// host's, with of_others even if only other processes have buffers there. beff_device_buffer adds a buffer in a
// device's memory, or removes it if its size is 0. beff_device_failure returns the driver's code of a failed copy.
BEFF_EXPORT void beff_device(void *const *functions, const char *explanation, int of_others);
BEFF_EXPORT void beff_device_buffer(void *base, int64_t size);
BEFF_EXPORT int beff_device_failure(void);

// Communicators. A process that isn't in a new one gets the size 0. A negative color is MPI_UNDEFINED.
BEFF_EXPORT int beff_world(beff_comm *out);
BEFF_EXPORT int beff_split(const beff_comm *c, int color, int key, beff_comm *out);
BEFF_EXPORT int beff_cart(const beff_comm *c, int dims, const int *shape, const int *periodic, beff_comm *out);
BEFF_EXPORT int beff_dup(const beff_comm *c, beff_comm *out);

// beff_thread_comm duplicates a communicator for a thread, and passes the thread's number to the library.
BEFF_EXPORT int beff_thread_comm(const beff_comm *c, int thread, beff_comm *out);

// beff_ranks sets world to the ranks in the world of all members of a communicator. members must be 0 to its size - 1.
BEFF_EXPORT int beff_ranks(const beff_comm *c, const int *members, int *world);
BEFF_EXPORT int beff_comm_free(beff_comm *c);
BEFF_EXPORT int beff_barrier(const beff_comm *c);
BEFF_EXPORT int beff_bcast(void *data, int n, int root, const beff_comm *c);
BEFF_EXPORT int beff_gather(void *send, void *recv, int n, int root, const beff_comm *c);
BEFF_EXPORT int beff_allreduce(double *values, int n, int reduction, const beff_comm *c);

// beff_long_type makes a type of n units of size bytes, for messages longer than an int counts. It has blocks of 2^30
// units, then the rest.
BEFF_EXPORT int beff_long_type(int64_t n, beff_handle unit, int size, beff_handle *out);
BEFF_EXPORT int beff_type_free(beff_handle type);

// beff_strided_type makes a type of `count` runs of `length` bytes that start `stride` bytes after each other.
// beff_pieces_type makes a type of runs of any lengths at any places.
BEFF_EXPORT int beff_strided_type(int count, int length, MPI_Aint stride, beff_handle *out);
BEFF_EXPORT int beff_pieces_type(int count, const int *lengths, const MPI_Aint *places, beff_handle *out);

// beff_form_type makes a type of elements of the basic type `unit` (mpi.Form): one element with a gap after it if
// `resized` is set, and `n` of them if `vector` is set. beff_form_reduction makes a reduction that takes such types.
// type is an index of mpi.Types, reduction one of mpi.Reductions.
BEFF_EXPORT int beff_form_type(int64_t n, beff_handle unit, int resized, int vector, beff_handle *out);
BEFF_EXPORT int beff_form_reduction(int type, int reduction, beff_handle *out);
BEFF_EXPORT int beff_reduction_free(beff_handle reduction);

// beff_prepare makes the parts of a program that depend on the library's types, and decides how each place and call is
// handled. beff_release frees these parts.
BEFF_EXPORT int beff_prepare(beff_program *p);
BEFF_EXPORT void beff_release(beff_program *p);

// beff_run waits until the core is idle, if p->wait_idle is set, and enters the start barrier. It runs the untimed
// pass, then the timed one between two clock readings, by the stop rule in p->loops. It returns MPI_SUCCESS or the
// return code of the first call that failed. A failed file call doesn't end the run.
BEFF_EXPORT int beff_run(beff_program *p);

// beff_threads sets pthread_create and pthread_join. beff_team_open creates the threads of a team, beff_team_run makes
// them run their programs, beff_team_close ends them. A thread whose program fails ends the job.
BEFF_EXPORT void beff_threads(void *creates, void *joins);
BEFF_EXPORT int beff_team_open(beff_team *t);
BEFF_EXPORT void beff_team_run(beff_team *t);
BEFF_EXPORT void beff_team_close(beff_team *t);

// beff_interrupt makes this process decide against further loops. Any thread may call it.
BEFF_EXPORT void beff_interrupt(void);

// beff_window_hints sets the info of windows that are made later.
BEFF_EXPORT void beff_window_hints(beff_handle info);

// beff_window_create and beff_window_free are collective. They return MPI_ERR_WIN if the window already exists, or
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

// beff_file_view sets the view of one slot in each row of `slots` slots of `block` elements, starting at byte `start`.
// The elements are bytes if `bytes` is set, otherwise of type MPI_DOUBLE.
BEFF_EXPORT int beff_file_view(beff_file *f, int64_t start, int slots, int slot, int block, int bytes,
                               beff_handle info);

// beff_file_info returns the hints in force, which may be MPI_INFO_NULL.
BEFF_EXPORT int beff_file_info(beff_file *f, beff_handle *out);
// beff_comm_info returns the hints of a communicator.
BEFF_EXPORT int beff_comm_info(const beff_comm *c, beff_handle *out);
BEFF_EXPORT int beff_info_create(beff_handle *out);
BEFF_EXPORT int beff_info_free(beff_handle info);
BEFF_EXPORT int beff_info_set(beff_handle info, const char *key, const char *value);
BEFF_EXPORT int beff_info_size(beff_handle info, int *n);

// beff_info_get sets out to the n-th key of an info and its value.
BEFF_EXPORT int beff_info_get(beff_handle info, int n, beff_hint *out);

#endif
