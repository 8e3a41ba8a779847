package chart

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Picture is a picture as data: Plot, Dots, Matrix. Figure returns nil if there is nothing to draw.
type Picture interface{ Figure() *document.Figure }

// Figures draws pictures, leaving out those that are empty.
func Figures(pictures ...Picture) []*document.Figure {
	return lists.Filled(lists.Each(pictures, Picture.Figure))
}

// Plot is a picture of one quantity over another. It is data. Figure adds axes, a legend and a description for readers
// who can't see the picture. To the caption it adds the meaning of bands, bars and dots, and the number of series left
// out.
type Plot struct {
	ID, Title, Caption string
	X, Y               Quantity

	Series []Series // the first MaxCurves are drawn; series with the same index look the same in all pictures
	Of     string   // plural name of the series; empty: curves
	Mean   *Series  // mean of many curves, drawn behind them: a broad line, in a band if its points have Low and High
	Boxes  []Quartiles
	Level  *Level
	Steps  []Step
	Bars   string   // meaning of the bars from Low to High: "the 95 % intervals"
	Marks  []string // meanings of the marks 1, 2 and so on
	Below  *Plot    // lower panel over the same X
	Bare   bool     // curves have too many points to mark them

	sharing []Plot // plots with the same axes
}

// Series is a line through points in the order of X, with its name at its end. It breaks where a point is not usable.
type Series struct {
	Name      string
	Points    []Point
	Dots      bool // only points
	Band      bool // draw the intervals of the points as a band
	Simulated bool // in a plot with such series, measured ones are dots
}

// Distance of the bars of neighbouring curves, and the width for the bars of all curves, in points.
const (
	barStep = 3
	barRoom = 12
)

// MaxCurves is the number of curves that can be distinguished in a picture.
const MaxCurves = 12

// Over returns a point for each x. y returns the point without X.
func Over[T int | int64](xs []T, y func(i int) Point) []Point {
	list := make([]Point, len(xs))
	for i, x := range xs {
		list[i] = y(i)
		list[i].X = float64(x)
	}
	return list
}

// PointOf returns a point with this Y and no X.
func PointOf(y float64) Point { return Point{Y: y} }

// Figure implements Picture.
func (p Plot) Figure() *document.Figure {
	c := p.chart(FrameHeight)
	if c == nil {
		return nil
	}
	f := &document.Figure{ID: p.ID, Title: p.Title, Drawing: c, Caption: p.Caption + p.notes(c), Alt: p.described(c)}
	if p.Below == nil {
		return f
	}
	below := *p.Below
	if strings.Contains(f.Caption, below.Bars) {
		below.Bars = "" // explained for the upper panel
	}
	if lower := below.chart(lowerHeight); lower != nil {
		c.X.Label, c.Frame = "", upperHeight
		f.Drawing = Panels{c, lower}
		f.Caption += " Below: " + below.Caption + below.notes(lower)
		f.Alt += " Below: " + below.described(lower)
	}
	return f
}

// Heights of two panels, in points.
const (
	upperHeight = 200
	lowerHeight = 150
)

// chart returns the drawing without the panel below it, or nil if no point is usable.
func (p *Plot) chart(height vg.Length) *Chart {
	layers := p.layers()
	xs, ys := Values(layers)
	if len(xs) == 0 {
		return nil
	}
	for _, other := range p.sharing {
		x, y := Values(other.layers())
		xs, ys = append(xs, x...), append(ys, y...)
	}
	c := &Chart{Frame: height, X: p.X.axis(xs), Y: p.Y.axis(ys), Layers: layers}
	if p.Level != nil {
		l := *p.Level
		l.Text += " " + cmp.Or(l.Value, c.Y.formatWithInterval(l.Y, l.Low, l.High))
		l.others = layers
		c.Layers = append([]Layer{l}, c.Layers...)
	}
	if len(p.Steps) > 0 {
		c.Layers = append(c.Layers, steps(p.Steps))
	}
	c.explain(p.Marks)
	return c
}

// layers returns the layers of the data, from the back to the front.
func (p *Plot) layers() (list []Layer) {
	marks := Marks{Style: MeanStyle}
	if p.Mean != nil {
		list = append(list, p.Mean.mean()...)
	}
	mixed, all := p.mixed(), p.Series[:min(len(p.Series), MaxCurves)]
	drawn := slices.DeleteFunc(lists.Numbers(len(all)), func(i int) bool {
		return !slices.ContainsFunc(all[i].points(), Point.Usable)
	})
	var curves []Layer // in front of all bands, whose outlines would fill the gaps of dashed lines
	for i, number := range drawn {
		s, points := all[number], all[number].points()
		c := Curve{Style: StyleOf(number), Name: Clean(s.Name), Points: points, Every: 1, first: i,
			Dots: s.Dots || mixed && !s.Simulated}
		if p.X.Dense {
			c.Every = min(3, len(drawn)) // so that marks of overlapping curves are next to each other
		}
		if p.Bare {
			c.Every = 0
		}
		shift := min(barStep, barRoom/vg.Length(len(drawn))) * (vg.Length(i) - vg.Length(len(drawn)-1)/2)
		if s.Band {
			list = append(list, bandOf(points, Band{Name: c.Name, Fill: faint(c.Colour), Ink: c.Colour}))
		}
		for _, pt := range points {
			if pt.Usable() && 0 < pt.Low && pt.Low < pt.High && !s.Band {
				curves = append(curves, Whisker{Name: c.Name, Ink: c.Colour, Shift: shift,
					From: Point{X: pt.X, Y: pt.Low}, To: Point{X: pt.X, Y: pt.High}})
			}
			if pt.Mark > 0 && pt.Usable() {
				marks.Points, marks.Shapes = append(marks.Points, pt), append(marks.Shapes, pt.Mark-1)
			}
		}
		curves = append(curves, c)
	}
	list = append(list, curves...)
	list = append(list, lists.Each(p.Boxes, func(b Quartiles) Layer { return b })...)
	if len(marks.Points) > 0 {
		list = append(list, marks)
	}
	return list
}

// Empty reports whether there is nothing to draw.
func (p Plot) Empty() bool {
	xs, _ := Values(p.layers())
	return len(xs) == 0
}

// points returns the points with a position on the axis, in the order of X.
func (s *Series) points() []Point {
	list := slices.DeleteFunc(slices.Clone(s.Points), func(p Point) bool { return !Usable(p.X) })
	slices.SortStableFunc(list, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
	return list
}

// mean returns the layers of the mean of many curves. On some machines all curves coincide, and a broad line is still
// visible below narrow ones.
func (s *Series) mean() []Layer {
	points := s.points()
	if !slices.ContainsFunc(points, Point.Usable) {
		return nil
	}
	c := Curve{Style: MeanStyle, Name: Clean(s.Name), Points: points}
	if !slices.ContainsFunc(points, func(p Point) bool { return p.Usable() && 0 < p.Low && p.Low <= p.High }) {
		return []Layer{c}
	}
	band := bandOf(points, Band{Fill: BandInk, Name: c.Name + ", range"})
	c.Name += ", mean"
	return []Layer{band, c}
}

// bandOf returns a band with the intervals of points.
func bandOf(points []Point, b Band) Band {
	for _, pt := range points {
		b.Low = append(b.Low, Point{X: pt.X, Y: pt.Low})
		b.High = append(b.High, Point{X: pt.X, Y: pt.High})
	}
	return b
}

// mixed reports whether some series were measured, and others simulated.
func (p *Plot) mixed() bool {
	simulated := func(s Series) bool { return s.Simulated }
	return slices.ContainsFunc(p.Series, simulated) &&
		slices.ContainsFunc(p.Series, func(s Series) bool { return !s.Simulated })
}

// layersOf returns the layers of a type.
func layersOf[T Layer](c *Chart) (list []T) {
	for _, l := range c.Layers {
		if x, is := l.(T); is {
			list = append(list, x)
		}
	}
	return list
}

// notes returns the end of the caption.
func (p *Plot) notes(c *Chart) (text string) {
	if p.Mean != nil && len(layersOf[Band](c)) > 0 {
		text = fmt.Sprintf(" The band is the range of the %s; the broad line is the geometric mean.",
			strings.TrimPrefix(p.Mean.Name, "the "))
	}
	if p.mixed() {
		text += " Dots are measured, lines simulated."
	}
	if p.Bars != "" && len(layersOf[Whisker](c)) > 0 {
		text += " Bars are " + p.Bars + "."
	}
	return text + omitted(MaxCurves, len(p.Series), cmp.Or(p.Of, "curves"))
}

// omitted returns the sentence of a caption that gives the number of curves (or of) left out, or "".
func omitted(most, n int, of string) string {
	if n <= most {
		return ""
	}
	return fmt.Sprintf(" Only the first %d of %d %s are drawn.", most, n, of)
}

// described describes the content in words.
func (p *Plot) described(c *Chart) string {
	xs, ys := Values(c.Layers)
	low, high := Span(ys)
	from, to := Span(xs)
	kind, of := "Line chart", words.Count(c.Curves(), "curve")
	if len(p.Boxes) > 0 {
		kind, of = "Box plot", words.Count(len(p.Boxes), "box")
	}
	text := fmt.Sprintf("%s of %s against %s: %s between %s and %s from %s to %s.", kind, p.Y.Name, p.X.Name, of,
		c.Y.format(low), c.Y.format(high), c.X.format(from), c.X.format(to))
	lines := lists.Each(layersOf[Level](c), func(l Level) string { return l.Text })
	lines = append(lines, lists.Each(p.Steps, func(s Step) string { return s.Text })...)
	if len(lines) > 0 {
		text += " Lines: " + strings.Join(lines, "; ") + "."
	}
	return text
}

// explain adds entries to the legend for parts without a name at the curve: bands, marks, boxes.
func (c *Chart) explain(meanings []string) {
	for _, b := range layersOf[Band](c) {
		if b.Ink == nil {
			c.Legend = append(c.Legend, Entry{b.Name, BandIcon(b)})
		}
	}
	for _, m := range layersOf[Marks](c) {
		for i, meaning := range meanings[:min(len(meanings), MarkShapes)] {
			if slices.Contains(m.Shapes, i) {
				style := m.Style
				style.Shape = i
				c.Legend = append(c.Legend, Entry{meaning, MarkIcon(style)})
			}
		}
	}
	if len(layersOf[Quartiles](c)) > 0 {
		c.Legend = append(c.Legend,
			Entry{"largest", MarkIcon(Style{Colour: Ink, Shape: MarkShapes, Width: LineWidth})},
			Entry{"middle half", BoxIcon(BandInk)}, Entry{"median", PlainIcon(MeanStyle)},
			Entry{"5 to 95 %", []Layer{Whisker{From: Point{X: 0, Y: 0.5}, To: Point{X: 1, Y: 0.5}}}})
	}
}
