package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

const (
	tableWidth = 120 // columns of a table; it is split if its cells can't be made narrow enough
	leastCell  = 20  // columns that a text keeps when it is wrapped to fit
)

// table draws a table. It has no outer frame, because a frame makes wrapped lines on a narrow terminal worse:
//
//	pattern | b_eff [MB/s]
//	--------+-------------
//	ring-2  |       970.95
//
// For a table that is too wide it wraps the heads, then the texts, and then splits the table into parts.
func (p plain) table(t *Table) {
	for head := cellWidth; head >= 0; head-- {
		if w := t.wrapped(head, cellWidth); w.width() <= p.tableWide {
			p.part(t, w)
			return
		}
	}
	for text := cellWidth; text >= leastCell; text-- {
		if w := t.wrapped(0, text); w.width() <= p.tableWide {
			p.part(t, w)
			return
		}
	}
	for i, part := range t.divided(p.tableWide) {
		if i > 0 {
			number, _, _ := strings.Cut(p.captions[t.ID], ":")
			fmt.Fprintf(p, "\n%s, continued:\n", number)
		}
		p.part(t, part)
	}
}

// divided returns the parts of a table that are as wide as that at most, with texts as wide as there is room for.
func (t *Table) divided(wide int) []wrappedTable {
	parts := t.wrapped(0, cellWidth).parts(t, wide)
	for text := cellWidth; text > 1; text-- {
		if !slices.ContainsFunc(parts, func(w wrappedTable) bool { return w.width() > wide }) {
			break
		}
		parts = t.wrapped(0, text).parts(t, wide)
	}
	return parts
}

// wrappedTable holds the lines of each cell of some of a table's columns.
type wrappedTable struct {
	columns []int
	rows    [][][]string // the heads, the rows, and the footer if there is one
	widths  []int
}

// wrapped wraps the heads of a table at head columns, or at the width of the cells below if that is more, without
// breaking words. It wraps the texts at text columns.
func (t *Table) wrapped(head, text int) wrappedTable {
	rows := [][]string{}
	for _, row := range t.Rows {
		rows = append(rows, texts(row))
	}
	if t.Footer != nil {
		rows = append(rows, texts(t.Footer))
	}
	w := wrappedTable{rows: make([][][]string, 1+len(rows))}
	for i, row := range rows {
		for _, c := range row {
			w.rows[i+1] = append(w.rows[i+1], wrap(c, float64(text), columns))
		}
	}
	for i, name := range t.heads() {
		width := head
		for _, word := range strings.Split(name, " ") {
			width = max(width, min(text, uniseg.StringWidth(word)))
		}
		for _, row := range w.rows[1:] {
			width = max(width, widest(row[i]))
		}
		w.rows[0] = append(w.rows[0], wrap(name, float64(width), columns))
		w.columns = append(w.columns, i)
	}
	w.widths = columnWidths(w.rows)
	return w
}

func widest(lines []string) int {
	n := 0
	for _, line := range lines {
		n = max(n, uniseg.StringWidth(line))
	}
	return n
}

const separator = " | "

func (w wrappedTable) width() int {
	n := -len(separator)
	for _, width := range w.widths {
		n += width + len(separator)
	}
	return n
}

// parts distributes the columns over tables that are narrow enough. Each begins with the columns that identify a row:
// the first one, and also the second one if the first holds numbers and the second texts.
func (w wrappedTable) parts(t *Table, wide int) []wrappedTable {
	keys := 1
	if len(t.Columns) > 1 && t.Columns[0].Numbers && !t.Columns[1].Numbers {
		keys = 2
	}
	var list []wrappedTable
	for from := keys; from < len(w.columns); {
		part := w.of(w.columns[:keys])
		to := from
		for ; to < len(w.columns); to++ {
			next := w.of(append(slices.Clone(part.columns), to))
			if to > from && next.width() > wide {
				break
			}
			part = next
		}
		list, from = append(list, part), to
	}
	return list
}

// of returns the table of some columns.
func (w wrappedTable) of(columns []int) wrappedTable {
	part := wrappedTable{columns: columns, rows: make([][][]string, len(w.rows))}
	for _, c := range columns {
		part.widths = append(part.widths, w.widths[c])
		for i, row := range w.rows {
			part.rows[i] = append(part.rows[i], row[c])
		}
	}
	return part
}

// part draws a table, or one part of it.
func (p plain) part(t *Table, w wrappedTable) {
	for i, row := range w.rows {
		if i == 1 || t.Footer != nil && i == len(w.rows)-1 || slices.Contains(t.Breaks, i-1) {
			p.rule(w.widths)
		}
		style := ""
		if i == 0 {
			style = bold
		}
		p.row(t, w.columns, row, w.widths, style)
	}
	if len(w.rows) == 1 {
		p.rule(w.widths)
	}
	if len(t.Rows) == 0 {
		fmt.Fprintln(p, noRows)
	}
}

func columnWidths(rows [][][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, lines := range row {
			widths[i] = max(widths[i], widest(lines))
		}
	}
	return widths
}

func (p plain) rule(widths []int) {
	dashes := make([]string, len(widths))
	for i, n := range widths {
		dashes[i] = strings.Repeat("-", n)
	}
	fmt.Fprintln(p, strings.Join(dashes, "-+-"))
}

func (p plain) row(t *Table, columns []int, row [][]string, widths []int, style string) {
	height := 0
	for _, lines := range row {
		height = max(height, len(lines))
	}
	for k := range height {
		cells := make([]string, len(row))
		for i, lines := range row {
			line := ""
			if k < len(lines) {
				line = lines[k]
			}
			cells[i] = padded(line, widths[i], t.Columns[columns[i]].Numbers)
		}
		fmt.Fprintln(p, p.paint(style, strings.TrimRight(strings.Join(cells, separator), " ")))
	}
}

// padded fills a text with spaces up to n columns, on the left for numbers.
func padded(s string, n int, left bool) string {
	spaces := strings.Repeat(" ", max(0, n-uniseg.StringWidth(s)))
	if left {
		return spaces + s
	}
	return s + spaces
}
