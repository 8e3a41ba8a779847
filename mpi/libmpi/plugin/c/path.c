#include "calls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Files and directories are accessible only to this user.
enum { file_mode = 0600, directory_mode = 0700 };

const char *beff_path(const beff_place *p) {
	beff_paths *x = &p->space->paths;
	int64_t number = x->order ? x->order[p->at] : p->at, of = number / x->per_prefix;
	int64_t length = x->starts[of + 1] - x->starts[of];
	memcpy(x->path, x->text + x->starts[of], length);
	char *at = x->path + length, digits[20];
	if (!x->unnumbered) {
		int n = 0;
		do digits[n++] = (char)('0' + number % 10); while (number /= 10);
		while (n) *at++ = digits[--n];
	}
	*at = 0;
	return x->path;
}

// all moves `length` bytes between memory and the open file. A file that ends early is an error.
static int all(const beff_paths *x, char *memory, int64_t length, int writes) {
	for (int64_t done = 0; done < length;) {
		ssize_t n = writes ? write(x->fd, memory + done, length - done) : read(x->fd, memory + done, length - done);
		if (n < 0 && errno == EINTR) continue;
		if (n <= 0) return n < 0 ? errno : ENODATA;
		done += n;
	}
	return 0;
}

// list reads all entries of a directory.
static int list(const char *path) {
	DIR *d = opendir(path);
	if (!d) return errno;
	errno = 0;
	while (readdir(d)) {}
	int error = errno;
	return closedir(d) < 0 && !error ? errno : error;
}

// opened stores the descriptor of an opened file.
static int opened(beff_paths *x, int fd) {
	x->fd = fd;
	return fd < 0 ? errno : 0;
}

// beff_path_call makes the system call of stat itself, because the symbol stat is new in glibc 2.33, and a plug-in must
// also run on older versions.
int beff_path_call(const beff_call *c) {
	beff_paths *x = &c->recv->space->paths;
	int fd = x->fd, rc = 0;
	switch (c->op) {
	case BEFF_CREAT: return opened(x, open(beff_path(c->recv), O_WRONLY | O_CREAT | O_TRUNC, file_mode));
	case BEFF_OPEN: return opened(x, open(beff_path(c->recv), O_RDONLY));
	case BEFF_WRITE: return all(x, c->send->addr, c->send->length, 1);
	case BEFF_READ: return all(x, c->send->addr, c->send->length, 0);
	case BEFF_FSYNC: rc = fsync(fd); break;
	case BEFF_CLOSE:
		x->fd = -1;
		rc = close(fd);
		break;
	case BEFF_STAT: {
		struct stat s;
		rc = syscall(SYS_newfstatat, AT_FDCWD, beff_path(c->recv), &s, 0);
		break;
	}
	case BEFF_RENAME: {
		const char *from = beff_path(c->send);
		rc = rename(from, beff_path(c->recv));
		break;
	}
	case BEFF_UNLINK: rc = unlink(beff_path(c->recv)); break;
	case BEFF_MKDIR: rc = mkdir(beff_path(c->recv), directory_mode); break;
	case BEFF_RMDIR: rc = rmdir(beff_path(c->recv)); break;
	case BEFF_READDIR: return list(beff_path(c->recv));
	default: sync();
	}
	return rc < 0 ? errno : 0;
}
