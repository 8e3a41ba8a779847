package document

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"strconv"
	"strings"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"github.com/effective-bandwidth/beff/internal/lists"
)

// Annotator is a canvas that keeps the names of a drawing's parts and the values of its points. Pages can then hide
// parts, and show the value of a point.
type Annotator interface {
	Begin(name string) // begins a part, such as a curve with its label
	End()
	Note(at vg.Point, text string) // adds the value at a point of the part
}

// Vector is a canvas that writes SVG. gonum's own vgsvg is not used: its colours are fixed, and its texts overlap if
// the reader's font isn't the font of the layout. Here each text keeps the width that the layout gave it, and colours
// of the palette have classes, for which a page or the file's own style defines other colours on a dark screen.
type Vector struct {
	states
	body  bytes.Buffer
	notes bool // part of a page: keep names of parts and values, and use the page's style

	last drawnPath // the path at the end of body
	part []string  // notes of the current part, in a page
	at   tenths    // positions of these notes, in a page
}

// drawnPath is a path that was written. Later paths may become part of it, because drawings have thousands of paths.
type drawnPath struct {
	start, end int // position in the body
	kind       string
	style, d   string
}

var (
	_ vg.CanvasSizer = (*Vector)(nil)
	_ Annotator      = (*Vector)(nil)
)

// NewVector returns an empty canvas.
func NewVector(width, height vg.Length) *Vector {
	v := &Vector{states: states{width: width, height: height}}
	v.stack = []drawState{{a: 1, d: -1, f: height.Points()}}
	vg.Initialize(v)
	return v
}

// number formats a coordinate in points, with at most two decimals.
func number(x float64) string {
	if x = math.Round(x*100) / 100; x == 0 {
		return "0" // never -0
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// Element returns the SVG element of the drawing, with its own style for a file, or without one for a page.
func (v *Vector) Element(alt string, style bool) string {
	w, h := number(v.width.Points()), number(v.height.Points())
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%spt" height="%spt" viewBox="0 0 %s %s" `+
		`role="img" aria-label="%s" font-family="'Liberation Sans',Arial,Helvetica, sans-serif" fill="none">`,
		w, h, w, h, html.EscapeString(alt))
	if style {
		b.WriteString("<style>" + CSS() + "</style>")
	}
	b.WriteByte('\n')
	b.Write(v.body.Bytes())
	b.WriteString("</svg>")
	return b.String()
}

// paint returns the attributes of a colour to fill (kind f) or to stroke (s). Viewers without styles ignore the class.
func (v *Vector) paint(kind string) string {
	c := v.state().color
	attribute := map[string]string{"f": "fill", "s": "stroke"}[kind]
	text := fmt.Sprintf(`%s="%s"`, attribute, Hex(c))
	if name := NameOf(opaque(c)); name != "" {
		class := fmt.Sprintf(`class="%s-%s"`, kind, name)
		if v.notes {
			text = class // the page has the style
		} else {
			text = class + " " + text
		}
	}
	if a := color.NRGBAModel.Convert(c).(color.NRGBA).A; a < 255 {
		text += fmt.Sprintf(` %s-opacity="%s"`, attribute, number(float64(a)/255))
	}
	return text
}

// opaque returns a colour without its transparency.
func opaque(c color.Color) color.Color {
	k := color.NRGBAModel.Convert(c).(color.NRGBA)
	k.A = 255
	return k
}

// Stroke implements vg.Canvas.
func (v *Vector) Stroke(p vg.Path) {
	s, k := v.state(), v.scale()
	if s.line <= 0 || len(p) == 0 {
		return
	}
	var style strings.Builder
	fmt.Fprintf(&style, `%s stroke-width="%s"`, v.paint("s"), number(s.line.Points()*k))
	if len(s.dash) > 0 {
		list := lists.Each(s.dash, func(d vg.Length) string { return number(d.Points() * k) })
		fmt.Fprintf(&style, ` stroke-dasharray="%s"`, strings.Join(list, " "))
		if s.offset != 0 {
			fmt.Fprintf(&style, ` stroke-dashoffset="%s"`, number(s.offset.Points()*k))
		}
	}
	v.add("s", style.String(), v.path(p))
}

// Fill implements vg.Canvas.
func (v *Vector) Fill(p vg.Path) {
	if len(p) > 0 {
		v.add("f", v.paint("f"), v.path(p))
	}
}

// add writes a path. It combines consecutive lines of the same style, and a filled area with its outline.
func (v *Vector) add(kind, style, d string) {
	last, follows := v.last, v.last.end == v.body.Len() && v.body.Len() > 0
	switch opaque := !strings.Contains(style, "opacity"); {
	case follows && kind == "s" && last.kind == "s" && last.style == style && opaque:
		v.body.Truncate(last.end - len(pathEnd))
		v.body.WriteString(d + pathEnd)
		v.last.end = v.body.Len()
		return
	case follows && kind == "s" && last.kind == "f" && strings.HasPrefix(d, strings.TrimSuffix(last.d, "Z")):
		v.body.Truncate(last.start)
		kind, style, d = "both", joined(last.style, style), last.d
	}
	v.last = drawnPath{start: v.body.Len(), kind: kind, style: style, d: d}
	fmt.Fprintf(&v.body, `<path %s d="%s%s`, style, d, pathEnd)
	v.last.end = v.body.Len()
}

// pathEnd is the end of the element of a path.
const pathEnd = "\"/>\n"

// joined returns the attributes of a filled area and of its outline. If both have a class, it joins these.
func joined(area, outline string) string {
	class, rest, has := strings.Cut(strings.TrimPrefix(outline, `class="`), `"`)
	if !has || !strings.HasPrefix(area, `class="`) || !strings.HasPrefix(outline, `class="`) {
		return area + " " + outline
	}
	return `class="` + class + " " + strings.TrimPrefix(area, `class="`) + rest
}

// tenths writes the commands of a path on a grid of tenths of a point. Since drawings have many commands, each position
// after a line's first is relative to the previous one, and redundant characters are left out (SVG 2, 9.3.9).
type tenths struct {
	strings.Builder
	command string
	x, y    int // current position
}

// to writes a command with its position.
func (t *tenths) to(command string, x, y float64) {
	if command == "Z" {
		t.WriteByte('Z')
		t.command = ""
		return
	}
	fromX, fromY := t.x, t.y
	if command == "M" {
		fromX, fromY, t.command = 0, 0, ""
	} else {
		command = strings.ToLower(command)
	}
	first := command != t.command
	if first {
		t.WriteString(command)
	}
	t.command, t.x, t.y = command, int(math.Round(10*x)), int(math.Round(10*y))
	t.number(t.x-fromX, first)
	t.number(t.y-fromY, false)
}

// number writes a number of tenths, after a blank if it needs one.
func (t *tenths) number(n int, first bool) {
	text := number(float64(n) / 10)
	if n > -10 && n < 10 && n != 0 {
		text = strings.Replace(text, "0.", ".", 1)
	}
	if !first && n >= 0 {
		t.WriteByte(' ')
	}
	t.WriteString(text)
}

// path returns the commands of a path.
func (v *Vector) path(p vg.Path) string {
	var b tenths
	v.walk(p, b.to)
	return b.String()
}

// FillString implements vg.Canvas. The text keeps the width that it has in the layout's font.
func (v *Vector) FillString(f font.Face, at vg.Point, text string) {
	if text = clean(text); f.Font.Size == 0 || strings.TrimSpace(text) == "" {
		return
	}
	s, k := v.state(), v.scale()
	x, y := v.xy(at)
	fmt.Fprintf(&v.body, `<text %s x="%s" y="%s" font-size="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"`,
		v.paint("f"), number(x), number(y), number(f.Font.Size.Points()*k), number(f.Width(text).Points()*k))
	if turn := math.Atan2(s.b, s.a) * 180 / math.Pi; math.Abs(turn) > 1e-9 {
		fmt.Fprintf(&v.body, ` transform="rotate(%s %s %s)"`, number(turn), number(x), number(y))
	}
	if f.Font.Weight >= stdfont.WeightSemiBold {
		v.body.WriteString(` font-weight="bold"`)
	}
	if f.Font.Style != stdfont.StyleNormal {
		v.body.WriteString(` font-style="italic"`)
	}
	fmt.Fprintf(&v.body, ">%s</text>\n", html.EscapeString(text))
}

// Begin implements Annotator.
func (v *Vector) Begin(name string) {
	if v.notes {
		v.part, v.at = nil, tenths{}
		fmt.Fprintf(&v.body, `<g data-part="%s">`+"\n", html.EscapeString(clean(name)))
	}
}

// End implements Annotator.
func (v *Vector) End() {
	if !v.notes {
		return
	}
	if len(v.part) > 0 {
		fmt.Fprintf(&v.body, `<desc data-at="%s">%s</desc>`, v.at.String(),
			html.EscapeString(strings.Join(v.part, "|")))
	}
	v.part = nil
	v.body.WriteString("</g>\n")
}

// Note implements Annotator. The description of a part contains the texts of its points, separated by |, and the steps
// from point to point. The page's script makes circles of them.
func (v *Vector) Note(at vg.Point, text string) {
	if !v.notes {
		return
	}
	x, y := v.xy(at)
	v.part = append(v.part, strings.ReplaceAll(clean(text), "|", "/"))
	v.at.to("m", x, y)
}
