package input

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Gzip is the ending of files in gzip's format.
const Gzip = ".gz"

// Unpacked returns a reader of what is packed in gzip's format (RFC 1952), whatever its name is; else of the contents
// as they are, and packed is false.
func Unpacked(r io.Reader) (in io.Reader, packed bool, err error) {
	b := bufio.NewReader(r)
	if magic, err := b.Peek(2); err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
		return b, false, nil // what can't be read is said by the next reading
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, true, gzipped(err)
	}
	return unpacked{z}, true, nil
}

// unpacked reads what is packed, and says of errors what they are of.
type unpacked struct{ *gzip.Reader }

func (u unpacked) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	return n, gzipped(err)
}

// gzipped returns an error of what is packed in words.
func gzipped(err error) error {
	switch {
	case err == nil, err == io.EOF:
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the file is truncated: its packed data end early")
	}
	return fmt.Errorf("it can't be unpacked: %s", strings.TrimPrefix(err.Error(), "gzip: "))
}

// resultEndings are those of result files, packed or not.
var resultEndings = []string{".json", ".json" + Gzip}

// IsResult reports whether a file is named as results are.
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
