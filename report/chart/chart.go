package chart

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Chart is a drawing: two axes, the layers between them, and a legend below.
type Chart struct {
	X, Y   Axis
	Layers []Layer // from the back to the front
	Legend Legend
	Frame  vg.Length // height of the part above the legend, in points
	bars   bool      // the y axis has names: no tick marks, no grid lines
	matrix bool      // the data fill the frame: no grid lines at all
}

// Axis is a scale with its label.
type Axis struct {
	Label string
	Scale
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

// Draw implements document.Drawing. On a canvas of another aspect the data fill the space that the legend leaves.
func (c *Chart) Draw(canvas draw.Canvas) {
	size := canvas.Size()
	u := min(size.X/PageWidth, size.Y/(PageWidth*vg.Length(c.Aspect())))
	if !(u > 0) {
		return
	}
	bottom := c.Legend.height() * u
	c.Legend.draw(pen{c: &canvas, u: u})
	c.plot(u).Draw(draw.Crop(canvas, 3*u, -3*u, bottom, -3*u))
}

// plot returns gonum's plot of the chart. It is made for each canvas, because it contains lengths.
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

// content is the layers of a chart as a plot.Plotter. u is pen.u.
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
		l.draw(to)
	}
}
