#include "calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// NOINLINE keeps a function out of beff_calls, so that the variables of beff_calls stay in registers. A loop with a
// message each way then takes 54 instructions instead of 77, and with walking places and marks 194 instead of 230
// (counted by callgrind with stubs for MPI).
#define NOINLINE __attribute__((noinline))

static int interrupted;

void beff_interrupt(void) { __atomic_store_n(&interrupted, 1, __ATOMIC_RELAXED); }

// walk moves a place that walks (mpi.Walk) to its space's next position, or to 0 if the place would reach beyond the
// end.
static inline void walk(beff_place *p) {
	beff_space *s = p->space;
	int64_t at = s->walk;
	if (p->step == 0) return;
	if (at > s->size - p->length) at = 0;
	s->walk = at + p->step;
	beff_put(p, at);
}

// stamp_wide writes the marks of all chunks of a place, at both ends of each chunk that has room for two.
NOINLINE static void stamp_wide(const beff_place *p, uint64_t value) {
	for (int64_t at = 0; at < p->length; at += p->chunk, value += p->per_chunk) {
		uint64_t end = ~value;
		memcpy(p->addr + at, &value, p->width);
		if (p->chunk >= 2 * p->width) memcpy(p->addr + at + p->chunk - p->width, &end, p->width);
	}
}

// stamp writes the marks of a place for a loop.
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

// beff_check_mark returns 1 if a mark is wrong, that is if the bytes at `at` differ from `want`, and otherwise 0. `end`
// is 0 for the mark at the beginning of a chunk and 1 for the mark at its end. A wrong mark is recorded if there is
// room for it.
int beff_check_mark(beff_program *prog, const beff_place *p, int64_t loop, int64_t chunk, int end, const char *at,
                    uint64_t want) {
	uint64_t found = 0, mask = p->width == 8 ? ~0ull : (1ull << 8 * p->width) - 1;
	memcpy(&found, at, p->width);
	if (found == (want & mask)) return 0;
	if (prog->nwrongs < BEFF_WRONGS)
		prog->wrongs[prog->nwrongs++] = (beff_wrong){(int)(p - prog->places), end, loop, chunk, 0, want & mask, found};
	return 1;
}

// check_wide counts the chunks of a place that have a wrong mark.
NOINLINE static void check_wide(beff_program *prog, const beff_place *p, int64_t loop, uint64_t value) {
	int64_t c = 0;
	for (int64_t at = 0; at < p->length; at += p->chunk, value += p->per_chunk, c++) {
		int wrong = beff_check_mark(prog, p, loop, c, 0, p->addr + at, value);
		const char *last = p->addr + at + p->chunk - p->width;
		if (!wrong && p->chunk >= 2 * p->width) wrong = beff_check_mark(prog, p, loop, c, 1, last, ~value);
		prog->wrong += wrong;
	}
}

// check_marks counts the chunks of a place that don't have the marks of the loop. It compares the usual shapes of marks
// directly, and calls check_wide for the other shapes and to record wrong marks.
static inline void check_marks(beff_program *prog, const beff_place *p, int64_t loop) {
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

// touch_send writes the first byte of each line of a place. The compiler must assume that these bytes may be in the
// place itself, and would read its fields again for each line.
static inline void touch_send(const beff_place *p, char value) {
	char *addr = p->addr;
	int64_t length = p->length;
	for (int64_t at = 0; at < length; at += BEFF_LINE) addr[at] = value;
}

// touch_recv reads the first byte of each line of a place. The asm makes the compiler assume that their sum is used.
static inline void touch_recv(const beff_place *p) {
	unsigned sum = 0;
	for (int64_t at = 0; at < p->length; at += BEFF_LINE) sum += (unsigned char)p->addr[at];
	__asm__ volatile("" : : "r"(sum));
}

// check_file_call checks the outcome of a file call: its return code, and its status unless rc is an error. It records
// the first failure of a run. A status counts basic elements of the call's type (MPI 4.1, 5.1.11). Most calls move all
// of their data, for which the cheaper count of the call's type is enough.
static void check_file_call(beff_program *p, const beff_call *c, int rc, MPI_Status *status) {
	const beff_place *f = c->recv;
	MPI_Count elements = 0;
	int types;
	if (rc == MPI_SUCCESS && errno == 0 && MPI_Get_count(status, f->type, &types) == MPI_SUCCESS && types == f->count)
		return;
	int lost = beff_lost();
	if (rc == MPI_SUCCESS) rc = MPI_Get_elements_x(status, f->type, &elements);
	int64_t moved = elements == MPI_UNDEFINED ? -1 : (int64_t)elements * f->unit;
	if ((rc == MPI_SUCCESS && moved == f->length && !lost) || p->io_failure) return;
	p->io_failure = c;
	p->io_rc = rc;
	p->lost = lost;
	p->moved = moved;
	if (f->space->paths.text) p->stop = p->current_loop + 1;
}

// file_call makes a file call. A failure doesn't end the run, so that no other process waits for this one. Calls that
// an earlier failure makes impossible fail without a try: a call on a file that isn't open, and the second half of a
// split call whose first half has failed.
NOINLINE static void file_call(beff_program *p, const beff_call *c) {
	MPI_Status status;
	beff_file *f = &c->recv->space->file;
	int rc, ends = c->family == BEFF_FAMILY_SPLIT_END;
	errno = 0;
	int closed = f->handle == MPI_FILE_NULL && c->op != BEFF_FILE_OPEN && c->op != BEFF_FILE_DELETE;
	if (closed || (ends && !f->split)) {
		check_file_call(p, c, MPI_ERR_FILE, &status);
		return;
	}
	switch (c->family) {
	case BEFF_FAMILY_FILE_STATE:
	case BEFF_FAMILY_SPLIT_BEGIN:
		rc = beff_file_act(c);
		if (c->family == BEFF_FAMILY_SPLIT_BEGIN) f->split = rc == MPI_SUCCESS;
		if (rc != MPI_SUCCESS) check_file_call(p, c, rc, &status);
		return;
	case BEFF_FAMILY_FILE_NONBLOCKING:
		rc = beff_file_start(c, p->requests + c->request);
		if (rc == MPI_SUCCESS) {
			p->file_calls[c->request] = c;
			p->nfile_calls++;
			return;
		}
		p->requests[c->request] = MPI_REQUEST_NULL;
		check_file_call(p, c, rc, &status);
		return;
	default:
		check_file_call(p, c, beff_file_move(c, &status), &status);
		if (ends) f->split = 0;
	}
}

// path_call makes a call on a path. After a failure the current loop is the last one, because the calls of the next
// loops would fail, too, and no other process waits for them.
NOINLINE static void path_call(beff_program *p, const beff_call *c) {
	int error = beff_path_call(c);
	if (error == 0) return;
	p->stop = p->current_loop + 1;
	if (p->io_failure) return;
	p->io_failure = c;
	p->io_rc = MPI_ERR_IO;
	p->lost = error;
	p->moved = c->recv->at;
}

// complete_file_request checks the outcome of a request on a file, which has completed.
static void complete_file_request(beff_program *p, int request, int rc) {
	check_file_call(p, p->file_calls[request], rc, p->statuses + request);
	p->file_calls[request] = NULL;
	p->nfile_calls--;
}

// wait_one waits for a request. A failed file call doesn't end the run.
NOINLINE static int wait_one(beff_program *p, int request) {
	if (!p->file_calls[request]) return MPI_Wait(p->requests + request, MPI_STATUS_IGNORE);
	errno = 0;
	complete_file_request(p, request, MPI_Wait(p->requests + request, p->statuses + request));
	return MPI_SUCCESS;
}

// waitall gets the error of a failed request from its status, because MPI_Waitall returns it only there. After the
// failure of a file's request, it waits again for requests that are still pending (MPI 4.1, 3.7.5), whose data the
// library moves. The failure of a message ends the run.
NOINLINE static int waitall(beff_program *p) {
	for (;;) {
		errno = 0;
		int rc = MPI_Waitall(p->nrequests, p->requests, p->statuses), found = MPI_SUCCESS, pending = 0;
		if (rc == MPI_SUCCESS && p->nfile_calls == 0) return rc;
		if (rc != MPI_SUCCESS && rc != MPI_ERR_IN_STATUS) return rc;
		for (int i = 0; i < p->nrequests; i++) {
			int error = rc == MPI_SUCCESS ? MPI_SUCCESS : p->statuses[i].MPI_ERROR;
			if (error == MPI_ERR_PENDING) pending = 1;
			else if (p->file_calls[i]) complete_file_request(p, i, error);
			else if (found == MPI_SUCCESS) found = error;
		}
		if (!pending || found != MPI_SUCCESS) return found;
	}
}

// test_request lets the library make progress. A request that is complete becomes MPI_REQUEST_NULL, for which a later
// wait does nothing (MPI 4.1, 3.7.3).
NOINLINE static int test_request(beff_program *p, int request) {
	int done;
	return MPI_Test(p->requests + request, &done, MPI_STATUS_IGNORE);
}

// sendrecv_each exchanges a message with each other process in turn (mpi.Partners).
NOINLINE static int sendrecv_each(const beff_program *p, const beff_call *c) {
	const beff_place *s = c->send, *r = c->recv;
	int rank = p->comm->rank, n = p->comm->size, rc = MPI_SUCCESS;
	for (int i = 1; i < n && rc == MPI_SUCCESS; i++) {
		int to = n & (n - 1) ? (int)(((int64_t)rank + i) % n) : rank ^ i;
		int from = n & (n - 1) ? (int)(((int64_t)rank + n - i) % n) : to;
		rc = MPI_Sendrecv(s->addr, s->count, s->type, to, c->tag,
		                  r->addr, r->count, r->type, from, c->tag, p->comm->comm, MPI_STATUS_IGNORE);
	}
	return rc;
}

// recv_each receives a message from each other process, and completes all requests.
NOINLINE static int recv_each(beff_program *p, const beff_call *c) {
	const beff_place *r = c->recv;
	MPI_Request *request = p->requests + c->request;
	int rc = MPI_SUCCESS;
	for (int from = 0; from < p->comm->size && rc == MPI_SUCCESS; from++) {
		if (from == p->comm->rank) continue;
		rc = MPI_Irecv(r->addr + from * r->length, r->count, r->type, from, c->tag, p->comm->comm, request++);
	}
	return rc == MPI_SUCCESS ? waitall(p) : rc;
}

// compute keeps the core busy for some seconds.
NOINLINE static void compute(double seconds) {
	double end = beff_now() + seconds;
	while (beff_now() < end) {}
}

// record_lap adds the time since the last clock reading to a lap.
static void record_lap(beff_program *p, beff_lap *l, int64_t loop) {
	if (p->first < 0) return;
	double now = beff_now(), seconds = now - p->lap_end;
	p->lap_end = now;
	l->seconds += seconds;
	l->last = l->loop == loop ? l->last + seconds : seconds;
	l->loop = loop;
	if (l->each && loop - p->first < p->loops.timed) l->each[loop - p->first] += seconds;
	if (l->tally.counts) beff_count(&l->tally, (beff_slow){seconds, now - p->begin, loop - p->first});
}

// record_loop records the time of the loop that ends now.
static void record_loop(beff_program *p, int64_t loop) {
	double now = beff_now();
	if (loop - p->first < p->loops.timed) p->each[loop - p->first] = now - p->loop_end;
	p->loop_end = now;
}

NOINLINE void beff_advance(beff_program *p) {
	for (int i = 0; i < p->nadvancing; i++) {
		beff_place *e = p->advancing[i];
		int last = e->at > e->space->size - e->extent - e->advance;
		beff_put(e, last ? e->at % e->advance : e->at + e->advance);
	}
}

// time_at returns the time at the call c of a loop. If the previous call has just read the clock, it returns that
// reading, which saves 2 % of a short loop.
static double time_at(const beff_program *p, const beff_call *c) {
	enum beff_op before = c > p->calls + p->nbefore ? c[-1].op : BEFF_NOP;
	return before == BEFF_LAP ? p->lap_end : before == BEFF_EACH ? p->loop_end : beff_now();
}

// another_loop reports whether the stop rule (mpi.Loops) allows another loop after the timed loop `loop`. c is the call
// that asks.
NOINLINE static char another_loop(const beff_program *p, const beff_call *c, int64_t loop) {
	const beff_loops *l = &p->loops;
	int64_t loops = loop - p->first + 1;
	double next = (double)(loops + 1);
	if (loops >= l->timed || p->io_failure || __atomic_load_n(&interrupted, __ATOMIC_RELAXED)) return 0;
	return l->budget == 0 || (time_at(p, c) - p->begin) * next / (double)loops + next * l->deferred <= l->budget;
}

// loops_until_decision returns the number of loops to run before the next decision, or 0 to stop (mpi.Loops.Until).
NOINLINE static int64_t loops_until_decision(const beff_program *p, const beff_call *c, int64_t loop) {
	const beff_loops *l = &p->loops;
	int64_t loops = loop - p->first + 1, left = l->timed - loops;
	double n = (double)loops, elapsed = time_at(p, c) - p->begin;
	if (!another_loop(p, c, loop)) return 0;
	if (elapsed > 0) {
		double rest = l->budget / (elapsed / (double)loops + l->deferred) - (double)loops;
		if (l->decide_every / elapsed < 1) n *= l->decide_every / elapsed;
		if (l->budget > 0 && rest < n) n = rest;
	}
	if (n < 1) n = 1;
	return (int64_t)n < left ? (int64_t)n : left;
}

// record_block records the time at the end of a block of loops. When there is no room for another block, it merges each
// two neighbouring blocks into one.
NOINLINE static void record_block(beff_program *p, const beff_call *c) {
	p->block_ends[p->nblocks++] = time_at(p, c) - p->begin;
	if (p->nblocks == BEFF_BLOCKS) {
		p->nblocks /= 2;
		p->loops_per_block *= 2;
		for (int i = 0; i < p->nblocks; i++) p->block_ends[i] = p->block_ends[2 * i + 1];
	}
	p->next_block_loop += p->loops_per_block;
}

// decide broadcasts the root's decision: the number of loops to run before it decides again. Untimed loops ignore the
// decision.
NOINLINE static int decide(beff_program *p, const beff_call *c, int64_t loop) {
	int timed = p->first >= 0;
	if (timed && loop < p->decision) return MPI_SUCCESS;
	int64_t next = timed && p->comm->rank == c->root ? loops_until_decision(p, c, loop) : 0;
	int rc = MPI_Bcast(&next, sizeof next, MPI_BYTE, c->root, p->comm->comm);
	if (timed && next == 0) p->stop = loop + 1;
	p->decision = loop + next;
	return rc;
}

// enter_signal_barriers enters the first barrier of the signal and, when that is complete, the second one. It sets
// h->may_stop when the second one is complete. It doesn't wait.
static int enter_signal_barriers(beff_program *p) {
	beff_signal_state *h = p->signal_state;
	int rc = MPI_SUCCESS, done = 1;
	while (h->barriers < 3) {
		if (h->barriers > 0) rc = MPI_Test(&h->barrier, &done, MPI_STATUS_IGNORE);
		if (rc != MPI_SUCCESS || !done) return rc;
		if (++h->barriers < 3) rc = MPI_Ibarrier(p->signal, &h->barrier);
		if (rc != MPI_SUCCESS) return rc;
	}
	h->may_stop = 1;
	return rc;
}

// stop_on_signal ends the loops after all processes of the communicator know that they may end (mpi.StopOnSignal).
// Every `times` loops it waits for the reduction of the processes' may_stop that it started before, and starts the next
// one. So no process waits long, and none is more than `times` loops ahead of another.
NOINLINE static int stop_on_signal(beff_program *p, const beff_call *c, int64_t loop) {
	beff_signal_state *h = p->signal_state;
	int rc = MPI_SUCCESS;
	if (p->first < 0 || (loop + 1 - p->first) % c->extra->times) return rc;
	if (h->reducing) rc = MPI_Wait(&h->reduction, MPI_STATUS_IGNORE); // until then it reads h->may_stop
	if (rc == MPI_SUCCESS && p->signal != MPI_COMM_NULL) rc = enter_signal_barriers(p);
	if (c->seconds > 0 && p->comm->rank == 0 && beff_now() - p->begin >= c->seconds) h->may_stop = 1;
	if (rc != MPI_SUCCESS) return rc;
	if (h->all_may_stop) {
		p->stop = loop + 1;
		return rc;
	}
	h->reducing = 1;
	return MPI_Iallreduce(&h->may_stop, &h->all_may_stop, 1, MPI_INT, MPI_MAX, p->comm->comm, &h->reduction);
}

int beff_calls(beff_program *p, const beff_call *begin, const beff_call *end, int64_t first, int64_t n) {
	MPI_Comm comm = p->comm ? p->comm->comm : MPI_COMM_NULL;
	p->stop = n < INT64_MAX - first ? first + n : INT64_MAX;
	p->last_call = end - 1;
	for (int64_t loop = first; loop < p->stop; loop++) {
		p->current_loop = loop;
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
				for (beff_place *e = r + c->nrecv; r < e; r++) check_marks(p, r, loop);
				continue;
			case BEFF_COMPUTE:
				compute(c->seconds);
				p->last_call = c;
				continue;
			case BEFF_LAP:
				record_lap(p, p->laps + c->root, loop);
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
			case BEFF_SENDRECVEACH:
				rc = sendrecv_each(p, c);
				break;
			case BEFF_RECVEACH:
				rc = recv_each(p, c);
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
				rc = test_request(p, c->request);
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
				record_loop(p, loop);
				continue;
			case BEFF_RULE:
				if (!another_loop(p, c, loop)) p->stop = loop + 1;
				continue;
			case BEFF_BLOCK:
				if (loop == p->next_block_loop) record_block(p, c);
				continue;
			case BEFF_ADVANCE:
				if (loop + 1 < p->stop) beff_advance(p);
				continue;
			case BEFF_EXPLOIT:
				beff_exploit(c->extra->times);
				p->last_call = c;
				continue;
			case BEFF_TOUCHSEND:
				for (beff_place *e = s + c->nsend; s < e; s++) touch_send(s, (char)c->tag);
				continue;
			case BEFF_TOUCHRECV:
				for (beff_place *e = r + c->nrecv; r < e; r++) touch_recv(r);
				continue;
			case BEFF_THREADBARRIER:
				if (p->team) beff_team_barrier(p->team);
				p->last_call = c;
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
					p->last_call = c;
					continue;
				default:
					file_call(p, c);
					p->last_call = c;
					continue;
				}
			}
			p->last_call = c;
			if (rc != MPI_SUCCESS) {
				p->failed = (int)(c - p->calls);
				return rc;
			}
		}
	}
	return MPI_SUCCESS;
}
