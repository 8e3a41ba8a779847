//go:build mpi

#include "loop.h"

#include <string.h>

// A place that walks takes its space's next position; one that would reach beyond the end starts again at 0.
static inline void walk(beff_place *p) {
	if (p->step == 0) return;
	beff_space *s = p->space;
	int64_t at = s->walk + p->length > s->size ? 0 : s->walk;
	p->addr = s->base + at;
	s->walk = at + p->step;
}

static void stamp_wide(const beff_place *p, uint64_t value) {
	for (int64_t at = 0; at < p->length; at += p->chunk, value += p->per_chunk) {
		uint64_t end = ~value;
		memcpy(p->addr + at, &value, p->width);
		if (p->chunk >= 2 * p->width) memcpy(p->addr + at + p->chunk - p->width, &end, p->width);
	}
}

// A message that is one chunk, with marks of one byte or with two of eight, is the common case, and short enough to count.
static inline int plain(const beff_place *p) {
	return p->chunk == p->length && (p->width == 1 || (p->width == 8 && p->length >= 16));
}

static inline void stamp(const beff_place *p, int64_t loop) {
	uint64_t value = p->key + (uint64_t)loop * p->per_loop;
	if (!plain(p)) {
		if (p->width) stamp_wide(p, value);
		return;
	}
	if (p->width == 8) {
		uint64_t end = ~value;
		memcpy(p->addr, &value, 8);
		memcpy(p->addr + p->length - 8, &end, 8);
		return;
	}
	p->addr[0] = (char)value;
	if (p->length > 1) p->addr[p->length - 1] = (char)~value;
}

// One mark: `width` bytes at `at` must be `want`'s. The first that is wrong is kept.
static void compare(beff_program *prog, const beff_place *p, int64_t loop, int64_t chunk, int end, const char *at, uint64_t want) {
	uint64_t found = 0, mask = p->width == 8 ? ~0ull : (1ull << 8 * p->width) - 1;
	memcpy(&found, at, p->width);
	if (found == (want & mask) || prog->mismatch) return;
	prog->mismatch = 1;
	prog->wrong_place = (int)(p - prog->places);
	prog->wrong_loop = loop;
	prog->wrong_chunk = chunk;
	prog->wrong_end = end;
	prog->expected = want & mask;
	prog->found = found;
}

static void check_wide(beff_program *prog, const beff_place *p, int64_t loop, uint64_t value) {
	int64_t c = 0;
	for (int64_t at = 0; at < p->length; at += p->chunk, value += p->per_chunk, c++) {
		compare(prog, p, loop, c, 0, p->addr + at, value);
		if (p->chunk >= 2 * p->width) compare(prog, p, loop, c, 1, p->addr + at + p->chunk - p->width, ~value);
	}
}

static inline void check(beff_program *prog, const beff_place *p, int64_t loop) {
	uint64_t value = p->key + (uint64_t)loop * p->per_loop;
	if (plain(p) && p->width == 8) {
		uint64_t first, last;
		memcpy(&first, p->addr, 8);
		memcpy(&last, p->addr + p->length - 8, 8);
		if (first == value && last == ~value) return;
	} else if (plain(p) && p->addr[0] == (char)value && (p->length == 1 || p->addr[p->length - 1] == (char)~value)) {
		return;
	}
	if (p->width) check_wide(prog, p, loop, value);
}

// The counts of all processes but the places' peers are 0, and are 0 again afterwards.
static int alltoallv(const beff_comm *c, const beff_call *call) {
	static char nothing;
	char *send = call->nsend ? call->send[0].addr : &nothing;
	char *recv = call->nrecv ? call->recv[0].addr : &nothing;
	for (int i = 0; i < call->nsend; i++) {
		const beff_place *p = call->send + i;
		c->sendcounts[p->peer] = p->count;
		c->sdispls[p->peer] = (int)(p->addr - send);
	}
	for (int i = 0; i < call->nrecv; i++) {
		const beff_place *p = call->recv + i;
		c->recvcounts[p->peer] = p->count;
		c->rdispls[p->peer] = (int)(p->addr - recv);
	}
	int rc = MPI_Alltoallv(send, c->sendcounts, c->sdispls, MPI_BYTE, recv, c->recvcounts, c->rdispls, MPI_BYTE, c->comm);
	for (int i = 0; i < call->nsend; i++) c->sendcounts[call->send[i].peer] = c->sdispls[call->send[i].peer] = 0;
	for (int i = 0; i < call->nrecv; i++) c->recvcounts[call->recv[i].peer] = c->rdispls[call->recv[i].peer] = 0;
	return rc;
}

// MPI_Waitall names the request that failed only in its status.
static int waitall(beff_program *p) {
	int rc = MPI_Waitall(p->nrequests, p->requests, p->statuses);
	if (rc != MPI_ERR_IN_STATUS) return rc;
	for (int i = 0; i < p->nrequests; i++)
		if (p->statuses[i].MPI_ERROR != MPI_SUCCESS && p->statuses[i].MPI_ERROR != MPI_ERR_PENDING) return p->statuses[i].MPI_ERROR;
	return rc;
}

static void compute(double seconds) {
	double end = MPI_Wtime() + seconds;
	while (MPI_Wtime() < end) {}
}

// `n` loops; the number of the first loop is p->loop. What can't fail goes straight on to the next call.
static int run_loops(beff_program *p, int64_t n) {
	const beff_call *begin = p->calls, *end = begin + p->ncalls;
	MPI_Comm comm = p->comm ? p->comm->comm : MPI_COMM_NULL;
	int64_t loop = p->loop, stop = loop + n;
	for (p->loop = stop; loop < stop; loop++) {
		for (const beff_call *c = begin; c < end; c++) {
			beff_place *s = c->send, *r = c->recv;
			int rc = MPI_SUCCESS;
			switch (c->op) {
			case BEFF_NOP:
				continue;
			case BEFF_WALK:
				for (beff_place *e = s + c->nsend; s < e; s++) walk(s);
				for (beff_place *e = r + c->nrecv; r < e; r++) walk(r);
				continue;
			case BEFF_STAMP:
				for (beff_place *e = s + c->nsend; s < e; s++) stamp(s, loop);
				continue;
			case BEFF_CHECK:
				for (beff_place *e = r + c->nrecv; r < e; r++) check(p, r, loop);
				continue;
			case BEFF_COMPUTE:
				compute(c->seconds);
				continue;
			case BEFF_SEND:
				rc = MPI_Send(s->addr, s->count, s->type, s->peer, c->tag, comm);
				break;
			case BEFF_RECV:
				rc = MPI_Recv(r->addr, r->count, r->type, r->peer, c->tag, comm, MPI_STATUS_IGNORE);
				break;
			case BEFF_SENDRECV:
				rc = MPI_Sendrecv(s->addr, s->count, s->type, s->peer, c->tag, r->addr, r->count, r->type, r->peer, c->tag, comm, MPI_STATUS_IGNORE);
				break;
			case BEFF_ISEND:
				rc = MPI_Isend(s->addr, s->count, s->type, s->peer, c->tag, comm, p->requests + c->request);
				break;
			case BEFF_IRECV:
				rc = MPI_Irecv(r->addr, r->count, r->type, r->peer, c->tag, comm, p->requests + c->request);
				break;
			case BEFF_WAIT:
				rc = MPI_Wait(p->requests + c->request, MPI_STATUS_IGNORE);
				break;
			case BEFF_WAITALL:
				rc = waitall(p);
				break;
			case BEFF_BARRIER:
				rc = MPI_Barrier(comm);
				break;
			case BEFF_ALLTOALLV:
				rc = alltoallv(p->comm, c);
				break;
			}
			if (rc != MPI_SUCCESS) {
				p->failed = (int)(c - begin);
				return rc;
			}
		}
	}
	return MPI_SUCCESS;
}

int beff_run(beff_program *p, int64_t untimed, int64_t timed) {
	p->failed = -1;
	p->mismatch = 0;
	p->seconds = 0;
	p->rc = p->start == MPI_COMM_NULL ? MPI_SUCCESS : MPI_Barrier(p->start);
	if (p->rc == MPI_SUCCESS) p->rc = run_loops(p, untimed);
	if (p->rc == MPI_SUCCESS) {
		double begin = MPI_Wtime();
		p->rc = run_loops(p, timed);
		p->seconds = MPI_Wtime() - begin;
	}
	return p->rc;
}
