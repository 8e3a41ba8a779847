package plots

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

// entry explains a curve: its icon is drawn as layers between 0 and 1 of both axes.
type entry struct {
	name string
	icon []layer
}

// legend lies below the data, in columns.
type legend []entry

// left is where the first column starts: about where the data do.
const left = 30

// columns is how many there are, and how wide, in points, so that the longest name fits, if there is a width where it
// does.
func (l legend) columns() (n int, width vg.Length) {
	style, widest := textOf(smallSize), vg.Length(0)
	for _, e := range l {
		widest = max(widest, style.Width(e.name))
	}
	room := pageWidth - left
	n = max(1, min(len(l), int(room/(widest+iconWidth+iconGap+columnGap))))
	rows := (len(l) + n - 1) / n
	if rows > 0 {
		n = (len(l) + rows - 1) / rows // as even as can be
	}
	return n, room / vg.Length(n)
}

// height in points.
func (l legend) height() vg.Length {
	if len(l) == 0 {
		return bottomGap
	}
	n, _ := l.columns()
	return topGap + rowHeight*vg.Length((len(l)+n-1)/n) + bottomGap
}

// draw draws at the bottom of the pen's canvas.
func (l legend) draw(p pen) {
	n, width := l.columns()
	style := textOf(smallSize * p.u)
	style.YAlign = text.YCenter
	for i, e := range l {
		corner := p.c.Min.Add(vg.Point{
			X: (left + vg.Length(i%n)*width) * p.u,
			Y: (l.height() - topGap - rowHeight*vg.Length(i/n+1)) * p.u,
		})
		for _, layer := range e.icon {
			layer.draw(p.within(corner, iconWidth*p.u, iconHeight*p.u))
		}
		name := shortened(e.name, textOf(smallSize), width-iconWidth-iconGap-columnGap/2)
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

// lineIcon is a curve's icon.
func lineIcon(l look) []layer {
	return []layer{curve{look: l, points: []point{{tiny, 0.5}, {1, 0.5}}}, curve{look: l, points: []point{{0.5, 0.5}}}}
}

// plainIcon is that of a curve without marks.
func plainIcon(l look) []layer {
	return []layer{curve{look: l, points: []point{{tiny, 0.5}, {1, 0.5}}}}
}

// markIcon is a mark alone.
func markIcon(l look) []layer { return []layer{curve{look: l, points: []point{{0.5, 0.5}}}} }

// bandIcon is a band's icon.
func bandIcon(b band) []layer {
	b.low, b.high = []point{{tiny, tiny}, {1, tiny}}, []point{{tiny, 1}, {1, 1}}
	return []layer{b}
}

// boxIcon is a bar's icon.
func boxIcon(f fill) []layer { return []layer{box{fill: f, max: point{1, 1}}} }
