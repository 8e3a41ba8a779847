// Package manual makes the pages of the manual from the model of the command line: one for the program and one for
// each command, in Markdown. The packages turn them into man pages, and the documentation has them as they are.
package manual

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Page is a page of the manual.
type Page struct {
	Name     string // such as beff-probe-run
	app      *kong.Application
	node     *kong.Node
	appendix string
}

// Pages returns the page of the program, and one for each command that can be called. appendix returns a preformatted
// text for the end of a command's page, empty for none: commands with a grammar of their own have one.
func Pages(app *kong.Application, appendix func(*kong.Node) string) []*Page {
	pages := []*Page{{Name: app.Name, app: app, node: app.Node}}
	for _, node := range app.Leaves(true) {
		pages = append(pages, &Page{strings.ReplaceAll(node.FullPath(), " ", "-"), app, node, appendix(node)})
	}
	return pages
}

// Form is the place that a page is for.
type Form int

// The forms of a page.
const (
	Man  Form = iota // to be turned into a man page by md2man
	Site             // of the documentation: headings begin one level lower
)

// Write writes the page. version is that of the program.
func (p *Page) Write(w io.Writer, form Form, version string) error {
	b := &strings.Builder{}
	level := "# "
	if form == Man {
		fmt.Fprintf(b, "%% %s 1 \"\" %q \"User commands\"\n\n", strings.ToUpper(p.Name), version)
	} else {
		fmt.Fprintf(b, "# %s\n\n", p.node.FullPath())
		level = "## "
	}
	section := func(title string) { fmt.Fprintf(b, "%s%s\n\n", level, title) }
	help, _, _ := strings.Cut(p.node.Help, "\n\n")
	section("NAME")
	fmt.Fprintf(b, "%s - %s\n\n", p.Name, escape(strings.TrimSuffix(oneLine(help), ".")))
	section("SYNOPSIS")
	fmt.Fprintf(b, "**%s**%s\n\n", p.app.Name, escape(strings.TrimPrefix(synopsis(p), p.app.Name)))
	p.describe(b, section)
	p.arguments(b, section)
	p.options(b, section)
	if p.appendix != "" {
		section("OPTIONS OF ITS OWN")
		fmt.Fprintf(b, "%s\n", indent(p.appendix))
	}
	p.others(b, section)
	_, err := io.WriteString(w, b.String())
	return err
}

func synopsis(p *Page) string {
	if p.node == p.app.Node {
		return p.app.Name + " COMMAND [flags]"
	}
	return p.app.Name + " " + p.node.Summary()
}

// describe writes what help has behind its first paragraph.
func (p *Page) describe(b *strings.Builder, section func(string)) {
	_, rest, _ := strings.Cut(p.node.Help, "\n\n")
	if text := strings.Trim(rest+"\n\n"+p.node.Detail, "\n"); text != "" {
		section("DESCRIPTION")
		fmt.Fprintf(b, "%s\n\n", paragraphs(text))
	}
}

func (p *Page) arguments(b *strings.Builder, section func(string)) {
	if len(p.node.Positional) == 0 {
		return
	}
	section("ARGUMENTS")
	for _, a := range p.node.Positional {
		fmt.Fprintf(b, "*%s*\n:   %s\n\n", escape(a.Name), escape(oneLine(a.Help)))
	}
}

func (p *Page) options(b *strings.Builder, section func(string)) {
	first := true
	for _, flags := range p.node.AllFlags(true) {
		for _, f := range flags {
			if first {
				section("OPTIONS")
				first = false
			}
			fmt.Fprintf(b, "%s\n:   %s\n\n", term(f), escape(oneLine(f.Help)))
		}
	}
}

// term returns a flag as the head of its explanation: its spellings in bold, its value in italics.
func term(f *kong.Flag) string {
	text := "**--" + f.Name + "**"
	if f.Short != 0 {
		text = fmt.Sprintf("**-%c**, %s", f.Short, text)
	}
	if f.IsBool() || f.IsCounter() {
		return text
	}
	return text + "=*" + escape(f.FormatPlaceHolder()) + "*"
}

// others names the pages beside this one.
func (p *Page) others(b *strings.Builder, section func(string)) {
	leaves := p.app.Leaves(true)
	if p.node != p.app.Node {
		section("SEE ALSO")
		fmt.Fprintf(b, "**%s**(1)\n", p.app.Name)
		return
	}
	section("COMMANDS")
	for _, c := range leaves {
		fmt.Fprintf(b, "**%s**(1)\n:   %s\n\n", strings.ReplaceAll(c.FullPath(), " ", "-"), escape(oneLine(c.Help)))
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// paragraphs returns a text with its indented lines as they are, and the others escaped.
func paragraphs(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "  ") {
			lines[i] = "    " + strings.TrimLeft(line, " ")
		} else {
			lines[i] = escape(line)
		}
	}
	return strings.Join(lines, "\n")
}

func indent(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := range lines {
		if lines[i] != "" {
			lines[i] = "    " + lines[i]
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// special are the characters that Markdown gives a meaning inside of a line.
const special = "\\`*_<>[]|"

// escape returns a text with the characters that mean something in Markdown escaped.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		if slices.Contains([]rune(special), r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
