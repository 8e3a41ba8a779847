package document

import (
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

// paddings has, for each format that aligns the decimal points of a column, texts with the width of a digit and of a
// point. In the PDF's font a digit is as wide as two blanks.
var paddings = map[string][2]string{"text": {" ", " "}, "brief": {" ", " "},
	"html": {"\u2007", "\u2008"}, "pdf": {"  ", " "}}

// megabytes is the unit of bandwidths in documents.
const megabytes = "MB/s"

// steps are the units of bandwidths, with their sizes in MB/s.
var steps = words.Scale(lists.Each(words.Bandwidths, func(s words.Step) words.Step {
	s.Size /= words.Mega
	return s
}))

// minShown is the fraction of a unit below which bandwidths are shown in a smaller one.
const minShown = 0.1

// shown changes the tables of a document for readers. Bandwidths get the unit of the headline. If it isn't a unit of
// bandwidths, they get a unit that suits the largest bandwidth of the table. A column of small bandwidths gets a
// smaller unit, and each row of a table ByRow its own. Turned tables are turned, and the decimal points of a column are
// aligned. CSV and JSON have the values as they are.
func (d *Document) shown(format string) {
	headline := slices.IndexFunc(steps, func(s words.Step) bool { return s.Name == d.Headline.Unit })
	for _, t := range d.tables() {
		if headline >= 0 {
			t.scale(steps[headline])
		} else {
			t.scale(t.suitingUnit())
		}
		if t.Turned {
			t.turn()
		}
		if pad, aligns := paddings[format]; aligns {
			t.align(pad[0], pad[1])
		}
	}
}

// turn turns the columns of a table into rows, and its rows into columns.
func (t *Table) turn() {
	columns := append([]Column{{Name: t.Columns[0].Name}, {Name: "unit"}},
		lists.Each(t.Rows, func(row []Cell) Column { return Column{Name: row[0].Text, Numbers: true} })...)
	var rows [][]Cell
	for i, c := range t.Columns[1:] {
		rows = append(rows, append([]Cell{Text(c.Name), Text(c.Unit)},
			lists.Each(t.Rows, func(row []Cell) Cell { return row[i+1] })...))
	}
	t.Columns, t.Rows = columns, rows
}

// tables returns all tables.
func (d *Document) tables() []*Table {
	list := each[*Table](d)
	if t := d.Lead.Table; t != nil {
		list = append(list, t)
	}
	return list
}

// suitingUnit returns the unit that suits the largest bandwidth of a table.
func (t *Table) suitingUnit() words.Step {
	return steps[2:].UnitFor(t.largest(t.rows()), digitsShown)
}

// largest returns the largest bandwidth in rows, or 0 if they have none.
func (t *Table) largest(rows [][]Cell) float64 {
	return lists.Max(lists.Numbers(len(t.Columns)), func(i int) float64 { return t.most(rows, i) })
}

// most returns the largest bandwidth of a column in rows, or 0 if it has none.
func (t *Table) most(rows [][]Cell, column int) (most float64) {
	for _, row := range rows {
		if c := row[column]; t.Columns[column].Unit == megabytes && c.Value != nil {
			most = max(most, *c.Value)
		}
	}
	return most
}

// least returns the smallest positive number of a column, or 0 if it has none.
func (t *Table) least(column int) (least float64) {
	for _, row := range t.rows() {
		if c := row[column]; c.Value != nil && *c.Value > 0 && (least == 0 || *c.Value < least) {
			least = *c.Value
		}
	}
	return least
}

// rows returns all rows with the footer.
func (t *Table) rows() [][]Cell {
	if t.Footer == nil {
		return t.Rows
	}
	return append(t.Rows[:len(t.Rows):len(t.Rows)], t.Footer)
}

const digitsShown = 4 // digits of a bandwidth, unless its cell defines them

// scale shows the bandwidths of a table in a unit, with four digits or as many as a cell defines. Columns and rows
// whose bandwidths are much smaller get a smaller unit.
func (t *Table) scale(unit words.Step) {
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
		if least := t.least(i); t.Least && least > 0 {
			of = steps[2:].UnitFor(least, digitsShown)
		} else if most := t.most(t.rows(), i); most > 0 && most < minShown*unit.Size {
			of = steps.UnitFor(most, digitsShown)
		}
		if t.Columns[i].Unit != megabytes || of.Name == megabytes {
			continue
		}
		for _, row := range t.rows() {
			row[i].scale(of)
		}
		t.Columns[i].Unit = of.Name
	}
}

// scaleRows gives each row of a table without a footer its own unit, which a new column shows before the bandwidths.
func (t *Table) scaleRows(first int) {
	for at, row := range t.Rows {
		most := t.largest([][]Cell{row})
		of := steps.UnitFor(most, digitsShown)
		for i := range row {
			if t.Columns[i].Unit == megabytes {
				row[i].scale(of)
			}
		}
		name := of.Name
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
func (c *Cell) scale(unit words.Step) {
	if c.Value == nil || unit.Name == megabytes {
		return
	}
	x := *c.Value / unit.Size
	c.Text = words.Digits(x, digitsShown)
	if c.Digits > 0 && x > 0 {
		c.Text = words.Digits(x, c.Digits)
	}
}

var decimals = words.MustCompile(`^[-+]?\d+(\.\d+)?$`)

// align pads the numbers of each column on the right, so that their decimal points are below each other.
func (t *Table) align(digit, point string) {
	for i, k := range t.Columns {
		if !k.Numbers {
			continue
		}
		most := lists.Max(t.rows(), func(row []Cell) int { return decimalDigits(row[i].Text) })
		if most == 0 {
			continue
		}
		for _, row := range t.rows() {
			c := &row[i]
			if !decimals().MatchString(c.Text) {
				continue
			}
			n := decimalDigits(c.Text)
			if n == 0 {
				c.Text += point
			}
			c.Text += strings.Repeat(digit, most-n)
		}
	}
}

// decimalDigits returns the number of digits after the decimal point.
func decimalDigits(text string) int {
	m := decimals().FindStringSubmatch(text)
	if m == nil || m[1] == "" {
		return 0
	}
	return len(m[1]) - 1
}
