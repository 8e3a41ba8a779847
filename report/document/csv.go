package document

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// CSV writes the notices, all tables and the program, separated by empty lines. Each consists of a line with the
// table's ID and caption, a line of headings, and the rows. Scripts should use TableCSV, which writes only one table.
func CSV(w io.Writer, d *Document) error {
	return write(w, "csv", d, func(b *bytes.Buffer, d *Document) error {
		if len(d.Notices) > 0 {
			records := [][]string{{"notices", "Warnings and notes on the result."}, {"level", "text", "remedy"}}
			for _, n := range d.Notices {
				text := strings.Join(append([]string{n.Text}, n.Signs...), "; ")
				records = append(records, []string{levelWords[n.Level], text, n.Remedy})
			}
			if err := writeCSV(b, records); err != nil {
				return err
			}
		}
		for _, t := range each[*Table](d) {
			if b.Len() > 0 {
				fmt.Fprintln(b)
			}
			if err := writeCSV(b, append([][]string{{t.ID, t.Caption}}, t.records()...)); err != nil {
				return err
			}
		}
		if b.Len() > 0 {
			fmt.Fprintln(b)
		}
		return writeCSV(b, [][]string{{program, "The program that measured or wrote this."}, {"name"}, {d.by()}})
	})
}

// TableCSV writes one table according to RFC 4180, except that lines end in \n: a row of headings as "name [unit]",
// then the rows and the footer. Numbers are unrounded, in the column's unit. Where there is none, the cell is empty. A
// text that a spreadsheet would take for a formula gets an apostrophe in front. The last column repeats the version of
// this program.
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
	return append([][]string{t.heads()}, lists.Each(t.rows(), t.record)...)
}

// record returns a row. In a column of numbers a dash, a mark or a word is left out, so that programs read numbers.
func (t *Table) record(row []Cell) []string {
	r := make([]string, len(row))
	for i, c := range row {
		switch {
		case c.Value != nil:
			r[i] = words.Exact(*c.Value)
		case !t.Columns[i].Numbers || strings.ContainsAny(c.Text, "0123456789"):
			r[i] = c.Text
		}
	}
	return r
}
