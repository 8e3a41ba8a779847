package document

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

// Dimensions of table cells in a PDF, in mm. See medium for the last two.
const (
	cellPad      = 1.6 // left and right of the text
	minTextWidth = 24.0
	maxWordWidth = 45.0
)

// attempts lists the ways to fit a table onto the page, the best first. If all fail, the table is split.
var attempts = []struct {
	size      float64 // of the font in points
	wrap      bool    // texts may be wrapped
	landscape bool
}{
	{9, false, false}, {8, false, false},
	{9, true, false}, {8, true, false}, {7, true, false},
	{8, false, true}, {8, true, true}, {7, true, true},
}

// table draws a table, in several parts if it is too wide for a page.
func (p *pdf) table(t *Table) {
	for i, s := range p.tableParts(t) {
		if s.onLandscape != p.landscape {
			p.newPage(s.onLandscape)
		}
		if i > 0 {
			p.y += 4
		}
		s.draw()
	}
}

// tablePart draws a table, or a part of its columns.
type tablePart struct {
	*pdf
	layout
	t           *Table
	cells       [][]Cell // headings, rows and footer, before they are wrapped into layout.rows
	body        style
	onLandscape bool   // on a landscape page
	part        string // "columns 1, 5–9 of 20", or empty for a whole table
}

// tableParts returns the parts of a table: only one if the whole table fits on a page.
func (p *pdf) tableParts(t *Table) []*tablePart {
	if p.tables[t] != nil {
		return p.tables[t]
	}
	var m medium
	var parts []layout
	one, room := tablePart{pdf: p, t: t, cells: t.cells()}, 0.0
	for _, a := range attempts {
		if p.upright && a.landscape {
			break
		}
		room, one.onLandscape, one.body = p.paper.short-left-right, a.landscape, style{a.size, "", black}
		if a.landscape {
			room = p.paper.long - left - right
		}
		m = medium{measure: func(strong bool) func(string) float64 { return p.measure(one.body.as(strong)) },
			gap: 2 * cellPad, maxWidth: math.Inf(1), minTextWidth: minTextWidth, maxWordWidth: maxWordWidth}
		if l, fits := m.fit(t, room, a.wrap, a.wrap); fits {
			parts = []layout{l}
			break
		}
	}
	if parts == nil {
		parts = m.split(t, room)
	}
	for _, l := range parts {
		s := one
		s.layout = l
		if keys, last := t.keys(), l.columns[len(l.columns)-1]; len(parts) > 1 {
			from := fmt.Sprintf("%d to ", l.columns[keys]+1)
			s.part = fmt.Sprintf("columns %s and %s%d of %d", words.Either(keys == 1, "1", "1, 2"),
				words.Either(l.columns[keys] == last, "", from), last+1, len(t.Columns))
		}
		for i := range s.widths {
			s.widths[i] += m.gap
		}
		p.tables[t] = append(p.tables[t], &s)
	}
	return p.tables[t]
}

// minHeight returns the room in mm that a page needs for a table to begin there: room for the whole table if it takes
// less than half a page, otherwise for the caption, the headings and either a few rows or one high row.
func (s *tablePart) minHeight() float64 {
	page := s.paper.long - top - bottom
	if s.onLandscape {
		page = s.paper.short - top - bottom
	}
	begin := s.captionHeight() + s.rowHeight(s.rows[0])
	whole := begin + 2*(s.body.line()+2*s.pad) + // with a footer and some space
		lists.SumOf(s.rows[1:1+len(s.t.Rows)], s.rowHeight)
	if whole < page/2 {
		return whole
	}
	return min(page, begin+max(3*s.body.line()+8*s.pad, s.rowHeight(s.rows[1])))
}

// draw draws the part below the current position, or on a new page if the rest of the page is too short.
func (s *tablePart) draw() {
	s.need(s.minHeight())
	s.drawHead(true)
	for i := range s.t.Rows {
		y, page := s.y, s.PageNo()
		s.drawRow(i+1, i%2 == 1)
		if slices.Contains(s.t.Breaks, i) && s.PageNo() == page {
			s.rule(y, 0.2) // over the row's background
		}
	}
	if len(s.t.Rows) == 0 {
		s.text(left+cellPad, s.pdf.width(), style{s.body.size, "I", quiet}, noRows)
	}
	s.rule(s.y, 0.3)
	if s.t.Footer != nil {
		s.drawRow(len(s.t.Rows)+1, false)
		s.rule(s.y, 0.3)
	}
}

// caption returns the caption, with the columns of this part if the table is split.
func (s *tablePart) caption() string {
	if s.part == "" {
		return s.captions[s.t.ID]
	}
	return s.captions[s.t.ID] + " (" + s.part + ")"
}

// captionHeight returns the height of the caption in mm, with the space below it.
func (s *tablePart) captionHeight() float64 {
	c := style{captionSize, "B", black}
	return float64(len(s.wrapped(c, s.caption(), s.pdf.width())))*c.line() + 1.5
}

// drawHead draws the caption and the headings. Unless whole is set, it shortens the caption to one line.
func (s *tablePart) drawHead(whole bool) {
	look := style{captionSize, "B", black}
	caption := s.caption()
	if !whole { // the first part has the whole caption
		const continued = " (continued)"
		caption = s.shortened(look, caption, s.pdf.width()-s.measure(look)(continued)-1) + continued
	}
	s.text(left, s.pdf.width(), look, caption)
	s.y++
	height := s.rowHeight(s.rows[0])
	s.box(left, s.y, lists.Sum(s.widths), height, brand)
	s.write(0, s.rows[0])
	s.y += height
}

// as returns the style, in bold if strong is set.
func (s style) as(strong bool) style {
	if strong {
		s.font = "B"
	}
	return s
}

// rowHeight returns the height of a row in mm.
func (s *tablePart) rowHeight(row [][]string) float64 {
	return float64(height(row))*s.body.line() + 2*s.pad
}

// drawRow draws the row with a number, which is 0 for the headings. It breaks the row only if it is higher than a page.
func (s *tablePart) drawRow(number int, striped bool) {
	for rest := s.rows[number]; rest != nil; {
		if h := s.rowHeight(rest); h > s.room() && s.y > s.firstRowY() {
			s.rule(s.y, 0.2)
			s.newPage(s.pdf.landscape)
			s.drawHead(false)
		}
		fit := max(1, int((s.room()-2*s.pad)/s.body.line()))
		var now [][]string
		now, rest = cut(rest, fit)
		if striped {
			s.box(left, s.y, lists.Sum(s.widths), s.rowHeight(now), stripe)
		}
		s.write(number, now)
		s.y += s.rowHeight(now)
	}
}

// firstRowY returns the y position in mm of the first row on a page. A row at this position isn't moved to a new page.
func (s *tablePart) firstRowY() float64 {
	return top + style{captionSize, "B", black}.line() + 1 + s.rowHeight(s.rows[0]) + 0.1
}

// cut splits a row after n lines. rest is nil if nothing remains.
func cut(row [][]string, n int) (now, rest [][]string) {
	now = make([][]string, len(row))
	more := make([][]string, len(row))
	for i, lines := range row {
		k := min(n, len(lines))
		now[i], more[i] = lines[:k], lines[k:]
		if len(more[i]) > 0 {
			rest = more
		}
	}
	return now, rest
}

// write writes the lines of a row's cells, without a background. number is the number of the row, 0 for the headings.
func (s *tablePart) write(number int, row [][]string) {
	x := left
	for i, lines := range row {
		c := s.columns[i]
		look := s.body.as(s.cells[number][c].Strong)
		if number == 0 {
			look.color = white
		}
		for k, line := range lines {
			y := s.y + s.pad + float64(k)*s.body.line() + s.body.line()*0.78
			if s.t.Columns[c].Numbers {
				s.atRight(x+s.widths[i]-cellPad, y, look, line)
			} else {
				s.at(x+cellPad, y, look, line)
			}
		}
		x += s.widths[i]
	}
}

// rule draws a line at the current position, with a width in mm.
func (s *tablePart) rule(y, width float64) {
	s.SetDrawColor(brand[0], brand[1], brand[2])
	s.SetLineWidth(width)
	s.Line(left, y, left+lists.Sum(s.widths), y)
}
