package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Dots draws values as dots, each in a row of its own, because names need the width. The name and the value are printed
// next to the dot, so that any number of them can be distinguished.
type Dots struct {
	ID, Title, Caption string
	X                  Quantity // quantity; values of 0 or NaN are left out, and groups that have only such values
	Groups             []Group
	Of, Each           string   // plural names of the groups, and of the dots in one
	MaxGroups          int      // largest number of groups, 0 for all; a group shows its first MaxCurves dots
	Legend             []string // meaning of each style; nil if dots have names
}

// Group is a list of dots with a common name.
type Group struct {
	Name string
	Dots []Dot
}

// Dot is a value, with its range if there is one. The value is printed next to it.
type Dot struct {
	Spread
	Name       string // name within the group; may be empty
	Label      string // text next to the dot; if empty, the value
	StyleIndex int    // for StyleOf
}

// Lengths of a chart of dots in points. dotShare is the fraction of a group's height that its dots occupy.
const (
	nameWidth = 165
	dotShare  = 0.78
	axisRoom  = 34 // height of the axis below the dots
	DotHeight = 10 // height of a row
	dotSize   = 1.25
)

// Ratios of the largest value to the least. Above wideRatio the axis is logarithmic, and below narrowRatio it doesn't
// start at 0. Since a dot has no length, no axis is misleading.
const (
	wideRatio   = 12
	narrowRatio = 2.5
)

// Figure implements Picture.
func (d Dots) Figure() *document.Figure {
	var groups []Group
	dots := 0
	for _, g := range d.Groups {
		dots = max(dots, len(g.Dots))
		g.Dots = g.Dots[:min(len(g.Dots), MaxCurves)]
		if slices.ContainsFunc(g.Dots, func(d Dot) bool { return Usable(d.Mean) }) {
			groups = append(groups, g)
		}
	}
	if len(groups) == 0 {
		return nil
	}
	drawn := groups[:min(len(groups), cmp.Or(d.MaxGroups, len(groups)))]
	shown := lists.Flat(drawn, func(g Group) []Dot { return g.Dots })
	low, high := Span(lists.Each(shown, func(d Dot) float64 { return d.Mean }))
	return &document.Figure{ID: d.ID, Title: d.Title, Drawing: d.chart(drawn),
		Caption: d.Caption + omitted(len(drawn), len(groups), d.Of) + omitted(MaxCurves, dots, d.Each),
		Alt: fmt.Sprintf("Chart of dots of %s: %s between %s and %s.", d.X.Name, words.Count(len(drawn), "group"),
			d.X.Format(low), d.X.Format(high))}
}

// chart returns the drawing.
func (d *Dots) chart(groups []Group) *Chart {
	var xs []float64
	var names []string
	most, style, widest := 1, TextOf(smallSize), vg.Length(0)
	for _, g := range groups {
		names = append(names, shortened(Clean(g.Name), style, nameWidth))
		most = max(most, len(g.Dots))
		for _, dot := range g.Dots {
			xs = append(xs, dot.Low, dot.Mean, dot.High)
		}
	}
	of := d.X
	of.Scale = dotScale
	if of.units == nil {
		of.Scale = func(values []float64) Scale { return dotScale(values).labelled(d.X.Format) }
	}
	c := &Chart{X: of.axisOf(xs, dotThreshold), Y: Axis{Scale: even(names)}, bars: true,
		Frame: axisRoom + vg.Length(len(groups)*most)*DotHeight/dotShare}
	for _, g := range groups {
		for _, dot := range g.Dots {
			widest = max(widest, style.Width(c.dotLabel(dot)))
		}
	}
	widest += 10
	room := PageWidth - c.tickWidth() - 20 - widest
	c.X.Scale = c.X.Scale.thinned(room)
	c.X.Max += (c.X.Max - c.X.Min) * float64(widest/room)
	for i, g := range groups {
		c.addDots(g, c.Y.Max-0.5-float64(i), most)
	}
	for i, name := range d.Legend {
		looks := func(d Dot) bool { return d.StyleIndex == i }
		if slices.ContainsFunc(groups, func(g Group) bool { return slices.ContainsFunc(g.Dots, looks) }) {
			c.Legend = append(c.Legend, Entry{name, DotIcon(i)})
		}
	}
	return c
}

// dotScale returns the scale that shows the differences of values best.
func dotScale(values []float64) Scale {
	low, high := Span(values)
	switch ratio := high / low; {
	case ratio > wideRatio:
		return Decades(values, xRoom)
	case ratio > narrowRatio:
		return linear(values)
	}
	return between(low, high)
}

// dotLabel returns the text next to a dot.
func (c *Chart) dotLabel(dot Dot) string {
	name := ""
	if dot.Name != "" {
		name = shortened(Clean(dot.Name), TextOf(smallSize), labelWidth) + " "
	}
	return name + cmp.Or(dot.Label, c.X.formatWithInterval(dot.Mean, dot.Low, dot.High))
}

// addDots adds a group of up to most dots around the position middle of the y axis.
func (c *Chart) addDots(g Group, middle float64, most int) {
	height := dotShare / float64(most)
	top := middle + height*float64(len(g.Dots)-1)/2
	for i, d := range g.Dots {
		if !Usable(d.Mean) {
			continue
		}
		y, end := top-height*float64(i), d.Mean
		style := StyleOf(d.StyleIndex)
		style.solid = true
		if c.X.At(d.Mean) > c.X.Min {
			c.Layers = append(c.Layers, guide{Point{X: d.Mean, Y: y}})
		}
		if d.Low < d.High {
			c.Layers = append(c.Layers, Whisker{Ink: style.Colour, From: Point{X: d.Low, Y: y},
				To: Point{X: d.High, Y: y}})
			end = math.Max(end, d.High)
		}
		c.Layers = append(c.Layers, Marks{Style: style, Points: []Point{{X: d.Mean, Y: y}}, Shapes: []int{style.Shape},
			Scale: dotSize}, caption{Point{X: end, Y: y}, c.dotLabel(d)})
	}
}

// guide is a dotted line from the axis to a dot, which guides the eye.
type guide struct{ to Point }

func (g guide) Values() []Point { return nil }

func (g guide) draw(p pen) {
	p.c.StrokeLines(p.stroke(gridInk, thinWidth, []vg.Length{1, 2}),
		[]vg.Point{{X: p.c.Min.X, Y: p.at(g.to.X, g.to.Y).Y}, p.at(g.to.X, g.to.Y)})
}

// Within returns a value with its interval. in may be nil.
func Within(x float64, in *rating.Interval) Spread {
	if in == nil || !(0 < in.Low && in.Low <= x && x <= in.High) {
		return Spread{x, x, x}
	}
	return Spread{in.Low, x, in.High}
}
