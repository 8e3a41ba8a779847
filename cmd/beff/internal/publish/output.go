package publish

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/words"
)

// Output is the files of a run. They are opened before anything is measured, so that a typo fails in a second. They are
// always whole: a new version is written beside the file and then takes its name.
type Output struct {
	Endings []string // of the documents, the JSON one first
	prefix  string   // empty: no files
	Force   bool
}

// File is one of the files, by its ending.
type File struct {
	Ending string
	Write  func(io.Writer) error
}

// FilesOf returns the files of a run: the result document, and the benchmark's own formats that are kept.
func FilesOf(r report.Report) []File {
	files := []File{{".json", r.Sealed}}
	for _, t := range r.Texts() {
		if t.Kept {
			files = append(files, File{t.Ending, t.Write})
		}
	}
	return files
}

// EndingsOf returns the endings of FilesOf. The result need not be there yet.
func EndingsOf(r report.Report) []string {
	var list []string
	for _, f := range FilesOf(r) {
		list = append(list, f.Ending)
	}
	return list
}

// Open makes the files. One that exists is an error, unless it may be overwritten or a run that was killed left it
// empty. Without a prefix there are no files.
func (o *Output) Open(prefix *string) error {
	if prefix == nil {
		return nil
	}
	o.prefix = strings.TrimSuffix(*prefix, o.Endings[0])
	if name := filepath.Base(o.prefix); strings.HasSuffix(o.prefix, "/") || name == "." || name == ".." {
		o.prefix = ""
		return fmt.Errorf("output %q: want a prefix for the files' names, such as %s", *prefix,
			filepath.Join(*prefix, "rating"))
	}
	for _, ending := range o.Endings {
		if err := o.create(o.prefix + ending); err != nil {
			o.RemoveEmpty()
			return err
		}
	}
	return nil
}

func (o *Output) create(name string) error {
	if info, err := os.Stat(name); err == nil {
		switch {
		case !info.Mode().IsRegular():
			return fmt.Errorf("output %s is no file", name)
		case info.Size() > 0 && !o.Force:
			return fmt.Errorf("output %s exists: choose another -o, or --force", name)
		}
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o644)
	if err == nil {
		err = f.Close()
	}
	if err == nil { // can a part be made beside it?
		if f, err = newPart(resolved(name)); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("output: %w", err)
	}
	return nil
}

// resolved returns the file that a name stands for: the link's target if it is a link.
func resolved(name string) string {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		return target
	}
	return name
}

// newPart makes a file beside another one for its next version. Its name is unique, because another run with the same
// output may write at the same time.
func newPart(name string) (*os.File, error) {
	own := fmt.Sprintf("%s.%s.part", name, strings.ToLower(rand.Text()[:8]))
	return os.OpenFile(own, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// Keep writes the documents as they are now: each one, even if another can't be written.
func (o *Output) Keep(files []File) error {
	if o.prefix == "" {
		return nil
	}
	var all error
	for _, d := range files {
		if err := replace(o.prefix+d.Ending, d.Write); err != nil {
			all = errors.Join(all, fmt.Errorf("output: %w", err))
		}
	}
	return all
}

// Where returns the end of a sentence with the place of the result.
func (o *Output) Where() string {
	if o.prefix == "" {
		return "; nothing is kept, as no -o was given"
	}
	names := make([]string, len(o.Endings))
	for i, ending := range o.Endings {
		names[i] = o.prefix + ending
	}
	return "; what was measured is in " + words.Joined(names, "and")
}

// Tell prints where the result is, if it is anywhere.
func (o *Output) Tell(w io.Writer) {
	if o.prefix != "" {
		fmt.Fprintf(w, "beff: done%s\n", o.Where())
	}
}

// RemoveEmpty removes the files that nothing was written to.
func (o *Output) RemoveEmpty() {
	for _, ending := range o.Endings {
		if info, err := os.Stat(o.prefix + ending); o.prefix != "" && err == nil && info.Mode().IsRegular() &&
			info.Size() == 0 {
			os.Remove(o.prefix + ending)
		}
	}
}

// replace writes a file anew. At every moment the old or the new one is there, whole. A link stays a link.
func replace(name string, write func(io.Writer) error) error {
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
