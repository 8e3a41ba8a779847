package offoreign

import (
	"cmp"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/tidy"
)

// figure is a number in a row and column of a table: the row's value, or the value of one of its repetitions.
type figure struct {
	table      *foreign.Table
	row        *foreign.Row
	column     *foreign.Column
	repetition int64 // counted from 0, or tidy.None for the row's value
	value      float64
}

// Tables returns one table with the figures that the program printed, a line for each.
func (r Report) Tables() []*tidy.Table {
	result := cmp.Or(r.Result, new(foreign.Result))
	return []*tidy.Table{tidy.Of("program_rows", "figures of other programs", []tidy.Field[figure]{
		tidy.String("program", "name of the program", func(*figure) string { return result.Program }),
		tidy.String("program_version", "version that the program printed",
			func(*figure) string { return result.ProgramVersion }),
		tidy.String("test", "name of the test in the program's words", func(x *figure) string { return x.table.Test }),
		tidy.String("operation", "name of the operation, the same for all programs",
			func(x *figure) foreign.Operation { return x.table.Operation }),
		tidy.String("way", "how it was measured", func(x *figure) foreign.Way { return x.table.Way }),
		tidy.Int("processes", "", "number of processes of the test",
			func(x *figure) int64 { return cmp.Or(int64(x.table.Processes), tidy.None) }),
		tidy.Int("bytes", "B", "length of a message", func(x *figure) int64 {
			if !x.table.Lengths {
				return tidy.None
			}
			return x.row.Bytes
		}),
		tidy.String("label", "name of a row without a length", func(x *figure) string { return x.row.Label }),
		tidy.Int("repetitions", "", "number of repetitions of the row",
			func(x *figure) int64 { return cmp.Or(x.row.Repetitions, tidy.None) }),
		tidy.Int("repetition", "", "repetition, counted from 0; none for all together",
			func(x *figure) int64 { return x.repetition }),
		tidy.String("column", "name of the column in the program's words",
			func(x *figure) string { return x.column.Name }),
		tidy.String("quantity", "kind of the value: seconds, bytes_per_second and so on",
			func(x *figure) foreign.Quantity { return x.column.Quantity }),
		tidy.Float("value", "", "value in the base unit of the quantity", func(x *figure) float64 { return x.value }),
		tidy.String("printed_in", "unit in which the program printed it",
			func(x *figure) string { return x.column.Printed }),
		tidy.String("settings", "settings of the test in the program's words",
			func(x *figure) string { return settings(x.table) }),
	}, func(add func(*figure)) {
		for t := range lists.Elements(result.Tables) {
			addFigures(t, add)
		}
	})}
}

// addFigures adds the figures of a table.
func addFigures(t *foreign.Table, add func(*figure)) {
	first := t.Mains()[0] // Result.Check demands one
	for row := range lists.Elements(t.Rows) {
		for k, value := range row.Values {
			add(&figure{t, row, &t.Columns[k], tidy.None, value})
		}
		for n, value := range row.Each {
			add(&figure{t, row, &t.Columns[first], int64(n), value})
		}
	}
}
