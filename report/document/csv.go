package document

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// CSV writes the notices and all tables, separated by empty lines. Each is a line with the table's ID and caption, a
// line of heads, and the rows. For scripts TableCSV is better: it writes one table and nothing else.
func CSV(w io.Writer, d *Document) error {
	return write(w, "csv", d, func(b *bytes.Buffer, d *Document) error {
		if len(d.Notices) > 0 {
			records := [][]string{{"notices", "What a reader must know."}, {"level", "text", "remedy"}}
			for _, n := range d.Notices {
				records = append(records, []string{levelWords[n.Level], safeCell(n.Text), safeCell(n.Remedy)})
			}
			if err := writeCSV(b, records); err != nil {
				return err
			}
		}
		for _, s := range d.Sections {
			for _, block := range s.Blocks {
				t, ok := block.(*Table)
				if !ok {
					continue
				}
				if b.Len() > 0 {
					fmt.Fprintln(b)
				}
				if err := writeCSV(b, append([][]string{{t.ID, safeCell(t.Caption)}}, t.records()...)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// TableCSV writes one table according to RFC 4180, but with lines that end in \n: a row of heads as "name [unit]", then
// the rows and the footer. Numbers are unrounded, in the column's unit. A text that a spreadsheet would take for a
// formula gets an apostrophe in front.
func TableCSV(w io.Writer, t *Table) error {
	if err := t.validate(); err != nil {
		return fmt.Errorf("csv: %w", err)
	}
	return writeCSV(w, t.mapped(clean).records())
}

func writeCSV(w io.Writer, records [][]string) error {
	c := csv.NewWriter(w)
	if err := c.WriteAll(records); err != nil {
		return err
	}
	return c.Error()
}

func (t *Table) records() [][]string {
	heads := t.heads()
	for i := range heads {
		heads[i] = safeCell(heads[i])
	}
	records := [][]string{heads}
	for _, row := range t.Rows {
		records = append(records, record(row))
	}
	if t.Footer != nil {
		records = append(records, record(t.Footer))
	}
	return records
}

func record(row []Cell) []string {
	r := make([]string, len(row))
	for i, c := range row {
		if c.Value != nil {
			r[i] = exact(*c.Value)
		} else {
			r[i] = safeCell(c.Text)
		}
	}
	return r
}

// exact formats a number with as many digits as are needed to read back the same value. It uses an exponent only where
// JavaScript does: 1048576, not 1.048576e+06.
func exact(v float64) string {
	format := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	return strconv.FormatFloat(v, format, -1, 64)
}

// safeCell keeps spreadsheets from running a text as a formula (OWASP, CSV Injection). Numbers and single dashes are
// not changed.
func safeCell(s string) string {
	first, _ := utf8.DecodeRuneInString(s)
	if strings.Trim(s, "-") == "" || !strings.ContainsRune("=+-@＝＋－＠", first) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}
