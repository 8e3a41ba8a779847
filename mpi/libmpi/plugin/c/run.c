// Runs of a program: the work before, between and after its passes.
#include "calls.h"

#include <stdlib.h>
#include <string.h>

// shape returns the shape of a place's marks. Messages of one chunk may be so short that the time for their marks
// matters.
static enum beff_marks shape(const beff_place *p) {
	if (p->chunk != p->length) return BEFF_MARKS_WIDE;
	if (p->width == 1) return p->length == 1 ? BEFF_MARKS_BYTE : BEFF_MARKS_BYTES;
	return p->width == 8 && p->length >= 16 ? BEFF_MARKS_WORDS : BEFF_MARKS_WIDE;
}

// run_pass makes the calls before the loops, `n` loops, and the calls after the loops, which belong to the last one.
// `added` calls follow each loop's own calls (add_calls).
static int run_pass(beff_program *p, int64_t n, int added) {
	const beff_call *loop = p->calls + p->nbefore, *after = loop + p->nloop + beff_after_loop;
	int rc = MPI_SUCCESS;
	if (p->loop > 0) beff_advance(p);
	if (p->nbefore) {
		rc = beff_calls(p, p->calls, loop, p->loop, 1);
		if (p->loops.each) p->loop_end = beff_now();
	}
	if (rc == MPI_SUCCESS) rc = beff_calls(p, loop, loop + p->nloop + added, p->loop, n);
	if (rc != MPI_SUCCESS) return rc;
	p->loop = p->stop;
	return p->nafter ? beff_calls(p, after, after + p->nafter, p->loop - 1, 1) : MPI_SUCCESS;
}

// add_calls adds the calls that a pass needs after a loop's own calls, and returns their number.
static int add_calls(beff_program *p, int timed) {
	beff_call *at = p->calls + p->nbefore + p->nloop;
	int n = 0;
	if (timed && p->loops.each) at[n++].op = BEFF_EACH;
	if (timed && p->loops.budget > 0 && !p->decides) at[n++].op = BEFF_RULE;
	if (timed && p->loops.blocks) at[n++].op = BEFF_BLOCK;
	if (p->nadvancing) at[n++].op = BEFF_ADVANCE;
	return n;
}

// run_timed runs the timed pass. If each loop's time is kept, the pass's time is their sum and the time of the calls
// before and after the loops.
static int run_timed(beff_program *p) {
	int added = add_calls(p, 1);
	p->first = p->next_block_loop = p->decision = p->loop;
	p->loops_per_block = 1;
	p->nblocks = 0;
	p->begin = p->lap_end = p->loop_end = beff_now();
	int rc = run_pass(p, p->loops.timed, added);
	p->seconds = (p->loops.each && !p->nafter ? p->loop_end : beff_now()) - p->begin;
	return rc;
}

// clear_laps clears the times of laps and loops. So their pages are in memory before the timed pass.
static void clear_laps(beff_program *p) {
	size_t row = p->loops.timed;
	for (int i = 0; i < p->nlaps; i++) {
		int64_t *counts = p->laps[i].tally.counts;
		p->laps[i] = (beff_lap){.tally.counts = counts};
		if (counts) memset(counts, 0, BEFF_BUCKETS * sizeof *counts);
	}
	if (!p->loops.each) return;
	memset(p->each, 0, (1 + p->nlaps) * row * sizeof *p->each);
	for (int i = 0; i < p->nlaps; i++) p->laps[i].each = p->each + (1 + i) * row;
}

// reopen opens or closes the files that the program itself opens or closes. Before a run it brings them into the state
// that the first of these calls needs. After a run it opens them.
static int reopen(beff_program *p, int before) {
	for (int i = 0; i < p->nreopens; i++) {
		const beff_call *c = p->reopens[i];
		beff_file *f = &c->recv->space->file;
		int open = f->handle != MPI_FILE_NULL, must_open = !before || c->op == BEFF_FILE_CLOSE;
		int rc = open == must_open ? MPI_SUCCESS : must_open ? beff_file_open(f) : beff_file_close(f);
		if (rc != MPI_SUCCESS && !p->io_failure) {
			p->failed = (int)(c - p->calls);
			return rc;
		}
	}
	return MPI_SUCCESS;
}

// wait_idle waits until this thread has had the core to itself for 100 µs, but at most for 1 ms. A call into C wakes
// threads of the Go runtime, which look for work and take the core: two gaps of more than 2 µs on average, in the first
// 500 µs. Without it, loops of 1000 messages of 1 byte took 5 to 40 % longer than in a C program.
static void wait_idle(void) {
	const double quiet = 100e-6, limit = 1e-3, gap = 2e-6;
	double begin = beff_now(), since = begin, last = begin, now;
	for (; last - since < quiet && last - begin < limit; last = now) {
		now = beff_now();
		if (now - last > gap) since = now;
	}
}

int beff_prepare(beff_program *p) {
	size_t n = p->nrequests > 0 ? p->nrequests : 1;
	p->requests = malloc(n * sizeof *p->requests);
	p->statuses = calloc(n, sizeof *p->statuses);
	p->file_calls = calloc(n, sizeof *p->file_calls);
	p->signal_state = calloc(1, sizeof *p->signal_state);
	if (!p->requests || !p->statuses || !p->file_calls || !p->signal_state) return MPI_ERR_NO_MEM;
	p->leader = p;
	for (size_t i = 0; i < n; i++) p->requests[i] = MPI_REQUEST_NULL;
	for (int i = 0; i < p->nplaces; i++) p->places[i].marks = shape(p->places + i);
	for (int i = 0; i < p->nbefore + p->nloop + beff_after_loop + p->nafter; i++)
		if (p->calls[i].op == BEFF_EXPLOIT) beff_exploit_prepare();
	beff_persist(p);
	return MPI_SUCCESS;
}

void beff_release(beff_program *p) {
	beff_unready(p);
	free(p->requests);
	free(p->statuses);
	free(p->file_calls);
	free(p->signal_state);
}

// start_barrier is the barrier before a run, of the processes and all of their threads.
static int start_barrier(const beff_program *p) {
	int rc = MPI_SUCCESS;
	if (p->start == MPI_COMM_NULL) return rc;
	if (p->team) beff_team_barrier(p->team);
	if (p->thread == 0) rc = MPI_Barrier(p->start);
	if (p->team) beff_team_barrier(p->team);
	return rc;
}

int beff_run(beff_program *p) {
	p->first = p->failed = -1;
	p->nwrongs = 0;
	p->wrong = 0;
	p->io_failure = NULL;
	p->seconds = 0;
	p->last_call = NULL;
	p->current_loop = p->loop;
	memset(p->signal_state, 0, sizeof *p->signal_state);
	clear_laps(p);
	if (p->wait_idle) wait_idle();
	p->rc = beff_ready(p);
	if (p->rc == MPI_SUCCESS) p->rc = beff_windows_enter(p);
	if (p->rc == MPI_SUCCESS) p->rc = reopen(p, 1);
	if (p->rc == MPI_SUCCESS) p->rc = start_barrier(p);
	if (p->rc == MPI_SUCCESS && p->loops.untimed > 0) p->rc = run_pass(p, p->loops.untimed, add_calls(p, 0));
	if (p->rc == MPI_SUCCESS) p->rc = run_timed(p);
	if (p->rc == MPI_SUCCESS) p->rc = reopen(p, 0);
	return p->rc;
}
