package foreign

import (
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
)

// Figures lists the figures of other programs' results; each result has some of them. A new figure is a line here.
var Figures = rating.Figures[Result]{
	{Figure: rating.Figure{Key: "latency", Name: "latency",
		About: "time of a message between two processes at the shortest length above 0", Unit: rating.Latency,
		Less: true, Listed: true}, Of: best(Message, Seconds)},
	{Figure: rating.Figure{Key: "bandwidth", Name: "bandwidth",
		About: "largest bandwidth of messages between two processes", Unit: rating.Bandwidth,
		Listed: true}, Of: best(Message, BytesPerSecond)},
	{Figure: rating.Figure{Key: "file_write", Name: "file write", About: "bandwidth of writing files",
		Unit: rating.Bandwidth, Listed: true}, Of: best(Write, BytesPerSecond)},
	{Figure: rating.Figure{Key: "file_read", Name: "file read", About: "bandwidth of reading files",
		Unit: rating.Bandwidth, Listed: true}, Of: best(Read, BytesPerSecond)},
	{Figure: rating.Figure{Key: "creates", Name: "creates", About: "files created in a second", Unit: rating.Rate,
		Listed: true}, Of: best(CreateFiles, PerSecond)},
	{Figure: rating.Figure{Key: "score", Name: "score", About: "the program's own number", Unit: rating.Score,
		Listed: true}, Of: func(r *Result) (v rating.Value) {
		if r.Rating != nil && r.Rating.Quantity == Score {
			v.Value = r.Rating.Value
		}
		return v
	}},
	{Figure: rating.Figure{Key: "congestion_impact", Name: "congestion impact",
		About: "factor by which congestion slows down the test that it slows down most", Unit: rating.Score,
		Less: true, Listed: true}, Of: func(r *Result) (v rating.Value) {
		for t := range lists.Elements(r.Tables) {
			x, _ := t.Best(Factor)
			v.Value = max(v.Value, x)
		}
		return v
	}},
}

// best returns the function that derives a figure from the tables of an operation: the first time, or the largest
// value.
func best(o Operation, q Quantity) func(*Result) rating.Value {
	return func(r *Result) (v rating.Value) {
		for t := range lists.Elements(r.Tables) {
			if x, _ := t.Best(q); t.Operation == o && (v.Value == 0 || x > v.Value && q != Seconds) {
				v.Value = x
			}
		}
		return v
	}
}

// Best returns the best figure of a quantity, and its row: the time at the shortest length above 0, or otherwise the
// least time or factor, or the largest figure. It returns 0 and nil if there is none.
func (t *Table) Best(q Quantity) (x float64, at *Row) {
	k := t.Main(q)
	if k < 0 {
		return 0, nil
	}
	for row := range lists.Elements(t.Rows) {
		v, better := row.Values[k], false
		switch {
		case at == nil:
			better = true
		case q != Seconds && q != Factor:
			better = v > x
		case t.Lengths:
			better = at.Bytes == 0 || row.Bytes < at.Bytes && row.Bytes > 0
		default:
			better = v < x
		}
		if v > 0 && better {
			x, at = v, row
		}
	}
	return x, at
}
