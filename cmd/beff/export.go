package main

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

	"github.com/effective-bandwidth/beff/cmd/beff/internal/choose"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/database"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

// exportCommand is `beff export`.
type exportCommand struct {
	Results []string `arg:"" name:"result" help:"${results}"`
	Output  string   `short:"o" placeholder:"PATH" help:"${export_output}"`
	Format  string   `placeholder:"NAME" help:"${export_format}"`
	Table   []string `placeholder:"NAME" help:"${export_table}"`
	choose.Conditions
	Unverified bool `help:"Take results that don't verify, and mark them."`
	Force      bool `help:"Overwrite existing output files."`

	rows *tidy.Condition // of measurements
}

// sink takes results one after the other.
type sink struct {
	add  func(f *report.File) error
	end  func() error // keeps what was added
	drop func()       // leaves everything as it was
}

// exports holds the formats by their names, each with the endings of files that it is chosen by.
var exports = []struct {
	name    string
	endings []string
	open    func(c *exportCommand, p *process.Process) (*sink, error)
}{
	{"csv", []string{".csv"}, (*exportCommand).csv},
	{"sqlite", []string{".sqlite", ".sqlite3", ".db"}, (*exportCommand).sqlite},
	{"openmetrics", []string{".prom", ".om"}, (*exportCommand).openMetrics},
}

// Run is called by the command line.
func (c *exportCommand) Run(p *process.Process) error {
	w, rows, err := c.OfRows()
	if c.rows = rows; err != nil {
		return err
	}
	into, err := c.sink(p)
	if err != nil {
		return err
	}
	refused, err := choose.Each(p.Stderr, c.Results, &publish.Flags{Unverified: c.Unverified}, w, into.add)
	if err != nil {
		into.drop()
		return err
	}
	return errors.Join(into.end(), refused.End(p.Stderr))
}

// sink opens the output.
func (c *exportCommand) sink(p *process.Process) (*sink, error) {
	known := tableNames()
	for _, name := range c.Table {
		if !slices.Contains(known, name) {
			return nil, exit.Misuse("--table %s: want %s", name, strings.Join(known, ", "))
		}
	}
	if c.Output == publish.Stdout {
		c.Output = ""
	}
	var names []string
	for _, e := range exports {
		if c.Format == e.name || c.Format == "" && slices.Contains(e.endings, filepath.Ext(c.Output)) {
			return e.open(c, p)
		}
		names = append(names, e.name)
	}
	switch {
	case c.Format != "":
		return nil, exit.Misuse("unknown format %q: want %s", c.Format, strings.Join(names, ", "))
	case c.Output == "", publish.IsDirectory(c.Output):
		return c.csv(p)
	}
	return nil, exit.Misuse("-o %s: want a name that ends with .csv, .sqlite or .prom, or a directory, such as %s/",
		c.Output, c.Output)
}

// wants reports whether a table of results was asked for: all are, if none is named.
func (c *exportCommand) wants(name string) bool {
	return len(c.Table) == 0 || slices.Contains(c.Table, name)
}

// csvFiles are files of CSV, one for each table, or one of a single table. They get their names when all are whole.
type csvFiles struct {
	*exportCommand
	out    map[string]*tidy.Writer // by the names of tables
	parts  []*publish.Part
	stdout *bufio.Writer // nil: files
	single bool          // one table
	run    int64
}

// csv opens the output of CSV: a file of one table, or stdout, or a directory with a file for each table.
func (c *exportCommand) csv(p *process.Process) (*sink, error) {
	s := &csvFiles{exportCommand: c, out: map[string]*tidy.Writer{}, single: true}
	switch {
	case c.Output != "" && publish.IsDirectory(c.Output):
		if err := os.MkdirAll(c.Output, 0o755); err != nil {
			return nil, publish.Failed(err)
		}
		s.single = false
	case len(c.Table) > 1:
		return nil, exit.Misuse("--table %s: a file has one table: give a directory, such as -o tables/",
			strings.Join(c.Table, ","))
	case c.Output == "":
		s.stdout = bufio.NewWriter(p.Stdout)
	}
	drop := func() {
		for _, part := range s.parts {
			part.Drop()
		}
	}
	return &sink{s.add, func() error { return s.end(p.Stderr, drop) }, drop}, nil
}

func (s *csvFiles) add(f *report.File) error {
	s.run++
	for _, t := range f.Tables(s.run, s.rows) {
		wanted := s.wants(t.Name)
		if s.single && len(s.Table) == 0 {
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
		if err := s.table(t); err != nil {
			return err
		}
	}
	return nil
}

// table writes a table behind what its file has.
func (s *csvFiles) table(t *tidy.Table) error {
	to, err := s.file(t.Name)
	if err != nil {
		return err
	}
	return publish.Failed(to.Add(t))
}

// file returns the file of a table, which is begun when its first row comes.
func (s *csvFiles) file(table string) (*tidy.Writer, error) {
	if s.out[table] != nil {
		return s.out[table], nil
	}
	w := io.Writer(s.stdout)
	if s.stdout == nil {
		path := s.Output
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
		where := s.Output
		if !s.single {
			where = filepath.Join(where, words.Joined(slices.Sorted(maps.Keys(s.out)), "and"))
		}
		fmt.Fprintf(stderr, "beff: %s in %s\n", words.Count(int(s.run), "result"), where)
	}
	return publish.Failed(err)
}

// sqlite opens a database, old or new.
func (c *exportCommand) sqlite(p *process.Process) (*sink, error) {
	if c.Output == "" {
		return nil, exit.Misuse("--format sqlite: a database is a file: give -o FILE.sqlite")
	}
	if _, err := publish.Free(c.Output, true); err != nil { // one that is there gets more rows
		return nil, err
	}
	d, err := database.Open(c.Output, func() {
		fmt.Fprintf(p.Stderr, "beff: %s is locked: waiting until another process has written it\n", c.Output)
	})
	if err != nil {
		return nil, publish.Failed(err)
	}
	has := func(t *tidy.Table) bool { return t.Name == "runs" || c.wants(t.Name) }
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
		for _, t := range f.Tables(number, c.rows) {
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
		fmt.Fprintf(p.Stderr, "beff: %s in %s%s\n", words.Count(added, "new result"), c.Output, already)
		return nil
	}
	return &sink{add, end, func() { _ = d.Discard() }}, nil
}

// openMetrics opens the output of metrics. They are written at the end: a monitoring system sees the old file or the
// new one.
func (c *exportCommand) openMetrics(p *process.Process) (*sink, error) {
	if len(c.Table) > 0 {
		return nil, exit.Misuse("metrics have no tables: leave out --table")
	}
	if c.Output != "" {
		if _, err := publish.Free(c.Output, c.Force); err != nil {
			return nil, err
		}
	}
	var list []report.Metric
	add := func(f *report.File) error {
		list = append(list, f.Metric())
		return nil
	}
	end := func() error {
		if c.Output == "" {
			return report.OpenMetrics(p.Stdout, list)
		}
		return publish.Failed(publish.Replace(c.Output, func(w io.Writer) error { return report.OpenMetrics(w, list) }))
	}
	return &sink{add: add, end: end, drop: func() {}}, nil
}
