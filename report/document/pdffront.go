package document

// titlePage writes a band with the titles, the headline, the notices, the lead and the facts. The first section begins
// on the same page if there is room.
func (p *pdf) titlePage() {
	p.newPage(!p.doc.leads() && len(p.doc.Sections) > 0 && p.beginsWide(p.doc.Sections[0]))
	title, subtitle := style{20, "B", white}, style{13, "", pale}
	titles := p.wrapped(title, p.doc.Title, p.width())
	subtitles := p.wrapped(subtitle, p.doc.Subtitle, p.width())
	titles = titles[:min(len(titles), 6)] // the file's properties have the whole title
	subtitles = subtitles[:min(len(subtitles), 6)]
	p.y = 12
	p.box(0, 0, p.width()+left+right, p.y+float64(len(titles))*title.line()+float64(
		len(subtitles))*subtitle.line()+8, brand)
	for _, line := range titles {
		p.text(left, p.width(), title, line)
	}
	p.y += 2
	for _, line := range subtitles {
		p.text(left, p.width(), subtitle, line)
	}
	p.y += 9
	p.headline()
	for _, n := range p.doc.Notices {
		p.notice(n)
	}
	p.y += 2
	p.lead()
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
		p.LinkString(left, p.y, width, small.line(), x.Address)
		p.y += small.line()
	}
	p.y += 2
	if l.Figure != nil {
		p.figure(l.Figure)
	}
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
