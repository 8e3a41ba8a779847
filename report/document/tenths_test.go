package document

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
)

// Positions are steps between points of a grid, so rounding errors don't add up.
func TestTenths(t *testing.T) {
	var b tenths
	b.to("M", 10.04, 20)
	b.to("L", 9.5, 20.52)
	b.to("L", 10, 120)
	b.to("L", 11, 119.95)
	b.to("L", 9.96, 0)
	b.to("Z", 0, 0)
	b.to("M", 0, -3)
	require.Equal(t, "M10 20l-.5 .5 .5 99.5 1 0-1-120ZM0-3", b.String())
}

// In pages and in files, ticks of the same style become one path, and so do a marker's face and outline.
func TestJoinedPaths(t *testing.T) {
	for _, page := range []bool{true, false} {
		v := NewVector(100, 100)
		v.notes = page
		line := func(x vg.Length) vg.Path {
			var p vg.Path
			p.Move(vg.Point{X: x, Y: 10})
			p.Line(vg.Point{X: x, Y: 20})
			return p
		}
		v.SetColor(Ink.Light)
		v.SetLineWidth(1)
		v.Stroke(line(1))
		v.Stroke(line(2))
		v.SetLineWidth(2)
		v.Stroke(line(3))
		v.SetColor(Paper.Light)
		v.Fill(line(4))
		v.SetColor(Ink.Light)
		v.Stroke(line(4))
		text := v.Element("", false)
		require.Equal(t, 3, strings.Count(text, "<path"))
		require.Contains(t, text, `d="M1 90l0-10M2 90l0-10"/>`)
		colours := map[bool]string{false: ` fill="#ffffff" stroke="#000000"`}
		require.Contains(t, text, `<path class="s-ink f-paper"`+colours[page]+` stroke-width="2" d="M4 90l0-10"/>`)
	}
}
