package document

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"regexp"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A figure is as wide as the text of a page. Its resolution is high enough for a printer.
const (
	figureWidth = 16 * vg.Centimeter
	figureDPI   = 200
)

// PNG writes a figure with 200 pixels an inch, 16 cm wide.
func PNG(w io.Writer, f *Figure) error {
	return writeFigure(w, "png", f, func(b *bytes.Buffer, width, height vg.Length) error {
		c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(figureDPI))}
		f.draw(draw.New(c))
		_, err := c.WriteTo(b)
		return err
	})
}

// SVG writes a figure as a file, 16 cm wide. Fonts are named, not embedded. Arial, the fallback, has the same widths.
func SVG(w io.Writer, f *Figure) error {
	return writeFigure(w, "svg", f, func(b *bytes.Buffer, width, height vg.Length) error {
		c := vgsvg.New(width, height)
		f.draw(draw.New(c))
		var raw bytes.Buffer
		if _, err := c.WriteTo(&raw); err != nil {
			return err
		}
		_, err := b.Write(svgFont.ReplaceAllFunc(raw.Bytes(),
			func(name []byte) []byte { return []byte(svgFallbacks[string(name)]) }))
		return err
	})
}

// svgFallbacks adds fallbacks to the fonts that vgsvg names, which few machines have: fonts of the same widths, then a
// generic family.
var (
	svgFont      = regexp.MustCompile(`font-family:Liberation (Sans|Serif|Mono)\b`)
	svgFallbacks = map[string]string{
		"font-family:Liberation Sans":  "font-family:'Liberation Sans',Arial,Helvetica,sans-serif",
		"font-family:Liberation Serif": "font-family:'Liberation Serif','Times New Roman',serif",
		"font-family:Liberation Mono":  "font-family:'Liberation Mono','Courier New',monospace",
	}
)

// FigurePDF writes a figure as one page of the figure's size, 16 cm wide, with vectors and searchable text.
func FigurePDF(w io.Writer, f *Figure) error {
	return writeFigure(w, "pdf", f, func(b *bytes.Buffer, width, height vg.Length) error {
		doc := newFpdf(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: width.Points(), Ht: height.Points()}})
		doc.SetTitle(clean(f.Caption), true)
		doc.AddPage()
		f.draw(draw.NewCanvas(newCanvas(doc, 0, 0, width, height), width, height))
		return doc.Output(b)
	})
}

func writeFigure(w io.Writer, format string, f *Figure,
	body func(b *bytes.Buffer, width, height vg.Length) error) error {
	if err := f.validate(); err != nil {
		return fmt.Errorf("%s: %w", format, err)
	}
	var b bytes.Buffer
	if err := body(&b, figureWidth, figureWidth*vg.Length(f.Drawing.Aspect())); err != nil {
		return fmt.Errorf("%s: %w", format, err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("%s: %w", format, err)
	}
	return nil
}

// draw draws the figure on a white ground, because the page around it may be dark.
func (f *Figure) draw(c draw.Canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	f.Drawing.Draw(c)
}
