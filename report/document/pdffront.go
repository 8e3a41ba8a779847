package document

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

// titlePage writes a band with the titles, the headline, the notices and the facts. In a short document without a lead
// the first section follows on the same page.
func (p *pdf) titlePage() {
	p.newPage(p.follows() && p.beginsWide(p.doc.Sections[0]))
	title, subtitle := style{26, "B", white}, style{13, "", pale}
	above, below, gap := 28.0, 14.0, 24.0
	if p.small() {
		title.size, above, below, gap = 20, 12, 6, 9
	}
	titles := p.wrapped(title, p.doc.Title, p.width())
	subtitles := p.wrapped(subtitle, p.doc.Subtitle, p.width())
	titles = titles[:min(len(titles), 6)] // the whole title is in the file's properties
	subtitles = subtitles[:min(len(subtitles), 6)]
	p.y = above
	p.box(0, 0, p.width()+left+right, p.y+float64(len(titles))*title.line()+float64(
		len(subtitles))*subtitle.line()+2+below, brand)
	for _, line := range titles {
		p.text(left, p.width(), title, line)
	}
	p.y += 2
	for _, line := range subtitles {
		p.text(left, p.width(), subtitle, line)
	}
	p.y += gap
	p.headline()
	list := p.doc.Notices
	if p.doc.leads() {
		list = p.fitting(list)
	}
	for _, n := range list {
		p.notice(n)
	}
	if p.doc.leads() {
		p.lead()
		return // the facts are on the next page
	}
	p.y += 4
	p.facts()
}

// small reports whether the title leaves room for what follows it on the page.
func (p *pdf) small() bool { return p.follows() || p.doc.leads() }

// fitting returns the notices that leave room for the sentences and the picture of a first page, at least the first
// one. The others are for the next page.
func (p *pdf) fitting(list []Notice) []Notice {
	const aside = 12 // the line on the others, and what is between the parts
	needed := p.belowLead() + aside
	for _, s := range p.doc.Lead.Sentences {
		needed += float64(len(p.wrapped(style{bodySize, "", black}, s, p.width()-5)))*style{size: bodySize}.line() + 0.6
	}
	if f := p.doc.Lead.Figure; f != nil {
		needed += p.leastOf(f)
	}
	at := p.y
	for i, n := range list {
		if at += p.noticeHeight(n); i > 0 && at+needed > p.height()-bottom {
			p.later = list[i:]
			return list[:i]
		}
	}
	return list
}

// run writes what is behind a lead: the notices that it had no room for, and the facts.
func (p *pdf) run() {
	if len(p.later)+len(p.doc.Facts) == 0 {
		return
	}
	if p.doc.Lead.Figure != nil || len(p.later) > 0 { // without a picture there is room on the first page
		p.newPage(false)
	}
	for _, n := range p.later {
		p.notice(n)
	}
	if len(p.doc.Facts) > 0 {
		p.text(left, p.width(), style{16, "B", brand}, "The run")
		p.y += 3
		p.facts()
	}
	p.y += 8
}

// lead writes the rest of a first page that stands alone: the sentences, the picture as large as the page allows, the
// meaning of the headline.
func (p *pdf) lead() {
	l, body := p.doc.Lead, style{bodySize, "", black}
	small := style{captionSize, "", quiet}
	if len(p.later) > 0 {
		p.text(left, p.width(), small, words.Count(len(p.later), "more remark")+" on the next page.")
	}
	p.y += 2
	if len(l.Sentences) > 0 {
		p.block(List(l.Sentences))
	}
	if l.Figure != nil {
		p.figure(l.Figure, p.belowLead())
	}
	p.text(left, p.width(), small, l.Meaning)
	for _, x := range l.Links {
		p.need(small.line())
		width := p.measure(small)(x.Text)
		p.at(left, p.y+small.line()*0.78, style{captionSize, "", brand}, x.Text)
		p.LinkString(left, p.y, width, small.line(), x.Address)
		p.y += small.line()
	}
	p.y += body.line()
}

// belowLead returns the height in mm of what a first page has below its picture.
func (p *pdf) belowLead() float64 {
	small := style{captionSize, "", quiet}
	return float64(len(p.wrapped(small, p.doc.Lead.Meaning, p.width()))+len(p.doc.Lead.Links))*small.line() + 3
}

// headline writes the headline, as large as the page allows.
func (p *pdf) headline() {
	h := p.doc.Headline
	if h.Value == "" {
		return
	}
	p.text(left, p.width(), style{14, "", quiet}, h.Name)
	unit := style{20, "", brand}
	space := p.width() - p.measure(unit)(" "+h.Unit)
	number := style{map[bool]float64{true: 36, false: 48}[p.small()], "B", brand}
	for number.size > 20 && p.measure(number)(h.Value) > space {
		number.size -= 2
	}
	if w := p.measure(number)(h.Value); w <= space {
		p.at(left, p.y+number.line()*0.78, number, h.Value)
		p.at(left+w+3, p.y+number.line()*0.78, unit, h.Unit)
		p.y += number.line()
	} else {
		p.text(left, p.width(), style{20, "B", brand}, h.Value+" "+h.Unit)
	}
	if h.Note != "" {
		p.text(left, p.width(), style{11, "", quiet}, h.Note)
	}
	p.y += 6
}

// notice writes a box in the colour of the notice's level that begins with the word for the level.
func (p *pdf) notice(n Notice) {
	const pad = noticePad
	word, body := style{bodySize, "B", noticeColors[n.Level][1]}, style{bodySize, "", black}
	p.need(2*pad + 3*body.line())
	lines, indent := p.noticeLines(n)
	for begin := true; len(lines) > 0; begin = false { // more than one round only where a page ends
		fit := min(len(lines), max(1, int((p.room()-2*pad)/body.line())))
		h := float64(fit)*body.line() + 2*pad
		p.box(left, p.y, p.width(), h, noticeColors[n.Level][0])
		p.box(left, p.y, 1.6, h, noticeColors[n.Level][1])
		y := p.y + pad + body.line()*0.78
		if begin {
			p.at(left+pad+2, y, word, n.word())
		}
		for i, line := range lines[:fit] {
			p.at(left+pad+2+indent, y+float64(i)*body.line(), body, line)
		}
		p.y += h + 2
		if lines = lines[fit:]; len(lines) > 0 {
			p.newPage(false)
		}
	}
}

// noticePad is the distance in mm of a notice's text from the edges of its box.
const noticePad = 3.0

// noticeLines returns the lines of a notice, and their indent behind the word for the level.
func (p *pdf) noticeLines(n Notice) (lines []string, indent float64) {
	body := style{bodySize, "", black}
	if n.word() != "" {
		indent = p.measure(style{bodySize, "B", black})(n.word()) + 2
	}
	width := p.width() - 2*noticePad - indent - 2
	lines = p.wrapped(body, n.Text, width)
	for _, s := range n.Signs {
		lines = append(lines, p.wrapped(body, "· "+s, width)...)
	}
	if n.Remedy != "" {
		lines = append(lines, p.wrapped(body, "→ "+n.Remedy, width)...)
	}
	return lines, indent
}

// noticeHeight returns the height in mm that a notice takes.
func (p *pdf) noticeHeight(n Notice) float64 {
	lines, _ := p.noticeLines(n)
	return float64(len(lines))*style{size: bodySize}.line() + 2*noticePad + 2
}

// facts writes names and values in two columns, with hairlines between the rows.
func (p *pdf) facts() {
	name, value := style{bodySize, "", quiet}, style{bodySize, "", black}
	column := 25.0
	for _, f := range p.doc.Facts {
		column = max(column, min(55, p.measure(name)(f.Name)+6))
	}
	for _, f := range p.doc.Facts {
		names := p.wrapped(name, f.Name, column-4)
		values := p.wrapped(value, f.Value, p.width()-column)
		p.need(float64(min(8, max(len(names), len(values))))*value.line() + 2)
		p.SetDrawColor(edge[0], edge[1], edge[2])
		p.SetLineWidth(0.15)
		p.Line(left, p.y, left+p.width(), p.y)
		p.y++
		for i := range max(len(names), len(values)) {
			p.need(value.line())
			p.at(left, p.y+value.line()*0.78, name, lineOf(names, i))
			p.at(left+column, p.y+value.line()*0.78, value, lineOf(values, i))
			p.y += value.line()
		}
		p.y++
	}
}

// mostEntries is the number of sections, tables and figures from which on the contents list the sections alone.
const mostEntries = 60

// contents writes the list of sections, and below each its tables and figures, with their pages.
func (p *pdf) contents() {
	const some = 50 // the heading with some entries
	if p.need(some); !p.doc.leads() {
		p.newPage(false)
	}
	p.Bookmark("Contents", 0, 0)
	p.text(left, p.width(), style{16, "B", brand}, "Contents")
	p.y += 3
	entries := lists.SumOf(p.doc.Sections, func(s Section) int { return 1 + len(s.Blocks) })
	for i, s := range p.doc.Sections {
		p.y += 1.5
		p.need(14)
		p.entry(0, style{bodySize, "B", black}, p.heading(i), s.ID)
		if entries > mostEntries {
			continue
		}
		for _, b := range s.Blocks {
			if id := blockID(b); id != "" {
				p.entry(6, style{captionSize, "", black}, firstSentence(p.captions[id]), id)
			}
		}
	}
}

// firstSentence returns the first sentence of a caption, which is enough to recognize it.
func firstSentence(s string) string {
	s, _, _ = strings.Cut(s, ". ")
	return strings.TrimSuffix(s, ".")
}

// blockID returns the ID of a table or a figure, "" for other blocks.
func blockID(b Block) string {
	switch b := b.(type) {
	case *Table:
		return b.ID
	case *Figure:
		return b.ID
	}
	return ""
}

// entry writes an entry of the contents as a link.
func (p *pdf) entry(indent float64, s style, text, id string) {
	page := ""
	if p.first != nil {
		page = fmt.Sprint(p.first.pages[id])
	}
	lines := p.wrapped(s, text, p.width()-indent-14)
	p.need(float64(min(len(lines), 10)) * s.line())
	p.links[id] = p.AddLink()
	for i, line := range lines {
		p.need(s.line())
		p.at(left+indent, p.y+s.line()*0.78, s, line)
		p.Link(left+indent, p.y, p.width()-indent, s.line(), p.links[id])
		if i == len(lines)-1 {
			p.atRight(left+p.width(), p.y+s.line()*0.78, s, page)
		}
		p.y += s.line()
	}
}
