package document

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

const (
	plainWidth = 100 // columns of running text
	// unknownWidth is the assumed width of a screen whose width isn't known.
	unknownWidth = 80
	cellWidth    = 48 // columns of a cell; longer texts are wrapped
)

// PlainText writes the document for text files. Frames are ASCII, texts UTF-8. It leaves out figures that can't be
// drawn in letters, and sections that have only such figures.
func PlainText(w io.Writer, d *Document) error {
	return plainText(w, d, plainWidth, tableWidth, false, false)
}

// Screen describes the screen that shows a text.
type Screen struct {
	Width  int // columns; 0 if not known, as for a file
	Colour bool
	ASCII  bool // it shows only ASCII characters
}

// spelled returns the document and the writer for the screen. If the screen shows only ASCII, texts are converted
// before they are laid out. The writer converts the last line and the figures, because their blanks must stay.
func (s Screen) spelled(w io.Writer, d *Document) (io.Writer, *Document) {
	if s.ASCII {
		return spelling{w}, d.mapped(words.ASCII)
	}
	return w, d
}

type spelling struct{ io.Writer }

func (s spelling) Write(b []byte) (int, error) {
	if _, err := io.WriteString(s.Writer, words.ASCII(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// OnScreen returns a function that writes the document for a screen. Running text is no wider than in files, because
// long lines are hard to read.
func OnScreen(s Screen) func(io.Writer, *Document) error {
	text, table := min(s.Width, plainWidth), s.Width
	if s.Width <= 0 {
		text, table = plainWidth, tableWidth
	}
	return func(w io.Writer, d *Document) error {
		w, d = s.spelled(w, d)
		return plainText(w, d, text, table, s.Width > 0, s.Colour)
	}
}

func plainText(w io.Writer, d *Document, text, table int, screen, colour bool) error {
	return write(w, "text", d, func(b *bytes.Buffer, d *Document) error {
		p := plain{b, d.captions(), text, table, screen, colour}
		p.front(d)
		for i, s := range d.Sections {
			if !slices.ContainsFunc(s.Blocks, inLetters) {
				continue
			}
			p.heading(fmt.Sprintf("%d  %s", i+1, s.Title), "-")
			for _, block := range s.Blocks {
				p.block(block)
			}
		}
		p.last(d)
		return nil
	})
}

// last writes the line for scripts after an empty line. It never breaks the line.
func (p plain) last(d *Document) {
	if d.Last == "" {
		return
	}
	if !bytes.HasSuffix(p.Bytes(), []byte("\n\n")) {
		fmt.Fprintln(p)
	}
	fmt.Fprintln(p, d.Last)
}

// inLetters reports whether plain text can show a block. It can't show a figure without lines.
func inLetters(b Block) bool {
	f, is := b.(*Figure)
	return !is || len(f.Lines) > 0
}

type plain struct {
	*bytes.Buffer
	captions            map[string]string
	textWide, tableWide int  // columns of running text and of a table
	screen              bool // drawings may not be wider than tableWide
	colour              bool
}

// Wrap breaks a text into lines of at most width columns.
func Wrap(s string, width int) []string { return wrap(s, float64(width), columns) }

// columns returns the width of a text on a terminal. East Asian letters take two columns.
func columns(s string) float64 { return float64(uniseg.StringWidth(s)) }

// paragraph writes a text. Its first line begins with first, the others are indented by the width of first.
func (p plain) paragraph(first, s string) { p.painted("", "", first, s) }

// painted writes a paragraph with colours for first and for the text.
func (p plain) painted(lead, body, first, s string) {
	width := uniseg.StringWidth(first)
	for i, line := range wrap(s, max(20, float64(p.textWide-width)), columns) {
		begin := p.paint(lead, first)
		if i > 0 {
			begin = strings.Repeat(" ", width)
		}
		if line == "" {
			begin = strings.TrimRight(begin, " ")
		}
		fmt.Fprintln(p, begin+p.paint(body, strings.TrimRight(line, " ")))
	}
}

func (p plain) heading(s, rule string) {
	if p.Len() > 0 {
		fmt.Fprintln(p)
	}
	lines := wrap(s, float64(p.textWide), columns)
	for _, line := range lines {
		fmt.Fprintln(p, p.paint(bold, line))
	}
	fmt.Fprintf(p, "%s\n\n", strings.Repeat(rule, lists.Max(lines, uniseg.StringWidth)))
}

// front writes the titles, the headline, the notices, the lead and the facts, as on the title page of a PDF.
func (p plain) front(d *Document) {
	p.heading(d.Title, "=")
	if d.Subtitle != "" {
		p.paragraph("", d.Subtitle)
		fmt.Fprintln(p)
	}
	if d.Headline.Value != "" {
		p.painted("", bold, "", d.Headline.line())
		if d.Headline.Note != "" {
			p.paragraph("  ", d.Headline.Note)
		}
		fmt.Fprintln(p)
	}
	for _, n := range d.Notices {
		p.notice(n)
		fmt.Fprintln(p)
	}
	if d.leads() {
		p.lead(d.Lead)
	}
	p.facts(d)
}

// lead writes the sentences, the picture in letters, the meaning of the headline, and the links.
func (p plain) lead(l Lead) {
	for _, s := range l.Sentences {
		p.paragraph("  * ", s)
	}
	if len(l.Sentences) > 0 {
		fmt.Fprintln(p)
	}
	if l.Figure != nil && len(l.Figure.Lines) > 0 {
		p.block(l.Figure)
	}
	if l.Meaning != "" {
		p.paragraph("", l.Meaning)
	}
	for _, x := range l.Links {
		p.link(x)
	}
	if l.Meaning != "" || len(l.Links) > 0 {
		fmt.Fprintln(p)
	}
}

// link writes a link. It never breaks an address, so that terminals recognise it.
func (p plain) link(x Link) {
	if strings.HasPrefix(x.Address, "#") { // the text below
		return
	}
	if text := "  " + x.Text + ": " + x.Address; uniseg.StringWidth(text) <= p.textWide {
		fmt.Fprintln(p, text)
		return
	}
	p.paragraph("  ", x.Text+":")
	fmt.Fprintln(p, "  "+x.Address)
}

// drawing writes a line of a drawing. If the line is too wide for a screen, it is broken at a gap, or otherwise cut
// with a mark.
func (p plain) drawing(line string) {
	line = strings.TrimRight(line, " ")
	if !p.screen {
		fmt.Fprintln(p, line)
		return
	}
	// If the last gap is near the beginning, it follows the name of a matrix's row, whose cells stay on one line.
	if i := strings.LastIndex(line, "  "); uniseg.StringWidth(line) > p.tableWide && i > p.tableWide/3 {
		p.drawing(line[:i])
		line = "      " + line[i+2:]
	}
	if uniseg.StringWidth(line) > p.tableWide {
		line = fitting(line, float64(p.tableWide-1), columns) + "…"
	}
	fmt.Fprintln(p, line)
}

func (p plain) facts(d *Document) {
	facts := d.Facts
	if !d.Date.IsZero() {
		facts = append(facts[:len(facts):len(facts)], Fact{"date", date(d)})
	}
	n := min(30, lists.Max(facts, func(f Fact) int { return uniseg.StringWidth(f.Name) }))
	for _, f := range facts {
		p.painted(faint, "", padded(f.Name, max(n, uniseg.StringWidth(f.Name))+2, false), f.Value)
	}
}

// date formats the document's date for all formats.
func date(d *Document) string { return d.Date.Format("2006-01-02 15:04 MST") }

func (p plain) block(b Block) {
	switch b := b.(type) {
	case Paragraph:
		p.paragraph("", string(b))
	case List:
		for _, item := range b {
			p.paragraph("  * ", item)
		}
	case *Table:
		p.paragraph("", p.captions[b.ID])
		p.table(b)
	case *Figure:
		if len(b.Lines) == 0 {
			return // nothing to show
		}
		p.paragraph("", p.captions[b.ID])
		fmt.Fprintln(p)
		for _, line := range b.Lines {
			p.drawing("  " + line)
		}
	}
	fmt.Fprintln(p)
}

// noRows is the text of a table without rows. It shows that the table is empty on purpose.
const noRows = "(no rows)"
