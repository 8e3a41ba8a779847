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

// buffers are used again: nothing of a result points into the text it was read from.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// largeSize is the size of texts of which one is in memory at a time, with what is made of it: each may need a
// multiple of its size.
const largeSize = 8 << 20

// largeGarbage is the collector's percentage (runtime/debug.SetGCPercent) from the first large file on. Lists that grow
// leave garbage of several times their size, and so do reports of long lists.
const largeGarbage = 25

var largeFiles sync.Mutex

// lock waits until no other large file is read, if this one is large.
func (f *File) lock(text []byte) {
	if len(text) > largeSize && !f.large {
		largeFiles.Lock()
		f.large = true
		debug.SetGCPercent(largeGarbage)
	}
}

// unlock lets others read a large file. What nobody holds of this one is given back before.
func (f *File) unlock() {
	if f.large {
		f.large = false
		debug.FreeOSMemory()
		largeFiles.Unlock()
	}
}

// mayBeResult returns a function that reports whether a text may be the beginning of a result: of a large one it looks
// at the first part, so that most of what is none is never in memory as a whole.
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

// content reads a file into a buffer, unpacked if it is in gzip's format. Of what begins as no such text does, it reads
// only the beginning.
func content(path string, buffer *[]byte, begins func([]byte) bool) error {
	f, size := os.Stdin, 0
	if path != input.Stdin {
		opened, info, err := input.Open(path)
		if err != nil {
			return cause(err)
		}
		defer opened.Close()
		if info.Size() > mostBytes {
			return errTooLarge
		}
		f, size = opened, int(info.Size())
	}
	in, packed, err := input.Unpacked(f)
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
		case len(data) > mostBytes:
			return errTooLarge
		case err == io.EOF, !begins(data):
			return nil
		case err != nil:
			return cause(err)
		case len(data) == cap(data):
			// at once: io.ReadAll would copy a megabyte several times
			next := size
			if len(data) <= largeSize {
				next = min(size, largeSize+1) // begins looks at it
			}
			data = slices.Grow(data, max(next-len(data), 0)+readSpare)
		}
	}
}

const (
	readSize  = 1 << 20 // what is taken of a file before it is known to be like JSON
	readSpare = 512     // for a last reading that finds the end
)

var errTooLarge = fmt.Errorf("is larger than %d MiB: no result is", mostBytes>>20)

// mayBeJSON reports whether a text begins as JSON may begin (RFC 8259, Sec. 2 and 3).
func mayBeJSON(text []byte) bool {
	rest := bytes.TrimLeft(text, " \t\n\r")
	return len(rest) == 0 || bytes.IndexByte([]byte(`{["-0123456789tfn`), rest[0]) >= 0
}

// Text returns the document in a result file, unpacked if it is in gzip's format.
func Text(path string) ([]byte, error) {
	var text []byte
	if err := content(path, &text, func([]byte) bool { return true }); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}

// cause returns the error without the path, which stands before it anyway.
func cause(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}
