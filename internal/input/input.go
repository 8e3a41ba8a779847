// Package input opens files that users name, and files in the same directories. They may belong to other users, who
// aren't trusted.
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

// Open opens a regular file for reading, and returns an error for anything else: a pipe or a terminal would wait for
// another program, a device may have no end, and opening a device may have an effect. It follows no link that another
// user has put into a directory such as /tmp.
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
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // in case it has become a pipe in the meantime
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
	if info.Size() == 0 { // some of the kernel's files block, such as /proc/kmsg; others ignore the deadline
		_ = f.SetReadDeadline(time.Now().Add(patience))
	}
	return f, info, nil
}

// patience is the time limit for reading a file that blocks.
const patience = time.Second

// regular returns an error unless info describes a regular file.
func regular(path string, info fs.FileInfo) error {
	if kind := kindOf(info); kind != "" {
		return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("is %s: only files are read", kind)}
	}
	return nil
}

// kindOf returns the kind of a file that isn't regular, such as "a pipe", and "" for a regular file.
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

// ReadAll returns the contents of a file, which may have at most most bytes.
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
