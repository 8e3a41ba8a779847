package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// Layer is a part of the drawing in a chart. Later layers are drawn over earlier ones. Values returns the points that
// the axes must include.
type Layer interface {
	draw(pen)
	Values() []Point
}

// Point is a point of a curve. It counts as missing unless both coordinates are positive numbers.
type Point struct {
	X, Y      float64
	Low, High float64 // interval of Y; 0 if not known
	Mark      int     // number of its mark (see Plot.Marks); 0 without one
}

// Usable reports whether a point can be drawn.
func (p Point) Usable() bool { return Usable(p.X) && Usable(p.Y) }

// Curve is a line through points that breaks where one is missing. Of each Every points one is marked. Marks of curves
// that overlap are next to each other. If Every is 0, there are no marks.
type Curve struct {
	Style
	Name   string // printed at its end; may be empty
	Points []Point
	Every  int
	first  int
	Dots   bool // only marked points, without a line
}

func (c Curve) Values() []Point { return c.Points }

func (c Curve) draw(p pen) {
	var run []vg.Point
	flush := func() {
		if len(run) > 1 && !c.Dots {
			p.c.StrokeLines(p.stroke(c.Colour, c.Width, c.dash), run)
		}
		run = nil
	}
	for i, pt := range c.Points {
		if !pt.Usable() {
			flush()
			continue
		}
		run = append(run, p.at(pt.X, pt.Y))
		if i+1 == len(c.Points) || !c.Points[i+1].Usable() {
			flush()
		}
	}
	for i, pt := range c.Points {
		if pt.Usable() && (c.Dots || c.alone(i) || c.Every > 0 && i%c.Every == c.first%c.Every) {
			p.mark(c.Style, p.at(pt.X, pt.Y))
		}
	}
}

// alone reports whether both neighbours of a point are missing, so that no line goes through it.
func (c Curve) alone(i int) bool {
	before := i > 0 && c.Points[i-1].Usable()
	after := i+1 < len(c.Points) && c.Points[i+1].Usable()
	return !before && !after
}

// Marks are points, each with its own shape.
type Marks struct {
	Style
	Points []Point
	Shapes []int // one for each point; negative for no mark
	Name   string
	Scale  vg.Length // of the marks; 0 means 1
}

func (m Marks) Values() []Point { return m.Points }

func (m Marks) draw(p pen) {
	for i, pt := range m.Points {
		if pt.Usable() && m.Shapes[i] >= 0 {
			style := m.Style
			style.Shape = m.Shapes[i]
			bigger := p
			bigger.u *= max(m.Scale, 1)
			bigger.mark(style, p.at(pt.X, pt.Y))
		}
	}
}

// Band fills the area between two curves with the same x coordinates. It has a gap where either of them has one.
type Band struct {
	Name      string
	Fill      color.Color
	Ink       color.Color // of its outline; nil: grey, and the band is in the legend
	Low, High []Point
}

func (b Band) Values() []Point { return append(append([]Point(nil), b.Low...), b.High...) }

func (b Band) draw(p pen) {
	for from := 0; from < len(b.Low); {
		to := from
		for to < len(b.Low) && b.Low[to].Usable() && b.High[to].Usable() {
			to++
		}
		b.fillRun(p, from, to)
		from = to + 1
	}
}

// fillRun draws the band from point from to point to-1. A single point is drawn as a line.
func (b Band) fillRun(p pen, from, to int) {
	var outline []vg.Point
	for i := from; i < to; i++ {
		outline = append(outline, p.at(b.Low[i].X, b.Low[i].Y))
	}
	for i := to - 1; i >= from; i-- {
		outline = append(outline, p.at(b.High[i].X, b.High[i].Y))
	}
	if to-from > 1 {
		p.c.FillPolygon(b.Fill, outline)
	}
	ink := b.Ink
	if ink == nil {
		ink = darkInk
	}
	if to > from {
		p.c.StrokeLines(p.stroke(ink, thinWidth, nil), append(outline, outline[0]))
	}
}

// Whisker is a line between two points with a bar at each end.
type Whisker struct {
	From, To Point
	Name     string      // of its curve
	Ink      color.Color // nil for black
	Shift    vg.Length   // to the right in points, which separates the whiskers of several curves
}

func (w Whisker) Values() []Point { return []Point{w.From, w.To} }

func (w Whisker) draw(p pen) {
	ink, shift := w.Ink, vg.Point{X: w.Shift * p.u}
	if ink == nil {
		ink = Ink
	}
	a, b := p.at(w.From.X, w.From.Y).Add(shift), p.at(w.To.X, w.To.Y).Add(shift)
	end := vg.Point{X: 0, Y: 2 * p.u}
	if math.Abs(float64(a.X-b.X)) < math.Abs(float64(a.Y-b.Y)) {
		end = vg.Point{X: 2 * p.u, Y: 0}
	}
	p.c.StrokeLines(p.stroke(ink, 0.8, nil), []vg.Point{a, b}, []vg.Point{a.Sub(end), a.Add(end)},
		[]vg.Point{b.Sub(end), b.Add(end)})
}

// caption is a text to the right of a point. It is drawn a little higher than gonum centres it, because digits have no
// descenders.
type caption struct {
	at   Point
	text string
}

func (c caption) Values() []Point { return nil }

func (c caption) draw(p pen) {
	style := TextOf(smallSize * p.u)
	style.YAlign = text.YCenter
	p.c.FillText(style, p.at(c.at.X, c.at.Y).Add(vg.Point{X: 6 * p.u, Y: p.u}), c.text)
}
