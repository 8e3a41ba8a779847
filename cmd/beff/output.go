package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report"
)

// output is the files of a run: opened before anything is measured, so that a typo fails in a second, and always whole: a new version
// is written beside the file and then takes its name.
type output struct {
	prefix string // empty: no files
	force  bool
}

// documents are the files by their endings.
var documents = []struct {
	ending string
	write  func(io.Writer, *beff.Result) error
}{
	{".json", report.JSON},
	{".txt", report.Summary},
}

// open makes the files; one that exists is an error, unless it may be overwritten.
func (o *output) open() error {
	if o.prefix == "" {
		return nil
	}
	if strings.HasSuffix(o.prefix, "/") {
		return fmt.Errorf("output %s is a directory: want a prefix for the files' names, such as %srating", o.prefix, o.prefix)
	}
	for i, d := range documents {
		how := os.O_WRONLY | os.O_CREATE | os.O_EXCL
		if o.force {
			how = os.O_WRONLY | os.O_CREATE
		}
		f, err := os.OpenFile(o.prefix+d.ending, how, 0o644)
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			for _, made := range documents[:i] {
				o.removeEmpty(made.ending)
			}
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("output %s exists: choose another -o, or --force", o.prefix+d.ending)
			}
			return fmt.Errorf("output: %w", err)
		}
	}
	return nil
}

// keep writes what there is so far.
func (o *output) keep(r *beff.Result) error {
	if o.prefix == "" {
		return nil
	}
	for _, d := range documents {
		if err := o.replace(o.prefix+d.ending, func(w io.Writer) error { return d.write(w, r) }); err != nil {
			return fmt.Errorf("output: %w", err)
		}
	}
	return nil
}

// close writes the final documents; if nothing was measured, it removes the empty ones.
func (o *output) close(r *beff.Result) error {
	if len(r.Samples) > 0 {
		return o.keep(r)
	}
	for _, d := range documents {
		o.removeEmpty(d.ending)
	}
	return nil
}

// tell says where the result is.
func (o *output) tell(w io.Writer) {
	if o.prefix != "" {
		fmt.Fprintf(w, "beff: the result is in %[1]s.json and %[1]s.txt\n", o.prefix)
	}
}

func (o *output) removeEmpty(ending string) {
	if info, err := os.Stat(o.prefix + ending); err == nil && info.Size() == 0 {
		os.Remove(o.prefix + ending)
	}
}

// replace writes a file anew: at every moment the old or the new one is there, whole.
func (o *output) replace(name string, write func(io.Writer) error) error {
	part, err := os.OpenFile(name+".part", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	err = errors.Join(write(part), part.Sync(), part.Close())
	if err != nil {
		os.Remove(part.Name())
		return err
	}
	return os.Rename(part.Name(), name)
}
