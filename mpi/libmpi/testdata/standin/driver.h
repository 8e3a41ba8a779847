// What the stand-ins for libcuda.so.1 (cuda.c) and libze_loader.so.1 (levelzero.c) have in common. They show in tests
// whether beff calls a driver correctly, and what happens to an MPI library that uses a device's memory as the host's.
// They show nothing about times.
//
// The memory of a block is mapped twice. The address that a program gets can't be read or written (PROT_NONE), and the
// driver's copies use another one. New memory isn't zero.
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

enum { OK, NO_MEMORY, INVALID, FAULT, MOST = 16 };

struct block {
	struct block *next;
	char *device, *host; // the address that the program gets, and the address that the driver's copies use
	size_t size;
	int on, kind;
};

enum { DEVICE, MANAGED, PINNED }; // kinds

static struct block *blocks;
static size_t used[MOST];
static long ncopies, npinned;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static long number(const char *name, long otherwise) {
	const char *text = getenv(name);
	return text ? atol(text) : otherwise;
}

static int devices(void) { return (int)number("STANDIN_DEVICES", 1); }
static size_t total(void) { return number("STANDIN_BYTES", 256 << 20); }

// make allocates memory of a device.
static int make(int on, void **out, size_t size, int kind) {
	size_t page = 2 << 20;
	int closed = kind == DEVICE && !number("STANDIN_HOST", 0);
	if (!size) return INVALID;
	size = (size + page - 1) / page * page;
	pthread_mutex_lock(&lock);
	int enough = used[on] + size <= total();
	if (enough) {
		struct block *b = calloc(1, sizeof *b);
		int fd = memfd_create("device", 0), open = PROT_READ | PROT_WRITE;
		if (ftruncate(fd, size)) abort();
		*b = (struct block){blocks, mmap(NULL, size, closed ? PROT_NONE : open, MAP_SHARED, fd, 0),
		                    mmap(NULL, size, open, MAP_SHARED, fd, 0), size, on, kind};
		close(fd);
		memset(b->host, 0xa5, size);
		blocks = b;
		used[on] += size;
		*out = b->device;
	}
	pthread_mutex_unlock(&lock);
	return enough ? OK : NO_MEMORY;
}

static int release(const void *p) {
	for (struct block **b = &blocks; *b; b = &(*b)->next) {
		if ((*b)->device != p) continue;
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

// find returns the block of an address, or NULL.
static struct block *find(const void *p) {
	struct block *b = blocks;
	while (b && (uintptr_t)p - (uintptr_t)b->device >= b->size) b = b->next;
	return b;
}

// inside returns the driver's address of memory in a block, or NULL if the block is too short.
static char *inside(struct block *b, const void *p, size_t n) {
	size_t at = (uintptr_t)p - (uintptr_t)b->device;
	return at + n <= b->size ? b->host + at : NULL;
}

// copy finds the direction by the addresses. One of them must be the driver's.
static int copy(void *to, const void *from, size_t n) {
	struct block *out = find(to), *in = find(from);
	if (out) to = inside(out, to, n);
	if (in) from = inside(in, from, n);
	if ((!out && !in) || !to || !from) return INVALID;
	long fail = number("STANDIN_FAIL", 0), wrong = number("STANDIN_WRONG", 0);
	if (++ncopies >= fail && fail > 0) return FAULT;
	memmove(to, from, n);
	int counts = out && in && in->kind == PINNED && n >= (size_t)number("STANDIN_LONG", 0);
	if (counts && wrong > 0 && ++npinned % wrong == 0) *(char *)to ^= 1;
	return OK;
}

static int set(void *to, int value, size_t n) {
	struct block *b = find(to);
	char *at = b ? inside(b, to, n) : NULL;
	return at ? memset(at, value, n), OK : INVALID;
}
