package plots

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// chart is a drawing: two axes, what is between them, and a legend below.
type chart struct {
	x, y   axis
	layers []layer // from the back to the front
	legend legend
	frame  vg.Length // height of the part above the legend, in points
	bars   bool      // the y axis has names: no ticks, no grid lines
}

type axis struct {
	label string
	scale
}

// values of both axes that the layers hold.
func values(layers []layer) (xs, ys []float64) {
	for _, l := range layers {
		for _, pt := range l.values() {
			if pt.usable() {
				xs, ys = append(xs, pt.x), append(ys, pt.y)
			}
		}
	}
	return xs, ys
}

// Aspect implements document.Drawing.
func (c *chart) Aspect() float64 { return float64((c.frame + c.legend.height()) / pageWidth) }

// Draw implements document.Drawing. On a canvas of another shape the data get the room that is left.
func (c *chart) Draw(canvas draw.Canvas) {
	size := canvas.Size()
	u := min(size.X/pageWidth, size.Y/(pageWidth*vg.Length(c.Aspect())))
	if !(u > 0) {
		return
	}
	canvas.SetColor(paper)
	canvas.Fill(canvas.Path())
	bottom := c.legend.height() * u
	c.legend.draw(pen{c: &canvas, u: u})
	c.plot(u).Draw(draw.Crop(canvas, 3*u, -3*u, bottom, -3*u))
}

// plot is the frame as gonum draws it, made anew for each canvas as it holds lengths.
func (c *chart) plot(u vg.Length) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, side := range []struct {
		axis *plot.Axis
		from axis
	}{{&p.X, c.x}, {&p.Y, c.y}} {
		a := side.axis
		a.Min, a.Max, a.Padding, a.Width = side.from.min, side.from.max, 0, 0.8*u
		a.Label.Text, a.Label.Padding = side.from.label, 4*u
		a.Label.TextStyle.Font = textOf(labelSize * u).Font
		a.Tick.Label.Font = textOf(smallSize * u).Font
		a.Tick.Length, a.Tick.Width, a.Tick.Marker = 5*u, 0.6*u, side.from.scale
	}
	grid := plotter.NewGrid()
	grid.Vertical = draw.LineStyle{Color: gridInk, Width: gridWidth * u}
	grid.Horizontal = grid.Vertical
	if c.bars {
		p.Y.Tick.Length, grid.Horizontal.Color = 0, color.Color(nil)
		p.Y.Tick.Label.XAlign = draw.XRight
	}
	p.Add(grid, content{c, u})
	return p
}

// content is a chart's layers as gonum wants them.
type content struct {
	chart *chart
	u     vg.Length
}

// Plot implements plot.Plotter.
func (s content) Plot(canvas draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&canvas)
	to := pen{c: &canvas, u: s.u, at: func(vx, vy float64) vg.Point {
		return vg.Point{X: x(s.chart.x.at(vx)), Y: y(s.chart.y.at(vy))}
	}}
	for _, l := range s.chart.layers {
		l.draw(to)
	}
}
