package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/effective-bandwidth/beff/internal/lists"
)

const (
	narrowRows = 20 // rows of a table on the first screen
	minCut     = 8  // width that a cut text keeps at least
	narrowGap  = "  "
)

// narrow writes the first rows of a table on a first screen, each in a line. It cuts texts that don't fit, except in
// the last column. If all columns are as narrow as possible, it leaves out columns before the last one, from the right.
func (p plain) narrow(t *Table) {
	rows := t.Rows[:min(len(t.Rows), narrowRows)]
	used := lists.Numbers(len(t.Columns))
	widths, fits := t.narrowed(rows, used, p.tableWide)
	for ; !fits && len(used) > 2; widths, fits = t.narrowed(rows, used, p.tableWide) {
		used = slices.Delete(used, len(used)-2, len(used)-1)
	}
	line := func(style string, text func(column int) string) {
		var cells []string
		for k, c := range used {
			cell := text(c)
			if uniseg.StringWidth(cell) > widths[k] {
				cell = fitting(cell, float64(widths[k]-1), columns) + "…"
			}
			cells = append(cells, padded(cell, widths[k], t.Columns[c].Numbers))
		}
		fmt.Fprintln(p, p.paint(style, strings.TrimRight(strings.Join(cells, narrowGap), " ")))
	}
	line(bold, func(c int) string { return t.Columns[c].Name })
	if slices.ContainsFunc(used, func(c int) bool { return t.Columns[c].Unit != "" }) {
		line(faint, func(c int) string { return t.Columns[c].Unit })
	}
	for _, row := range rows {
		style := ""
		if slices.ContainsFunc(row, func(c Cell) bool { return c.Strong && c.Value == nil }) {
			style = bold
		}
		line(style, func(c int) string { return row[c].Text })
	}
	switch n := len(t.Rows) - len(rows); {
	case len(t.Rows) == 0:
		fmt.Fprintln(p, noRows)
	case n > 0:
		fmt.Fprintf(p, "... %d more rows: -v\n", n)
	}
}

// narrowed returns the widths of some columns in letters, or false if they don't fit.
func (t *Table) narrowed(rows [][]Cell, used []int, room int) (widths []int, fits bool) {
	sum := len(narrowGap) * (len(used) - 1)
	for _, c := range used {
		w := max(uniseg.StringWidth(t.Columns[c].Name), uniseg.StringWidth(t.Columns[c].Unit),
			lists.Max(rows, func(row []Cell) int { return uniseg.StringWidth(row[c].Text) }))
		widths, sum = append(widths, w), sum+w
	}
	for sum > room {
		widest, named := -1, -1 // the first texts name the rows, so they are cut last
		for k, c := range used[:len(used)-1] {
			switch {
			case t.Columns[c].Numbers || widths[k] <= minCut:
			case t.keys() > 1 && c == 1 || c == 0:
				named = k
			case widest < 0 || widths[k] > widths[widest]:
				widest = k
			}
		}
		if widest < 0 {
			widest = named
		}
		if widest < 0 {
			return widths, false
		}
		widths[widest], sum = widths[widest]-1, sum-1
	}
	return widths, true
}
