package tidy

import (
	"bufio"
	"errors"
	"io"
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

// ByColumn is the name of the last column of CSV tables: the version of beff that measured the row.
const ByColumn = "beff_version"

// CSV writes a table as RFC 4180 describes: a line with the column names, then a line for each row. Unknown values are
// empty. Times keep all their digits; bandwidths are rounded to bytes per second.
func CSV(w io.Writer, t *Table) error {
	out := NewWriter(w)
	if err := out.Add(t); err != nil {
		return err
	}
	return out.Flush()
}

// Writer writes several tables with the same columns as one.
type Writer struct {
	buffer *bufio.Writer
	csv    *words.CSV
	begun  bool
	signed bool // ByColumn was added to the table's own columns
}

// NewWriter returns a writer to w. It is buffered: call Flush at the end.
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

// Flush writes the buffers.
func (w *Writer) Flush() error {
	return errors.Join(w.csv.Flush(), w.buffer.Flush())
}
