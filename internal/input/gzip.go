package input

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Gzip is the ending of the names of gzip files.
const Gzip = ".gz"

// Uncompressed returns a reader of the uncompressed data if r has the gzip format (RFC 1952). Otherwise packed is
// false, and in reads the same data as r.
func Uncompressed(r io.Reader) (in io.Reader, packed bool, err error) {
	b := bufio.NewReader(r)
	if magic, err := b.Peek(2); err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
		return b, false, nil // the next Read returns the error, if there is one
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, true, inUserWords(err)
	}
	return gzipReader{z}, true, nil
}

// gzipReader reads the data of a gzip file, and returns errors in words for users.
type gzipReader struct{ *gzip.Reader }

func (u gzipReader) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	return n, inUserWords(err)
}

// inUserWords returns an error of package gzip in words for users.
func inUserWords(err error) error {
	switch {
	case err == nil, err == io.EOF:
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the file is truncated: its packed data end early")
	}
	return fmt.Errorf("the file can't be decompressed: %s", strings.TrimPrefix(err.Error(), "gzip: "))
}

// resultEndings are the endings of result files, compressed or not.
var resultEndings = []string{".json", ".json" + Gzip}

// IsResult reports whether a file has the name of a result.
func IsResult(name string) bool { return Stem(name) != name }

// Stem returns the name of a result file without its ending.
func Stem(name string) string {
	for _, ending := range resultEndings {
		if stem, found := strings.CutSuffix(name, ending); found {
			return stem
		}
	}
	return name
}
