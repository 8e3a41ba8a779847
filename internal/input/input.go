// Package input opens files that users name, or that lie beside these. They may be strangers'.
package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// Stdin is the word for standard input.
const Stdin = "-"

// Open opens a file to be read. Anything else is never opened: a pipe or a terminal would wait for another program, a
// device may have no end, and opening one may do something. Nor is what a stranger's link in a directory such as /tmp
// names.
func Open(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if named := (*fs.PathError)(nil); errors.As(err, &named) {
		named.Op = "open" // as if it had been opened
	}
	if err == nil {
		err = regular(path, info)
	}
	if err == nil {
		_, err = follow(path, false)
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
	if info.Size() == 0 { // the kernel has files to wait for, such as /proc/kmsg; others have no deadline
		_ = f.SetReadDeadline(time.Now().Add(patience))
	}
	return f, info, nil
}

// patience is how long a file is waited for that has no end.
const patience = time.Second

// regular returns an error unless it is a file.
func regular(path string, info fs.FileInfo) error {
	if kind := kindOf(info); kind != "" {
		return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("is %s: only files are read", kind)}
	}
	return nil
}

// kindOf returns what something is that is no file; empty: it is one.
func kindOf(info fs.FileInfo) string {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return ""
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// ReadAll returns the text of a file, of most bytes at most.
func ReadAll(path string, most int64) ([]byte, error) {
	f, info, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	tooLong := &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("is longer than %d bytes", most)}
	if info.Size() > most {
		return nil, tooLong
	}
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = tooLong
	}
	return text, err
}
