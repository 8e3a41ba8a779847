package document

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

// EPS writes a figure as Encapsulated PostScript, 16 cm wide, for texts that are set by LaTeX and dvips. Letters are
// outlines, so that no reader needs the font. PostScript has no transparency: pale faces are opaque.
func EPS(w io.Writer, f *Figure) error {
	return writeFigure(w, "eps", f, func(b *bytes.Buffer, width, height vg.Length) error {
		c := &postScript{states: states{width: width, height: height}}
		c.stack = []drawState{{a: 1, d: 1}}
		vg.Initialize(c)
		f.Draw(draw.NewCanvas(c, width, height))
		title := strings.Map(func(r rune) rune {
			return words.Either(r < ' ' || r > '~', ' ', r)
		}, clean(f.Caption))
		fmt.Fprintf(b, "%%!PS-Adobe-3.0 EPSF-3.0\n%%%%BoundingBox: 0 0 %.0f %.0f\n%%%%Title: %.200s\n"+
			"%%%%EndComments\n/m {moveto} bind def /l {lineto} bind def /c {curveto} bind def\n"+
			"1 setlinejoin\n", width.Points()+0.5, height.Points()+0.5, title)
		b.Write(c.body.Bytes())
		b.WriteString("showpage\n%%EOF\n")
		return c.err
	})
}

// postScript is a canvas that writes PostScript.
type postScript struct {
	states
	body   bytes.Buffer
	glyphs sfnt.Buffer
	err    error // of the first letter that couldn't be drawn
}

var _ vg.CanvasSizer = (*postScript)(nil)

// paint sets the colour, as it looks on white.
func (c *postScript) paint() {
	k := color.NRGBAModel.Convert(c.state().color).(color.NRGBA)
	part := func(v uint8) string {
		on := float64(v)*float64(k.A)/255 + float64(255-k.A)
		return number(on / 255)
	}
	fmt.Fprintf(&c.body, "%s %s %s setrgbcolor\n", part(k.R), part(k.G), part(k.B))
}

// path writes a path.
func (c *postScript) path(p vg.Path) {
	c.body.WriteString("newpath\n")
	c.places(p, func(command string, x, y float64) {
		if command == "Z" {
			c.body.WriteString("closepath\n")
			return
		}
		fmt.Fprintf(&c.body, "%s %s %s\n", number(x), number(y), strings.ToLower(command))
	})
}

// Stroke implements vg.Canvas.
func (c *postScript) Stroke(p vg.Path) {
	s, k := c.state(), c.scale()
	if s.line <= 0 || len(p) == 0 {
		return
	}
	dashes := lists.Each(s.dash, func(d vg.Length) string { return number(d.Points() * k) })
	c.paint()
	c.path(p)
	fmt.Fprintf(&c.body, "%s setlinewidth [%s] %s setdash stroke\n", number(s.line.Points()*k),
		strings.Join(dashes, " "), number(s.offset.Points()*k))
}

// Fill implements vg.Canvas.
func (c *postScript) Fill(p vg.Path) {
	if len(p) > 0 {
		c.paint()
		c.path(p)
		c.body.WriteString("fill\n")
	}
}

// outline is the size in points at which letters are drawn before they are scaled, so that hardly a curve is rounded.
const outline = 1024

// FillString implements vg.Canvas.
func (c *postScript) FillString(f font.Face, at vg.Point, text string) {
	if text = clean(text); f.Font.Size == 0 || strings.TrimSpace(text) == "" {
		return
	}
	s, k := c.state(), f.Font.Size.Points()/outline
	x, y := c.xy(at)
	c.paint()
	fmt.Fprintf(&c.body, "gsave [%.6g %.6g %.6g %.6g %s %s] concat newpath\n", s.a*k, s.b*k, s.c*k, s.d*k, number(x),
		number(y))
	pen := fixed.Int26_6(0)
	for _, r := range text {
		glyph, err := f.Face.GlyphIndex(&c.glyphs, r)
		if err == nil {
			err = c.letter(f, glyph, pen)
		}
		advance, failed := f.Face.GlyphAdvance(&c.glyphs, glyph, fixed.I(outline), 0)
		if err == nil {
			err = failed
		}
		if err != nil && c.err == nil {
			c.err = fmt.Errorf("letter %q: %w", r, err)
		}
		pen += advance
	}
	c.body.WriteString("fill grestore\n")
}

// letter adds the outline of a letter to the path. Its y goes down.
func (c *postScript) letter(f font.Face, glyph sfnt.GlyphIndex, pen fixed.Int26_6) error {
	segments, err := f.Face.LoadGlyph(&c.glyphs, glyph, fixed.I(outline), nil)
	if err != nil {
		return err
	}
	var x, y float64
	point := func(p fixed.Point26_6) (float64, float64) { return float64(p.X+pen) / 64, -float64(p.Y) / 64 }
	for i, g := range segments {
		toX, toY := point(g.Args[0])
		switch g.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				c.body.WriteString("closepath\n")
			}
			fmt.Fprintf(&c.body, "%.0f %.0f m\n", toX, toY)
		case sfnt.SegmentOpLineTo:
			fmt.Fprintf(&c.body, "%.0f %.0f l\n", toX, toY)
		case sfnt.SegmentOpQuadTo:
			midX, midY := toX, toY
			toX, toY = point(g.Args[1])
			fmt.Fprintf(&c.body, "%.0f %.0f %.0f %.0f %.0f %.0f c\n", x+(midX-x)*2/3, y+(midY-y)*2/3,
				toX+(midX-toX)*2/3, toY+(midY-toY)*2/3, toX, toY)
		case sfnt.SegmentOpCubeTo:
			nearX, nearY := point(g.Args[1])
			fmt.Fprintf(&c.body, "%.0f %.0f %.0f %.0f ", toX, toY, nearX, nearY)
			toX, toY = point(g.Args[2])
			fmt.Fprintf(&c.body, "%.0f %.0f c\n", toX, toY)
		}
		x, y = toX, toY
	}
	if len(segments) > 0 {
		c.body.WriteString("closepath\n")
	}
	return nil
}
