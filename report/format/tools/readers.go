package tools

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// Reader reads the output of a program.
type Reader struct {
	Program string // name of the program
	Reads   string // kinds of output that it reads, in words
	// Recognises reports whether a file is the program's, given its first 64 KiB.
	Recognises func(head []byte) bool
	// read stores the data of a file in the result, which already has Identity, Imported and Program.
	read func(t *text, r *foreign.Result) error
}

// Readers has a row for each program. A new program is a row here, and a file.
var Readers = []Reader{
	{"b_eff_io 2.1", ".sum file", begins(sumSign), readSum},
	{"OSU Micro-Benchmarks", "text of versions 5 to 7", has(osuTitle), readOSU},
	{"b_eff 3.6", ".sum file", has(beffTitle), readBEff},
	{"MPIBlib", "text of its tools collective and p2p", isMPIBlib, readMPIBlib},
	{"GPCNeT", "text of network_test and network_load_test", has(gpcnetTitle), readGPCNeT},
	{"HPCC", "hpccoutf.txt: its latencies and bandwidths", has(hpccSign), readHPCC},
	{"IOR", "JSON, text", isIOR, readIOR},
	{"mdtest", "text", has(mdtestTitle), readMDTest},
	{"IO500", "result_summary.txt, result.txt", has(io500Sign), readIO500},
	{"elbencho", "CSV", has(elbenchoHead), readElbencho},
	{"IMB", "text of versions 3.2 to 2021, and our own in its form", has(imbSign), readIMB},
}

// Names returns the programs with the kinds of output that beff reads.
func Names() []string {
	return lists.Each(Readers, func(p Reader) string { return p.Program + " (" + p.Reads + ")" })
}

// ErrUnknown is the error for a file that no reader recognises.
var ErrUnknown = errors.New("its format isn't known")

const (
	// Head is the size of a file's beginning by which it is recognised.
	Head = 64 << 10
	// most is more bytes than any of these programs prints in a run.
	most = 64 << 20
)

// Read reads a file of any program with the first reader that recognises it. The result's source is name. Errors have
// the line, but not the file.
func Read(rd io.Reader, name string) (*foreign.Result, error) {
	in := bufio.NewReaderSize(rd, Head)
	head, err := in.Peek(Head)
	if err != nil && err != io.EOF {
		return nil, err
	}
	for p := range lists.Elements(Readers) {
		if p.Recognises(head) {
			return p.Read(in, name)
		}
	}
	if len(head) == 0 {
		return nil, errors.New("it is empty")
	}
	return nil, fmt.Errorf("%w: beff reads output of %s", ErrUnknown, strings.Join(Names(), ", "))
}

// Read reads a program's output. The result's source is name, without a path. Errors have the line, but not the file.
func (p *Reader) Read(rd io.Reader, name string) (*foreign.Result, error) {
	var data strings.Builder
	switch n, err := io.Copy(&data, io.LimitReader(rd, most+1)); {
	case err != nil:
		return nil, err
	case n > most:
		return nil, fmt.Errorf("it is larger than %d MiB, the limit for these programs", most>>20)
	}
	r := &foreign.Result{
		Identity: rating.Identity{Benchmark: foreign.Benchmark, SchemaVersion: foreign.SchemaVersion},
		Imported: name, Program: p.Program, Complete: true, Tables: []foreign.Table{},
		Machine: rating.Machine{Placement: []job.Placement{}}, Warnings: []rating.Warning{},
	}
	if err := p.read(&text{data: data.String(), into: r}, r); err != nil {
		return nil, err
	}
	figures, processes, known := 0, 0, true
	for _, t := range r.Tables {
		figures += len(t.Rows)
		processes, known = max(processes, t.Processes), known && t.Processes > 0
	}
	if r.Processes == 0 && known {
		r.Processes = processes
	}
	if figures == 0 && r.Rating == nil {
		return nil, fmt.Errorf("this is output of %s, but it has no figures", p.Program)
	}
	if err := r.Check(); err != nil {
		return nil, err
	}
	return r, nil
}

// add adds a table to a result.
func add(r *foreign.Result, t foreign.Table) error {
	if len(r.Tables) >= foreign.MostTables {
		return fmt.Errorf("more than %d tables", foreign.MostTables)
	}
	r.Tables = append(r.Tables, t)
	return nil
}

// has returns a function that reports whether a text matches an expression.
func has(e words.Regexp) func([]byte) bool {
	return func(head []byte) bool { return e().Match(head) }
}

// begins returns a function that reports whether the first line that isn't empty begins with a text.
func begins(with string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte(with)) }
}

// lineError is an error in a line.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }

func (e *lineError) Unwrap() error { return e.err }

// text is a file's text.
type text struct {
	data string
	into *foreign.Result // result made from it
	open bool            // the current line has no end, so its figures may lack digits
}

// each calls f with each line, without its end, and returns f's first error with the line's number.
func (t *text) each(f func(line string) error) error {
	n := 0
	for line := range strings.Lines(t.data) {
		n++
		t.open = !strings.HasSuffix(line, "\n")
		if err := f(strings.TrimRight(line, "\r\n")); err != nil {
			return &lineError{n, err}
		}
		if n%look == 0 && t.rows() > foreign.MostRows { // before all of them are in memory
			return &lineError{n, fmt.Errorf("more than %d rows", foreign.MostRows)}
		}
	}
	return nil
}

// look is the number of lines after which each checks the number of rows.
const look = 1000

// rows returns the number of rows so far.
func (t *text) rows() (n int) {
	for i := range t.into.Tables {
		n += len(t.into.Tables[i].Rows)
	}
	return n
}
