package pagecache

import (
	"errors"
	"math"
)

// Residency holds how many pages of a file were examined, and how many of these were in memory.
type Residency struct{ Pages, Held int64 }

// ErrUnknown is the error on a system that can't report which pages are in memory.
var ErrUnknown = errors.New("this system can't report which pages of a file are in memory")

// Part is a part of a file: Count chunks of Length bytes, with Distance bytes from the beginning of one to the next.
type Part struct{ Offset, Length, Distance, Count int64 }

// span returns the bytes from the beginning of the first chunk to the end of the last one, in a file of this size.
func (p Part) span(size int64) int64 {
	if p.Count < 1 {
		return 0
	}
	return max(min(p.Offset+(p.Count-1)*p.Distance+p.Length, size)-p.Offset, 0)
}

// overlaps reports whether any byte of a chunk lies between two offsets.
func (p Part) overlaps(begin, end int64) bool {
	chunk := int64(0) // the first one that ends after begin
	if past := begin - p.Offset - p.Length; past >= 0 && p.Distance > 0 {
		chunk = past/p.Distance + 1
	}
	return chunk < p.Count && p.Offset+chunk*p.Distance < end
}

// Parts of up to maxWhole bytes together are examined as a whole. For longer parts, only maxWindows windows of
// windowSize bytes are examined, which are spread evenly.
const (
	windowSize = 1 << 20
	maxWindows = 1024
	maxWhole   = windowSize * maxWindows
)

// windows returns the offsets and the length of the windows to examine in a number of bytes from begin, which must be
// the start of a page. all is the number of bytes in all parts; the parts share maxWindows windows.
func windows(begin, bytes, all int64) (offsets []int64, length int64) {
	n := int64(math.Ceil(maxWindows * float64(bytes) / float64(all)))
	switch {
	case bytes <= 0:
		return nil, 0
	case all <= maxWhole || bytes <= n*windowSize:
		return []int64{begin}, bytes
	}
	for i := range n {
		offsets = append(offsets, begin+(bytes-windowSize)/max(n-1, 1)*i/windowSize*windowSize)
	}
	return offsets, windowSize
}
