// Teams: the threads of a process, each of which runs a program. The workers are created when a team is opened, and
// wait for each other in the same barrier that programs use. Only that barrier synchronizes threads in a program's
// loops.
#define _GNU_SOURCE
#include "calls.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// The C library's functions for threads. The Go side looks them up, because their symbols have new versions in glibc
// 2.34.
static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static int (*join)(pthread_t, void **);

void beff_threads(void *creates, void *joins) {
	memcpy(&create, &creates, sizeof create);
	memcpy(&join, &joins, sizeof join);
}

enum {
	line = 128,         // most bytes that processors fetch together
	words = 1 << 7,     // of a set of processors
	bits = 8 * sizeof(unsigned long),
	patience = 300000,  // polls of a waiting thread before it sleeps, if it has its own processor
	haste = 1000,       // polls otherwise, as in libgomp
};

typedef unsigned long processors[words];

struct beff_crew {
	int arrived __attribute__((aligned(line))); // threads in the current barrier
	int round __attribute__((aligned(line)));   // barriers so far
	int asleep;
	int spins, stop;
	pthread_t *workers; // of all threads but thread 0
	processors before;  // the processors that thread 0 could run on
	int bound;
};

static void relax(void) {
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield" ::: "memory");
#endif
}

static long futex(int *at, int operation, int value) {
	return syscall(SYS_futex, at, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

// beff_team_barrier is a barrier of a team's threads. The last thread to arrive begins a new round and wakes sleeping
// threads. Another thread increases `asleep` before it checks the round again, and the last one checks `asleep` after
// the new round, so at least one of them notices the other.
void beff_team_barrier(beff_team *t) {
	struct beff_crew *c = t->crew;
	int round = __atomic_load_n(&c->round, __ATOMIC_ACQUIRE);
	if (__atomic_add_fetch(&c->arrived, 1, __ATOMIC_ACQ_REL) == t->threads) {
		__atomic_store_n(&c->arrived, 0, __ATOMIC_RELAXED);
		__atomic_add_fetch(&c->round, 1, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&c->asleep, __ATOMIC_SEQ_CST)) futex(&c->round, FUTEX_WAKE, t->threads);
		return;
	}
	for (int i = 0; i < c->spins; i++) {
		if (__atomic_load_n(&c->round, __ATOMIC_ACQUIRE) != round) return;
		relax();
	}
	__atomic_add_fetch(&c->asleep, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&c->round, __ATOMIC_SEQ_CST) == round) futex(&c->round, FUTEX_WAIT, round);
	__atomic_sub_fetch(&c->asleep, 1, __ATOMIC_SEQ_CST);
}

// bind restricts this thread to one processor.
static void bind(int processor) {
	processors on = {0};
	if (processor < 0 || processor >= words * (int)bits) return;
	on[processor / bits] = 1ul << processor % bits;
	syscall(SYS_sched_setaffinity, 0, sizeof on, on);
}

// fail reports an error and ends the job, because threads of this and other processes may wait for this thread, so the
// error would never be returned.
static void fail(int thread, int rc) {
	char text[beff_text], out[beff_text + 256];
	int length;
	MPI_Error_string(rc, text, &length);
	length = snprintf(out, sizeof out, "beff: %s: thread %d: %s\n", beff_process_name(), thread, text);
	if (write(STDERR_FILENO, out, length) < 0) {} // no other way to report it
	MPI_Abort(MPI_COMM_WORLD, 1);
}

// work does the work of a thread in a run.
static void work(beff_team *t, int thread) {
	if (t->memory) {
		t->memory[thread] = beff_alloc_pages(t->size);
		return;
	}
	int rc = beff_run(t->programs[thread]);
	if (rc != MPI_SUCCESS) fail(thread, rc);
}

typedef struct {
	beff_team *team;
	int thread;
} worker;

// serve is the function of all threads but thread 0.
static void *serve(void *arg) {
	worker w = *(worker *)arg;
	free(arg);
	bind(w.team->processors[w.thread]);
	for (;;) {
		beff_team_barrier(w.team);
		if (w.team->crew->stop) return NULL;
		work(w.team, w.thread);
		beff_team_barrier(w.team);
	}
}

// hire creates a thread that blocks all signals but crashes, because Go's handlers must run on Go's threads.
static int hire(beff_team *t, int thread) {
	const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	sigset_t all, before;
	worker *w = malloc(sizeof *w);
	if (!w) return MPI_ERR_NO_MEM;
	*w = (worker){t, thread};
	sigfillset(&all);
	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) sigdelset(&all, crashes[i]);
	sigprocmask(SIG_BLOCK, &all, &before);
	int failed = create(t->crew->workers + thread, NULL, serve, w);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (failed) free(w);
	return failed ? MPI_ERR_OTHER : MPI_SUCCESS;
}

int beff_team_open(beff_team *t) {
	void *memory;
	size_t size = (sizeof *t->crew + line - 1) / line * line;
	if (posix_memalign(&memory, line, size)) return MPI_ERR_NO_MEM;
	struct beff_crew *c = t->crew = memset(memory, 0, size);
	c->workers = calloc(t->threads, sizeof *c->workers);
	if (!c->workers) return MPI_ERR_NO_MEM;
	c->bound = t->processors[0] >= 0;
	c->spins = c->bound ? patience : haste;
	if (c->bound && syscall(SYS_sched_getaffinity, 0, sizeof c->before, c->before) < 0) c->bound = 0;
	if (c->bound) bind(t->processors[0]);
	for (int i = 0; i < t->threads; i++) {
		if (t->programs) t->programs[i]->team = t, t->programs[i]->thread = i;
	}
	for (int i = 1; i < t->threads; i++) {
		int rc = hire(t, i);
		if (rc == MPI_SUCCESS) continue;
		t->threads = i; // only the created threads end
		beff_team_close(t);
		return rc;
	}
	return MPI_SUCCESS;
}

void beff_team_run(beff_team *t) {
	beff_team_barrier(t);
	work(t, 0);
	beff_team_barrier(t);
}

void beff_team_close(beff_team *t) {
	struct beff_crew *c = t->crew;
	c->stop = 1;
	beff_team_barrier(t);
	for (int i = 1; i < t->threads; i++) join(c->workers[i], NULL);
	if (c->bound) syscall(SYS_sched_setaffinity, 0, sizeof c->before, c->before);
	free(c->workers);
	free(c);
}
