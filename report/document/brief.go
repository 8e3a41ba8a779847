package document

import (
	"bytes"
	"io"
)

// Brief returns a function that writes what a reader must know on a few lines: the verdict first, the headline, what
// the first page says of it, the warnings, and the line for scripts. Width and colours are as those of OnScreen.
func Brief(width int, colour bool) func(io.Writer, *Document) error {
	if width <= 0 || width > plainWidth {
		width = plainWidth
	}
	return func(w io.Writer, d *Document) error {
		return write(w, "brief", d, func(b *bytes.Buffer, d *Document) error {
			p := plain{b, d.captions(), width, width, true, colour}
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
	if d.Lead.Table == nil {
		p.painted("", bold, "", d.Title)
	} else {
		p.painted("", bold, "", d.Title+": "+d.Subtitle)
		p.narrow(d.Lead.Table)
	}
	if d.Headline.Value != "" {
		p.painted("", bold, "  ", d.Headline.line())
	}
	if d.Headline.Note != "" {
		p.paragraph("  ", d.Headline.Note)
	}
	bullet := "  * "
	if d.Lead.Table != nil {
		bullet = "" // they explain it
	}
	for _, s := range d.Lead.Sentences {
		p.paragraph(bullet, s)
	}
	if f := d.Lead.Figure; f != nil {
		for _, line := range f.Lines {
			if line == "" {
				break // what follows is the second panel
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
		body = levelColours[n.Level]
	} else {
		first += " "
	}
	p.painted(levelColours[n.Level], body, first, n.Text)
	if n.Remedy != "" {
		p.paragraph("  -> ", n.Remedy)
	}
}
