package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/effective-bandwidth/beff/report"
)

// output is the files of a run: opened before anything is measured, so that a typo fails in a second, and always whole:
// a new version is written beside the file and then takes its name.
type output struct {
	endings []string // of the documents, the JSON one first
	prefix  string   // empty: no files
	force   bool
}

// outFile is one of the files, by its ending.
type outFile struct {
	ending string
	write  func(io.Writer) error
}

// filesOf returns what a run keeps: the result document, and those of the benchmark's own formats that are kept.
func filesOf(r report.Report) []outFile {
	files := []outFile{{".json", r.Sealed}}
	for _, t := range r.Texts() {
		if t.Kept {
			files = append(files, outFile{t.Ending, t.Write})
		}
	}
	return files
}

// endingsOf returns the endings of filesOf, of a result that need not be there yet.
func endingsOf(r report.Report) []string {
	var list []string
	for _, f := range filesOf(r) {
		list = append(list, f.ending)
	}
	return list
}

// open makes the files; one that exists is an error, unless it may be overwritten or a run that was killed left it
// empty. Without a prefix there are none.
func (o *output) open(prefix *string) error {
	if prefix == nil {
		return nil
	}
	o.prefix = strings.TrimSuffix(*prefix, o.endings[0])
	if name := filepath.Base(o.prefix); strings.HasSuffix(o.prefix, "/") || name == "." || name == ".." {
		o.prefix = ""
		return fmt.Errorf("output %q: want a prefix for the files' names, such as %s", *prefix,
			filepath.Join(*prefix, "rating"))
	}
	for _, ending := range o.endings {
		if err := o.create(o.prefix + ending); err != nil {
			o.removeEmpty()
			return err
		}
	}
	return nil
}

func (o *output) create(name string) error {
	if info, err := os.Stat(name); err == nil {
		switch {
		case !info.Mode().IsRegular():
			return fmt.Errorf("output %s is no file", name)
		case info.Size() > 0 && !o.force:
			return fmt.Errorf("output %s exists: choose another -o, or --force", name)
		}
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o644)
	if err == nil {
		err = f.Close()
	}
	if err == nil { // whether a part can be made beside it is seen now, too
		if f, err = newPart(resolved(name)); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("output: %w", err)
	}
	return nil
}

// resolved returns the file that a name stands for: what it points to if it is a link.
func resolved(name string) string {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		return target
	}
	return name
}

// newPart makes the file beside another one in which its next version is written. Its name is its own: another run with
// the same output may write at the same time.
func newPart(name string) (*os.File, error) {
	own := fmt.Sprintf("%s.%s.part", name, strings.ToLower(rand.Text()[:8]))
	return os.OpenFile(own, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// keep writes what there is so far: each document, even if another one can't be written.
func (o *output) keep(files []outFile) error {
	if o.prefix == "" {
		return nil
	}
	var all error
	for _, d := range files {
		if err := o.replace(o.prefix+d.ending, d.write); err != nil {
			all = errors.Join(all, fmt.Errorf("output: %w", err))
		}
	}
	return all
}

// where says where the result is, behind a verb.
func (o *output) where() string {
	if o.prefix == "" {
		return "; nothing is kept, as no -o was given"
	}
	names := make([]string, len(o.endings))
	for i, ending := range o.endings {
		names[i] = o.prefix + ending
	}
	last := len(names) - 1
	return fmt.Sprintf("; what was measured is in %s and %s", strings.Join(names[:last], ", "), names[last])
}

// tell says where the result is, if it is anywhere.
func (o *output) tell(w io.Writer) {
	if o.prefix != "" {
		fmt.Fprintf(w, "beff: done%s\n", o.where())
	}
}

func (o *output) removeEmpty() {
	for _, ending := range o.endings {
		if info, err := os.Stat(o.prefix + ending); o.prefix != "" && err == nil && info.Mode().IsRegular() &&
			info.Size() == 0 {
			os.Remove(o.prefix + ending)
		}
	}
}

// replace writes a file anew: at every moment the old or the new one is there, whole. A link stays one.
func (o *output) replace(name string, write func(io.Writer) error) error {
	name = resolved(name)
	part, err := newPart(name)
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
