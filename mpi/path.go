package mpi

import (
	"fmt"
	"strconv"
)

// FileSystem is implemented by an Engine whose processes can make the C library's calls on paths.
type FileSystem interface {
	// NewPaths returns a space of paths. It touches no file.
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

// PathList defines the paths of Paths: Per paths with each of the prefixes, each followed by the path's number.
type PathList struct {
	Prefixes []string
	Per      int64
	// Bare leaves out the numbers.
	Bare bool
	// Order holds the number of the path at each position. If it is nil, the numbers are the positions.
	Order []int64
}

// Size returns the number of paths.
func (l *PathList) Size() int64 { return int64(len(l.Prefixes)) * l.Per }

// Path returns the path at a position.
func (l *PathList) Path(at int64) string {
	if l.Order != nil {
		at = l.Order[at]
	}
	path := l.Prefixes[at/l.Per]
	if l.Bare {
		return path
	}
	return path + strconv.FormatInt(at, 10)
}

// Longest returns an upper limit of the bytes of a path.
func (l *PathList) Longest() (most int) {
	const number = 20
	for _, prefix := range l.Prefixes {
		most = max(most, len(prefix)+number)
	}
	return most
}

// Check returns an error if the list has no paths, or if Order doesn't number them.
func (l *PathList) Check() error {
	switch {
	case len(l.Prefixes) == 0 || l.Per < 1:
		return fmt.Errorf("paths: %d prefixes, %d paths with each", len(l.Prefixes), l.Per)
	case l.Order != nil && int64(len(l.Order)) != l.Size():
		return fmt.Errorf("paths: an order of %d, of %d paths", len(l.Order), l.Size())
	}
	for _, at := range l.Order {
		if at < 0 || at >= l.Size() {
			return fmt.Errorf("paths: number %d of %d", at, l.Size())
		}
	}
	return nil
}
