// The records of the timed loop: compiled programs and the results of a run. The Go side has the same records
// (records.go). layout.c, which is generated when a plug-in is built, compares them.
#ifndef BEFF_LOOP_H
#define BEFF_LOOP_H

#include "ops.h"

#include <mpi.h>
#include <stdint.h>

#if MPI_VERSION < 3 || (MPI_VERSION == 3 && MPI_SUBVERSION < 1)
#error "beff needs an MPI of version 3.1 or newer"
#endif

// BEFF_HANDLE declares a field for a handle, which is an int in some libraries and a pointer in others. The field has 8
// bytes with all of them, so that the records always have the same layout. The Go side copies its bits.
#define BEFF_HANDLE(type, name) \
	union { \
		type name; \
		uint64_t name##_bits; \
	}

// A window and the arguments for making it. The handle of a freed window is MPI_WIN_NULL.
typedef struct {
	BEFF_HANDLE(MPI_Win, handle);
	BEFF_HANDLE(MPI_Comm, comm);
	void *memory;
	MPI_Aint size;
	int dynamic;    // 1: the memory is attached to the window, and displacements are addresses
	int64_t *bases; // for a dynamic window: the addresses of all processes' memory
	BEFF_HANDLE(MPI_Group, group);
	int grouped; // the rank of the only process in group, plus 1; 0 before there is a group
} beff_window;

// A file, its state and the arguments for opening it.
typedef struct {
	BEFF_HANDLE(MPI_File, handle); // MPI_FILE_NULL while it is closed
	int etype;       // bytes of the view's elementary type, the unit of the standard's offsets
	int split;       // 1: a split call is open
	BEFF_HANDLE(MPI_Comm, comm);
	char *path;
	int mode;
	BEFF_HANDLE(MPI_Info, info);
} beff_file;

// Paths. Each is a prefix followed by a number, or only the prefix.
typedef struct {
	char *text;      // all prefixes without separators; NULL if the space has no paths
	int64_t *starts; // the start of each prefix in text, and the end of the last one
	int64_t per_prefix; // the number of paths with each prefix
	int unnumbered;     // 1: paths have no numbers
	int fd;             // of the open file, or -1
	int64_t *order;  // the number at each position, or NULL if it is the position
	char *path;      // memory for a path, holding the last one used
} beff_paths;

// Memory, a window, a file or paths, with the next position of its walk.
typedef struct {
	char *base; // NULL unless it is memory
	int64_t size, walk;
	beff_window window;
	beff_file file;
	beff_paths paths;
} beff_space;

// The shape of a place's marks. The place is one chunk with one mark of one byte (BYTE), with two marks of one byte
// (BYTES) or with two of eight bytes (WORDS). Everything else, including no marks, is WIDE.
enum beff_marks { BEFF_MARKS_WIDE, BEFF_MARKS_BYTE, BEFF_MARKS_BYTES, BEFF_MARKS_WORDS };

typedef struct {
	beff_space *space;
	int64_t at; // current position, in bytes from the start of its space
	char *addr; // the address of this position
	int64_t length, step, advance;
	int64_t extent; // bytes from its first to its last byte: length, unless it has pieces
	BEFF_HANDLE(MPI_Datatype, type);
	int count, peer;
	int unit;  // bytes of type's basic type
	int width; // bytes of a mark, or 0
	uint64_t key, per_loop, per_chunk;
	int64_t chunk; // never 0
	enum beff_marks marks;
} beff_place;

// beff_put moves a place to a position in its space. A place in a window or a file has no address.
static inline void beff_put(beff_place *p, int64_t at) {
	p->at = at;
	if (p->space->base) p->addr = p->space->base + at;
}

typedef struct {
	BEFF_HANDLE(MPI_Comm, comm);
	int rank, size;
} beff_comm;

// The arguments of one side of a collective or one-sided call. Vector calls have an element of counts and displs for
// each process, which is 0 for processes that aren't a peer of a place.
typedef struct {
	int count;
	BEFF_HANDLE(MPI_Datatype, type);
	int *counts, *displs; // NULL unless it is a vector call
	MPI_Datatype *types;  // one type for each count, if places have different types; otherwise NULL
	MPI_Aint *bytes;      // the displacements in bytes of these places
	int64_t large_count;  // the count of a call with large counts
	int64_t *large_counts, *large_displs; // counts and displacements of a vector call with large counts
	int moves;            // 1: the places move, so each loop computes new displacements
	int extent;           // bytes of type's elements, in which displacements are counted
} beff_side;

// Further arguments of rarer calls.
typedef struct {
	beff_side send, recv;
	int send_in_place, recv_in_place; // 1: the call passes MPI_IN_PLACE
	int at_root;                      // 1: only the root does so
	int neighbours; // 1: the peers of the places are the neighbours in `graph`, and counts are by place; 2: they are
	                // those of the program's communicator
	int wide;       // 1: each place has a type and a displacement in bytes
	BEFF_HANDLE(MPI_Comm, graph); // MPI_COMM_NULL before it is made
	int root, round; // the next root and the number of roots, or round 0 for a fixed root
	BEFF_HANDLE(MPI_Op, reduce);
	int64_t times;
	void *function; // the user's function that replaces the call, or NULL
} beff_extra;

// In all file calls, including reads, send is the memory and recv the file, whose type and count describe the data.
typedef struct {
	enum beff_op op;
	enum beff_family family;
	beff_place *send, *recv;
	int nsend, nrecv, tag;
	int root;    // of a rooted call, or the number of a lap
	int request; // index of the request that a nonblocking call opens or a wait completes
	// For a persistent call: the number of consecutive requests that it starts, its own and those of the next calls, or
	// -1 if an earlier call starts its request. 0 for other calls.
	int starts;
	enum beff_op init_op; // of a persistent call: the call that makes the request, such as BEFF_SEND_INIT
	int part, parts;   // of a partitioned message; BEFF_MAKEREQUEST: part is the call of the request
	double seconds;
	beff_extra *extra; // NULL: none
} beff_call;

// One of the longest laps, which ended `end` seconds after the first clock reading.
typedef struct {
	double seconds, end;
	int64_t loop;
} beff_slow;

// The number of a tally's buckets, and of the longest laps that it keeps (mpi.TallyBuckets, mpi.MaxSlowest).
enum { BEFF_BUCKETS = 55296, BEFF_SLOWEST = 8 };

// A histogram of the times of laps, in picoseconds (mpi.Tally).
typedef struct {
	int64_t *counts; // of each bucket, or NULL if the laps aren't counted
	int64_t n, min, max;
	double sum;
	double least; // seconds of the shortest lap in slowest
	int nslowest; // unsorted
	beff_slow slowest[BEFF_SLOWEST];
} beff_tally;

// The total time of the laps with one number. `last` is the time in loop `loop`.
typedef struct {
	double seconds, last;
	int64_t loop;
	double *each; // of each timed loop, or NULL
	beff_tally tally;
} beff_lap;

// The stop rule (mpi.Loops).
typedef struct {
	int64_t untimed, timed;
	double budget, deferred;
	double decide_every;
	int each;   // 1: keep the time of each timed loop
	int blocks; // 1: keep the times of blocks of timed loops
} beff_loops;

// The number of wrong marks that are kept (mpi.MaxMismatches).
enum { BEFF_WRONGS = 32 };

// A wrong mark.
typedef struct {
	int place, end;
	int64_t loop, chunk, inside; // inside: offset of the bytes found by BEFF_COMPARE, or 0 for a mark
	uint64_t expected, found;
} beff_wrong;

// The distance in bytes of the bytes that BEFF_TOUCHSEND and BEFF_TOUCHRECV touch (mpi.Line).
enum { BEFF_LINE = 64 };

// Room after a loop's calls for BEFF_EACH, BEFF_RULE, BEFF_BLOCK and BEFF_ADVANCE.
enum { beff_after_loop = 4 };

// The number of blocks of loops at which each two are merged into one (mpi.MaxBlocks).
enum { BEFF_BLOCKS = 32 };

// The state of the call BEFF_STOPONSIGNAL: see stop_on_signal in loop.c.
typedef struct {
	MPI_Request barrier, reduction;
	int barriers;     // barriers of the signal that this process has entered, or 3 when the second one is complete
	int reducing;     // 1: reduction is open
	int may_stop;     // 1: this process knows that the loops may end
	int all_may_stop; // 1: all processes know it; set by the reduction
} beff_signal_state;

// The threads of a process. Each runs a program at the same time as the others, or allocates `size` bytes.
typedef struct {
	int threads;
	struct beff_program **programs; // one for each thread
	int *processors;                // the processor of each thread, or -1 for any
	void **memory;                  // NULL if the threads run programs
	int64_t size;
	struct beff_crew *crew; // used only in C
} beff_team;

typedef struct beff_program {
	beff_comm *comm;
	BEFF_HANDLE(MPI_Comm, start);  // MPI_COMM_NULL for no barrier
	BEFF_HANDLE(MPI_Comm, signal); // MPI_COMM_NULL if this process doesn't receive the signal
	beff_signal_state *signal_state;
	beff_call *calls; // before the loops, of a loop, beff_after_loop more, after the loops
	int nbefore, nloop, nafter;
	int decides; // 1: a call of the program decides on further loops
	int wait_idle;   // 1: a run first waits until the core is idle
	int thread;  // number of this program's thread in the team
	beff_team *team; // NULL if the process has one thread
	struct beff_program *leader; // the program with the messages in parts: itself, or the team's first one
	MPI_Request *requests;
	MPI_Status *statuses;
	const beff_call **file_calls; // the file call that opened each request, or NULL for other and completed requests
	int nrequests, nfile_calls;
	int ready; // 1: persistent requests and graphs have been made
	beff_place *places;
	beff_place **advancing;
	int nplaces, nadvancing;
	beff_lap *laps;
	int nlaps;
	double *each; // the times of the timed loops, followed by the times of each lap in these loops, if they are kept
	const beff_call **reopens; // the first call that opens or closes each file
	int nreopens;
	int64_t loop; // the number of the next loop: the loops that ran since the program was compiled

	// The state of the current run.
	beff_loops loops;
	int64_t stop, first; // the loop before which it stops; the first timed loop, or -1 before that
	double begin;        // the first clock reading
	double lap_end;      // the clock reading of the last lap
	double loop_end;     // the clock reading at the end of the last loop, if each loop's time is kept
	double block_ends[BEFF_BLOCKS]; // seconds from `begin` to the ends of the blocks, if these are kept
	int64_t loops_per_block, next_block_loop; // loops of a block, and the loop that ends the next block
	int64_t decision; // the loop of BEFF_DECIDE's next broadcast
	int nblocks;

	// Other threads may read these at any time. `last_call` is the last call of the current section that has returned,
	// except short calls. At the section's beginning it is the section's last call, and before the first section NULL.
	// A store before each call would be three more instructions in a loop with marks.
	const beff_call *volatile last_call;
	volatile int64_t current_loop;

	// The results of the last run.
	double seconds;
	int failed, rc;           // the call that failed, or -1 for the barrier or none, and its return code
	const beff_call *io_failure; // the first failed call on a file or a path, or NULL
	int io_rc;     // its return code: MPI_SUCCESS if it moved too few bytes, or lost some
	int lost;      // errno of a system call in it that lost data, or 0
	int64_t moved; // the bytes that it moved, or -1 for a broken number of elements; for a path, the path's position
	int64_t wrong; // chunks with a wrong mark
	int nwrongs;   // wrong marks in `wrongs`
	beff_wrong wrongs[BEFF_WRONGS];
} beff_program;

#endif
