// Windows of MPI. A plug-in for OpenSHMEM has others (shmem.c).
#ifndef BEFF_SHMEM
#include "calls.h"

#include <stdlib.h>
#include <string.h>

int beff_windows_begin(void) { return MPI_SUCCESS; }

// __cxa_finalize is the C library's part of exit. It runs the functions that libraries have registered with atexit.
void __cxa_finalize(void *library);

// MPICH 5 disconnects from its launcher in such a function, which a Go program doesn't run when it exits. Hydra would
// then kill the other processes.
int beff_windows_end(void) {
	int rc = MPI_Finalize();
	if (rc == MPI_SUCCESS) __cxa_finalize(NULL);
	return rc;
}

void beff_windows_version(int *major, int *minor) { *major = *minor = 0; }

// The info of windows that are made later.
static MPI_Info given;
static int hinted;

void beff_window_hints(beff_handle info) {
	given = info.info;
	hinted = 1;
}

static MPI_Info hints(void) { return hinted ? given : MPI_INFO_NULL; }

// agree returns the error of this process, or the class of another process's error.
static int agree(int rc, MPI_Comm comm) {
	int worst;
	MPI_Error_class(rc, &worst);
	int asked = MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, comm);
	if (rc != MPI_SUCCESS) return rc;
	return asked != MPI_SUCCESS ? asked : worst;
}

// attach makes a window to which each process attaches its memory, and exchanges the addresses. If one process can't
// attach its memory, no process has the window.
static int attach(beff_window *w) {
	int n, rc = MPI_Comm_size(w->comm, &n);
	MPI_Aint own = 0;
	free(w->bases);
	w->bases = malloc(n * sizeof *w->bases);
	if (!w->bases) return MPI_ERR_NO_MEM;
	if (rc == MPI_SUCCESS) rc = MPI_Win_create_dynamic(hints(), w->comm, &w->handle);
	if (rc == MPI_SUCCESS) rc = MPI_Win_set_errhandler(w->handle, MPI_ERRORS_RETURN);
	if (rc != MPI_SUCCESS) return rc;
	if (w->memory) rc = MPI_Win_attach(w->handle, w->memory, w->size);
	if (rc == MPI_SUCCESS && w->memory) rc = MPI_Get_address(w->memory, &own);
	rc = agree(rc, w->comm);
	if (rc != MPI_SUCCESS) return MPI_Win_free(&w->handle), rc; // detaches the memory (MPI 4.1, 12.2.4)
	int64_t base = own;
	return MPI_Allgather(&base, 1, MPI_INT64_T, w->bases, 1, MPI_INT64_T, w->comm);
}

int beff_window_create(beff_window *w) {
	if (w->handle != MPI_WIN_NULL) return MPI_ERR_WIN;
	int rc = w->dynamic ? attach(w) : MPI_Win_create(w->memory, w->size, 1, hints(), w->comm, &w->handle);
	return rc == MPI_SUCCESS ? MPI_Win_set_errhandler(w->handle, MPI_ERRORS_RETURN) : rc;
}

// The process locks its memory while it clears it, in case the window has a public copy (MPI 4.1, 12.4).
int beff_window_allocate(beff_window *w) {
	const MPI_Aint line = 64; // MPICH 4.0 accesses wrong addresses if a size isn't a multiple of 16
	MPI_Aint size = (w->size + line - 1) / line * line;
	int me, rc = MPI_Win_allocate(size, 1, hints(), w->comm, &w->memory, &w->handle);
	if (rc == MPI_SUCCESS) rc = MPI_Win_set_errhandler(w->handle, MPI_ERRORS_RETURN);
	if (rc == MPI_SUCCESS) rc = MPI_Comm_rank(w->comm, &me);
	if (rc == MPI_SUCCESS) rc = MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, w->handle);
	if (rc != MPI_SUCCESS) return rc;
	memset(w->memory, 0, w->size);
	rc = MPI_Win_unlock(me, w->handle);
	return rc == MPI_SUCCESS ? MPI_Barrier(w->comm) : rc;
}

int beff_window_free(beff_window *w) {
	if (w->handle == MPI_WIN_NULL) return MPI_ERR_WIN;
	int rc = w->dynamic && w->memory ? MPI_Win_detach(w->handle, w->memory) : MPI_SUCCESS;
	if (w->grouped && rc == MPI_SUCCESS) rc = MPI_Group_free(&w->group);
	w->grouped = 0;
	free(w->bases);
	w->bases = NULL;
	return rc == MPI_SUCCESS ? MPI_Win_free(&w->handle) : rc;
}

// with makes the group of one process, unless it is the current group.
static int with(beff_window *w, int peer) {
	if (w->grouped == peer + 1) return MPI_SUCCESS;
	MPI_Group all;
	int rc = w->grouped ? MPI_Group_free(&w->group) : MPI_SUCCESS;
	w->grouped = 0;
	if (rc == MPI_SUCCESS) rc = MPI_Comm_group(w->comm, &all);
	if (rc != MPI_SUCCESS) return rc;
	rc = MPI_Group_incl(all, 1, &peer, &w->group);
	MPI_Group_free(&all);
	if (rc == MPI_SUCCESS) w->grouped = peer + 1;
	return rc;
}

static int post(beff_window *w, int peer) {
	int rc = with(w, peer);
	return rc == MPI_SUCCESS ? MPI_Win_post(w->group, 0, w->handle) : rc;
}

static int start(beff_window *w, int peer) {
	int rc = with(w, peer);
	return rc == MPI_SUCCESS ? MPI_Win_start(w->group, 0, w->handle) : rc;
}

// displacement returns the position of a place in a window.
static inline MPI_Aint displacement(const beff_window *w, const beff_place *t) {
	return w->bases ? w->bases[t->peer] + t->at : t->at;
}

// update makes a call on elements, which have the same type and number in all places.
static int update(const beff_call *c, const beff_window *w) {
	const beff_place *s = c->send, *t = c->recv;
	MPI_Win win = w->handle;
	MPI_Aint at = displacement(w, t);
	MPI_Datatype type = c->extra->recv.type;
	MPI_Op op = c->extra->reduce;
	int n = c->extra->recv.count, peer = t->peer;
	switch (c->op) {
	case BEFF_ACCUMULATE: return MPI_Accumulate(s->addr, n, type, peer, at, n, type, op, win);
	case BEFF_GET_ACCUMULATE:
		return MPI_Get_accumulate(s[0].addr, n, type, s[1].addr, n, type, peer, at, n, type, op, win);
	case BEFF_FETCH_AND_OP: return MPI_Fetch_and_op(s[0].addr, s[1].addr, type, peer, at, op, win);
	default: return MPI_Compare_and_swap(s[0].addr, s[1].addr, s[2].addr, type, peer, at, win);
	}
}

// Put and Get have a different layout on each side, and don't use the call's extra.
int beff_one_sided(beff_program *p, const beff_call *c) {
	const beff_place *s = c->send, *t = c->recv;
	beff_window *w = &t->space->window;
	MPI_Request *q = p->requests + c->request;
	MPI_Win win = w->handle;
	int peer = t->peer;
	switch (c->op) {
	case BEFF_PUT: return MPI_Put(s->addr, s->count, s->type, peer, displacement(w, t), t->count, t->type, win);
	case BEFF_GET: return MPI_Get(s->addr, s->count, s->type, peer, displacement(w, t), t->count, t->type, win);
	case BEFF_RPUT: return MPI_Rput(s->addr, s->count, s->type, peer, displacement(w, t), t->count, t->type, win, q);
	case BEFF_RGET: return MPI_Rget(s->addr, s->count, s->type, peer, displacement(w, t), t->count, t->type, win, q);
	case BEFF_WIN_CREATE: return beff_window_create(w);
	case BEFF_WIN_FREE: return beff_window_free(w);
	case BEFF_WIN_FENCE: return MPI_Win_fence(0, w->handle);
	case BEFF_WIN_LOCK: return MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, w->handle);
	case BEFF_WIN_LOCK_EXCLUSIVE: return MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, w->handle);
	case BEFF_WIN_POST: return post(w, peer);
	case BEFF_WIN_START: return start(w, peer);
	case BEFF_WIN_COMPLETE: return MPI_Win_complete(w->handle);
	case BEFF_WIN_WAIT: return MPI_Win_wait(w->handle);
	case BEFF_WIN_UNLOCK: return MPI_Win_unlock(peer, w->handle);
	case BEFF_WIN_LOCK_ALL: return MPI_Win_lock_all(0, w->handle);
	case BEFF_WIN_UNLOCK_ALL: return MPI_Win_unlock_all(w->handle);
	case BEFF_WIN_FLUSH: return MPI_Win_flush(peer, w->handle);
	case BEFF_WIN_FLUSH_LOCAL: return MPI_Win_flush_local(peer, w->handle);
	case BEFF_WIN_FLUSH_ALL: return MPI_Win_flush_all(w->handle);
	case BEFF_WIN_FLUSH_LOCAL_ALL: return MPI_Win_flush_local_all(w->handle);
	case BEFF_WIN_SYNC: return MPI_Win_sync(w->handle);
	default: return update(c, w);
	}
}
#endif
