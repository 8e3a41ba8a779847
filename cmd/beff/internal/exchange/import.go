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
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/format/tools"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// Import converts files of other programs to results.
type Import struct {
	Files  []string
	Output *string // a file, or a directory for several results (nil: standard output)
	Force  bool    // an existing file is overwritten
	// Named returns the description of a system by the flags, given the one of the file.
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

// Run imports the files.
func (c *Import) Run(p *process.Process) error {
	info, err := os.Stat(c.Files[0])
	if len(c.Files) > 1 || err == nil && info.IsDir() {
		return c.several(p)
	}
	made, err := c.read(c.Files[0])
	if err != nil {
		return err
	}
	if c.Output == nil || *c.Output == publish.Stdout {
		_, err := p.Stdout.Write(made.Bytes())
		return err
	}
	return c.write(p, made, filepath.Base(c.Files[0]))
}

// several imports several files, and all files of known formats in directories. Each becomes a result in the directory
// that -o names. It writes nothing unless it can read all files that the user named.
func (c *Import) several(p *process.Process) error {
	if c.Output == nil || !publish.IsDirectory(*c.Output) {
		return exit.Misuse("import: several files become a result each: give a directory for them, -o DIR/")
	}
	type one struct {
		name string
		made *bytes.Buffer
	}
	var list []one
	var left []string
	from := map[string]string{} // files by the names of their results
	for _, root := range c.Files {
		if info, err := os.Stat(root); err == nil && info.IsDir() {
			root = strings.TrimRight(root, "/") + "/" // follows a link
		}
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil || entry.IsDir():
				return err
			case path != root && !entry.Type().IsRegular(): // a pipe must not stop the command
				return nil
			}
			made, err := c.read(path)
			switch {
			case err != nil && path != root:
				left = append(left, path)
				return nil
			case err != nil:
				return err
			}
			name, _ := filepath.Rel(root, path)
			if path == root || len(c.Files) > 1 {
				name = filepath.Join(filepath.Base(root), name)
			}
			name = strings.Trim(strings.ReplaceAll(name, "/", "-"), "-")
			if other, taken := from[name]; taken {
				return fmt.Errorf("%s and %s would both become imported-%s.json: import them by themselves", other,
					path, name)
			}
			from[name] = path
			list = append(list, one{name, made})
			return nil
		})
		if err != nil {
			return fmt.Errorf("import: %w", err)
		}
	}
	for _, x := range list {
		if err := c.write(p, x.made, x.name); err != nil {
			return err
		}
	}
	if len(left) > 0 {
		fmt.Fprintf(p.Stderr, "beff: left out, beff import FILE gives the reason: %s\n", words.Some(left))
	}
	if len(list) == 0 {
		return errors.New("import: there is no file whose format is known")
	}
	return nil
}

// read returns the result document for a file.
func (c *Import) read(path string) (*bytes.Buffer, error) {
	in, name := io.Reader(os.Stdin), "standard input"
	if path != publish.Stdout {
		f, _, err := input.Open(path)
		if err != nil {
			return nil, fmt.Errorf("import: %w", err)
		}
		defer f.Close()
		in, name = f, filepath.Base(path)
	}
	made := new(bytes.Buffer)
	if err := c.imported(made, in, name); err != nil {
		return nil, fmt.Errorf("import %s: %w", path, err)
	}
	return made, nil
}

// write writes a result document. If -o is a directory, the document is named after its source.
func (c *Import) write(p *process.Process, made *bytes.Buffer, name string) error {
	path, err := publish.FileOf(*c.Output, "imported-"+strings.Trim(name, "-"), c.Force, ".json", ".json"+input.Gzip)
	if err != nil {
		return err
	}
	err = publish.Failed(publish.Replace(path, publish.Packed(path, func(w io.Writer) error {
		_, err := made.WriteTo(w)
		return err
	})))
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Stderr, "beff: written: %s\n", words.OneLine(path))
	return nil
}

// imported reads another program's result and writes its document.
func (c *Import) imported(w io.Writer, rd io.Reader, name string) error {
	r, err := tools.Read(rd, name)
	if err != nil {
		return err
	}
	if r.System, err = c.Named(r.System); err != nil {
		return err
	}
	if err := c.addTo(r); err != nil {
		return err
	}
	return offoreign.Report{Result: r}.Sealed(w)
}
