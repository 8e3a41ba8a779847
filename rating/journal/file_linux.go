package journal

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// ErrLocked is the error of a file that another process has locked.
var ErrLocked = unix.EWOULDBLOCK

// Lock locks an open file until it is closed or the process ends. On NFS it is a lock of the server (flock(2), "NFS
// details"). Any error but ErrLocked means that the file system has no locks.
func Lock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// alive reports whether the owner of a journal may still run, for file systems without locks. For an owner on another
// host this isn't known, so its journal is in use unless it was ended.
func alive(held *Journal) bool {
	if held == nil || held.Ended {
		return false
	}
	host, err := os.Hostname()
	return err != nil || host != held.Head.Owner.Host || !errors.Is(syscall.Kill(held.Head.Owner.PID, 0), syscall.ESRCH)
}

// sync writes a file's data, and the length of the file, to the disk.
func sync(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }

// reserve allocates bytes after the end of a file. File systems without that call promise nothing.
func reserve(f *os.File, size, bytes int64) error {
	err := unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, size, bytes)
	if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) || errors.Is(err, unix.EFBIG) {
		return err
	}
	return nil
}
