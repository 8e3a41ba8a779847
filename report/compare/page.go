package compare

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// page holds the parts of a comparison's document.
type page struct {
	title, meaning, by, each, shown, nothing, terms string
	columns                                         []string
	sides                                           []Side
	notices, differing                              []document.Notice
	figures                                         []figureLine
	pairs                                           []Pair
	pictures                                        []*document.Figure
	method                                          []string
}

// document returns the document. It leaves out sections without blocks.
func (p *page) document() *document.Document {
	d := &document.Document{Headline: p.headline(), Upright: true, Lead: document.Lead{Meaning: p.meaning},
		Notices: slices.Concat(aboutLimits(p.sides), p.notices, aboutInvalid(p.sides), aboutSlowed(p.sides),
			aboutModels(p.sides), p.differing, aboutNoisy(p.sides), p.lacking())}
	slices.SortStableFunc(d.Notices, func(a, b document.Notice) int {
		return seriousness[a.Level] - seriousness[b.Level]
	})
	var names []string
	var around []rating.Circumstances
	for _, s := range p.sides {
		names, around = append(names, s.Name), append(around, s.Around)
		d.Facts = append(d.Facts, document.Fact{Name: s.Name, Value: s.words(p.title)})
		if s.Date.After(d.Date) {
			d.Date = s.Date
		}
	}
	day := func(t time.Time) string { return t.UTC().Format(time.DateOnly) }
	if slices.ContainsFunc(p.sides, func(s Side) bool { return day(s.Date) != day(d.Date) }) {
		d.Date = time.Time{} // each side shows its own date
	}
	d.Title, d.Subtitle = p.title+" of "+strings.Join(names, ", "), comparedWith(names)
	side := sideBySide(names, p.figures)
	if p.terms != "" {
		side.Blocks = slices.Insert(side.Blocks, 0, document.Block(document.Paragraph(p.terms)))
	}
	if len(p.pictures) > 0 {
		side.Blocks = slices.Insert(side.Blocks, 0, document.Block(p.pictures[0]))
		p.pictures = p.pictures[1:]
	}
	d.Sections = []document.Section{systemsTable(names, lists.Each(p.sides, func(s Side) []document.Fact {
		return s.System
	})), side}
	if len(p.pairs) > 1 {
		d.Sections = append(d.Sections, p.against())
	}
	for i := range p.pairs {
		if len(p.pairs) == 1 {
			d.Sections = append(d.Sections, p.differences(i))
		}
		d.Sections = append(d.Sections, p.lengths(i))
	}
	environments := parts.EnvironmentsDiffer(names, around)
	d.Screen = p.screen(d, environments)
	d.Sections = parts.Sections(append(d.Sections, environments, parts.FiguresSection(p.pictures),
		document.Section{ID: methodID, Title: methodTitle,
			Blocks: []document.Block{document.List(p.method)}})...)
	return d
}

// comparedWith returns the subtitle of a comparison.
func comparedWith(names []string) string {
	return several(names[1:]) + " compared with " + names[0]
}

// several joins the names of systems, or gives their number if the names need too much room.
func several(names []string) string {
	const room = 80
	if text := words.Joined(names, "and"); len(names) < 3 || len(text) < room {
		return text
	}
	return fmt.Sprintf("%d systems", len(names))
}

// IDs of sections; rowsID is followed by the number of a side.
const (
	systemsID      = "who"
	rowsID         = "rows-"
	methodID       = "method"
	environmentsID = "environments" // parts.EnvironmentsDiffer
	methodTitle    = "How this was computed"
)

// systemsTable returns the section about who is compared, without facts that no side knows.
func systemsTable(names []string, facts [][]document.Fact) document.Section {
	t := &document.Table{ID: "systems", Caption: "Who is compared.", Columns: document.Heads("fact")}
	stated := false
	for _, name := range append(slices.Clone(names), "comparison") {
		t.Columns = append(t.Columns, document.Column{Name: name})
	}
	for i, fact := range facts[0] {
		cells, values := []any{fact.Name}, []string{}
		for _, of := range facts {
			value := of[i].Value
			cells, values = append(cells, words.OneLine(value)), append(values, value)
			stated = stated || strings.Contains(value, "(stated")
		}
		known := lists.Where(values, func(value string) bool { return value != "" })
		switch different := len(lists.Unique(known)) > 1; {
		case len(known) == 0:
			continue
		case len(known) < len(names) && !different:
			cells = append(cells, "not known of all")
		default:
			cells = append(cells, words.Either(different, "different", "equal"))
		}
		t.Add(cells...)
	}
	if stated {
		t.Caption += " Facts that the runs found come first; (stated) marks the operators' words."
	}
	return parts.Section(systemsID, "The systems", t)
}

// source describes the pictures of all sides, with or without the numbers of processes. Common properties are not
// repeated.
func (p *page) source(counted bool) string {
	one := func(of func(Side) string) bool {
		return !slices.ContainsFunc(p.sides, func(s Side) bool { return of(s) != of(p.sides[0]) })
	}
	processes := func(s Side) string {
		return words.Either(counted && s.Processes > 0, words.Processes(s.Processes), "")
	}
	origin := func(s Side) string { return s.Origin }
	var names, all []string
	for _, of := range []func(Side) string{processes, origin} {
		if one(of) {
			all = append(all, of(p.sides[0]))
		}
	}
	for _, s := range p.sides {
		said := one(origin) || strings.HasSuffix(s.Name, "(model)")
		own := joined([]string{words.Either(one(processes), "", processes(s)), words.Either(said, "", s.Origin)}, ", ")
		names = append(names, s.Name+words.Either(own == "", "", " ("+own+")"))
	}
	text := several(lists.Each(p.sides, func(s Side) string { return s.Name }))
	text = words.Either(strings.HasSuffix(text, " systems"), text, strings.Join(names, ", "))
	return joined(append([]string{text}, all...), " · ")
}

// seriousness is the order of notices: the worst first.
var seriousness = map[document.Level]int{document.Bad: 0, document.Warning: 1, document.Note: 2, document.Good: 3}

// headline returns the headline. For two sides it is the ratio of the main figures; for more it is the highest figure,
// and the lowest relative to it. Speeds, which have no unit, are relative to the lowest. It is empty if a side lacks
// the figure.
func (p *page) headline() document.Headline {
	first, main := p.sides[0].Name, p.pairs[0].Main
	if len(p.pairs) == 1 && main.Measured() {
		note := main.Sentence(first, p.sides[1].Name)
		if main.Comparison().Order() == rating.Smaller { // from the view of the side that is ahead, like the sentence
			main = main.over()
		}
		h := document.Headline{Name: main.Name, Unit: "times", Note: note + ": " + main.Effect(),
			Value: words.Digits(main.Ratio(), main.estimate().Digits())}
		if main.Comparison().Order() == rating.Alike && main.Interval().Known {
			h.Value, h.Unit = formatEnds(main.estimate()), "times: no difference found"
		}
		switch {
		case main.Name == Speed:
			h.Note += "; geometric mean"
		case p.by != "":
			h.Note += ", by " + p.by
		}
		return h
	}
	values := p.values()
	if values == nil {
		return document.Headline{}
	}
	high, low := slices.Index(values, slices.Max(values)), slices.Index(values, slices.Min(values))
	h := document.Headline{Name: fmt.Sprintf("The highest %s of %d: %s", main.Name, len(p.sides), p.sides[high].Name),
		Note: fmt.Sprintf("%s has the lowest, %.3f times the highest", p.sides[low].Name, values[low]/values[high])}
	h.Note = strings.TrimPrefix(p.alike(high)+"; "+h.Note, "; ")
	if h.Value, h.Unit = words.ValueAndUnit(rating.Estimate{Value: values[high]}); main.Name == Speed {
		h.Value, h.Unit = fmt.Sprintf("%.3f", values[high]/values[low]), "times as fast as "+p.sides[low].Name
		h.Note = fmt.Sprintf("%s is %.3f times as fast as %s", first, values[0]/values[low], p.sides[low].Name)
	}
	return h
}

// values returns the main figures of all sides, computed from their ratios to the first, or nil if one is missing.
func (p *page) values() []float64 {
	main := p.pairs[0].Main
	values := []float64{main.First.Value}
	for _, pair := range p.pairs {
		if !pair.Main.Measured() || pair.Main.Name != main.Name {
			return nil
		}
		values = append(values, main.First.Value*pair.Main.Ratio())
	}
	return values
}

// main returns the main figure of a side.
func (p *page) main(side int) Sampled {
	if side == 0 {
		return p.pairs[0].Main.First
	}
	return p.pairs[side-1].Main.Second
}

// alike names the sides whose main figure can't be distinguished from the given side's, or returns "".
func (p *page) alike(side int) string {
	var names []string
	for i, s := range p.sides {
		if i != side && !judge(p.main(side), p.main(i)).Differ() {
			names = append(names, s.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "not distinguishable from " + words.Joined(names, "and")
}

// lacking returns notices about rows that only one side has.
func (p *page) lacking() (list []document.Notice) {
	first := p.sides[0].Name
	add := func(level document.Level, format string, values ...any) {
		list = append(list, document.Notice{Level: level, Text: fmt.Sprintf(format, values...)})
	}
	for _, pair := range p.pairs {
		if !pair.Main.Measured() {
			add(document.Bad, "%s can't be compared with %s by %s: %s", pair.Name, first, pair.Main.Name, p.nothing)
		}
		if both, one := len(pair.averaged()), len(pair.OnlyFirst)+len(pair.OnlySecond); pair.Main.Measured() &&
			pair.Main.Name == Speed && one > both {
			add(document.Warning, "%s and %s have %s in common, and %d more are in only one of them", first, pair.Name,
				words.Count(both, "row"), one)
		}
		if len(pair.OnlyFirst) > 0 {
			add(document.Note, "only in %s, not in %s: %s", first, pair.Name, words.Some(pair.OnlyFirst))
		}
		if len(pair.OnlySecond) > 0 {
			add(document.Note, "only in %s: %s", pair.Name, words.Some(pair.OnlySecond))
		}
		for _, n := range pair.Notices {
			if !known(list, n) {
				list = append(list, n)
			}
		}
	}
	return list
}

// methods returns the lines about the method that apply to the data.
func (p *page) methods(spread, unknown string) (list []string) {
	known, classes := false, false
	for _, pair := range p.pairs {
		for _, r := range pair.rows() {
			known, classes = known || r.Interval().Known, classes || r.Bytes > 0
		}
	}
	runs := slices.ContainsFunc(p.sides, func(s Side) bool { return s.Count > 1 })
	for _, line := range []struct {
		is   bool
		text string
	}{{classes, aboutClasses}, {known, about}, {known, spread}, {!known, unknown}, {runs, aboutRuns},
		{true, "1 MB/s = 10^6 bytes per second, and 1 GB/s = 10^9."}} {
		if line.is && line.text != "" {
			list = append(list, line.text)
		}
	}
	return list
}

// differences returns the section on a side and the first one: the rows of a single group, otherwise the groups.
func (p *page) differences(i int) document.Section {
	pair := &p.pairs[i]
	section := document.Section{ID: fmt.Sprintf("differences-%d", i+1),
		Title: fmt.Sprintf("%s against %s", pair.Name, p.sides[0].Name)}
	if len(pair.Groups) == 0 {
		section.Blocks = []document.Block{document.Paragraph("Nothing to compare: " + p.nothing + ".")}
		return section
	}
	detectable := []Difference{pair.Main}
	if pair.Groups[0].Name == "" {
		section.Blocks = []document.Block{p.rowsTable(i, p.each+"s")}
		for _, r := range pair.Groups[0].Rows {
			detectable = append(detectable, r.Difference)
		}
	} else {
		section.Blocks = []document.Block{p.groupsTable(i)}
	}
	if i := slices.IndexFunc(detectable, func(d Difference) bool { return d.Detectable() != "" }); i >= 0 {
		section.Blocks = append(section.Blocks, document.Paragraph(detectable[i].Detectable()))
	}
	if len(detectable) > 1 && detectable[0].Interval().Known &&
		!slices.ContainsFunc(detectable, func(d Difference) bool { return d.Significant }) {
		section.Blocks = append(section.Blocks, document.Paragraph(parts.Sentence(pair.where())+"."))
	}
	section.Blocks = append(section.Blocks, pair.Remarks...)
	return section
}

// against returns the section that has the ratios of three or more sides in one table: a row for each row of a single
// group, otherwise for each group.
func (p *page) against() document.Section {
	type line struct {
		name string
		of   []Difference // of each side except the first; not measured if the side lacks the row
	}
	var lines []line
	at := map[string]int{}
	for i, pair := range p.pairs {
		var own []Difference
		for _, g := range pair.Groups {
			if g.Name != "" {
				own = append(own, OfAll(g.Name, g.counted()))
				continue
			}
			for _, r := range g.Rows {
				own = append(own, r.Difference)
				own[len(own)-1].Name = r.label()
			}
		}
		TestWithMain(own, slices.IndexFunc(own, func(d Difference) bool { return d.Name == pair.Main.Name }))
		for _, d := range own {
			if _, seen := at[d.Name]; !seen {
				at[d.Name] = len(lines)
				lines = append(lines, line{d.Name, make([]Difference, len(p.pairs))})
			}
			lines[at[d.Name]].of[i] = d
		}
	}
	if len(lines) == 0 {
		return document.Section{}
	}
	var columns parts.Table[line]
	columns.Text(p.each, func(l line) string { return l.name })
	for i, pair := range p.pairs {
		columns.Number(pair.Name, "", func(l line) document.Cell { return l.of[i].found() })
	}
	return parts.Section("differences-1", "Against "+p.sides[0].Name, columns.Of(&document.Table{
		ID: p.each + "s-1", Sortable: true,
		Caption: "How many times as fast each side is as " + p.sides[0].Name + ". None: no difference was found. The " +
			"spread of a ratio with a question mark isn't known."}, lines))
}

// found returns a cell with the ratio if the difference is significant.
func (d Difference) found() document.Cell {
	c := parts.FourDigits(d.Ratio())
	switch {
	case !d.Measured() || d.First.Model || d.Second.Model:
	case !d.Interval().Known:
		c.Text += "?"
	case !d.Significant:
		c.Text = "none"
	}
	return c
}

// addRatios adds the column of a ratio and, if known is true, columns for its interval and its significance.
func addRatios[R any](c *parts.Table[R], name string, known bool, of func(R) Difference) {
	c.Number(name, "", func(r R) document.Cell { return parts.FourDigits(of(r).Ratio()) })
	c = c.If(known)
	c.Number("95 % from", "", func(r R) document.Cell { return parts.FourDigits(of(r).Interval().Low) })
	c.Number("95 % to", "", func(r R) document.Cell { return parts.FourDigits(of(r).Interval().High) })
	c.Add(document.Column{Name: "significant"}, func(r R) document.Cell {
		switch d := of(r); {
		case !d.Interval().Known:
			return document.Text("not known")
		case d.Significant:
			return document.Cell{Text: "yes", Strong: true}
		}
		return document.Text("no")
	})
}

// groupsTable returns a table of the means of each group, with classes of lengths if there are lengths.
func (p *page) groupsTable(i int) *document.Table {
	pair := &p.pairs[i]
	all := Group{Name: "all", Words: make([]string, len(p.columns)), Rows: pair.averaged()}
	type summed struct {
		Group
		mean Difference
	}
	var list []summed
	var means []Difference
	for _, g := range append(slices.Clone(pair.Groups), all) {
		list, means = append(list, summed{Group: g}), append(means, OfAll("", g.counted()))
	}
	TestWithMain(means, len(means)-1)
	for k := range list {
		list[k].mean = means[k]
	}
	var columns parts.Table[summed]
	columns.Text(p.each, func(g summed) string { return g.Name })
	for k, name := range p.columns {
		columns.Text(name, func(g summed) string { return g.Words[k] })
	}
	for _, c := range classes {
		columns.If(slices.ContainsFunc(all.Rows, hasLength)).Number(c.name, "", func(g summed) document.Cell {
			return parts.FourDigits(g.Mean(c.above, c.top).Ratio())
		})
	}
	last := list[len(list)-1]
	addRatios(&columns, "all", last.mean.Interval().Known, func(g summed) Difference { return g.mean })
	columns.Number("rows", "", func(g summed) document.Cell { return parts.Number(float64(g.mean.Rows), 0) })
	return columns.Of(&document.Table{ID: fmt.Sprintf("%ss-%d", p.each, i+1), Sortable: true,
		Caption: fmt.Sprintf("How many times as fast %s is. Means are geometric.", pair.Name),
		Footer:  columns.Row(last)}, list[:len(list)-1])
}

func hasLength(r Row) bool { return r.Bytes > 0 }

// lengths returns the section of all rows of a side's groups. It has no blocks if the rows have no groups.
func (p *page) lengths(i int) document.Section {
	pair := &p.pairs[i]
	section := document.Section{ID: fmt.Sprint(rowsID, i+1),
		Title: fmt.Sprintf("%s against %s, row by row", pair.Name, p.sides[0].Name)}
	if len(pair.Groups) > 0 && pair.Groups[0].Name != "" {
		section.Blocks = []document.Block{p.rowsTable(i, "all-rows")}
	}
	return section
}

// rowsTable returns a table of all rows, with the columns that they need.
func (p *page) rowsTable(i int, id string) *document.Table {
	pair := &p.pairs[i]
	type placed struct {
		group string
		Row
	}
	var rows []placed
	var figures []rating.Figure
	labels, lengths, known := false, false, false
	for _, g := range pair.Groups {
		for _, r := range g.Rows {
			group := g.Name
			if group == "" {
				group, r.Name = r.Name, ""
			}
			rows = append(rows, placed{group, r})
			labels, lengths, known = labels || r.Name != "", lengths || hasLength(r), known || r.Interval().Known
			for _, s := range r.Shown {
				if !slices.Contains(figures, s.Figure) {
					figures = append(figures, s.Figure)
				}
			}
		}
	}
	var columns parts.Table[placed]
	columns.Text(p.each, func(r placed) string { return r.group })
	columns.If(labels).Text("row", func(r placed) string { return r.Name })
	columns.If(lengths).Number("length", "B", func(r placed) document.Cell { return document.Whole(r.Bytes) })
	for _, f := range figures {
		for side, name := range []string{p.sides[0].Name, pair.Name} {
			columns.Number(name, f.Unit.Shown, func(r placed) document.Cell { return r.cell(f, side) })
		}
	}
	addRatios(&columns, "ratio", known, func(r placed) Difference { return r.Difference })
	return columns.Of(&document.Table{ID: fmt.Sprintf("%s-%d", id, i+1), Sortable: pair.Groups[0].Name != "",
		Detail: len(p.pairs) > 1, // there is a table of all sides
		ByRow:  pair.Groups[0].Name == "" && differMuch(pair.Groups[0].Rows),
		Caption: p.shown + words.Either(known, ", their ratio with its 95 % interval, and whether it is significant.",
			" and their ratio."+words.Either(rows[0].Computed(), "", " The spread isn't known."))}, rows)
}

// differMuch reports whether the first side's figures differ too much for one unit.
func differMuch(rows []Row) bool {
	const most = 100
	values := lists.Each(rows, func(r Row) float64 { return r.First.Value })
	return slices.Max(values) > most*slices.Min(values)
}

// cell returns the cell of a figure of one side.
func (r Row) cell(f rating.Figure, side int) document.Cell {
	for _, s := range r.Shown {
		if s.Figure == f {
			return parts.FigureCell(f, f.Unit.In(s.Of[side]), []Sampled{r.First, r.Second}[side].part())
		}
	}
	return document.Text("-")
}

// Texts about the method of all comparisons.
const (
	// about explains the intervals.
	about = "Each line has its own 95 % interval, by Welch's t on the logarithms of the repetitions' figures. The " +
		"significance is judged for all lines of a table together: with 95 % probability none is a false alarm " +
		"(Holm). Only the line of the main figure is tested separately. Repetitions of a run resemble each other " +
		"more than separate runs do."
	// aboutRuns explains the figures of several runs.
	aboutRuns = "If a side has several runs, its figures are geometric means. With three runs or more the interval " +
		"is computed from the differences between the runs. With two it is computed from their repetitions, and " +
		"extends by at least half of their distance to each side. One or two runs compared with three or more are " +
		"assumed to scatter at least as much as these."
	// aboutClasses explains the classes of lengths.
	aboutClasses = "A ratio above 1 means faster. Lengths up to 1 kB (2^10 bytes) and rows without lengths are " +
		"short, lengths up to 64 kB are middle, and the others are long. Their means are geometric."
)
