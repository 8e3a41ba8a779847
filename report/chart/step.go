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
