// Package imports has the table of formats of other programs that become results, which is what `beff import` reads. A
// further program is a row in report/format/tools, with a file there; one whose results become ours has a row here.
package imports

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/report"
	imbtext "github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/format/sum21"
	"github.com/effective-bandwidth/beff/report/format/tools"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

// Format is a row of the table.
type Format struct {
	Program string
	Reads   string                 // which of its output, in words
	Is      func(head []byte) bool // reports whether a file is of it, by its first tools.Head bytes
	Read    func(rd io.Reader, name string) (report.Report, error)
}

// Formats returns all formats. A file is of the first one that recognises it.
func Formats() []Format {
	list := []Format{
		{"b_eff_io 2.1", ".sum file", func(head []byte) bool { return strings.HasPrefix(string(head), "b_eff_io.c,") },
			func(rd io.Reader, name string) (report.Report, error) {
				r, err := sum21.Read(rd, name)
				return ofbeffio.Report{Result: r}, err
			}},
	}
	for of := range lists.Elements(tools.Readers) {
		list = append(list, Format{of.Program, of.Reads, of.Recognises,
			func(rd io.Reader, name string) (report.Report, error) {
				r, err := of.Read(rd, name)
				return offoreign.Report{Result: r}, err
			}})
	}
	return append(list, Format{"Intel MPI Benchmarks (IMB)", "text of versions 3.2 to 2021, and our own in its form",
		imbtext.Is, func(rd io.Reader, name string) (report.Report, error) {
			r, err := imbtext.Read(rd, name)
			return ofprobe.Report{Result: r}, err
		}})
}

// Names returns the programs with what is read of each, in words.
func Names() []string {
	return lists.Each(Formats(), func(f Format) string { return f.Program + " (" + f.Reads + ")" })
}

// ErrUnknown is the error of a file that no format recognises.
var ErrUnknown = errors.New("its format isn't known")

// Read reads a file of any format. The result names its source by name. An error names the line, not the file.
func Read(rd io.Reader, name string) (report.Report, error) {
	in := bufio.NewReaderSize(&limited{Reader: rd}, tools.Head)
	head, err := in.Peek(tools.Head)
	if err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, err
	}
	for _, f := range Formats() {
		if !f.Is(head) {
			continue
		}
		r, err := f.Read(in, name)
		if err != nil {
			return nil, err
		}
		return r, nil
	}
	if len(head) == 0 {
		return nil, errors.New("it is empty")
	}
	return nil, fmt.Errorf("%w: known is output of %s", ErrUnknown, strings.Join(Names(), ", "))
}

// Of a file, which may have no end, most bytes are read: more than any of these programs prints in a run. From many on
// the collector works harder, as lists that grow leave garbage of several times their size.
const (
	most    = 64 << 20
	many    = 4 << 20
	garbage = 25
)

// limited is a reader of most bytes.
type limited struct {
	io.Reader
	n int
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if l.n <= many && l.n+n > many {
		debug.SetGCPercent(garbage)
	}
	if l.n += n; l.n > most {
		return 0, fmt.Errorf("it is larger than %d MiB: no output of these programs is", most>>20)
	}
	return n, err
}
