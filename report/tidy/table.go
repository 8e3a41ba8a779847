// Package tidy represents results as tidy tables: a row for each measurement, a column for each of its properties, in
// seconds, bytes and bytes per second. The package of each benchmark defines its tables once. CSV and report/database
// write any table. A column that repeats a field of the result document has the field's name.
package tidy

import (
	"cmp"
	"iter"
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
)

// Kind is the kind of a column's values.
type Kind int

// Kinds of values, with the type of a row's value.
const (
	Text    Kind = iota // string
	Integer             // int64
	Real                // float64
)

// Column describes a column.
type Column struct {
	Name  string // lower case letters, digits and _
	Kind  Kind
	Unit  string // s, B, B/s, Date or YesNo; empty without a unit
	About string
	Key   bool // rows with different values in it are different measurements, and must not be averaged
}

// Units of columns whose values aren't quantities. Date marks texts that begin with a date in UTC, YesNo values 1 and
// 0.
const (
	Date  = "date"
	YesNo = "yes or no"
)

// Table is a table. A row holds a value of the column's kind for each column, or nil for no value. It is valid until
// the next row is yielded.
type Table struct {
	Name, About string
	Columns     []Column
	Rows        iter.Seq[[]any]
	By          string // version of beff that measured, for CSV's last column; empty without that column
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

// AsKey returns the field with Key set.
func (f Field[T]) AsKey() Field[T] {
	f.Key = true
	return f
}

// String returns a column of texts, in which "" means no value.
func String[T any, S ~string](name, about string, of func(*T) S) Field[T] {
	return Field[T]{Column{Name: name, Kind: Text, About: about}, func(x *T) any {
		if s := of(x); s != "" {
			return string(s)
		}
		return nil
	}}
}

// Int returns a column of integers, in which negative numbers mean no value.
func Int[T any, N int | int64](name, unit, about string, of func(*T) N) Field[T] {
	return Field[T]{Column{Name: name, Kind: Integer, Unit: unit, About: about}, func(x *T) any {
		if n := of(x); n >= 0 {
			return int64(n)
		}
		return nil
	}}
}

// Float returns a column of numbers, in which NaN means no value.
func Float[T any](name, unit, about string, of func(*T) float64) Field[T] {
	return Field[T]{Column{Name: name, Kind: Real, Unit: unit, About: about}, func(x *T) any {
		if v := of(x); !math.IsNaN(v) {
			return v
		}
		return nil
	}}
}

// Yes returns a column of 1 and 0.
func Yes[T any](name, about string, of func(*T) bool) Field[T] {
	return Int(name, "", about, func(x *T) int {
		if of(x) {
			return 1
		}
		return 0
	})
}

// Known returns x, or NaN if x is 0, which results store for a missing figure.
func Known(x float64) float64 { return cmp.Or(x, math.NaN()) }

// End returns an end of an interval, 0 the lower and 1 the upper one, or NaN if the interval is unknown.
func End(interval []float64, i int) float64 {
	if i >= len(interval) {
		return math.NaN()
	}
	return interval[i]
}

// None is the integer that means no value.
const None = -1

// Of returns the table with a row for each value that each passes to add, in that order.
func Of[T any](name, about string, fields []Field[T], each func(add func(*T))) *Table {
	t := &Table{Name: name, About: about, Columns: lists.Each(fields, func(f Field[T]) Column { return f.Column })}
	t.Rows = func(yield func([]any) bool) {
		row, more := make([]any, len(fields)), true
		each(func(x *T) {
			if !more {
				return
			}
			for i, f := range fields {
				row[i] = f.of(x)
			}
			more = yield(row)
		})
	}
	return t
}

// Each returns a function for Of that adds the elements of a list.
func Each[T any](list []T) func(add func(*T)) {
	return func(add func(*T)) {
		for i := range list {
			add(&list[i])
		}
	}
}

// SlowCalls returns the columns that describe one of the slowest calls, which of returns.
func SlowCalls[T any](of func(*T) *rating.SlowCall) []Field[T] {
	return []Field[T]{
		Float("at", "s", "start of the call, after the start of the run", func(x *T) float64 { return of(x).At }),
		Float("seconds", "s", "duration of the call", func(x *T) float64 { return of(x).Seconds }),
		Int("rank", "", "rank of the process", func(x *T) int64 { return of(x).Rank }),
		Int("repetition", "", "repetition of the process, counted from 0; empty outside of loops",
			func(x *T) int64 { return of(x).Repetition }),
		Int("offset", "B", "offset in the file of the process's first byte; empty outside of loops",
			func(x *T) int64 { return of(x).Offset }),
	}
}
