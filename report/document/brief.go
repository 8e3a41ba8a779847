package document

import (
	"bytes"
	"io"
	"strings"
)

// Brief returns a function that writes the first screen: the verdict, the number with its range, the cause and the
// remedy of doubt, the next command to type, and the line for scripts. A document without such rows gets the headline,
// the sentences of the first page, and the notices. Colours are those of OnScreen.
func Brief(s Screen) func(io.Writer, *Document) error {
	width := s.Width
	if width <= 0 {
		width = unknownWidth
	}
	width = min(width, plainWidth)
	return func(w io.Writer, d *Document) error {
		w, d = s.spelled(w, d)
		return write(w, "brief", d, func(b *bytes.Buffer, d *Document) error {
			p := plain{b, d.captions(), width, width, true, s.Colour}
			if len(d.Screen) > 0 {
				p.first(d)
				return nil
			}
			p.brief(d)
			p.last(d)
			return nil
		})
	}
}

func (p plain) brief(d *Document) {
	for _, n := range d.Notices {
		if n.Bare {
			p.notice(n)
		}
	}
	title := d.Title
	if by := d.by(); !strings.Contains(d.Last, by) {
		title += ", by " + by
	}
	p.painted("", bold, "", title)
	if d.Headline.Value != "" {
		p.painted("", bold, "  ", d.Headline.line())
	}
	if d.Headline.Note != "" {
		p.paragraph("  ", d.Headline.Note)
	}
	for _, s := range d.Lead.Sentences {
		p.paragraph("  * ", s)
	}
	if f := d.Lead.Figure; f != nil {
		for _, line := range f.Lines {
			if line == "" {
				break // the second panel follows
			}
			p.drawing("  " + line)
		}
	}
	for _, n := range d.Notices {
		if !n.Bare {
			p.notice(n)
		}
	}
}

// notice writes a notice with its remedy.
func (p plain) notice(n Notice) {
	body, first := "", n.word()
	if n.Bare {
		body = levelStyles[n.Level]
	} else {
		first += " "
	}
	p.painted(levelStyles[n.Level], body, first, n.Text)
	for _, s := range n.Signs {
		p.paragraph("  * ", s)
	}
	if n.Remedy != "" {
		p.paragraph("  -> ", n.Remedy)
	}
}
