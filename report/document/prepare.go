package document

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// levelWords holds the words for the levels of notices, for formats without colour and for readers who can't see it.
var levelWords = map[Level]string{Good: "Good", Warning: "Warning", Bad: "Problem", Note: "Note"}

// write is the common part of the writers of documents. It checks the document, and passes a cleaned copy to body.
func write(w io.Writer, format string, d *Document, body func(*bytes.Buffer, *Document) error) error {
	return atOnce(w, format, func(b *bytes.Buffer) error {
		if err := d.Validate(); err != nil {
			return err
		}
		d := d.mapped(clean)
		if d.by() == "" {
			d.Facts = append(d.Facts, Fact{writtenBy, "beff " + rating.Release})
		}
		if format == "pdf" {
			d.dropDetails()
		}
		if format != "json" {
			d.shown(format)
		}
		return body(b, d)
	})
}

// Names of facts: the program that measured, or the one that wrote a document not measured by beff.
const program, writtenBy = "program", "by"

// by returns beff with its version from the facts, or "".
func (d *Document) by() string {
	return lists.First(d.Facts, func(f Fact) bool {
		return (f.Name == program || f.Name == writtenBy) && strings.HasPrefix(f.Value, "beff ")
	}).Value
}

// dropDetails removes the tables of details, and sections that contain nothing else but texts. A sentence at the end
// says how many tables are left out.
func (d *Document) dropDetails() {
	n := 0
	var sections []Section
	for _, s := range d.Sections {
		before, texts := n, true
		var blocks []Block
		for _, b := range s.Blocks {
			t, is := b.(*Table)
			if is && t.Detail {
				n++
				continue
			}
			_, figure := b.(*Figure)
			blocks, texts = append(blocks, b), texts && !is && !figure
		}
		if s.Blocks = blocks; n == before || !texts {
			sections = append(sections, s)
		}
	}
	if n == 0 || len(sections) == 0 {
		return
	}
	last := &sections[len(sections)-1]
	last.Blocks = append(last.Blocks, Paragraph(fmt.Sprintf("%s of details left out: the page in HTML has them.",
		words.Count(n, "table"))))
	d.Sections = sections
}

// atOnce passes the output of body to w in one piece, so that an error leaves no partial output. It adds the format to
// errors.
func atOnce(w io.Writer, format string, body func(*bytes.Buffer) error) error {
	var b bytes.Buffer
	err := body(&b)
	if err == nil {
		_, err = w.Write(b.Bytes())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", format, err)
	}
	return nil
}

// clean returns a text on one line, with U+FFFD for each invisible character and each byte that is not UTF-8, so that
// nothing is lost without a trace.
func clean(s string) string { return words.Line(s, utf8.RuneError) }

// mapped returns a copy of the document in which f has changed all texts except IDs, addresses, the last line and texts
// within figures. Cells with NaN or an infinity become empty.
func (d *Document) mapped(f func(string) string) *Document {
	c, h := *d, &d.Headline
	c.Title, c.Subtitle, c.Last = f(d.Title), f(d.Subtitle), words.OneLine(d.Last) // keeps blanks
	c.Headline = Headline{f(h.Name), f(h.Value), f(h.Unit), f(h.Note), f(h.Badge), f(h.Range), h.Ends}
	c.Facts = lists.Each(d.Facts, func(x Fact) Fact { return Fact{f(x.Name), f(x.Value)} })
	c.Notices = lists.Each(d.Notices, func(n Notice) Notice {
		return Notice{n.Level, f(n.Text), f(n.Remedy), lists.Each(n.Signs, f), n.Bare}
	})
	c.Screen, c.Next = lists.Each(d.Screen, func(x Fact) Fact { return Fact{f(x.Name), f(x.Value)} }), f(d.Next)
	c.Lead = Lead{f(d.Lead.Meaning), lists.Each(d.Lead.Links, func(x Link) Link { return Link{f(x.Text), x.Address} }),
		lists.Each(d.Lead.Sentences, f), d.Lead.Figure.mapped(f), nil}
	if t := d.Lead.Table; t != nil {
		c.Lead.Table = t.mapped(f)
	}
	c.Sections = lists.Each(d.Sections, func(s Section) Section {
		blocks := slices.DeleteFunc(slices.Clone(s.Blocks), empty)
		return Section{s.ID, f(s.Title), lists.Each(blocks, func(b Block) Block { return mappedBlock(b, f) })}
	})
	return &c
}

// verdict returns the notice that explains the headline's badge, or nil without a badge.
func (d *Document) verdict() *Notice {
	if d.Headline.Badge == "" || d.Headline.Value == "" || len(d.Notices) == 0 || !d.Notices[0].Bare {
		return nil
	}
	return &d.Notices[0]
}

// remarks returns the notices before the lead, or those after it, without a badge's verdict. If there is a badge, only
// problems come before the lead, otherwise all notices do.
func (d *Document) remarks(after bool) []Notice {
	if d.verdict() == nil {
		return words.Either(after, nil, d.Notices)
	}
	return lists.Where(d.Notices[1:], func(n Notice) bool { return after == (n.Level != Bad) })
}

// leads reports whether the first page has more than the headline and the facts.
func (d *Document) leads() bool {
	return d.Lead.Meaning != "" || len(d.Lead.Sentences)+len(d.Lead.Links) > 0 || d.Lead.Figure != nil
}

// mapped returns a copy. The texts within the drawing don't change.
func (f *Figure) mapped(change func(string) string) *Figure {
	if f == nil {
		return nil
	}
	m := *f
	m.Caption, m.Alt, m.Title, m.Source = change(f.Caption), change(f.Alt), clean(f.Title), clean(f.Source)
	if d, is := f.Drawing.(interface{ Lines() []string }); is && len(f.Lines) == 0 {
		m.Lines = d.Lines()
	}
	m.Lines = lists.Each(m.Lines, func(line string) string {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		return indent + words.OneLine(line) // keeps blanks
	})
	return &m
}

// empty reports whether a block has no content. Tables and figures have at least their captions.
func empty(b Block) bool {
	switch b := b.(type) {
	case Paragraph:
		return strings.TrimSpace(string(b)) == ""
	case List:
		return len(b) == 0
	}
	return false
}

func mappedBlock(b Block, f func(string) string) Block {
	switch b := b.(type) {
	case Paragraph:
		return Paragraph(f(string(b)))
	case List:
		return List(lists.Each(b, f))
	case *Table:
		return b.mapped(f)
	case *Figure:
		return b.mapped(f)
	}
	return b
}

func (t *Table) mapped(f func(string) string) *Table {
	row := func(row []Cell) []Cell {
		return lists.Each(row, func(c Cell) Cell {
			if c.Value != nil && (math.IsNaN(*c.Value) || math.IsInf(*c.Value, 0)) { // no number in every format
				return Cell{}
			}
			c.Text = f(c.Text)
			return c
		})
	}
	c := *t
	c.Caption, c.Footer, c.Rows = f(t.Caption), row(t.Footer), lists.Each(t.Rows, row)
	c.Columns = lists.Each(t.Columns, func(k Column) Column { return Column{f(k.Name), f(k.Unit), k.Numbers, k.Key} })
	return &c
}

// heads returns the heading of each column on one line: "bandwidth [MB/s]".
func (t *Table) heads() []string {
	h := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		h[i] = c.Name
		if c.Unit != "" {
			h[i] = strings.TrimSpace(c.Name + " [" + c.Unit + "]")
		}
	}
	return h
}

// captions returns the captions of all tables and figures by ID, with numbers: "Table 3: all patterns".
func (d *Document) captions() map[string]string {
	list := map[string]string{}
	number := func(kind, id string, i int, caption string) {
		list[id] = strings.TrimSuffix(fmt.Sprintf("%s %d: %s", kind, i+1, caption), ": ")
	}
	for i, t := range each[*Table](d) {
		number("Table", t.ID, i, t.Caption)
	}
	for i, f := range d.Figures() {
		number("Figure", f.ID, i, f.Caption)
	}
	return list
}

// line returns the headline on one line: "b_eff = 9709.549 MB/s".
func (h Headline) line() string {
	return strings.TrimPrefix(strings.TrimSpace(h.Name+" = "+h.Value+" "+h.Unit), "= ")
}

// wrap breaks a text into one or more lines of at most width. It breaks at spaces, but not before %, and within words
// that are wider than a line. Its time is linear in the length of the text, because it never measures much more than a
// line.
func wrap(s string, width float64, measure func(string) float64) []string {
	var lines []string
	line := ""
	all := strings.Split(s, " ")
	for i := 0; i < len(all); i++ {
		word := all[i]
		if i+1 < len(all) && strings.HasPrefix(all[i+1], "%") {
			word, i = word+" "+all[i+1], i+1
		}
		head := fitting(word, width, measure)
		if line != "" && head == word && measure(line+" "+word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for ; head != word; head = fitting(word, width, measure) {
			lines, word = append(lines, head), word[len(head):]
		}
		line = word
	}
	return append(lines, line)
}

// fitting returns the longest beginning of a word that is not wider than width, but at least one character.
func fitting(word string, width float64, measure func(string) float64) string {
	const short = 64 // bytes; nearly all words are shorter
	if len(word) <= short && measure(word) <= width {
		return word
	}
	_, end := utf8.DecodeRuneInString(word)
	for i := range word {
		if i > end && measure(word[:i]) > width {
			return word[:end]
		}
		end = max(end, i)
	}
	if measure(word) > width {
		return word[:end]
	}
	return word
}
