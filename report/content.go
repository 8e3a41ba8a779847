package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/effective-bandwidth/beff/internal/input"
)

// buffers are reused: no part of a result points into the text that it was decoded from.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// largeSize is the number of bytes from which texts are held in memory one at a time, together with their results,
// because a result may need a multiple of its text's size.
const largeSize = 8 << 20

// largeGarbage is the collector's percentage (runtime/debug.SetGCPercent) after the first large file. Growing lists
// leave garbage of several times their size, and so do reports of long lists.
const largeGarbage = 25

var largeFiles sync.Mutex

// lock waits until no other large file is being read, if this file is large.
func (f *File) lock(text []byte) {
	if len(text) > largeSize && !f.large {
		largeFiles.Lock()
		f.large = true
		debug.SetGCPercent(largeGarbage)
	}
}

// unlock lets others read a large file, after returning this one's unused memory to the system.
func (f *File) unlock() {
	if f.large {
		f.large = false
		debug.FreeOSMemory()
		largeFiles.Unlock()
	}
}

// mayBeResult returns a function that reports whether a text may be the beginning of a result. It checks the first part
// of a large text, so that most large files that aren't results never are in memory as a whole.
func (f *File) mayBeResult() func([]byte) bool {
	looked := false
	return func(text []byte) bool {
		f.lock(text)
		if looked || len(text) <= largeSize {
			return mayBeJSON(text)
		}
		looked = true
		kind, err := find(text)
		return err == nil && kind.shape().CheckBegin(text[:readSize]) == nil
	}
}

// content reads a file into a buffer, decompressed if it is in gzip's format. If begins rejects the beginning, content
// reads no further.
func content(path string, buffer *[]byte, begins func([]byte) bool) error {
	f, size := os.Stdin, 0
	if path != input.Stdin {
		opened, info, err := input.Open(path)
		if err != nil {
			return cause(err)
		}
		defer opened.Close()
		if info.Size() > maxBytes {
			return errTooLarge
		}
		f, size = opened, int(info.Size())
	}
	in, packed, err := input.Uncompressed(f)
	if err != nil {
		return cause(err)
	}
	if packed {
		size = readSize
	}
	data := slices.Grow((*buffer)[:0], min(size, readSize)+readSpare)
	defer func() { *buffer = data }()
	for {
		n, err := in.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case len(data) > maxBytes:
			return errTooLarge
		case err == io.EOF, !begins(data):
			return nil
		case err != nil:
			return cause(err)
		case len(data) == cap(data):
			// in one step: io.ReadAll would copy a megabyte several times
			next := size
			if len(data) <= largeSize {
				next = min(size, largeSize+1) // begins checks it
			}
			data = slices.Grow(data, max(next-len(data), 0)+readSpare)
		}
	}
}

const (
	readSize  = 1 << 20 // size of the beginning that is read first
	readSpare = 512     // for the last read, which finds the end
)

var errTooLarge = fmt.Errorf("is larger than %d MiB, the limit for results", maxBytes>>20)

// mayBeJSON reports whether a text begins as JSON may begin (RFC 8259, Sec. 2 and 3).
func mayBeJSON(text []byte) bool {
	rest := bytes.TrimLeft(text, " \t\n\r")
	return len(rest) == 0 || bytes.IndexByte([]byte(`{["-0123456789tfn`), rest[0]) >= 0
}

// cause returns an error without the path, since the caller adds it.
func cause(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}
