package document

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

// Markdown writes the document in GitHub's Markdown, with tables. A figure is a link to the file ID.svg in the same
// directory.
func Markdown(w io.Writer, d *Document) error { return MarkdownFigures("")(w, d) }

// MarkdownFigures returns a writer like Markdown, but with figures at the address prefix + "ID.svg".
func MarkdownFigures(prefix string) func(io.Writer, *Document) error {
	return func(w io.Writer, d *Document) error {
		return write(w, "markdown", d, func(b *bytes.Buffer, d *Document) error {
			m := markdown{b, prefix}
			captions := d.captions() // before mapped, since they are escaped together with their numbers
			d = d.mapped(escapeMarkdown)
			m.front(d, captions)
			for i, s := range d.Sections {
				m.print("## %d. %s", i+1, s.Title)
				for _, block := range s.Blocks {
					m.block(block, captions)
				}
			}
			b.Truncate(max(0, b.Len()-1)) // the last empty line
			return nil
		})
	}
}

type markdown struct {
	*bytes.Buffer
	prefix string
}

// A backslash precedes each character that GitHub would take for markup, except an underscore within a word: b_eff
// stays readable.
var (
	markdownSigns = words.MustCompile("[\\\\`*\\[\\]<>|~#$&@]|://")
	markdownStart = words.MustCompile(`^([-+]( |$)|=+$|--+$|\d+[.)]( |$))`)
	outerUnder    = words.MustCompile(`(^|[^\pL\pN])_|_($|[^\pL\pN])`)
	nameOfWeb     = words.MustCompile(`(?i)\bwww\.`)
)

func escapeMarkdown(s string) string {
	s = markdownSigns().ReplaceAllString(s, `\$0`)
	s = nameOfWeb().ReplaceAllStringFunc(s, func(w string) string { return w[:3] + `\.` })
	for outer := outerUnder(); ; { // matches may overlap: "__"
		t := outer.ReplaceAllStringFunc(s, func(w string) string { return strings.Replace(w, "_", "\x00", 1) })
		if t == s {
			break
		}
		s = t
	}
	s = strings.ReplaceAll(s, "\x00", `\_`)
	return markdownStart().ReplaceAllStringFunc(s, func(w string) string {
		i := strings.IndexAny(w, "-+=.)") // the character that starts a list or a rule
		return w[:i] + `\` + w[i:]
	})
}

// print writes one block and an empty line after it.
func (m markdown) print(format string, args ...any) { fmt.Fprintf(m, format+"\n\n", args...) }

// strong returns s in bold, or "" for "".
func strong(s string) string {
	if s == "" {
		return ""
	}
	return "**" + s + "**"
}

func (m markdown) front(d *Document, captions map[string]string) {
	m.print("# %s", d.Title)
	if d.Subtitle != "" {
		m.print("%s", d.Subtitle)
	}
	if h := d.Headline; h.Value != "" {
		m.print("%s", strings.TrimSpace(strong(h.line())+" "+h.Note))
	}
	for _, n := range d.Notices {
		text := strings.Join(append([]string{n.Text}, n.Signs...), "; ")
		if n.Remedy != "" {
			text += " → " + n.Remedy
		}
		m.print("> %s", strings.TrimSpace(strong(n.word())+" "+text))
	}
	m.lead(d.Lead, captions)
	for _, f := range d.Facts {
		fmt.Fprintf(m, "- %s %s\n", strong(f.Name+":"), f.Value)
	}
	if !d.Date.IsZero() {
		fmt.Fprintf(m, "- %s %s\n", strong("date:"), date(d))
	}
	if len(d.Facts) > 0 || !d.Date.IsZero() {
		fmt.Fprintln(m)
	}
}

// lead writes the sentences, the picture, and the meaning of the headline.
func (m markdown) lead(l Lead, captions map[string]string) {
	if len(l.Sentences) > 0 {
		m.block(List(l.Sentences), captions)
	}
	if l.Figure != nil {
		m.block(l.Figure, captions)
	}
	text := l.Meaning
	for _, x := range l.Links {
		if !strings.HasPrefix(x.Address, "#") { // converters name sections differently
			text += fmt.Sprintf(" [%s](<%s>)", x.Text, x.Address)
		}
	}
	if text != "" {
		m.print("%s", strings.TrimSpace(text))
	}
}

func (m markdown) block(b Block, captions map[string]string) {
	switch b := b.(type) {
	case Paragraph:
		m.print("%s", string(b))
	case List:
		m.print("%s", strings.TrimPrefix(strings.Join(append([]string{""}, b...), "\n- "), "\n"))
	case *Table:
		m.print("%s", strong(escapeMarkdown(captions[b.ID])))
		m.table(b)
	case *Figure:
		m.print("![%s](<%s%s.svg>)", b.Alt, m.prefix, b.ID)
		m.print("*%s*", escapeMarkdown(captions[b.ID]))
	}
}

func (m markdown) table(t *Table) {
	line := func(cells []string) { fmt.Fprintf(m, "| %s |\n", strings.Join(cells, " | ")) }
	rules := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		rules[i] = map[bool]string{true: "---:", false: "---"}[c.Numbers]
	}
	heads := t.heads()
	for i := range heads { // the brackets of the unit are not escaped yet
		heads[i] = strings.NewReplacer(" [", ` \[`).Replace(heads[i])
	}
	line(heads)
	line(rules)
	for _, row := range t.Rows {
		line(markdownRow(row, false))
	}
	if len(t.Rows) == 0 {
		line(append([]string{noRows}, make([]string, len(t.Columns)-1)...))
	}
	if t.Footer != nil {
		line(markdownRow(t.Footer, true))
	}
	fmt.Fprintln(m)
}

func markdownRow(row []Cell, all bool) []string {
	return lists.Each(row, func(c Cell) string { return words.Either(all || c.Strong, strong(c.Text), c.Text) })
}
