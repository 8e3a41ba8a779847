package document

import (
	"slices"

	"github.com/effective-bandwidth/beff/report/words"
)

// titlePage writes a band with the titles and the headline, the notices, the lead and the facts. The first section
// begins on the same page if there is room.
func (p *pdf) titlePage() {
	p.newPage(!p.doc.leads() && len(p.doc.Sections) > 0 && p.beginsWide(p.doc.Sections[0]))
	title, subtitle := style{20, "B", white}, style{13, "", pale}
	titles := p.wrapped(title, p.doc.Title, p.width())
	subtitles := p.wrapped(subtitle, p.doc.Subtitle, p.width())
	titles = titles[:min(len(titles), 6)] // the file's properties have the whole title
	subtitles = subtitles[:min(len(subtitles), 6)]
	p.y = 12
	inBand := p.fitsBand()
	p.box(0, 0, p.width()+left+right, p.y+float64(len(titles))*title.line()+float64(
		len(subtitles))*subtitle.line()+8+words.Either(inBand, p.headlineHeight(), 0), brand)
	for _, line := range titles {
		p.text(left, p.width(), title, line)
	}
	p.y += 2
	for _, line := range subtitles {
		p.text(left, p.width(), subtitle, line)
	}
	if inBand {
		p.headlineInBand()
	}
	p.y += 9
	if !inBand {
		p.headline()
	}
	if v := p.doc.verdict(); v != nil {
		p.notice(*v)
	}
	for _, n := range p.doc.remarks(false) {
		p.notice(n)
	}
	p.y += 2
	p.lead()
	for _, n := range p.doc.remarks(true) {
		p.notice(n)
	}
	p.need(50) // keeps some facts together
	p.facts()
	p.y += 8
}

// lead writes the sentences, the meaning of the headline, and the picture.
func (p *pdf) lead() {
	l, small := p.doc.Lead, style{captionSize, "", quiet}
	if len(l.Sentences) > 0 {
		p.block(List(l.Sentences))
	}
	if l.Meaning != "" {
		p.text(left, p.width(), small, l.Meaning)
	}
	for _, x := range l.Links {
		p.need(small.line())
		width := p.measure(small)(x.Text)
		p.at(left, p.y+small.line()*0.78, style{captionSize, "", brand}, x.Text)
		if i := slices.IndexFunc(p.doc.Sections, func(s Section) bool { return "#"+s.ID == x.Address }); i >= 0 {
			p.Link(left, p.y, width, small.line(), i+1)
		} else {
			p.LinkString(left, p.y, width, small.line(), x.Address)
		}
		p.y += small.line()
	}
	p.y += 2
	if l.Figure != nil {
		p.figure(l.Figure)
	}
}

// Styles of a headline in the band. The number is as large as on other first pages.
var (
	bandNumber = style{36, "B", white}
	bandUnit   = style{20, "", white}
	bandBadge  = style{12, "B", white}
	bandNote   = style{11, "", pale}
)

// fitsBand reports whether the number, its unit and the badge fit into a line of the band.
func (p *pdf) fitsBand() bool {
	h := p.doc.Headline
	width := p.measure(bandNumber)(h.Value) + p.measure(bandUnit)(h.Unit) + p.measure(bandBadge)(h.Badge)
	return p.doc.verdict() != nil && width+20 < p.width() && len(p.wrapped(bandNote, h.Note, p.width())) <= 4
}

// headlineHeight returns the height of the headline in the band in mm.
func (p *pdf) headlineHeight() float64 {
	h := p.doc.Headline
	lines := len(p.wrapped(bandNote, h.Note, p.width())) + words.Either(h.Range == "", 0, 1)
	return 4 + bandNumber.line() + float64(lines)*bandNote.line()
}

// headlineInBand writes the number with its badge, and below it the range with a bar, and the note.
func (p *pdf) headlineInBand() {
	h, level := p.doc.Headline, p.doc.verdict().Level
	p.y += 4
	base := p.y + bandNumber.line()*0.78
	p.at(left, base, bandNumber, h.Value)
	x := left + p.measure(bandNumber)(h.Value) + 3
	p.at(x, base, bandUnit, h.Unit)
	x += p.measure(bandUnit)(h.Unit) + 6
	p.box(x, base-6, p.measure(bandBadge)(h.Badge)+6, 8, noticeColors[level][0])
	p.at(x+3, base-0.5, style{bandBadge.size, "B", noticeColors[level][1]}, h.Badge)
	p.y += bandNumber.line()
	if h.Range != "" {
		const bar = 60.0
		at := func(part float64) float64 { return left + 0.9*bar*part/h.Ends[1] }
		p.box(left, p.y+2.3, bar, 0.4, pale)
		p.box(at(h.Ends[0]), p.y+1.5, at(h.Ends[1])-at(h.Ends[0]), 2, pale)
		p.box(at(1)-0.4, p.y+0.5, 0.8, 4, white)
		p.text(left+bar+4, p.width()-bar-4, style{bandNote.size, "B", white}, h.Range)
	}
	p.text(left, p.width(), bandNote, h.Note)
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
	number := style{36, "B", brand}
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
	const pad = 3.0 // distance of the text from the edges of the box
	word, body, indent := style{bodySize, "B", noticeColors[n.Level][1]}, style{bodySize, "", black}, 0.0
	p.need(2*pad + 3*body.line())
	if n.word() != "" {
		indent = p.measure(word)(n.word()) + 2
	}
	lines := p.wrapped(body, n.Text, p.width()-2*pad-indent-2)
	more := func(begin, text string) {
		lines = append(lines, p.wrapped(body, begin+text, p.width()-2*pad-indent-2)...)
	}
	for _, s := range n.Signs {
		more("· ", s)
	}
	if n.Remedy != "" {
		more("→ ", n.Remedy)
	}
	for begin := true; len(lines) > 0; begin = false { // needs more than one round only at the end of a page
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
			p.newPage(p.landscape)
		}
	}
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
