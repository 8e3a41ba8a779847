// Package exchange converts results for other programs, to tables in CSV, a database, metrics and a web site, and
// converts files of other programs to results.
package exchange

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/database"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

// Output is what to write, and where.
type Output struct {
	Path   string          // empty: stdout
	Format string          // empty: by the ending of Path
	Tables []string        // empty: all, or only the table of measurements
	Force  bool            // existing files are overwritten
	Rows   *tidy.Condition // selects measurements
}

// Sink receives results one after the other.
type Sink struct {
	Add  func(f *report.File) error
	End  func() error // keeps everything added
	Drop func()       // leaves everything unchanged
}

// exports holds the formats by name, each with the endings of files that select it.
var exports = []struct {
	name    string
	endings []string
	open    func(o *Output, stdout, stderr io.Writer) (*Sink, error)
}{
	{"csv", []string{".csv"}, (*Output).csv},
	{"sqlite", []string{".sqlite", ".sqlite3", ".db"}, (*Output).sqlite},
	{"openmetrics", []string{".prom", ".om"}, (*Output).openMetrics},
}

// Open opens the output. It reports to stderr what was written.
func (o *Output) Open(stdout, stderr io.Writer) (*Sink, error) {
	known := TableNames()
	for _, name := range o.Tables {
		if !slices.Contains(known, name) {
			return nil, exit.Misuse("--table %s: want %s", name, strings.Join(known, ", "))
		}
	}
	if o.Path == publish.Stdout {
		o.Path = ""
	}
	var names []string
	for _, e := range exports {
		if o.Format == e.name || o.Format == "" && slices.Contains(e.endings, filepath.Ext(o.Path)) {
			return e.open(o, stdout, stderr)
		}
		names = append(names, e.name)
	}
	switch {
	case o.Format != "":
		return nil, exit.Misuse("unknown format %q: want %s", o.Format, strings.Join(names, ", "))
	case o.Path == "", publish.IsDirectory(o.Path):
		return o.csv(stdout, stderr)
	}
	return nil, exit.Misuse("-o %s: want a name that ends with .csv, .sqlite or .prom, or a directory, such as %s/",
		o.Path, o.Path)
}

// wants reports whether the user wants a table. If the user names no tables, all are wanted.
func (o *Output) wants(name string) bool {
	return len(o.Tables) == 0 || slices.Contains(o.Tables, name)
}

// csvFiles is the output in CSV, with a file for each table or for only one. The files get their names when all are
// complete.
type csvFiles struct {
	*Output
	out    map[string]*tidy.Writer // by table name
	parts  []*publish.Part
	stdout *bufio.Writer // nil: files
	single bool          // only one table
	run    int64
}

// csv opens the output in CSV: a file for one table, or stdout, or a directory with a file for each table.
func (o *Output) csv(stdout, stderr io.Writer) (*Sink, error) {
	s := &csvFiles{Output: o, out: map[string]*tidy.Writer{}, single: true}
	switch {
	case o.Path != "" && publish.IsDirectory(o.Path):
		if err := os.MkdirAll(o.Path, 0o755); err != nil {
			return nil, publish.Failed(err)
		}
		s.single = false
	case len(o.Tables) > 1:
		return nil, exit.Misuse("--table %s: a file has one table: give a directory, such as -o tables/",
			strings.Join(o.Tables, ","))
	case o.Path == "":
		s.stdout = bufio.NewWriter(stdout)
	}
	drop := func() {
		for _, part := range s.parts {
			part.Drop()
		}
	}
	return &Sink{s.add, func() error { return s.end(stderr, drop) }, drop}, nil
}

func (s *csvFiles) add(f *report.File) error {
	s.run++
	for _, t := range f.Tables(s.run, s.Rows) {
		wanted := s.wants(t.Name)
		if s.single && len(s.Tables) == 0 {
			wanted = t.Name == f.MainTable()
		}
		if !wanted || t.Empty() && !s.single {
			continue
		}
		for other := range s.out {
			if s.single && other != t.Name {
				return exit.Misuse("these results have several tables, %s and %s: choose one by --table, or give a "+
					"directory, such as -o tables/", other, t.Name)
			}
		}
		to, err := s.file(t.Name)
		if err != nil {
			return err
		}
		if err := to.Add(t); err != nil {
			return publish.Failed(err)
		}
	}
	return nil
}

// file returns the file of a table, which is created for its first row.
func (s *csvFiles) file(table string) (*tidy.Writer, error) {
	if s.out[table] != nil {
		return s.out[table], nil
	}
	w := io.Writer(s.stdout)
	if s.stdout == nil {
		path := s.Path
		if !s.single {
			path = filepath.Join(path, table+".csv")
		}
		if _, err := publish.Free(path, s.Force); err != nil {
			return nil, err
		}
		part, err := publish.NewPart(path)
		if err != nil {
			return nil, publish.Failed(err)
		}
		s.parts, w = append(s.parts, part), part
	}
	s.out[table] = tidy.NewWriter(w)
	return s.out[table], nil
}

func (s *csvFiles) end(stderr io.Writer, drop func()) (err error) {
	for _, out := range s.out {
		err = errors.Join(err, out.Flush())
	}
	if s.stdout != nil {
		return publish.Failed(errors.Join(err, s.stdout.Flush()))
	}
	if err != nil {
		drop()
		return publish.Failed(err)
	}
	for _, part := range s.parts {
		err = errors.Join(err, part.Keep())
	}
	if err == nil && len(s.out) > 0 {
		where := s.Path
		if !s.single {
			where = filepath.Join(where, words.Joined(slices.Sorted(maps.Keys(s.out)), "and"))
		}
		fmt.Fprintf(stderr, "beff: %s in %s\n", words.Count(int(s.run), "result"), where)
	}
	return publish.Failed(err)
}

// sqlite opens a new or an existing database.
func (o *Output) sqlite(stdout, stderr io.Writer) (*Sink, error) {
	if o.Path == "" {
		return nil, exit.Misuse("--format sqlite: a database is a file: give -o FILE.sqlite")
	}
	if _, err := publish.Free(o.Path, true); err != nil { // an existing one gets more rows
		return nil, err
	}
	d, err := database.Open(o.Path, func() {
		fmt.Fprintf(stderr, "beff: %s is locked: waiting until another process has written it\n", o.Path)
	})
	if err != nil {
		return nil, publish.Failed(err)
	}
	has := func(t *tidy.Table) bool { return t.Name == "runs" || o.wants(t.Name) }
	for _, t := range report.AllTables() {
		if err == nil && has(t) {
			err = d.Declare(t)
		}
	}
	if err != nil {
		return nil, errors.Join(publish.Failed(err), d.Discard())
	}
	added, before := 0, 0
	add := func(f *report.File) error {
		number, there, err := d.Next(f.Digest(), f.Measurement())
		switch {
		case err != nil:
			return publish.Failed(err)
		case there:
			before++
			return nil
		}
		added++
		for _, t := range f.Tables(number, o.Rows) {
			if err == nil && has(t) {
				err = d.Add(t)
			}
		}
		return publish.Failed(err)
	}
	end := func() error {
		if err := d.Close(); err != nil {
			return publish.Failed(err)
		}
		already := ""
		if before > 0 {
			already = fmt.Sprintf(", %d there already", before)
		}
		fmt.Fprintf(stderr, "beff: %s in %s%s\n", words.Count(added, "new result"), o.Path, already)
		return nil
	}
	return &Sink{add, end, func() { _ = d.Discard() }}, nil
}

// openMetrics opens the output of metrics. They are written at the end, so a monitoring system sees the old file or the
// new one.
func (o *Output) openMetrics(stdout, stderr io.Writer) (*Sink, error) {
	if len(o.Tables) > 0 {
		return nil, exit.Misuse("metrics have no tables: leave out --table")
	}
	if o.Path != "" {
		if _, err := publish.Free(o.Path, o.Force); err != nil {
			return nil, err
		}
	}
	var list []report.Metric
	add := func(f *report.File) error {
		list = append(list, f.Metric())
		return nil
	}
	end := func() error {
		if o.Path == "" {
			return report.OpenMetrics(stdout, list)
		}
		return publish.Failed(publish.Replace(o.Path, func(w io.Writer) error { return report.OpenMetrics(w, list) }))
	}
	return &Sink{Add: add, End: end, Drop: func() {}}, nil
}

// TableNames returns the names of all tables of results.
func TableNames() []string {
	return lists.Each(report.AllTables(), func(t *tidy.Table) string { return t.Name })
}
