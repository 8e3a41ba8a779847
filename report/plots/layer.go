package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// layer is something drawn into a chart; later ones are drawn over earlier ones. It knows the values in it, so that
// axes hold them all.
type layer interface {
	draw(pen)
	values() []point
}

// point is a point of a curve; it is missing where one of the two is no positive number.
type point struct{ x, y float64 }

func (p point) usable() bool { return usable(p.x) && usable(p.y) }

// curve is a line through points that breaks where one is missing. Every n-th point is marked, starting at first: marks
// of curves that lie on each other then stand side by side. every 0: none.
type curve struct {
	look
	points       []point
	every, first int
}

func (c curve) values() []point { return c.points }

func (c curve) draw(p pen) {
	var run []vg.Point
	flush := func() {
		if len(run) > 1 {
			p.c.StrokeLines(p.stroke(c.colour, c.width, c.dash), run)
		}
		run = nil
	}
	for i, pt := range c.points {
		if !pt.usable() {
			flush()
			continue
		}
		run = append(run, p.at(pt.x, pt.y))
		if i+1 == len(c.points) || !c.points[i+1].usable() {
			flush()
		}
	}
	for i, pt := range c.points {
		if pt.usable() && (c.alone(i) || c.every > 0 && i%c.every == c.first%c.every) {
			p.mark(c.look, p.at(pt.x, pt.y))
		}
	}
}

// alone says whether a point has no line to be seen by.
func (c curve) alone(i int) bool {
	before := i > 0 && c.points[i-1].usable()
	after := i+1 < len(c.points) && c.points[i+1].usable()
	return !before && !after
}

// marks are points, each with a shape of its own.
type marks struct {
	look
	points []point
	shapes []int // as long as points; negative: none
}

func (m marks) values() []point { return m.points }

func (m marks) draw(p pen) {
	for i, pt := range m.points {
		if pt.usable() && m.shapes[i] >= 0 {
			l := m.look
			l.shape = m.shapes[i]
			p.mark(l, p.at(pt.x, pt.y))
		}
	}
}

// band fills what is between two curves of the same x, with gaps where one of them has them.
type band struct {
	fill      color.Color
	low, high []point
}

func (b band) values() []point { return append(append([]point(nil), b.low...), b.high...) }

func (b band) draw(p pen) {
	for from := 0; from < len(b.low); {
		to := from
		for to < len(b.low) && b.low[to].usable() && b.high[to].usable() {
			to++
		}
		b.fillRun(p, from, to)
		from = to + 1
	}
}

// fillRun draws points from to to-1; a single one is a line.
func (b band) fillRun(p pen, from, to int) {
	var outline []vg.Point
	for i := from; i < to; i++ {
		outline = append(outline, p.at(b.low[i].x, b.low[i].y))
	}
	for i := to - 1; i >= from; i-- {
		outline = append(outline, p.at(b.high[i].x, b.high[i].y))
	}
	if to-from > 1 {
		p.c.FillPolygon(b.fill, outline)
	}
	if to > from {
		p.c.StrokeLines(p.stroke(darkInk, thinWidth, nil), append(outline, outline[0]))
	}
}

// box is what is between two values of each axis, filled and outlined.
type box struct {
	fill     fill
	min, max point
}

// fill is a colour, with stripes or not.
type fill struct {
	colour  color.Color
	stripes int // directions: 0 none, 1 rising, -1 falling
}

func (b box) values() []point {
	return []point{b.min, b.max}
}

func (b box) draw(p pen) {
	low, high := p.at(b.min.x, b.min.y), p.at(b.max.x, b.max.y)
	corners := []vg.Point{low, {X: high.X, Y: low.Y}, high, {X: low.X, Y: high.Y}, low}
	p.c.FillPolygon(b.fill.colour, corners)
	if b.fill.stripes != 0 {
		b.hatch(p, low, high)
	}
	p.c.StrokeLines(p.stroke(ink, thinWidth, nil), corners)
}

// hatch draws stripes of 45 degrees, each cut off at the sides of the box.
func (b box) hatch(p pen, low, high vg.Point) {
	distance, height := 4*p.u, high.Y-low.Y
	var stripes vg.Path
	for x := low.X - height + distance/2; x < high.X; x += distance {
		from, to := max(x, low.X), min(x+height, high.X)
		y0, y1 := low.Y+(from-x), low.Y+(to-x)
		if b.fill.stripes < 0 {
			y0, y1 = high.Y-(from-x), high.Y-(to-x)
		}
		stripes.Move(vg.Point{X: from, Y: y0})
		stripes.Line(vg.Point{X: to, Y: y1})
	}
	p.c.SetLineStyle(p.stroke(paper, 1, nil))
	p.c.Stroke(stripes)
}

// whisker is a line between two points with a bar at each end.
type whisker struct{ from, to point }

func (w whisker) values() []point { return []point{w.from, w.to} }

func (w whisker) draw(p pen) {
	a, b := p.at(w.from.x, w.from.y), p.at(w.to.x, w.to.y)
	end := vg.Point{X: 0, Y: 2 * p.u}
	if math.Abs(float64(a.X-b.X)) < math.Abs(float64(a.Y-b.Y)) {
		end = vg.Point{X: 2 * p.u, Y: 0}
	}
	p.c.StrokeLines(p.stroke(ink, 0.8, nil), []vg.Point{a, b}, []vg.Point{a.Sub(end), a.Add(end)},
		[]vg.Point{b.Sub(end), b.Add(end)})
}

// caption is a text to the right of a point, a little higher than gonum centres it: figures have no descenders.
type caption struct {
	at   point
	text string
}

func (c caption) values() []point { return nil }

func (c caption) draw(p pen) {
	style := textOf(smallSize * p.u)
	style.YAlign = text.YCenter
	p.c.FillText(style, p.at(c.at.x, c.at.y).Add(vg.Point{X: 4 * p.u, Y: p.u}), c.text)
}
