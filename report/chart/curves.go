package chart

import (
	"cmp"
	"fmt"
	"github.com/effective-bandwidth/beff/report/words"
	"slices"
)

// MostCurves is the number of curves that can be distinguished in a figure. If there are more, the caption says that
// some are left out.
const MostCurves = 12

// LengthLabel is the label of an axis of message lengths.
const LengthLabel = "message length in bytes (1k = 1024)"

// AddCurve adds the i-th curve, whose name stands at its end. It marks each third point, starting at point i modulo 3,
// so that the marks of neighbouring curves don't overlap.
func (c *Chart) AddCurve(i int, name string, points []Point) {
	l := LookOf(i)
	c.Layers = append(c.Layers, Curve{Look: l, Name: name, Points: points, Every: 3, first: i})
}

// AddOf adds the i-th curve of a chart that has measured and simulated ones: dots of what was measured, a line of what
// was simulated.
func (c *Chart) AddOf(i int, name string, simulated bool, points []Point) {
	c.Layers = append(c.Layers, Curve{Look: LookOf(i), Name: name, Points: points, Dots: !simulated})
}

// DotsNote is the part of a caption that explains them.
const DotsNote = " Dots are measured, lines simulated."

// BandNote returns the part of a caption that explains the band, "" if the chart has no band.
func (c *Chart) BandNote(of, marked string) string {
	if !slices.ContainsFunc(c.Layers, func(l Layer) bool { _, is := l.(Band); return is }) {
		return ""
	}
	return " The band holds all " + of + ", the broad line is their geometric mean" + marked + "."
}

// Omitted returns the part of a caption that reports curves left out, "" if there are none.
func Omitted(n int, of string) string {
	if n <= MostCurves {
		return ""
	}
	return fmt.Sprintf(" Drawn are the first %d of %d %s.", MostCurves, n, of)
}

// Describe returns a description of a chart of curves in words.
func (c *Chart) Describe(what, unit string) string {
	xs, ys := Values(c.Layers)
	from, to := Span(xs)
	low, high := Span(ys)
	curves := 0
	for _, l := range c.Layers {
		if _, is := l.(Curve); is {
			curves++
		}
	}
	return fmt.Sprintf("Line chart of %s against message length: %s between %s and %s %s from %s to %s.",
		what, words.Count(curves, "curve"), Short(low), Short(high), unit, length(int64(from)), length(int64(to)))
}

// ByX compares two points by X.
func ByX(a, b Point) int { return cmp.Compare(a.X, b.X) }
