// Package pagecache reports how much of a file this machine holds in memory, and drops it from there, by calls that any
// user may make on his own files: mincore, fsync and posix_fadvise. It sees only the page cache of this machine's
// kernel. It doesn't see the caches of servers and devices, or of file systems that keep their own (GPFS' page pool).
package pagecache

import (
	"errors"
	"math"
)

// Residency holds how many pages of a file were examined, and how many of these were in memory.
type Residency struct{ Pages, Held int64 }

// ErrUnknown is the error on a system that can't report which pages are in memory.
var ErrUnknown = errors.New("this system doesn't tell which pages of a file are in memory")

// Part is a part of a file: Count chunks of Length bytes, with Distance bytes from the beginning of one to the next.
type Part struct{ Offset, Length, Distance, Count int64 }

// span returns the bytes from the beginning of the first chunk to the end of the last one, in a file of this size.
func (p Part) span(size int64) int64 {
	if p.Count < 1 {
		return 0
	}
	return max(min(p.Offset+(p.Count-1)*p.Distance+p.Length, size)-p.Offset, 0)
}

// has reports whether any byte of a chunk lies between two offsets.
func (p Part) has(begin, end int64) bool {
	chunk := int64(0) // the first one that ends after begin
	if into := begin - p.Offset - p.Length; into >= 0 && p.Distance > 0 {
		chunk = into/p.Distance + 1
	}
	return chunk < p.Count && p.Offset+chunk*p.Distance < end
}

// If the parts are longer than whole together, only windows are examined, which are spread evenly.
const (
	window  = 1 << 20
	windows = 1024
	whole   = window * windows
)

// looked returns the offsets and the length of the windows to examine in bytes of a file, from begin, a whole page. all
// is the number of bytes of all parts, which share the windows.
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
