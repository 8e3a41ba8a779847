package chart

import "gonum.org/v1/plot/vg"

// Level is a horizontal line with a text at one of its ends, and a band for its interval if known.
type Level struct {
	Y, Low, High float64
	Text         string // text before the value
	Value        string // Y as text; if empty, the axis formats it

	others []Layer // layers that the text avoids
}

// Values returns nothing: a level has the full width, and lies between the values that it averages.
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
	p.dashed(vg.Point{X: left, Y: y}, vg.Point{X: right, Y: y})
	style := TextOf(smallSize * p.u)
	p.c.FillText(style, l.place(p, y, style.Width(l.Text)), l.Text)
}

// place returns the position of a text with a width: above or below an end of the line, or in a corner, at the first
// place that no curve or bar crosses. If all are crossed, it is above the left end, behind the data.
func (l Level) place(p pen, y, wide vg.Length) vg.Point {
	left, right := p.c.Min.X+4*p.u, p.c.Max.X-4*p.u-wide
	above, below, top, bottom := y+3*p.u, y-10*p.u, p.c.Max.Y-12*p.u, p.c.Min.Y+4*p.u
	for _, at := range []vg.Point{{X: left, Y: above}, {X: right, Y: below}, {X: right, Y: above},
		{X: left, Y: below}, {X: left, Y: top}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: bottom}} {
		room := vg.Rectangle{Min: vg.Point{X: at.X - 2*p.u, Y: at.Y - 2*p.u},
			Max: vg.Point{X: at.X + wide + 2*p.u, Y: at.Y + 9*p.u}}
		if room.Min.Y > p.c.Min.Y && room.Max.Y < p.c.Max.Y && !l.meets(p, room) {
			return at
		}
	}
	return vg.Point{X: left, Y: above}
}

// meets reports whether a curve or a bar crosses a rectangle.
func (l Level) meets(p pen, room vg.Rectangle) bool {
	for _, layer := range l.others {
		var points []Point
		switch x := layer.(type) {
		case Curve:
			points = x.Points
		case Whisker:
			points = x.Values()
		}
		for i := 1; i < len(points); i++ {
			a, b := points[i-1], points[i]
			if a.Usable() && b.Usable() && through(room, p.at(a.X, a.Y), p.at(b.X, b.Y)) {
				return true
			}
		}
	}
	return false
}

// through reports whether a line between two points crosses a rectangle.
func through(room vg.Rectangle, a, b vg.Point) bool {
	const steps = 32
	for i := range steps + 1 {
		at := a.Add(b.Sub(a).Scale(vg.Length(i) / steps))
		if room.Min.X <= at.X && at.X <= room.Max.X && room.Min.Y <= at.Y && at.Y <= room.Max.Y {
			return true
		}
	}
	return false
}

// dashed draws a line that isn't data.
func (p pen) dashed(from, to vg.Point) {
	p.c.StrokeLines(p.stroke(darkInk, 0.8, []vg.Length{3, 2}), []vg.Point{from, to})
}

// Step is a position on the x axis with a text, such as one at which values jump.
type Step struct {
	X    float64
	Text string
}

// steps is the layer of steps: vertical lines, each with its text next to the upper end, one text below the other.
type steps []Step

// Values returns nothing: a step is between values.
func (steps) Values() []Point { return nil }

func (l steps) draw(p pen) {
	for i, s := range l {
		x := p.at(s.X, 1).X
		p.dashed(vg.Point{X: x, Y: p.c.Min.Y}, vg.Point{X: x, Y: p.c.Max.Y})
		style := TextOf(smallSize * p.u)
		at := vg.Point{X: x + 4*p.u, Y: p.c.Max.Y - (10+11*vg.Length(i))*p.u}
		if wide := style.Width(s.Text); x > (p.c.Min.X+p.c.Max.X)/2 || at.X+wide > p.c.Max.X {
			at.X = max(p.c.Min.X+4*p.u, at.X-8*p.u-wide)
		}
		p.c.FillText(style, at, s.Text)
	}
}
