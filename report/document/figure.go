package document

import (
	"bytes"
	"cmp"
	"image/color"
	"io"
	"strings"

	"codeberg.org/go-pdf/fpdf"
	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// A figure is as wide as the text of a page. Its resolution is high enough for a printer.
const (
	figureWidth = 16 * vg.Centimeter
	figureDPI   = 200
)

// PNG writes a figure with 200 pixels per inch, 16 cm wide. It includes the caption, because slides have no other.
func PNG(w io.Writer, f *Figure) error {
	return writeFigure(w, "png", f, func(b *bytes.Buffer, width, height vg.Length) error {
		style := labelled(titleSize, stdfont.WeightNormal, Ink.Light)
		lines := wrap(clean(f.Caption), float64(width-8), func(s string) float64 { return float64(style.Width(s)) })
		below := vg.Length(len(lines)+1) * sourceHeight
		c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height+below), vgimg.UseDPI(figureDPI))}
		all := draw.New(c)
		f.Draw(draw.Crop(all, 0, 0, below, 0))
		for i, line := range lines {
			all.FillText(style, vg.Point{X: 4, Y: below - sourceHeight*vg.Length(i+1)}, line)
		}
		_, err := c.WriteTo(b)
		return err
	})
}

// SVG writes a figure as a file, 16 cm wide. Fonts are named, not embedded, but texts have the same width with any
// font. The figure is dark on a dark screen.
func SVG(w io.Writer, f *Figure) error {
	return writeFigure(w, "svg", f, func(b *bytes.Buffer, width, height vg.Length) error {
		v := NewVector(width, height)
		f.Draw(draw.New(v))
		b.WriteString(`<?xml version="1.0"?>` + "\n" + v.Element(f.description(), true) + "\n")
		return nil
	})
}

// description returns the content in words.
func (f *Figure) description() string {
	return cmp.Or(f.Alt, f.Caption)
}

// FigurePDF writes a figure as one page of the figure's size, 16 cm wide, with vectors and searchable text.
func FigurePDF(w io.Writer, f *Figure) error {
	return writeFigure(w, "pdf", f, func(b *bytes.Buffer, width, height vg.Length) error {
		doc := newFpdf(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: width.Points(), Ht: height.Points()}})
		doc.SetTitle(clean(f.Caption), true)
		doc.AddPage()
		f.Draw(draw.NewCanvas(newCanvas(doc, 0, 0, width, height), width, height))
		return doc.Output(b)
	})
}

func writeFigure(w io.Writer, format string, f *Figure,
	body func(b *bytes.Buffer, width, height vg.Length) error) error {
	return atOnce(w, format, func(b *bytes.Buffer) error {
		if err := f.validate(); err != nil {
			return err
		}
		return body(b, figureWidth, figureWidth*vg.Length(f.Aspect()))
	})
}

// Lengths in points of a figure that is figureWidth wide.
const (
	titleSize    = 8.5
	titleHeight  = 14
	sourceHeight = 11
)

// titles returns the lines of the title and of the source, which are printed above the drawing, and their height.
func (f *Figure) titles() (title, source []string, height vg.Length) {
	const most = 2
	lines := func(s string, weight stdfont.Weight) []string {
		if s == "" {
			return nil
		}
		style := labelled(titleSize, weight, Ink.Light)
		list := wrap(s, float64(figureWidth-8), func(s string) float64 { return float64(style.Width(s)) })
		return list[:min(len(list), most)]
	}
	from, weight := f.Source, stdfont.WeightNormal
	if from != "" {
		from += " · beff " + rating.Release
	}
	if f.Label != "" {
		from, weight = strings.TrimSuffix(f.Label+" · "+from, " · "), stdfont.WeightBold
	}
	title, source = lines(f.Title, stdfont.WeightBold), lines(from, weight)
	if n := len(title) + len(source); n > 0 {
		height = titleHeight + sourceHeight*vg.Length(n-1)
	}
	return title, source, height
}

// Aspect returns the height divided by the width, with the titles.
func (f *Figure) Aspect() float64 {
	_, _, height := f.titles()
	return f.Drawing.Aspect() + float64(height/figureWidth)
}

// Draw draws the figure on a light background, with its titles above, and its label before the source.
func (f *Figure) Draw(c draw.Canvas) {
	c.SetColor(Paper.Light)
	c.Fill(c.Rectangle.Path())
	size := c.Size()
	u := min(size.X/figureWidth, size.Y/(figureWidth*vg.Length(f.Aspect())))
	if !(u > 0) {
		return
	}
	title, source, height := f.titles()
	f.Drawing.Draw(draw.Crop(c, 0, 0, 0, -height*u))
	for i, line := range append(title[:len(title):len(title)], source...) {
		weight := words.Either(i >= len(title), stdfont.WeightNormal, stdfont.WeightBold)
		style := labelled(titleSize*u, weight, Ink.Light)
		at := vg.Point{X: c.Min.X + 4*u, Y: c.Max.Y - (10.5+sourceHeight*vg.Length(i))*u}
		if i == len(title) && f.Label != "" {
			alarm := labelled(titleSize*u, stdfont.WeightBold, Alarm.Light)
			c.FillText(alarm, at, f.Label)
			line = strings.TrimLeft(strings.TrimPrefix(line, f.Label), " ") // SVG drops such spaces
			at.X += alarm.Width(f.Label + " ")
		}
		c.FillText(style, at, line)
	}
}

// labelled returns a style for the texts of figures.
func labelled(size vg.Length, weight stdfont.Weight, c color.Color) text.Style {
	return text.Style{Color: c, Handler: plot.DefaultTextHandler,
		Font: font.Font{Typeface: "Liberation", Variant: "Sans", Weight: weight, Size: size}}
}
