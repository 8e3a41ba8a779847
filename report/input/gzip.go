package input

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Gzip is the ending of files in gzip's format.
const Gzip = ".gz"

// Unpacked returns a reader of what a file holds that is in gzip's format (RFC 1952), whatever its name is; else of the
// file as it is, and packed is false.
func Unpacked(f io.ReadSeeker) (r io.Reader, packed bool, err error) {
	var magic [2]byte
	n, err := io.ReadFull(f, magic[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, false, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, false, err
	}
	if n < len(magic) || magic != [2]byte{0x1f, 0x8b} {
		return f, false, nil
	}
	z, err := gzip.NewReader(f)
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
