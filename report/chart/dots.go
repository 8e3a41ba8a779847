package chart

import (
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
)

// Dot is a value, with its range if there is one.
type Dot struct {
	Spread
	Name string // of what the value is, among those of the group; may be empty
	Note string // written to the right, behind the name
	Look int    // the number of its look
}

// Group is a list of dots with a common name.
type Group struct {
	Name string
	Dots []Dot
}

// Lengths of a chart of dots in points. dotShare is the fraction of a group's height that its dots take.
const (
	nameWidth = 165
	dotShare  = 0.78
	axisRoom  = 34 // height of the axis below the dots
	DotHeight = 10 // of a row
	dotSize   = 1.25
)

// Ratios of the largest value to the least: from wide on the axis is logarithmic, up to narrow it doesn't begin at 0.
// A dot has no length, so that no axis lies.
const (
	wideRatio   = 12
	narrowRatio = 2.5
)

// DotChart returns a chart of a row for each dot, since names need the width. The name and the value of each stand
// beside it, so that any number of them can be told apart.
func DotChart(label string, groups []Group) *Chart {
	var xs []float64
	var names []string
	most, style, widest := 1, TextOf(smallSize), vg.Length(0)
	for _, g := range groups {
		names = append(names, shortened(g.Name, style, nameWidth))
		most = max(most, len(g.Dots))
		for _, d := range g.Dots {
			xs = append(xs, d.Low, d.Mean, d.High)
			widest = max(widest, style.Width(d.label()))
		}
	}
	c := &Chart{X: Axis{Label: label, Scale: dotScale(xs)}, Y: Axis{Scale: even(names)}, bars: true}
	if widest > 0 {
		widest += 10
	}
	c.X.Scale = c.X.Scale.thinned(PageWidth - nameWidth - 20 - widest)
	c.X.Max += (c.X.Max - c.X.Min) * float64(widest/(PageWidth-nameWidth-20-widest))
	c.Frame = axisRoom + vg.Length(len(groups)*most)*DotHeight/dotShare
	for i, g := range groups {
		c.addDots(g, c.Y.Max-0.5-float64(i), most)
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

// label returns the text beside the dot.
func (d Dot) label() string {
	return strings.TrimSpace(shortened(d.Name, TextOf(smallSize), labelWidth) + " " + d.Note)
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
		look := LookOf(d.Look)
		look.solid = true
		if c.X.At(d.Mean) > c.X.Min {
			c.Layers = append(c.Layers, guide{Point{c.X.floor, y}, Point{d.Mean, y}})
		}
		if d.Low < d.High {
			c.Layers = append(c.Layers, Whisker{From: Point{d.Low, y}, To: Point{d.High, y}})
			end = math.Max(end, d.High)
		}
		c.Layers = append(c.Layers, Marks{Look: look, Points: []Point{{d.Mean, y}}, Shapes: []int{look.Shape},
			Name: g.Name, Scale: dotSize})
		if text := d.label(); text != "" {
			c.Layers = append(c.Layers, caption{Point{end, y}, text})
		}
	}
}

// guide is a dotted line from the axis to a dot, for the eye.
type guide struct{ from, to Point }

func (g guide) Values() []Point { return nil }

func (g guide) draw(p pen) {
	p.c.StrokeLines(p.stroke(gridInk, thinWidth, []vg.Length{1, 2}),
		[]vg.Point{{X: p.c.Min.X, Y: p.at(g.to.X, g.to.Y).Y}, p.at(g.to.X, g.to.Y)})
}

// Single returns the spread of a single value.
func Single(x float64) Spread { return Spread{x, x, x} }
