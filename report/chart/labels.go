package chart

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Lengths for the labels at the ends of curves, in points.
const (
	labelStep   = 9.6 // distance of two lines
	leaderWidth = 7   // from the frame to the sample of the line
	sampleWidth = 16
	labelGap    = 3
	labelWidth  = 112 // of the longest text
)

// curves returns the curves that have a name and points.
func (c *Chart) curves() []Curve {
	return lists.Where(layersOf[Curve](c), func(l Curve) bool { return l.Name != "" && l.end() >= 0 })
}

// Curves returns the number of curves with names.
func (c *Chart) Curves() int { return len(c.curves()) }

// end returns the index of the last point that is drawn, or -1.
func (c Curve) end() int {
	for i := len(c.Points) - 1; i >= 0; i-- {
		if c.Points[i].Usable() {
			return i
		}
	}
	return -1
}

// margin returns the room that labels need on the right of the data, in points.
func (c *Chart) margin() vg.Length {
	style := TextOf(smallSize)
	widest := lists.Max(c.curves(), func(l Curve) vg.Length {
		return style.Width(shortened(l.Name, style, labelWidth))
	})
	return words.Either(widest == 0, 0, leaderWidth+sampleWidth+labelGap+widest)
}

// drawLabels writes the name of each curve next to its end, with a sample of its line. It moves overlapping labels
// apart. A dotted line, which can't be taken for data, leads to each label.
func (c *Chart) drawLabels(p pen) {
	list := c.curves()
	at := func(i int) vg.Point { end := list[i].Points[list[i].end()]; return p.at(end.X, end.Y) }
	order := lists.Numbers(len(list))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at(a).Y, at(b).Y) })
	wanted := make([]float64, len(list))
	for i, n := range order {
		wanted[i] = float64(at(n).Y)
	}
	step := labelStep * p.u
	if n := vg.Length(len(list)); n > 1 {
		step = min(step, (p.c.Max.Y-p.c.Min.Y+step)/n) // many are closer
	}
	places := spreadOut(wanted, float64(step), float64(p.c.Min.Y), float64(p.c.Max.Y))
	size := min(smallSize, step/p.u*smallSize/labelStep)
	style := TextOf(size * p.u)
	style.YAlign = text.YCenter
	for i, n := range order {
		curve, from := list[n], at(n)
		to := vg.Point{X: p.c.Max.X + leaderWidth*p.u, Y: vg.Length(places[i])}
		p.begin(curve.Name)
		p.c.StrokeLines(p.stroke(darkInk, 0.4, []vg.Length{0.8, 1.6}),
			[]vg.Point{from, {X: max(from.X, p.c.Max.X+p.u), Y: from.Y}, to})
		p.sample(curve, to)
		name := shortened(curve.Name, TextOf(smallSize), labelWidth)
		p.c.FillText(style, to.Add(vg.Point{X: (sampleWidth + labelGap) * p.u}), name)
		p.end()
	}
}

// sample draws a short line in the style of a curve to the right of a point, without marks, which would look like data.
// For a curve without a line it draws a mark.
func (p pen) sample(c Curve, at vg.Point) {
	if c.Dots {
		p.mark(c.Style, at.Add(vg.Point{X: sampleWidth / 2 * p.u}))
		return
	}
	from, to := vg.Point{X: 1 * p.u}, vg.Point{X: sampleWidth * p.u}
	p.c.StrokeLines(p.stroke(c.Colour, c.Width, c.dash), []vg.Point{at.Add(from), at.Add(to)})
}

// spreadOut returns places near the wanted ones, which are in rising order, at least step apart and between low and
// high. Places that would be too close share the displacement.
func spreadOut(wanted []float64, step, low, high float64) []float64 {
	type block struct {
		sum float64 // of wanted places, each minus its number of steps
		n   int
	}
	var blocks []block
	for i, w := range wanted {
		b := block{w - float64(i)*step, 1}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			if last.sum/float64(last.n) < b.sum/float64(b.n) {
				break
			}
			blocks, b = blocks[:len(blocks)-1], block{last.sum + b.sum, last.n + b.n}
		}
		blocks = append(blocks, b)
	}
	var places []float64
	most := high - float64(len(wanted)-1)*step
	for _, b := range blocks {
		first := max(low, min(b.sum/float64(b.n), most))
		for range b.n {
			places = append(places, first+float64(len(places))*step)
		}
	}
	return places
}

// annotator returns the canvas that records names and values, if there is one. Cropped canvases wrap it.
func (p pen) annotator() (a document.Annotator, is bool) {
	c := p.c.Canvas
	for {
		wrapped, cropped := c.(draw.Canvas)
		if !cropped {
			a, is = c.(document.Annotator)
			return a, is
		}
		c = wrapped.Canvas
	}
}

// begin and end enclose a part of the drawing; note adds a value to it.
func (p pen) begin(name string) {
	if a, is := p.annotator(); is {
		a.Begin(name)
	}
}

func (p pen) end() {
	if a, is := p.annotator(); is {
		a.End()
	}
}

func (p pen) note(at vg.Point, words string) {
	if a, is := p.annotator(); is {
		a.Note(at, words)
	}
}
