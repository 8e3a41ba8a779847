// Package document holds the parts of a report (titles, facts, notices, paragraphs, tables and figures) and writes them
// in each format. It doesn't depend on any benchmark. A Document is built once from results. Each format has one
// function of (io.Writer, *Document) error, which writes the same bytes each time. Texts are plain: every writer
// escapes them for its format, because names and notes come from untrusted files.
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
	Headline Headline  // large number of the title page; left out without a Value
	Facts    []Fact    // for the title page: the conditions of the measurement
	Notices  []Notice  // must not be missed; the most important first
	Lead     Lead      // text of the first page
	Sections []Section // some writers number them
	Date     time.Time // of the newest result; writers never use the current time
	Letter   bool      // Letter paper, not A4
	Upright  bool      // tables that are wider than a page are split; no page is turned for them
	Last     string    // line that scripts look for, at the end of texts; may be empty
	// Screen is the whole first screen: the verdict, which has no name, then rows of a name and a text. If it is empty,
	// Brief writes the fields above.
	Screen []Fact
	// ScreenLines is the largest number of lines of the first screen; 0 means the usual one.
	ScreenLines int
	Next        string // command that a reader may want to type next, for first screens; may be empty
}

// Headline is one number with its name and unit.
type Headline struct {
	Name  string `json:"name"`  // "b_eff"
	Value string `json:"value"` // "9709.549"
	Unit  string `json:"unit"`  // "MB/s"
	Note  string `json:"note"`  // below it: "= 37.928 MB/s per process on 256 processes"
	Badge string `json:"-"`     // verdict in a few words, in the colour of the first notice; may be empty
	// Range is the interval in words, such as "4.1 to 5.3 GB/s", and Ends are its ends relative to Value. Both are zero
	// if the interval isn't known.
	Range string     `json:"-"`
	Ends  [2]float64 `json:"-"`
}

// Fact is a name with its value, both as text.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Lead is the part of the first page that needs no context: the meaning of the headline, sentences made from the data,
// and a picture.
type Lead struct {
	Meaning   string
	Links     []Link
	Sentences []string
	Figure    *Figure // nil without one
	Table     *Table  // table that a first screen shows below the verdict; nil without one
}

// Link is a text with an address, which for a section of the document is # and its ID.
type Link struct{ Text, Address string }

// Notice is a highlighted remark.
type Notice struct {
	Level  Level  `json:"level"`
	Text   string `json:"text"`
	Remedy string `json:"remedy"` // may be empty
	// Signs are further signs of the same cause, each in a line.
	Signs []string `json:"signs,omitempty"`
	Bare  bool     `json:"-"` // the text implies the level, so no word precedes it
}

// word returns the word for the level with a colon, or "" for a bare notice.
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

// Section is a chapter. Its ID is unique in the document, in lower case with dashes: it becomes part of file names and
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
	Breaks   []int  // indices of rows that begin a group; formats that can draw a line do so before them
	Sortable bool   // readers can sort the rows by a column, if the format allows it
	// Searchable lets readers filter rows by words and by conditions on columns, if the format allows it.
	Searchable bool
	Tabs       string // key of the column by whose values readers filter rows, if the format allows it; may be empty
	Detail     bool   // shown on demand, if the format allows it; printed pages leave it out
	ByRow      bool   // each row of bandwidths has its own suitable unit, in a column; such a table has no footer
	// Turned shows a row for each column after the first one, with its unit, and a column for each row. It is for few
	// rows of many figures. CSV and JSON have the table as it is. Such a table has no footer.
	Turned bool
	// Least gives each column of bandwidths the unit that suits its smallest number, but no unit below MB/s.
	Least bool
}

// Column is the heading of a column.
type Column struct {
	Name    string `json:"name"`
	Unit    string `json:"unit"` // "MB/s"; may be empty
	Numbers bool   `json:"-"`    // aligned right
	Key     string `json:"-"`    // name in conditions; if empty, Name is used
}

// Heads returns columns by name: "system" has texts, "time [µs]" numbers in a unit, "processes []" numbers.
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

// Drop removes the columns with these names.
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
// JSON use Value. In columns with the unit MB/s, writers for readers choose the unit, and make the text from Value.
type Cell struct {
	Text   string
	Value  *float64 // nil for a text
	Strong bool
	Link   string // address of a link, if the format allows it; may be empty
	Digits int    // digits that the interval of a bandwidth justifies, for other units; 0 means four
}

// Figure is a drawing with its caption. Its ID is unique in the document. Title, label and source are part of the
// picture, so that a copy of it elsewhere has them, too.
type Figure struct {
	ID      string
	Title   string // above the drawing: its subject; may be empty
	Source  string // below the title: the system, and how it was measured; may be empty
	Label   string // before the source, such as NOT VALID; may be empty
	Caption string
	Alt     string // content in words, for readers who can't see it
	Drawing Drawing
	Lines   []string // content in letters, for plain text; most figures have none
}

// Drawing draws itself on a canvas of any size. It uses only straight lines, polygons and texts, so that it looks the
// same in each format.
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

// Figures returns all figures in their order.
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
