package chart

import (
	"cmp"
	"fmt"
	"slices"
)

// MostCurves is how many curves can be told apart in a figure; its caption says so where there are more.
const MostCurves = 12

// LengthLabel is that of an axis of message lengths.
const LengthLabel = "message length in bytes (1k = 1024)"

// AddCurve adds the i-th curve. Its marks are at each third point, those of the next curve at the points after these.
func (c *Chart) AddCurve(i int, name string, points []Point) {
	l := LookOf(i)
	c.Layers = append(c.Layers, Curve{Look: l, Points: points, Every: 3, first: i})
	c.Legend = append(c.Legend, Entry{name, LineIcon(l)})
}

// BandNote explains the band in a caption, if there is one.
func (c *Chart) BandNote(of, marked string) string {
	if !slices.ContainsFunc(c.Layers, func(l Layer) bool { _, is := l.(Band); return is }) {
		return ""
	}
	return " The band holds all " + of + ", the broad line is their geometric mean" + marked + "."
}

// Omitted says how many curves are left out.
func Omitted(n int, of string) string {
	if n <= MostCurves {
		return ""
	}
	return fmt.Sprintf(" Drawn are the first %d of %d %s.", MostCurves, n, of)
}

// Describe says in words what a chart of curves shows.
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
		what, Plural(curves, "curve"), Short(low), Short(high), unit, length(int64(from)), length(int64(to)))
}

func ByX(a, b Point) int { return cmp.Compare(a.X, b.X) }
