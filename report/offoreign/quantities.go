package offoreign

import (
	"fmt"
	"math"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// presentation is how a quantity is presented.
type presentation struct {
	name string
	unit rating.Unit
	less bool           // less is better
	axis chart.Quantity // of pictures; without a scale the quantity isn't drawn
}

// quantities has a row for each quantity.
var quantities = map[foreign.Quantity]presentation{
	foreign.Seconds:        {"time", rating.Latency, true, chart.Time},
	foreign.BytesPerSecond: {"bandwidth", rating.Bandwidth, false, chart.Bandwidth},
	foreign.PerSecond:      {"rate", rating.Rate, false, chart.Quantity{}},
	foreign.Fraction:       {"part", rating.Unit{Shown: "%", Scale: 0.01}, false, chart.Quantity{}},
	foreign.Bytes:          {"bytes", rating.Unit{Base: "B", Shown: "B", Scale: 1}, false, chart.Quantity{}},
	foreign.Count:          {"number", rating.Score, false, chart.Quantity{}},
	foreign.Score:          {"score", rating.Score, false, chart.Quantity{}},
	foreign.Factor:         {"factor", rating.Score, true, chart.Quantity{}},
}

// shownQuantities has the quantities that are compared, and drawn if they have an axis, in this order.
var shownQuantities = []foreign.Quantity{foreign.Seconds, foreign.BytesPerSecond, foreign.PerSecond, foreign.Score,
	foreign.Factor}

// figure returns the quantity as a figure.
func (s presentation) figure() rating.Figure {
	return rating.Figure{Key: s.name, Name: s.name, Unit: s.unit, Less: s.less}
}

// cell returns the cell of a value in the base unit of its quantity, shown in the quantity's unit.
func cell(q foreign.Quantity, x float64) document.Cell {
	x = quantities[q].unit.In(x)
	if x == 0 { // a value here, but a missing one in beff's own results
		return document.Number(0, "0")
	}
	switch q {
	case foreign.Seconds:
		return parts.Number(x, 3)
	case foreign.BytesPerSecond:
		return parts.Bandwidth(x * rating.Bandwidth.Scale)
	case foreign.Fraction:
		return document.Number(x, fmt.Sprintf("%.2f", x))
	}
	if x == math.Trunc(x) && x < 1e15 {
		return document.Number(x, fmt.Sprintf("%.0f", x))
	}
	return document.Number(x, fmt.Sprintf("%.3f", x))
}

// MainFigure returns the program's own number, the impact of congestion, or otherwise the best figure of
// the first table, as a text.
func MainFigure(r *foreign.Result) string {
	if r.Rating != nil {
		h := headline(r.Rating)
		return strings.TrimSpace(h.Name + " " + h.Value + " " + h.Unit)
	}
	if x := foreign.Figures.Values(r)["congestion_impact"]; x.Value > 0 {
		return fmt.Sprintf("congestion impact %.1f", x.Value)
	}
	for t := range lists.Elements(r.Tables) {
		for _, q := range shownQuantities {
			if x, row := t.Best(q); row != nil && x > 0 {
				text := fmt.Sprintf("%s %s %s", words.OneLine(t.Test), cell(q, x).Text, quantities[q].unit.Shown)
				if t.Lengths {
					text += fmt.Sprintf(" at %d B", row.Bytes)
				}
				return strings.TrimSpace(text)
			}
		}
	}
	return "-"
}
