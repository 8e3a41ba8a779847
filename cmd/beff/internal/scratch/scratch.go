// Package scratch creates a private directory for the files of a run and removes it at the end, so that a run leaves
// nothing on shared storage.
package scratch

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// prefix begins the names of all scratch directories, so that a leftover one can be recognized.
const prefix = "beff-io-"

// Dir is a directory created by Make.
type Dir struct {
	Path   string
	parent *os.Root
	info   os.FileInfo // identifies the directory, because another directory with its name must not be removed
	guard  io.Closer   // the guard's standard input, whose end makes it act (nil: no guard)
	once   sync.Once
	err    error
}

// Left returns the names of the scratch directories in a directory, including those of current runs.
func Left(parent string) (names []string) {
	entries, _ := os.ReadDir(parent) // an unreadable directory has none
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), prefix) {
			names = append(names, e.Name())
		}
	}
	return names
}

// Make creates a directory of mode 0700 in parent, which may be a symbolic link. Below parent it follows no links and
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
	d := &Dir{Path: filepath.Join(where, name), parent: root}
	return d.identify()
}

// identify records the identity of the directory.
func (d *Dir) identify() (*Dir, error) {
	var err error
	if d.info, err = d.parent.Lstat(filepath.Base(d.Path)); err != nil {
		d.parent.Close()
		return nil, fmt.Errorf("scratch directory: %w", err)
	}
	return d, nil
}

// remove removes the directory if it still has its name.
func (d *Dir) remove() error {
	name := filepath.Base(d.Path)
	info, err := d.parent.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !os.SameFile(info, d.info):
		err = errors.New("another directory has its name")
	case err == nil:
		err = d.parent.RemoveAll(name)
	}
	if err != nil {
		return fmt.Errorf("remove %s: %w", d.Path, err)
	}
	return nil
}

// Remove removes the directory with its contents, without following symbolic links. Only the first call has an effect,
// later ones return its error. Any goroutine may call it, even while files are still written.
func (d *Dir) Remove() error {
	d.once.Do(func() {
		d.err = d.remove()
		d.parent.Close()
		if d.guard != nil {
			d.guard.Close() // it tries again if this process failed
		}
	})
	return d.err
}

// Adopt returns the directory at a path that Make returned in another process, so that this process can remove it.
func Adopt(path string) (*Dir, error) {
	if !strings.HasPrefix(filepath.Base(path), prefix) {
		return nil, fmt.Errorf("%s is not a scratch directory", path)
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("scratch directory: %w", err)
	}
	d := &Dir{Path: path, parent: root}
	return d.identify()
}
