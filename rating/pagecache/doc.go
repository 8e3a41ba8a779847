// Package pagecache tells how much of a file the memory of this machine holds, and drops it there, by what any user may
// do with files of his own: mincore, fsync and posix_fadvise. It sees the page cache of this machine's kernel alone:
// not the caches of servers and devices, nor those of file systems that keep their own (GPFS' page pool).
package pagecache

import (
	"errors"
	"math"
)

// Seen is what was seen of a file's pages: how many were looked at, and how many of these were in memory.
type Seen struct{ Pages, Held int64 }

// ErrUnknown is the error of a system that can't tell.
var ErrUnknown = errors.New("this system doesn't tell which pages of a file are in memory")

// Part is a part of a file: so many chunks of a length, and the distance from the beginning of one to that of the next.
type Part struct{ Offset, Length, Distance, Count int64 }

// span returns the bytes from the first chunk's beginning to the last one's end, in a file of a size.
func (p Part) span(size int64) int64 {
	if p.Count < 1 {
		return 0
	}
	return max(min(p.Offset+(p.Count-1)*p.Distance+p.Length, size)-p.Offset, 0)
}

// has reports whether there is a byte of a chunk between two offsets.
func (p Part) has(begin, end int64) bool {
	chunk := int64(0) // the first one that ends behind begin
	if into := begin - p.Offset - p.Length; into >= 0 && p.Distance > 0 {
		chunk = into/p.Distance + 1
	}
	return chunk < p.Count && p.Offset+chunk*p.Distance < end
}

// Of parts that are longer than whole together, windows are looked at, which are spread evenly.
const (
	window  = 1 << 20
	windows = 1024
	whole   = window * windows
)

// looked returns the offsets of the windows of some bytes of a file that begin at a whole page, and the windows'
// length. They are a share of all bytes that are looked at.
func looked(begin, bytes, all int64) (offsets []int64, length int64) {
	n := int64(math.Ceil(windows * float64(bytes) / float64(all)))
	switch {
	case bytes <= 0:
		return nil, 0
	case all <= whole || bytes <= n*window:
		return []int64{begin}, bytes
	}
	for i := range n {
		offsets = append(offsets, begin+(bytes-window)/max(n-1, 1)*i/window*window)
	}
	return offsets, window
}
