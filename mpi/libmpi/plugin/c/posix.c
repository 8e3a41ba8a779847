#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Files of the C library's calls, which each process opens alone.

// told returns the code of a call, and keeps the error of the system if it has failed.
static int told(int failed) {
	beff_system = failed ? errno : 0;
	return failed ? MPI_ERR_IO : MPI_SUCCESS;
}

int beff_posix_open(beff_file *f) {
	int flags = f->mode & MPI_MODE_RDWR ? O_RDWR : O_RDONLY;
	if (f->mode & MPI_MODE_CREATE) flags |= O_CREAT;
	if (f->mode & MPI_MODE_EXCL) flags |= O_EXCL;
	f->descriptor = open(f->path, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
	return told(f->descriptor < 0);
}

int beff_posix_close(beff_file *f) { return told(close(f->descriptor) < 0); }

int beff_posix_sync(beff_file *f) { return told(fsync(f->descriptor) < 0); }

int beff_posix_length(beff_file *f, int64_t *length) {
	struct stat s;
	if (syscall(SYS_fstat, f->descriptor, &s) < 0) return told(1); // fstat is new in glibc 2.33
	*length = s.st_size;
	return told(0);
}

int64_t beff_posix_move(const beff_call *c) {
	const beff_place *f = c->recv;
	int fd = f->space->file.descriptor;
	int64_t done = 0;
	if (c->op == BEFF_FILE_SYNC) return fsync(fd) < 0 ? -1 : 0;
	if (c->op != BEFF_FILE_WRITE_AT && c->op != BEFF_FILE_READ_AT) {
		errno = ENOSYS;
		return -1;
	}
	while (done < f->length) {
		char *memory = c->send->addr + done;
		ssize_t n = c->op == BEFF_FILE_WRITE_AT ? pwrite(fd, memory, f->length - done, f->at + done)
		                                        : pread(fd, memory, f->length - done, f->at + done);
		if (n < 0 && errno == EINTR) continue;
		if (n <= 0) break;
		done += n;
	}
	return done;
}
