package publish

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Publication is a document to be written, perhaps with lines for scripts.
type Publication struct {
	Name     string // name of its files, without an ending
	Document *document.Document
	KeyValue func(io.Writer) error // writes the lines for scripts (nil: none)
	CSV      func(io.Writer) error // writes the table for programs (nil: the document's tables)
	Texts    []parts.Text          // its benchmark's own formats

	fileName string // the whole name of its only file (empty: Name and the format's ending)
}

// Format is one way to write a document.
type Format struct {
	name, ending string
	write        func(io.Writer, *Publication) error
	pictures     []picture // the formats of each figure's pictures, for a format that only writes files
	joins        bool      // several publications may follow each other on stdout
	binary       bool      // not text
	own          bool      // only some benchmarks have it
}

// Names of the formats for people, which use the width of a terminal.
const (
	textName  = "text"
	briefName = "brief"
)

// csvName is the name of the format with one table a file.
const csvName = "csv"

// formats holds all formats except benchmarks' own.
var formats = []Format{
	{name: textName, ending: ".txt", write: writes(document.PlainText), joins: true},
	{name: briefName, ending: ".brief", write: writes(document.Brief(document.Screen{})), joins: true},
	{name: "json", ending: ".json", write: writes(document.JSON)},
	{name: csvName, ending: ".csv", write: writeCSV},
	{name: "md", ending: ".md", write: writes(document.Markdown), joins: true},
	{name: "html", ending: ".html", write: writes(document.HTML)},
	{name: "pdf", ending: ".pdf", write: writes(document.PDF), binary: true},
	{name: "kv", ending: ".kv", write: func(w io.Writer, p *Publication) error { return p.KeyValue(w) }, joins: true},
	{name: Plots, pictures: []picture{{".png", document.PNG}, {".svg", document.SVG}, {".pdf", document.FigurePDF}}},
}

// MainLines are the formats of commands that print their main lines by default.
var MainLines = lists.Where(formats, func(f Format) bool { return f.name == briefName })

// Without returns all formats except the named ones.
func Without(names ...string) []Format {
	return lists.Where(formats, func(f Format) bool { return !slices.Contains(names, f.name) })
}

// OfResults returns the formats of results: all formats, the own ones of their benchmarks, and similar ones in others.
func OfResults(others ...parts.Text) []Format {
	list := slices.Clone(formats)
	for _, t := range append(report.Texts(), others...) {
		list = append(list, Format{name: t.Name, ending: t.Ending, own: true, joins: true, write: writesOwn(t.Name)})
	}
	return list
}

// OfSheets returns the formats of verdicts: the formats of documents, and others. A format in others replaces one of
// documents with the same name.
func OfSheets(others ...parts.Text) []Format {
	list := Without("kv", Plots)
	for _, o := range others {
		list = slices.DeleteFunc(list, func(f Format) bool { return f.name == o.Name })
		list = append(list, Format{name: o.Name, ending: o.Ending, own: true, write: writesOwn(o.Name)})
	}
	return list
}

// writesOwn returns a function that writes a publication's own format with this name.
func writesOwn(name string) func(io.Writer, *Publication) error {
	return func(w io.Writer, p *Publication) error {
		t, err := p.text(name)
		if err != nil {
			return err
		}
		return t.Write(w)
	}
}

// text returns the own format with this name of the publication's benchmark.
func (p *Publication) text(name string) (parts.Text, error) {
	var names []string
	for _, t := range p.Texts {
		switch t.Name {
		case name:
			return t, nil
		case "":
		default:
			names = append(names, t.Name)
		}
	}
	return parts.Text{}, exit.Misuse("--format %s: %s is of a benchmark that has %s", name, p.Name,
		words.Either(len(names) > 0, strings.Join(names, ", "), "no such format"))
}

// Plots is the name of a format that only writes files: a picture of each figure, in several formats of pictures.
const Plots = "plots"

// picture is a format of a figure's file.
type picture struct {
	ending string
	write  func(io.Writer, *document.Figure) error
}

// draws reports whether the format only writes files.
func (f Format) draws() bool { return f.pictures != nil }

func writes(f func(io.Writer, *document.Document) error) func(io.Writer, *Publication) error {
	return func(w io.Writer, p *Publication) error { return f(w, p.Document) }
}

// writeCSV writes the main table, which is the document's first one.
func writeCSV(w io.Writer, p *Publication) error {
	if p.CSV != nil {
		return p.CSV(w)
	}
	for _, t := range p.tables() {
		return document.TableCSV(w, t)
	}
	return nil
}

// tables returns the tables that CSV has, unless the publication has CSV that isn't made from its document.
func (p *Publication) tables() (tables []*document.Table) {
	if p.CSV != nil {
		return nil
	}
	for _, s := range p.Document.Sections {
		for _, b := range s.Blocks {
			if t, ok := b.(*document.Table); ok {
				tables = append(tables, t)
			}
		}
	}
	return tables
}

// unknown returns the error for a word that names no format of a command.
func unknown(word string, of []Format) error {
	names := lists.Each(of, func(f Format) string { return f.name })
	return exit.Misuse("unknown format %q%s", word, cmp.Or(words.DidYouMean(word, names), ": want "+Names(of)))
}

// Own reports whether one of the formats is a benchmark's own, which writes single results.
func Own(list []Format) bool { return slices.ContainsFunc(list, func(f Format) bool { return f.own }) }

// ForPeople reports whether all formats are documents for people, not data of single results.
func ForPeople(list []Format) bool {
	return !Own(list) && !has(list, "json") && !has(list, "csv") && !has(list, "kv")
}

func has(list []Format, name string) bool {
	return slices.ContainsFunc(list, func(f Format) bool { return f.name == name })
}

// Names returns the names of formats, separated by commas.
func Names(list []Format) string {
	return strings.Join(lists.Each(list, func(f Format) string { return f.name }), ", ")
}

// files returns the functions that write the publication's files, by file name.
func (p *Publication) files(list []Format) map[string]func(io.Writer) error {
	files := map[string]func(io.Writer) error{}
	for _, format := range list {
		if !format.draws() {
			files[cmp.Or(p.fileName, p.Name+format.ending)] = func(w io.Writer) error { return format.write(w, p) }
			continue
		}
		for _, figure := range p.Document.Figures() {
			for _, picture := range format.pictures {
				files[p.Name+"-"+figure.ID+picture.ending] = func(w io.Writer) error { return picture.write(w, figure) }
			}
		}
	}
	if tables := p.tables(); has(list, csvName) && len(tables) > 1 { // a file has one table
		stem := strings.TrimSuffix(cmp.Or(p.fileName, p.Name), ".csv")
		for _, t := range tables[1:] {
			files[stem+"-"+t.ID+".csv"] = func(w io.Writer) error { return document.TableCSV(w, t) }
		}
	}
	if has(list, "md") { // its figures are separate files
		files[p.Name+".md"] = func(w io.Writer) error { return document.MarkdownFigures(p.Name+"-")(w, p.Document) }
		for _, figure := range p.Document.Figures() {
			files[p.Name+"-"+figure.ID+".svg"] = func(w io.Writer) error { return document.SVG(w, figure) }
		}
	}
	return files
}
