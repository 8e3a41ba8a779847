package tools

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// Found is a run in a log.
type Found struct {
	Result  *foreign.Result // nil if there is an error
	Program string
	Line    int   // number of the run's first line, from 1
	Err     error // why the run has no result; it has the line, but not the file
}

// Log calls f with each run in a log, in the order of the log, and returns f's first error. If a program makes a
// separate run for each table, runs with different tables become one result. The lines around and between the runs may
// be anything, and all lines of a run may begin with the same label. The results' source is name.
//
// Log holds one run in memory, not the file. It returns ErrUnknown for a file without a run of any of the Readers,
// and ErrEmpty for one without lines.
func Log(rd io.Reader, name string, f func(Found) error) error {
	l := &log{name: name, found: f, leads: map[*Reader]string{}}
	file := bufio.NewReaderSize(rd, 64<<10)
	var text io.Reader = file
	if first, _ := file.Peek(2); slices.Contains([]string{"\xff\xfe", "\xfe\xff"}, string(first)) {
		text = transform.NewReader(file, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder())
	}
	in := bufio.NewScanner(text)
	in.Buffer(make([]byte, 256<<10), longest)
	in.Split(l.split)
	for in.Scan() {
		if err := l.line(in.Bytes()); err != nil {
			return err
		}
	}
	switch err := in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return &lineError{l.n + 1, fmt.Errorf("a line of more than %d MiB", longest>>20)}
	case err != nil:
		return err
	}
	if err := l.finish(); err != nil {
		return err
	}
	switch {
	case l.waiting.Program != "":
		return f(l.waiting)
	case l.any:
		return nil
	case l.n == 0:
		return ErrEmpty
	}
	return fmt.Errorf("%w: beff reads output of %s", ErrUnknown, strings.Join(Names(), ", "))
}

// reading reads a run of a program, line by line.
type reading interface {
	// line reads a line without its end. It returns errAnother if another run begins with the line, io.EOF after the
	// last line of the run, and other errors for a line of the program that it doesn't understand.
	line(line string) error
	// end completes the result after the last line.
	end() error
}

// errAnother means that another run of the program begins with the line.
var errAnother = errors.New("another run")

// form is a kind of line, and the function that reads it, given the submatches.
type form[T any] struct {
	words.Regexp
	read func(T, []string) error
}

// readForm reads a line by the first of the forms that matches, and reports whether one does.
func readForm[T any](forms []form[T], x T, line string) (bool, error) {
	for _, f := range forms {
		if m := f.Regexp().FindStringSubmatch(line); m != nil {
			return true, f.read(x, m)
		}
	}
	return false, nil
}

// run is a run that is being read.
type run struct {
	r      *foreign.Result
	n      int    // number of the current line
	open   bool   // the current line is the last one and has no end, so its figures may lack digits
	first  bool   // the current line may begin a run of the program
	lead   string // last line before the run that matches the reader's lead, or ""
	reader *Reader
	reading
	prefix  prefix
	refused error // why the run has no result
	dropped int   // warnings beyond mostWarnings
}

// end is for readers that complete their results with each line.
func (t *run) end() error { return nil }

// mostWarnings is the number of warnings of a run that are kept.
const mostWarnings = 50

// warn records a warning about the current line. The first contradiction is always kept, because it makes the result
// doubtful.
func (t *run) warn(code, text string) {
	if len(t.r.Warnings) < mostWarnings || code == foreign.Contradiction && !t.r.Doubtful() {
		t.r.Warnings = append(t.r.Warnings, rating.Warning{Code: code, Text: fmt.Sprintf("line %d: %s", t.n, text)})
		return
	}
	t.dropped++
}

// doubt records that the current line contradicts others.
func (t *run) doubt(format string, args ...any) {
	t.warn(foreign.Contradiction, words.OneLine(fmt.Sprintf(format, args...)))
}

// add adds a table to the result, unless none of its columns represents it.
func (t *run) add(x foreign.Table) error {
	if len(x.Mains()) == 0 {
		return fmt.Errorf("%.60s: no column has a known time, bandwidth or rate", words.OneLine(x.Test))
	}
	if len(t.r.Tables) >= foreign.MostTables {
		t.refused = fmt.Errorf("more than %d tables", foreign.MostTables)
		return t.refused
	}
	t.r.Tables = append(t.r.Tables, x)
	return nil
}

// rows returns the number of rows so far.
func (t *run) rows() (n int) {
	for i := range t.r.Tables {
		n += len(t.r.Tables[i].Rows)
	}
	return n
}

// look is the number of lines after which the number of rows is checked, before all of them are in memory.
const look = 1000

// feed gives the run its next line.
func (t *run) feed(line string, n int, open, first bool) error {
	t.n, t.open, t.first = n, open, first
	if t.refused != nil {
		return nil
	}
	err := t.line(line)
	if n%look == 0 && t.rows() > foreign.MostRows {
		t.refused = &lineError{n, fmt.Errorf("more than %d rows", foreign.MostRows)}
	}
	if err == nil || err == errAnother || err == io.EOF {
		return err
	}
	t.warn(foreign.Line, words.OneLine(err.Error()))
	return nil
}

// result returns the result of a run after its last line.
func (t *run) result() (*foreign.Result, error) {
	r, err := t.r, t.refused
	if err == nil {
		err = t.reading.end()
	}
	switch {
	case t.refused != nil || err != nil && len(r.Warnings) == 0:
		return nil, err
	case err != nil: // a line that wasn't understood is the cause
		return nil, errors.New(r.Warnings[0].Text)
	}
	figures, processes, known := 0, 0, true
	for _, x := range r.Tables {
		figures += len(x.Rows)
		processes, known = max(processes, x.Processes), known && x.Processes > 0
	}
	if r.Processes == 0 && known {
		r.Processes = processes
	}
	switch {
	case figures > 0 || r.Rating != nil:
	case len(r.Warnings) > 0:
		return nil, errors.New(r.Warnings[0].Text)
	default:
		return nil, &lineError{r.Line, fmt.Errorf("this is output of %s, but it has no figures", t.reader.Program)}
	}
	if t.dropped > 0 {
		r.Warnings = append(r.Warnings, rating.Warning{Code: foreign.Line, Text: fmt.Sprintf(
			"%s more about other lines", words.Count(t.dropped, "warning"))})
	}
	if !r.Complete && r.Ended == "" {
		r.Ended = fmt.Sprintf("its text ends at line %d", t.n)
	}
	return r, r.Check()
}

// log reads a log.
type log struct {
	name    string
	found   func(Found) error
	n       int                // number of the current line
	open    bool               // the current line has no end
	opened  []string           // last line that ends with a brace, and lines after it
	leads   map[*Reader]string // last lines that match the leads of readers
	current *run               // nil between runs
	waiting Found              // last result, which another run may join; without a program there is none
	any     bool
	ahead   int  // bytes from the current line on that were searched for signs
	signs   bool // a sign was found in these bytes
}

// signs returns the signs of all readers.
var signs = sync.OnceValue(func() (list [][]byte) {
	for _, p := range Readers {
		for _, s := range p.signs {
			list = append(list, []byte(s))
		}
	}
	return list
})

// split is a bufio.SplitFunc for lines. It notes whether the last line has an end. It also searches lines that were
// read together for signs of programs, because most lines of most logs are noise.
func (l *log) split(data []byte, end bool) (int, []byte, error) {
	if l.ahead <= 0 { // these lines are new
		l.ahead = bytes.LastIndexByte(data, '\n') + 1
		l.signs = l.ahead == 0 || slices.ContainsFunc(signs(), func(s []byte) bool {
			return bytes.Contains(data[:l.ahead], s)
		})
	}
	n, line, err := bufio.ScanLines(data, end)
	l.ahead -= n
	l.open = end && n > 0 && n == len(data) && data[n-1] != '\n'
	return n, line, err
}

// escapes matches the codes that terminals take for colours and the cursor.
var escapes = words.MustCompile(`\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\a\x1b]*(?:\a|\x1b\\)?|[()][0-9A-B])`)

var mark = []byte("\ufeff") // a byte order mark, which joined files have in any line

// line reads a line of the file, still with terminal codes, carriage returns and labels.
func (l *log) line(line []byte) error {
	l.n++
	line = bytes.TrimPrefix(bytes.TrimRight(line, "\r"), mark)
	if i := bytes.LastIndexByte(line, '\r'); i >= 0 { // a progress bar was overwritten
		line = line[i+1:]
	}
	if bytes.IndexByte(line, '\x1b') >= 0 {
		line = escapes().ReplaceAll(line, nil)
	}
	err := l.read(line)
	if bytes.HasSuffix(line, []byte("{")) {
		l.opened = l.opened[:0]
	} else if n := len(l.opened); n == 0 || n == mostOpened {
		l.opened = nil
		return err
	}
	l.opened = append(l.opened, string(line[:min(len(line), 4096)]))
	return err
}

// mostOpened is more lines than a run in JSON takes until it is recognised, with lines of other processes between them.
const mostOpened = 40

// read gives a line to its run, which may begin with it.
func (l *log) read(line []byte) error {
	var p *Reader
	var label []byte
	two := false
	if l.signs {
		p, label, two = l.begins(line)
	}
	if t := l.current; t != nil && (p == nil || p == t.reader || p.within == t.reader.Program) {
		text, is := t.prefix.cut(line)
		relabelled := p == t.reader && len(bytes.TrimSpace(label)) > 0 &&
			len(bytes.TrimRight(label, " \t")) != len(bytes.TrimRight(line[:len(line)-len(text)], " \t"))
		if is && !relabelled {
			switch err := t.feed(text, l.n, l.open, p == t.reader); err {
			case nil:
				return nil
			case io.EOF:
				return l.finish()
			}
			p, label = t.reader, line[:len(line)-len(text)] // errAnother
		}
	}
	if p == nil { // the line is from the launcher, or from another process
		return nil
	}
	if err := l.finish(); err != nil {
		return err
	}
	l.start(p, label)
	if two {
		l.current.r.Line = l.n - len(l.opened)
		for i, before := range l.opened {
			l.feed([]byte(before), l.current.r.Line+i)
		}
	}
	if l.feed(line, l.n) == io.EOF {
		return l.finish()
	}
	return nil
}

// feed gives a line to the run that begins.
func (l *log) feed(line []byte, n int) error {
	text, is := l.current.prefix.cut(line)
	if !is {
		return nil
	}
	return l.current.feed(text, n, l.open, true)
}

// begins returns the reader of the program whose run may begin with a line, and the text before the run's first word.
// If two is set, the run begins with the brace at the end of an earlier line. It keeps lines that may precede a run.
func (l *log) begins(line []byte) (p *Reader, label []byte, two bool) {
	for p := range lists.Elements(Readers) {
		if !slices.ContainsFunc(p.signs, func(sign string) bool { return bytes.Contains(line, []byte(sign)) }) {
			continue
		}
		at := p.first().FindIndex(line)
		if at != nil && (at[0] == 0 || labels().Match(line[:at[0]])) {
			return p, line[:at[0]], false
		}
		if p.lead != nil && p.lead().Match(line) {
			l.leads[p] = string(line)
		}
		if p.brace && len(l.opened) > 0 {
			label, head := newPrefix(strings.TrimSuffix(l.opened[0], "{")), ""
			for _, before := range append(l.opened, string(line)) {
				if text, is := label.cut([]byte(before)); is {
					head += text + "\n"
				}
			}
			if at := p.first().FindStringIndex(head); at != nil && at[0] == 0 {
				return p, []byte(label.text), true
			}
		}
	}
	return nil, nil, false
}

// start begins a run of a program.
func (l *log) start(p *Reader, label []byte) {
	r := &foreign.Result{
		Identity: rating.Identity{Benchmark: foreign.Benchmark, SchemaVersion: foreign.SchemaVersion},
		Imported: l.name, Line: l.n, Program: p.Program, Complete: true, Tables: []foreign.Table{},
		Machine: rating.Machine{Placement: []job.Placement{}}, Warnings: []rating.Warning{},
	}
	l.current = &run{r: r, reader: p, prefix: newPrefix(string(label)), lead: l.leads[p]}
	if text, is := l.current.prefix.cut([]byte(l.leads[p])); is {
		l.current.lead = text
	}
	delete(l.leads, p)
	l.current.reading = p.start(l.current)
}

// finish ends the current run, if there is one.
func (l *log) finish() error {
	t := l.current
	l.current = nil
	if t == nil {
		return nil
	}
	r, err := t.result()
	l.any = true
	now := Found{Result: r, Program: t.reader.Program, Line: t.r.Line, Err: err}
	if err != nil {
		now.Result = nil
	}
	if t.reader.joins && join(l.waiting.Result, now.Result) {
		return nil
	}
	before := l.waiting
	l.waiting = now
	if before.Program == "" {
		return nil
	}
	return l.found(before)
}

// mostJoined is the largest number of tables of runs that are joined.
const mostJoined = 1000

// join adds a result's tables to an earlier result of the same program on the same machine, and reports whether it did.
// It doesn't if both have the same table.
func join(to, r *foreign.Result) bool {
	if to == nil || r == nil || to.Program != r.Program || to.ProgramVersion != r.ProgramVersion ||
		!reflect.DeepEqual(to.Host, r.Host) || to.Engine != r.Engine || !to.Complete ||
		len(to.Tables)+len(r.Tables) > mostJoined || len(to.Warnings)+len(r.Warnings) > 2*mostWarnings {
		return false
	}
	if slices.ContainsFunc(r.Tables, func(t foreign.Table) bool { return slices.ContainsFunc(to.Tables, t.SameTest) }) {
		return false
	}
	to.Tables, to.Warnings = append(to.Tables, r.Tables...), append(to.Warnings, r.Warnings...)
	to.Processes, to.Nodes, to.Complete = max(to.Processes, r.Processes), max(to.Nodes, r.Nodes), r.Complete
	to.Ended = r.Ended
	if r.Command != "" && r.Command != to.Command {
		to.Command = strings.TrimPrefix(to.Command+"; "+r.Command, "; ")
	}
	return to.Check() == nil
}

// Dates, times and seconds, which differ from line to line.
const stamps = `\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d(?:[.,]\d+)?|\d+[.,]\d+|[A-Z][a-z]{2} {1,2}\d{1,2}\b`

var stamp = words.MustCompile(stamps)

// labels matches text that launchers, containers and people put before each line: ranks, hosts, times, quotation marks
// such as >.
var labels = words.MustCompile(`^(?:\s+|[>|]+|\[[^\[\]]{1,80}\]:?|<\w{1,20}>:?|` +
	`(?:` + stamps + `)(?:T|Z|[+-]\d\d:?\d\d)?|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?|20\d\d\b|` +
	`[\w.-]{1,64}(?::|\s*\|)\s|std(?:out|err):?(?: F)?\s)+$`)

// prefix is the text before each line of a run.
type prefix struct {
	text   string
	blanks bool           // the text has only blanks; a line may lack some or all of them
	form   *regexp.Regexp // nil if all lines have the same text
}

func newPrefix(text string) prefix {
	p := prefix{text: text, blanks: strings.TrimSpace(text) == ""}
	if stamp().MatchString(text) {
		valid := string([]rune(text)) // a regular expression must be valid UTF-8, and matches invalid bytes as U+FFFD
		parts := lists.Each(stamp().Split(valid, -1), regexp.QuoteMeta)
		p.form = regexp.MustCompile(`^` + strings.Join(parts, `(?:`+stamps+`)`))
	}
	return p
}

// cut returns a line without the prefix, and whether it had one.
func (p *prefix) cut(line []byte) (text string, is bool) {
	switch {
	case p.text == "":
		return string(line), true
	case p.blanks:
		n := len(line) - len(bytes.TrimLeft(line, " \t"))
		return string(line[min(n, len(p.text)):]), true
	case p.form != nil:
		at := p.form.FindIndex(line)
		if at == nil {
			return "", false
		}
		return string(line[at[1]:]), true
	}
	if text, is = strings.CutPrefix(string(line), p.text); !is {
		is = strings.TrimRight(p.text, " \t") == strings.TrimRight(string(line), " \t")
	}
	return text, is
}
