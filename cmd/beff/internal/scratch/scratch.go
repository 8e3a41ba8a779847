// Package scratch makes a new private directory for the files of a run and removes it at the end, so that a run leaves
// nothing on shared storage.
package scratch

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// prefix begins the names of all scratch directories, so that a leftover one can be recognized.
const prefix = "beff-io-"

// Dir is a directory made by Make.
type Dir struct {
	Path   string
	parent *os.Root
	guard  io.Closer // the guard's standard input: the guard acts when it is closed; nil: there is no guard
	once   sync.Once
	err    error
}

// Make makes a new directory of mode 0700 in parent, which may be a symbolic link. Below parent it follows no links and
// reuses nothing.
func Make(parent string) (*Dir, error) {
	where, err := filepath.EvalSymlinks(parent)
	if err == nil {
		where, err = filepath.Abs(where)
	}
	if err != nil {
		return nil, fmt.Errorf("scratch directory: %w", err)
	}
	root, err := os.OpenRoot(where)
	if err != nil {
		return nil, fmt.Errorf("scratch directory: %w", err)
	}
	name := prefix + strings.ToLower(rand.Text()[:12])
	if err := root.Mkdir(name, 0o700); err != nil {
		root.Close()
		return nil, fmt.Errorf("scratch directory in %s: %w", where, err)
	}
	return &Dir{Path: filepath.Join(where, name), parent: root}, nil
}

// Remove removes the directory with its contents, without following symbolic links. Only the first call has an effect,
// later ones return its error. Any goroutine may call it, even while files are still written.
func (d *Dir) Remove() error {
	d.once.Do(func() {
		d.err = d.parent.RemoveAll(filepath.Base(d.Path))
		d.parent.Close()
		if d.guard != nil {
			d.guard.Close() // it tries again if this process failed
		}
		if d.err != nil {
			d.err = fmt.Errorf("remove %s: %w", d.Path, d.err)
		}
	})
	return d.err
}

// Adopt returns the directory at a path that Make returned in another process, so that this process can remove it.
func Adopt(path string) (*Dir, error) {
	if !strings.HasPrefix(filepath.Base(path), prefix) {
		return nil, fmt.Errorf("scratch directory: %s is none", path)
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("scratch directory: %w", err)
	}
	if _, err := root.Lstat(filepath.Base(path)); err != nil {
		root.Close()
		return nil, fmt.Errorf("scratch directory: %w", err)
	}
	return &Dir{Path: path, parent: root}, nil
}
