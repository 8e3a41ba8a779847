// A stand-in for libcuda.so.1 (driver.h). A thread without a context gets an error.
#include "driver.h"

typedef unsigned long long address;
enum { CU_INVALID = 1, CU_NO_MEMORY = 2, NOT_BEGUN = 3, NO_DEVICE = 100, NO_SUCH_DEVICE = 101, NO_CONTEXT = 201,
       CU_FAULT = 700 };

static int contexts[MOST], begun;
static __thread int *current;

// code returns CUDA's code of a result.
static int code(int is) {
	const int codes[] = {[OK] = 0, [NO_MEMORY] = CU_NO_MEMORY, [INVALID] = CU_INVALID, [FAULT] = CU_FAULT};
	return codes[is];
}

int cuInit(unsigned flags) {
	if (flags) return CU_INVALID;
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
	return *n = total(), OK;
}

int cuDevicePrimaryCtxRetain(void **c, int d) {
	if (!begun) return NOT_BEGUN;
	contexts[d] = d;
	*c = contexts + d;
	return OK;
}

int cuCtxSetCurrent(void *c) { return current = c, OK; }

int cuGetErrorString(int e, const char **text) {
	*text = e == CU_NO_MEMORY ? "out of memory"
	        : e == NO_DEVICE ? "no CUDA-capable device is detected"
	        : e == NO_CONTEXT ? "invalid device context"
	                          : "error of the stand-in";
	return OK;
}

static int allocate(void *out, size_t n, int kind) {
	return current ? code(make(*current, out, n, kind)) : NO_CONTEXT;
}

int cuMemAlloc_v2(address *p, size_t n) { return allocate(p, n, DEVICE); }
int cuMemAllocManaged(address *p, size_t n, unsigned flags) { return flags == 1 ? allocate(p, n, MANAGED) : CU_INVALID; }
int cuMemHostAlloc(void **p, size_t n, unsigned flags) { return flags ? CU_INVALID : allocate(p, n, PINNED); }
int cuMemFree_v2(address p) { return code(release((void *)(uintptr_t)p)); }
int cuMemFreeHost(void *p) { return code(release(p)); }

int cuMemcpy(address to, address from, size_t n) {
	return current ? code(copy((void *)(uintptr_t)to, (void *)(uintptr_t)from, n)) : NO_CONTEXT;
}

int cuMemsetD8_v2(address to, unsigned char value, size_t n) {
	return current ? code(set((void *)(uintptr_t)to, value, n)) : NO_CONTEXT;
}

int cuStreamSynchronize(void *s) { return s ? CU_INVALID : current ? OK : NO_CONTEXT; }
