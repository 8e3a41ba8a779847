package chart

import "gonum.org/v1/plot/vg"

// Level is a horizontal line with a text at its left end, and the band of its interval if that is known.
type Level struct {
	Y, Low, High float64
	Text         string // its value follows
}

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
	p.dashed(vg.Point{X: left, Y: y}, vg.Point{X: right, Y: y})
	p.c.FillText(TextOf(smallSize*p.u), vg.Point{X: left + 4*p.u, Y: y + 3*p.u}, l.Text)
}

// dashed draws a line that is no data.
func (p pen) dashed(from, to vg.Point) {
	p.c.StrokeLines(p.stroke(darkInk, 0.8, []vg.Length{3, 2}), []vg.Point{from, to})
}

// Step is a place on the x axis with a text, such as one at which values jump.
type Step struct {
	X    float64
	Text string
}

// steps is the layer of steps: vertical lines, each with its text beside its upper end. Texts are below each other.
type steps []Step

// Values returns nothing: a step lies between values.
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
