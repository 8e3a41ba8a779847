package document

import (
	"bytes"
	"fmt"
	"io"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/effective-bandwidth/beff/report/words"
)

// paper is a size of pages in mm.
type paper struct{ short, long float64 }

// Paper sizes of printers: A4 of ISO 216, and Letter of North America.
var (
	a4     = paper{210, 297}
	letter = paper{215.9, 279.4}
)

// Margins of a page in mm, and font sizes in points.
const (
	left   = 20.0
	right  = 20.0
	top    = 24.0
	bottom = 20.0

	bodySize    = 10.0
	captionSize = 9.0
	leading     = 1.3 // height of a line / font size
	point       = 25.4 / 72
)

// rgb is a colour of the page.
type rgb [3]int

var (
	black  = rgb{0, 0, 0}
	white  = rgb{255, 255, 255}
	brand  = rgb{0, 70, 120}
	pale   = rgb{205, 224, 238} // on brand
	quiet  = rgb{90, 98, 108}
	stripe = rgb{240, 244, 248}
	edge   = rgb{190, 198, 206}
)

// noticeColors holds the background and the edge colour of notices.
var noticeColors = map[Level][2]rgb{
	Good:    {{230, 244, 234}, {26, 127, 55}},
	Warning: {{255, 245, 214}, {154, 103, 0}},
	Bad:     {{255, 233, 231}, {207, 34, 46}},
	Note:    {stripe, quiet},
}

// PDF writes the document as pages: a title page, then sections, which a viewer lists. Fonts are embedded, figures are
// vectors, and text is searchable.
func PDF(w io.Writer, d *Document) error {
	return write(w, "pdf", d, func(b *bytes.Buffer, d *Document) error {
		captions := d.captions()
		for id, s := range captions {
			captions[id] = printable(s)
		}
		return fullest(d.mapped(printable), captions).Output(b)
	})
}

// look is how the pages of a document are laid out.
type look struct {
	scale   float64 // of figures
	pad     float64 // above and below the texts of table rows, in mm
	upright bool    // no page is turned for a wide table
}

// looks returns the layouts to try, in order, until no page but the first is less than half full.
func looks(d *Document) (list []look) {
	scales := []float64{1, 0.97, 0.94, 0.91, 0.88, 0.85, 0.82, 0.79, 0.76, 0.73, 0.7}
	for _, pad := range []float64{0.9, 0.6, 1.3} {
		for _, upright := range words.Either(d.Upright, []bool{true}, []bool{false, true}) {
			for _, scale := range scales[:words.Either(len(d.Figures()) > 0, len(scales), 1)] {
				list = append(list, look{scale, pad, upright})
			}
		}
	}
	return list
}

// fullest returns the document in the layout that leaves the fewest pages less than half full.
func fullest(d *Document, captions map[string]string) *pdf {
	var best *pdf
	for _, l := range looks(d) {
		if p := laidOut(d, captions, l, false); best == nil || p.sparse < best.sparse {
			best = p
		}
		if best.sparse == 0 {
			break
		}
	}
	return laidOut(d, captions, best.look, true)
}

// laidOut returns the pages of a document, with or without the drawings.
func laidOut(d *Document, captions map[string]string, l look, drawn bool) *pdf {
	p := newPDF(d, captions)
	p.look, p.drawn = l, drawn
	for range d.Sections {
		p.AddLink() // section i has link i+1
	}
	p.titlePage()
	for i := range d.Sections {
		p.section(i)
	}
	p.sparse += words.Either(p.PageNo() > 1 && p.filled() < half, 1, 0)
	return p
}

// half is the fraction of a page's height that should at least be used, including the space below the last block.
const half = 0.52

// filled returns the fraction of the page's height that is used.
func (p *pdf) filled() float64 { return (p.y - top) / (p.height() - top - bottom) }

// pdf is a document being written. y is the position of the next block.
type pdf struct {
	*fpdf.Fpdf
	doc       *Document
	paper     paper
	captions  map[string]string
	tables    map[*Table][]*tablePart // layouts of tables
	landscape bool
	y         float64
	look
	drawn  bool // figures are drawn; otherwise only their room is left
	sparse int  // number of finished pages after the first that are less than half full
}

// allPages is replaced by the number of pages, which is known only at the end.
const allPages = "{pages}"

func newPDF(d *Document, captions map[string]string) *pdf {
	p := &pdf{doc: d, paper: words.Either(d.Letter, letter, a4), captions: captions, tables: map[*Table][]*tablePart{}}
	p.Fpdf = newFpdf(&fpdf.InitType{OrientationStr: "P", UnitStr: "mm", Size: p.paper.size()})
	p.AliasNbPages(allPages)
	p.SetTitle(d.Title, true)
	p.SetSubject(d.Subtitle, true)
	p.SetCreator("beff", true)
	if !d.Date.IsZero() {
		setDate(p.Fpdf, d.Date)
	}
	return p
}

func (on paper) size() fpdf.SizeType { return fpdf.SizeType{Wd: on.short, Ht: on.long} }

// height returns the height of the page, width the width of its text, and room the remaining height, in mm.
func (p *pdf) height() float64 { _, h := p.GetPageSize(); return h }
func (p *pdf) width() float64  { w, _ := p.GetPageSize(); return w - left - right }
func (p *pdf) room() float64   { return p.height() - bottom - p.y }

// newPage begins a page with its header and footer.
func (p *pdf) newPage(landscape bool) {
	if p.PageNo() > 1 && p.filled() < half {
		p.sparse++
	}
	p.landscape = landscape
	p.AddPageFormat(map[bool]string{false: "P", true: "L"}[landscape], p.paper.size())
	p.y = top
	p.SetLineWidth(0.2)
	p.SetDrawColor(edge[0], edge[1], edge[2])
	if p.PageNo() > 1 {
		title := style{8, "", quiet}
		p.at(left, 14, title, p.shortened(title, p.doc.Title, p.width()))
		p.Line(left, 16, left+p.width(), 16)
	}
	foot := style{8, "", quiet}
	p.at(left, p.height()-11, foot, fmt.Sprintf("page %d of %s", p.PageNo(), allPages))
	if !p.doc.Date.IsZero() {
		p.atRight(left+p.width(), p.height()-11, foot, date(p.doc))
	}
}

// need begins a new page with the same orientation if less than mm millimetres are left.
func (p *pdf) need(mm float64) {
	if p.room() < mm {
		p.newPage(p.landscape)
	}
}

// style is the look of a text.
type style struct {
	size  float64
	font  string // "", "B", "I" or "BI"
	color rgb
}

// line returns the height of a line in mm.
func (s style) line() float64 { return s.size * point * leading }

func (p *pdf) use(s style) {
	setFont(p.Fpdf, s.font, s.size)
	p.SetTextColor(s.color[0], s.color[1], s.color[2])
}

// at writes a line of text. x and y are the left end of its baseline.
func (p *pdf) at(x, y float64, s style, text string) {
	if text == "" {
		return
	}
	p.use(s)
	p.Text(x, y, visual(text))
}

func (p *pdf) atRight(x, y float64, s style, text string) { p.at(x-p.measure(s)(text), y, s, text) }

// measure returns a function that returns the width of a text in style s, in mm.
func (p *pdf) measure(s style) func(string) float64 {
	setFont(p.Fpdf, s.font, s.size)
	return p.GetStringWidth
}

// shortened cuts a text that is wider than width. It is only for texts that appear in full elsewhere.
func (p *pdf) shortened(s style, text string, width float64) string {
	measure := p.measure(s)
	if measure(text) <= width {
		return text
	}
	return fitting(text, width-measure("…"), measure) + "…"
}

func (p *pdf) wrapped(s style, text string, width float64) []string {
	return wrap(text, width, p.measure(s))
}

// text writes a text at x, at most width wide, on as many pages as it needs.
func (p *pdf) text(x, width float64, s style, text string) {
	for _, line := range p.wrapped(s, text, width) {
		p.need(s.line())
		p.at(x, p.y+s.line()*0.78, s, line)
		p.y += s.line()
	}
}

func (p *pdf) box(x, y, w, h float64, c rgb) {
	p.SetFillColor(c[0], c[1], c[2])
	p.Rect(x, y, w, h, "F")
}

func (p *pdf) heading(i int) string { return fmt.Sprintf("%d  %s", i+1, p.doc.Sections[i].Title) }

func (p *pdf) section(i int) {
	s := p.doc.Sections[i]
	if wide := p.beginsWide(s); wide != p.landscape {
		p.newPage(wide)
	} else if p.y > top {
		p.y += 6
	}
	p.need(headingSpace + p.beginning(s)) // no heading at the end of a page without its text
	p.use(style{15, "B", brand})          // fpdf encodes the bookmark for the current font
	p.Bookmark(p.heading(i), 0, max(0, p.y-4))
	p.SetLink(i+1, max(0, p.y-4), -1)
	p.text(left, p.width(), style{15, "B", brand}, p.heading(i))
	p.SetDrawColor(brand[0], brand[1], brand[2])
	p.SetLineWidth(0.4)
	p.Line(left, p.y+0.5, left+p.width(), p.y+0.5)
	p.y += 4
	for _, b := range s.Blocks {
		p.block(b)
	}
}

// Heights in mm: headingSpace is what a figure leaves for a heading on its page, and gap is the space below a block.
const (
	headingSpace = 20.0
	gap          = 3.5
)

// beginsWide reports whether a section begins with a table on a landscape page, which then includes the heading.
func (p *pdf) beginsWide(s Section) bool {
	if len(s.Blocks) == 0 {
		return false
	}
	t, ok := s.Blocks[0].(*Table)
	return ok && p.tableParts(t)[0].onLandscape
}

// beginning returns the height in mm that a section needs below its heading: for its first table or figure and a short
// text before it, or for the first lines of a text.
func (p *pdf) beginning(s Section) float64 {
	const ofText = 30.0
	text := 0.0
	for _, b := range s.Blocks {
		switch b := b.(type) {
		case Paragraph:
			body := style{bodySize, "", black}
			text += float64(len(p.wrapped(body, string(b), p.width())))*body.line() + gap
		case *Figure:
			return p.fitting(text + p.minOf(b))
		case *Table:
			return p.fitting(text + p.tableParts(b)[0].minHeight())
		}
		if _, short := b.(Paragraph); !short || text > ofText {
			return ofText
		}
	}
	return min(text, ofText)
}

// fitting limits the height of a beginning to a page with its heading.
func (p *pdf) fitting(mm float64) float64 { return min(mm, p.height()-top-bottom-headingSpace) }

func (p *pdf) block(b Block) {
	body := style{bodySize, "", black}
	switch b := b.(type) {
	case Paragraph:
		p.need(2 * body.line())
		p.text(left, p.width(), body, string(b))
	case List:
		for _, item := range b {
			p.need(float64(min(4, len(p.wrapped(body, item, p.width()-5)))) * body.line()) // short items aren't split
			p.at(left+1.5, p.y+body.line()*0.78, body, "•")
			p.text(left+5, p.width()-5, body, item)
			p.y += 0.6
		}
	case *Table:
		p.table(b)
	case *Figure:
		if p.landscape { // a figure would be small there
			p.newPage(false)
		}
		p.figure(b)
	}
	p.y += gap
}

// figureSize is the size of a drawing on the page, and the height of the drawing with its caption, in mm.
type figureSize struct{ width, height, all float64 }

// figureSize returns the size of a figure. It shrinks drawings that are too high for a page.
func (p *pdf) figureSize(f *Figure) figureSize {
	lines := p.wrapped(figureCaption, p.captions[f.ID], p.paper.short-left-right)
	below := 2.5 + float64(min(len(lines), 12))*figureCaption.line()
	aspect := f.Aspect()
	w := min(p.scale*float64(figureWidth/vg.Millimeter), (p.paper.long-top-bottom-below-headingSpace)/aspect)
	return figureSize{w, w * aspect, w*aspect + below}
}

var figureCaption = style{captionSize, "", black} // not bold: captions of figures are long

// minShrunk is the fraction of its size to which a figure may shrink on the first page, and on a page that would be
// less than half full without it.
const minShrunk = 0.6

func (p *pdf) shrinks() bool { return p.PageNo() == 1 || p.filled() < half+0.05 }

// minOf returns the least height in mm that a figure needs on the page.
func (p *pdf) minOf(f *Figure) float64 {
	size := p.figureSize(f)
	return words.Either(p.shrinks(), size.all-(1-minShrunk)*size.height, size.all)
}

// figure writes a drawing with its caption below. If it has to shrink, it is as large as the page allows.
func (p *pdf) figure(f *Figure) {
	size := p.figureSize(f)
	if over := size.all - p.room(); p.shrinks() && over > 0 && p.minOf(f) <= p.room() {
		size.height, size.all = size.height-over, size.all-over
		size.width = size.height / f.Aspect()
	}
	p.need(size.all)
	w, h := vg.Length(size.width)*vg.Millimeter, vg.Length(size.height)*vg.Millimeter
	if p.drawn {
		f.Draw(draw.NewCanvas(newCanvas(p.Fpdf, left+(p.width()-size.width)/2, p.y, w, h), w, h))
	}
	// Everything else is set before use. The operators q and Q would not reset the colours that fpdf remembers.
	p.SetAlpha(1, "Normal")
	p.y += size.height + 2
	p.text(left, p.width(), figureCaption, p.captions[f.ID])
	p.y += 2
}
