package chart

import (
	"image/color"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Chart is a drawing: two axes, the layers between them, and a legend below.
type Chart struct {
	X, Y   Axis
	Layers []Layer // from the back to the front
	Legend Legend
	Frame  vg.Length // height above the legend, in points
	title  string    // above a small chart
	bars   bool      // the y axis has names, so it has no tick marks and grid lines
	matrix bool      // the data fill the frame, so there are no grid lines
}

// Axis is a scale with its label.
type Axis struct {
	Label string
	Scale
	Say func(float64) string // formats a value with a suitable unit; nil: words.Short

	unit  string               // unit of the ticks; empty if their labels have one, or none is needed
	shown func(float64) string // formats a value with the unit of the ticks; nil: Say
}

// show formats a value as the picture shows it.
func (a Axis) show(x float64) string {
	if a.shown == nil {
		return a.say(x)
	}
	return a.shown(x)
}

// borne formats a value with its unit and the digits that its interval, if any, justifies.
func (a Axis) borne(x, low, high float64) string {
	text := a.show(x)
	number, unit, _ := strings.Cut(text, " ")
	shown, err := strconv.ParseFloat(number, 64)
	if !(0 < low && low < high && x > 0 && shown > 0) || err != nil {
		return text
	}
	const most = 3
	digits := min(most, rating.SignificantDigits(x, max(high/x-1, 1-low/x)))
	return strings.TrimSpace(words.Digits(shown, digits) + " " + unit)
}

// say formats a value with its unit.
func (a Axis) say(x float64) string {
	if a.Say == nil {
		return words.Short(x)
	}
	return a.Say(x)
}

// Values returns the coordinates of all usable points of the layers.
func Values(layers []Layer) (xs, ys []float64) {
	for _, l := range layers {
		for _, pt := range l.Values() {
			if pt.Usable() {
				xs, ys = append(xs, pt.X), append(ys, pt.Y)
			}
		}
	}
	return xs, ys
}

// Aspect implements document.Drawing.
func (c *Chart) Aspect() float64 { return float64((c.Frame + c.Legend.height()) / PageWidth) }

// Draw implements document.Drawing. If the canvas has another aspect, the data fill the space above the legend.
func (c *Chart) Draw(canvas draw.Canvas) {
	if u := unit(canvas, c.Aspect()); u > 0 {
		c.drawWith(canvas, u, c.margin(), 0)
	}
}

// unit returns the length of a point (see pen.u) in a drawing with an aspect. It is not positive if there is no room.
func unit(canvas draw.Canvas, aspect float64) vg.Length {
	size := canvas.Size()
	return min(size.X/PageWidth, size.Y/(PageWidth*vg.Length(aspect)))
}

// drawWith draws the chart with room for labels on the right, and additional room on the left, both in points.
func (c *Chart) drawWith(canvas draw.Canvas, u, right, more vg.Length) {
	bottom := c.Legend.height() * u
	c.Legend.draw(pen{c: &canvas, u: u})
	c.plot(u).Draw(draw.Crop(canvas, (3+more)*u, -(3+right)*u, bottom, -3*u))
}

// tickWidth returns the width of the widest tick label of the y axis, in points.
func (c *Chart) tickWidth() vg.Length {
	style, widest := TextOf(smallSize), vg.Length(0)
	for _, t := range c.Y.Ticks {
		widest = max(widest, style.Width(t.Label))
	}
	return widest
}

// plot returns gonum's plot of the chart. It contains lengths, so each canvas needs its own.
func (c *Chart) plot(u vg.Length) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, side := range []struct {
		axis *plot.Axis
		from Axis
	}{{&p.X, c.X}, {&p.Y, c.Y}} {
		a := side.axis
		a.Min, a.Max, a.Padding, a.Width = side.from.Min, side.from.Max, 0, 0.8*u
		a.Label.Text, a.Label.Padding = side.from.Label, 4*u
		a.Label.TextStyle.Font = TextOf(labelSize * u).Font
		a.Tick.Label.Font = TextOf(smallSize * u).Font
		a.Tick.Length, a.Tick.Width, a.Tick.Marker = 5*u, 0.6*u, ticker(side.from.Ticks)
	}
	grid := plotter.NewGrid()
	grid.Vertical = draw.LineStyle{Color: gridInk, Width: gridWidth * u}
	grid.Horizontal = grid.Vertical
	if c.bars {
		p.Y.Tick.Length, grid.Horizontal.Color = 0, color.Color(nil)
		p.Y.Tick.Label.XAlign = draw.XRight
	}
	if !c.matrix {
		p.Add(grid)
	}
	p.Add(content{c, u})
	return p
}

// content adapts the layers of a chart to plot.Plotter. u is pen.u.
type content struct {
	chart *Chart
	u     vg.Length
}

// Plot implements plot.Plotter.
func (s content) Plot(canvas draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&canvas)
	to := pen{c: &canvas, u: s.u, at: func(vx, vy float64) vg.Point {
		return vg.Point{X: x(s.chart.X.At(vx)), Y: y(s.chart.Y.At(vy))}
	}}
	for _, l := range s.chart.Layers {
		name := nameOf(l)
		if name != "" {
			to.begin(name)
		}
		l.draw(to)
		if name != "" {
			s.chart.notes(to, l)
			to.end()
		}
	}
	s.chart.drawLabels(to)
}

// nameOf returns the name of the part that a layer belongs to, or "" if the layer is always visible.
func nameOf(l Layer) string {
	switch l := l.(type) {
	case Curve:
		return l.Name
	case Band:
		return l.Name
	case Marks:
		return l.Name
	case Whisker:
		return l.Name
	}
	return ""
}

// notes adds the values of a layer's points as notes.
func (c *Chart) notes(p pen, l Layer) {
	if _, is := l.(Curve); !is {
		if _, is = l.(Marks); !is {
			return
		}
	}
	for _, pt := range l.Values() {
		if !pt.Usable() {
			continue
		}
		text := c.X.say(pt.X) + ": " + c.Y.say(pt.Y)
		if c.bars {
			text = c.X.say(pt.X)
		}
		p.note(p.at(pt.X, pt.Y), text)
	}
}
