package document

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/report/words"
)

// paddings has, for each format that lines up the decimal points of a column, the text as wide as a digit and the one
// as wide as a point. In the PDF's font a digit is as wide as two blanks.
var paddings = map[string][2]string{"text": {" ", " "}, "html": {"\u2007", "\u2008"}, "pdf": {"  ", " "}}

// steps are the units of bandwidths, each 1000 times the one before.
var steps = []string{"MB/s", "GB/s", "TB/s", "PB/s"}

// mostShown is the largest bandwidth that is shown in a unit, if there is a larger unit.
const mostShown = 10_000

// shown changes the tables of a document for readers: bandwidths are in the unit that suits the largest one of the
// table, and decimal points of a column are below each other. CSV and JSON have the values as they are.
func (d *Document) shown(format string) {
	for _, s := range d.Sections {
		for _, b := range s.Blocks {
			if t, is := b.(*Table); is {
				t.scale()
				if pad, aligns := paddings[format]; aligns {
					t.align(pad[0], pad[1])
				}
			}
		}
	}
}

// rows returns all rows with the footer.
func (t *Table) rows() [][]Cell {
	if t.Footer == nil {
		return t.Rows
	}
	return append(t.Rows[:len(t.Rows):len(t.Rows)], t.Footer)
}

// Bandwidths returns the unit in which readers see the bandwidths of a table, and how many MB/s it has.
func (t *Table) Bandwidths() (unit string, by float64) {
	most := 0.0
	for _, row := range t.rows() {
		for i, c := range row {
			if t.Columns[i].Unit == steps[0] && c.Value != nil {
				most = math.Max(most, *c.Value)
			}
		}
	}
	step, by := 0, 1.0
	for ; step < len(steps)-1 && most/by >= mostShown; by *= 1000 {
		step++
	}
	return steps[step], by
}

// scale shows all bandwidths in MB/s of a table with large ones in a larger unit, with four digits or as many as a cell
// bears.
func (t *Table) scale() {
	unit, by := t.Bandwidths()
	if by == 1 {
		return
	}
	for i := range t.Columns {
		if t.Columns[i].Unit != steps[0] {
			continue
		}
		t.Columns[i].Unit = unit
		for _, row := range t.rows() {
			if c := &row[i]; c.Value != nil {
				c.Text = fourDigits(*c.Value / by)
				if x := *c.Value / by; c.Digits > 0 && x > 0 {
					c.Text = words.Digits(x, c.Digits)
				}
			}
		}
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

var decimals = regexp.MustCompile(`^[-+]?\d+(\.\d+)?$`)

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
			if !decimals.MatchString(c.Text) {
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
	m := decimals.FindStringSubmatch(text)
	if m == nil || m[1] == "" {
		return 0
	}
	return len(m[1]) - 1
}
