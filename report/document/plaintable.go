package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

const (
	tableWidth   = 120 // width of a table, which is split if its cells can't be made narrow enough
	minCellWidth = 20  // least width of a text that is wrapped to fit
)

// table draws a table. It has no outer frame, because a frame makes wrapped lines on a narrow terminal worse:
//
//	pattern | b_eff [MB/s]
//	--------+-------------
//	ring-2  |       970.95
//
// For a table that is too wide it wraps the heads, then the texts, and then splits the table into parts.
func (p plain) table(t *Table) {
	for i, l := range t.inLetters(float64(p.tableWide)) {
		if i > 0 {
			number, _, _ := strings.Cut(p.captions[t.ID], ":")
			fmt.Fprintf(p, "\n%s, continued:\n", number)
		}
		p.part(t, l)
	}
}

const separator = " | "

// inLetters returns the parts of a table that fit a width.
func (t *Table) inLetters(wide float64) (parts []layout) {
	m := medium{measure: func(bool) func(string) float64 { return columns }, gap: float64(len(separator)),
		maxWidth: cellWidth, minTextWidth: minCellWidth, maxWordWidth: cellWidth}
	room := wide + m.gap // there is no gap at the ends
	for _, way := range [][2]bool{{false, false}, {true, false}, {true, true}} {
		if l, fits := m.fit(t, room, way[0], way[1]); fits {
			return []layout{l}
		}
	}
	tooWide := func(l layout) bool { return lists.Sum(l.widths)+m.gap*float64(len(l.columns)) > room }
	for width := float64(cellWidth); parts == nil || slices.ContainsFunc(parts, tooWide) && width > 1; width-- {
		m.minTextWidth, m.maxWordWidth = width, width
		parts = m.split(t, room)
	}
	return parts
}

// part draws a table, or one part of it.
func (p plain) part(t *Table, l layout) {
	widths := make([]int, len(l.columns))
	for i, w := range l.widths {
		widths[i] = int(w)
	}
	for i, row := range l.rows {
		if t.begins(i) {
			p.rule(widths)
		}
		style := words.Either(i == 0, bold, "")
		for k := range height(row) {
			cells := make([]string, len(row))
			for i, lines := range row {
				cells[i] = padded(lineOf(lines, k), widths[i], t.Columns[l.columns[i]].Numbers)
			}
			fmt.Fprintln(p, p.paint(style, strings.TrimRight(strings.Join(cells, separator), " ")))
		}
	}
	if len(l.rows) == 1 {
		p.rule(widths)
	}
	if len(t.Rows) == 0 {
		fmt.Fprintln(p, noRows)
	}
}

func (p plain) rule(widths []int) {
	dashes := lists.Each(widths, func(n int) string { return strings.Repeat("-", n) })
	fmt.Fprintln(p, strings.Join(dashes, "-+-"))
}

// padded fills a text with spaces up to n columns, on the left for numbers.
func padded(s string, n int, left bool) string {
	spaces := strings.Repeat(" ", max(0, n-uniseg.StringWidth(s)))
	return words.Either(left, spaces+s, s+spaces)
}
