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

// Chosen returns the formats of a command that the flags name, once each.
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

// Publish writes papers to stdout, or to the directory.
func (f *Writing) Publish(stdout, stderr io.Writer, papers []*Paper, list []Format) error {
	for _, p := range papers {
		p.Document.Letter = f.Paper == "letter"
	}
	if f.Output != "" {
		return f.files(stderr, papers, list)
	}
	if len(papers) > 1 && !list[0].joins {
		return exit.Misuse("--format %s of %d results: give -o DIR/", list[0].name, len(papers))
	}
	if err := complete(papers, list); err != nil {
		return err
	}
	screen, format := terminal.Of(stdout, os.Getenv), list[0]
	switch {
	case format.binary && screen.Terminal:
		return exit.Misuse("--format %s is no text for a terminal: give -o FILE%s, or send it to a file by > FILE",
			format.name, format.ending)
	case format.name == textName:
		format.write = writes(document.OnScreen(screen.Screen))
	case format.name == briefName:
		format.write = writes(document.Brief(screen.Screen))
	}
	for i, p := range papers {
		if i > 0 {
			fmt.Fprintln(stdout)
		}
		if err := format.write(stdout, p); err != nil {
			return err
		}
	}
	return nil
}

// files writes every paper in every format; each file is whole or as it was before.
func (f *Writing) files(stderr io.Writer, papers []*Paper, list []Format) error {
	if err := errors.Join(distinct(papers), complete(papers, list)); err != nil {
		return err
	}
	dir, papers, err := f.place(papers, list)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Failed(err)
	}
	writers := map[string]func(io.Writer) error{}
	for _, p := range papers {
		for name, write := range p.files(list) {
			writers[filepath.Join(dir, name)] = write
		}
	}
	written := slices.Sorted(maps.Keys(writers))
	for _, path := range written { // all or none
		if err := f.spares(path); err != nil {
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

// distinct returns an error if a paper's files would take the place of another's.
func distinct(papers []*Paper) error {
	seen := map[string]bool{}
	for _, p := range papers {
		if seen[p.Name] {
			return fmt.Errorf("two results would both be written to %s: give them different names, or another "+
				"--output for each", p.Name)
		}
		seen[p.Name] = true
	}
	return nil
}

// complete returns an error unless every paper has every format.
func complete(papers []*Paper, list []Format) error {
	for _, p := range papers {
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

// Failed returns an error of writing an output as such; nil for nil.
func Failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("output: %w", err)
}

// Refused holds an error for each result that a command refused, of so many that were read, and those that it took
// although their data had been wrong.
type Refused struct {
	Errs   []error
	Of     int
	Beside []string // what is to be said of files beside results, each line once
	Wrong  []string // names
}

// Add adds what was refused of other results.
func (r *Refused) Add(more Refused) {
	r.Errs, r.Of = append(r.Errs, more.Errs...), r.Of+more.Of
	r.Wrong = append(r.Wrong, more.Wrong...)
	r.say(more.Beside...)
}

func (r *Refused) say(lines ...string) {
	for _, line := range lines {
		if !slices.Contains(r.Beside, line) {
			r.Beside = append(r.Beside, line)
		}
	}
}

// Notices returns a notice for a document about the results that were refused, with the reasons; none if none was.
func (r Refused) Notices() []document.Notice {
	if len(r.Errs) == 0 {
		return nil
	}
	reasons := lists.Each(r.Errs, func(err error) string { return words.OneLine(terminal.Plain(err)) })
	return []document.Notice{{Level: document.Warning, Text: fmt.Sprintf("%d of %s left out: %s", len(r.Errs),
		words.Count(r.Of, "file"), strings.Join(reasons, "; "))}}
}

// End returns the error that ends the command, nil if no result was refused and no data were wrong. What lies beside
// results, and several errors, are printed before, each in a line.
func (r Refused) End(stderr io.Writer) error {
	for _, line := range r.Beside {
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
