package offoreign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/versus"
	"github.com/effective-bandwidth/beff/report/words"
)

// Document returns the comparison as a report, which ends with pictures.
func (c *Comparison) Document() *document.Document {
	var sides []versus.Side
	for i, r := range c.Results {
		sides = append(sides, versus.Side{Name: c.Names[i], Fact: fact(r), Date: r.Started, Around: r.Circumstances})
	}
	var sections []document.Section
	for i := range c.Others {
		sections = append(sections, c.summary(i), c.rows(i))
	}
	p := versus.Page{Title: "Results", Sides: sides, Notices: c.notices(), Sections: sections,
		Mains: versus.Mains(c.Others, mainOf), Pictures: c.Overlay(), Method: method}
	if p.Mains[0].Name == speed {
		p.Remark = "; geometric mean over all that both have"
	}
	return p.Document()
}

func mainOf(o Other) versus.Difference { return o.Main }

var method = []string{
	"Compared are tests that measure the same thing on the same number of processes, where both files say it, at " +
		"lengths that both have. Of several such tests the nearest ones are taken: of the same program, measured in " +
		"the same way, with the same settings.",
	"Where both have the same rating, such as b_eff, it is what the comparison is about; else the geometric mean " +
		"over all that both have.",
	"Nothing is corrected for what differs in method. The notices say what that is.",
	"A ratio is that of the bandwidths or rates, or the inverse one of the times: above 1 is faster.",
	versus.About,
	"1 MB/s = 10^6 bytes per second.",
}

// fact returns what is known of a result, in words.
func fact(r *foreign.Result) string {
	known := []string{parts.NameOf(r.System, r.Host),
		strings.TrimSpace(r.Program + " " + words.OneLine(r.ProgramVersion))}
	if r.Processes > 0 {
		known = append(known, words.Processes(r.Processes))
	}
	if library := strings.TrimSpace(r.Engine.Library + " " + r.Engine.Version); library != "" {
		known = append(known, library)
	}
	if !r.Started.IsZero() {
		known = append(known, r.Started.Format("2006-01-02"))
	}
	if r.Imported != "" {
		known = append(known, "imported from "+words.OneLine(r.Imported))
	}
	return strings.Join(known, ", ")
}

// notices returns what differs in method, in a sentence for each two tests, then the rest.
func (c *Comparison) notices() (list []document.Notice) {
	for i, r := range c.Results {
		for _, n := range notices(r) {
			n.Text = c.Names[i] + ": " + n.Text
			list = append(list, n)
		}
	}
	for i := range c.Others {
		for k := range c.Others[i].Pairs {
			p := &c.Others[i].Pairs[k]
			n := document.Notice{Level: document.Warning, Text: p.differs(), Remedy: "such a ratio tells of the " +
				words.Either(p.SameWay(), "settings", "programs") + " as well as of the systems"}
			if n.Text != "" && !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
	}
	for _, o := range c.Others {
		for _, x := range []struct {
			names []string
			who   string
		}{{o.OnlyFirst, c.Names[0]}, {o.OnlySecond, o.Name}} {
			if len(x.names) > 0 {
				list = append(list, document.Notice{Level: document.Note, Text: fmt.Sprintf("only %s has: %s", x.who,
					words.Some(x.names))})
			}
		}
	}
	return list
}

// differs says in a sentence what differs in method between a pair's tests; "" if nothing is known to differ.
func (p *Pair) differs() string {
	name := func(i int, t *foreign.Table) string { return p.Programs[i] + " " + words.OneLine(t.Test) }
	if !p.SameWay() {
		return fmt.Sprintf("the methods differ: %s is %s; %s is %s", name(0, p.First), p.First.Words(),
			name(1, p.Second), p.Second.Words())
	}
	var list []string
	for _, s := range p.First.Settings {
		for _, o := range p.Second.Settings {
			if o.Name == s.Name && o.Value != s.Value {
				list = append(list, fmt.Sprintf("%s %s against %s", words.OneLine(s.Name), words.OneLine(s.Value),
					words.OneLine(o.Value)))
			}
		}
	}
	if len(list) > 0 {
		return fmt.Sprintf("the settings of %s and %s differ: %s", name(0, p.First), name(1, p.Second),
			strings.Join(list, ", "))
	}
	return ""
}

// summary returns a table of the pairs, with how each was measured.
func (c *Comparison) summary(i int) document.Section {
	o := &c.Others[i]
	section := document.Section{ID: fmt.Sprintf("summary-%d", i+1),
		Title: fmt.Sprintf("%s against %s", o.Name, c.Names[0])}
	if len(o.Pairs) == 0 {
		text := "Nothing was measured in both."
		if a, b := c.Results[0].Processes, c.Results[i+1].Processes; a > 0 && b > 0 && a != b {
			text += fmt.Sprintf(" They are of %s and of %d, and only tests on the same number are compared.",
				words.Processes(a), b)
		}
		section.Blocks = []document.Block{document.Paragraph(text)}
		return section
	}
	t := &document.Table{ID: fmt.Sprintf("tests-%d", i+1), Sortable: true,
		Caption: fmt.Sprintf("Speed of %s relative to the first: geometric means over the lengths.", o.Name),
		Columns: []document.Column{{Name: "compared"}, {Name: "figure"}, {Name: c.Names[0]}, {Name: o.Name},
			{Name: "ratio", Numbers: true}, {Name: "rows", Numbers: true}, {Name: "method"}}}
	for k := range o.Pairs {
		p := &o.Pairs[k]
		t.Rows = append(t.Rows, []document.Cell{document.Text(p.Name()), document.Text(quantities[p.Quantity].name),
			document.Text(words.OneLine(p.First.Test)), document.Text(words.OneLine(p.Second.Test)),
			parts.Four(p.Mean().Ratio()), parts.Number(float64(len(p.Rows)), 0),
			document.Text(words.Either(p.SameWay(), "same", "differs"))})
	}
	section.Blocks = []document.Block{t}
	return section
}

// rows returns a table of all lengths.
func (c *Comparison) rows(i int) document.Section {
	o := &c.Others[i]
	section := document.Section{ID: fmt.Sprintf("lengths-%d", i+1),
		Title: fmt.Sprintf("%s against %s, by length", o.Name, c.Names[0])}
	for k := range o.Pairs {
		p := &o.Pairs[k]
		of := quantities[p.Quantity]
		t := &document.Table{ID: fmt.Sprintf("lengths-%d-%d", i+1, k+1), Sortable: true,
			Caption: fmt.Sprintf("%s: %s, and the speed of the second relative to the first.", p.Name(), of.name)}
		labels := hasLabels(p.First)
		if labels {
			t.Columns = append(t.Columns, document.Column{Name: "what"})
		}
		if p.First.Lengths {
			t.Columns = append(t.Columns, document.Column{Name: "length", Unit: "B", Numbers: true})
		}
		t.Columns = append(t.Columns, document.Column{Name: c.Names[0], Unit: of.unit.Shown, Numbers: true},
			document.Column{Name: o.Name, Unit: of.unit.Shown, Numbers: true},
			document.Column{Name: "ratio", Numbers: true})
		known := slices.ContainsFunc(p.Rows, func(r Row) bool { return p.Difference(r).Interval().Known })
		if known {
			t.Columns = append(t.Columns, versus.IntervalColumns...)
		}
		for _, r := range p.Rows {
			var cells []document.Cell
			if labels {
				cells = append(cells, document.Text(words.OneLine(r.Label)))
			}
			if p.First.Lengths {
				cells = append(cells, length(r.Bytes))
			}
			d := p.Difference(r)
			cells = append(cells, parts.Four(of.unit.In(r.First.Value)), parts.Four(of.unit.In(r.Second.Value)),
				parts.Four(d.Ratio()))
			if known {
				cells = append(cells, versus.IntervalCells(d)...)
			}
			t.Rows = append(t.Rows, cells)
		}
		section.Blocks = append(section.Blocks, t)
	}
	return section
}
