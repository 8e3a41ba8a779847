package parts

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Number returns a cell with a number, or a dash for a value that was not measured.
func Number(x float64, decimals int) document.Cell {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return document.Text("-")
	}
	return document.Number(x, fmt.Sprintf("%.*f", decimals, x))
}

// Share returns a cell with a part in percent, or a dash for NaN. Unlike Number it shows 0 as 0.0.
func Share(part float64) document.Cell {
	if math.IsNaN(part) {
		return document.Text("-")
	}
	return document.Number(100*part, fmt.Sprintf("%.1f", 100*part))
}

// Bandwidth returns a cell in MB/s. Small values get three decimals, so that one byte per message is not rounded away.
func Bandwidth(bytesPerSecond float64) document.Cell {
	x, decimals := bytesPerSecond/words.Mega, 1
	if x < 10 {
		decimals = 3
	}
	return Number(x, decimals)
}

// BandwidthWithin returns a cell in MB/s with as many digits as an interval justifies, if part isn't NaN, and like
// Bandwidth otherwise.
func BandwidthWithin(bytesPerSecond, part float64) document.Cell {
	if math.IsNaN(part) {
		return Bandwidth(bytesPerSecond)
	}
	return Rounded(bytesPerSecond/words.Mega, part)
}

// FourDigits returns a cell with four significant digits, or with all digits of a larger integer part, or a dash for a
// value that was not measured.
func FourDigits(x float64) document.Cell {
	const small = 0.001
	if x > 0 && x < small { // not 0.000
		return document.Number(x, fmt.Sprintf("%.2g", x))
	}
	decimals := 3
	for limit := 10.0; x >= limit && decimals > 0; limit *= 10 {
		decimals--
	}
	return Number(x, decimals)
}

// Rounded returns a cell with as many digits as the number's interval justifies. part is half of the interval relative
// to x; NaN means that it isn't known.
func Rounded(x, part float64) document.Cell {
	if !(x > 0) || math.IsInf(x, 0) {
		return document.Text("-")
	}
	c := document.Number(x, "")
	c.Digits = rating.SignificantDigits(x, part)
	c.Text = words.Digits(x, c.Digits)
	return c
}

// HalfWidth returns a cell with half of an interval in percent, or a dash if it isn't known. part is relative to the
// figure.
func HalfWidth(part float64) document.Cell {
	if math.IsNaN(part) || math.IsInf(part, 0) {
		return document.Text("-")
	}
	return document.Number(100*part, strings.Replace(rating.Percent(part), "more than ", "> ", 1))
}

// FigureCell returns a cell with a figure in the shown unit, like Rounded if it has an interval or is rated, otherwise
// like FourDigits.
func FigureCell(f rating.Figure, x, part float64) document.Cell {
	if f.Rated || !math.IsNaN(part) {
		return Rounded(x, part)
	}
	return FourDigits(x)
}

// Microseconds returns a cell with a time in µs.
func Microseconds(seconds float64) document.Cell { return Number(seconds/words.Micro, 3) }

// Strong returns c in bold.
func Strong(c document.Cell) document.Cell {
	c.Strong = true
	return c
}

// Quantiles adds columns of quantiles in µs with their intervals. what names the repeated thing, such as calls.
func Quantiles[R any](t *Table[R], percents []float64, what string, of func(R) []rating.Quantile) {
	for i, percent := range percents {
		cell := func(say func(q rating.Quantile) document.Cell) func(R) document.Cell {
			return func(r R) document.Cell {
				if list := of(r); i < len(list) {
					return say(list[i])
				}
				return document.Text("-")
			}
		}
		t.Number(fmt.Sprintf("P%v", percent), "µs", cell(func(q rating.Quantile) document.Cell {
			return Microseconds(q.Value)
		}))
		t.Add(document.Column{Name: fmt.Sprintf("interval of P%v", percent), Unit: "µs"},
			cell(func(q rating.Quantile) document.Cell {
				if !q.Known() {
					return document.Text(fmt.Sprintf("too few %s: %s are needed", what, words.Grouped(q.Needed)))
				}
				return document.Text(fmt.Sprintf("%.3f to %.3f", q.Interval[0]/words.Micro, q.Interval[1]/words.Micro))
			}))
	}
}

// OfQuantiles explains quantiles and their intervals. confidence is a fraction.
func OfQuantiles(what string, confidence float64) string {
	return fmt.Sprintf("P percent of the %s took no longer. The intervals have a confidence of %g %%. Their ends are "+
		"two of the measured times, chosen by rank, so the intervals hold for independent times of any distribution.",
		what, 100*confidence)
}

// Natural returns a cell with a number, or a dash if it is negative.
func Natural[T int | int64](n T) document.Cell {
	if n < 0 {
		return document.Text("-")
	}
	return document.Whole(n)
}

// SlowCalls adds columns for the slowest calls: begin, duration, rank, repetition and offset in the file.
func SlowCalls[R any](t *Table[R], of func(R) *rating.SlowCall) {
	t.Number("began after", "s", func(r R) document.Cell { return Number(of(r).At, 3) })
	t.Number("took", "ms", func(r R) document.Cell { return Number(1e3*of(r).Seconds, 3) })
	t.Number("rank", "", func(r R) document.Cell { return document.Whole(of(r).Rank) })
	t.Number("repetition", "", func(r R) document.Cell { return Natural(of(r).Repetition) })
	t.Number("offset", "B", func(r R) document.Cell { return Natural(of(r).Offset) })
}

// Table defines a table with rows of type R by its columns and the cell that each column has in a row. Its zero value
// is ready to use.
type Table[R any] struct {
	columns []document.Column
	cells   []func(R) document.Cell
}

// If returns t if is is true. Otherwise it returns an unused table, so that columns added to it are dropped.
func (t *Table[R]) If(is bool) *Table[R] {
	if is {
		return t
	}
	return new(Table[R])
}

// Add adds a column.
func (t *Table[R]) Add(column document.Column, cell func(R) document.Cell) {
	t.columns, t.cells = append(t.columns, column), append(t.cells, cell)
}

// Text adds a column of texts.
func (t *Table[R]) Text(name string, text func(R) string) {
	t.Add(document.Column{Name: name}, func(r R) document.Cell { return document.Text(text(r)) })
}

// Number adds a column of numbers in a unit.
func (t *Table[R]) Number(name, unit string, cell func(R) document.Cell) {
	t.Add(document.Column{Name: name, Unit: unit, Numbers: true}, cell)
}

// Row returns the cells of a row.
func (t *Table[R]) Row(r R) []document.Cell {
	return lists.Each(t.cells, func(cell func(R) document.Cell) document.Cell { return cell(r) })
}

// WithoutEmpty removes the columns of a table in which all cells are empty or dashes, and returns the table.
func WithoutEmpty(t *document.Table) *document.Table {
	kept := slices.DeleteFunc(lists.Numbers(len(t.Columns)), func(i int) bool {
		return !slices.ContainsFunc(t.Rows, func(row []document.Cell) bool {
			return row[i].Text != "" && row[i].Text != "-"
		})
	})
	t.Columns = lists.Each(kept, func(i int) document.Column { return t.Columns[i] })
	for n, row := range t.Rows {
		t.Rows[n] = lists.Each(kept, func(i int) document.Cell { return row[i] })
	}
	return t
}

// Of adds the columns and rows to the document's table d, and returns it.
func (t *Table[R]) Of(d *document.Table, rows []R) *document.Table {
	d.Columns = t.columns
	d.Rows = append(d.Rows, lists.Each(rows, t.Row)...)
	return d
}
