// Package pagecache tells how much of a file the memory of this machine holds, and drops it there, by what any user may
// do with files of his own: mincore, fsync and posix_fadvise. It sees the page cache of this machine's kernel alone:
// not the caches of servers and devices, nor those of file systems that keep their own (GPFS' page pool).
package pagecache

import "errors"

// Seen is what was seen of a file's pages: how many were looked at, and how many of these were in memory.
type Seen struct{ Pages, Held int64 }

// ErrUnknown is the error of a system that can't tell.
var ErrUnknown = errors.New("this system doesn't tell which pages of a file are in memory")

// Of longer files than whole, windows are looked at, which are spread evenly.
const (
	window  = 1 << 20
	windows = 1024
	whole   = window * windows
)

// looked returns the offsets of the windows of a file of a size, and their length.
func looked(size int64) (offsets []int64, length int64) {
	switch {
	case size <= 0:
		return nil, 0
	case size <= whole:
		return []int64{0}, size
	}
	for i := range int64(windows) {
		offsets = append(offsets, (size-window)/(windows-1)*i/window*window)
	}
	return offsets, window
}
