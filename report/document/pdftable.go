package document

import (
	"fmt"
	"slices"
	"strings"
)

// Dimensions of table cells in a PDF.
const (
	cellPad    = 1.6  // mm left and right of the text
	rowPad     = 0.9  // mm above and below
	leastText  = 24.0 // mm, the least width of a column of texts
	widestWord = 45.0 // mm; wider words are broken
)

// attempts lists the ways to fit a table onto the page, the best first. The last one always works: if necessary it
// splits the table into several, each with the first column.
var attempts = []struct {
	size      float64
	wrap      bool // texts may take several lines
	landscape bool
}{
	{9, false, false}, {8, false, false},
	{9, true, false}, {8, true, false}, {7, true, false},
	{8, false, true}, {8, true, true}, {7, true, true},
}

// layout describes how a table is set.
type layout struct {
	size      float64
	landscape bool
	columns   []int     // of the table
	widths    []float64 // of these columns, in mm
	part      string    // "columns 1, 5–9 of 20", or empty for a whole table
}

// table sets a table. One that is too wide is set in parts.
func (p *pdf) table(t *Table) {
	for i, l := range p.layouts(t) {
		if l.landscape != p.landscape {
			p.newPage(l.landscape)
		}
		if i > 0 {
			p.y += 4
		}
		p.setter(t, l).set(i == 0)
	}
}

func (p *pdf) layouts(t *Table) []layout {
	all := make([]int, len(t.Columns))
	for i := range all {
		all[i] = i
	}
	var least []float64
	for _, a := range attempts {
		space := p.paper.short - left - right
		if a.landscape {
			space = p.paper.long - left - right
		}
		var natural []float64
		natural, least = p.extents(t, a.size)
		if !a.wrap {
			least = natural
		}
		if sum(least) <= space {
			return []layout{{a.size, a.landscape, all, spread(least, natural, space), ""}}
		}
	}
	last := attempts[len(attempts)-1]
	return split(least, last.size, p.paper.long-left-right)
}

// split distributes the columns over as many tables as are needed. Each begins with the first column.
func split(widths []float64, size, space float64) []layout {
	var parts []layout
	for from := 1; from < len(widths); {
		columns, used, to := []int{0}, widths[0], from
		for ; to < len(widths) && (to == from || used+widths[to] <= space); to++ {
			columns, used = append(columns, to), used+widths[to]
		}
		l := layout{size: size, landscape: true, columns: columns,
			part: fmt.Sprintf("columns 1, %d–%d of %d", from+1, to, len(widths))}
		for _, c := range columns {
			l.widths = append(l.widths, widths[c])
		}
		parts, from = append(parts, l), to
	}
	return parts
}

// extents returns the natural widths of the columns, with each cell on one line, and the least widths, with wrapped
// cells, in mm.
func (p *pdf) extents(t *Table, size float64) (natural, least []float64) {
	natural, least = make([]float64, len(t.Columns)), make([]float64, len(t.Columns))
	see := func(row []string, font string, head bool) {
		measure := p.measure(style{size, font, black})
		for i, s := range row {
			w := measure(s)
			natural[i] = max(natural[i], w+2*cellPad+0.1) // allows for rounded widths
			if head || !t.Columns[i].Numbers {
				w = min(w, widestOf(s, measure, t.Columns[i].Numbers))
			}
			least[i] = max(least[i], min(w, widestWord)+2*cellPad+0.1)
		}
	}
	see(t.heads(), "B", true)
	for _, row := range t.Rows {
		see(texts(row), "", false)
	}
	for _, row := range t.Rows {
		see(strongOf(row), "B", false)
	}
	if t.Footer != nil {
		see(texts(t.Footer), "B", false)
	}
	return natural, least
}

// widestOf returns the width of the widest word. For texts it returns at least leastText, so that no column of single
// words results.
func widestOf(s string, measure func(string) float64, number bool) float64 {
	w := 0.0
	for _, word := range strings.Split(s, " ") {
		w = max(w, measure(word))
	}
	if number {
		return w
	}
	return max(w, leastText)
}

// strongOf returns the texts of the strong cells, which are wider in bold. The others are empty.
func strongOf(row []Cell) []string {
	s := make([]string, len(row))
	for i, c := range row {
		if c.Strong {
			s[i] = c.Text
		}
	}
	return s
}

func sum(list []float64) float64 {
	s := 0.0
	for _, v := range list {
		s += v
	}
	return s
}

// spread distributes the remaining space over the columns that are narrower than their natural width.
func spread(least, natural []float64, space float64) []float64 {
	widths := append([]float64(nil), least...)
	want := sum(natural) - sum(least)
	if want <= 0 {
		return widths
	}
	share := min(1, (space-sum(least))/want)
	for i := range widths {
		widths[i] += share * (natural[i] - least[i])
	}
	return widths
}

// setter sets one table.
type setter struct {
	*pdf
	t *Table
	layout
	body style
	head [][]string   // the lines of each cell
	rows [][][]string // the same for each row
}

func (p *pdf) setter(t *Table, l layout) *setter {
	s := &setter{pdf: p, t: t, layout: l, body: style{l.size, "", black}}
	s.head = s.row(s.t.heads(), always)
	for _, row := range t.Rows {
		s.rows = append(s.rows, s.row(texts(row), strongIn(row)))
	}
	return s
}

// least returns the height in mm that a table needs at its beginning: its whole height if that is less than half a
// page, else the height of the caption, the head and a few rows.
func (s *setter) least() float64 {
	page := s.paper.long - top - bottom
	if s.layout.landscape {
		page = s.paper.short - top - bottom
	}
	begin := s.captionHeight() + s.rowHeight(s.head)
	whole := begin + 2*(s.body.line()+2*rowPad) // with a footer and some space
	for _, row := range s.rows {
		whole += s.rowHeight(row)
	}
	if whole < page/2 {
		return whole
	}
	return min(page, begin+3*s.body.line()+8*rowPad)
}

func (s *setter) set(first bool) {
	s.need(s.least())
	if first {
		s.target(s.t.ID)
	}
	s.begin(true)
	for i, row := range s.rows {
		if slices.Contains(s.t.Breaks, i) {
			s.rule(0.2)
		}
		s.setRow(row, strongIn(s.t.Rows[i]), i%2 == 1)
	}
	s.end()
}

// end writes the part below the rows.
func (s *setter) end() {
	if len(s.t.Rows) == 0 {
		s.text(left+cellPad, s.pdf.width(), style{s.size, "I", quiet}, noRows)
	}
	s.rule(0.3)
	if s.t.Footer != nil {
		s.setRow(s.row(texts(s.t.Footer), always), always, false)
		s.rule(0.3)
	}
}

// strongIn returns a function that reports whether a cell of row is strong. always reports true for every cell.
func strongIn(row []Cell) func(column int) bool { return func(c int) bool { return row[c].Strong } }
func always(int) bool                           { return true }

// caption returns the caption, with the columns of this part if the table is split.
func (s *setter) caption() string {
	if s.part == "" {
		return s.captions[s.t.ID]
	}
	return s.captions[s.t.ID] + " (" + s.part + ")"
}

func (s *setter) captionHeight() float64 {
	c := style{captionSize, "B", black}
	return float64(len(s.wrapped(c, s.caption(), s.pdf.width())))*c.line() + 1.5
}

// begin writes the caption and the head. Unless whole is set the caption is shortened to one line.
func (s *setter) begin(whole bool) {
	look := style{captionSize, "B", black}
	caption := s.caption()
	if !whole { // the whole caption stands above the first part
		const continued = " (continued)"
		caption = s.shortened(look, caption, s.pdf.width()-s.measure(look)(continued)-1) + continued
	}
	s.text(left, s.pdf.width(), look, caption)
	s.y++
	s.box(left, s.y, sum(s.widths), s.rowHeight(s.head), brand)
	s.cells(s.head, func(int) style { return style{s.size, "B", white} })
	s.y += s.rowHeight(s.head)
}

// row returns the lines of each cell in the columns of this layout.
func (s *setter) row(cells []string, strong func(column int) bool) [][]string {
	lines := make([][]string, len(s.columns))
	for i, c := range s.columns {
		lines[i] = s.wrapped(s.cellStyle(strong(c)), cells[c], s.widths[i]-2*cellPad)
	}
	return lines
}

func (s *setter) cellStyle(strong bool) style {
	look := s.body
	if strong {
		look.font = "B"
	}
	return look
}

func (s *setter) rowHeight(row [][]string) float64 {
	n := 0
	for _, lines := range row {
		n = max(n, len(lines))
	}
	return float64(n)*s.body.line() + 2*rowPad
}

// setRow sets a row. It is broken only if it is higher than a page.
func (s *setter) setRow(row [][]string, strong func(column int) bool, striped bool) {
	for {
		if h := s.rowHeight(row); h > s.room() && s.y > s.fresh() {
			s.rule(0.2)
			s.newPage(s.pdf.landscape)
			s.begin(false)
		}
		fit := max(1, int((s.room()-2*rowPad)/s.body.line()))
		now, rest := cut(row, fit)
		if striped {
			s.box(left, s.y, sum(s.widths), s.rowHeight(now), stripe)
		}
		s.cells(now, func(i int) style { return s.cellStyle(strong(s.columns[i])) })
		s.y += s.rowHeight(now)
		if rest == nil {
			return
		}
		row = rest
	}
}

// fresh returns the y position of the first row of a page. At that position a new page does not help.
func (s *setter) fresh() float64 {
	return top + style{captionSize, "B", black}.line() + 1 + s.rowHeight(s.head) + 0.1
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

// cells writes the lines of a row.
func (s *setter) cells(row [][]string, look func(i int) style) {
	x := left
	for i, lines := range row {
		for k, line := range lines {
			y := s.y + rowPad + float64(k)*s.body.line() + s.body.line()*0.78
			if s.t.Columns[s.columns[i]].Numbers {
				s.atRight(x+s.widths[i]-cellPad, y, look(i), line)
			} else {
				s.at(x+cellPad, y, look(i), line)
			}
		}
		x += s.widths[i]
	}
}

// rule draws a line below a row.
func (s *setter) rule(width float64) {
	s.SetDrawColor(brand[0], brand[1], brand[2])
	s.SetLineWidth(width)
	s.Line(left, s.y, left+sum(s.widths), s.y)
}
