package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/document"
)

// Lengths in points, for a figure with the width PageWidth. Other widths scale them.
const (
	PageWidth   = 16 * vg.Centimeter
	FrameHeight = 230 // axes and data of a chart with curves

	labelSize = 9 // axis labels
	smallSize = 8 // ticks, legend, values

	LineWidth = 1.1
	meanWidth = 2.2
	thinWidth = 0.6
	gridWidth = 0.4
	markSize  = 2.6
)

var (
	Ink       = document.Ink.Light
	paper     = document.Paper.Light
	gridInk   = document.Grid.Light
	BandInk   = document.Band.Light
	darkInk   = document.Quiet.Light
	typeface  = font.Font{Typeface: "Liberation", Variant: "Sans"}
	textStyle = text.Style{Color: Ink, Handler: plot.DefaultTextHandler}
)

// TextOf returns a text style with a size in points of the canvas. It names the font, because plot.DefaultFont is a
// global variable that any code may change.
func TextOf(size vg.Length) text.Style {
	s := textStyle
	s.Font = font.From(typeface, size)
	return s
}

// faint returns a transparent colour.
func faint(c color.Color) color.Color {
	k := color.NRGBAModel.Convert(c).(color.NRGBA)
	k.A = 50
	return k
}

// dashes holds the dash patterns of curves, in points. The numbers of colours, dashes and shapes differ, so that curves
// that share one differ in the others. Only the first is a full line: it is drawn first and shows between the dashes of
// curves on top of it.
var dashes = [...][]vg.Length{
	nil,
	{6, 2},
	{2, 1.5},
	{8, 2, 1.5, 2},
	{4, 1.5, 1.5, 1.5, 1.5, 1.5},
	{12, 2.5},
	{1, 2.5},
}

// shape is the outline of a mark of radius about 1.
type shape struct {
	corners []vg.Point
	open    bool // lines only, nothing to fill
}

// shapes holds the marks. The first MarkShapes are those of Point.Mark. Curves begin with the next one.
var shapes = [...]shape{
	{corners: polygon(20, 0, 1)},
	{corners: polygon(4, math.Pi/4, 1.2)},
	{corners: polygon(3, math.Pi/2, 1.3)},
	{corners: polygon(4, 0, 1.3)},
	{corners: polygon(3, -math.Pi/2, 1.3)},
	{corners: []vg.Point{{X: -1.2}, {X: 1.2}, {}, {Y: 1.2}, {Y: -1.2}}, open: true},
	{corners: []vg.Point{{X: -1, Y: -1}, {X: 1, Y: 1}, {}, {X: -1, Y: 1}, {X: 1, Y: -1}}, open: true},
	{corners: []vg.Point{{X: -1, Y: 1}, {X: 1, Y: 1}, {X: -1, Y: -1}, {X: 1, Y: -1}}},
	{corners: polygon(6, 0, 1.2)},
}

// MarkShapes is the number of mark shapes with a meaning.
const MarkShapes = 3

// polygon returns n corners at a distance from the centre, the first one at an angle in radians.
func polygon(n int, angle float64, distance vg.Length) []vg.Point {
	corners := make([]vg.Point, n)
	for i := range corners {
		sin, cos := math.Sincos(angle + 2*math.Pi*float64(i)/float64(n))
		corners[i] = vg.Point{X: distance * vg.Length(cos), Y: distance * vg.Length(sin)}
	}
	return corners
}

// Style is the style of a curve, with lengths in points.
type Style struct {
	Colour color.Color
	Width  vg.Length
	dash   []vg.Length
	Shape  int  // index of the mark's shape
	solid  bool // the mark is filled with the colour, otherwise with paper
}

// StyleOf returns the style of curve number i. Any two of the first twelve differ in at least two of colour, dashes and
// shape.
func StyleOf(i int) Style {
	return Style{Colour: document.Curves[i%len(document.Curves)].Light, Width: LineWidth, dash: dashes[i%len(dashes)],
		Shape: (MarkShapes + i) % len(shapes)}
}

// MeanStyle is the style of an average.
var MeanStyle = Style{Colour: Ink, Width: meanWidth, solid: true}

// pen draws on a canvas. at returns the position of a pair of values. u is the unit of length: 1 pt in a figure that is
// PageWidth wide, more in a wider one.
type pen struct {
	c  *draw.Canvas
	u  vg.Length
	at func(x, y float64) vg.Point
}

// stroke returns a line style. width and dash are in points.
func (p pen) stroke(c color.Color, width vg.Length, dash []vg.Length) draw.LineStyle {
	style := draw.LineStyle{Color: c, Width: width * p.u}
	for _, d := range dash {
		style.Dashes = append(style.Dashes, d*p.u)
	}
	return style
}

// mark draws the shape of a style.
func (p pen) mark(style Style, at vg.Point) {
	s := shapes[style.Shape]
	corners := lists.Each(s.corners, func(corner vg.Point) vg.Point { return at.Add(corner.Scale(markSize * p.u)) })
	if !s.open {
		fill := color.Color(paper)
		if style.solid {
			fill = style.Colour
		}
		p.c.FillPolygon(fill, corners)
		corners = append(corners, corners[0], corners[1]) // repeats the first edge, so that the first corner is mitred
	}
	p.c.StrokeLines(p.stroke(style.Colour, 0.9, nil), corners)
}
