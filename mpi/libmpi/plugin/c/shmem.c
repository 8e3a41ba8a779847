// Windows over OpenSHMEM instead of MPI (window.c), in a plug-in built by a wrapper such as oshcc.
//
// The memory of windows is in the symmetric heap, all of which is allocated when the library is initialized. So a
// window of some processes needs no call on the others, unlike shmem_malloc, which is collective over all.
#ifdef BEFF_SHMEM
#define _GNU_SOURCE
#include "calls.h"

#include <dlfcn.h>
#include <link.h>
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

enum { page = 4096 }; // windows have a multiple of this number of bytes

static char *heap;
static int64_t heap_size;

enum { work_part = 16 }; // each of the two work arrays of reductions is this fraction of the heap

// The symmetric arrays after the heap's windows: counters of the notifications from each processing element, and two of
// each array for reductions. Reductions use them in turn, because another process may still read the arrays of the
// previous one.
static long *notices, *synchronised[2];
static char *work[2];
static int64_t work_size;

// A window's part of the heap, and the processing elements of its processes.
typedef struct part {
	char *base;
	int64_t end; // offset in the heap
	struct part *next;
	int pe[];
} part;

static part *parts; // of this process's windows

static long *told, *heard; // notifications sent to and received from each processing element

// The processing elements of the running program's communicator. If they are regular, reductions can use them as an
// active set, with the first one, the logarithm of their distance, and their number.
static struct {
	int size, regular, first, log;
	int *pe, room;
} active;

static int turn; // which of the arrays the last reduction used

static int pending; // 1: moves have been started and not completed

// quiet completes all moves of this process.
static int quiet(void) {
	shmem_quiet();
	pending = 0;
	return MPI_SUCCESS;
}

// heap_bytes returns the size of the symmetric heap, from the environment (OpenSHMEM 1.4, section 8) or 256 MiB.
static int64_t heap_bytes(void) {
	const char *const name = "SHMEM_SYMMETRIC_HEAP_SIZE", *const older = "SMA_SYMMETRIC_SIZE", *units = "kmgt";
	const char *given = getenv(name) ? getenv(name) : getenv(older), *unit;
	char *end;
	if (!given) {
		setenv(name, "256M", 1);
		return 256 << 20;
	}
	double size = strtod(given, &end);
	for (unit = units; *unit && *unit != (*end | 32); unit++) {}
	for (int n = *unit ? (int)(unit - units) + 1 : 0; n > 0; n--) size *= 1024;
	return (int64_t)size;
}

// take_heap allocates the heap. Its size is a power of two, because libraries divide the heap into halves.
static int take_heap(int64_t size) {
	for (heap_size = page; heap_size <= size / 2; heap_size *= 2) {}
	heap = shmem_malloc(heap_size);
	if (!heap) return MPI_ERR_NO_MEM;
	char *end = heap + heap_size;
	work_size = heap_size / work_part;
	for (int i = 0; i < 2; i++) {
		work[i] = end -= work_size;
		end -= SHMEM_REDUCE_SYNC_SIZE * sizeof(long);
		synchronised[i] = (long *)end;
		for (int at = 0; at < SHMEM_REDUCE_SYNC_SIZE; at++) synchronised[i][at] = SHMEM_SYNC_VALUE;
	}
	end -= shmem_n_pes() * sizeof *notices;
	notices = memset(end, 0, shmem_n_pes() * sizeof *notices);
	heap_size = (end - heap) / page * page;
	told = calloc(2 * shmem_n_pes(), sizeof *told);
	heard = told + shmem_n_pes();
	shmem_barrier_all();
	return told ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

int beff_windows_begin(void) {
	int64_t size = heap_bytes();
	int rank;
	shmem_init();
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return shmem_my_pe() == rank ? take_heap(size) : MPI_ERR_RANK;
}

// hold keeps a library loaded.
static int hold(struct dl_phdr_info *info, size_t size, void *unused) {
	(void)size, (void)unused;
	if (info->dlpi_name && *info->dlpi_name) dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
	return 0;
}

// shmem_finalize ends MPI, too. In Open MPI 4.1 it unloads components that it still calls.
int beff_windows_end(void) {
	dl_iterate_phdr(hold, NULL);
	shmem_finalize();
	return MPI_SUCCESS;
}

void beff_windows_version(int *major, int *minor) {
	*major = SHMEM_MAJOR_VERSION;
	*minor = SHMEM_MINOR_VERSION;
}

// MPI_Barrier of the world is OpenSHMEM's barrier, by the profiling interface (MPI 4.1, 15.2).
int MPI_Barrier(MPI_Comm comm) {
	if (comm != MPI_COMM_WORLD) return PMPI_Barrier(comm);
	shmem_barrier_all();
	return MPI_SUCCESS;
}

static int locate(MPI_Comm comm, int size, int *pe);

// take_turns makes all processes of a program with reductions start with the same arrays, because some may have made
// more reductions before. The barrier comes after the last of these.
static int take_turns(const beff_program *p) {
	const beff_call *c = p->calls, *end = c + p->nbefore + p->nloop + beff_after_loop + p->nafter;
	while (c < end && c->op != BEFF_ALLREDUCE) c++;
	if (c == end) return MPI_SUCCESS;
	turn = 0;
	return MPI_Barrier(p->comm->comm);
}

int beff_windows_enter(const beff_program *p) {
	if (!p->comm) return MPI_SUCCESS;
	int size = p->comm->size;
	if (size > active.room) {
		int *pe = realloc(active.pe, size * sizeof *pe);
		if (!pe) return MPI_ERR_NO_MEM;
		active.pe = pe;
		active.room = size;
	}
	int rc = locate(p->comm->comm, size, active.pe), *pe = active.pe;
	if (rc != MPI_SUCCESS) return rc;
	int apart = size > 1 ? pe[1] - pe[0] : 1;
	active.size = size;
	active.first = pe[0];
	active.regular = apart > 0 && (apart & (apart - 1)) == 0;
	for (int i = 1; i < size; i++) active.regular &= pe[i] - pe[i - 1] == apart;
	for (active.log = 0; apart >> active.log > 1; active.log++) {}
	return take_turns(p);
}

int beff_notify(int to, int from, int tag, MPI_Comm comm) {
	(void)tag, (void)comm;
	int there = active.pe[to], here = active.pe[from];
	shmem_long_p(&notices[shmem_my_pe()], ++told[there], there);
	shmem_long_wait_until(&notices[here], SHMEM_CMP_GE, ++heard[here]);
	return MPI_SUCCESS;
}

// Reductions of a type, by the team of all processes if the version has teams (OpenSHMEM 1.5, 9.11.4), otherwise by an
// active set.
#define BEFF_BY_SET(name, type, kind) \
	shmem_##name##_##kind##_to_all(to, from, n, active.first, active.log, active.size, (type *)work[turn], \
	                               synchronised[turn])
#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
#define BEFF_REDUCE_BY(name, type, kind) \
	(active.size == shmem_n_pes() ? (void)shmem_##name##_##kind##_reduce(SHMEM_TEAM_WORLD, to, from, n) \
	                              : BEFF_BY_SET(name, type, kind))
#else
#define BEFF_REDUCE_BY(name, type, kind) BEFF_BY_SET(name, type, kind)
#endif
#define BEFF_REDUCTION(name, type) \
	static void reduce_##name(MPI_Op op, const type *from, type *to, int n) { \
		if (op == MPI_SUM) BEFF_REDUCE_BY(name, type, sum); \
		else if (op == MPI_MAX) BEFF_REDUCE_BY(name, type, max); \
		else BEFF_REDUCE_BY(name, type, min); \
	}
BEFF_REDUCTION(int, int)
BEFF_REDUCTION(long, long)
BEFF_REDUCTION(float, float)
BEFF_REDUCTION(double, double)

int beff_reduce(const beff_call *c, const void *send, void *recv) {
	const beff_side *s = &c->extra->send;
	MPI_Op op = c->extra->reduce;
	int64_t least = SHMEM_REDUCE_MIN_WRKDATA_SIZE, n = s->count / 2 + 1;
	if (send == MPI_IN_PLACE) send = recv; // source and target may be the same array
	if (!active.regular) return MPI_ERR_COMM;
	int bytes = s->type == MPI_INT || s->type == MPI_FLOAT ? 4 : 8;
	if ((n > least ? n : least) * bytes > work_size) return MPI_ERR_NO_MEM;
	turn = !turn;
	if (s->type == MPI_INT) reduce_int(op, send, recv, s->count);
	else if (s->type == MPI_INT64_T) reduce_long(op, send, recv, s->count);
	else if (s->type == MPI_FLOAT) reduce_float(op, send, recv, s->count);
	else if (s->type == MPI_DOUBLE) reduce_double(op, send, recv, s->count);
	else return MPI_ERR_TYPE;
	return MPI_SUCCESS;
}

void beff_window_hints(beff_handle info) { (void)info; }

int beff_window_create(beff_window *w) { return (void)w, MPI_ERR_WIN; }

// locate sets pe to the processing elements of a communicator.
static int locate(MPI_Comm comm, int size, int *pe) {
	int *members = malloc(size * sizeof *members);
	beff_comm c = {.comm = comm, .size = size};
	if (!members) return MPI_ERR_NO_MEM;
	for (int i = 0; i < size; i++) members[i] = i;
	int rc = beff_ranks(&c, members, pe);
	free(members);
	return rc;
}

// The processes agree on the first offset that is free on all of them, and on the largest size.
int beff_window_allocate(beff_window *w) {
	int processes, rc = MPI_Comm_size(w->comm, &processes);
	int64_t agreed[2] = {0, (w->size + page - 1) / page * page};
	for (part *p = parts; p; p = p->next)
		if (p->end > agreed[0]) agreed[0] = p->end;
	if (rc == MPI_SUCCESS) rc = MPI_Allreduce(MPI_IN_PLACE, agreed, 2, MPI_INT64_T, MPI_MAX, w->comm);
	if (rc != MPI_SUCCESS) return rc;
	if (agreed[1] > heap_size - agreed[0]) return MPI_ERR_NO_MEM;
	part *p = malloc(sizeof *p + processes * sizeof *p->pe);
	if (!p) return MPI_ERR_NO_MEM;
	p->base = heap + agreed[0];
	p->end = agreed[0] + agreed[1];
	p->next = parts;
	if ((rc = locate(w->comm, processes, p->pe)) != MPI_SUCCESS) return free(p), rc;
	parts = p;
	w->handle_bits = (uintptr_t)p;
	w->memory = p->base;
	memset(w->memory, 0, w->size);
	return MPI_Barrier(w->comm);
}

int beff_window_free(beff_window *w) {
	part *mine = (part *)(uintptr_t)w->handle_bits, **at = &parts;
	if (w->handle == MPI_WIN_NULL) return MPI_ERR_WIN;
	quiet();
	int rc = MPI_Barrier(w->comm);
	while (*at != mine) at = &(*at)->next;
	*at = mine->next;
	free(mine);
	w->handle = MPI_WIN_NULL;
	return rc;
}

// A side of a strided transfer: the bytes of an element, the number of elements, and their distance in elements.
typedef struct {
	int bytes, number;
	ptrdiff_t stride;
} strided;

// strides returns the side of a place whose type beff_strided_type has made.
static strided strides(const beff_place *p) {
	int numbers[2];
	MPI_Aint stride;
	MPI_Datatype byte;
	MPI_Type_get_contents(p->type, 2, 1, 1, numbers, &stride, &byte);
	return (strided){numbers[1], numbers[0], stride / numbers[1]};
}

// move_strided moves elements of 4 or 8 bytes, which the Go side has checked. A side without pieces has the stride 1.
static void move_strided(const beff_call *c, void *there, int pe) {
	const beff_place *s = c->send, *t = c->recv;
	strided none = {0, 0, 1}, from = s->type == MPI_BYTE ? none : strides(s);
	strided to = t->type == MPI_BYTE ? none : strides(t), any = from.bytes ? from : to;
	switch (c->op) {
	case BEFF_PUT:
		if (any.bytes == 4) shmem_iput32(there, s->addr, to.stride, from.stride, any.number, pe);
		else shmem_iput64(there, s->addr, to.stride, from.stride, any.number, pe);
		return;
	default:
		if (any.bytes == 4) shmem_iget32(s->addr, there, from.stride, to.stride, any.number, pe);
		else shmem_iget64(s->addr, there, from.stride, to.stride, any.number, pe);
	}
}

// completed reports whether the call after c completes c. Then c uses the blocking form, like the programs of the PGAS
// Microbenchmark Suite. Otherwise it only starts to move data.
static int completed(const beff_program *p, const beff_call *c) {
	const beff_call *end = p->calls + p->nbefore + p->nloop + beff_after_loop + p->nafter;
	if (c + 1 == end) return 1;
	switch (c[1].op) {
	case BEFF_WIN_FLUSH:
	case BEFF_WIN_FLUSH_LOCAL:
	case BEFF_WIN_FLUSH_ALL:
	case BEFF_WIN_FLUSH_LOCAL_ALL:
	case BEFF_WIN_UNLOCK:
	case BEFF_WIN_UNLOCK_ALL: return 1;
	default: return 0;
	}
}

static void move(const beff_program *p, const beff_call *c, void *there, int pe) {
	char *here = c->send->addr;
	size_t n = c->send->length;
	int blocks = completed(p, c);
	if (n == 0) return;
	pending |= !blocks;
	if (c->op == BEFF_PUT) (blocks ? shmem_putmem : shmem_putmem_nbi)(there, here, n, pe);
	else (blocks ? shmem_getmem : shmem_getmem_nbi)(here, there, n, pe);
}

// in_pieces reports whether a place has pieces. Long messages also have a derived type.
static int in_pieces(const beff_place *p) { return p->type != MPI_BYTE && p->length <= INT32_MAX; }

static int fetch(const beff_call *c, void *there, int pe) {
	const beff_place *s = c->send;
	void *value = s[0].addr, *result = s[1].addr;
	if (s->length == 4) *(int *)result = shmem_int_atomic_fetch_add(there, *(int *)value, pe);
	else *(long *)result = shmem_long_atomic_fetch_add(there, *(long *)value, pe);
	return MPI_SUCCESS;
}

int beff_one_sided(beff_program *p, const beff_call *c) {
	const beff_place *t = c->recv;
	const part *w = (const part *)(uintptr_t)t->space->window.handle_bits;
	int pe = w->pe[t->peer];
	void *there = w->base + t->at;
	switch (c->op) {
	case BEFF_PUT:
	case BEFF_GET:
		if (in_pieces(c->send) || in_pieces(t)) move_strided(c, there, pe);
		else move(p, c, there, pe);
		return MPI_SUCCESS;
	case BEFF_FETCH_AND_OP: return fetch(c, there, pe);
	case BEFF_WIN_FLUSH:
	case BEFF_WIN_FLUSH_ALL:
	case BEFF_WIN_UNLOCK:
	case BEFF_WIN_UNLOCK_ALL: return quiet();
	case BEFF_WIN_FLUSH_LOCAL: // a blocking move is complete at the origin
	case BEFF_WIN_FLUSH_LOCAL_ALL: return pending ? quiet() : MPI_SUCCESS;
	case BEFF_WIN_LOCK:
	case BEFF_WIN_LOCK_ALL:
	case BEFF_WIN_SYNC: return __sync_synchronize(), MPI_SUCCESS; // there are no epochs
	default: return MPI_ERR_OTHER; // the call has no case here
	}
}
#endif
