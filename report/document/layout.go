package document

import (
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

// medium describes the medium for which tables are laid out. Widths are in its unit: millimetres of a page, or letters.
type medium struct {
	measure      func(strong bool) func(string) float64
	gap          float64 // between the texts of two columns; half of it is on each side
	maxWidth     float64 // width of a cell; longer texts are wrapped
	minTextWidth float64 // of a column of wrapped texts; avoids columns of single words
	maxWordWidth float64 // wider words are broken
}

// layout is a part of a table's columns, with the widths and lines of their cells.
type layout struct {
	columns []int
	widths  []float64    // of the texts
	rows    [][][]string // headings, rows, and the footer if there is one
}

// cells returns the headings, the rows and the footer. Headings and footer are strong.
func (t *Table) cells() [][]Cell {
	strong := func(c Cell) Cell {
		c.Strong = true
		return c
	}
	heads := make([]Cell, len(t.Columns))
	for i, h := range t.heads() {
		heads[i] = strong(Text(h))
	}
	list := append([][]Cell{heads}, t.Rows...)
	if t.Footer != nil {
		list = append(list, lists.Each(t.Footer, strong))
	}
	return list
}

// extents returns the natural widths of a table's columns, with each cell on one line, and the least widths, if
// headings or all texts may be wrapped.
func (m medium) extents(t *Table, heads, texts bool) (natural, least []float64) {
	natural, least = make([]float64, len(t.Columns)), make([]float64, len(t.Columns))
	for i, row := range t.cells() {
		for k, c := range row {
			measure, head, numbers := m.measure(c.Strong), i == 0, t.Columns[k].Numbers
			w := min(measure(c.Text), m.maxWidth)
			natural[k] = max(natural[k], w)
			if texts || head && heads {
				word := w
				if head || !numbers {
					word = lists.Max(strings.Split(c.Text, " "), measure)
				}
				if !head && !numbers {
					word = max(word, m.minTextWidth)
				}
				w = min(w, word, m.maxWordWidth)
			}
			least[k] = max(least[k], w)
		}
	}
	return natural, least
}

// fit lays out the table for a width. It returns false if the table is too wide.
func (m medium) fit(t *Table, room float64, heads, texts bool) (l layout, fits bool) {
	natural, least := m.extents(t, heads, texts)
	all := lists.Numbers(len(t.Columns))
	if room -= m.gap * float64(len(all)); lists.Sum(least) > room {
		return l, false
	}
	return m.laid(t, all, natural, least, room), true
}

// keys returns the number of columns that name a row: the first one, and also the second one if the first holds numbers
// and the second texts.
func (t *Table) keys() int {
	return words.Either(len(t.Columns) > 1 && t.Columns[0].Numbers && !t.Columns[1].Numbers, 2, 1)
}

// split lays out the table in as many parts as needed. Each begins with the columns that name a row.
func (m medium) split(t *Table, room float64) (parts []layout) {
	natural, least := m.extents(t, true, true)
	keys := []int{0, 1}[:t.keys()]
	for to := len(keys); parts == nil || to < len(least); {
		columns, free := keys[:len(keys):len(keys)], room
		for _, c := range keys {
			free -= least[c] + m.gap
		}
		for ; to < len(least) && (len(columns) == len(keys) || least[to]+m.gap <= free); to++ {
			columns, free = append(columns, to), free-least[to]-m.gap
		}
		parts = append(parts, m.laid(t, columns, natural, least, room-m.gap*float64(len(columns))))
	}
	return parts
}

// laid lays out some columns of a table for a width. Columns start with their least widths. Then the narrowest ones
// grow together, up to their natural widths.
func (m medium) laid(t *Table, columns []int, natural, least []float64, room float64) layout {
	level, widest := 0.0, slices.Max(natural)
	to := func(level float64) []float64 {
		return lists.Each(columns, func(c int) float64 { return max(least[c], min(natural[c], level)) })
	}
	for level < widest && lists.Sum(to(level+1)) <= room {
		level++
	}
	l := m.wrapped(t, columns, to(level))
	for level < widest { // most lines are narrower than allowed
		wider := m.wrapped(t, columns, to(level+1))
		if lists.Sum(wider.widths) > room {
			break
		}
		l, level = wider, level+1
	}
	return l
}

// wrapped lays out some columns, whose lines are at most as wide as most says.
func (m medium) wrapped(t *Table, columns []int, most []float64) layout {
	l := layout{columns: columns, widths: make([]float64, len(columns))}
	for _, row := range t.cells() {
		lines := make([][]string, len(columns))
		for i, c := range columns {
			measure := m.measure(row[c].Strong)
			lines[i] = wrap(row[c].Text, most[i], measure)
			l.widths[i] = max(l.widths[i], lists.Max(lines[i], measure))
		}
		l.rows = append(l.rows, lines)
	}
	return l
}

// height returns the number of lines of a row.
func height(row [][]string) int {
	return lists.Max(row, func(lines []string) int { return len(lines) })
}

// lineOf returns line i, or "" if there are fewer lines.
func lineOf(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// begins reports whether there is a line before a row, counted from 0 with the headings.
func (t *Table) begins(row int) bool {
	return row == 1 || t.Footer != nil && row == len(t.Rows)+1 || slices.Contains(t.Breaks, row-1)
}
