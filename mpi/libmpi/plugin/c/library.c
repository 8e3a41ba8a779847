#define _GNU_SOURCE
#include "calls.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Static_assert(MPI_MAX_LIBRARY_VERSION_STRING <= beff_text, "room for MPI_Get_library_version");
_Static_assert(MPI_MAX_PROCESSOR_NAME <= beff_text, "room for MPI_Get_processor_name");
_Static_assert(MPI_MAX_ERROR_STRING <= beff_text, "room for MPI_Error_string");
_Static_assert(MPI_MAX_INFO_KEY < beff_text && MPI_MAX_INFO_VAL < beff_text, "room for MPI_Info_get");
_Static_assert(sizeof(beff_handle) == 8, "a handle takes 8 bytes");

int beff_describe(beff_about *out) {
	int length;
	int rc = MPI_Get_version(&out->version, &out->subversion);
	beff_windows_version(&out->shmem, &out->subshmem);
	return rc == MPI_SUCCESS ? MPI_Get_library_version(out->text, &length) : rc;
}

void beff_get_constants(beff_constants *out) {
	const MPI_Datatype types[] = {MPI_BYTE, MPI_INT, MPI_INT64_T, MPI_FLOAT, MPI_DOUBLE, MPI_SIGNED_CHAR};
	const MPI_Op reductions[] = {MPI_SUM, MPI_MAX, MPI_MIN};
	const int modes[] = {MPI_MODE_RDONLY, MPI_MODE_RDWR, MPI_MODE_CREATE, MPI_MODE_EXCL, MPI_MODE_UNIQUE_OPEN,
	                     MPI_MODE_DELETE_ON_CLOSE};
	memset(out, 0, sizeof *out);
	for (int i = 0; i < beff_types; i++) out->types[i].type = types[i];
	for (int i = 0; i < beff_reductions; i++) out->reductions[i].reduce = reductions[i];
	for (int i = 0; i < beff_modes; i++) out->modes[i] = modes[i];
	out->no_comm.comm = MPI_COMM_NULL;
	out->no_window.window = MPI_WIN_NULL;
	out->no_file.file = MPI_FILE_NULL;
	out->no_info.info = MPI_INFO_NULL;
	out->any_source = MPI_ANY_SOURCE;
}

int beff_init(int level, int *provided) {
	static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
	int got = MPI_THREAD_SINGLE;
	// MPICH sets a handler of SIGUSR1 that runs on any stack and calls the previous handler without its arguments. The
	// Go runtime would then end the process.
	struct sigaction user;
	sigaction(SIGUSR1, NULL, &user);
	int rc = level < 0 ? MPI_Init(NULL, NULL) : MPI_Init_thread(NULL, NULL, levels[level], &got);
	sigaction(SIGUSR1, &user, NULL);
	for (int i = 0; i < beff_levels; i++)
		if (levels[i] <= got) *provided = i;
	if (rc == MPI_SUCCESS) rc = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	// Errors without a communicator, such as of MPI_Info calls, go to MPI_COMM_SELF's handler (MPI 4.1, 9.3).
	if (rc == MPI_SUCCESS) rc = MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	return rc == MPI_SUCCESS ? beff_windows_begin() : rc;
}

int beff_finalize(void) { return beff_windows_end(); }

static int wtime_is_global;

// beff_now returns the time in seconds. MPI_Wtime may follow the wall clock, as MPICH's does, and jump with it. So
// beff_now reads the system's monotonic clock, unless MPI_Wtime is the same clock on all nodes.
double beff_now(void) {
	struct timespec now;
	if (wtime_is_global) return MPI_Wtime();
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// tick returns the resolution of beff_now in seconds.
static double tick(void) {
	struct timespec step;
	if (wtime_is_global || clock_getres(CLOCK_MONOTONIC, &step)) return MPI_Wtick();
	return (double)step.tv_sec + 1e-9 * (double)step.tv_nsec;
}

int beff_describe_host(beff_host *out) {
	int *global, found = 0, length;
	int rc = MPI_Get_processor_name(out->name, &length);
	if (rc == MPI_SUCCESS) rc = MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &global, &found);
	out->global = wtime_is_global = rc == MPI_SUCCESS && found && *global;
	out->tick = tick();
	return rc;
}

void beff_abort(const beff_comm *c, int code) { MPI_Abort(c->comm, code); }

void beff_describe_error(int code, beff_failure *out) {
	int length;
	out->system = beff_system;
	beff_system = 0;
	MPI_Error_class(code, &out->class);
	MPI_Error_string(code, out->text, &length);
}

void *beff_alloc(int64_t count, int64_t size) { return calloc(count > 0 ? count : 1, size); }

// This doesn't use malloc, because after the free of a large block glibc keeps memory that it would otherwise return,
// up to twice the block's size. MPICH's accumulate then gets its buffers three times as fast, so times would depend on
// earlier kernels.
void *beff_alloc_pages(int64_t size) {
	void *memory = mmap(NULL, size > 0 ? size : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED ? NULL : memset(memory, 0, size);
}

void *beff_alloc_folded(int64_t size, int64_t fold) {
#ifdef SYS_memfd_create
	int fd = syscall(SYS_memfd_create, "beff", 0);
	if (fd < 0) return NULL;
	char *memory = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	int failed = memory == MAP_FAILED || ftruncate(fd, fold);
	for (int64_t at = 0; !failed && at < size; at += fold)
		failed = mmap(memory + at, size - at < fold ? size - at : fold, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		              fd, 0) == MAP_FAILED;
	close(fd);
	if (failed && memory != MAP_FAILED) munmap(memory, size);
	return failed ? NULL : memory;
#else
	return (void)size, (void)fold, NULL;
#endif
}

void beff_free_pages(void *memory, int64_t size) { munmap(memory, size > 0 ? size : 1); }

void beff_free(void *memory) { free(memory); }

int beff_long_type(int64_t n, beff_handle unit, int size, beff_handle *out) {
	const int64_t block = 1 << 30;
	MPI_Datatype large, blocks;
	int lengths[2] = {1, (int)(n % block)};
	MPI_Aint places[2] = {0, (n - n % block) * size};
	int rc = MPI_Type_contiguous((int)block, unit.type, &large);
	if (rc == MPI_SUCCESS) rc = MPI_Type_contiguous((int)(n / block), large, &blocks);
	MPI_Datatype types[2] = {blocks, unit.type};
	if (rc == MPI_SUCCESS) rc = MPI_Type_create_struct(2, lengths, places, types, &out->type);
	if (rc == MPI_SUCCESS) rc = MPI_Type_commit(&out->type);
	if (rc == MPI_SUCCESS) rc = MPI_Type_free(&large);
	if (rc == MPI_SUCCESS) rc = MPI_Type_free(&blocks);
	return rc;
}

int beff_type_free(beff_handle type) { return MPI_Type_free(&type.type); }
