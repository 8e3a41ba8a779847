package foreign

import (
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
)

// Benchmark and SchemaVersion identify a result document.
const (
	Benchmark     = "foreign"
	SchemaVersion = 1
)

// Result is one run of another program's benchmark, or several runs read from one file.
type Result struct {
	rating.Identity
	rating.Software
	// File that the result was read from.
	Imported string `json:"imported"`
	// Number of the line in which the run begins, from 1.
	Line int `json:"line,omitempty" jsonschema:"minimum=0"`
	// Name of the program.
	Program string `json:"program"`
	// Version of the program; left out if the file doesn't contain it.
	ProgramVersion string `json:"program_version,omitempty"`
	// The program's command line; empty if the file doesn't contain it.
	Command string `json:"command"`
	// Number of processes; 0 if the file doesn't contain it.
	Processes int `json:"processes" jsonschema:"minimum=0"`
	// Number of nodes; left out if the file doesn't contain it.
	Nodes int `json:"nodes,omitempty" jsonschema:"minimum=0"`
	rating.Machine
	rating.Period
	// Started is the local time of the site, whose zone isn't known; it is stored as if it were UTC.
	LocalTime bool `json:"local_time,omitempty"`
	rating.Circumstances
	// False if the file ends early.
	Complete bool             `json:"complete"`
	Warnings []rating.Warning `json:"warnings" jsonschema:"maxItems=1000"`
	// The program's own single number; left out if it has none.
	Rating *Rating `json:"rating,omitempty"`
	Tables []Table `json:"tables"`
}

// Rating is a program's own single number.
type Rating struct {
	// Name in the program's words.
	Name     string   `json:"name"`
	Quantity Quantity `json:"quantity" jsonschema:"enum=bytes_per_second,enum=score"`
	// Bytes per second, or a score without a unit.
	Value float64 `json:"value" jsonschema:"minimum=0"`
	// The program itself reports that the number isn't valid.
	NotValid bool `json:"not_valid,omitempty"`
}

// Table holds the output of one test on a number of processes.
type Table struct {
	// Name of the test in the program's words.
	Test string `json:"test"`
	// What was measured, in a word that all programs share; left out if no other program measures it.
	Operation Operation `json:"operation,omitempty"`
	// How it was measured; left out without an operation.
	Way Way `json:"way,omitempty"`
	// Messages of a repetition, for ways with windows; left out if the file doesn't contain it.
	Window int `json:"window,omitempty" jsonschema:"minimum=0"`
	// Number of processes; left out if the file doesn't contain it.
	Processes int `json:"processes,omitempty" jsonschema:"minimum=0"`
	// Settings that the figures depend on, in the program's words.
	Settings []Setting `json:"settings,omitempty"`
	// The rows have lengths in bytes. Otherwise they have labels, or there is a single row.
	Lengths bool     `json:"lengths,omitempty"`
	Columns []Column `json:"columns"`
	Rows    []Row    `json:"rows"`
}

// SameTest reports whether two tables have the same test on the same number of processes, with the same settings.
func (t Table) SameTest(other Table) bool {
	return t.Test == other.Test && t.Processes == other.Processes && slices.Equal(t.AllSettings(), other.AllSettings())
}

// PerProcess reports whether the bandwidths are per process, according to the name or the unit of their column.
func (t *Table) PerProcess() bool {
	at := t.Main(BytesPerSecond)
	return at >= 0 && (strings.HasSuffix(t.Columns[at].Name, "per process") || t.Columns[at].PerRank())
}

// Setting is a setting of a test, in the program's words.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Column is a column of a table.
type Column struct {
	// Name in the program's words.
	Name     string   `json:"name"`
	Quantity Quantity `json:"quantity"`
	// Unit in which the program printed the column, such as MiB/s. The numbers here are in the quantity's base unit.
	Printed string `json:"printed,omitempty"`
	// True for the column that represents its quantity in overviews, pictures and comparisons.
	Main bool `json:"main,omitempty"`
}

// PerRank reports whether the unit is per rank, such as MiB/s/rank.
func (c *Column) PerRank() bool { return strings.HasSuffix(c.Printed, "/rank") }

// Quantity is the quantity of a column's numbers.
type Quantity string

// The quantities, which are in base units.
const (
	Seconds        Quantity = "seconds"
	BytesPerSecond Quantity = "bytes_per_second"
	PerSecond      Quantity = "per_second" // operations per second
	Fraction       Quantity = "part"       // 1 is 100 %
	Bytes          Quantity = "bytes"
	Count          Quantity = "count"
	Score          Quantity = "score"  // has no unit
	Factor         Quantity = "factor" // times as slow, computed from figures of other tables; has no unit
)

// Row is a row of a table.
type Row struct {
	// Length in bytes, if the table's rows have lengths.
	Bytes int64 `json:"bytes,omitempty" jsonschema:"minimum=0"`
	// Name of the row, if the table's rows have labels.
	Label string `json:"label,omitempty"`
	// Number of repetitions; left out if the file doesn't contain it.
	Repetitions int64 `json:"repetitions,omitempty" jsonschema:"minimum=0"`
	// One number for each column, in the base unit of its quantity, such as seconds or bytes per second.
	Values []float64 `json:"values"`
	// The number of the first main column for each repetition, in a base unit such as seconds; left out unless the
	// program printed them. Their mean is the row's value in this column.
	Each []float64 `json:"each,omitempty"`
	// Half of the interval of the row's value in the first main column, in a base unit such as seconds; left out if the
	// program printed none.
	HalfWidth float64 `json:"half_width,omitempty" jsonschema:"minimum=0"`
	// Confidence of that interval: 0 to 1.
	Confidence float64 `json:"confidence,omitempty" jsonschema:"minimum=0"`
	// The program found wrong data.
	Failed bool `json:"failed,omitempty"`
}

// Main returns the index of the main column of a quantity, or -1.
func (t *Table) Main(q Quantity) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Main && c.Quantity == q })
}

// Mains returns the indices of the main columns.
func (t *Table) Mains() []int {
	return lists.Where(lists.Numbers(len(t.Columns)), func(i int) bool { return t.Columns[i].Main })
}

// Codes of warnings about the file. Their texts name the line.
const (
	Contradiction = "contradiction" // figures of the file contradict each other
	Line          = "line"          // a line that begins like figures wasn't understood
)

// Doubtful reports whether the figures of the file contradict each other, so that some of them must be wrong.
func (r *Result) Doubtful() bool {
	return slices.ContainsFunc(r.Warnings, func(w rating.Warning) bool { return w.Code == Contradiction })
}

// Failed returns the number of rows in which the program found wrong data.
func (r *Result) Failed() int {
	return lists.SumOf(r.Tables, func(t Table) int {
		return lists.Count(t.Rows, func(row Row) bool { return row.Failed })
	})
}
