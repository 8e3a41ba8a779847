// The timed loop: compiled programs and the results of one run. The Go side has the same records (records.go), and
// layout.c, which is made when a plug-in is built, compares them.
#ifndef BEFF_LOOP_H
#define BEFF_LOOP_H

#include "ops.h"

#include <mpi.h>
#include <stdint.h>

#if MPI_VERSION < 3 || (MPI_VERSION == 3 && MPI_SUBVERSION < 1)
#error "beff needs an MPI of version 3.1 or newer"
#endif

// BEFF_HANDLE declares a field for a handle of the library, which is an int in some libraries, a pointer in others. It
// takes 8 bytes in all of them, so that the records have one layout. Its bits are those that the Go side copies.
#define BEFF_HANDLE(type, name) \
	union { \
		type name; \
		uint64_t name##_bits; \
	}

// A window and the arguments that it is made with. The handle of a freed window is MPI_WIN_NULL.
typedef struct {
	BEFF_HANDLE(MPI_Win, handle);
	BEFF_HANDLE(MPI_Comm, comm);
	void *memory;
	MPI_Aint size;
	int whole; // 1: the library has allocated the memory with the window
	int dynamic;     // 1: the memory is attached to the window, and places of it are addresses
	int64_t *bases;  // addresses of all processes' memory, of a dynamic window
	BEFF_HANDLE(MPI_Group, group);
	int grouped; // the only process of the group, and 1; 0: there is no group yet
} beff_window;

// A file, its state and the arguments that it is opened with.
typedef struct {
	BEFF_HANDLE(MPI_File, handle); // MPI_FILE_NULL while it is closed
	int etype;       // bytes of the view's elementary type, the unit of the standard's offsets
	int split;       // 1: a split call has begun
	BEFF_HANDLE(MPI_Comm, comm);
	char *path;
	int mode;
	BEFF_HANDLE(MPI_Info, info);
} beff_file;

// Paths: that at position n is a prefix and the number n, or the prefix alone.
typedef struct {
	char *text;      // all prefixes, one behind the other; NULL: the space has no paths
	int64_t *starts; // of each prefix in the text, and the end of the last one
	int64_t per;     // paths with each prefix
	int bare;        // 1: no number follows
	int fd;          // of the open file; -1: none is open
	int64_t *order;  // the number at each position; NULL: the position itself
	char *path;      // room for a path, which holds the last one
} beff_paths;

// Memory, a window, a file or paths, with the position that its walk gives next.
typedef struct {
	char *base; // NULL: it is no memory
	int64_t size, walk;
	beff_window window;
	beff_file file;
	beff_paths paths;
} beff_space;

// The shape of a place's marks: one chunk with one mark of one byte, with two marks of one byte, with two of eight;
// BEFF_MARKS_WIDE: any other, also none.
enum beff_marks { BEFF_MARKS_WIDE, BEFF_MARKS_BYTE, BEFF_MARKS_BYTES, BEFF_MARKS_WORDS };

typedef struct {
	beff_space *space;
	int64_t at; // its position now, bytes from the start of its space
	char *addr; // the same in memory
	int64_t length, step, advance;
	int64_t extent; // bytes from its first to its last one: length, unless it has pieces
	BEFF_HANDLE(MPI_Datatype, type);
	int count, peer;
	int unit;  // bytes of type's basic type
	int width; // bytes of a mark; 0: none
	uint64_t key, per_loop, per_chunk;
	int64_t chunk; // never 0
	enum beff_marks marks;
} beff_place;

// beff_put moves a place to a position in its space. A window or a file has no address.
static inline void beff_put(beff_place *p, int64_t at) {
	p->at = at;
	if (p->space->base) p->addr = p->space->base + at;
}

typedef struct {
	BEFF_HANDLE(MPI_Comm, comm);
	int rank, size;
} beff_comm;

// The arguments of one side of a collective or one-sided call. Vector calls have an element of counts and displs for
// each process, 0 for processes that are no place's peer.
typedef struct {
	int count;
	BEFF_HANDLE(MPI_Datatype, type);
	int *counts, *displs; // NULL: no vector call
	MPI_Datatype *types;  // of the calls whose places have types of their own: one for each count; NULL: the others
	MPI_Aint *bytes;      // and their displacements
	int64_t many;         // of calls with large counts: the count
	int64_t *many_of, *far; // of their vector calls: the counts and the displacements
	int moves;            // 1: the places move, so each loop computes the displacements again
	int extent;           // bytes of an element of type, in which displacements are counted
} beff_side;

// The arguments of rarer calls beside their places.
typedef struct {
	beff_side send, recv;
	int send_in_place, recv_in_place; // 1: MPI_IN_PLACE is passed instead
	int at_root;                      // 1: by the root alone
	int neighbours; // 1: the peers of the places are the neighbours in `graph`, and counts are by place; 2: they are
	                // those of the program's communicator
	int wide;       // 1: each place has a type and a displacement in bytes
	BEFF_HANDLE(MPI_Comm, graph); // MPI_COMM_NULL: not made
	int root, round; // the next root, and the number of roots; round 0: the root stays
	BEFF_HANDLE(MPI_Op, reduce);
	int64_t times;
	void *function; // a user's, that is called instead; NULL: none
} beff_extra;

// In file calls, reads too, send is the memory and recv the file, whose type and count describe the data.
typedef struct {
	enum beff_op op;
	enum beff_family family;
	beff_place *send, *recv;
	int nsend, nrecv, tag;
	int root;    // of a rooted call; the number of a lap
	int request; // index in the program's requests that a nonblocking call opens or a wait completes
	// Of a persistent call: the number of requests from its own one on that it starts, of calls that follow it; -1: one
	// before it does so. 0: the call isn't persistent.
	int starts;
	enum beff_op made; // the call that makes the request
	int part, parts;   // of a partitioned message; part: the number of the call whose request is made anew
	double seconds;
	beff_extra *extra; // NULL: none
} beff_call;

// One of the longest laps. `end`: seconds since the timed loops began.
typedef struct {
	double seconds, end;
	int64_t loop;
} beff_slow;

// The numbers of a tally's buckets, and of the longest laps that it keeps (mpi.TallyBuckets, mpi.MostSlow).
enum { BEFF_BUCKETS = 55296, BEFF_SLOWEST = 8 };

// How long laps took, in picoseconds (mpi.Tally).
typedef struct {
	int64_t *counts; // of each bucket; NULL: the laps aren't counted
	int64_t n, min, max;
	double sum;
	double least; // seconds of the shortest of the longest laps
	int nslowest; // in no order
	beff_slow slowest[BEFF_SLOWEST];
} beff_tally;

// The sums of the laps of one number. `last` belongs to the loop `loop`.
typedef struct {
	double seconds, last;
	int64_t loop;
	double *each; // of each timed loop; NULL: not kept
	beff_tally tally;
} beff_lap;

// The stop rule (mpi.Loops).
typedef struct {
	int64_t untimed, timed;
	double budget, later;
	double apart;
	int each;   // 1: the time of each timed loop is kept
	int blocks; // 1: those of blocks of them are
} beff_loops;

// The number of wrong marks that are kept (mpi.MostMismatches).
enum { BEFF_WRONGS = 32 };

// A wrong mark.
typedef struct {
	int place, end;
	int64_t loop, chunk, inside; // inside: of a comparison; 0: a mark
	uint64_t expected, found;
} beff_wrong;

// Bytes of a line of memory, of which BEFF_SCRIBBLE and BEFF_SKIM touch the first one.
enum { BEFF_LINE = 64 };

// Room for the calls BEFF_EACH, BEFF_RULE, BEFF_BLOCK and BEFF_ADVANCE.
enum { beff_behind = 4 };

// The number of blocks of loops of which each two become one (mpi.MostBlocks).
enum { BEFF_BLOCKS = 32 };

// What a process with the call BEFF_HEED has heard and tells: see heed in loop.c.
typedef struct {
	MPI_Request signal, news;
	int signals;     // barriers of the signal that are under way or done; 3: the second one is done
	int under_way;   // 1: the news are
	int heard, told; // 1: the loops may end
} beff_heeding;

// The threads of a process that run programs at the same time, or each make memory of `size` bytes.
typedef struct {
	int threads;
	struct beff_program **programs; // one of each thread
	int *processors;                // that each thread runs on; -1: any
	void **memory;                  // NULL: the threads run programs
	int64_t size;
	struct beff_crew *crew; // the C side's own
} beff_team;

typedef struct beff_program {
	beff_comm *comm;
	BEFF_HANDLE(MPI_Comm, start);  // MPI_COMM_NULL: no barrier
	BEFF_HANDLE(MPI_Comm, signal); // MPI_COMM_NULL: this process hears nothing itself
	beff_heeding *heeding;
	beff_call *calls; // before the loops; of a loop, and beff_behind more; after the loops
	int nbefore, nloop, nafter;
	int decides; // 1: the program decides itself
	int calm;    // 1: a run waits first until the core is quiet
	int thread;  // of the team
	beff_team *team; // NULL: the process has one thread
	struct beff_program *leader; // whose messages in parts the calls are about: itself, or the team's first one
	MPI_Request *requests;
	MPI_Status *statuses;
	const beff_call **moving; // for each request its file call under way; NULL: none
	int nrequests, nmoving;
	int ready; // 1: persistent requests and graphs are made
	beff_place *places;
	beff_place **advancing;
	int nplaces, nadvancing;
	beff_lap *laps;
	int nlaps;
	double *each; // if kept: room for the timed loops' times, then for the times of each lap
	const beff_call **reopens; // for each file that the program opens or closes, the first such call
	int nreopens;
	int64_t loop; // loops that ran since the program was compiled

	// The run under way: the loop before which it stops, and the beginning of its timed loops.
	beff_loops loops;
	int64_t stop, first; // first: of the timed loops; -1: none has begun
	double begin, mark;  // mark: the last lap's clock reading
	double tick;         // the clock reading at the end of the last loop, if each loop's time is kept
	double ends[BEFF_BLOCKS]; // seconds since `begin` at the ends of the blocks, if these are kept
	int64_t per, due;         // loops of a block, and the loop that ends the next one
	int64_t decision;         // the loop of BEFF_DECIDE's next broadcast
	int nends;

	// What other threads may read at any time: the last call of the section under way that was made and isn't short, at
	// its beginning the section's last call, NULL before the first section; and the loop. A store before each call
	// would be three instructions more in a marked loop.
	const beff_call *volatile past;
	volatile int64_t turn;

	// The observations of the last run.
	double seconds;
	int failed, rc;           // the call that failed (-1: the barrier, or none) and its return code
	const beff_call *failure; // the first call of a file or a path that failed; NULL: none
	int failure_rc;           // MPI_SUCCESS: it moved too few bytes, or lost some
	int lost;                 // errno of a system call in it that lost data; 0: none is known
	int64_t moved;            // bytes; -1: not a whole number of elements; of a path its position
	int64_t wrong; // chunks with a wrong mark
	int nwrongs;   // of the first of them, a wrong mark each
	beff_wrong wrongs[BEFF_WRONGS];
} beff_program;

#endif
