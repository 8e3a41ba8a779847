// Package document is what a report consists of: titles, facts, notices, paragraphs, tables and figures. It knows
// nothing of benchmarks. A Document is built once from results and then written in each format by one function of
// (io.Writer, *Document) error, the same bytes each time. Texts are plain: every writer escapes what its format needs,
// as names and notes come from strangers' files.
package document

import (
	"time"

	"gonum.org/v1/plot/vg/draw"
)

// Document is a report, a comparison or a ranking.
type Document struct {
	Title    string
	Subtitle string
	Headline Headline  // the number that the title page shows large; no Value: none
	Facts    []Fact    // of the title page: what it was measured on
	Notices  []Notice  // what no reader may miss, in the order of importance
	Sections []Section // numbered by the writers that number
	Date     time.Time // of the newest result in it; writers never ask the clock
}

// Headline is one number with what it is.
type Headline struct {
	Name  string // "b_eff"
	Value string // "9709.549"
	Unit  string // "MB/s"
	Note  string // below it: "= 37.928 MB/s per process on 256 processes"
}

// Fact is a name and what is said of it.
type Fact struct{ Name, Value string }

// Notice is something that stands out.
type Notice struct {
	Level  Level
	Text   string
	Remedy string // may be empty
}

// Level is how much a Notice stands out.
type Level int

// The levels.
const (
	Good    Level = iota // valid for comparison
	Warning              // the figures need care
	Bad                  // not valid, unverified, not comparable
)

// Section is a chapter. Its ID is unique in the document, lower case with dashes: file names and links are made of it.
type Section struct {
	ID     string
	Title  string
	Blocks []Block
}

// Block is a Paragraph, a List, a *Table or a *Figure.
type Block interface{ block() }

// Paragraph is running text.
type Paragraph string

// List is a list of short texts.
type List []string

// Table has a caption, columns, and rows of as many cells. Its ID is unique in the document.
type Table struct {
	ID       string
	Caption  string
	Columns  []Column
	Rows     [][]Cell
	Footer   []Cell // a last row that stands out, or nil
	Sortable bool   // by its columns, where the format can
}

// Column is the head of a column.
type Column struct {
	Name    string
	Unit    string // "MB/s"; empty: none
	Numbers bool   // aligned right
}

// Cell is shown as Text. Where it is a number, Value is that number, unrounded, in the column's unit: for sorting, and
// for CSV.
type Cell struct {
	Text   string
	Value  *float64 // nil: text only
	Strong bool
}

// Figure is a drawing with its caption. Its ID is unique in the document.
type Figure struct {
	ID      string
	Caption string
	Alt     string // what it shows, in words
	Drawing Drawing
}

// Drawing draws itself on a canvas of any size. It is drawn with vectors and text only, so that it looks the same in
// each format.
type Drawing interface {
	// Aspect is height divided by width.
	Aspect() float64
	Draw(draw.Canvas)
}

func (Paragraph) block() {}
func (List) block()      {}
func (*Table) block()    {}
func (*Figure) block()   {}

// Text is a cell of text.
func Text(s string) Cell { return Cell{Text: s} }

// Number is a cell of a number, shown as text.
func Number(value float64, text string) Cell { return Cell{Text: text, Value: &value} }
