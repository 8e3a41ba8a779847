package offoreign

import (
	"cmp"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/tidy"
)

// line is a figure of a row of a table, or of one of its repetitions.
type line struct {
	table      *foreign.Table
	row        *foreign.Row
	column     *foreign.Column
	repetition int64 // counted from 0; the row's figure has tidy.None
	value      float64
}

// Tables returns the figures that the program printed.
func (r Report) Tables() []*tidy.Table {
	result := cmp.Or(r.Result, new(foreign.Result))
	return []*tidy.Table{tidy.Of("program_rows", "figures of other programs", []tidy.Field[line]{
		tidy.String("program", "its name", func(*line) string { return result.Program }),
		tidy.String("program_version", "as it printed it",
			func(*line) string { return result.ProgramVersion }),
		tidy.String("test", "in the program's words", func(x *line) string { return x.table.Test }),
		tidy.String("operation", "in words that all programs share",
			func(x *line) string { return string(x.table.Operation) }),
		tidy.String("way", "how it was measured", func(x *line) string { return string(x.table.Way) }),
		tidy.Int("processes", "", "of the test",
			func(x *line) int64 { return cmp.Or(int64(x.table.Processes), tidy.None) }),
		tidy.Int("bytes", "B", "length of a message", func(x *line) int64 {
			if !x.table.Lengths {
				return tidy.None
			}
			return x.row.Bytes
		}),
		tidy.String("label", "of a row without a length", func(x *line) string { return x.row.Label }),
		tidy.Int("repetitions", "", "of the row", func(x *line) int64 { return cmp.Or(x.row.Repetitions, tidy.None) }),
		tidy.Int("repetition", "", "counted from 0; none: all together",
			func(x *line) int64 { return x.repetition }),
		tidy.String("column", "in the program's words", func(x *line) string { return x.column.Name }),
		tidy.String("quantity", "what the value counts: seconds, bytes_per_second and so on",
			func(x *line) string { return string(x.column.Quantity) }),
		tidy.Float("value", "", "in this quantity", func(x *line) float64 { return x.value }),
		tidy.String("printed_in", "the program's own unit",
			func(x *line) string { return x.column.Printed }),
	}, func(yield func(*line) bool) {
		for i := range result.Tables {
			if !figuresOf(&result.Tables[i], yield) {
				return
			}
		}
	})}
}

// figuresOf passes the figures of a table to yield, until yield returns false.
func figuresOf(t *foreign.Table, yield func(*line) bool) bool {
	main := t.Mains()[0]
	for row := range lists.Elements(t.Rows) {
		for k, value := range row.Values {
			if !yield(&line{t, row, &t.Columns[k], tidy.None, value}) {
				return false
			}
		}
		for n, value := range row.Each {
			if !yield(&line{t, row, &t.Columns[main], int64(n), value}) {
				return false
			}
		}
	}
	return true
}
