package plots

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// bar is a value with its range, if it has one.
type bar struct {
	spread
	fill fill
	note string // written behind it
}

// group is bars with a name in common.
type group struct {
	name string
	bars []bar
}

// fillOf is the fill of the i-th bar of a group.
func fillOf(i int) fill {
	return fill{colour: colours[i%len(colours)], stripes: []int{0, 1, -1}[i%3]}
}

// Lengths of a bar chart in points; barShare is the bars' part of a group's height.
const (
	nameWidth = 165
	barShare  = 0.78
	axisRoom  = 34 // of the axis below the bars
)

// barChart draws horizontal bars, for names need their width. A bar starts at 0 or, on a logarithmic axis, at its left
// end: only ratios of lengths from 0 can be read, so the axis is logarithmic only where it must be.
func barChart(label string, groups []group, barHeight vg.Length) *chart {
	const ratio = 60
	var xs []float64
	var names []string
	most, style, widest := 1, textOf(smallSize), vg.Length(0)
	for _, g := range groups {
		names = append(names, shortened(g.name, style, nameWidth))
		most = max(most, len(g.bars))
		for _, b := range g.bars {
			xs = append(xs, b.low, b.mean, b.high)
			widest = max(widest, style.Width(b.note))
		}
	}
	c := &chart{x: axis{label, fitting(xs, ratio, xRoom)}, y: axis{"", even(names)}, bars: true}
	if widest > 0 {
		widest += 6
	}
	c.x.max += (c.x.max - c.x.min) * float64(widest/(pageWidth-nameWidth-20-widest))
	c.frame = axisRoom + vg.Length(len(groups)*most)*barHeight/barShare
	for i, g := range groups {
		c.addBars(g, c.y.max-0.5-float64(i), most)
	}
	return c
}

// addBars draws a group of up to most bars around a place of the y axis.
func (c *chart) addBars(g group, middle float64, most int) {
	height := barShare / float64(most)
	top := middle + height*float64(len(g.bars))/2
	for i, b := range g.bars {
		if !usable(b.mean) {
			continue
		}
		high := top - height*float64(i)
		low, center, end := high-height, high-height/2, b.mean
		c.layers = append(c.layers, box{fill: b.fill, min: point{c.x.floor, low}, max: point{b.mean, high}})
		if b.low < b.high {
			c.layers = append(c.layers, whisker{point{b.low, center}, point{b.high, center}})
			end = math.Max(end, b.high)
		}
		if b.note != "" {
			c.layers = append(c.layers, caption{point{end, center}, b.note})
		}
	}
}

// single is a value without a range.
func single(x float64) spread { return spread{x, x, x} }
