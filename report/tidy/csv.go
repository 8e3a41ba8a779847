package tidy

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"strconv"

	"github.com/effective-bandwidth/beff/report/words"
)

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
	csv    *csv.Writer
	line   []string // nil: nothing is written
}

// NewWriter returns a writer. What it has written is there after Flush.
func NewWriter(w io.Writer) *Writer {
	const size = 1 << 16
	b := bufio.NewWriterSize(w, size)
	return &Writer{buffer: b, csv: csv.NewWriter(b)}
}

// Add writes the rows of a table.
func (w *Writer) Add(t *Table) error {
	if w.line == nil {
		w.line = make([]string, len(t.Columns))
		for i, c := range t.Columns {
			w.line[i] = c.Name
		}
		if err := w.csv.Write(w.line); err != nil {
			return err
		}
	}
	for row := range t.Rows {
		for i, x := range row {
			w.line[i] = field(&t.Columns[i], x)
		}
		if err := w.csv.Write(w.line); err != nil {
			return err
		}
	}
	return nil
}

// Flush writes what is in the buffers.
func (w *Writer) Flush() error {
	w.csv.Flush()
	return errors.Join(w.csv.Error(), w.buffer.Flush())
}

// field returns a value as text. Texts are strangers': they stay on their line.
func field(c *Column, x any) string {
	switch x := x.(type) {
	case string:
		return words.OneLine(x)
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		if c.Unit == "B/s" && x >= 1 {
			return strconv.FormatFloat(x, 'f', 0, 64)
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return ""
}
