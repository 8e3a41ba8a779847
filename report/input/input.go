// Package input opens files that users name, or that lie beside these. They may be strangers'.
package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Stdin is the word for standard input.
const Stdin = "-"

// Open opens a file to be read. Anything else is never opened: a pipe or a terminal would wait for another program, a
// device may have no end, and opening one may do something.
func Open(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if named := (*fs.PathError)(nil); errors.As(err, &named) {
		named.Op = "open" // as if it had been opened
	}
	if err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // if it has become a pipe meanwhile
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = regular(path, info)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// regular returns an error unless it is a file.
func regular(path string, info fs.FileInfo) error {
	kind := "a device"
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		kind = "a directory"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	}
	return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("is %s: only files are read", kind)}
}

// ReadAll returns the text of a file, of most bytes at most.
func ReadAll(path string, most int64) ([]byte, error) {
	f, info, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > most {
		return nil, fmt.Errorf("is longer than %d bytes", most)
	}
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("is longer than %d bytes", most)
	}
	return text, err
}
