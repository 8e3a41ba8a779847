package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// AddMarks adds points with marks of their own to a chart and its legend, once for a name; nothing if there are none.
func (c *Chart) AddMarks(name string, points []Point) {
	if len(points) == 0 {
		return
	}
	look := Look{Colour: Ink, Width: LineWidth, Shape: addedShape, solid: true}
	shapes := make([]int, len(points))
	for i := range shapes {
		shapes[i] = addedShape
	}
	c.Layers = append(c.Layers, Marks{Look: look, Points: points, Shapes: shapes})
	for _, e := range c.Legend {
		if e.Name == name {
			return
		}
	}
	c.Legend = append(c.Legend, Entry{name, []Layer{Marks{Look: look, Points: []Point{{0.5, 0.5}},
		Shapes: []int{addedShape}}}})
}

// addedShape is a square, which no curve of a figure begins with.
const addedShape = 1

// Level is a horizontal line with a text at its left end, and the band of its interval if that is known.
type Level struct {
	Y, Low, High float64
	Text         string
}

// AddLevel adds a level behind all other layers. The axes must be set.
func (c *Chart) AddLevel(l Level) { c.Layers = append([]Layer{l}, c.Layers...) }

// Values returns nothing: a level takes the whole width, and lies among the values that it is the mean of.
func (l Level) Values() []Point { return nil }

func (l Level) draw(p pen) {
	at := func(y float64) vg.Length { return max(p.c.Min.Y, min(p.c.Max.Y, p.at(1, y).Y)) }
	left, right := p.c.Min.X, p.c.Max.X
	if 0 < l.Low && l.Low < l.High {
		low, high := at(l.Low), at(l.High)
		p.c.FillPolygon(BandInk, []vg.Point{{X: left, Y: low}, {X: right, Y: low}, {X: right, Y: high},
			{X: left, Y: high}})
	}
	y := at(l.Y)
	p.c.StrokeLines(p.stroke(darkInk, 0.8, []vg.Length{3, 2}), []vg.Point{{X: left, Y: y}, {X: right, Y: y}})
	p.c.FillText(TextOf(smallSize*p.u), vg.Point{X: left + 4*p.u, Y: y + 3*p.u}, l.Text)
}

// RatioAxes sets the axes of a chart of ratios over message length: linear around 1, logarithmic if they differ much.
func (c *Chart) RatioAxes(label string) {
	xs, ys := Values(c.Layers)
	low, high := Span(ys)
	low, high = min(low, 0.95), max(high, 1.05)
	scale := between(low, high)
	if high/low > wideRatio {
		scale = Decades(append(ys, low, high), YRoom)
	}
	c.X, c.Y = LengthAxis(xs), Axis{Label: label, Scale: scale, Say: Ratio}
}

// AddStep adds a vertical line at X from the bottom to the top, with a text beside its upper end. The chart's
// logarithmic axes must be set. Texts of several steps are below each other.
func (c *Chart) AddStep(x float64, text string) {
	low, high := math.Pow(10, c.Y.Min), math.Pow(10, c.Y.Max)
	rank := 0
	for _, l := range c.Layers {
		if _, is := l.(step); is {
			rank++
		}
	}
	c.Layers = append(c.Layers, step{from: Point{x, low}, to: Point{x, high}, text: text, rank: rank,
		left: c.X.At(x) > (c.X.Min+c.X.Max)/2})
}

// step is a vertical line with a text.
type step struct {
	from, to Point
	text     string
	rank     int  // of several steps, from 0
	left     bool // the text is to the left of the line
}

func (s step) Values() []Point { return nil }

func (s step) draw(p pen) {
	from, to := p.at(s.from.X, s.from.Y), p.at(s.to.X, s.to.Y)
	p.c.StrokeLines(p.stroke(darkInk, 0.8, []vg.Length{3, 2}), []vg.Point{from, to})
	style := TextOf(smallSize * p.u)
	at := to.Add(vg.Point{X: 4 * p.u, Y: -(10 + 11*vg.Length(s.rank)) * p.u})
	if s.left {
		at.X -= 8*p.u + style.Width(s.text)
	}
	p.c.FillText(style, at, s.text)
}
