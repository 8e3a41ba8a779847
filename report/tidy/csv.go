package tidy

import (
	"bufio"
	"errors"
	"io"
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

// ByColumn is the last column of tables in CSV, so that each row says by itself which program measured.
const ByColumn = "beff_version"

// CSV writes a table (RFC 4180): the names of the columns, then a line for each row. What is not known is empty. Times
// have all their digits, bandwidths are rounded to bytes per second.
func CSV(w io.Writer, t *Table) error {
	out := NewWriter(w)
	if err := out.Add(t); err != nil {
		return err
	}
	return out.Flush()
}

// Writer writes tables of the same columns as one.
type Writer struct {
	buffer *bufio.Writer
	csv    *words.CSV
	begun  bool
	signed bool // ByColumn is no column of the table itself
}

// NewWriter returns a writer. What it has written is there after Flush.
func NewWriter(w io.Writer) *Writer {
	const size = 1 << 16
	b := bufio.NewWriterSize(w, size)
	return &Writer{buffer: b, csv: words.NewCSV(b)}
}

// Add writes the rows of a table.
func (w *Writer) Add(t *Table) error {
	if !w.begun {
		w.begun = true
		names := lists.Each(t.Columns, func(c Column) string { return c.Name })
		if w.signed = t.By != "" && !t.Has(ByColumn); w.signed {
			names = append(names, ByColumn)
		}
		w.csv.Texts(names...)
	}
	for row := range t.Rows {
		for i, x := range row {
			if x, is := x.(float64); is && t.Columns[i].Unit == "B/s" && x >= 1 {
				row[i] = math.RoundToEven(x)
			}
		}
		if w.signed {
			row = append(row, t.By)
		}
		w.csv.Line(row...)
	}
	return w.csv.Flush()
}

// Flush writes what is in the buffers.
func (w *Writer) Flush() error {
	return errors.Join(w.csv.Flush(), w.buffer.Flush())
}
