// A stand-in for libcuda.so.1 in tests. It shows whether beff calls a driver correctly, and what happens to an MPI
// library that uses a device's memory as the host's. It shows nothing about times.
//
// The memory of a block is mapped twice. The address that a program gets can't be read or written (PROT_NONE), and the
// driver's copies use another one. New memory isn't zero. A thread without a context gets an error.
//
// STANDIN_DEVICES=N: devices, instead of one. STANDIN_BYTES=N: memory of each, instead of 256 MiB. STANDIN_HOST=1: the
// host's instructions reach the memory, as if the MPI library took it. STANDIN_WRONG=N: the first byte of each N-th copy
// from pinned memory to the device is wrong, of those with STANDIN_LONG=N bytes or more. STANDIN_FAIL=N: copies from the
// N-th on fail.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef unsigned long long address;
enum { OK = 0, INVALID = 1, NO_MEMORY = 2, NOT_BEGUN = 3, NO_DEVICE = 100, NO_SUCH_DEVICE = 101, NO_CONTEXT = 201,
       FAULT = 700, MOST = 16 };

struct block {
	struct block *next;
	char *device, *host; // the address that the program gets, and the address that the driver's copies use
	size_t size;
	int on;
};

static struct block *blocks;
static struct { int device; } contexts[MOST];
static size_t used[MOST];
static int begun;
static long ncopies, npinned;
static __thread void *current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static long number(const char *name, long otherwise) {
	const char *text = getenv(name);
	return text ? atol(text) : otherwise;
}

static int devices(void) { return (int)number("STANDIN_DEVICES", 1); }

int cuInit(unsigned flags) {
	if (flags) return INVALID;
	begun = devices() > 0;
	return begun ? OK : NO_DEVICE;
}

int cuDriverGetVersion(int *v) { return *v = 12040, OK; }

int cuDeviceGetCount(int *n) {
	*n = devices();
	return begun ? OK : NOT_BEGUN;
}

int cuDeviceGet(int *d, int i) {
	*d = i;
	return !begun ? NOT_BEGUN : i < 0 || i >= devices() ? NO_SUCH_DEVICE : OK;
}

int cuDeviceGetName(char *name, int n, int d) {
	(void)d;
	return snprintf(name, n, "stand-in"), OK;
}

// The driver's numbers are in the opposite order of the PCI addresses.
int cuDeviceGetPCIBusId(char *id, int n, int d) { return snprintf(id, n, "%08X:%02X:00.0", 0, 0x1f - d), OK; }

int cuDeviceGetUuid_v2(unsigned char *u, int d) {
	memset(u, 0x5a, 16);
	u[15] = (unsigned char)d;
	return OK;
}

int cuDeviceTotalMem_v2(size_t *n, int d) {
	(void)d;
	return *n = number("STANDIN_BYTES", 256 << 20), OK;
}

int cuDevicePrimaryCtxRetain(void **c, int d) {
	if (!begun) return NOT_BEGUN;
	contexts[d].device = d;
	*c = contexts + d;
	return OK;
}

int cuDevicePrimaryCtxRelease_v2(int d) { return (void)d, OK; }
int cuCtxSetCurrent(void *c) { return current = c, OK; }

int cuGetErrorString(int e, const char **text) {
	*text = e == NO_MEMORY ? "out of memory"
	        : e == NO_DEVICE ? "no CUDA-capable device is detected"
	        : e == NO_CONTEXT ? "invalid device context"
	                          : "error of the stand-in";
	return OK;
}

static int make(void **out, size_t size, int closed) {
	if (!current) return NO_CONTEXT;
	if (!size) return INVALID;
	int on = *(int *)current;
	size_t most, page = 2 << 20;
	cuDeviceTotalMem_v2(&most, on);
	size = (size + page - 1) / page * page;
	pthread_mutex_lock(&lock);
	int enough = used[on] + size <= most;
	if (enough) {
		struct block *b = calloc(1, sizeof *b);
		int fd = memfd_create("device", 0), open = PROT_READ | PROT_WRITE;
		if (ftruncate(fd, size)) abort();
		*b = (struct block){blocks, mmap(NULL, size, closed ? PROT_NONE : open, MAP_SHARED, fd, 0),
		                    mmap(NULL, size, open, MAP_SHARED, fd, 0), size, on};
		close(fd);
		memset(b->host, 0xa5, size);
		blocks = b;
		used[on] += size;
		*out = b->device;
	}
	pthread_mutex_unlock(&lock);
	return enough ? OK : NO_MEMORY;
}

int cuMemAlloc_v2(address *p, size_t n) { return make((void **)p, n, !number("STANDIN_HOST", 0)); }
int cuMemAllocManaged(address *p, size_t n, unsigned flags) { return flags == 1 ? make((void **)p, n, 0) : INVALID; }
int cuMemHostAlloc(void **p, size_t n, unsigned flags) { return flags ? INVALID : make(p, n, 0); }

int cuMemFree_v2(address p) {
	for (struct block **b = &blocks; *b; b = &(*b)->next) {
		if ((address)(uintptr_t)(*b)->device != p) continue;
		struct block *gone = *b;
		*b = gone->next;
		used[gone->on] -= gone->size;
		munmap(gone->device, gone->size);
		munmap(gone->host, gone->size);
		free(gone);
		return OK;
	}
	return INVALID;
}

int cuMemFreeHost(void *p) { return cuMemFree_v2((uintptr_t)p); }

// inside returns the driver's address of memory of a device, or NULL.
static char *inside(address p, size_t n) {
	for (struct block *b = blocks; b; b = b->next) {
		size_t at = p - (uintptr_t)b->device;
		if (at < b->size) return at + n <= b->size ? b->host + at : NULL;
	}
	return NULL;
}

static int copy(char *to, const char *from, size_t n, int pinned) {
	if (!current) return NO_CONTEXT;
	if (!to || !from) return INVALID;
	long fail = number("STANDIN_FAIL", 0);
	if (++ncopies >= fail && fail > 0) return FAULT;
	memmove(to, from, n);
	long wrong = number("STANDIN_WRONG", 0);
	if (pinned && n >= (size_t)number("STANDIN_LONG", 0) && wrong > 0 && ++npinned % wrong == 0) *to ^= 1;
	return OK;
}

int cuMemcpyHtoD_v2(address to, const void *from, size_t n) {
	return copy(inside(to, n), from, n, inside((uintptr_t)from, n) != NULL);
}
int cuMemcpyDtoH_v2(void *to, address from, size_t n) { return copy(to, inside(from, n), n, 0); }
int cuMemcpyDtoD_v2(address to, address from, size_t n) { return copy(inside(to, n), inside(from, n), n, 0); }

int cuMemsetD8_v2(address to, unsigned char value, size_t n) {
	char *at = inside(to, n);
	if (!current) return NO_CONTEXT;
	return at ? memset(at, value, n), OK : INVALID;
}

int cuStreamSynchronize(void *s) { return (void)s, current ? OK : NO_CONTEXT; }
