package mpi

import (
	"fmt"
	"strconv"
)

// FileSystem is implemented by an Engine whose processes can make the C library's calls on paths.
type FileSystem interface {
	// NewPaths returns a space of the paths that the list defines, or the error of PathList.Check. It touches no file.
	NewPaths(PathList) (Paths, error)
}

// Paths is a Space with a path at each position. A Place in it is one path, with Length 1. A file that a call opens
// stays open until another call closes it.
type Paths interface {
	Space
	// Path returns the path at a position.
	Path(at int64) string
	// Free releases the memory of the space. The files stay.
	Free()
}

// PathList defines the paths of Paths. Each path is a prefix followed by the path's number. The paths are numbered from
// 0, first all paths with the first prefix.
type PathList struct {
	Prefixes []string
	// PerPrefix is the number of paths with each prefix.
	PerPrefix int64
	// Unnumbered is true if the paths have no numbers.
	Unnumbered bool
	// Order holds the number of the path at each position. If it is nil, the path at a position has its number.
	Order []int64
}

// Size returns the number of paths.
func (l *PathList) Size() int64 { return int64(len(l.Prefixes)) * l.PerPrefix }

// Path returns the path at a position.
func (l *PathList) Path(at int64) string {
	if l.Order != nil {
		at = l.Order[at]
	}
	path := l.Prefixes[at/l.PerPrefix]
	if l.Unnumbered {
		return path
	}
	return path + strconv.FormatInt(at, 10)
}

// MaxLength returns an upper limit of the length of a path in bytes.
func (l *PathList) MaxLength() (most int) {
	const digits = 20
	for _, prefix := range l.Prefixes {
		most = max(most, len(prefix)+digits)
	}
	return most
}

// Check returns an error if the list has no paths, or if Order has a wrong length or a number that no path has.
func (l *PathList) Check() error {
	switch {
	case len(l.Prefixes) == 0 || l.PerPrefix < 1:
		return fmt.Errorf("paths: %d prefixes with %d paths each: want at least 1", len(l.Prefixes), l.PerPrefix)
	case l.Order != nil && int64(len(l.Order)) != l.Size():
		return fmt.Errorf("paths: the order has %d numbers for %d paths", len(l.Order), l.Size())
	}
	for _, number := range l.Order {
		if number < 0 || number >= l.Size() {
			return fmt.Errorf("paths: the order has number %d, but there are %d paths", number, l.Size())
		}
	}
	return nil
}
