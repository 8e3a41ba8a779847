package foreign

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
)

// Limits of a result.
const (
	MostTables  = 10_000
	MostRows    = 100_000 // in all tables together
	MostColumns = 64
	MostFigures = 8_000_000 // in all tables together, including the figures of single repetitions
	mostText    = 4096
	mostNumber  = 1e18
	mostBytes   = 1 << 60
)

// Check returns an error if a result from outside has impossible numbers, rows that don't fit their columns, unknown
// words, or a main figure that doesn't follow from its repetitions.
func (r *Result) Check() error {
	switch {
	case r.Program == "":
		return errors.New("it doesn't name the program that measured")
	case len(r.Tables) > MostTables:
		return fmt.Errorf("%d tables: at most %d are read", len(r.Tables), MostTables)
	case r.Processes < 0 || r.Processes > math.MaxInt32:
		return fmt.Errorf("%d processes", r.Processes)
	case len(r.Program)+len(r.ProgramVersion)+len(r.Imported) > mostText:
		return errors.New("the names of its program and file are too long")
	}
	if x := r.Rating; x != nil {
		if !usable(x.Value) || x.Name == "" || x.Quantity != BytesPerSecond && x.Quantity != Score {
			return fmt.Errorf("rating %.40q of %g", x.Name, x.Value)
		}
	}
	rows, figures := 0, 0
	for i := range r.Tables {
		t := &r.Tables[i]
		rows += len(t.Rows)
		for _, row := range t.Rows {
			figures += len(row.Values) + len(row.Each)
		}
		if rows > MostRows || figures > MostFigures {
			return fmt.Errorf("more than %d rows or %d figures", MostRows, MostFigures)
		}
		if err := t.check(); err != nil {
			return fmt.Errorf("table %d, %.60s: %w", i+1, t.Test, err)
		}
	}
	return nil
}

func (t *Table) check() error {
	switch {
	case t.Test == "" || len(t.Test) > mostText:
		return errors.New("a test without a name")
	case (t.Operation == "") != (t.Way == ""), t.Operation != "" && !t.Operation.Known(),
		t.Way != "" && ways[t.Way] == "":
		return fmt.Errorf("operation %.40q measured by way %.40q isn't known", t.Operation, t.Way)
	case len(t.Columns) == 0 || len(t.Columns) > MostColumns:
		return fmt.Errorf("%d columns", len(t.Columns))
	case t.Processes < 0 || t.Processes > math.MaxInt32 || t.Window < 0:
		return errors.New("a number below 0, or too large")
	}
	main := map[Quantity]bool{}
	for _, c := range t.Columns {
		if !slices.Contains(Quantities, c.Quantity) || c.Name == "" {
			return fmt.Errorf("column %.40q of quantity %.40q", c.Name, c.Quantity)
		}
		if c.Main && main[c.Quantity] {
			return fmt.Errorf("two main columns of %s", c.Quantity)
		}
		main[c.Quantity] = main[c.Quantity] || c.Main
	}
	if len(t.Mains()) == 0 {
		return errors.New("no main column")
	}
	for i := range t.Rows {
		if err := t.checkRow(&t.Rows[i]); err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return nil
}

// Quantities lists the quantities.
var Quantities = []Quantity{Seconds, BytesPerSecond, PerSecond, Fraction, Bytes, Count, Score, Factor}

func (t *Table) checkRow(row *Row) error {
	switch {
	case len(row.Values) != len(t.Columns):
		return fmt.Errorf("%d figures in %d columns", len(row.Values), len(t.Columns))
	case row.Bytes < 0 || row.Bytes > mostBytes || row.Repetitions < 0:
		return errors.New("a number below 0, or too large")
	case !(row.HalfWidth >= 0 && row.HalfWidth <= mostNumber) || !(row.Confidence >= 0 && row.Confidence <= 1):
		return errors.New("no interval")
	}
	for i, x := range row.Values {
		if !usable(x) {
			return fmt.Errorf("%s is %g", t.Columns[i].Name, x)
		}
	}
	for _, x := range row.Each {
		if !usable(x) {
			return fmt.Errorf("a repetition's figure is %g", x)
		}
	}
	if len(row.Each) > 0 {
		at := t.Mains()[0]
		want := row.Derive()
		if !rating.Near(row.Values[at], want) {
			return fmt.Errorf("%s is %v, its repetitions give %v", t.Columns[at].Name, row.Values[at], want)
		}
	}
	return nil
}

// Derive returns the figure that follows from the repetitions.
func (row *Row) Derive() float64 {
	if len(row.Each) == 0 {
		return math.NaN()
	}
	return lists.Sum(row.Each) / float64(len(row.Each))
}

// usable reports whether a number can be a figure.
func usable(x float64) bool { return x >= 0 && x <= mostNumber }

// String returns the setting as a text, such as "threads 4".
func (s Setting) String() string { return strings.TrimSpace(s.Name + " " + s.Value) }

// Buffers is the setting that names the memory of the messages on both sides. A program that doesn't print it uses
// HostBuffers.
const (
	Buffers       = "buffers"
	HostBuffers   = "H H"
	DeviceBuffers = "D D"
)

// AllSettings returns the settings, with the buffers last, which are the host's if the program doesn't print them.
func (t Table) AllSettings() (list []Setting) {
	buffers := Setting{Buffers, HostBuffers}
	for _, s := range t.Settings {
		if s.Name == Buffers {
			buffers = s
		} else {
			list = append(list, s)
		}
	}
	return append(list, buffers)
}

// Names returns a name for each table: its test, with the settings in which tables of the same test differ, such as
// "latency, threads 4".
func Names(tables []Table) []string {
	type set struct {
		test string
		Setting
	}
	of, with := map[string]int{}, map[set]int{} // numbers of tables
	for _, t := range tables {
		of[t.Test]++
		for _, s := range t.Settings {
			with[set{t.Test, s}]++
		}
	}
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.Test
		for _, s := range t.Settings {
			if with[set{t.Test, s}] < of[t.Test] {
				names[i] += ", " + s.String()
			}
		}
	}
	return names
}
