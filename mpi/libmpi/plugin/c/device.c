// Memory of devices: copies in a program, and crashes of libraries that use such memory as the host's. The functions
// of the device's driver come from the Go side, which has loaded it.
#include "calls.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

// A driver's copy. CUDA's functions have no kind: calling conventions pass a fourth argument in a register that they
// don't read.
typedef int (*copier)(void *to, const void *from, size_t n, int kind);

static copier copies[3]; // to the device, to the host, within the device
static int (*wait_all)(void *stream);
static char advice[512];
static int failure;

enum { most_buffers = 64 };
static struct {
	char *base;
	int64_t size;
} buffers[most_buffers]; // on the device; more aren't recognised in a crash

void beff_device(void *const *functions, const char *explanation) {
	for (int i = 0; i < 3; i++) copies[i] = (copier)functions[i];
	wait_all = (int (*)(void *))functions[3];
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

// A copy within the device may return before it is done, so its time includes the wait.
int beff_device_copy_call(const beff_program *p, const beff_call *c) {
	if (c->tag != BEFF_COPY_ALWAYS) {
		int root = (int)((c->root + (c->part ? p->current_loop : 0)) % p->comm->size);
		if ((root == p->comm->rank) != (c->tag == BEFF_COPY_AT_ROOT)) return MPI_SUCCESS;
	}
	int rc = copies[c->parts](c->recv->addr, c->send->addr, c->send->length, c->parts + 1);
	if (rc == 0 && c->parts == BEFF_COPY_WITHIN) rc = wait_all(NULL);
	if (rc == 0) return MPI_SUCCESS;
	failure = rc;
	return MPI_ERR_OTHER;
}

const char *beff_device_crash(int number, const void *address) {
	int any = 0;
	for (int i = 0; i < most_buffers; i++) {
		if (!buffers[i].base) continue;
		any = 1;
		if ((uintptr_t)address - (uintptr_t)buffers[i].base < (uintptr_t)buffers[i].size) return advice;
	}
	return any && number == SIGABRT ? advice : NULL;
}
