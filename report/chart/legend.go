package chart

import (
	"image/color"

	"github.com/effective-bandwidth/beff/internal/lists"
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

// Entry explains a curve. The layers of its icon have coordinates from 0 to 1 on both axes.
type Entry struct {
	Name string
	Icon []Layer
}

// Legend holds the entries that are drawn below the data, in columns.
type Legend []Entry

// left is the left end of the first column in points, roughly aligned with the data.
const left = 30

// columns returns the number of columns and their width in points. The longest name fits into a column if it fits into
// the figure.
func (l Legend) columns() (n int, width vg.Length) {
	style := TextOf(smallSize)
	widest := lists.Max(l, func(e Entry) vg.Length { return style.Width(e.Name) })
	room := PageWidth - left
	n = max(1, min(len(l), int(room/(widest+iconWidth+iconGap+columnGap))))
	rows := (len(l) + n - 1) / n
	if rows > 0 {
		n = (len(l) + rows - 1) / rows // columns as equal as possible
	}
	return n, room / vg.Length(n)
}

// height returns the height in points.
func (l Legend) height() vg.Length {
	if len(l) == 0 {
		return bottomGap
	}
	n, _ := l.columns()
	return topGap + rowHeight*vg.Length((len(l)+n-1)/n) + bottomGap
}

// draw draws the legend at the bottom of the pen's canvas.
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

// within returns a pen with axes from 0 to 1 over a rectangle.
func (p pen) within(corner vg.Point, width, height vg.Length) pen {
	p.at = func(x, y float64) vg.Point {
		return corner.Add(vg.Point{X: vg.Length(x) * width, Y: vg.Length(y) * height})
	}
	return p
}

// tiny replaces 0 in an icon, because points at 0 are not drawn.
const tiny = 1e-9

// PlainIcon returns the icon of a curve without marks.
func PlainIcon(style Style) []Layer {
	return []Layer{Curve{Style: style, Points: []Point{{X: tiny, Y: 0.5}, {X: 1, Y: 0.5}}}}
}

// MarkIcon returns the icon of a mark without a line.
func MarkIcon(style Style) []Layer {
	return []Layer{Curve{Style: style, Points: []Point{{X: 0.5, Y: 0.5}}}}
}

// BandIcon returns the icon of a band.
func BandIcon(b Band) []Layer {
	b.Low, b.High = []Point{{X: tiny, Y: tiny}, {X: 1, Y: tiny}}, []Point{{X: tiny, Y: 1}, {X: 1, Y: 1}}
	return []Layer{b}
}

// BoxIcon returns the icon of an area of a colour.
func BoxIcon(fill color.Color) []Layer { return BandIcon(Band{Fill: fill}) }

// DotIcon returns the icon of dots, given the index of their style.
func DotIcon(index int) []Layer {
	style := StyleOf(index)
	style.solid = true
	return []Layer{Marks{Style: style, Points: []Point{{X: 0.5, Y: 0.5}}, Shapes: []int{style.Shape}, Scale: dotSize}}
}
