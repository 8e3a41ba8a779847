// Package document holds the parts of a report (titles, facts, notices, paragraphs, tables and figures) and writes them
// in each format. It knows nothing of benchmarks. A Document is built once from results. One function of (io.Writer,
// *Document) error for each format writes it, the same bytes each time. Texts are plain. Every writer escapes them for
// its format, because names and notes come from untrusted files.
package document

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot/vg/draw"
)

// Document is a report, a comparison or a ranking.
type Document struct {
	Title    string
	Subtitle string
	Headline Headline  // the large number of the title page; none without a Value
	Facts    []Fact    // of the title page: the conditions of the measurement
	Notices  []Notice  // must not be missed; in the order of importance
	Lead     Lead      // what the first page says of it
	Sections []Section // some writers number them
	Date     time.Time // of the newest result; writers never use the current time
	Letter   bool      // pages are of Letter paper, not A4
	Last     string    // the line that scripts look for, at the end of texts; may be empty
	// Screen is all that a first screen says: the verdict, which has no name, and rows of a name and a text; none:
	// Brief writes what is above.
	Screen []Fact
	Next   string // the command that a reader wants to type next, for first screens; may be empty
}

// Headline is one number with its name and unit.
type Headline struct {
	Name  string `json:"name"`  // "b_eff"
	Value string `json:"value"` // "9709.549"
	Unit  string `json:"unit"`  // "MB/s"
	Note  string `json:"note"`  // below it: "= 37.928 MB/s per process on 256 processes"
}

// Fact is a name with its value, both as text.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Lead is the part of the first page that stands alone: the meaning of the headline, sentences made from the data, and
// a picture.
type Lead struct {
	Meaning   string
	Links     []Link
	Sentences []string
	Figure    *Figure // nil: none
	Table     *Table  // that the main lines have, of one of the sections; nil: none
}

// Link is a text that leads to an address.
type Link struct{ Text, Address string }

// Notice is a highlighted remark.
type Notice struct {
	Level  Level  `json:"level"`
	Text   string `json:"text"`
	Remedy string `json:"remedy"` // may be empty
	// Signs are what else shows the same, each in a line.
	Signs []string `json:"signs,omitempty"`
	Bare  bool     `json:"-"` // the text says the level itself: no word stands before it
}

// word returns the word for the level with a colon, "" for a bare notice.
func (n Notice) word() string {
	if n.Bare {
		return ""
	}
	return levelWords[n.Level] + ":"
}

// Level is the severity of a Notice.
type Level int

// The levels.
const (
	Good    Level = iota // valid for comparison
	Warning              // the figures need care
	Bad                  // not valid, unverified, not comparable
	Note                 // a fact that explains the figures
)

// Section is a chapter. Its ID is unique in the document, lower case with dashes: it becomes part of file names and
// links.
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

// Table has a caption, columns, and rows with one cell for each column. Its ID is unique in the document.
type Table struct {
	ID       string
	Caption  string
	Columns  []Column
	Rows     [][]Cell
	Footer   []Cell // a highlighted last row, or nil
	Breaks   []int  // indices of rows that begin a group: formats that can draw a line do so before them
	Sortable bool   // readers can sort the rows by a column, if the format allows it
	// Searchable: readers can choose rows by words and by conditions on columns, if the format allows it.
	Searchable bool
	Tabs       string // key of the column whose values readers choose rows by, if the format allows it; empty: none
	Detail     bool   // on demand, if the format allows it; printed pages leave it out
	ByRow      bool   // each row of bandwidths has the unit that suits it, in a column of its own; it has no footer
}

// Column is the head of a column.
type Column struct {
	Name    string `json:"name"`
	Unit    string `json:"unit"` // "MB/s"; empty: none
	Numbers bool   `json:"-"`    // aligned right
	Key     string `json:"-"`    // by which conditions know it; empty: the name
}

// Heads returns columns by their names: "system" has texts, "time [µs]" numbers in a unit, "processes []" numbers.
func Heads(names ...string) (list []Column) {
	for _, name := range names {
		text, numbers := strings.CutSuffix(name, "]")
		c := Column{Name: text, Numbers: numbers}
		if at := strings.LastIndex(text, " ["); numbers && at >= 0 {
			c.Name, c.Unit = text[:at], text[at+2:]
		}
		list = append(list, c)
	}
	return list
}

// Add adds a row of cells and texts.
func (t *Table) Add(cells ...any) {
	var row []Cell
	for _, x := range cells {
		c, is := x.(Cell)
		if !is {
			c = Text(x.(string))
		}
		row = append(row, c)
	}
	t.Rows = append(t.Rows, row)
}

// Drop takes columns out of a table, by their names.
func (t *Table) Drop(names ...string) {
	for i := len(t.Columns) - 1; i >= 0; i-- {
		if !slices.Contains(names, t.Columns[i].Name) {
			continue
		}
		t.Columns = slices.Delete(t.Columns, i, i+1)
		for k := range t.Rows {
			t.Rows[k] = slices.Delete(t.Rows[k], i, i+1)
		}
	}
}

// Cell is shown as Text. If it holds a number, Value is that number, unrounded, in the column's unit. Sorting, CSV and
// JSON use Value.
type Cell struct {
	Text   string
	Value  *float64 // nil: text only
	Strong bool
	Link   string // address that the text leads to, if the format allows it; empty: none
	Digits int    // that a bandwidth bears, if it is shown in another unit; 0: four
}

// Figure is a drawing with its caption. Its ID is unique in the document. Title, source and stamp are part of the
// picture, so that a copy of it elsewhere has them too.
type Figure struct {
	ID      string
	Title   string // above the drawing: what it shows; empty: none
	Source  string // below the title: of which system, and how it was measured; empty: none
	Stamp   string // across the drawing, such as NOT VALID; empty: none
	Caption string
	Alt     string // the content in words, for readers who can't see it
	Drawing Drawing
	Lines   []string // the content in letters, for plain text; most figures have none
}

// Drawing draws itself on a canvas of any size. It uses only straight lines, faces between them, and texts, so that it
// looks the same in each format.
type Drawing interface {
	// Aspect returns the height divided by the width.
	Aspect() float64
	Draw(draw.Canvas)
}

func (Paragraph) block() {}
func (List) block()      {}
func (*Table) block()    {}
func (*Figure) block()   {}

// Text returns a cell of text.
func Text(s string) Cell { return Cell{Text: s} }

// Number returns a cell of a number that is shown as text.
func Number(value float64, text string) Cell { return Cell{Text: text, Value: &value} }

// Whole returns a cell of a whole number.
func Whole[T int | int64 | uint64](n T) Cell { return Number(float64(n), fmt.Sprint(n)) }

// Figures returns all figures, in the order in which they stand.
func (d *Document) Figures() []*Figure {
	list := each[*Figure](d)
	if f := d.Lead.Figure; f != nil {
		list = append([]*Figure{f}, list...)
	}
	return list
}

// each returns the blocks of a type in the sections.
func each[T Block](d *Document) (list []T) {
	for _, s := range d.Sections {
		for _, b := range s.Blocks {
			if x, is := b.(T); is {
				list = append(list, x)
			}
		}
	}
	return list
}
