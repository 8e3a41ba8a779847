package chart

import (
	"image/color"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Chart is a drawing with two axes, layers of data, and a legend below.
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
	Format func(float64) string // formats a value with a suitable unit; nil: words.Short

	tickUnit   string               // unit of the tick labels; empty if they contain it or need none
	inTickUnit func(float64) string // formats a value with tickUnit; nil: Format
}

// formatInTickUnit formats a value with the unit that the tick labels of the axis have.
func (a Axis) formatInTickUnit(x float64) string {
	if a.inTickUnit == nil {
		return a.format(x)
	}
	return a.inTickUnit(x)
}

// formatWithInterval formats a value as formatInTickUnit does, with only the digits that the interval from low to high
// justifies, and at most three. Without an interval, low and high are 0.
func (a Axis) formatWithInterval(x, low, high float64) string {
	text := a.formatInTickUnit(x)
	number, unit, _ := strings.Cut(text, " ")
	scaled, err := strconv.ParseFloat(number, 64)
	if !(0 < low && low < high && x > 0 && scaled > 0) || err != nil {
		return text
	}
	const maxDigits = 3
	digits := min(maxDigits, rating.SignificantDigits(x, max(high/x-1, 1-low/x)))
	return strings.TrimSpace(words.Digits(scaled, digits) + " " + unit)
}

// format formats a value with a suitable unit.
func (a Axis) format(x float64) string {
	if a.Format == nil {
		return words.Short(x)
	}
	return a.Format(x)
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

// Draw implements document.Drawing. Whatever the aspect of the canvas, the data fill the space above the legend.
func (c *Chart) Draw(canvas draw.Canvas) {
	if u := pointLength(canvas, c.Aspect()); u > 0 {
		c.drawWith(canvas, u, c.margin(), 0)
	}
}

// pointLength returns the length on a canvas of one point of a drawing, which is PageWidth points wide and has the
// given aspect (height divided by width). It isn't positive if the canvas is empty.
func pointLength(canvas draw.Canvas, aspect float64) vg.Length {
	size := canvas.Size()
	return min(size.X/PageWidth, size.Y/(PageWidth*vg.Length(aspect)))
}

// drawWith draws the chart. It leaves margins of left and right points next to the axes. A point has the length u.
func (c *Chart) drawWith(canvas draw.Canvas, u, right, left vg.Length) {
	bottom := c.Legend.height() * u
	c.Legend.draw(pen{c: &canvas, u: u})
	c.plot(u).Draw(draw.Crop(canvas, (3+left)*u, -(3+right)*u, bottom, -3*u))
}

// tickWidth returns the width of the widest tick label of the y axis, in points.
func (c *Chart) tickWidth() vg.Length {
	style := TextOf(smallSize)
	return lists.Max(c.Y.Ticks, func(t plot.Tick) vg.Length { return style.Width(t.Label) })
}

// plot returns gonum's plot of the chart with points of length u. Each canvas needs a plot of its own.
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

// content implements plot.Plotter for the layers of a chart. u is the length of a point.
type content struct {
	chart *Chart
	u     vg.Length
}

// Plot implements plot.Plotter.
func (s content) Plot(canvas draw.Canvas, area *plot.Plot) {
	x, y := area.Transforms(&canvas)
	p := pen{c: &canvas, u: s.u, at: func(vx, vy float64) vg.Point {
		return vg.Point{X: x(s.chart.X.At(vx)), Y: y(s.chart.Y.At(vy))}
	}}
	for _, l := range s.chart.Layers {
		name := nameOf(l)
		if name != "" {
			p.begin(name)
		}
		l.draw(p)
		if name != "" {
			s.chart.notes(p, l)
			p.end()
		}
	}
	s.chart.drawLabels(p)
}

// nameOf returns the name of the series that a layer belongs to, or "" if the reader can't hide the layer.
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

// notes adds the values of a curve's or of marks' points as notes, which a browser shows under the pointer.
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
		text := c.X.format(pt.X) + ": " + c.Y.format(pt.Y)
		if c.bars {
			text = c.X.format(pt.X)
		}
		p.note(p.at(pt.X, pt.Y), text)
	}
}
