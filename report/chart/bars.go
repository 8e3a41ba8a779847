package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// Bar is a value, with its range if there is one.
type Bar struct {
	Spread
	Fill Fill
	Note string // written to the right of the bar
}

// Group is a list of bars with a common name.
type Group struct {
	Name string
	Bars []Bar
}

// FillOf returns the fill of the i-th bar of a group.
func FillOf(i int) Fill {
	return Fill{Colour: colour(i), stripes: []int{0, 1, -1}[i%3]}
}

// Lengths of a bar chart in points. barShare is the fraction of a group's height that its bars take.
const (
	nameWidth = 165
	barShare  = 0.78
	axisRoom  = 34 // height of the axis below the bars
)

// BarChart returns a chart of horizontal bars, since names need the width. A bar starts at 0 or, on a logarithmic axis,
// at the axis' left end. The lengths of bars can only be compared if they start at 0, so the axis is logarithmic only
// if values differ by more than a factor of 60.
func BarChart(label string, groups []Group, barHeight vg.Length) *Chart {
	const ratio = 60
	var xs []float64
	var names []string
	most, style, widest := 1, TextOf(smallSize), vg.Length(0)
	for _, g := range groups {
		names = append(names, shortened(g.Name, style, nameWidth))
		most = max(most, len(g.Bars))
		for _, b := range g.Bars {
			xs = append(xs, b.Low, b.Mean, b.High)
			widest = max(widest, style.Width(b.Note))
		}
	}
	c := &Chart{X: Axis{label, Fitting(xs, ratio, xRoom)}, Y: Axis{"", even(names)}, bars: true}
	if widest > 0 {
		widest += 6
	}
	c.X.Max += (c.X.Max - c.X.Min) * float64(widest/(PageWidth-nameWidth-20-widest))
	c.Frame = axisRoom + vg.Length(len(groups)*most)*barHeight/barShare
	for i, g := range groups {
		c.addBars(g, c.Y.Max-0.5-float64(i), most)
	}
	return c
}

// addBars adds a group of up to most bars around the position middle of the y axis.
func (c *Chart) addBars(g Group, middle float64, most int) {
	height := barShare / float64(most)
	top := middle + height*float64(len(g.Bars))/2
	for i, b := range g.Bars {
		if !Usable(b.Mean) {
			continue
		}
		high := top - height*float64(i)
		low, center, end := high-height, high-height/2, b.Mean
		c.Layers = append(c.Layers, Box{fill: b.Fill, min: Point{c.X.floor, low}, max: Point{b.Mean, high}})
		if b.Low < b.High {
			c.Layers = append(c.Layers, Whisker{Point{b.Low, center}, Point{b.High, center}})
			end = math.Max(end, b.High)
		}
		if b.Note != "" {
			c.Layers = append(c.Layers, caption{Point{end, center}, b.Note})
		}
	}
}

// Single returns the spread of a single value.
func Single(x float64) Spread { return Spread{x, x, x} }

// Sides returns a group of bars, one for each of the values of systems, and whether any of them was measured.
func Sides(name string, values []float64) (g Group, found bool) {
	g.Name = name
	for i, x := range values {
		b := Bar{Spread: Single(x), Fill: FillOf(i)}
		if Usable(b.Mean) {
			b.Note, found = Short(b.Mean), true
		}
		g.Bars = append(g.Bars, b)
	}
	return g, found
}

// SideChart returns a chart of bandwidths in MB/s, with a bar of each system in each group; nil without groups.
func SideChart(groups []Group, systems []string) *Chart {
	if len(groups) == 0 {
		return nil
	}
	c := BarChart("MB/s (1 MB = 10^6 bytes)", groups, 10)
	for i, name := range systems {
		c.Legend = append(c.Legend, Entry{Name: name, Icon: BoxIcon(FillOf(i))})
	}
	return c
}
