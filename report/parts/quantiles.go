package parts

import (
	"fmt"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

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
