package chart

import (
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// Lengths of a legend in points.
const (
	iconWidth  = 26
	iconHeight = 8
	iconGap    = 5 // between icon and name
	columnGap  = 12
	rowHeight  = 12.5
	topGap     = 5
	bottomGap  = 3
)

// Entry explains a curve: its icon is drawn as layers between 0 and 1 of both axes.
type Entry struct {
	Name string
	Icon []Layer
}

// Legend lies below the data, in columns.
type Legend []Entry

// left is where the first column starts: about where the data do.
const left = 30

// columns is how many there are, and how wide, in points, so that the longest name fits, if there is a width where it
// does.
func (l Legend) columns() (n int, width vg.Length) {
	style, widest := TextOf(smallSize), vg.Length(0)
	for _, e := range l {
		widest = max(widest, style.Width(e.Name))
	}
	room := PageWidth - left
	n = max(1, min(len(l), int(room/(widest+iconWidth+iconGap+columnGap))))
	rows := (len(l) + n - 1) / n
	if rows > 0 {
		n = (len(l) + rows - 1) / rows // as even as can be
	}
	return n, room / vg.Length(n)
}

// height in points.
func (l Legend) height() vg.Length {
	if len(l) == 0 {
		return bottomGap
	}
	n, _ := l.columns()
	return topGap + rowHeight*vg.Length((len(l)+n-1)/n) + bottomGap
}

// draw draws at the bottom of the pen's canvas.
func (l Legend) draw(p pen) {
	n, width := l.columns()
	style := TextOf(smallSize * p.u)
	style.YAlign = text.YCenter
	for i, e := range l {
		corner := p.c.Min.Add(vg.Point{
			X: (left + vg.Length(i%n)*width) * p.u,
			Y: (l.height() - topGap - rowHeight*vg.Length(i/n+1)) * p.u,
		})
		for _, layer := range e.Icon {
			layer.draw(p.within(corner, iconWidth*p.u, iconHeight*p.u))
		}
		name := shortened(e.Name, TextOf(smallSize), width-iconWidth-iconGap-columnGap/2)
		p.c.FillText(style, corner.Add(vg.Point{X: (iconWidth + iconGap) * p.u, Y: iconHeight / 2 * p.u}), name)
	}
}

// within is a pen whose axes go from 0 to 1 over a rectangle.
func (p pen) within(corner vg.Point, width, height vg.Length) pen {
	p.at = func(x, y float64) vg.Point {
		return corner.Add(vg.Point{X: vg.Length(x) * width, Y: vg.Length(y) * height})
	}
	return p
}

// tiny stands for 0 in an icon, as no point is at 0.
const tiny = 1e-9

// LineIcon is a curve's icon.
func LineIcon(l Look) []Layer {
	return []Layer{Curve{Look: l, Points: []Point{{tiny, 0.5}, {1, 0.5}}}, Curve{Look: l, Points: []Point{{0.5, 0.5}}}}
}

// PlainIcon is that of a curve without marks.
func PlainIcon(l Look) []Layer {
	return []Layer{Curve{Look: l, Points: []Point{{tiny, 0.5}, {1, 0.5}}}}
}

// MarkIcon is a mark alone.
func MarkIcon(l Look) []Layer { return []Layer{Curve{Look: l, Points: []Point{{0.5, 0.5}}}} }

// BandIcon is a band's icon.
func BandIcon(b Band) []Layer {
	b.Low, b.High = []Point{{tiny, tiny}, {1, tiny}}, []Point{{tiny, 1}, {1, 1}}
	return []Layer{b}
}

// BoxIcon is a bar's icon.
func BoxIcon(f Fill) []Layer { return []Layer{Box{fill: f, max: Point{1, 1}}} }
