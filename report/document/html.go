package document

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // for the page's parts
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/effective-bandwidth/beff/report/words"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageRules string

//go:embed sort.js
var sortJS string

//go:embed figure.js
var figureJS string

// The page's style and script.
var (
	pageCSS = pageRules + CSS() + "\n"
	pageJS  = sortJS + figureJS
)

// longTable is the number of rows above which a table scrolls below its own heading.
const longTable = 40

// HTML writes the document as one file that needs no network. Figures are inline SVG. Tables are sorted by a click on a
// heading or by the address, #sort=TABLE:COLUMN:desc, with columns numbered from 1. Their rows are filtered by a search
// field or by the address: &search=TABLE:WORDS. Only the script in the file runs.
func HTML(w io.Writer, d *Document) error {
	return write(w, "html", d, func(b *bytes.Buffer, d *Document) error {
		p := page{Document: d, captions: d.captions()}
		return pageTemplate().Execute(b, &p)
	})
}

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(pageHTML))
})

// page is the data of the template page.html.
type page struct {
	*Document
	captions map[string]string
}

// Policy returns the Content-Security-Policy. It allows only the page's own style and script, by their hashes, and no
// network.
func (p *page) Policy() string {
	return fmt.Sprintf("default-src 'none'; base-uri 'none'; form-action 'none'; script-src '%s'; style-src '%s'",
		hash(pageJS), hash(pageCSS))
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// Style and Script return whole elements: html/template would strip comments within them, and their hashes would be
// wrong.
func (p *page) Style() template.HTML  { return template.HTML("<style>" + pageCSS + "</style>") }
func (p *page) Script() template.HTML { return template.HTML("<script>" + pageJS + "</script>") }

func (p *page) Heading(i int) string { return fmt.Sprintf("%d %s", i+1, p.Sections[i].Title) }

func (p *page) Caption(id string) string { return p.captions[id] }
func (p *page) Word(n Notice) string     { return n.word() }
func (p *page) Class(l Level) string     { return levelNames[l] }
func (p *page) Day() string              { return date(p.Document) }
func (p *page) Machine() string          { return words.Timestamp(p.Date) }

// Kind returns the name of a block's type for templates, which can't determine it.
func (p *page) Kind(b Block) string {
	return strings.TrimPrefix(strings.TrimPrefix(fmt.Sprintf("%T", b), "*"), "document.")
}

// Verdict returns the notice that explains the badge, or nil. Remarks returns the notices before or after the lead.
func (p *page) Verdict() *Notice            { return p.verdict() }
func (p *page) Remarks(after bool) []Notice { return p.remarks(after) }

// Bar returns the range as a bar over a scale from zero, with a mark at the number.
func (h Headline) Bar() template.HTML {
	at := func(x float64) string { return fmt.Sprintf("%.1f", 180*x/h.Ends[1]) }
	return template.HTML(fmt.Sprintf(`<svg class="bar" viewBox="0 0 200 10" width="200" height="10" `+
		`aria-hidden="true"><path d="M0 5H200"/><path class="range" d="M%s 5H%s"/>`+
		`<path class="mark" d="M%s 0V10"/></svg>`,
		at(h.Ends[0]), at(h.Ends[1]), at(1)))
}

// Leads reports whether the page begins with more than the headline.
func (p *page) Leads() bool { return p.leads() }

// Picture returns a figure in the form that the template needs.
func (p *page) Picture(f *Figure) pictureView { return pictureView{f, p.captions[f.ID]} }

type pictureView struct {
	*Figure
	Numbered string // caption with its number
}

// SVG returns the figure as an element of the page. Its values appear when they are pointed at.
func (v pictureView) SVG() template.HTML {
	c := NewVector(figureWidth, figureWidth*vg.Length(v.Aspect()))
	c.notes = true
	v.Draw(draw.New(c))
	return template.HTML(c.Element(v.description(), false) + "\n")
}

// View returns a table in the form that the template needs.
func (p *page) View(t *Table) tableView { return tableView{t, p.captions[t.ID]} }

type tableView struct {
	*Table
	Numbered string // caption with its number
}

func (t tableView) Long() bool      { return len(t.Rows) > longTable }
func (t tableView) CanSort() bool   { return t.Sortable && len(t.Rows) > 1 }
func (t tableView) CanSearch() bool { return t.Searchable && len(t.Rows) > 1 }
func (t tableView) NoRows() string  { return noRows }

// Begins reports whether a row begins a group.
func (t tableView) Begins(row int) bool { return slices.Contains(t.Breaks, row) }

// Cells returns the cells of a row, each with the alignment of its column.
func (t tableView) Cells(row []Cell) []cellView {
	cells := make([]cellView, len(row))
	for i, c := range row {
		cells[i] = cellView{c, t.Columns[i].Numbers}
	}
	return cells
}

type cellView struct {
	Cell
	Numbers bool
}

// Exact returns the number by which the column is sorted.
func (c cellView) Exact() string { return words.Exact(*c.Value) }
