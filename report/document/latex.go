package document

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

// LaTeX writes the document for LaTeX: a tabular for each table, and for each figure the file ID.pdf beside it, if it
// is there. It needs LaTeX's own packages alone.
func LaTeX(w io.Writer, d *Document) error { return LaTeXFigures("")(w, d) }

// LaTeXFigures returns the writer LaTeX, but with figures in the files prefix + "ID.pdf".
func LaTeXFigures(prefix string) func(io.Writer, *Document) error {
	return func(w io.Writer, d *Document) error {
		return write(w, "latex", d, func(b *bytes.Buffer, d *Document) error {
			l := latex{b, prefix}
			captions := d.captions()
			d = d.mapped(escapeLaTeX)
			l.front(d, captions)
			for _, s := range d.Sections {
				l.print("\\section{%s}", s.Title)
				for _, block := range s.Blocks {
					l.block(block, captions)
				}
			}
			l.print("\\end{document}")
			b.Truncate(b.Len() - 1)
			return nil
		})
	}
}

type latex struct {
	*bytes.Buffer
	prefix string
}

// latexSigns are characters that LaTeX would take for commands, and those of our own that its basic fonts lack.
var latexSigns = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`,
	"%", `\%`, "_", `\_`, "^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "<", `\textless{}`, ">",
	`\textgreater{}`, "|", `\textbar{}`, `"`, `\textquotedbl{}`, "µ", `\textmu{}`, "±", `\textpm{}`,
	"×", `\texttimes{}`,
	"·", `\textperiodcentered{}`, "→", `$\rightarrow$`, "≤", `$\le$`, "≥", `$\ge$`, "≈", `$\approx$`, "−", `$-$`,
	"–", "--", "—", "---", "…", `\ldots{}`, "²", `\texttwosuperior{}`, "°", `\textdegree{}`, "Σ", `$\Sigma$`,
	"σ", `$\sigma$`)

// escapeLaTeX returns a text for LaTeX. A letter beyond Latin, of names from untrusted files, is a question mark: the
// basic fonts would end the run with an error.
func escapeLaTeX(s string) string {
	escaped := latexSigns.Replace(s)
	const latinExtended = 0x17f
	return strings.Map(func(r rune) rune {
		return words.Either(r > latinExtended || r < ' ', '?', r)
	}, escaped)
}

// print writes one block and an empty line after it.
func (l latex) print(format string, args ...any) { fmt.Fprintf(l, format+"\n\n", args...) }

// latexHead has what a document begins with.
const latexHead = `\documentclass[a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{textcomp,graphicx,longtable}
\setlength{\textwidth}{180mm}
\setlength{\oddsidemargin}{-10mm}
\setlength{\evensidemargin}{-10mm}
\begin{document}`

func (l latex) front(d *Document, captions map[string]string) {
	l.print("%s", latexHead)
	l.print("\\begin{center}\n{\\Large %s}\\\\\n%s\n\\end{center}", d.Title, d.Subtitle)
	if h := d.Headline; h.Value != "" {
		l.print("\\noindent\\textbf{%s} %s", h.line(), h.Note)
	}
	var list []string
	for _, n := range d.Notices {
		text := strings.TrimSpace("\\textbf{" + n.word() + "} " + n.Text)
		if n.Remedy != "" {
			text += " $\\rightarrow$ " + n.Remedy
		}
		list = append(list, text)
	}
	l.list(list)
	l.list(d.Lead.Sentences)
	if d.Lead.Figure != nil {
		l.block(d.Lead.Figure, captions)
	}
	if d.Lead.Meaning != "" {
		l.print("%s", d.Lead.Meaning)
	}
	list = nil
	for _, f := range d.Facts {
		list = append(list, fmt.Sprintf("\\textbf{%s:} %s", f.Name, f.Value))
	}
	if !d.Date.IsZero() {
		list = append(list, "\\textbf{date:} "+date(d))
	}
	l.list(list)
}

func (l latex) list(list []string) {
	if len(list) > 0 {
		l.print("\\begin{itemize}\n\\item %s\n\\end{itemize}", strings.Join(list, "\n\\item "))
	}
}

func (l latex) block(b Block, captions map[string]string) {
	switch b := b.(type) {
	case Paragraph:
		l.print("%s", string(b))
	case List:
		l.list(b)
	case Lines:
		l.print("\\begin{flushleft}\\ttfamily\n%s\n\\end{flushleft}",
			strings.Join(lists.Each(b, escapeLaTeX), " \\\\\n"))
	case *Table:
		l.table(b, escapeLaTeX(captions[b.ID]))
	case *Figure:
		file := l.prefix + b.ID + ".pdf"
		l.print("\\IfFileExists{%s}{\\begin{center}\n\\includegraphics[width=\\linewidth]{%s}\\\\\n%s\n"+
			"\\end{center}}{}", file, file, escapeLaTeX(captions[b.ID]))
	}
}

// table writes a table that may go over pages.
func (l latex) table(t *Table, caption string) {
	const longest = 40 // characters of a cell that stays in one line
	kinds := ""
	for i, c := range t.Columns {
		kind := map[bool]string{true: "r", false: "l"}[c.Numbers]
		for _, row := range t.Rows {
			if len(row[i].Text) > longest {
				kind = "p{0.4\\linewidth}"
			}
		}
		kinds += kind
	}
	line := func(cells []string) { fmt.Fprintf(l, "%s \\\\\n", strings.Join(cells, " & ")) }
	l.print("\\noindent{\\footnotesize\\textbf{%s}}\\nopagebreak", caption)
	fmt.Fprintf(l, "{\\footnotesize\\setlength{\\tabcolsep}{3pt}\n\\begin{longtable}{%s}\n", kinds)
	heads := t.heads()
	for i, head := range heads {
		heads[i] = stacked(head)
	}
	line(heads)
	fmt.Fprint(l, "\\hline\n\\endhead\n")
	for i, row := range t.Rows {
		for _, at := range t.Breaks {
			if at == i && i > 0 {
				fmt.Fprint(l, "\\hline\n")
			}
		}
		line(latexRow(row))
	}
	if len(t.Rows) == 0 {
		line(append([]string{noRows}, make([]string, len(t.Columns)-1)...))
	}
	if t.Footer != nil {
		fmt.Fprint(l, "\\hline\n")
		line(latexRow(t.Footer))
	}
	l.print("\\end{longtable}}")
}

// stacked returns the head of a column in lines of few words, the unit in the last one.
func stacked(head string) string {
	const width = 10
	lines := []string{""}
	for word := range strings.FieldsSeq(head) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case strings.HasPrefix(word, "["):
			lines = append(lines, "{}"+word)
		case len(*last)+len(word) < width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	if len(lines) == 1 {
		return lines[0]
	}
	return "\\shortstack{" + strings.Join(lines, "\\\\") + "}"
}

func latexRow(row []Cell) []string {
	s := texts(row)
	for i := range s {
		if row[i].Strong {
			s[i] = "\\textbf{" + s[i] + "}"
		}
		if strings.HasPrefix(s[i], "[") { // behind a line's end it would be its option
			s[i] = "{}" + s[i]
		}
	}
	return s
}
