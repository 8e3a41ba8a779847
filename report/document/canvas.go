package document

import (
	"image"
	"image/color"
	"math"
	"time"

	"codeberg.org/go-pdf/fpdf"
	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// newFpdf returns an empty PDF file without margins. Its bytes are the same on each run.
func newFpdf(init *fpdf.InitType) *fpdf.Fpdf {
	doc := fpdf.NewCustom(init)
	doc.SetMargins(0, 0, 0)
	doc.SetCellMargin(0)
	doc.SetAutoPageBreak(false, 0)
	doc.SetCatalogSort(true)
	doc.SetProducer("beff "+rating.Release, true)
	doc.SetLang("en")
	setDate(doc, time.Unix(0, 0).UTC()) // fpdf replaces a zero time by the current time
	return doc
}

func setDate(doc *fpdf.Fpdf, t time.Time) {
	doc.SetCreationDate(t)
	doc.SetModificationDate(t)
}

// setFont selects a style of the font with its size in points. It embeds the style on first use.
func setFont(doc *fpdf.Fpdf, style string, points float64) {
	doc.AddUTF8FontFromBytes("Liberation", style, fonts[style]) // no-op if it is embedded
	doc.SetFont("Liberation", style, points)
}

// canvas draws gonum's figures as vectors and text into a rectangle of the current page. gonum's own vgpdf is not used:
// it loses bold, italic and all letters beyond ASCII, and it mirrors images.
type canvas struct {
	doc *fpdf.Fpdf
	states
}

var _ vg.CanvasSizer = (*canvas)(nil)

// states is the part of a canvas that doesn't depend on the format: its size, colour, line and transformation.
type states struct {
	width  vg.Length
	height vg.Length
	stack  []drawState
}

// drawState is the state that Push saves.
type drawState struct {
	a, b, c, d, e, f float64 // from the figure's points, y up, to the page's units, y down
	line             vg.Length
	dash             []vg.Length
	offset           vg.Length
	color            color.Color
}

// newCanvas returns a canvas of width and height with its upper left corner at x and y, in units of the document.
func newCanvas(doc *fpdf.Fpdf, x, y float64, width, height vg.Length) *canvas {
	k := doc.PointConvert(1)
	c := &canvas{doc, states{width: width, height: height}}
	c.stack = []drawState{{a: k, d: -k, e: x, f: y + height.Points()*k}}
	vg.Initialize(c)
	return c
}

func (c *states) Size() (width, height vg.Length) { return c.width, c.height }

func (c *states) state() *drawState { return &c.stack[len(c.stack)-1] }

func (c *states) SetLineWidth(w vg.Length) { c.state().line = w }

func (c *states) SetLineDash(dash []vg.Length, offset vg.Length) {
	c.state().dash, c.state().offset = dash, offset
}

func (c *states) SetColor(k color.Color) {
	if k == nil {
		k = color.Black
	}
	c.state().color = k
}

func (c *states) Push() { c.stack = append(c.stack, *c.state()) }
func (c *states) Pop()  { c.stack = c.stack[:len(c.stack)-1] }

func (c *states) Rotate(radians float64) {
	sin, cos := math.Sincos(radians)
	c.transform(cos, sin, -sin, cos, 0, 0)
}

func (c *states) Translate(p vg.Point) { c.transform(1, 0, 0, 1, p.X.Points(), p.Y.Points()) }
func (c *states) Scale(x, y float64)   { c.transform(x, 0, 0, y, 0, 0) }

func (c *states) transform(a, b, cc, d, e, f float64) {
	s := c.state()
	s.a, s.b, s.c, s.d, s.e, s.f = s.a*a+s.c*b, s.b*a+s.d*b, s.a*cc+s.c*d, s.b*cc+s.d*d, s.a*e+s.c*f+s.e,
		s.b*e+s.d*f+s.f
}

// walk passes each command of a path with its position on the page: M moves there, L draws a line, and Z closes the
// path.
func (c *states) walk(p vg.Path, each func(command string, x, y float64)) {
	for _, k := range p {
		command, straight := map[int]string{vg.MoveComp: "M", vg.LineComp: "L", vg.CloseComp: "Z"}[k.Type]
		if !straight {
			panic("document: a drawing can have only straight lines")
		}
		x, y := c.xy(k.Pos)
		each(command, x, y)
	}
}

// DrawImage draws nothing, because a Drawing has only lines, faces and texts.
func (c *states) DrawImage(vg.Rectangle, image.Image) {}

// xy returns the position of a point on the page.
func (c *states) xy(p vg.Point) (x, y float64) {
	s, px, py := c.state(), p.X.Points(), p.Y.Points()
	return s.a*px + s.c*py + s.e, s.b*px + s.d*py + s.f
}

// scale returns the length of a point of the figure on the page.
func (c *states) scale() float64 {
	s := c.state()
	return math.Sqrt(math.Abs(s.a*s.d - s.b*s.c))
}

// setColors sets all colours of the PDF to the colour of the canvas.
func (c *canvas) setColors() {
	k := color.NRGBAModel.Convert(c.state().color).(color.NRGBA)
	r, g, b := int(k.R), int(k.G), int(k.B)
	c.doc.SetDrawColor(r, g, b)
	c.doc.SetFillColor(r, g, b)
	c.doc.SetTextColor(r, g, b)
	// The opacity is set only if it changes, because each call adds a line to the file.
	if now, _ := c.doc.GetAlpha(); now != float64(k.A)/255 {
		c.doc.SetAlpha(float64(k.A)/255, "Normal")
	}
}

func (c *canvas) Stroke(p vg.Path) {
	s, k := c.state(), c.scale()
	if s.line <= 0 {
		return
	}
	dash := lists.Each(s.dash, func(d vg.Length) float64 { return d.Points() * k })
	c.setColors()
	c.doc.SetLineWidth(s.line.Points() * k)
	c.doc.SetDashPattern(dash, s.offset.Points()*k)
	c.path(p, "D")
	c.doc.SetDashPattern([]float64{}, 0)
}

func (c *canvas) Fill(p vg.Path) {
	c.setColors()
	c.path(p, "F")
}

func (c *canvas) path(p vg.Path, style string) {
	c.walk(p, func(command string, x, y float64) {
		switch command {
		case "M":
			c.doc.MoveTo(x, y)
		case "L":
			c.doc.LineTo(x, y)
		default:
			c.doc.ClosePath()
		}
	})
	if len(p) > 0 {
		c.doc.DrawPath(style)
	}
}

func (c *canvas) FillString(f font.Face, at vg.Point, s string) {
	if f.Font.Size == 0 || s == "" {
		return
	}
	style := words.Either(f.Font.Weight >= stdfont.WeightSemiBold, "B", "")
	if f.Font.Style != stdfont.StyleNormal {
		style += "I"
	}
	c.setColors()
	setFont(c.doc, style, f.Font.Size.Points()*c.scale()/c.doc.PointConvert(1))
	x, y := c.xy(at)
	m := c.state()
	c.doc.TransformBegin()
	c.doc.TransformRotate(-math.Atan2(m.b, m.a)*180/math.Pi, x, y)
	c.doc.Text(x, y, visual(printable(clean(s))))
	c.doc.TransformEnd()
}
