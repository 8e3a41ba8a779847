package document

import (
	"fmt"
	"io"
	"strings"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// TableCSV writes one table according to RFC 4180, except that lines end in \n: a row of headings as "name [unit]",
// then the rows and the footer. Numbers are unrounded, in the column's unit. If a column has numbers, its other texts
// (dashes, marks, ranges, words) are left out, so that programs read only numbers. An apostrophe precedes a text that a
// spreadsheet would take for a formula. The last column repeats the version of this program.
func TableCSV(w io.Writer, t *Table) error {
	if err := t.validate(); err != nil {
		return fmt.Errorf("csv: %w", err)
	}
	records := t.mapped(clean).records()
	for i := range records {
		records[i] = append(records[i], words.Either(i == 0, "beff_version", rating.Release))
	}
	return writeCSV(w, records)
}

func writeCSV(w io.Writer, records [][]string) error {
	c := words.NewCSV(w)
	for _, r := range records {
		c.Texts(r...)
	}
	return c.Flush()
}

func (t *Table) records() [][]string {
	numbers := make([]bool, len(t.Columns)) // columns that have a number
	for _, row := range t.rows() {
		for i, c := range row {
			numbers[i] = numbers[i] || c.Value != nil
		}
	}
	list := [][]string{t.heads()}
	for _, row := range t.rows() {
		r := make([]string, len(row))
		for i, c := range row {
			switch {
			case c.Value != nil:
				r[i] = words.Exact(*c.Value)
			case !t.Columns[i].Numbers || !numbers[i] && strings.ContainsAny(c.Text, "0123456789"):
				r[i] = c.Text
			}
		}
		list = append(list, r)
	}
	return list
}
