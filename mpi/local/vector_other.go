//go:build !linux

package local

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxVector is the largest number of pieces of memory that one call may move.
const maxVector = 1

// moveVector reads or writes a single piece at an offset of the file. It returns the number of bytes moved.
func moveVector(fd int, pieces []unix.Iovec, at int64, write bool) (int, error) {
	data := unsafe.Slice(pieces[0].Base, pieces[0].Len)
	if write {
		return unix.Pwrite(fd, data, at)
	}
	return unix.Pread(fd, data, at)
}
