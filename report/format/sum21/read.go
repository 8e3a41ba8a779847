package sum21

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/report/lazy"
	"github.com/effective-bandwidth/beff/report/words"
)

// Read reads a .sum file of HLRS release 2.1, or one that Write wrote. The result names its source by name. It has the
// bandwidths of the table, in bytes per second, and the chunk sizes found there. Bytes, calls and times are not known.
// A file that contradicts itself by more than its three decimals explain is refused. The error names the line, not the
// file. Missing lines and figures leave the result incomplete, and a warning names them.
func Read(rd io.Reader, name string) (*beffio.Result, error) {
	f := &file{byProcesses: map[int]*summary{}, seen: map[string]int{}}
	if err := f.all(rd); err != nil {
		if f.line == 0 {
			return nil, err
		}
		return nil, fmt.Errorf("line %d: %w", f.line, err)
	}
	f.remark(name)
	if err := f.r.Check(); err != nil {
		return nil, err
	}
	return &f.r, nil
}

// all reads the lines, makes the result of them and proves it.
func (f *file) all(rd io.Reader) error {
	lines := bufio.NewScanner(rd)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		f.line++
		if err := f.read(strings.TrimRight(lines.Text(), "\r")); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		f.line++ // the one that could not be read
		return err
	}
	switch {
	case f.line == 0:
		return fmt.Errorf("the file is empty")
	case len(f.parts) == 0:
		return fmt.Errorf("the file ends without a summary of any partition")
	}
	if err := f.result(); err != nil {
		return err
	}
	return f.prove()
}

// file holds the part of a file that was read.
type file struct {
	r           beffio.Result
	line        int            // the current line; in the end the line that an error is about
	seen        map[string]int // lines by their names
	chunk       figureAt       // longest, MBytes
	options     string
	lineOptions int
	amounts     []string // moved by each partition, with words
	parts       []*summary
	byProcesses map[int]*summary
	behind      bool   // the summaries: the maximum follows
	best        *rated // the maximum; nil: not there
	unrated     int    // the line that says so instead of the maximum
	reasons     [numberOfReasons]bool
	holes       []string // figures that other rows show to be missing
}

// summary is the summary of one partition.
type summary struct {
	index     int // of the partition
	processes int
	line      int
	rows      []row
	totals    map[beffio.Access]row
	pattern2  *row // its cells are by access method instead of type
	means     map[beffio.Access]figureAt
	amount    figureAt
	rating    *rated
	unrated   int // the line that says so instead
	paper     figureAt
	said      string // VALID or NOT VALID
	saidLine  int
	reached   [4]bool // by a criterion's number
	stated    [4]int  // its line; 0: not there
	errors    int64
}

// row is one line of figures, in MB/s.
type row struct {
	line   int
	access beffio.Access
	chunk  int64
	cells  [5]cell
}

// cell is a figure, a dash or the mark of a pattern with errors.
type cell struct {
	value float64
	there bool
	wrong bool
}

type figureAt struct {
	value float64
	line  int // 0: not there
}

// rated is a line with a rating, in MB/s.
type rated struct {
	figureAt
	processes int
}

// form is a line that is read.
type form struct {
	key  string // its beginning: a regular expression that says what it is
	form string // how it must look then
	// inside is 0 for a line that may stand anywhere. Others stand in a partition's summary: inside is the place of
	// the number of processes in the form, or anyNumber.
	inside int
	// once is a name that may be there once in the file, or in its partition's summary; empty: as often as it likes.
	// To the name belong the words at the places by.
	once string
	by   []int
	read func(f *file, p *summary, m []string) error // p is nil outside of summaries

	is, must lazy.Regexp // key and form
}

const anyNumber = -1

// The words of the table.
const (
	wordFigure = `(-?\d{1,9}\.\d{3}|-)`
	wordMean   = `(\d{1,9}\.\d{3})`
	wordCount  = `(\d{1,9})`
	wordTenths = `(\d{1,9}\.\d)`
	wordAccess = `(write|rewrite|read)`
	withMemory = ` MB/s on ` + wordCount + ` processes with\s+` + wordCount + ` MByte/PE`
)

var fiveFigures = strings.Repeat(`\s+`+wordFigure, 5) + `\s*$`

// forms are all lines that matter; others are for gnuplot and for people.
var forms = compiled([]form{
	{key: `^b_eff_io\.c`, form: `^b_eff_io\.c, Revision 2\.1 (?:from .*|format, .*)$`, read: nothing},
	{key: `^MEMORY_PER_PROCESSOR`, form: `^MEMORY_PER_PROCESSOR =\s+` + wordCount + ` MBytes`, once: "memory",
		read: (*file).readMemory},
	{key: `^Maximum chunk size`, form: `^Maximum chunk size\s+=\s+` + wordMean + ` MBytes`, read: (*file).readChunk},
	{key: `^-N `, once: "options", read: (*file).readOptions,
		form: `^-N\s+(\d{1,9}(?:\s*,\s*\d{1,9})*)\s+T=(\d{1,9}(?:\.\d{1,9})?), MT=` + wordCount + ` MBytes(.*)$`},
	{key: `^PATH=`, form: `^PATH=(.*), PREFIX=(.*)$`, read: (*file).readPath},
	{key: `^ {7}(system name|hostname|OS release|OS version|machine|rated \w+) *:`, form: `^\s+(.*?)\s*: ?(.*)$`,
		read: (*file).readHost},
	{key: `^Date of measurement:`, form: `^Date of measurement: (.*)$`, read: (*file).readDate},
	{key: `^Summary of file I/O`, once: "summary", by: []int{1}, read: (*file).readSummary,
		form: `^Summary of file I/O bandwidth accumulated on\s+` + wordCount + ` processes with\s+` + wordCount +
			` MByte/PE`},
	{key: `^\s*\d+ PEs\s+total-`, form: `^\s*` + wordCount + ` PEs\s+total-` + wordAccess + fiveFigures, inside: 1,
		once: "total", by: []int{2}, read: (*file).readTotal},
	{key: `^\s*\d+ PEs`, inside: 1, once: "row", by: []int{3, 4}, read: (*file).readRow,
		form: `^\s*` + wordCount + ` PEs\s+` + wordCount + `\s+(\d{1,12})\s+` + wordAccess + fiveFigures},
	{key: `bw_pat2=`, inside: anyNumber, once: "pattern 2", read: (*file).readPattern2,
		form: `^\s*bw_pat2=\s*` + wordFigure + ` MB/s write,\s*` + wordFigure + ` MB/s rewrite,\s*` + wordFigure +
			` MB/s read\s*$`},
	{key: `^weighted average bandwidth`, inside: 3, once: "mean", by: []int{1}, read: (*file).readMean,
		form: `^weighted average bandwidth for ` + wordAccess + `\s*:\s+` + wordMean + ` MB/s on ` + wordCount +
			` processes`},
	{key: `^Total amount`, inside: anyNumber, once: "amount", read: (*file).readAmount,
		form: `^Total amount of data written/read with each access method:\s*(\d{1,12}\.\d{3}) MBytes`},
	{key: `percent of the total memory`, inside: anyNumber, read: (*file).readPercent,
		form: `^\s*=\s*(\d{1,9}\.\d) percent of the total memory \(` + wordCount + ` MBytes(?:: not known)?\)`},
	{key: `^b_eff_io of these measurements not computed`, inside: anyNumber, once: "rating",
		read: (*file).readUnrated},
	{key: `^b_eff_io of these`, inside: 2, once: "rating", read: (*file).readRating,
		form: `^b_eff_io of these measurements =\s*` + wordMean + withMemory + ` and scheduled time=` + wordTenths +
			` min`},
	{key: `^\(by the paper's formula`, form: `: *` + wordMean + ` MB/s\)$`, inside: anyNumber,
		read: (*file).readPaper},
	{key: `^(NOT )?VALID for comparison`, form: `^((?:NOT )?VALID) for comparison`, inside: anyNumber, once: "verdict",
		read: (*file).readVerdict},
	{key: `^\s*criterion`, form: `^\s*criterion ([123]): (.*) -- ((?:NOT )?reached)\s*$`, inside: anyNumber,
		once: "criterion", by: []int{1}, read: (*file).readCriterion},
	{key: `^` + besides, form: `^` + besides + `(.*)$`, read: (*file).readReason},
	{key: `^Maximum over all`, read: (*file).readEnd},
	{key: `^\s*b_eff_io not computed: `, once: "maximum", read: (*file).readNoMaximum},
	{key: `^\s*b_eff_io = `, once: "maximum", read: (*file).readMaximum,
		form: `^\s*b_eff_io =\s+` + wordMean + withMemory + `, scheduled time=` + wordTenths + ` Min`},
})

func compiled(list []form) []form {
	for i := range list {
		list[i].is, list[i].must = lazy.MustCompile(list[i].key), lazy.MustCompile(list[i].form)
	}
	return list
}

// read takes a line.
func (f *file) read(line string) error {
	if f.line == 1 && !forms[0].must().MatchString(line) {
		return fmt.Errorf("this is no .sum file of b_eff_io release 2.1: want b_eff_io.c, Revision 2.1")
	}
	for _, l := range forms {
		if !l.is().MatchString(line) {
			continue
		}
		m := l.must().FindStringSubmatch(line)
		if m == nil {
			return fmt.Errorf("%q is not as release 2.1 writes it", words.OneLine(line))
		}
		p, err := f.placeOf(l, m)
		if err != nil {
			return err
		}
		return l.read(f, p, m)
	}
	return nil
}

// placeOf returns the summary that a line belongs to, and notes that the line was there.
func (f *file) placeOf(l form, m []string) (p *summary, err error) {
	if l.inside != 0 {
		if len(f.parts) == 0 || f.behind {
			return nil, fmt.Errorf("outside of a partition's summary")
		}
		p = f.parts[len(f.parts)-1]
	}
	if l.inside > 0 && int(count(m[l.inside])) != p.processes {
		return nil, fmt.Errorf("%s processes in the summary of %d", m[l.inside], p.processes)
	}
	if l.once == "" {
		return p, nil
	}
	name := l.once
	if p != nil {
		name = fmt.Sprintf("%d %s", p.processes, name)
	}
	for _, i := range l.by {
		name += " " + strings.TrimLeft(m[i], "0") // of numbers
	}
	if before := f.seen[name]; before != 0 {
		return nil, fmt.Errorf("the same as line %d again", before)
	}
	f.seen[name] = f.line
	return p, nil
}
