package tools

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/report/foreign"
)

// printed is a column as a program prints it. A figure multiplied by unit is in base units.
type printed struct {
	foreign.Column
	unit float64
}

// put adds a column with its figure to a table of one row. Only the first main column of a quantity stays a main
// column.
func (c printed) put(t *foreign.Table, field string) error {
	x, err := figure(field, c.unit)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	c.Main = c.Main && !hasMain(t.Columns, c.Quantity)
	if t.Rows == nil {
		t.Rows = []foreign.Row{{}}
	}
	t.Columns, t.Rows[0].Values = append(t.Columns, c.Column), append(t.Rows[0].Values, x)
	return nil
}

// units has the units of columns. MB are 2^20 bytes in all versions of perftest, and Gb 10^9 bits (print_report_bw).
var units = map[string]printed{
	"MB/sec":     {column("", foreign.BytesPerSecond, "MB/sec"), mebi},
	"MiB/sec":    {column("", foreign.BytesPerSecond, "MiB/sec"), mebi},
	"MiB/s/rank": {column("", foreign.BytesPerSecond, "MiB/s/rank"), mebi},
	"GiB/s":      {column("", foreign.BytesPerSecond, "GiB/s"), gibi},
	"GB/s":       {column("", foreign.BytesPerSecond, "GB/s"), giga},
	"Gb/sec":     {column("", foreign.BytesPerSecond, "Gb/sec"), giga / 8},
	"Mpps":       {column("", foreign.PerSecond, "Mpps"), mega},
	"usec":       {column("", foreign.Seconds, "usec"), micro},
	"us":         {column("", foreign.Seconds, "us"), micro},
	"i_cv%":      {column("", foreign.Fraction, "%"), 0.01},
}

// tabular holds the state of a reader of tables with a row for each length.
type tabular struct {
	*run
	test   foreign.Table // without columns and rows
	fields []printed     // of a row; fields without a quantity aren't kept as figures
	table  *foreign.Table
}

// begin begins a table whose rows have the fields in x.fields.
func (x *tabular) begin(t foreign.Table) error {
	t.Columns, t.Rows, x.table = columnsOf(x.fields), []foreign.Row{}, nil
	if err := x.add(t); err != nil {
		return err
	}
	x.table = &x.r.Tables[len(x.r.Tables)-1]
	return nil
}

// hasMain reports whether a quantity has a main column.
func hasMain(columns []foreign.Column, q foreign.Quantity) (has bool) {
	for _, c := range columns {
		has = has || c.Main && c.Quantity == q
	}
	return has
}

// repeated joins tables of one row each that are repetitions of the same measurement.
type repeated struct {
	tables []foreign.Table
	each   [][][]float64  // figures of the repetitions, by table and column
	at     map[string]int // index in tables, by key
}

// add adds a repetition to the table of a key. The table keeps the columns that all repetitions have.
func (p *repeated) add(key string, t foreign.Table) error {
	i, known := p.at[key]
	if !known {
		if i = len(p.tables); i >= foreign.MostTables {
			return fmt.Errorf("more than %d phases with different settings", foreign.MostTables)
		}
		if p.at == nil {
			p.at = map[string]int{}
		}
		p.at[key], p.tables, p.each = i, append(p.tables, t), append(p.each, make([][]float64, len(t.Columns)))
	}
	have := map[string]float64{}
	for k, c := range t.Columns {
		have[c.Name] = t.Rows[0].Values[k]
	}
	of := &p.tables[i]
	var columns []foreign.Column
	var each [][]float64
	for k, c := range of.Columns {
		if x, both := have[c.Name]; both {
			columns, each = append(columns, c), append(each, append(p.each[i][k], x))
		}
	}
	of.Columns, p.each[i] = columns, each
	return nil
}

// whole returns the tables with the means of the repetitions as figures.
func (p *repeated) whole() []foreign.Table {
	for i := range p.tables {
		t := &p.tables[i]
		row := foreign.Row{Repetitions: int64(len(p.each[i][0]))}
		for _, list := range p.each[i] {
			row.Values = append(row.Values, (&foreign.Row{Each: list}).Derive())
		}
		if main := p.each[i][t.Mains()[0]]; len(main) > 1 {
			row.Each = main
		}
		t.Rows = []foreign.Row{row}
	}
	return p.tables
}

// addRow adds a row with a length to a table, given its fields and their columns. Fields of columns without a quantity
// aren't kept as figures. A row with the same length as the last row is a repetition of it.
func addRow(t *foreign.Table, columns []printed, fields []string) (err error) {
	if len(fields) != len(columns) {
		return fmt.Errorf("%d figures in %d columns", len(fields), len(columns))
	}
	var row foreign.Row
	for i, c := range columns {
		x := 0.0
		switch {
		case c.Quantity != "":
			x, err = figure(fields[i], c.unit)
			row.Values = append(row.Values, x)
		case c.Name == "#bytes", c.Name == "size":
			row.Bytes, err = whole(fields[i])
		case c.Name == "#iterations":
			row.Repetitions, err = whole(fields[i])
		case strings.HasSuffix(c.Name, "#wrong"):
			row.Failed = row.Failed || fields[i] != "N/A" && strings.Trim(fields[i], "0.") != ""
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	last := len(t.Rows) - 1
	if last < 0 || t.Rows[last].Bytes != row.Bytes {
		t.Rows = append(t.Rows, row)
		return nil
	}
	to, main := &t.Rows[last], t.Mains()[0]
	if to.Each == nil {
		to.Each = []float64{to.Values[main]}
	}
	to.Each, to.Failed = append(to.Each, row.Values[main]), to.Failed || row.Failed
	for i := range to.Values {
		to.Values[i] += (row.Values[i] - to.Values[i]) / float64(len(to.Each))
	}
	to.Values[main] = to.Derive()
	return nil
}

// columnsOf returns the columns of figures. Only the first main column of a quantity stays a main column.
func columnsOf(columns []printed) (list []foreign.Column) {
	for _, c := range columns {
		c.Main = c.Main && !hasMain(list, c.Quantity)
		if c.Quantity != "" {
			list = append(list, c.Column)
		}
	}
	return list
}
