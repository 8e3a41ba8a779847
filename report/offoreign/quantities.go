package offoreign

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// shownAs is how a quantity is shown.
type shownAs struct {
	name, unit string
	scale      float64 // base units in one of the unit
	less       bool    // less is better
	compared   bool
	axis       func(label string, values []float64) chart.Axis // nil: it isn't drawn
}

// quantities has a row for each quantity.
var quantities = map[foreign.Quantity]shownAs{
	foreign.Seconds:        {"time", "µs", words.Micro, true, true, chart.TimeAxis},
	foreign.BytesPerSecond: {"bandwidth", "MB/s", words.Mega, false, true, chart.RateAxis},
	foreign.PerSecond:      {"rate", "1/s", 1, false, true, nil},
	foreign.Part:           {"part", "%", 0.01, false, false, nil},
	foreign.Bytes:          {"bytes", "B", 1, false, false, nil},
	foreign.Number:         {"number", "", 1, false, false, nil},
	foreign.Score:          {"score", "", 1, false, true, nil},
}

// order has the quantities that are compared and drawn, in their order.
var order = []foreign.Quantity{foreign.Seconds, foreign.BytesPerSecond, foreign.PerSecond, foreign.Score}

// cell returns the cell of a figure.
func cell(q foreign.Quantity, x float64) document.Cell {
	s := quantities[q]
	x /= s.scale
	if x == 0 { // a figure, unlike in our own results
		return document.Number(0, "0")
	}
	switch q {
	case foreign.Seconds:
		return parts.Number(x, 3)
	case foreign.BytesPerSecond:
		return parts.Bandwidth(x * s.scale)
	case foreign.Part:
		return document.Number(x, fmt.Sprintf("%.2f", x))
	}
	if x == math.Trunc(x) && x < 1e15 {
		return document.Number(x, fmt.Sprintf("%.0f", x))
	}
	return document.Number(x, fmt.Sprintf("%.3f", x))
}

// length returns the cell of a length.
func length(n int64) document.Cell { return document.Number(float64(n), fmt.Sprint(n)) }
