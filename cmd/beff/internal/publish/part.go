package publish

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"

	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/rating/journal"
)

// Part is the next version of a file, which is written next to it.
type Part struct {
	*os.File
	name string
}

// NewPart begins the next version of a file.
func NewPart(name string) (*Part, error) {
	name, _, err := input.OutputTarget(name)
	if err != nil {
		return nil, err
	}
	f, err := newPart(name)
	if err != nil {
		return nil, err
	}
	return &Part{f, name}, nil
}

// Keep gives the part the file's name. It removes the part after an error.
func (p *Part) Keep() error {
	err := p.Sync()
	if err == nil {
		err = os.Rename(p.Name(), p.name)
	}
	if err != nil {
		p.Drop()
		return err
	}
	forget(p.Name())
	syncDirectory(filepath.Dir(p.name))
	return p.Close() // and not before: the lock protects the part's name
}

// Drop removes the part and leaves the file unchanged.
func (p *Part) Drop() {
	remove(p.Name())
	p.Close()
}

// unfinished holds the names of the parts that this process writes, and the parts that others have left, for each
// directory to which it writes.
var unfinished = struct {
	sync.Mutex
	own  map[string]bool
	left map[string][]string
}{own: map[string]bool{}, left: map[string][]string{}}

// partName matches the name of a part, which begins with the name of the file.
var partName = regexp.MustCompile(`^.+\.[a-z2-7]{8}\.part$`)

// newPart creates a file next to another one for its next version. Its name is unique, because another run with the
// same output may write at the same time. It is locked until it is closed. A part without a lock was left by a killed
// process, and the next process that writes the same file removes it.
func newPart(name string) (*os.File, error) {
	unfinished.Lock()
	defer unfinished.Unlock()
	sweep(name)
	for {
		own := fmt.Sprintf("%s.%s.part", name, strings.ToLower(rand.Text()[:8]))
		f, err := os.OpenFile(own, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return nil, err
		}
		locked := journal.Lock(f)
		opened, err1 := f.Stat()
		named, err2 := os.Lstat(own)
		if locked != journal.ErrLocked && err1 == nil && err2 == nil && os.SameFile(opened, named) {
			unfinished.own[own] = true
			return f, nil
		}
		f.Close() // another process took it for an abandoned one before it was locked
	}
}

// sweep removes the parts of a file that killed processes have left. It searches each directory once. On systems
// without locks it removes nothing.
func sweep(name string) {
	dir := filepath.Dir(name)
	left, known := unfinished.left[dir]
	if !known {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if e.Type().IsRegular() && partName.MatchString(e.Name()) {
				left = append(left, e.Name())
			}
		}
		unfinished.left[dir] = left
	}
	for _, part := range left {
		if len(part) != len(filepath.Base(name))+len(".abcdefgh.part") ||
			!strings.HasPrefix(part, filepath.Base(name)+".") {
			continue
		}
		path := filepath.Join(dir, part)
		if f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0); err == nil {
			if journal.Lock(f) == nil {
				os.Remove(path)
			}
			f.Close()
		}
	}
}

// remove removes a part of this process.
func remove(part string) error {
	forget(part)
	return os.Remove(part)
}

func forget(part string) {
	unfinished.Lock()
	defer unfinished.Unlock()
	delete(unfinished.own, part)
}

// Abandon removes the parts that this process writes. No parts can be created afterwards: the process ends at once.
func Abandon() {
	unfinished.Lock()
	for name := range unfinished.own {
		os.Remove(name)
	}
}
