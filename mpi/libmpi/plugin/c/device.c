// Memory of devices: copies in a program, and crashes of libraries that use such memory as the host's. The functions
// of the device's driver come from the Go side, which has loaded it.
#include "calls.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

// A driver's functions. CUDA's cuMemcpy has no kind: calling conventions pass it in a register that it doesn't read.
static int (*driver_copy)(void *to, const void *from, size_t n, int kind);
static int (*driver_append)(void *list, void *to, const void *from, size_t n, void *event, uint32_t n_waits,
                            void *waits);
static int (*driver_wait)(void *stream); // NULL if copies end before they return
static void *list;                       // of Level Zero's commands, or NULL
static char advice[512];
static int failure, others;

static int copy(void *to, const void *from, size_t n) {
	const int by_addresses = 4; // hipMemcpyDefault
	return list ? driver_append(list, to, from, n, NULL, 0, NULL) : driver_copy(to, from, n, by_addresses);
}

static int wait_all(void) { return driver_wait ? driver_wait(NULL) : 0; }

enum { most_buffers = 64 };
static struct {
	char *base;
	int64_t size;
} buffers[most_buffers]; // on the device; more aren't recognised in a crash

void beff_device(void *const *functions, const char *explanation, int of_others) {
	others = of_others;
	*(void **)&driver_copy = *(void **)&driver_append = functions[0];
	*(void **)&driver_wait = functions[1];
	list = functions[2];
	snprintf(advice, sizeof advice, "%s", explanation);
}

void beff_device_buffer(void *base, int64_t size) {
	for (int i = 0; i < most_buffers; i++) {
		if (buffers[i].base != (size > 0 ? NULL : base)) continue;
		buffers[i].base = size > 0 ? base : NULL;
		buffers[i].size = size;
		return;
	}
}

int beff_device_failure(void) { return failure; }

// copy_marks stamps or checks the marks of places of one chunk (mpi.Mark). Stamps are complete before MPI sends them.
static int copy_marks(beff_program *p, const beff_call *c) {
	int stamps = c->parts == BEFF_STAMP_MARKS, rc = 0;
	const beff_place *e = stamps ? c->send : c->recv, *last = e + (stamps ? c->nsend : c->nrecv);
	for (; e < last && rc == 0; e++) {
		uint64_t value = e->key + (uint64_t)p->current_loop * e->per_loop, marks[] = {value, ~value}, found;
		int wrong = 0, ends = e->length >= 2 * e->width ? 2 : 1;
		for (int end = 0; end < ends && rc == 0 && !wrong; end++) {
			char *at = e->addr + end * (e->length - e->width);
			rc = stamps ? copy(at, marks + end, e->width) : copy(&found, at, e->width);
			if (rc == 0 && !stamps)
				wrong = beff_check_mark(p, e, p->current_loop, 0, end, (char *)&found, marks[end]);
		}
		p->wrong += wrong;
	}
	return rc == 0 && stamps ? wait_all() : rc;
}

// A copy within the device may return before it is done, so its time includes the wait.
int beff_device_copy_call(beff_program *p, const beff_call *c) {
	if (c->tag != BEFF_COPY_ALWAYS) {
		int root = (int)((c->root + (c->part ? p->current_loop : 0)) % p->comm->size);
		if ((root == p->comm->rank) != (c->tag == BEFF_COPY_AT_ROOT)) return MPI_SUCCESS;
	}
	int marks = c->parts >= BEFF_STAMP_MARKS;
	int rc = marks ? copy_marks(p, c) : copy(c->recv->addr, c->send->addr, c->send->length);
	if (rc == 0 && c->parts == BEFF_COPY_WITHIN) rc = wait_all();
	if (rc == 0) return MPI_SUCCESS;
	failure = rc;
	return MPI_ERR_OTHER;
}

const char *beff_device_crash(int number, const void *address) {
	int any = others;
	for (int i = 0; i < most_buffers; i++) {
		if (!buffers[i].base) continue;
		any = 1;
		if ((uintptr_t)address - (uintptr_t)buffers[i].base < (uintptr_t)buffers[i].size) return advice;
	}
	return any && number == SIGABRT ? advice : NULL;
}
