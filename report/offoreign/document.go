package offoreign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/words"
)

// meaning explains these results to readers who never saw the program.
const meaning = "These figures were printed by another program. Nothing was measured again or corrected. Programs " +
	"measure the same thing in different ways, so that their figures differ on the same machine. Each section " +
	"describes how its figures were measured."

// Document returns the whole report of a result that has passed Check.
func Document(r *foreign.Result) *document.Document {
	d := &document.Document{Title: r.Program + " on " + parts.NameOf(r.System, r.Host),
		Subtitle: "read from " + words.OneLine(r.Imported), Facts: facts(r), Notices: notices(r),
		Date: Report{r}.Header().Date(), Lead: parts.Lead(meaning, sentences(r))}
	if x := r.Rating; x != nil {
		d.Headline = headline(x)
	}
	names := foreign.Names(r.Tables)
	if len(r.Tables) > 0 {
		d.Sections = append(d.Sections, overview(r, names))
	}
	figures := Figures(r)
	for i := range r.Tables {
		t := &r.Tables[i]
		s := document.Section{ID: sectionID(i), Title: words.OneLine(names[i]), Blocks: []document.Block{
			document.Paragraph(about(t)), table(i, t)}}
		s.Blocks = append(s.Blocks, parts.FiguresWithPrefix(figures, sectionID(i)+"-")...)
		d.Sections = append(d.Sections, s)
	}
	d.Sections = append(d.Sections, document.Section{ID: "units", Title: "Units", Blocks: []document.Block{
		document.List{"1 MB/s = 10^6 bytes per second. If the program prints other units, its columns name them.",
			"Figures have the digits that were printed."}}})
	return d
}

// sectionID returns the ID of a table's section.
func sectionID(i int) string { return fmt.Sprintf("table-%d", i+1) }

// headline returns the program's own number.
func headline(x *foreign.Rating) document.Headline {
	h := document.Headline{Name: words.OneLine(x.Name), Value: rating.Rounded(x.Value, 6)}
	if x.Quantity == foreign.BytesPerSecond {
		h.Value, h.Unit = rating.Rounded(x.Value/words.Mega, 6), "MB/s"
	}
	if x.NotValid {
		h.Note = "the program marks it as not valid"
	}
	return h
}

func facts(r *foreign.Result) []document.Fact {
	list := parts.MachineFacts(r.System, &r.Host, r.Engine, "")
	list.Add(r.Processes > 0, "processes", "%d", r.Processes)
	list.Add(r.Nodes > 0, "nodes", "%d", r.Nodes)
	list.Add(true, "placement", "%s", parts.Placement(r.Placement))
	list.Add(true, "program", "%s %s", r.Program, words.OneLine(r.ProgramVersion))
	list.Add(true, "command", "%s", words.OneLine(r.Command))
	list.Add(true, "imported", "from %s", words.OneLine(r.Imported))
	list.Add(r.WallSeconds > 0, "duration", "%.1f s", r.WallSeconds)
	list.Add(!r.Started.IsZero(), "measured", "%s",
		Report{r}.Header().Date().Format("Mon, 02 Jan 2006 15:04:05 MST"))
	return list
}

// notices returns the notices, the worst first.
func notices(r *foreign.Result) (list []document.Notice) {
	if n := r.Failed(); n > 0 {
		list = append(list, document.Notice{Level: document.Bad, Text: fmt.Sprintf(
			"WRONG DATA: %s found wrong data in %s", r.Program, words.Count(n, "row")),
			Remedy: "the library, the network or the disk loses data, or the test has a fault: look there first"})
	}
	list = append(list, warnings(r, foreign.Contradiction)...)
	if x := r.Rating; x != nil && x.NotValid {
		list = append(list, document.Notice{Level: document.Bad, Text: r.Program + " itself marks its " +
			words.OneLine(x.Name) + " as not valid"})
	}
	if !r.Complete {
		text := "the file ends early and lacks figures"
		if r.Ended != "" {
			text += ": " + words.OneLine(r.Ended)
		}
		list = append(list, document.Notice{Level: document.Bad, Text: text})
	}
	return append(list, warnings(r, foreign.Line)...)
}

// warnings returns the notices about the warnings with a code.
func warnings(r *foreign.Result, code string) (list []document.Notice) {
	all := lists.Where(r.Warnings, func(w rating.Warning) bool { return w.Code == code })
	for i, w := range all {
		text, level := words.OneLine(w.Text), document.Warning
		if more := len(all) - i; i == mostWarnings && more > 1 {
			text = fmt.Sprintf("%d more such lines", more)
		}
		if code == foreign.Contradiction {
			text, level = ranking.Doubtful.String()+": "+text, document.Bad
		}
		if i <= mostWarnings {
			list = append(list, document.Notice{Level: level, Text: text, Remedy: unproven[code]})
		}
	}
	return list
}

// mostWarnings is the number of warnings with a code that reports show.
const mostWarnings = 5

// about returns a paragraph about a table: the quantity, the method, the number of processes, the settings.
func about(t *foreign.Table) string {
	var text []string
	if t.Operation != "" {
		text = append(text, "Measured: "+t.Operation.Title()+". How: "+t.Words())
	}
	if t.Processes > 0 {
		text = append(text, "On "+words.Processes(t.Processes))
	}
	if list := settings(t); list != "" {
		text = append(text, "Settings: "+list)
	}
	if len(text) == 0 {
		return "No other program is known to measure this."
	}
	return strings.Join(text, ". ") + "."
}

// settings returns the settings of a table as a text.
func settings(t *foreign.Table) string {
	return words.OneLine(strings.Join(lists.Each(t.Settings, foreign.Setting.String), ", "))
}

// table returns all rows of a table.
func table(i int, of *foreign.Table) *document.Table {
	repetitions, failed, halves := false, false, false
	for _, row := range of.Rows {
		repetitions, failed = repetitions || row.Repetitions > 0, failed || row.Failed
		halves = halves || row.HalfWidth > 0
	}
	var t parts.Table[foreign.Row]
	t.If(hasLabels(of)).Text("label", func(r foreign.Row) string { return words.OneLine(r.Label) })
	t.If(of.Lengths).Number("length", "B", func(r foreign.Row) document.Cell { return document.Whole(r.Bytes) })
	t.If(repetitions).Number("repetitions", "", func(r foreign.Row) document.Cell {
		return parts.Number(float64(r.Repetitions), 0)
	})
	for k, c := range of.Columns {
		t.Number(withoutUnit(c), quantities[c.Quantity].unit.Shown, func(r foreign.Row) document.Cell {
			return cell(c.Quantity, r.Values[k])
		})
	}
	main := of.Columns[of.Mains()[0]]
	t.If(halves).Number("± of "+withoutUnit(main), quantities[main.Quantity].unit.Shown,
		func(r foreign.Row) document.Cell { return cell(main.Quantity, r.HalfWidth) })
	t.If(failed).Text("remarks", func(r foreign.Row) string { return words.Either(r.Failed, "WRONG DATA", "") })
	return t.Of(&document.Table{ID: fmt.Sprintf("rows-%d", i+1), Sortable: true,
		Caption: "All figures that the program printed."}, of.Rows)
}

// hasLabels reports whether rows of a table have names.
func hasLabels(t *foreign.Table) bool {
	return len(t.Rows) > 1 && !t.Lengths ||
		slices.ContainsFunc(t.Rows, func(r foreign.Row) bool { return r.Label != "" })
}

// withoutUnit returns the name of a column without its unit, which beff chooses.
func withoutUnit(c foreign.Column) string {
	name := words.OneLine(c.Name)
	if c.PerRank() {
		return name + " per rank"
	}
	if short := strings.TrimSpace(strings.TrimSuffix(name, "("+c.Printed+")")); short != "" {
		return short
	}
	return name
}

// overview returns a table with the best figures of each table.
func overview(r *foreign.Result, names []string) document.Section {
	t := &document.Table{ID: "overview", Sortable: true,
		Caption: "For each test: the time at the shortest length, and the largest bandwidth or rate with the length " +
			"that reached it.",
		Columns: document.Heads("test", "measured", "processes []", "time [µs]", "of [B]", "bandwidth [MB/s]",
			"at [B]", "rate [1/s]")}
	mixed := false
	factors := slices.ContainsFunc(r.Tables, func(x foreign.Table) bool { return x.Main(foreign.Factor) >= 0 })
	if factors {
		t.Columns = append(t.Columns, document.Heads("factor []")...)
	}
	if slices.ContainsFunc(r.Tables, func(x foreign.Table) bool { return x.PerProcess() }) {
		t.Caption += " Some tests print the bandwidth per process, others the total of all processes."
		t.Columns, mixed = append(t.Columns, document.Heads("bandwidth is")...), true
	}
	none := document.Text("-")
	at := func(t *foreign.Table, row *foreign.Row) document.Cell {
		if t.Lengths && row != nil {
			return document.Whole(row.Bytes)
		}
		return none
	}
	for i := range r.Tables {
		x, measured := &r.Tables[i], ""
		if x.Operation != "" {
			measured = x.Operation.Title()
		}
		time, short := x.Best(foreign.Seconds)
		rate, long := x.Best(foreign.BytesPerSecond)
		often, _ := x.Best(foreign.PerSecond)
		for _, row := range []*foreign.Row{short, long} { // b_eff's figures have labels
			if row != nil && !x.Lengths && row.Label != "" && measured != "" {
				measured += ", " + row.Label
			}
		}
		cells := []document.Cell{document.Text(words.OneLine(names[i])), document.Text(measured),
			parts.Number(float64(x.Processes), 0), parts.Microseconds(time), at(x, short), parts.Bandwidth(rate),
			at(x, long), parts.Number(often, 0)}
		if factors {
			slower, _ := x.Best(foreign.Factor)
			cells = append(cells, parts.Number(slower, 1))
		}
		if mixed {
			each := words.Either(rate == 0, "", words.Either(x.PerProcess(), "per process", "total"))
			cells = append(cells, document.Text(each))
		}
		t.Rows = append(t.Rows, cells)
	}
	return document.Section{ID: "summary", Title: "Overview", Blocks: []document.Block{t}}
}

// sentences returns the sentences of the first page: latency and bandwidth of messages, and bandwidth of files.
func sentences(r *foreign.Result) (list []string) {
	add := func(o foreign.Operation, q foreign.Quantity, say func(x float64, at string) string) {
		for t := range lists.Elements(r.Tables) {
			if x, row := t.Best(q); t.Operation == o && x > 0 {
				at := ""
				if t.Lengths {
					at = fmt.Sprintf(" at %s", words.Count(int(row.Bytes), "byte"))
				}
				list = append(list, say(x, at)+fmt.Sprintf(" (%s: %s).", words.OneLine(t.Test), t.Words()))
				return
			}
		}
	}
	add(foreign.Message, foreign.Seconds, func(x float64, at string) string {
		return fmt.Sprintf("A message between two processes takes %s%s", words.Times.Short(x), at)
	})
	add(foreign.Message, foreign.BytesPerSecond, func(x float64, at string) string {
		return fmt.Sprintf("The bandwidth between two processes reaches %s%s", words.Bandwidths.Short(x), at)
	})
	for _, o := range []foreign.Operation{foreign.Write, foreign.Read} {
		add(o, foreign.BytesPerSecond, func(x float64, _ string) string {
			title := o.Title()
			return fmt.Sprintf("%s reaches %s", strings.ToUpper(title[:1])+title[1:], words.Bandwidths.Short(x))
		})
	}
	if x := foreign.Figures.Values(r)["congestion_impact"]; x.Value > 0 {
		list = append(list, fmt.Sprintf("Congestion makes a test up to %.1f times as slow.", x.Value))
	}
	return list
}
