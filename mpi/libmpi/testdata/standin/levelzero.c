// A stand-in for libze_loader.so.1 (driver.h). The structures are written after those of the Level Zero specification.
#include "driver.h"

enum { DEVICE_LOST = 0x70000001, ZE_NO_MEMORY = 0x70000003, UNINITIALIZED = 0x78000001, ARGUMENT = 0x78000004 };

struct head {
	int type;
	void *next;
};

struct properties {
	struct head head;
	int kind;
	uint32_t vendor, id, flags, subdevice, clock;
	uint64_t most;
	uint32_t contexts, priority, threads, width, units, subslices, slices;
	uint64_t resolution;
	uint32_t bits, kernel_bits;
	unsigned char uuid[16];
	char name[256];
};

struct memory {
	struct head head;
	uint32_t flags, clock, width;
	uint64_t total;
	char name[256];
};

struct pci {
	struct head head;
	uint32_t domain, bus, device, function;
	int32_t generation, width;
	int64_t bandwidth;
};

struct descriptor {
	struct head head;
	uint32_t flags, ordinal;
};

struct queue {
	struct head head;
	uint32_t ordinal, index, flags;
	int mode, priority;
};

static char driver, context, list, gpus[MOST]; // their addresses are handles
static int begun;

static int code(int is) {
	const int codes[] = {[OK] = 0, [NO_MEMORY] = ZE_NO_MEMORY, [INVALID] = ARGUMENT, [FAULT] = DEVICE_LOST};
	return codes[is];
}

// is reports whether a structure has its type, and no other one follows.
static int is(const struct head *h, int type) { return h->type == type && !h->next; }

// of returns the number of a device, or -1.
static int of(void *gpu) {
	long n = (char *)gpu - gpus;
	return n >= 0 && n < devices() ? (int)n : -1;
}

int zeInit(uint32_t flags) {
	begun = flags == 1 && devices() > 0;
	return begun ? OK : flags > 3 ? ARGUMENT : UNINITIALIZED;
}

int zeDriverGet(uint32_t *n, void **out) {
	if (!begun) return UNINITIALIZED;
	return *n = 1, *out = &driver, OK;
}

int zeDriverGetApiVersion(void *d, uint32_t *version) {
	if (d != &driver) return ARGUMENT;
	return *version = 1 << 16 | 3, OK;
}

int zeDriverGetLastErrorDescription(void *d, const char **text) {
	if (d != &driver) abort();
	return *text = "error of the stand-in", OK;
}

int zeDeviceGet(void *d, uint32_t *n, void **out) {
	if (d != &driver || *n < (uint32_t)devices()) return ARGUMENT;
	*n = devices();
	for (uint32_t i = 0; i < *n; i++) out[i] = gpus + i;
	return OK;
}

int zeDeviceGetProperties(void *gpu, struct properties *p) {
	if (of(gpu) < 0 || !is(&p->head, 3)) return ARGUMENT;
	memset(p->uuid, 0x5a, 16);
	p->uuid[15] = (unsigned char)of(gpu);
	p->kind = 1, p->threads = p->slices = p->kernel_bits = 0xffffffff, p->most = p->resolution = -1;
	return strcpy(p->name, "stand-in"), OK;
}

// The driver's order is the opposite one of the PCI addresses.
int zeDevicePciGetPropertiesExt(void *gpu, struct pci *p) {
	if (of(gpu) < 0 || !is(&p->head, 0x10008)) return ARGUMENT;
	return p->domain = 0, p->bus = 0x1f - of(gpu), p->device = 0, p->function = 0, p->bandwidth = -1, OK;
}

int zeDeviceGetMemoryProperties(void *gpu, uint32_t *n, struct memory *m) {
	if (of(gpu) < 0 || *n != 1 || !is(&m->head, 7)) return ARGUMENT;
	return m->width = 0xffffffff, m->total = total(), OK;
}

int zeContextCreate(void *d, const struct descriptor *x, void **out) {
	if (d != &driver || !is(&x->head, 0xd) || x->flags) return ARGUMENT;
	return *out = &context, OK;
}

// The list must be synchronous.
int zeCommandListCreateImmediate(void *c, void *gpu, const struct queue *q, void **out) {
	if (c != &context || of(gpu) < 0 || !is(&q->head, 0xe) || q->ordinal || q->index || q->flags || q->mode != 1 ||
	    q->priority)
		return ARGUMENT;
	return *out = &list, OK;
}

static int allowed(void *c, const struct descriptor *x, int type, size_t alignment) {
	return c == &context && is(&x->head, type) && !x->flags && (type == 0x16 || !x->ordinal) && alignment &&
	       !(alignment & (alignment - 1));
}

int zeMemAllocDevice(void *c, const struct descriptor *x, size_t n, size_t alignment, void *gpu, void **out) {
	return allowed(c, x, 0x15, alignment) && of(gpu) >= 0 ? code(make(of(gpu), out, n, DEVICE)) : ARGUMENT;
}

int zeMemAllocHost(void *c, const struct descriptor *x, size_t n, size_t alignment, void **out) {
	return allowed(c, x, 0x16, alignment) ? code(make(0, out, n, PINNED)) : ARGUMENT;
}

int zeMemAllocShared(void *c, const struct descriptor *x, const struct descriptor *host, size_t n, size_t alignment,
                     void *gpu, void **out) {
	return allowed(c, x, 0x15, alignment) && is(&host->head, 0x16) && !host->flags && of(gpu) >= 0
	           ? code(make(of(gpu), out, n, MANAGED))
	           : ARGUMENT;
}

int zeMemFree(void *c, void *p) { return c == &context ? code(release(p)) : ARGUMENT; }

int zeCommandListAppendMemoryCopy(void *l, void *to, const void *from, size_t n, void *event, uint32_t nwaits,
                                  void **waits) {
	return l == &list && !event && !nwaits && !waits ? code(copy(to, from, n)) : ARGUMENT;
}

int zeCommandListAppendMemoryFill(void *l, void *to, const void *pattern, size_t width, size_t n, void *event,
                                  uint32_t nwaits, void **waits) {
	return l == &list && width == 1 && !event && !nwaits && !waits ? code(set(to, *(char *)pattern, n)) : ARGUMENT;
}
