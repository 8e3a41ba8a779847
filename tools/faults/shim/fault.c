// A library that is loaded before all others (LD_PRELOAD) and makes file calls of one process fail, once or from then
// onwards: FAULT_RANK (which process), FAULT_CALL (write, read, fsync), FAULT_AT (the number of the call among those on
// the run's files), FAULT_DO (EIO, ENOSPC, EDQUOT, EROFS, short, flip, hang), FAULT_FILE (a part of the files' names).
// FAULT_CALL message flips a bit in the data that this call of MPI_Sendrecv has received. FAULT_MADE names a file that
// is created together with the fault.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static long count;

static const char *set(const char *name) {
	const char *value = getenv(name);
	return value ? value : "";
}

// ours reports whether a descriptor is a file of the rated run.
static int ours(int fd) {
	char link[64], path[4096];
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t length = readlink(link, path, sizeof path - 1);
	if (length < 0) return 0;
	path[length] = 0;
	return strstr(path, "/beff-io-") != NULL && strstr(path, set("FAULT_FILE")) != NULL;
}

// due reports whether this call is the one that fails.
static int due(const char *call, int fd) {
	const char *rank = getenv("OMPI_COMM_WORLD_RANK");
	if (!rank) rank = set("PMI_RANK");
	if (strcmp(set("FAULT_CALL"), call) || strcmp(set("FAULT_RANK"), rank) || (fd >= 0 && !ours(fd))) return 0;
	if (++count != atol(set("FAULT_AT"))) return 0;
	close(creat(set("FAULT_MADE"), 0644)); // so that the campaign knows
	return 1;
}

// fail returns 1 if the call must return at once, with its result in *result.
static int fail(ssize_t *result) {
	const char *what = set("FAULT_DO");
	*result = -1;
	if (!strcmp(what, "EIO")) errno = EIO;
	else if (!strcmp(what, "ENOSPC")) errno = ENOSPC;
	else if (!strcmp(what, "EDQUOT")) errno = EDQUOT;
	else if (!strcmp(what, "EROFS")) errno = EROFS;
	else if (!strcmp(what, "hang")) for (;;) pause();
	else return 0;
	return 1;
}

static void flip(const void *data, size_t n) { ((char *)data)[n / 2] ^= 1; }

#define NEXT(name) \
	static __typeof__(&name) next; \
	if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// BODY makes a call with its data flipped on the way, or with half of the data.
#define BODY(call, fd, data, n, whole, half) \
	ssize_t result; \
	if (!due(call, fd)) return whole; \
	if (fail(&result)) return result; \
	if (!strcmp(set("FAULT_DO"), "short")) return half; \
	if (call[0] == 'w') flip(data, n); \
	result = whole; \
	flip(data, n); \
	return result

ssize_t pwrite(int fd, const void *data, size_t n, off_t at) {
	NEXT(pwrite);
	BODY("write", fd, data, n, next(fd, data, n, at), next(fd, data, n / 2, at));
}
ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at) {
	NEXT(pwrite64);
	BODY("write", fd, data, n, next(fd, data, n, at), next(fd, data, n / 2, at));
}
ssize_t write(int fd, const void *data, size_t n) {
	NEXT(write);
	BODY("write", fd, data, n, next(fd, data, n), next(fd, data, n / 2));
}
ssize_t pread(int fd, void *data, size_t n, off_t at) {
	NEXT(pread);
	BODY("read", fd, data, n, next(fd, data, n, at), next(fd, data, n / 2, at));
}
ssize_t pread64(int fd, void *data, size_t n, off64_t at) {
	NEXT(pread64);
	BODY("read", fd, data, n, next(fd, data, n, at), next(fd, data, n / 2, at));
}
ssize_t read(int fd, void *data, size_t n) {
	NEXT(read);
	BODY("read", fd, data, n, next(fd, data, n), next(fd, data, n / 2));
}

// VECTOR makes a call with a vector, whose first part gets the fault.
#define VECTOR(name, call, ...) \
	NEXT(name); \
	struct iovec *first = (struct iovec *)v; \
	ssize_t result; \
	if (n == 0 || !due(call, fd)) return next(fd, v, n __VA_ARGS__); \
	if (fail(&result)) return result; \
	if (!strcmp(set("FAULT_DO"), "short")) { \
		struct iovec half = {first->iov_base, first->iov_len / 2}; \
		return next(fd, &half, 1 __VA_ARGS__); \
	} \
	if (call[0] == 'w') flip(first->iov_base, first->iov_len); \
	result = next(fd, v, n __VA_ARGS__); \
	flip(first->iov_base, first->iov_len); \
	return result

ssize_t writev(int fd, const struct iovec *v, int n) { VECTOR(writev, "write"); }
ssize_t readv(int fd, const struct iovec *v, int n) { VECTOR(readv, "read"); }
#define COMMA ,
ssize_t pwritev(int fd, const struct iovec *v, int n, off_t at) { VECTOR(pwritev, "write", COMMA at); }
ssize_t pwritev64(int fd, const struct iovec *v, int n, off64_t at) { VECTOR(pwritev64, "write", COMMA at); }
ssize_t preadv(int fd, const struct iovec *v, int n, off_t at) { VECTOR(preadv, "read", COMMA at); }
ssize_t preadv64(int fd, const struct iovec *v, int n, off64_t at) { VECTOR(preadv64, "read", COMMA at); }

int fsync(int fd) {
	NEXT(fsync);
	ssize_t result;
	if (due("fsync", fd) && fail(&result)) return -1;
	return next(fd);
}

// MPI_Sendrecv passes its twelve arguments on, whatever a library's handles are: they fit into a register. The library
// has been loaded by then, and its own name for the call is PMPI_Sendrecv (MPI 4.1, 15.2).
int MPI_Sendrecv(const void *send, long n, long type, long to, long tag, char *receive, long m, long types, long from,
	long tags, long comm, void *status) {
	static int (*next)(const void *, long, long, long, long, char *, long, long, long, long, long, void *);
	for (const char **name = (const char *[]){"libmpi.so.40", "libmpich.so.12", NULL}; !next && *name; name++) {
		void *library = dlopen(*name, RTLD_LAZY | RTLD_NOLOAD);
		if (library) *(void **)&next = dlsym(library, "PMPI_Sendrecv");
	}
	int code = next(send, n, type, to, tag, receive, m, types, from, tags, comm, status);
	if ((int)m > 0 && due("message", -1)) receive[0] ^= 1;
	return code;
}
