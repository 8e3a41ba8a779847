package local

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxVector is the largest number of pieces of memory that one call may move (IOV_MAX).
const maxVector = 1024

// moveVector calls pwritev or preadv. It doesn't use the functions of package unix, because they allocate a list of the
// pieces in each call.
func moveVector(fd int, pieces []unix.Iovec, at int64, write bool) (int, error) {
	call := uintptr(unix.SYS_PREADV)
	if write {
		call = unix.SYS_PWRITEV
	}
	low, high := uintptr(at), uintptr(uint64(at)>>(8*unix.SizeofLong-1)>>1)
	n, _, err := unix.Syscall6(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(pieces))),
		uintptr(len(pieces)), low, high, 0)
	if err != 0 {
		return 0, err
	}
	return int(n), nil
}
