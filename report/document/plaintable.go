package document

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"
)

// table draws a table without an outer frame, as lines that wrap on a narrow terminal are worse with one:
//
//	pattern | b_eff [MB/s]
//	--------+-------------
//	ring-2  |       970.95
func (p plain) table(t *Table) {
	rows := [][][]string{wrappedRow(t.heads())}
	for _, row := range t.Rows {
		rows = append(rows, wrappedRow(texts(row)))
	}
	if t.Footer != nil {
		rows = append(rows, wrappedRow(texts(t.Footer)))
	}
	widths := columnWidths(rows)
	for i, row := range rows {
		if i == 1 || t.Footer != nil && i == len(rows)-1 {
			p.rule(widths)
		}
		p.row(t, row, widths)
	}
	if len(rows) == 1 {
		p.rule(widths)
	}
	if len(t.Rows) == 0 {
		fmt.Fprintln(p, noRows)
	}
}

// wrappedRow are the lines of each cell.
func wrappedRow(cells []string) [][]string {
	row := make([][]string, len(cells))
	for i, c := range cells {
		row[i] = wrap(c, cellWidth, columns)
	}
	return row
}

func columnWidths(rows [][][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, lines := range row {
			for _, line := range lines {
				widths[i] = max(widths[i], uniseg.StringWidth(line))
			}
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

func (p plain) row(t *Table, row [][]string, widths []int) {
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
			cells[i] = padded(line, widths[i], t.Columns[i].Numbers)
		}
		fmt.Fprintln(p, strings.TrimRight(strings.Join(cells, " | "), " "))
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
