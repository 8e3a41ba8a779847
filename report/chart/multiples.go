package chart

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/effective-bandwidth/beff/report/document"
)

// Together is a picture of plots side by side, each below its title, with axes of its own. The names of curves and axes
// are left out.
type Together struct {
	ID, Caption, Alt string
	Plots            []Plot
}

// Figure implements Picture.
func (t Together) Figure() *document.Figure {
	var m Multiples
	for _, p := range t.Plots {
		if c := p.chart(FrameHeight); c != nil {
			c.title = p.Title
			m = append(m, c)
		}
	}
	if m == nil {
		return nil
	}
	return &document.Figure{ID: t.ID, Caption: t.Caption, Alt: t.Alt, Drawing: m}
}

// Multiples is a drawing of many small charts, each below its title.
type Multiples []*Chart

// Lengths of small charts in points, and the factor of their texts and lines.
const (
	acrossSmall = 3
	smallHeight = 104
	smallTitle  = 11
	smallScale  = 0.72
)

// rows returns the number of rows of small charts.
func (m Multiples) rows() int { return (len(m) + acrossSmall - 1) / acrossSmall }

// Aspect implements document.Drawing.
func (m Multiples) Aspect() float64 { return float64(m.rows()) * smallHeight / float64(PageWidth) }

// Draw implements document.Drawing.
func (m Multiples) Draw(canvas draw.Canvas) {
	u := unit(canvas, m.Aspect())
	if !(u > 0) {
		return
	}
	size := canvas.Size()
	width, height := size.X/acrossSmall, size.Y/vg.Length(m.rows())
	style := TextOf(smallSize * 0.9 * u)
	for i, c := range m {
		part := canvas
		part.Min.X = canvas.Min.X + width*vg.Length(i%acrossSmall)
		part.Max.X = part.Min.X + width
		part.Max.Y = canvas.Max.Y - height*vg.Length(i/acrossSmall)
		part.Min.Y = part.Max.Y - height
		title := shortened(c.title, TextOf(smallSize*0.9), width/u-8)
		part.FillText(style, vg.Point{X: part.Min.X + 4*u, Y: part.Max.Y - 8*u}, title)
		c.bare(width/u/smallScale).drawWith(draw.Crop(part, 0, -3*u, 0, -smallTitle*u), smallScale*u, 0, 0)
	}
}

// bare returns a chart of a width in points without names and labels of axes.
func (c *Chart) bare(width vg.Length) *Chart {
	b := *c
	b.X.Label, b.Y.Label, b.Legend, b.Layers = "", "", nil, nil
	b.X.Scale = b.X.Scale.thinned(width - c.tickWidth() - 24)
	for _, l := range c.Layers {
		switch layer := l.(type) {
		case Curve:
			layer.Name = ""
			l = layer
		case steps:
			bare := slices.Clone(layer)
			for i := range bare {
				bare[i].Text = ""
			}
			l = bare
		}
		b.Layers = append(b.Layers, l)
	}
	return &b
}

// thinned returns the scale without the labels that would touch others on an axis of a width in points.
func (s Scale) thinned(width vg.Length) Scale {
	style := TextOf(smallSize)
	list, end := make([]plot.Tick, 0, len(s.Ticks)), vg.Length(-1e9)
	for _, t := range s.Ticks {
		half := style.Width(t.Label)/2 + 3
		at := vg.Length((t.Value-s.Min)/(s.Max-s.Min)) * width
		if t.Label != "" {
			if at-half < end {
				t.Label = ""
			} else {
				end = at + half
			}
		}
		list = append(list, t)
	}
	s.Ticks = list
	return s
}
