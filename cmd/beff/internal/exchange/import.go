package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/format/tools"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Import converts files of other programs to results.
type Import struct {
	Files  []string
	Output *string // a file, or a directory for several results (nil: standard output)
	Force  bool    // an existing file is overwritten
	// Named returns the description of a system according to the flags. Its argument is the description in the file.
	Named func(*rating.System) (*rating.System, error)
	RunFacts
}

// RunFacts holds the flags for facts of a run that some files lack.
type RunFacts struct {
	Date      *string `placeholder:"DATE" help:"Set the date of measuring, such as 2026-11-22 or 2026-11-22T14:05."`
	Processes *int    `placeholder:"N" help:"Set the number of processes."`
	Library   *string `placeholder:"TEXT" help:"Set the MPI library with its version."`
}

// dates are the layouts of --date.
var dates = []string{"2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15:04:05", time.DateTime, time.DateOnly,
	time.RFC3339}

// addTo adds the facts to a result. A fact that the result has already is an error.
func (u RunFacts) addTo(r *foreign.Result) error {
	known := func(flag, what string) error {
		return fmt.Errorf("--%s: the file itself has %s", flag, what)
	}
	if engine := &r.Engine; u.Library != nil {
		if engine.Library != "" {
			return known("library", engine.Library)
		}
		engine.Library = *u.Library
	}
	if u.Date != nil {
		if !r.Started.IsZero() {
			return known("date", r.Started.Format(time.DateTime))
		}
		for _, layout := range dates {
			if d, err := time.Parse(layout, *u.Date); err == nil {
				r.Started, r.LocalTime = d, layout != time.RFC3339
			}
		}
		if r.Started.IsZero() {
			return exit.Misuse("--date %s: want a date such as 2026-11-22 or 2026-11-22T14:05", *u.Date)
		}
	}
	if u.Processes != nil {
		switch n := r.Processes; {
		case n > 0 && n != *u.Processes:
			return known("processes", fmt.Sprint(n))
		case *u.Processes < 1 || *u.Processes > 1<<30:
			return exit.Misuse("--processes %d: want a number of processes", *u.Processes)
		}
		r.Processes = *u.Processes
		for i := range r.Tables {
			if t := &r.Tables[i]; t.Processes == 0 {
				t.Processes = *u.Processes
			}
		}
	}
	return nil
}

// Run imports the files. It prints a line for each result that it writes, and names each run that it can't read.
func (c *Import) Run(p *process.Process) error {
	x := &importing{Import: c, process: p, named: map[string]bool{}}
	x.toDirectory = c.Output != nil && publish.IsDirectory(*c.Output)
	if info, err := os.Stat(c.Files[0]); !x.toDirectory && (len(c.Files) > 1 || err == nil && info.IsDir()) {
		return exit.Misuse("import: several files become a result each: give a directory for them, -o DIR/")
	}
	if err := lists.Try(c.Files, x.root); err != nil {
		return err
	}
	return x.end()
}

// importing is the state of a running import.
type importing struct {
	*Import
	process     *process.Process
	toDirectory bool
	made        *bytes.Buffer   // the only result, if there is no directory
	named       map[string]bool // names of results
	rows        [][]string      // what is printed about each result
	written     int             // results in the directory
	same        []string        // results that the directory had already
	unknown     []string        // files of directories whose formats aren't known
	failures    []error         // of runs and files without a result
}

// root imports a file, or all files of known formats in a directory.
func (x *importing) root(root string) error {
	info, err := os.Stat(root)
	if root == publish.Stdout || err == nil && !info.IsDir() {
		return x.file(root, filepath.Base(root), true)
	} else if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	root = strings.TrimRight(root, "/") + "/" // follows a link
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("import: %w", err)
		} else if !entry.Type().IsRegular() { // a pipe must not stop the command
			return nil
		}
		name, _ := filepath.Rel(root, path)
		if len(x.Files) > 1 {
			name = filepath.Join(filepath.Base(root), name)
		}
		return x.file(path, strings.Trim(strings.ReplaceAll(name, "/", "-"), "-"), false)
	})
}

// file imports the runs of a file. name is the name of the first result.
func (x *importing) file(path, name string, given bool) error {
	for x.named[name] { // a/b-c and a-b/c
		name += "-2"
	}
	x.named[name] = true
	in, source := io.Reader(os.Stdin), "standard input"
	if path != publish.Stdout {
		f, _, err := input.Open(path)
		if err != nil {
			return fmt.Errorf("import: %w", err)
		}
		defer f.Close()
		in, source = f, filepath.Base(path)
	}
	results, stop := 0, error(nil)
	err := tools.Log(in, source, func(run tools.Found) error {
		if run.Err != nil {
			x.failures = append(x.failures, failed(path, run.Err))
			return nil
		}
		if results++; results > 1 {
			stop = x.result(path, fmt.Sprintf("%s-line%d", name, run.Line), run.Result)
		} else {
			stop = x.result(path, name, run.Result)
		}
		return stop
	})
	switch {
	case stop != nil:
		return stop
	case (errors.Is(err, tools.ErrUnknown) || errors.Is(err, tools.ErrEmpty)) && !given:
		x.unknown = append(x.unknown, path)
	case err != nil:
		x.failures = append(x.failures, failed(path, err))
	}
	return nil
}

// failed returns the error of a run or a file.
func failed(path string, err error) error {
	return fmt.Errorf("import %s: %w", words.OneLine(path), err)
}

// result writes a result, or keeps it if it may be the only one.
func (x *importing) result(path, name string, r *foreign.Result) (err error) {
	if r.System, err = x.Named(r.System); err != nil {
		return err
	}
	if err := x.addTo(r); err != nil {
		return failed(path, err)
	}
	made := new(bytes.Buffer)
	if err := (offoreign.Report{Result: r}).Sealed(made); err != nil {
		return err
	}
	x.rows = append(x.rows, row(path, r))
	if !x.toDirectory {
		if x.made != nil {
			return exit.Misuse("import %s: it has several runs, of which one begins at line %d: give a directory for "+
				"their results, -o DIR/", path, r.Line)
		}
		x.made = made
		return nil
	}
	return x.write(made, path, name)
}

// row returns what is printed about a result: program, system, processes, nodes, date, main figure, and where it was
// found.
func row(path string, r *foreign.Result) []string {
	at := words.OneLine(path)
	if r.Line > 0 {
		at = fmt.Sprintf("%s:%d", at, r.Line)
	}
	date, known := "-", func(n int) string { return words.Either(n > 0, fmt.Sprint(n), "-") }
	if !r.Started.IsZero() {
		date = words.Minute(offoreign.Report{Result: r}.Header().Date())
	}
	return []string{strings.TrimSpace(r.Program + " " + words.OneLine(r.ProgramVersion)),
		words.OneLine(parts.NameOf(r.System, r.Host)), known(r.Processes), known(r.Nodes), date,
		offoreign.MainFigure(r), at}
}

// end writes the only result, prints what was imported, and returns an error if a file or a run has no result.
func (x *importing) end() error {
	p := x.process
	if x.made != nil && (x.Output == nil || *x.Output == publish.Stdout) {
		if _, err := p.Stdout.Write(x.made.Bytes()); err != nil {
			return err
		}
	} else if len(x.rows) > 0 {
		if x.made != nil {
			if err := x.write(x.made, x.Files[0], ""); err != nil {
				return err
			}
		}
		table := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "program\tsystem\tprocesses\tnodes\tdate\tfigure\tfrom")
		for _, row := range x.rows {
			fmt.Fprintln(table, strings.Join(row, "\t"))
		}
		if err := table.Flush(); err != nil {
			return err
		}
		if x.written > 0 {
			fmt.Fprintf(p.Stderr, "beff: written: %s in %s\n", words.Count(x.written, "result"),
				words.OneLine(*x.Output))
		}
	}
	if n := len(x.same); n > 0 {
		fmt.Fprintf(p.Stderr, "beff: %s written before, unchanged: %s\n", words.Count(n, "result"), words.Some(x.same))
	}
	if n := len(x.unknown); n > 0 {
		fmt.Fprintf(p.Stderr, "beff: %s of unknown formats: %s\n", words.Count(n, "file"), words.Some(x.unknown))
	}
	switch n := len(x.failures); {
	case n == 1 && len(x.rows) == 0:
		return x.failures[0]
	case n > 0:
		for _, err := range x.failures {
			fmt.Fprintf(p.Stderr, "beff: %s\n", words.OneLine(err.Error()))
		}
		return fmt.Errorf("import: nothing was written for %s", words.Count(n, "run"))
	case len(x.rows) == 0:
		return errors.New("import: there is no file whose format is known")
	}
	return nil
}

// write writes the result document of a source. If -o is a directory, name is the document's name there. An existing
// file there is kept, and the other results are still written.
func (x *importing) write(made *bytes.Buffer, source, name string) error {
	path, err := publish.FileOf(*x.Output, "imported-"+strings.Trim(name, "-"), x.Force, ".json", ".json"+input.Gzip)
	if err != nil && (path == "" || !x.toDirectory) {
		return err
	} else if err != nil {
		if old, _ := input.ReadAll(path, int64(made.Len())+1); bytes.Equal(old, made.Bytes()) {
			x.same = append(x.same, words.OneLine(path))
		} else {
			x.failures = append(x.failures, failed(source, err))
		}
		return nil
	}
	err = publish.Failed(publish.Replace(path, publish.Packed(path, func(w io.Writer) error {
		_, err := made.WriteTo(w)
		return err
	})))
	if err != nil {
		return err
	}
	if x.toDirectory {
		x.written++
	} else {
		fmt.Fprintf(x.process.Stderr, "beff: written: %s\n", words.OneLine(path))
	}
	return nil
}
