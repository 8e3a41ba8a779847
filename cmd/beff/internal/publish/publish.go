package publish

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Flags holds the flags of every command that writes documents of results.
type Flags struct {
	Writing
	Unverified bool `help:"Take results that don't verify, and mark them."`
}

// Writing holds the flags of every command that writes documents.
type Writing struct {
	Format []string `placeholder:"NAME" help:"Write these formats, of ${formats} (default text)."`
	Paper  string   `enum:"a4,letter" default:"a4" help:"Choose the paper of PDF, a4 or letter."`
	Output string   `short:"o" placeholder:"PATH" help:"${publish_output}"`
	Force  bool     `help:"Overwrite existing output files."`

	read []string // results that were read
}

// Chosen returns the formats of a command that the flags name, without duplicates.
func (f *Writing) Chosen(of []Format) ([]Format, error) {
	if f.Output == Stdout {
		f.Output = ""
	}
	names, err := f.named(of)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = []string{textName}
	}
	var list []Format
	for _, name := range names {
		i := slices.IndexFunc(of, func(f Format) bool { return f.name == name })
		if i < 0 {
			return nil, unknown(name, of)
		}
		if !has(list, of[i].name) {
			list = append(list, of[i])
		}
	}
	switch {
	case f.Output != "":
	case slices.ContainsFunc(list, Format.draws):
		return nil, exit.Misuse("plots are files: give a directory for them by -o DIR/")
	case len(list) != 1:
		return nil, exit.Misuse("--format %s: stdout has room for one format: give -o DIR/", strings.Join(names, ","))
	}
	return list, nil
}

// Publish writes publications to stdout, or to the directory.
func (f *Writing) Publish(stdout, stderr io.Writer, publications []*Publication, list []Format) error {
	for _, p := range publications {
		p.Document.Letter = f.Paper == "letter"
	}
	if f.Output != "" {
		return f.files(stderr, publications, list)
	}
	if len(publications) > 1 && !list[0].joins {
		return exit.Misuse("--format %s of %d results: give -o DIR/", list[0].name, len(publications))
	}
	if err := complete(publications, list); err != nil {
		return err
	}
	screen, format := terminal.ScreenOf(stdout, os.Getenv), list[0]
	switch {
	case format.binary && screen.Terminal:
		return exit.Misuse("--format %s is no text for a terminal: give -o FILE%s, or send it to a file by > FILE",
			format.name, format.ending)
	case format.name == textName:
		format.write = writes(document.OnScreen(screen.Screen))
	case format.name == briefName:
		format.write = writes(document.Brief(screen.Screen))
	}
	for i, p := range publications {
		if i > 0 {
			fmt.Fprintln(stdout)
		}
		if err := format.write(stdout, p); err != nil {
			return err
		}
		if more := len(p.tables()) - 1; format.name == csvName && more > 0 && !format.own {
			fmt.Fprintf(stderr, "beff: %s left out: -o DIR/ writes a file for each\n", words.Count(more, "more table"))
		}
	}
	return nil
}

// files writes every publication in every format. Each file is whole or unchanged.
func (f *Writing) files(stderr io.Writer, publications []*Publication, list []Format) error {
	if err := errors.Join(distinct(publications), complete(publications, list)); err != nil {
		return err
	}
	dir, publications, err := f.place(publications, list)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Failed(err)
	}
	writers := map[string]func(io.Writer) error{}
	for _, p := range publications {
		for name, write := range p.files(list) {
			writers[filepath.Join(dir, name)] = write
		}
	}
	written := slices.Sorted(maps.Keys(writers))
	for _, path := range written { // all or none
		if err := f.checkInput(path); err != nil {
			return err
		}
		if _, err := Free(path, f.Force); err != nil {
			return err
		}
	}
	for _, path := range written {
		if err := Replace(path, writers[path]); err != nil {
			return fmt.Errorf("output %s: %w", path, err)
		}
	}
	const few = 3
	switch n := len(written); {
	case n == 0:
		return errors.New("output: there is nothing to draw")
	case n <= few:
		fmt.Fprintf(stderr, "beff: written: %s\n", words.OneLine(strings.Join(written, ", ")))
	default:
		fmt.Fprintf(stderr, "beff: %s written to %s, such as %s\n", words.Count(n, "file"),
			words.OneLine(f.Output), words.OneLine(filepath.Base(written[0])))
	}
	return nil
}

// distinct returns an error if two publications would write the same file.
func distinct(publications []*Publication) error {
	seen := map[string]bool{}
	for _, p := range publications {
		if seen[p.Name] {
			return fmt.Errorf("two results would both be written to %s: give them different names, or another "+
				"--output for each", p.Name)
		}
		seen[p.Name] = true
	}
	return nil
}

// complete returns an error unless every publication has every format.
func complete(publications []*Publication, list []Format) error {
	for _, p := range publications {
		for _, f := range list {
			if !f.own {
				continue
			}
			if _, err := p.text(f.name); err != nil {
				return err
			}
		}
	}
	return nil
}

// Failed marks an error as one in writing an output. It returns nil for nil.
func Failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("output: %w", err)
}

// Refused holds an error for each result that a command refused, and the names of those that it used although their
// data had been wrong.
type Refused struct {
	Errs    []error  // one for each refused file
	Of      int      // number of all files, refused or not
	Remarks []string // about files next to results, without duplicates
	Wrong   []string // names of results with wrong data, which aren't refused
}

// Add adds the refused results of another Refused.
func (r *Refused) Add(more Refused) {
	r.Errs, r.Of = append(r.Errs, more.Errs...), r.Of+more.Of
	r.Wrong = append(r.Wrong, more.Wrong...)
	r.addRemarks(more.Remarks...)
}

func (r *Refused) addRemarks(lines ...string) {
	r.Remarks = lists.Unique(append(r.Remarks, lines...))
}

// Notices returns a notice for a document about the refused results, with the reasons. Without any it returns none.
func (r Refused) Notices() []document.Notice {
	if len(r.Errs) == 0 {
		return nil
	}
	reasons := lists.Each(r.Errs, func(err error) string { return words.OneLine(terminal.Plain(err)) })
	return []document.Notice{{Level: document.Warning, Text: fmt.Sprintf("%d of %s left out: %s", len(r.Errs),
		words.Count(r.Of, "file"), strings.Join(reasons, "; "))}}
}

// End returns the error that ends the command, nil if no result was refused and no data were wrong. Before, it prints
// remarks and several errors, one per line.
func (r Refused) End(stderr io.Writer) error {
	for _, line := range r.Remarks {
		fmt.Fprintf(stderr, "beff: %s\n", line)
	}
	var wrong error
	if n := len(r.Wrong); n > 0 {
		wrong = fmt.Errorf("%w in %s%s", rating.ErrWrongData, r.Wrong[0],
			words.Either(n > 1, fmt.Sprintf(" and %d more", n-1), ""))
	}
	return errors.Join(wrong, r.refused(stderr))
}

func (r Refused) refused(stderr io.Writer) error {
	switch len(r.Errs) {
	case 0:
		return nil
	case 1:
		return r.Errs[0]
	}
	for _, err := range r.Errs {
		fmt.Fprintf(stderr, "beff: %s\n", terminal.Plain(err))
	}
	return fmt.Errorf("%d of %d results are refused", len(r.Errs), r.Of)
}
