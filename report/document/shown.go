package document

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/report/words"
)

// paddings has, for each format that lines up the decimal points of a column, the text as wide as a digit and the one
// as wide as a point. In the PDF's font a digit is as wide as two blanks.
var paddings = map[string][2]string{"text": {" ", " "}, "brief": {" ", " "},
	"html": {"\u2007", "\u2008"}, "pdf": {"  ", " "}}

// megabytes is the unit of bandwidths in documents.
const megabytes = "MB/s"

// step is a unit in which readers see bandwidths, and its size in MB/s.
type step struct {
	name string
	size float64
}

// steps are the units of bandwidths, each 1000 times the one before.
var steps = []step{{"B/s", 1e-6}, {"kB/s", 1e-3}, {megabytes, 1}, {"GB/s", 1e3}, {"TB/s", 1e6}, {"PB/s", 1e9}}

// suiting returns the largest of some units that a bandwidth in MB/s has so many of, at least the first of them.
func suiting(x, many float64, of []step) step {
	at := 0
	for at < len(of)-1 && x >= many*of[at+1].size {
		at++
	}
	return of[at]
}

// leastShown is the part of a unit below which bandwidths are shown in a smaller one.
const leastShown = 0.1

// shown changes the tables of a document for readers: bandwidths are in the unit of the headline, or else in the one
// that suits the largest of the table; a column of small ones is in a smaller unit, and each row of a table ByRow is in
// its own. Decimal points of a column are below each other. CSV and JSON have the values as they are.
func (d *Document) shown(format string) {
	headline := slices.IndexFunc(steps, func(s step) bool { return s.name == d.Headline.Unit })
	for _, t := range d.tables() {
		if headline >= 0 {
			t.scale(steps[headline])
		} else {
			t.scale(t.suiting())
		}
		if pad, aligns := paddings[format]; aligns {
			t.align(pad[0], pad[1])
		}
	}
}

// tables returns all tables.
func (d *Document) tables() (list []*Table) {
	if d.Lead.Table != nil {
		list = append(list, d.Lead.Table)
	}
	for _, s := range d.Sections {
		for _, b := range s.Blocks {
			if t, is := b.(*Table); is {
				list = append(list, t)
			}
		}
	}
	return list
}

// suiting returns the unit that suits the largest bandwidth of a table.
func (t *Table) suiting() step {
	most := 0.0
	for i := range t.Columns {
		most = max(most, t.most(t.rows(), i))
	}
	return suiting(most, 1, steps[2:])
}

// most returns the largest bandwidth of a column in rows, 0 if it has none.
func (t *Table) most(rows [][]Cell, column int) (most float64) {
	for _, row := range rows {
		if c := row[column]; t.Columns[column].Unit == megabytes && c.Value != nil {
			most = max(most, *c.Value)
		}
	}
	return most
}

// rows returns all rows with the footer.
func (t *Table) rows() [][]Cell {
	if t.Footer == nil {
		return t.Rows
	}
	return append(t.Rows[:len(t.Rows):len(t.Rows)], t.Footer)
}

// scale shows the bandwidths of a table in a unit, with four digits or as many as a cell bears. Columns and rows whose
// bandwidths are a small part of it have a smaller one.
func (t *Table) scale(unit step) {
	first := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Unit == megabytes })
	if first < 0 {
		return
	}
	if t.ByRow {
		t.scaleRows(first)
		return
	}
	for i := range t.Columns {
		of := unit
		if most := t.most(t.rows(), i); most > 0 && most < leastShown*unit.size {
			of = suiting(most, 1, steps)
		}
		if t.Columns[i].Unit != megabytes || of.name == megabytes {
			continue
		}
		for _, row := range t.rows() {
			row[i].scale(of)
		}
		t.Columns[i].Unit = of.name
	}
}

// scaleRows shows the bandwidths of each row of a table without a footer in a unit of its own, which stands before the
// first of them.
func (t *Table) scaleRows(first int) {
	for at, row := range t.Rows {
		most := 0.0
		for i := range t.Columns {
			most = max(most, t.most([][]Cell{row}, i))
		}
		of := suiting(most, 1, steps)
		for i := range row {
			if t.Columns[i].Unit == megabytes {
				row[i].scale(of)
			}
		}
		name := of.name
		if most == 0 {
			name = "" // nothing was measured
		}
		t.Rows[at] = slices.Insert(row, first, Text(name))
	}
	for i := range t.Columns {
		if t.Columns[i].Unit == megabytes {
			t.Columns[i].Unit = ""
		}
	}
	t.Columns = slices.Insert(t.Columns, first, Column{Name: "unit"})
}

// scale shows a bandwidth in a unit.
func (c *Cell) scale(unit step) {
	if c.Value == nil || unit.name == megabytes {
		return
	}
	x := *c.Value / unit.size
	c.Text = fourDigits(x)
	if c.Digits > 0 && x > 0 {
		c.Text = words.Digits(x, c.Digits)
	}
}

// fourDigits formats a number with four digits, or with all before the decimal point.
func fourDigits(x float64) string {
	switch a := math.Abs(x); {
	case a == 0:
		return "0"
	case a < 1e-6 || a >= 1e7:
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	return strconv.FormatFloat(x, 'f', max(0, min(6, 3-int(math.Floor(math.Log10(math.Abs(x)))))), 64)
}

var decimals = words.MustCompile(`^[-+]?\d+(\.\d+)?$`)

// align fills the numbers of a column so that their decimal points are below each other where they end on the right.
func (t *Table) align(digit, point string) {
	for i, k := range t.Columns {
		if !k.Numbers {
			continue
		}
		most := 0
		for _, row := range t.rows() {
			most = max(most, behind(row[i].Text))
		}
		if most == 0 {
			continue
		}
		for _, row := range t.rows() {
			c := &row[i]
			if !decimals().MatchString(c.Text) {
				continue
			}
			n := behind(c.Text)
			if n == 0 {
				c.Text += point
			}
			c.Text += strings.Repeat(digit, most-n)
		}
	}
}

// behind returns the number of digits behind the decimal point of a number.
func behind(text string) int {
	m := decimals().FindStringSubmatch(text)
	if m == nil || m[1] == "" {
		return 0
	}
	return len(m[1]) - 1
}
