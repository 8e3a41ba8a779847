#include "calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// APART keeps a function out of beff_calls, so that the variables of beff_calls stay in registers. A loop of a message
// each way then takes 54 instructions instead of 77, with walking places and marks 194 instead of 230 (callgrind, stubs
// for MPI).
#define APART __attribute__((noinline))

static int interrupted;

void beff_interrupt(void) { __atomic_store_n(&interrupted, 1, __ATOMIC_RELAXED); }

// walk moves a place that walks to its space's next position, or to 0 if the place would reach beyond the end.
static inline void walk(beff_place *p) {
	beff_space *s = p->space;
	int64_t at = s->walk;
	if (p->step == 0) return;
	if (at > s->size - p->length) at = 0;
	s->walk = at + p->step;
	beff_put(p, at);
}

APART static void stamp_wide(const beff_place *p, uint64_t value) {
	for (int64_t at = 0; at < p->length; at += p->chunk, value += p->per_chunk) {
		uint64_t end = ~value;
		memcpy(p->addr + at, &value, p->width);
		if (p->chunk >= 2 * p->width) memcpy(p->addr + at + p->chunk - p->width, &end, p->width);
	}
}

static inline void stamp(const beff_place *p, int64_t loop) {
	uint64_t value = p->key + (uint64_t)loop * p->per_loop, end = ~value;
	char *addr = p->addr;
	switch (p->marks) {
	case BEFF_MARKS_BYTE:
		addr[0] = (char)value;
		break;
	case BEFF_MARKS_BYTES:
		addr[0] = (char)value;
		addr[p->length - 1] = (char)end;
		break;
	case BEFF_MARKS_WORDS:
		memcpy(addr, &value, 8);
		memcpy(addr + p->length - 8, &end, 8);
		break;
	case BEFF_MARKS_WIDE:
		if (p->width) stamp_wide(p, value);
	}
}

// compare returns 1 if a mark is wrong, that is if the bytes at `at` differ from `want`. It records the mark if there
// is room for another wrong mark.
static int compare(beff_program *prog, const beff_place *p, int64_t loop, int64_t chunk, int end, const char *at,
                   uint64_t want) {
	uint64_t found = 0, mask = p->width == 8 ? ~0ull : (1ull << 8 * p->width) - 1;
	memcpy(&found, at, p->width);
	if (found == (want & mask)) return 0;
	if (prog->nwrongs < BEFF_WRONGS)
		prog->wrongs[prog->nwrongs++] = (beff_wrong){(int)(p - prog->places), end, loop, chunk, 0, want & mask, found};
	return 1;
}

APART static void check_wide(beff_program *prog, const beff_place *p, int64_t loop, uint64_t value) {
	int64_t c = 0;
	for (int64_t at = 0; at < p->length; at += p->chunk, value += p->per_chunk, c++) {
		int wrong = compare(prog, p, loop, c, 0, p->addr + at, value);
		const char *last = p->addr + at + p->chunk - p->width;
		if (!wrong && p->chunk >= 2 * p->width) wrong = compare(prog, p, loop, c, 1, last, ~value);
		prog->wrong += wrong;
	}
}

static inline void check(beff_program *prog, const beff_place *p, int64_t loop) {
	uint64_t value = p->key + (uint64_t)loop * p->per_loop, first, last;
	const char *addr = p->addr;
	switch (p->marks) {
	case BEFF_MARKS_BYTE:
		if (addr[0] == (char)value) return;
		break;
	case BEFF_MARKS_BYTES:
		if (addr[0] == (char)value && addr[p->length - 1] == (char)~value) return;
		break;
	case BEFF_MARKS_WORDS:
		memcpy(&first, addr, 8);
		memcpy(&last, addr + p->length - 8, 8);
		if (first == value && last == ~value) return;
		break;
	case BEFF_MARKS_WIDE:
		if (p->width == 0) return;
	}
	check_wide(prog, p, loop, value);
}

// scribble writes the first byte of each line of a place.
static inline void scribble(const beff_place *p, char value) {
	for (int64_t at = 0; at < p->length; at += BEFF_LINE) p->addr[at] = value;
}

// skim reads the first byte of each line of a place. The asm makes the compiler assume that their sum is used.
static inline void skim(const beff_place *p) {
	unsigned sum = 0;
	for (int64_t at = 0; at < p->length; at += BEFF_LINE) sum += (unsigned char)p->addr[at];
	__asm__ volatile("" : : "r"(sum));
}

// settle records the first failure of the file calls. A status counts basic elements of the call's type (MPI 4.1,
// 5.1.11). Most calls move all of their data, for which the cheaper count of the call's type is enough.
static void settle(beff_program *p, const beff_call *c, int rc, MPI_Status *status) {
	const beff_place *f = c->recv;
	MPI_Count elements = 0;
	int types;
	if (rc == MPI_SUCCESS && errno == 0 && MPI_Get_count(status, f->type, &types) == MPI_SUCCESS && types == f->count)
		return;
	int lost = beff_lost();
	if (rc == MPI_SUCCESS) rc = MPI_Get_elements_x(status, f->type, &elements);
	int64_t moved = elements == MPI_UNDEFINED ? -1 : (int64_t)elements * f->unit;
	if ((rc == MPI_SUCCESS && moved == f->length && !lost) || p->failure) return;
	p->failure = c;
	p->failure_rc = rc;
	p->lost = lost;
	p->moved = moved;
	if (f->space->paths.text) p->stop = p->turn + 1;
}

// file_call makes a file call. A failure doesn't end the run, so that no other process waits for this one. Calls that
// an earlier failure makes impossible fail without a try: a call on a file that isn't open, and the second half of a
// split call whose first half has failed.
APART static void file_call(beff_program *p, const beff_call *c) {
	MPI_Status status;
	beff_file *f = &c->recv->space->file;
	int rc = MPI_ERR_FILE, ends = c->family == BEFF_FAMILY_SPLIT_END;
	errno = 0;
	int closed = f->handle == MPI_FILE_NULL && c->op != BEFF_FILE_OPEN && c->op != BEFF_FILE_DELETE;
	if (closed || (ends && !f->split)) {
		settle(p, c, rc, &status);
		return;
	}
	switch (c->family) {
	case BEFF_FAMILY_FILE_STATE:
	case BEFF_FAMILY_SPLIT_BEGIN:
		rc = beff_file_act(c);
		if (c->family == BEFF_FAMILY_SPLIT_BEGIN) f->split = rc == MPI_SUCCESS;
		if (rc != MPI_SUCCESS) settle(p, c, rc, &status);
		return;
	case BEFF_FAMILY_FILE_NONBLOCKING:
		rc = beff_file_start(c, p->requests + c->request);
		if (rc == MPI_SUCCESS) {
			p->moving[c->request] = c;
			p->nmoving++;
			return;
		}
		p->requests[c->request] = MPI_REQUEST_NULL;
		settle(p, c, rc, &status);
		return;
	default:
		settle(p, c, beff_file_move(c, &status), &status);
		if (ends) f->split = 0;
	}
}

// path_call makes a call on a path. After a failure the current loop is the last one, because the calls of the next
// loops would fail, too, and no other process waits for them.
APART static void path_call(beff_program *p, const beff_call *c) {
	int error = beff_path_call(c);
	if (error == 0) return;
	p->stop = p->turn + 1;
	if (p->failure) return;
	p->failure = c;
	p->failure_rc = MPI_ERR_IO;
	p->lost = error;
	p->moved = c->recv->at;
}

// moved settles the completed request of a file.
static void moved(beff_program *p, int request, int rc) {
	settle(p, p->moving[request], rc, p->statuses + request);
	p->moving[request] = NULL;
	p->nmoving--;
}

APART static int wait_one(beff_program *p, int request) {
	if (!p->moving[request]) return MPI_Wait(p->requests + request, MPI_STATUS_IGNORE);
	errno = 0;
	moved(p, request, MPI_Wait(p->requests + request, p->statuses + request));
	return MPI_SUCCESS;
}

// waitall gets the error of a failed request from its status, because MPI_Waitall returns it only there. After the
// failure of a file's request, it waits again for requests that are still pending (MPI 4.1, 3.7.5), whose data the
// library moves. The failure of a message ends the run.
APART static int waitall(beff_program *p) {
	for (;;) {
		errno = 0;
		int rc = MPI_Waitall(p->nrequests, p->requests, p->statuses), found = MPI_SUCCESS, pending = 0;
		if (rc == MPI_SUCCESS && p->nmoving == 0) return rc;
		if (rc != MPI_SUCCESS && rc != MPI_ERR_IN_STATUS) return rc;
		for (int i = 0; i < p->nrequests; i++) {
			int error = rc == MPI_SUCCESS ? MPI_SUCCESS : p->statuses[i].MPI_ERROR;
			if (error == MPI_ERR_PENDING) pending = 1;
			else if (p->moving[i]) moved(p, i, error);
			else if (found == MPI_SUCCESS) found = error;
		}
		if (!pending || found != MPI_SUCCESS) return found;
	}
}

APART static int test(beff_program *p, int request) {
	int done;
	return MPI_Test(p->requests + request, &done, MPI_STATUS_IGNORE);
}

APART static void compute(double seconds) {
	double end = beff_now() + seconds;
	while (beff_now() < end) {}
}

static void lap(beff_program *p, beff_lap *l, int64_t loop) {
	if (p->first < 0) return;
	double now = beff_now(), seconds = now - p->mark;
	p->mark = now;
	l->seconds += seconds;
	l->last = l->loop == loop ? l->last + seconds : seconds;
	l->loop = loop;
	if (l->each && loop - p->first < p->loops.timed) l->each[loop - p->first] += seconds;
	if (l->tally.counts) beff_count(&l->tally, (beff_slow){seconds, now - p->begin, loop - p->first});
}

// each records the time of the loop that ends now.
static void each(beff_program *p, int64_t loop) {
	double now = beff_now();
	if (loop - p->first < p->loops.timed) p->each[loop - p->first] = now - p->tick;
	p->tick = now;
}

APART void beff_advance(beff_program *p) {
	for (int i = 0; i < p->nadvancing; i++) {
		beff_place *e = p->advancing[i];
		int last = e->at > e->space->size - e->extent - e->advance;
		beff_put(e, last ? e->at % e->advance : e->at + e->advance);
	}
}

// now returns the time at the call c of a loop. If the previous call has just read the clock, it returns that reading,
// which saves 2 % of a short loop.
static double now(const beff_program *p, const beff_call *c) {
	enum beff_op before = c > p->calls + p->nbefore ? c[-1].op : BEFF_NOP;
	return before == BEFF_LAP ? p->mark : before == BEFF_EACH ? p->tick : beff_now();
}

// more reports whether another loop follows the timed loop `loop`, by the stop rule (mpi.Loops), at the call c.
APART static char more(const beff_program *p, const beff_call *c, int64_t loop) {
	const beff_loops *l = &p->loops;
	int64_t loops = loop - p->first + 1;
	double next = (double)(loops + 1);
	if (loops >= l->timed || p->failure || __atomic_load_n(&interrupted, __ATOMIC_RELAXED)) return 0;
	return l->budget == 0 || (now(p, c) - p->begin) * next / (double)loops + next * l->deferred <= l->budget;
}

// until returns the number of loops to run before the next decision, or 0 to stop (mpi.Loops.Until).
APART static int64_t until(const beff_program *p, const beff_call *c, int64_t loop) {
	const beff_loops *l = &p->loops;
	int64_t loops = loop - p->first + 1, left = l->timed - loops;
	double n = (double)loops, elapsed = now(p, c) - p->begin;
	if (!more(p, c, loop)) return 0;
	if (elapsed > 0) {
		double rest = l->budget / (elapsed / (double)loops + l->deferred) - (double)loops;
		if (l->decide_every / elapsed < 1) n *= l->decide_every / elapsed;
		if (l->budget > 0 && rest < n) n = rest;
	}
	if (n < 1) n = 1;
	return (int64_t)n < left ? (int64_t)n : left;
}

// block records the time at the end of a block of loops. If there is no room for another block, each two become one.
APART static void block(beff_program *p, const beff_call *c) {
	p->ends[p->nends++] = now(p, c) - p->begin;
	if (p->nends == BEFF_BLOCKS) {
		p->nends /= 2;
		p->per *= 2;
		for (int i = 0; i < p->nends; i++) p->ends[i] = p->ends[2 * i + 1];
	}
	p->due += p->per;
}

// decide broadcasts the root's decision: the number of loops to run before it decides again. Untimed loops ignore the
// decision.
APART static int decide(beff_program *p, const beff_call *c, int64_t loop) {
	int timed = p->first >= 0;
	if (timed && loop < p->decision) return MPI_SUCCESS;
	int64_t next = timed && p->comm->rank == c->root ? until(p, c, loop) : 0;
	int rc = MPI_Bcast(&next, sizeof next, MPI_BYTE, c->root, p->comm->comm);
	if (timed && next == 0) p->stop = loop + 1;
	p->decision = loop + next;
	return rc;
}

// hear enters the first barrier of the signal and, when that is done, the second one. It sets h->heard when the second
// one is done.
static int hear(beff_program *p) {
	beff_signal_state *h = p->signal_state;
	int rc = MPI_SUCCESS, done = 1;
	while (h->signals < 3) {
		if (h->signals > 0) rc = MPI_Test(&h->signal, &done, MPI_STATUS_IGNORE);
		if (rc != MPI_SUCCESS || !done) return rc;
		if (++h->signals < 3) rc = MPI_Ibarrier(p->signal, &h->signal);
		if (rc != MPI_SUCCESS) return rc;
	}
	h->heard = 1;
	return rc;
}

// stop_on_signal ends the loops after all processes of the communicator know that they may end (mpi.StopOnSignal).
// Every `times` loops it starts a reduction of what the processes have heard, and waits for the previous one. So no
// process waits long, and none is more than `times` loops ahead of another.
APART static int stop_on_signal(beff_program *p, const beff_call *c, int64_t loop) {
	beff_signal_state *h = p->signal_state;
	int rc = MPI_SUCCESS;
	if (p->first < 0 || (loop + 1 - p->first) % c->extra->times) return rc;
	if (h->under_way) rc = MPI_Wait(&h->news, MPI_STATUS_IGNORE); // until then it reads h->heard
	if (rc == MPI_SUCCESS && p->signal != MPI_COMM_NULL) rc = hear(p);
	if (c->seconds > 0 && p->comm->rank == 0 && beff_now() - p->begin >= c->seconds) h->heard = 1;
	if (rc != MPI_SUCCESS) return rc;
	if (h->told) {
		p->stop = loop + 1;
		return rc;
	}
	h->under_way = 1;
	return MPI_Iallreduce(&h->heard, &h->told, 1, MPI_INT, MPI_MAX, p->comm->comm, &h->news);
}

int beff_calls(beff_program *p, const beff_call *begin, const beff_call *end, int64_t first, int64_t n) {
	MPI_Comm comm = p->comm ? p->comm->comm : MPI_COMM_NULL;
	p->stop = n < INT64_MAX - first ? first + n : INT64_MAX;
	p->past = end - 1;
	for (int64_t loop = first; loop < p->stop; loop++) {
		p->turn = loop;
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
				p->past = c;
				continue;
			case BEFF_LAP:
				lap(p, p->laps + c->root, loop);
				continue;
			case BEFF_SEND:
				rc = MPI_Send(s->addr, s->count, s->type, s->peer, c->tag, comm);
				break;
			case BEFF_SSEND:
				rc = MPI_Ssend(s->addr, s->count, s->type, s->peer, c->tag, comm);
				break;
			case BEFF_RSEND:
				rc = MPI_Rsend(s->addr, s->count, s->type, s->peer, c->tag, comm);
				break;
			case BEFF_RECV:
				rc = MPI_Recv(r->addr, r->count, r->type, r->peer, c->tag, comm, MPI_STATUS_IGNORE);
				break;
			case BEFF_SENDRECV:
				rc = MPI_Sendrecv(s->addr, s->count, s->type, s->peer, c->tag,
				                  r->addr, r->count, r->type, r->peer, c->tag, comm, MPI_STATUS_IGNORE);
				break;
			case BEFF_ISEND:
				rc = MPI_Isend(s->addr, s->count, s->type, s->peer, c->tag, comm, p->requests + c->request);
				break;
			case BEFF_IRECV:
				rc = MPI_Irecv(r->addr, r->count, r->type, r->peer, c->tag, comm, p->requests + c->request);
				break;
			case BEFF_WAIT:
				rc = wait_one(p, c->request);
				break;
			case BEFF_START:
				rc = c->starts == 1 ? MPI_Start(p->requests + c->request)
				                    : MPI_Startall(c->starts, p->requests + c->request);
				break;
			case BEFF_TEST:
				rc = test(p, c->request);
				break;
			case BEFF_WAITALL:
				rc = waitall(p);
				break;
			case BEFF_BARRIER:
				rc = MPI_Barrier(comm);
				break;
			case BEFF_DECIDE:
				rc = decide(p, c, loop);
				break;
			case BEFF_STOPONSIGNAL:
				rc = stop_on_signal(p, c, loop);
				break;
			case BEFF_EACH:
				each(p, loop);
				continue;
			case BEFF_RULE:
				if (!more(p, c, loop)) p->stop = loop + 1;
				continue;
			case BEFF_BLOCK:
				if (loop == p->due) block(p, c);
				continue;
			case BEFF_ADVANCE:
				if (loop + 1 < p->stop) beff_advance(p);
				continue;
			case BEFF_EXPLOIT:
				beff_exploit(c->extra->times);
				p->past = c;
				continue;
			case BEFF_SCRIBBLE:
				for (beff_place *e = s + c->nsend; s < e; s++) scribble(s, (char)c->tag);
				continue;
			case BEFF_SKIM:
				for (beff_place *e = r + c->nrecv; r < e; r++) skim(r);
				continue;
			case BEFF_THREADBARRIER:
				if (p->team) beff_meet(p->team);
				p->past = c;
				continue;
			case BEFF_NOTIFY:
				rc = beff_notify(s->peer, r->peer, c->tag, comm);
				break;
			case BEFF_SENDRECV_REPLACE:
				rc = MPI_Sendrecv_replace(s->addr, s->count, s->type, s->peer, c->tag, r->peer, c->tag, comm,
				                          MPI_STATUS_IGNORE);
				break;
			case BEFF_COMPARE:
				beff_compare(p, s, r, loop);
				continue;
			case BEFF_COPY:
				memmove(r->addr, s->addr, s->length);
				continue;
			case BEFF_REDUCE_LOCAL:
				rc = MPI_Reduce_local(s->addr, r->addr, c->extra->send.count, c->extra->send.type, c->extra->reduce);
				break;
			default:
				switch (c->family) {
				case BEFF_FAMILY_COLLECTIVE:
				case BEFF_FAMILY_NONBLOCKING_COLLECTIVE:
					rc = beff_collective(p, c);
					break;
				case BEFF_FAMILY_POINT_TO_POINT:
					rc = beff_large_message(c, comm);
					break;
				case BEFF_FAMILY_COMPLETION:
					rc = beff_request(p, c);
					break;
				case BEFF_FAMILY_PARTITION:
					rc = beff_part(c, p->leader->requests + c->request);
					break;
				case BEFF_FAMILY_ONE_SIDED:
				case BEFF_FAMILY_WINDOW_STATE:
					rc = beff_one_sided(p, c);
					break;
				case BEFF_FAMILY_PATH:
					path_call(p, c);
					p->past = c;
					continue;
				default:
					file_call(p, c);
					p->past = c;
					continue;
				}
			}
			p->past = c;
			if (rc != MPI_SUCCESS) {
				p->failed = (int)(c - p->calls);
				return rc;
			}
		}
	}
	return MPI_SUCCESS;
}
