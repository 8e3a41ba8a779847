package report

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/format/tools"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/words"
)

// maxBytes limits the size of a file. It is more than the largest result that the Check of beff's results accepts.
const maxBytes = 256 << 20

// systemFile is the name of the file next to results that names their system.
const systemFile = "system.yaml"

// File is a result file. Problem is nil if everything in it that can be proven is proven (Stated lists the rest).
// Otherwise Problem is the first fault, in one line, and wraps its cause, such as fs.ErrNotExist. Only the fields and
// Name may be used unless Usable is true.
type File struct {
	Path    string
	Problem error

	// Usable reports whether the file has a report, even if the result is not proven.
	Usable bool
	// NoResult reports whether the file is JSON but not a result, for example a report.
	NoResult bool

	// Journal is the journal that the result of a run that has not ended was made from; otherwise empty.
	Journal string
	// Remarks has a line for each file next to the result that is ignored, or damaged without harm to the result.
	Remarks []string
	// Named is the system.yaml that names the result's system; empty without one.
	Named string

	kind        *benchmark
	report      Report
	measurement rating.Measurement
	digest      string
	wrong       bool   // WrongData, kept after Forget
	large       bool   // holds the lock of large files
	text        []byte // document of a file read again, or of standard input, which can't be read twice
	keep        bool   // keep text
}

// Read reads and verifies a result file. A system.yaml in its directory overrides the result's description of its
// system.
func Read(path string) *File { return ReadAll([]string{path}, nil)[0] }

// load reads and verifies the file, and returns it. The file may hold the lock of large files afterwards.
func (f *File) load() *File {
	err := f.read()
	f.Problem, f.Usable, f.NoResult = line(err), f.report != nil, errors.Is(err, errNoResult)
	if f.Usable {
		f.measurement, f.digest = measurementOf(f.report), f.report.Header().Digest
	}
	return f
}

// ReadLog reads a log of one run of another program as the result that an import would write. It returns nil for a file
// that can't be opened, or whose format isn't known.
func ReadLog(path string) (*File, error) {
	log, _, err := input.Open(path)
	if err != nil {
		return nil, nil
	}
	defer log.Close()
	r, err := tools.Read(log, filepath.Base(path))
	if errors.Is(err, tools.ErrUnknown) || errors.Is(err, tools.ErrEmpty) {
		return nil, nil
	}
	var sealed bytes.Buffer
	if err == nil {
		err = offoreign.Report{Result: r}.Sealed(&sealed)
	}
	if err != nil {
		return nil, err
	}
	f := (&File{Path: path, text: sealed.Bytes()}).load()
	f.unlock()
	return f, nil
}

// ReadAll reads files on all processors, but only one large file at a time. Each worker calls done with its file,
// unless done is nil.
func ReadAll(paths []string, done func(*File)) []*File {
	files := make([]*File, len(paths))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(paths)) {
		workers.Go(func() {
			for i := range next {
				files[i] = (&File{Path: paths[i]}).load()
				if done != nil {
					done(files[i])
				}
				files[i].unlock()
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
	defer func() {
		if cap(*buffer) <= largeSize {
			buffers.Put(buffer)
		}
	}()
	var problem error
	if f.Path != input.Stdin { // nothing is next to it
		problem = f.underWay(buffer)
	}
	if f.report == nil && problem == nil {
		problem = f.document(buffer)
	}
	if f.report == nil {
		return problem
	}
	err := f.applySystem()
	head := f.report.Header()
	err = cmp.Or(err, head.Host.Check(), head.Environment.Check())
	if head.System != nil {
		err = cmp.Or(err, head.System.Check())
	}
	if err != nil {
		f.report = nil
		return err
	}
	return problem
}

// applySystem applies a system.yaml next to the file.
func (f *File) applySystem() error {
	if f.Path == input.Stdin {
		return nil
	}
	path := filepath.Join(filepath.Dir(f.Path), systemFile)
	if err := input.CheckCompanion(path, f.Path); err != nil {
		f.remark("%v: ignored", err)
		return nil
	}
	system, err := systemOf(path)
	if err == nil && system != (rating.System{}) {
		f.Named = shown(path)
		f.override(system)
	}
	return err
}

// Again reads and verifies the file once more, even after Forget, and keeps its text. It fails if the result has
// changed.
func (f *File) Again() (*File, error) {
	again := (&File{Path: f.Path, text: f.text, keep: true}).load()
	again.unlock()
	if !again.Usable || again.measurement != f.measurement || again.digest != f.digest ||
		(again.Problem == nil) != (f.Problem == nil) {
		return nil, fmt.Errorf("%s: %w", f.Name(), errChanged)
	}
	return again, nil
}

var errChanged = errors.New("the file has changed since it was checked: try again")

// document reads the result document.
func (f *File) document(buffer *[]byte) (problem error) {
	if f.text != nil {
		*buffer = append((*buffer)[:0], f.text...)
	} else if err := content(f.Path, buffer, f.mayBeResult()); err != nil {
		return err
	}
	if f.keep || f.Path == input.Stdin {
		f.text = bytes.Clone(*buffer)
	}
	if f.kind, problem = find(*buffer); problem != nil {
		return problem
	}
	f.report, problem = f.kind.read(*buffer)
	return problem
}

// override replaces the description of the system, where by has a value.
func (f *File) override(by rating.System) {
	id := f.report.Header().Identity
	var old rating.System
	if id.System != nil {
		old = *id.System
	}
	all := by.Over(old)
	id.System = &all
}

// Forget drops the samples, for callers that read thousands of files. Afterwards only the fields, Digest, WrongData and
// Again may be used. The caller must not hold samples of the file.
func (f *File) Forget() {
	f.wrong = f.WrongData()
	if r, has := f.report.(interface{ Recycle() }); has {
		r.Recycle()
	}
	f.report = nil
}

// Text returns the verified document, decompressed if it is in gzip's format. It fails if the file has changed since,
// or if the result was not read from a document.
func (f *File) Text() ([]byte, error) {
	switch {
	case f.Journal != "":
		return nil, errors.New("its run has not ended")
	case f.text != nil:
		return f.text, nil
	}
	again, err := f.Again()
	if err != nil {
		return nil, err
	}
	return again.text, nil
}

// systemOf reads a system.yaml, which need not exist.
func systemOf(path string) (rating.System, error) {
	var s rating.System
	const most = 64 << 10
	data, err := input.ReadAll(path, most)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("%s next to it: %w", systemFile, cause(err))
	}
	return parseSystem(data)
}

// parseSystem parses a system.yaml, which may be empty.
func parseSystem(data []byte) (rating.System, error) {
	var s rating.System
	if err := yaml.Load(data, &s, yaml.WithKnownFields()); err != nil && len(strings.TrimSpace(string(data))) > 0 {
		return s, fmt.Errorf("%s next to it: %w", systemFile, err)
	}
	return s, nil
}

// shownError is an error whose text can be shown.
type shownError struct {
	text  string
	cause error
}

func (e *shownError) Error() string { return e.text }
func (e *shownError) Unwrap() error { return e.cause }

// line returns an error with its text on one line, without characters that could garble a terminal.
func line(err error) error {
	if err == nil {
		return nil
	}
	text := words.Line(err.Error(), ' ')
	const most = 400
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return &shownError{text, err}
}

// Name returns the path, quoted if it contains characters that could garble a terminal, as a stranger's directory may.
func (f *File) Name() string {
	if f.Path == input.Stdin {
		return "standard input"
	}
	return shown(f.Path)
}

// shown returns a path, quoted if it contains characters that could garble a terminal.
func shown(path string) string {
	if utf8.ValidString(path) && !strings.ContainsFunc(path, func(c rune) bool { return !words.Visible(c) }) {
		return path
	}
	return strconv.QuoteToGraphic(path)
}

// Benchmark returns the name of the benchmark.
func (f *File) Benchmark() string { return f.kind.name }

// Command returns the command line that measured the result, starting with the program, or nil if it isn't known.
func (f *File) Command() []string {
	if e := f.report.Header().Circumstances; e != nil && e.Environment != nil {
		return e.Environment.Command
	}
	return nil
}

// Digest returns the digest of the result, or "" if it has none.
func (f *File) Digest() string { return f.digest }

// Document returns the report. If the file is not proven, the first notice is the fault.
func (f *File) Document() *document.Document {
	d := f.report.Document()
	if f.Journal != "" {
		d.Notices = slices.DeleteFunc(d.Notices, func(n document.Notice) bool {
			return strings.HasSuffix(n.Text, rating.ErrUnderWay.Error()) // underWayNotices adds this notice
		})
	}
	d.Notices = slices.Concat(f.notices(), f.underWayNotices(), d.Notices)
	parts.TitlePictures(d, f.report.Header())
	status := f.report.Entry().Status
	for _, figure := range d.Figures() {
		switch {
		case f.Problem != nil:
			figure.Label = ranking.Unverified.String()
		case !status.Counts():
			figure.Label = cmp.Or(figure.Label, status.String())
		}
	}
	return d
}

// Documents returns the reports of files, each with a sentence that compares its rating with the others.
func Documents(files []*File) []*document.Document {
	places := ranking.Places(lists.Each(files, (*File).Entry))
	list := make([]*document.Document, len(files))
	for i, f := range files {
		list[i] = f.Document()
		if s := places[i]; s != "" {
			list[i].Lead.Sentences = append(list[i].Lead.Sentences, s)
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

// KeyValue writes the result for scripts. A file that is not proven has Success=0.
func (f *File) KeyValue(w io.Writer) error { return f.report.KeyValue(w, f.Problem == nil) }

// Texts returns the text formats of its benchmark.
func (f *File) Texts() []parts.Text { return f.report.Texts() }

// Rating returns the result if it is b_eff's, otherwise nil.
func (f *File) Rating() *beff.Result {
	r, _ := f.report.(ofbeff.Report)
	return r.Result
}

// Probe returns the result if it is a probe's, otherwise nil.
func (f *File) Probe() *probe.Result {
	r, _ := f.report.(ofprobe.Report)
	return r.Result
}

// OtherProgram returns the result if it is another program's, otherwise nil.
func (f *File) OtherProgram() *foreign.Result {
	r, _ := f.report.(offoreign.Report)
	return r.Result
}

// WrongData reports whether data failed their verification when the result was measured.
func (f *File) WrongData() bool {
	if f.report == nil {
		return f.wrong
	}
	if r := f.Probe(); r != nil {
		return ofprobe.Defects(r) > 0
	}
	if r := f.OtherProgram(); r != nil {
		return r.Failed() > 0
	}
	v := f.report.Header().Verdict
	return v != nil && v.WrongData()
}

// Entry returns the result's entry in a ranking. A system without a name gets its host's name.
func (f *File) Entry() ranking.Entry {
	e := f.report.Entry()
	head := f.report.Header()
	if head.System != nil {
		e.System = *head.System
	}
	e.ByHost = e.System.Name == "" && !f.model()
	e.System.Name = cmp.Or(e.System.Name, head.Host.Name, "(no name)")
	e.CPU, e.Network = head.Host.CPU, strings.Join(head.Host.Interconnect, "; ")
	e.Library, e.LibraryName = strings.TrimSpace(head.Engine.Library+" "+head.Engine.Version), head.Engine.Library
	if at := strings.IndexAny(e.LibraryName, "0123456789"); head.Engine.Version == "" && at > 0 {
		e.LibraryName = strings.TrimRight(e.LibraryName[:at], " v") // other programs' results have both in one text
	}
	if e.Date.Unix() == 0 { // a model's clock starts in 1970
		e.Date = time.Time{}
	}
	e.Measurement = f.measurement
	if head.Model != nil {
		e.Machine = head.Model.Machine
	}
	e.Nodes, e.Numbering, e.File = cmp.Or(len(head.Placement), e.Nodes), job.Numbering(head.Placement), f.Name()
	e.UnderWay = !head.Complete && head.Imported == ""
	if f.Problem != nil {
		e.Status = ranking.Unverified
	}
	return e
}

// Facts returns the facts that the figures may depend on, as far as known: the library, beff, and the environment.
func (f *File) Facts() []document.Fact {
	head := f.report.Header()
	return parts.Dependencies(head.Software, head.Environment)
}

// Header returns the facts that results of all benchmarks have.
func (f *File) Header() parts.Header { return f.report.Header() }

// RecordsEnvironment reports whether the result has the environment of its run.
func (f *File) RecordsEnvironment() bool { return f.report.Header().Environment != nil }

// model reports whether the result was computed by a model.
func (f *File) model() bool { return f.report.Header().Engine.Kind().Simulated }

// Compare compares sides with the first one. All files must be of the same benchmark, and the files of a side of the
// same configuration.
func Compare(sides []Side) (*compare.Comparison, error) { return CompareAs(nil, sides) }

// CompareAs is like Compare with names for the sides. If names is nil, it names them by their differences, or by files.
func CompareAs(names []string, sides []Side) (*compare.Comparison, error) {
	first := sides[0][0]
	var reports [][]Report
	var notices []document.Notice
	label, models := "", true
	for _, s := range sides {
		var runs []Report
		for _, f := range s {
			if f.kind != first.kind && !mixesPrograms(sides) {
				return nil, fmt.Errorf("%s is a result of %s and %s of %s, which can't be compared", first.Name(),
					first.program(), f.Name(), f.program())
			}
			runs = append(runs, f.report)
			notices = append(notices, f.notices()...)
			if f.Problem != nil || !f.report.Entry().Status.Counts() {
				label = parts.NotValid
			}
			models = models && f.model()
		}
		if err := s.check(); err != nil {
			return nil, err
		}
		reports = append(reports, runs)
	}
	if names == nil {
		names = namesOf(sides)
	}
	c, err := compared(first.kind, names, reports)
	if err != nil {
		return nil, err
	}
	if models {
		label = words.Either(label == "", parts.OfModel, parts.OfModel+", "+label)
	}
	if list := classDifferences(sides); list != "" {
		c.Unlike(list)
	}
	parts.LabelPictures(c.Document, c.Source, c.Without, label)
	c.Document.Notices = append(notices, c.Document.Notices...)
	return c, nil
}

// Proven describes what was proven: the rating, or all figures of a result without a rating.
func (f *File) Proven() string {
	e, head := f.Entry(), f.report.Header()
	what := words.Either(head.Complete, "every figure of ", "every figure measured so far of ") +
		cmp.Or(e.Kernels, f.Benchmark())
	if e.Rating() > 0 {
		number, unit := words.ValueAndUnit(rating.Estimate{Value: e.Rating()})
		what = fmt.Sprintf("%s = %s %s", f.Benchmark(), number, unit)
	}
	return fmt.Sprintf("%s on %s follows from the samples", what, head.OnProcesses())
}
