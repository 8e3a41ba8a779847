package report

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/input"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/versus"
	"github.com/effective-bandwidth/beff/report/words"
)

// mostBytes of a file: more than the largest result that beff's Result.Check passes.
const mostBytes = 256 << 20

// systemFile is the file beside results that says which system they are of.
const systemFile = "system.yaml"

// File is a result file. Where Problem is nil all of it is proven; else it is the first thing that does not hold, in
// one line.
type File struct {
	Path    string
	Problem error

	// Usable reports whether a report can be made of it, even if it is not proven.
	Usable bool
	// Foreign reports whether it is JSON of something else than a result, such as a report.
	Foreign bool

	// Journal is the file that the result was made from, of a run that has not ended; else empty.
	Journal string

	kind   *benchmark
	report Report
}

// Read reads and proves a result file. A system.yaml in its directory overrides what the result says of its system.
func Read(path string) *File {
	f := &File{Path: path}
	err := f.read()
	f.Problem, f.Usable, f.Foreign = line(err), f.report != nil, errors.Is(err, errForeign)
	return f
}

// ReadAll reads files on all processors, where it also calls done with each, if that is not nil.
func ReadAll(paths []string, done func(*File)) []*File {
	files := make([]*File, len(paths))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(paths)) {
		workers.Go(func() {
			for i := range next {
				files[i] = Read(paths[i])
				if done != nil {
					done(files[i])
				}
			}
		})
	}
	for i := range paths {
		next <- i
	}
	close(next)
	workers.Wait()
	return files
}

func (f *File) read() error {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	var problem error
	if f.Path != input.Stdin { // which has nothing beside it
		problem = f.underWay(buffer)
	}
	if f.report == nil && problem == nil {
		problem = f.document(buffer)
	}
	if f.report == nil {
		return problem
	}
	var system rating.System
	var err error
	if f.Path != input.Stdin {
		system, err = systemOf(filepath.Dir(f.Path))
	}
	if err != nil {
		f.report = nil
		return err
	}
	f.override(system)
	head := f.report.Head()
	err = head.Host.Check()
	if head.System != nil {
		err = cmp.Or(err, head.System.Check())
	}
	if err != nil {
		f.report = nil
		return err
	}
	return problem
}

// document reads the result document.
func (f *File) document(buffer *[]byte) (problem error) {
	if err := content(f.Path, buffer, mayBeJSON); err != nil {
		return err
	}
	if f.kind, problem = find(*buffer); problem != nil {
		return problem
	}
	if f.report, problem = f.kind.read(*buffer); problem != nil {
		return problem
	}
	return f.proveTags(*buffer)
}

// override replaces the facts of the system that are given.
func (f *File) override(by rating.System) {
	if by == (rating.System{}) {
		return
	}
	id := f.report.Head().Identity
	var old rating.System
	if id.System != nil {
		old = *id.System
	}
	id.System = &rating.System{Name: cmp.Or(by.Name, old.Name), Site: cmp.Or(by.Site, old.Site),
		Note: cmp.Or(by.Note, old.Note)}
}

// Forget drops the samples, for readers of thousands of files. Only Path, Problem, Usable and Foreign are
// left. Nobody may have kept samples of it.
func (f *File) Forget() {
	if r, has := f.report.(interface{ Recycle() }); has {
		r.Recycle()
	}
	f.report = nil
}

// buffers are used again: nothing of a result points into the text it was read from.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

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
			data = slices.Grow(data, max(size-len(data), 0)+readSpare)
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

// systemOf reads a directory's system.yaml; there need not be one.
func systemOf(dir string) (rating.System, error) {
	var s rating.System
	const most = 64 << 10
	data, err := input.ReadAll(filepath.Join(dir, systemFile), most)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("%s beside it: %w", systemFile, cause(err))
	}
	return parseSystem(data)
}

// parseSystem reads the text of a system.yaml, which may be empty.
func parseSystem(data []byte) (rating.System, error) {
	var s rating.System
	if err := yaml.Load(data, &s, yaml.WithKnownFields()); err != nil && len(strings.TrimSpace(string(data))) > 0 {
		return s, fmt.Errorf("%s beside it: %w", systemFile, err)
	}
	return s, nil
}

// line returns an error as one line without characters that could garble a terminal.
func line(err error) error {
	if err == nil {
		return nil
	}
	text := words.Line(err.Error(), ' ')
	const most = 400
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return errors.New(text)
}

// Name returns the path, in quotes if it holds characters that could garble a terminal: directories may be strangers'.
func (f *File) Name() string {
	if f.Path == input.Stdin {
		return "standard input"
	}
	if utf8.ValidString(f.Path) && !strings.ContainsFunc(f.Path, func(c rune) bool { return !words.Visible(c) }) {
		return f.Path
	}
	return strconv.QuoteToGraphic(f.Path)
}

// Benchmark returns the name of the benchmark.
func (f *File) Benchmark() string { return f.kind.name }

// Digest returns the digest of the result; "" if it has none.
func (f *File) Digest() string { return f.report.Head().Digest }

// Document returns the report. Where the file is not proven, its first notice says so.
func (f *File) Document() *document.Document {
	d := f.report.Document()
	d.Notices = slices.Concat(f.notices(), f.unended(), d.Notices)
	parts.Titled(d, f.report.Head())
	if f.Problem != nil {
		for _, figure := range d.Figures() {
			figure.Stamp = "UNVERIFIED"
		}
	}
	return d
}

// Documents returns the reports of files. Each says where the rating stands among the others.
func Documents(files []*File) []*document.Document {
	var entries []ranking.Entry
	at := map[int]int{} // of a file's entry
	for i, f := range files {
		if e, ranked := f.Entry(); ranked {
			at[i], entries = len(entries), append(entries, e)
		}
	}
	list := make([]*document.Document, len(files))
	for i, f := range files {
		list[i] = f.Document()
		if n, ranked := at[i]; ranked {
			others := slices.Delete(slices.Clone(entries), n, n+1)
			if s := ranking.Standing(entries[n], others); s != "" {
				list[i].Lead.Sentences = append(list[i].Lead.Sentences, s)
			}
		}
	}
	return list
}

// notices returns a notice if the file is not proven.
func (f *File) notices() []document.Notice {
	if f.Problem == nil {
		return nil
	}
	return []document.Notice{{Level: document.Bad, Text: fmt.Sprintf("UNVERIFIED: %s: %v", f.Path, f.Problem),
		Remedy: "get the file as it was written, or measure again"}}
}

// KeyValue writes the result for scripts. Where the file is not proven, it is no success.
func (f *File) KeyValue(w io.Writer) error { return f.report.KeyValue(w, f.Problem == nil) }

// Texts returns the formats that its benchmark alone has.
func (f *File) Texts() []parts.Text { return f.report.Texts() }

// Entry returns the result in a ranking; ranked is false where its benchmark has none. A system without a name is
// called by its host's.
func (f *File) Entry() (e ranking.Entry, ranked bool) {
	r, ranked := f.report.(Ranked)
	if !ranked {
		return e, false
	}
	e = r.Entry()
	head := f.report.Head()
	if head.System != nil {
		e.System = *head.System
	}
	e.System.Name = cmp.Or(e.System.Name, head.Host.Name, "(no name)")
	e.Library = strings.TrimSpace(head.Engine.Library + " " + head.Engine.Version)
	e.Nodes, e.File = len(head.Placement), f.Name()
	if f.Problem != nil {
		e.Status = ranking.Unverified
	}
	return e, true
}

// Facts returns what the figures may depend on: the library, beff, and the environment, if these are known.
func (f *File) Facts() []document.Fact {
	head := f.report.Head()
	return parts.Dependencies(head.Software, head.Environment)
}

// Curve returns the bandwidth of the result over the message length; nil if its benchmark has none.
func (f *File) Curve() []parts.CurvePoint {
	if r, has := f.report.(interface{ Curve() []parts.CurvePoint }); has {
		return r.Curve()
	}
	return nil
}

// RecordsEnvironment reports whether the result has the environment of its run.
func (f *File) RecordsEnvironment() bool { return f.report.Head().Environment != nil }

// Compare compares sides with the first one; all files must be of the same benchmark, and those of a side of one
// configuration.
func Compare(sides []Side) (*versus.Comparison, error) {
	first := sides[0][0]
	var reports [][]Report
	var notices []document.Notice
	notValid := false
	for _, s := range sides {
		var runs []Report
		for _, f := range s {
			if f.kind != first.kind && !across(sides) {
				return nil, fmt.Errorf("%s is of %s and %s of %s: these can't be compared", first.Name(),
					first.Benchmark(), f.Name(), f.Benchmark())
			}
			runs = append(runs, f.report)
			notices = append(notices, f.notices()...)
			v := f.report.Head().Verdict
			notValid = notValid || f.Problem != nil || v != nil && v.State() == rating.IsNotValid
		}
		if err := s.check(); err != nil {
			return nil, err
		}
		reports = append(reports, runs)
	}
	c, err := compared(first.kind, namesOf(sides), reports)
	if err != nil {
		return nil, err
	}
	parts.Stamped(c.Document, c.Document.Title, notValid)
	c.Document.Notices = append(notices, c.Document.Notices...)
	return c, nil
}
