package chart

import (
	"reflect"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// PlotGrid is a picture of plots next to each other, each below its title. The names of curves are below all.
type PlotGrid struct {
	ID, Title, Caption, Alt string
	Plots                   []Plot
	// SharedAxes means that the plots share axes, whose names are printed below. Otherwise each has its own axes.
	SharedAxes bool
}

// Figure implements Picture.
func (t PlotGrid) Figure() *document.Figure {
	var m Multiples
	t.Plots = sameStyles(t.Plots)
	for _, p := range t.Plots {
		if t.SharedAxes {
			p.sharing = t.Plots
		}
		c := p.chart(FrameHeight)
		if c == nil {
			continue
		}
		m.name(c.curves())
		if c.title = p.Title; t.SharedAxes {
			m.axes = c.Y.Label + " over " + c.X.Label
		} else if c.Y.tickUnit != "" {
			c.title += " [" + c.Y.tickUnit + "]"
		}
		m.Charts = append(m.Charts, c)
	}
	switch {
	case m.Charts == nil:
		return nil
	case len(m.Charts) == 1: // it gets the whole page
		p := t.Plots[slices.IndexFunc(t.Plots, func(p Plot) bool { return !p.Empty() })]
		p.ID, p.Caption, p.Title = t.ID, t.Caption, t.Title
		return p.Figure()
	}
	return &document.Figure{ID: t.ID, Title: t.Title, Caption: t.Caption, Alt: t.Alt, Drawing: m}
}

// sameStyles returns plots in which series of the same name look the same, and series of different names differ. If
// there are too many names, the plots stay as they are.
func sameStyles(plots []Plot) []Plot {
	var names []string
	for _, p := range plots {
		for i, s := range p.Series {
			if at := slices.Index(names, s.Name); at < 0 {
				names = append(names, s.Name)
			} else if slices.ContainsFunc(p.Series[:i], func(o Series) bool { return o.Name == s.Name }) {
				return plots
			}
		}
	}
	if len(names) > MaxCurves {
		return plots
	}
	plots = slices.Clone(plots)
	for i, p := range plots {
		plots[i].Series = make([]Series, len(names))
		for _, s := range p.Series {
			plots[i].Series[slices.Index(names, s.Name)] = s
		}
	}
	return plots
}

// Multiples is a drawing of many small charts, each below its title, with the names of all axes and curves at the
// bottom.
type Multiples struct {
	Charts []*Chart
	axes   string // empty if charts have their own axes
	legend Legend
}

// name adds the curves that the legend lacks.
func (m *Multiples) name(curves []Curve) {
	for _, c := range curves {
		entry := Entry{c.Name, PlainIcon(c.Style)}
		if !slices.ContainsFunc(m.legend, func(e Entry) bool { return reflect.DeepEqual(e, entry) }) {
			m.legend = append(m.legend, entry)
		}
	}
}

// Lengths of small charts in points, and the scale of their texts and lines.
const (
	smallHeight = 124
	smallTitle  = 12
	smallScale  = 0.95
	axesHeight  = 17 // height of the line with the names of axes
)

// across returns the number of small charts in a row.
func (m Multiples) across() int { return words.Either(len(m.Charts) == 2 || len(m.Charts) == 4, 2, 3) }

// rows returns the number of rows of small charts.
func (m Multiples) rows() int { return (len(m.Charts) + m.across() - 1) / m.across() }

// below returns the height of the part below the charts, in points.
func (m Multiples) below() vg.Length {
	return words.Either[vg.Length](m.axes == "", 0, axesHeight) + m.legend.height()
}

// Aspect implements document.Drawing.
func (m Multiples) Aspect() float64 {
	return float64((vg.Length(m.rows())*smallHeight + m.below()) / PageWidth)
}

// Draw implements document.Drawing.
func (m Multiples) Draw(canvas draw.Canvas) {
	u := pointLength(canvas, m.Aspect())
	if !(u > 0) {
		return
	}
	centred := TextOf(smallSize * u)
	centred.XAlign = text.XCenter
	canvas.FillText(centred, vg.Point{X: canvas.Center().X, Y: canvas.Min.Y + (m.legend.height()+5)*u}, m.axes)
	m.legend.draw(pen{c: &canvas, u: u})
	canvas = draw.Crop(canvas, 0, 0, m.below()*u, 0)
	size, across := canvas.Size(), m.across()
	width, height := size.X/vg.Length(across), size.Y/vg.Length(m.rows())
	style := TextOf(smallSize * u)
	for i, c := range m.Charts {
		part := canvas
		part.Min.X = canvas.Min.X + width*vg.Length(i%across)
		part.Max.X = part.Min.X + width
		part.Max.Y = canvas.Max.Y - height*vg.Length(i/across)
		part.Min.Y = part.Max.Y - height
		title := shortened(c.title, TextOf(smallSize), width/u-8)
		part.FillText(style, vg.Point{X: part.Min.X + 4*u, Y: part.Max.Y - 8*u}, title)
		c.bare(width/u/smallScale).drawWith(draw.Crop(part, 0, -3*u, 0, -smallTitle*u), smallScale*u, 0, 0)
	}
}

// bare returns a chart with a width in points, without names and axis labels.
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

// thinned returns the scale without labels that would touch others on an axis with a width in points.
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
