package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// paper is what a command has to write: a document, and perhaps lines for scripts.
type paper struct {
	name     string // of its files, without an ending
	document *document.Document
	keyValue func(io.Writer) error // nil: has none
	texts    []parts.Text          // of its benchmark alone
}

// format is one way to write a document.
type format struct {
	name, ending string
	write        func(io.Writer, *paper) error
	joins        bool // several papers may follow each other on stdout
	own          bool // of some benchmarks alone; the ending is the paper's
}

// formats by their names on the command line; plots is files only.
var formats = []format{
	{name: "text", ending: ".txt", write: writes(document.PlainText), joins: true},
	{name: "json", ending: ".json", write: writes(document.JSON)},
	{name: "csv", ending: ".csv", write: writes(writeCSV)},
	{name: "md", ending: ".md", write: writes(document.Markdown), joins: true},
	{name: "html", ending: ".html", write: writes(document.HTML)},
	{name: "pdf", ending: ".pdf", write: writes(document.PDF)},
	{name: "kv", ending: ".kv", write: func(w io.Writer, p *paper) error { return p.keyValue(w) }, joins: true},
	{name: plots},
}

// without returns the formats of a command that lacks some.
func without(names ...string) []format {
	return slices.DeleteFunc(slices.Clone(formats), func(f format) bool { return slices.Contains(names, f.name) })
}

// ownFormats returns those of results: all formats, and what their benchmarks alone have.
func ownFormats() []format {
	list := slices.Clone(formats)
	for _, name := range report.TextNames() {
		list = append(list, format{name: name, own: true, joins: true, write: func(w io.Writer, p *paper) error {
			t, err := p.text(name)
			if err != nil {
				return err
			}
			return t.Write(w)
		}})
	}
	return list
}

// text returns a format that the paper's benchmark alone has.
func (p *paper) text(name string) (parts.Text, error) {
	var names []string
	for _, t := range p.texts {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return parts.Text{}, exit.Misuse("--format %s: %s is of a benchmark that has %s", name, p.name,
		strings.Join(names, ", "))
}

const plots = "plots"

// pictures are the files of each figure.
var pictures = []struct {
	ending string
	write  func(io.Writer, *document.Figure) error
}{
	{".png", document.PNG},
	{".svg", document.SVG},
	{".pdf", document.FigurePDF},
}

func writes(f func(io.Writer, *document.Document) error) func(io.Writer, *paper) error {
	return func(w io.Writer, p *paper) error { return f(w, p.document) }
}

// writeCSV writes the only table as scripts want it, or all of them one after the other.
func writeCSV(w io.Writer, d *document.Document) error {
	var tables []*document.Table
	for _, s := range d.Sections {
		for _, b := range s.Blocks {
			if t, ok := b.(*document.Table); ok {
				tables = append(tables, t)
			}
		}
	}
	if len(tables) == 1 {
		return document.TableCSV(w, tables[0])
	}
	return document.CSV(w, d)
}

// publication is the flags of every command that writes documents.
type publication struct {
	Format     []string `placeholder:"NAME" help:"${formats} (default: text)."`
	Plots      bool     `help:"The plots too; without --format they alone."`
	Output     string   `short:"o" placeholder:"DIR" help:"${publish_output}"`
	Unverified bool     `help:"Take results that don't verify, and mark them."`
}

// chosen returns the formats of a command that the flags name, once each.
func (f *publication) chosen(of []format) ([]format, error) {
	names := f.Format
	switch {
	case f.Plots:
		names = append(slices.Clone(names), plots)
	case len(names) == 0:
		names = []string{"text"}
	}
	var list []format
	for _, name := range names {
		i := slices.IndexFunc(of, func(f format) bool { return f.name == name })
		if i < 0 {
			return nil, exit.Misuse("unknown format %q: want %s", name, formatNames(of))
		}
		if !has(list, name) {
			list = append(list, of[i])
		}
	}
	if f.Output == "" && (len(list) != 1 || list[0].name == plots) {
		return nil, exit.Misuse("--format %s: stdout has room for one format, and none for plots: give -o DIR",
			strings.Join(names, ","))
	}
	return list, nil
}

func has(list []format, name string) bool {
	return slices.ContainsFunc(list, func(f format) bool { return f.name == name })
}

func formatNames(list []format) string {
	var names []string
	for _, f := range list {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

// publish writes papers to stdout, or to the directory.
func (f *publication) publish(stdout, stderr io.Writer, papers []*paper, list []format) error {
	if f.Output != "" {
		return f.files(stderr, papers, list)
	}
	if len(papers) > 1 && !list[0].joins {
		return exit.Misuse("--format %s of %d results: give -o DIR", list[0].name, len(papers))
	}
	if err := complete(papers, list); err != nil {
		return err
	}
	for i, p := range papers {
		if i > 0 {
			fmt.Fprintln(stdout)
		}
		if err := list[0].write(stdout, p); err != nil {
			return err
		}
	}
	return nil
}

// files writes every paper in every format; each file is whole or as it was before.
func (f *publication) files(stderr io.Writer, papers []*paper, list []format) error {
	if err := errors.Join(distinct(papers), complete(papers, list)); err != nil {
		return err
	}
	if err := os.MkdirAll(f.Output, 0o755); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	written := 0
	for _, p := range papers {
		for name, write := range p.files(list) {
			if err := (&output{}).replace(filepath.Join(f.Output, name), write); err != nil {
				return fmt.Errorf("output %s: %w", name, err)
			}
			written++
		}
	}
	fmt.Fprintf(stderr, "beff: %d %s written to %s\n", written, words.Plural("file", written), f.Output)
	return nil
}

// distinct makes sure that no paper's files take another one's place.
func distinct(papers []*paper) error {
	seen := map[string]bool{}
	for _, p := range papers {
		if seen[p.name] {
			return fmt.Errorf("two results would both be written to %s: give them names of their own, or another -o "+
				"for each", p.name)
		}
		seen[p.name] = true
	}
	return nil
}

// complete makes sure that every paper has every format.
func complete(papers []*paper, list []format) error {
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

// endingOf returns that of a format's file. Several benchmarks' own formats end alike: they have their names in it.
func (p *paper) endingOf(f format) string {
	if !f.own {
		return f.ending
	}
	t, _ := p.text(f.name)
	return "." + f.name + strings.TrimPrefix(t.Ending, "."+f.name)
}

// files are a paper's, by name.
func (p *paper) files(list []format) map[string]func(io.Writer) error {
	files := map[string]func(io.Writer) error{}
	for _, format := range list {
		if format.name != plots {
			files[p.name+p.endingOf(format)] = func(w io.Writer) error { return format.write(w, p) }
			continue
		}
		for _, figure := range p.figures() {
			for _, picture := range pictures {
				files[p.name+"-"+figure.ID+picture.ending] = func(w io.Writer) error { return picture.write(w, figure) }
			}
		}
	}
	if has(list, "md") { // its figures are files
		files[p.name+".md"] = func(w io.Writer) error { return document.MarkdownFigures(p.name+"-")(w, p.document) }
		for _, figure := range p.figures() {
			files[p.name+"-"+figure.ID+".svg"] = func(w io.Writer) error { return document.SVG(w, figure) }
		}
	}
	return files
}

// figures of a document.
func (p *paper) figures() []*document.Figure {
	var list []*document.Figure
	for _, s := range p.document.Sections {
		for _, b := range s.Blocks {
			if f, ok := b.(*document.Figure); ok {
				list = append(list, f)
			}
		}
	}
	return list
}

// printed shows errors of which each has a line of its own, and returns what is to be said at last; nil if there were
// none.
func printed(stderr io.Writer, errs []error, of int) error {
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	for _, err := range errs {
		fmt.Fprintf(stderr, "beff: %v\n", err)
	}
	return fmt.Errorf("%d of %d results are refused", len(errs), of)
}
