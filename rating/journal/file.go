package journal

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Suffix is the ending of a journal's file name.
const Suffix = ".journal"

// maxBytes is the largest size of a journal that is read. It is more than the largest result needs.
const maxBytes = 256 << 20

// ErrInUse is the error for a journal that another run writes.
var ErrInUse = errors.New("another run writes it")

// File is a journal that only this process writes.
type File struct {
	Path  string
	f     *os.File
	size  int64  // bytes of whole lines
	id    string // id of the head that this process has written, or empty
	mine  bool   // this process has created the file, or written a head
	named bool   // the directory entry is on the disk
}

// Open opens a journal or creates it, and locks it until this process ends. It returns the contents, or nil for a new
// file. If another process has the lock, the error is ErrInUse, and the contents name the owner if they can be read. A
// file without a readable head gives a HeadError and is not changed, but with force such a journal is opened as if it
// were new.
func Open(path string, force bool) (*File, *Journal, error) {
	for {
		f, made, err := openOrMake(path)
		if err != nil {
			return nil, nil, err
		}
		locked := Lock(f)
		held, err := load(f)
		if head := (*HeadError)(nil); errors.As(err, &head) && force && head.Own {
			held, err = nil, nil
		}
		switch {
		case locked == ErrLocked, locked != nil && alive(held):
			err = ErrInUse
		case err != nil:
		case !same(f, path):
			f.Close() // its owner has removed it meanwhile
			continue
		default:
			j := &File{Path: path, f: f, mine: made}
			if held != nil {
				j.size = held.end
			}
			return j, held, nil
		}
		f.Close()
		return nil, held, err
	}
}

// openOrMake opens a file, or creates it.
func openOrMake(path string) (f *os.File, made bool, err error) {
	f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if made = err == nil; errors.Is(err, os.ErrExist) {
		f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	}
	return f, made, err
}

// load reads an open journal. It returns nil for an empty one.
func load(f *os.File) (*Journal, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", f.Name())
	case info.Size() > maxBytes:
		return nil, fmt.Errorf("%s is larger than %d MiB", f.Name(), maxBytes>>20)
	}
	text, err := io.ReadAll(io.NewSectionReader(f, 0, maxBytes))
	if err != nil {
		return nil, err
	}
	held, err := Parse(text)
	switch {
	case err == ErrEmpty:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return held, nil
}

// same reports whether a path still names the open file.
func same(f *os.File, path string) bool {
	opened, err1 := f.Stat()
	named, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(opened, named)
}

// Begin writes the head of a part of a run, to which its records refer. The head is written twice, so that no single
// damaged line loses both copies.
func (j *File) Begin(head Head) error {
	head.Form, head.ID = form, strings.ToLower(rand.Text()[:8])
	text, err := line(Heads, "", head)
	if err == nil {
		err = j.f.Truncate(j.size) // drops unreadable text at the end
	}
	if err == nil {
		err = j.write(append(text, text...))
	}
	if err == nil {
		j.id, j.mine = head.ID, true
	}
	return err
}

// Append writes a record at the end. After an error the file is as it was before. Call Begin first.
func (j *File) Append(kind Kind, value any) error {
	if j.id == "" {
		return fmt.Errorf("journal %s: a record before its header", j.Path)
	}
	text, err := line(kind, j.id, value)
	if err != nil {
		return err
	}
	return j.write(text)
}

func (j *File) write(text []byte) error {
	if _, err := j.f.WriteAt(text, j.size); err != nil {
		return errors.Join(err, j.f.Truncate(j.size))
	}
	j.size += int64(len(text))
	return nil
}

// Size returns the number of bytes written.
func (j *File) Size() int64 { return j.size }

// Sync returns when all records and the name of the file are on the disk.
func (j *File) Sync() error {
	if err := sync(j.f); err != nil || j.named {
		return err
	}
	dir, err := os.Open(filepath.Dir(j.Path))
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
		return err // some file systems can't sync a directory (fsync(2), EINVAL)
	}
	j.named = true
	return nil
}

// Lost reports whether the journal's name is gone, or now belongs to another file, because somebody has removed or
// moved the journal or its directory.
func (j *File) Lost() bool {
	opened, err1 := j.f.Stat()
	named, err2 := os.Stat(j.Path)
	gone := errors.Is(err2, os.ErrNotExist) || errors.Is(err2, syscall.ENOTDIR)
	return gone || err1 == nil && err2 == nil && !os.SameFile(opened, named)
}

// Renew recreates the journal with all of its records, and its directory, at a path that has no file. The error is
// os.ErrExist or ErrInUse if there is one.
func (j *File) Renew(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if Lock(f) == ErrLocked {
		f.Close()
		return ErrInUse
	}
	next := &File{Path: path, f: f, size: j.size, id: j.id, mine: true}
	_, err = io.Copy(io.NewOffsetWriter(f, 0), io.NewSectionReader(j.f, 0, j.size))
	if err == nil {
		err = next.Sync()
	}
	if err != nil {
		return errors.Join(err, next.Remove())
	}
	j.f.Close()
	*j = *next
	return nil
}

// Trim drops everything after the last whole line, including reserved space.
func (j *File) Trim() error { return j.f.Truncate(j.size) }

// Clear drops all records.
func (j *File) Clear() error {
	j.size, j.mine = 0, true
	return j.f.Truncate(0)
}

// Reserve makes sure that the disk has space for the next bytes, if the file system can promise that.
func (j *File) Reserve(bytes int64) error { return reserve(j.f, j.size, bytes) }

// Remove removes the file and releases the lock. It doesn't remove a file that this process has neither created nor
// begun, or another file that has taken its name.
func (j *File) Remove() error {
	if !j.mine || j.Lost() {
		return j.f.Close()
	}
	return errors.Join(os.Remove(j.Path), j.f.Close())
}

// Close releases the lock.
func (j *File) Close() error { return j.f.Close() }
