// A stand-in for libamdhip64.so and libhsa-runtime64.so.1 in tests: the functions of HIP that beff calls, and those of
// HSA that UCX calls. With it an MPI over a UCX that was built with ROCm takes the memory of a device that isn't there,
// which shows that beff's direct messages arrive correctly. It shows nothing about times.
//
// The memory of a block is mapped twice. The address that a program gets can't be read or written (PROT_NONE), and
// copies use another one. New memory isn't zero. Set UCX_TLS=^rocm_ipc,sysv, UCX_ROCM_COPY_D2H_THRESH=0 and
// UCX_ROCM_COPY_H2D_THRESH=0, or UCX uses the host's instructions.
//
// STANDIN_BLIND=1: HSA has no devices, as if UCX were built without ROCm. STANDIN_WRONG=N: the first byte of each N-th
// copy by HSA is wrong.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { OK = 0, INVALID = 1, NO_MEMORY = 2, NO_SUCH_DEVICE = 101 }; // of HIP
enum { HSA_ERROR = 0x1000, HSA_INVALID = 0x1001, HSA_NO_MEMORY = 0x1008 };
enum { CPU = 1, GPU = 2 }; // handles of the agents and of their pools
static const size_t total = 256 << 20;

typedef struct {
	uint64_t handle;
} handle;

struct block {
	struct block *next;
	char *device, *host; // the address that the program gets, and the address that copies use
	size_t size;
	uint64_t owner; // agent
};

static struct block *blocks;
static size_t used;
static long ncopies;

static struct block *find(const void *p) {
	struct block *b = blocks;
	while (b && (uintptr_t)p - (uintptr_t)b->device >= b->size) b = b->next;
	return b;
}

// inside returns the address at which copies reach memory of the device, and any other address as it is.
static char *inside(const void *p) {
	struct block *b = find(p);
	return b ? b->host + ((char *)p - b->device) : (char *)p;
}

int hsa_init(void) { return getenv("STANDIN_BLIND") ? HSA_ERROR : OK; }

int hsa_iterate_agents(int (*visit)(handle agent, void *), void *data) {
	int rc = visit((handle){CPU}, data);
	return rc ? rc : visit((handle){GPU}, data);
}

int hsa_agent_get_info(handle agent, int what, void *out) {
	switch (what) {
	case 0: return strcpy(out, agent.handle == GPU ? "gfx90a" : "CPU"), OK; // name
	case 17: return *(int *)out = agent.handle == GPU, OK;                    // type
	case 0xA006: return *(uint32_t *)out = 0x1000, OK;                        // bus, device, function
	case 0xA00F: return *(uint32_t *)out = 0, OK;                             // domain
	}
	return HSA_INVALID;
}

int hsa_amd_agent_iterate_memory_pools(handle agent, int (*visit)(handle pool, void *), void *data) {
	return visit(agent, data);
}

int hsa_amd_memory_pool_get_info(handle pool, int what, void *out) {
	switch (what) {
	case 0: return *(int *)out = 0, OK;                              // segment: global
	case 1: return *(uint32_t *)out = pool.handle == GPU ? 4 : 2, OK; // coarse or fine grained
	case 2: return *(size_t *)out = total, OK;                       // size
	case 5: return *(char *)out = 1, OK;                             // programs may allocate
	}
	return HSA_INVALID;
}

int hsa_amd_agent_memory_pool_get_info(handle agent, handle pool, int what, void *out) {
	(void)agent, (void)pool, (void)what;
	return memset(out, 0, 16), OK;
}

int hsa_amd_memory_pool_allocate(handle pool, size_t n, uint32_t flags, void **out) {
	(void)flags;
	const size_t page = 4096;
	n = (n + page - 1) / page * page;
	if (used + n > total) return HSA_NO_MEMORY;
	struct block *b = calloc(1, sizeof *b);
	int fd = memfd_create("device", 0), open = PROT_READ | PROT_WRITE;
	if (ftruncate(fd, n)) abort();
	*b = (struct block){blocks, mmap(NULL, n, pool.handle == GPU ? PROT_NONE : open, MAP_SHARED, fd, 0),
	                    mmap(NULL, n, open, MAP_SHARED, fd, 0), n, pool.handle};
	close(fd);
	memset(b->host, 0xa5, n);
	blocks = b;
	used += n;
	*out = b->device;
	return OK;
}

int hsa_amd_memory_pool_free(void *p) {
	for (struct block **b = &blocks; *b; b = &(*b)->next) {
		if ((*b)->device != p) continue;
		struct block *gone = *b;
		*b = gone->next;
		used -= gone->size;
		munmap(gone->device, gone->size);
		munmap(gone->host, gone->size);
		free(gone);
		return OK;
	}
	return HSA_INVALID;
}

// info is hsa_amd_pointer_info_t.
typedef struct {
	uint32_t size;
	int type;
	void *base, *host;
	size_t bytes;
	void *user;
	handle owner;
	uint32_t flags;
} info;

int hsa_amd_pointer_info(const void *p, info *i, void *(*alloc)(size_t), uint32_t *n, handle **agents) {
	(void)alloc, (void)n, (void)agents;
	struct block *b = find(p);
	uint32_t size = i->size;
	memset(i, 0, size < sizeof *i ? size : sizeof *i);
	i->size = size;
	if (b) i->type = 1, i->base = b->device, i->bytes = b->size, i->owner.handle = b->owner;
	return OK;
}

int hsa_amd_memory_lock(void *p, size_t n, handle *agents, int nagents, void **out) {
	(void)n, (void)agents, (void)nagents;
	return *out = p, OK;
}

int hsa_signal_create(int64_t value, uint32_t n, const handle *agents, handle *signal) {
	(void)n, (void)agents;
	int64_t *s = malloc(sizeof *s);
	*s = value;
	signal->handle = (uintptr_t)s;
	return OK;
}

int hsa_signal_destroy(handle s) { return free((void *)s.handle), OK; }
int64_t hsa_signal_load_scacquire(handle s) { return *(int64_t *)s.handle; }
void hsa_signal_store_screlease(handle s, int64_t value) { *(int64_t *)s.handle = value; }
int64_t hsa_signal_wait_scacquire(handle s) { return *(int64_t *)s.handle; }

int hsa_amd_memory_async_copy(void *to, handle to_agent, const void *from, handle from_agent, size_t n, uint32_t ndeps,
                              const handle *deps, handle done) {
	(void)to_agent, (void)from_agent, (void)ndeps, (void)deps;
	const char *every = getenv("STANDIN_WRONG");
	memcpy(inside(to), inside(from), n);
	if (++ncopies && every && atol(every) > 0 && ncopies % atol(every) == 0) ++*inside(to);
	--*(int64_t *)done.handle;
	return OK;
}

int hsa_amd_agents_allow_access(void) { return OK; }
int hsa_amd_memory_unlock(void) { return OK; }
int hsa_amd_ipc_memory_create(void) { return HSA_ERROR; }
int hsa_amd_ipc_memory_attach(void) { return HSA_ERROR; }
int hsa_amd_ipc_memory_detach(void) { return HSA_ERROR; }
int hsa_amd_portable_export_dmabuf(void) { return HSA_ERROR; }

int hipInit(unsigned flags) { return flags ? INVALID : OK; }
int hipDriverGetVersion(int *v) { return *v = 60342133, OK; }
int hipGetDeviceCount(int *n) { return *n = 1, OK; }
int hipDeviceGet(int *d, int i) { return *d = i, i ? NO_SUCH_DEVICE : OK; }
int hipSetDevice(int d) { return d ? NO_SUCH_DEVICE : OK; }
int hipDeviceGetName(char *name, int n, int d) { return snprintf(name, n, "stand-in"), hipSetDevice(d); }
int hipDeviceGetPCIBusId(char *id, int n, int d) { return snprintf(id, n, "0000:10:00.0"), hipSetDevice(d); }
int hipDeviceGetUuid(char *u, int d) { return memcpy(u, "6666666666666666", 16), hipSetDevice(d); }
int hipDeviceTotalMem(size_t *n, int d) { return *n = total, hipSetDevice(d); }
const char *hipGetErrorString(int e) { return e == NO_MEMORY ? "out of memory" : "error of the stand-in"; }

// UCX watches this function of HSA.
static int make(void **p, size_t n, uint64_t pool) {
	return hsa_amd_memory_pool_allocate((handle){pool}, n, 0, p) ? NO_MEMORY : OK;
}

int hipMalloc(void **p, size_t n) { return make(p, n, GPU); }
int hipMallocManaged(void **p, size_t n, unsigned flags) { return flags == 1 ? make(p, n, GPU) : INVALID; }
int hipHostMalloc(void **p, size_t n, unsigned flags) { return flags ? INVALID : make(p, n, CPU); }
int hipFree(void *p) { return hsa_amd_memory_pool_free(p) ? INVALID : OK; }
int hipHostFree(void *p) { return hipFree(p); }

// The kind is hipMemcpyDefault: the addresses tell the direction.
int hipMemcpy(void *to, const void *from, size_t n, int kind) {
	if (kind != 4 || (!find(to) && !find(from))) return INVALID;
	return memcpy(inside(to), inside(from), n), OK;
}

int hipMemset(void *p, int value, size_t n) { return find(p) ? memset(inside(p), value, n), OK : INVALID; }
int hipStreamSynchronize(void *stream) { return stream ? INVALID : OK; }
