package usage

import (
	"fmt"
	"io"
	"strings"
	"text/template"

	"github.com/alecthomas/kong"
)

// Page is a page of the manual for the program or for a command. The packaging turns pages into man pages, and the
// documentation includes them unchanged.
type Page struct {
	Name     string // such as beff-probe-list
	App      *kong.Application
	Node     *kong.Node
	Appendix string // preformatted (empty: none)
}

// Pages returns the page of the program, and one for each command that can be called. appendix returns a preformatted
// text for the end of a command's page, empty for none: commands with their own grammar have one.
func Pages(app *kong.Application, appendix func(*kong.Node) string) []*Page {
	pages := []*Page{{Name: app.Name, App: app, Node: app.Node}}
	for _, node := range app.Leaves(true) {
		pages = append(pages, &Page{name(node), app, node, appendix(node)})
	}
	return pages
}

// name returns the name of a command's page.
func name(node *kong.Node) string { return strings.ReplaceAll(node.FullPath(), " ", "-") }

// Form is the destination of a page, and names its template.
type Form string

// The forms of a page.
const (
	Man  Form = "man"  // to be turned into a man page by md2man
	Site Form = "site" // for the documentation: headings begin one level lower
)

// functions are the functions for the template.
var functions = template.FuncMap{
	"name": name, "term": term, "escape": escape, "indent": indent, "paragraphs": paragraphs, "upper": strings.ToUpper,
	"line": func(text string) string { return escape(strings.Join(strings.Fields(text), " ")) },
}

// forms is the template of a page, with a definition for each form.
const forms = `
{{- define "man"}}% {{upper .Name}} 1 "" {{printf "%q" .Version}} "User commands"

{{template "body" .}}{{end}}
{{- define "site"}}# {{.Node.FullPath}}

{{template "body" .}}{{end}}
{{- define "body"}}{{$h := .Heading}}{{$h}}NAME

{{.Name}} - {{line .Title}}

{{$h}}SYNOPSIS

**{{.App.Name}}** {{escape .Synopsis}}

{{with .Description}}{{$h}}DESCRIPTION

{{paragraphs .}}

{{end}}
{{- with .Node.Positional}}{{$h}}ARGUMENTS

{{range .}}*{{escape .Name}}*
:   {{line .Help}}

{{end}}{{end}}
{{- with .Node.AllFlags true}}{{$h}}OPTIONS

{{range .}}{{range .}}{{term .}}
:   {{line .Help}}

{{end}}{{end}}{{end}}
{{- with .Appendix}}{{$h}}OPTIONS OF ITS OWN

{{indent .}}

{{end}}
{{- if eq .Node .App.Node}}{{$h}}COMMANDS

{{range .App.Leaves true}}**{{name .}}**(1)
:   {{line .Help}}

{{end}}{{else}}{{$h}}SEE ALSO

**{{.App.Name}}**(1)
{{end}}{{end}}`

// Write writes the page. version is the program's.
func (p *Page) Write(w io.Writer, form Form, version string) error {
	title, rest, _ := strings.Cut(p.Node.Help, "\n\n")
	rest = strings.Trim(rest+"\n\n"+p.Node.Detail, "\n")
	of := struct {
		*Page
		Version, Heading, Title, Synopsis, Description string
	}{p, version, "# ", strings.TrimSuffix(title, "."), "COMMAND [flags]", rest}
	if form == Site {
		of.Heading = "## "
	}
	if p.Node != p.App.Node {
		of.Synopsis = p.Node.Summary()
	}
	return template.Must(template.New("").Funcs(functions).Parse(forms)).ExecuteTemplate(w, string(form), of)
}

// term returns a flag for the head of its explanation: its spellings in bold, its value in italics.
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

// paragraphs returns a text with its indented lines unchanged, and the others escaped.
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

// indent returns a preformatted text.
func indent(text string) string {
	text = "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
	return strings.ReplaceAll(text, "\n    \n", "\n\n")
}

// escape escapes the characters of a text that have a meaning in a line of Markdown.
var escape = strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "<", "\\<", ">", "\\>", "[", "\\[",
	"]", "\\]", "|", "\\|").Replace
