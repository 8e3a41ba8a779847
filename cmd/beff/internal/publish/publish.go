package publish

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/plain"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Flags holds the flags of every command that writes documents.
type Flags struct {
	Format     []string `placeholder:"NAME" help:"${formats} (default: text)."`
	Plots      bool     `help:"The plots too; without --format they alone."`
	JSON       bool     `name:"json" help:"The same as --format json."`
	Output     string   `short:"o" placeholder:"PATH" help:"${publish_output}"`
	Unverified bool     `help:"Take results that don't verify, and mark them."`

	read []string // results that were read
}

// Chosen returns the formats of a command that the flags name, once each.
func (f *Flags) Chosen(of []Format) ([]Format, error) {
	if f.Output == Stdout {
		f.Output = ""
	}
	names := slices.Clone(f.Format)
	if f.JSON {
		names = append(names, "json")
	}
	if f.Plots {
		names = append(names, Plots)
	}
	names, err := f.named(of, names)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = []string{textName}
	}
	var list []Format
	for _, name := range names {
		i := slices.IndexFunc(of, func(f Format) bool { return f.called(name) })
		if i < 0 {
			return nil, unknown(name, of)
		}
		if !has(list, of[i].name) {
			list = append(list, of[i])
		}
	}
	switch {
	case f.Output != "":
	case has(list, Plots):
		return nil, exit.Misuse("plots are files: give a directory for them by -o DIR/")
	case len(list) != 1:
		return nil, exit.Misuse("--format %s: stdout has room for one format: give -o DIR/", strings.Join(names, ","))
	}
	return list, nil
}

// Publish writes papers to stdout, or to the directory.
func (f *Flags) Publish(stdout, stderr io.Writer, papers []*Paper, list []Format) error {
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
		format.write = writes(document.OnScreen(screen.Width, screen.Colour))
	case format.name == briefName:
		format.write = writes(document.Brief(screen.Width, screen.Colour))
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
func (f *Flags) files(stderr io.Writer, papers []*Paper, list []Format) error {
	if err := errors.Join(distinct(papers), complete(papers, list)); err != nil {
		return err
	}
	dir, papers, err := f.place(papers, list)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	var written []string
	for _, p := range papers {
		for name, write := range p.files(list) {
			path := filepath.Join(dir, name)
			if err := f.spares(path); err != nil {
				return err
			}
			if err := Replace(path, write); err != nil {
				return fmt.Errorf("output %s: %w", name, err)
			}
			written = append(written, path)
		}
	}
	const few = 3
	slices.Sort(written)
	switch n := len(written); {
	case n == 0:
		return errors.New("output: there is nothing to draw")
	case n <= few:
		fmt.Fprintf(stderr, "beff: written: %s\n", strings.Join(written, ", "))
	default:
		fmt.Fprintf(stderr, "beff: %s written to %s, such as %s\n", words.Count(n, "file"), f.Output,
			filepath.Base(written[0]))
	}
	return nil
}

// distinct returns an error if a paper's files would take the place of another's.
func distinct(papers []*Paper) error {
	seen := map[string]bool{}
	for _, p := range papers {
		if seen[p.Name] {
			return fmt.Errorf("two results would both be written to %s: give them names of their own, or another -o "+
				"for each", p.Name)
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

// Refuse returns the error that ends a command which refused some of its results, nil if there are none. Several errors
// are printed before, each in a line.
func Refuse(stderr io.Writer, errs []error, of int) error {
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	for _, err := range errs {
		fmt.Fprintf(stderr, "beff: %s\n", plain.Text(err))
	}
	return fmt.Errorf("%d of %d results are refused", len(errs), of)
}
