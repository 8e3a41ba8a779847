package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Ending of a journal's file name.
const Suffix = ".journal"

// mostBytes is the most that is read of a journal. It is more than the largest result needs.
const mostBytes = 256 << 20

// ErrInUse is the error of a journal that another run writes.
var ErrInUse = errors.New("another run writes it")

// File is a journal that this process alone writes.
type File struct {
	Path string
	f    *os.File
	size int64 // bytes that are whole lines
}

// Open opens a journal or makes it, and locks it until this process ends. It returns the contents, nil of a new file.
// Where another process has the lock, the error is ErrInUse, and the contents name the owner if they can be read.
func Open(path string) (*File, *Journal, error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, nil, err
		}
		locked := lock(f)
		held, err := load(f)
		switch {
		case locked == errLocked, locked != nil && alive(held):
			err = ErrInUse
		case err != nil:
		case !same(f, path):
			f.Close() // its owner has removed it meanwhile
			continue
		default:
			j := &File{Path: path, f: f}
			if held != nil {
				j.size = held.end
			}
			return j, held, nil
		}
		f.Close()
		return nil, held, err
	}
}

// load reads an open journal, nil of an empty one.
func load(f *os.File) (*Journal, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file", f.Name())
	case info.Size() > mostBytes:
		return nil, fmt.Errorf("%s is larger than %d MiB", f.Name(), mostBytes>>20)
	case info.Size() == 0:
		return nil, nil
	}
	text, err := io.ReadAll(io.NewSectionReader(f, 0, mostBytes))
	if err != nil {
		return nil, err
	}
	held, err := Parse(text)
	if err != nil { // a run that was killed before it had written its head
		return nil, nil
	}
	return held, nil
}

// same reports whether a path still names the open file.
func same(f *os.File, path string) bool {
	opened, err1 := f.Stat()
	named, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(opened, named)
}

// Append writes a record at the end. After an error the file is as it was before.
func (j *File) Append(kind Kind, value any) error {
	text, err := line(kind, value)
	if err != nil {
		return err
	}
	if _, err := j.f.WriteAt(text, j.size); err != nil {
		return errors.Join(err, j.f.Truncate(j.size))
	}
	j.size += int64(len(text))
	return nil
}

// Sync returns when all records are on the disk.
func (j *File) Sync() error { return sync(j.f) }

// Trim drops what stands behind the last whole line, and room that was reserved.
func (j *File) Trim() error { return j.f.Truncate(j.size) }

// Clear drops all records.
func (j *File) Clear() error {
	j.size = 0
	return j.f.Truncate(0)
}

// Reserve makes sure that the next bytes have room. Where the file system can't promise it, it does nothing.
func (j *File) Reserve(bytes int64) error { return reserve(j.f, j.size, bytes) }

// Remove removes the file and gives the lock back.
func (j *File) Remove() error { return errors.Join(os.Remove(j.Path), j.f.Close()) }

// Close gives the lock back.
func (j *File) Close() error { return j.f.Close() }
