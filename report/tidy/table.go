// Package tidy has results as tidy tables: a line for each measurement, a column for each of its properties, in
// seconds, bytes and bytes per second. The room of each benchmark says which tables its results have, once; CSV and
// report/database write any of them. A column is called as the field of the result document that it has, if it is of
// one.
package tidy

import (
	"iter"
	"math"
)

// Kind is the kind of a column's values.
type Kind int

// The kinds.
const (
	Text    Kind = iota // string
	Integer             // int64
	Real                // float64
)

// Column describes a column.
type Column struct {
	Name  string // lower case letters, digits and _
	Kind  Kind
	Unit  string // s, B, B/s; empty: it has none; or Date or YesNo
	About string
	Apart bool // rows that differ in it stand for different measurements, and aren't averaged
}

// Units of columns whose values are no quantities: a text that begins with a date in UTC, and 1 or 0.
const (
	Date  = "date"
	YesNo = "yes or no"
)

// Table is a table. Its rows have a value for each column: of the column's kind, or nil where there is none. A row may
// be used until the next one comes.
type Table struct {
	Name, About string
	Columns     []Column
	Rows        iter.Seq[[]any]
	By          string // version of beff that measured, for the last column of CSV; empty: it has none
}

// Empty reports whether the table has no rows.
func (t *Table) Empty() bool {
	for range t.Rows {
		return false
	}
	return true
}

// Field is a column of a table of T.
type Field[T any] struct {
	Column
	of func(*T) any
}

// TellsApart returns the field as one that tells measurements apart.
func (f Field[T]) TellsApart() Field[T] {
	f.Apart = true
	return f
}

// String returns a column of texts. An empty one is no value.
func String[T any](name, about string, of func(*T) string) Field[T] {
	return Field[T]{Column{Name: name, Kind: Text, About: about}, func(x *T) any {
		if s := of(x); s != "" {
			return s
		}
		return nil
	}}
}

// Int returns a column of integers. One below 0 is no value.
func Int[T any](name, unit, about string, of func(*T) int64) Field[T] {
	return Field[T]{Column{Name: name, Kind: Integer, Unit: unit, About: about}, func(x *T) any {
		if n := of(x); n >= 0 {
			return n
		}
		return nil
	}}
}

// Float returns a column of numbers. NaN is no value.
func Float[T any](name, unit, about string, of func(*T) float64) Field[T] {
	return Field[T]{Column{Name: name, Kind: Real, Unit: unit, About: about}, func(x *T) any {
		if v := of(x); !math.IsNaN(v) {
			return v
		}
		return nil
	}}
}

// Yes returns a column that is 1 or 0.
func Yes[T any](name, about string, of func(*T) bool) Field[T] {
	return Int(name, "", about, func(x *T) int64 {
		if of(x) {
			return 1
		}
		return 0
	})
}

// Known returns a number, or NaN for 0, which stands for no figure.
func Known(x float64) float64 {
	if x == 0 {
		return math.NaN()
	}
	return x
}

// None is an integer that is no value.
const None = -1

// Of returns the table of a list.
func Of[T any](name, about string, fields []Field[T], list iter.Seq[*T]) *Table {
	t := &Table{Name: name, About: about}
	for _, f := range fields {
		t.Columns = append(t.Columns, f.Column)
	}
	t.Rows = func(yield func([]any) bool) {
		row := make([]any, len(fields))
		for x := range list {
			for i, f := range fields {
				row[i] = f.of(x)
			}
			if !yield(row) {
				return
			}
		}
	}
	return t
}
