package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/database"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

// exportCommand is `beff export`.
type exportCommand struct {
	Results []string `arg:"" name:"result" help:"${list_results}"`
	Output  string   `short:"o" placeholder:"PATH" help:"${export_output}"`
	Format  string   `placeholder:"NAME" help:"${export_format}"`
	Table   []string `placeholder:"NAME" help:"${export_table}"`
	chosen
	signed
	Unverified bool `help:"Take results that don't verify, and mark them."`
	Force      bool `help:"Overwrite existing output files."`

	rows *tidy.Condition // of measurements
}

// sink takes results one after the other.
type sink interface {
	add(f *report.File) error
	end() error // keeps what was added
	drop()      // leaves everything as it was
}

// exports holds the formats by their names, each with the endings of files that it is chosen by.
var exports = []struct {
	name    string
	endings []string
	open    func(c *exportCommand, p *process) (sink, error)
}{
	{"csv", []string{".csv"}, (*exportCommand).csv},
	{"sqlite", []string{".sqlite", ".sqlite3", ".db"}, (*exportCommand).sqlite},
	{"openmetrics", []string{".prom", ".om"}, (*exportCommand).openMetrics},
}

// Run is called by the command line.
func (c *exportCommand) Run(p *process) error {
	w, err := c.wanted()
	if err != nil {
		return err
	}
	into, err := c.sink(p)
	if err != nil {
		return err
	}
	refused, err := each(p.stderr, c.Results, &publish.Flags{Unverified: c.Unverified}, c.signed, w, into.add)
	if err != nil {
		into.drop()
		return err
	}
	return errors.Join(into.end(), refused.End(p.stderr))
}

// wanted returns what the flags ask of results. A condition on columns of measurements chooses rows of them.
func (c *exportCommand) wanted() (*wanted, error) {
	var err error
	if c.rows, err = tidy.NewCondition(c.Where, report.Fields); err != nil || report.OfResults(c.rows) {
		c.rows = nil
		return c.chosen.wanted()
	}
	return chosen{Since: c.Since}.wanted()
}

// sink opens the output.
func (c *exportCommand) sink(p *process) (sink, error) {
	var known []string
	for _, t := range report.AllTables() {
		known = append(known, t.Name)
	}
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

// wants reports whether a table was asked for: all are, if none is named.
func (c *exportCommand) wants(name string) bool {
	return len(c.Table) == 0 || slices.Contains(c.Table, name)
}

// csv opens the output of CSV: a file of one table, or stdout, or a directory with a file for each table.
func (c *exportCommand) csv(p *process) (sink, error) {
	if c.Output != "" && publish.IsDirectory(c.Output) {
		if err := os.MkdirAll(c.Output, 0o755); err != nil {
			return nil, fmt.Errorf("output: %w", err)
		}
		return &csvFiles{command: c, stderr: p.stderr, parts: map[string]*csvFile{}}, nil
	}
	if len(c.Table) > 1 {
		return nil, exit.Misuse("--table %s: a file has one table: give a directory, such as -o tables/",
			strings.Join(c.Table, ","))
	}
	one := &csvFiles{command: c, stderr: p.stderr, parts: map[string]*csvFile{}, single: true}
	if c.Output == "" {
		one.stdout = bufio.NewWriter(p.stdout)
	}
	return one, nil
}

// csvFiles are files of CSV, one for each table.
type csvFiles struct {
	command *exportCommand
	stderr  io.Writer
	parts   map[string]*csvFile
	run     int64
	single  bool          // one table
	stdout  *bufio.Writer // nil: files
	name    string        // of the table in a single file
}

// csvFile is a file that gets its name when it is whole.
type csvFile struct {
	part *publish.Part // nil: stdout
	out  *tidy.Writer
}

func (s *csvFiles) add(f *report.File) error {
	s.run++
	for _, t := range f.Tables(s.run, s.command.rows) {
		wanted := s.command.wants(t.Name)
		if s.single && len(s.command.Table) == 0 {
			wanted = t.Name == f.MainTable()
		}
		if !wanted || t.Empty() && !s.single {
			continue
		}
		if s.single && s.name != "" && s.name != t.Name {
			return exit.Misuse("these results have several tables, %s and %s: choose one by --table, or give a "+
				"directory, such as -o tables/", s.name, t.Name)
		}
		s.name = t.Name
		to, err := s.file(t)
		if err != nil {
			return err
		}
		if err := to.out.Add(t); err != nil {
			return fmt.Errorf("output: %w", err)
		}
	}
	return nil
}

// file returns the file of a table, which is begun when its first row comes.
func (s *csvFiles) file(t *tidy.Table) (*csvFile, error) {
	if s.parts[t.Name] != nil {
		return s.parts[t.Name], nil
	}
	made := &csvFile{}
	w := io.Writer(s.stdout)
	if s.stdout == nil {
		path := s.command.Output
		if !s.single {
			path = filepath.Join(path, t.Name+".csv")
		}
		if _, err := publish.Free(path, s.command.Force); err != nil {
			return nil, err
		}
		var err error
		if made.part, err = publish.NewPart(path); err != nil {
			return nil, fmt.Errorf("output: %w", err)
		}
		w = made.part
	}
	made.out = tidy.NewWriter(w)
	s.parts[t.Name] = made
	return made, nil
}

func (s *csvFiles) end() (err error) {
	var names []string
	for name, x := range s.parts {
		err = errors.Join(err, x.out.Flush())
		if x.part == nil {
			err = errors.Join(err, s.stdout.Flush())
			continue
		}
		if err != nil {
			x.part.Drop()
			continue
		}
		err = x.part.Keep()
		names = append(names, name)
	}
	if err != nil {
		return fmt.Errorf("output: %w", err)
	}
	if len(names) > 0 {
		slices.Sort(names)
		where := s.command.Output
		if !s.single {
			where = filepath.Join(where, words.Joined(names, "and"))
		}
		fmt.Fprintf(s.stderr, "beff: %s in %s\n", words.Count(int(s.run), "result"), where)
	}
	return nil
}

func (s *csvFiles) drop() {
	for _, x := range s.parts {
		if x.part != nil {
			x.part.Drop()
		}
	}
}

// sqlite opens a database, old or new.
func (c *exportCommand) sqlite(p *process) (sink, error) {
	if c.Output == "" {
		return nil, exit.Misuse("--format sqlite: a database is a file: give -o FILE.sqlite")
	}
	if _, err := publish.Free(c.Output, true); err != nil { // one that is there gets more rows
		return nil, err
	}
	d, err := database.Open(c.Output, func() {
		fmt.Fprintf(p.stderr, "beff: %s is locked: waiting until another process has written it\n", c.Output)
	})
	if err != nil {
		return nil, fmt.Errorf("output: %w", err)
	}
	s := &databaseFile{Database: d, command: c, stderr: p.stderr}
	for _, t := range report.AllTables() {
		if t.Name != "runs" && !c.wants(t.Name) {
			continue
		}
		if err := d.Declare(t); err != nil {
			return nil, errors.Join(fmt.Errorf("output: %w", err), d.Discard())
		}
	}
	return s, nil
}

// databaseFile is an SQLite database.
type databaseFile struct {
	*database.Database
	command       *exportCommand
	stderr        io.Writer
	added, before int
}

func (s *databaseFile) add(f *report.File) error {
	number, there, err := s.Next(f.Digest(), f.Measurement())
	if err != nil {
		return fmt.Errorf("output: %w", err)
	}
	if there {
		s.before++
		return nil
	}
	s.added++
	for _, t := range f.Tables(number, s.command.rows) {
		if t.Name != "runs" && !s.command.wants(t.Name) {
			continue
		}
		if err := s.Add(t); err != nil {
			return fmt.Errorf("output: %w", err)
		}
	}
	return nil
}

func (s *databaseFile) end() error {
	if err := s.Close(); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	already := ""
	if s.before > 0 {
		already = fmt.Sprintf(", %d there already", s.before)
	}
	fmt.Fprintf(s.stderr, "beff: %s in %s%s\n", words.Count(s.added, "new result"), s.command.Output, already)
	return nil
}

func (s *databaseFile) drop() { _ = s.Discard() }

// openMetrics opens the output of metrics.
func (c *exportCommand) openMetrics(p *process) (sink, error) {
	if len(c.Table) > 0 {
		return nil, exit.Misuse("--table: metrics have no tables")
	}
	if c.Output != "" {
		if _, err := publish.Free(c.Output, c.Force); err != nil {
			return nil, err
		}
	}
	return &metrics{path: c.Output, stdout: p.stdout}, nil
}

// metrics are written at the end: a monitoring system sees the old file or the new one.
type metrics struct {
	path   string
	stdout io.Writer
	list   []report.Metric
}

func (s *metrics) add(f *report.File) error {
	s.list = append(s.list, f.Metric())
	return nil
}

func (s *metrics) end() error {
	if s.path == "" {
		return report.OpenMetrics(s.stdout, s.list)
	}
	err := publish.Replace(s.path, func(w io.Writer) error { return report.OpenMetrics(w, s.list) })
	if err != nil {
		return fmt.Errorf("output: %w", err)
	}
	return nil
}

func (s *metrics) drop() {}
