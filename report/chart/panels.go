package chart

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/effective-bandwidth/beff/internal/lists"
)

// Panels is a drawing of several charts below each other, with equal x axes.
type Panels []*Chart

// height returns the height of a chart in points.
func (c *Chart) height() vg.Length { return c.Frame + c.Legend.height() }

// Aspect implements document.Drawing.
func (p Panels) Aspect() float64 {
	return float64(lists.SumOf(p, (*Chart).height) / PageWidth)
}

// Draw implements document.Drawing. It aligns the left ends of the data, with room for the widest ticks.
func (p Panels) Draw(canvas draw.Canvas) {
	u := pointLength(canvas, p.Aspect())
	if !(u > 0) {
		return
	}
	margin, room := vg.Length(0), vg.Length(0)
	for _, c := range p {
		margin, room = max(margin, c.margin()), max(room, c.tickWidth())
	}
	top := canvas.Max.Y
	for _, c := range p {
		height := c.height() / (PageWidth * vg.Length(p.Aspect())) * canvas.Size().Y
		part := canvas
		part.Max.Y, part.Min.Y = top, top-height
		c.drawWith(part, u, margin, room-c.tickWidth())
		top -= height
	}
}

// Lines returns the curves of all panels in letters.
func (p Panels) Lines() []string {
	var list []string
	for i, c := range p {
		if lines := c.Lines(); len(lines) > 0 {
			if i > 0 {
				list = append(list, "")
			}
			list = append(list, lines...)
		}
	}
	return list
}

// blocks are the heights of a sparkline.
var blocks = []rune("▁▂▃▄▅▆▇█")

// Lines returns the curves with names as sparklines: a block for each point, all on the scale of the y axis.
func (c *Chart) Lines() []string {
	const longest = 24
	width := lists.Max(c.curves(), func(curve Curve) int { return min(longest, len([]rune(curve.Name))) })
	var list []string
	for _, curve := range c.curves() {
		var line strings.Builder
		first, last := -1, curve.end()
		for i, p := range curve.Points {
			if !p.Usable() {
				line.WriteRune(' ')
				continue
			}
			if first < 0 {
				first = i
			}
			part := (c.Y.At(p.Y) - c.Y.Min) / (c.Y.Max - c.Y.Min)
			line.WriteRune(blocks[max(0, min(len(blocks)-1, int(part*float64(len(blocks)))))])
		}
		name := []rune(curve.Name)
		if len(name) > longest {
			name = append(name[:longest-1], '…')
		}
		list = append(list, fmt.Sprintf("%-*s  %s  %s", width, string(name), line.String(),
			c.ends(curve.Points[first:last+1])))
	}
	return list
}

// ends returns the first and the last point of a curve in words, with the highest one between them unless it is one of
// them.
func (c *Chart) ends(points []Point) string {
	peak := 0
	for i, p := range points {
		if p.Usable() && p.Y > points[peak].Y {
			peak = i
		}
	}
	first, last := points[0], points[len(points)-1]
	text := c.X.format(first.X) + ": " + c.Y.format(first.Y) + ", "
	if 0 < peak && peak < len(points)-1 {
		text += "peak " + c.Y.format(points[peak].Y) + " at " + c.X.format(points[peak].X) + ", "
	}
	return text + c.X.format(last.X) + ": " + c.Y.format(last.Y)
}
