package ofprobe

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/versus"
	"github.com/effective-bandwidth/beff/report/words"
)

// Document returns the comparison as a report, which ends with figures.
func (c *Comparison) Document(figures []*document.Figure) *document.Document {
	var sections []document.Section
	for i := range c.Others {
		sections = append(sections, c.summary(i), c.rows(i))
	}
	return versus.Page{Title: "Probes", Sides: c.opening(), Notices: c.notices(), Sections: sections,
		Mains: versus.Mains(c.Others, mainOf), Remark: "; geometric mean over all lengths that both have",
		Pictures: figures, Method: c.method()}.Document()
}

func mainOf(o Other) versus.Difference { return o.Main }

// opening returns what the first lines say of the sides. What IMB printed has no verdict.
func (c *Comparison) opening() (sides []versus.Side) {
	for i, r := range c.Results {
		side := versus.Side{Name: c.Names[i], Fact: fact(r) + versus.RunsOf(len(c.sides[i])), Date: r.Started,
			Around: r.Circumstances}
		for _, run := range c.sides[i] {
			if run.Started.After(side.Date) {
				side.Date = run.Started
			}
			if len(run.Criteria) > 0 {
				side.Runs = append(side.Runs, parts.Rated{Verdict: run.Verdict()})
			}
		}
		sides = append(sides, side)
	}
	return sides
}

// fact returns the machine and the library of a result, in words. IMB's text doesn't have the library.
func fact(r *probe.Result) string {
	known := []string{parts.NameOf(r.System, r.Host), words.Processes(r.Processes)}
	if library := strings.TrimSpace(r.Engine.Library + " " + r.Engine.Version); library != "" {
		known = append(known, library)
	}
	known = append(known, r.Started.Format("2006-01-02"))
	if r.Imported != "" {
		known = append(known, "imported from "+r.Imported)
	}
	return strings.Join(known, ", ")
}

var method = []string{
	"Compared are kernels with the same name, component, mode, number of processes and of groups, at lengths that " +
		"both have figures of. Of several groups it is the slowest one.",
	"A ratio is that of the bandwidths, or the inverse one of the times: above 1 is faster. Of kernels that overlap " +
		"communication and computing it is that of t_ovrl, of Truly_passive_put that of t_pure.",
	"Short are lengths up to 1 kB (2^10 bytes) and kernels without lengths, middle those up to 64 kB, long the " +
		"others; their means are geometric ones.",
	oneSample,
	"1 MB/s = 10^6 bytes per second.",
}

// Lines about the spread: of results in one sample, and of those with series or passes.
const (
	oneSample = "Each length was measured in one sample: what repeated runs would spread is not known, and so is " +
		"whether a difference is significant. Measure with series (--within) or several passes (--passes)."
	ofRepetitions = versus.About + " Repetitions are the passes or runs, where there are several, else those of a " +
		"row's series. Rows of one pass are taken to be off together, because a state of the machine lasts for " +
		"longer than one of them: half of the interval of a mean over lengths is the mean of theirs; a row whose " +
		"spread isn't known has the widest one."
	// ofFirst says what the figures of several runs show.
	ofFirst = "Figures show the first run of each side."
)

// method returns the lines on how a comparison was computed.
func (c *Comparison) method() []string {
	list := slices.Clone(method)
	for i := range c.Others {
		if at := slices.Index(list, oneSample); at >= 0 && c.Others[i].hasIntervals() {
			list[at] = ofRepetitions
		}
	}
	if slices.ContainsFunc(c.sides, func(runs []*probe.Result) bool { return len(runs) > 1 }) {
		list = append(list, versus.AboutRuns, ofFirst)
	}
	return list
}

// hasIntervals reports whether the interval of a row is known.
func (o *Other) hasIntervals() bool {
	return slices.ContainsFunc(o.Kernels, func(d Difference) bool {
		return slices.ContainsFunc(d.Rows, func(r Row) bool { return r.Difference().Interval().Known })
	})
}

// notices returns the reasons why the results should not be compared, the worst first.
func (c *Comparison) notices() []document.Notice {
	var list []document.Notice
	add := func(level document.Level, text, remedy string) {
		list = append(list, document.Notice{Level: level, Text: text, Remedy: remedy})
	}
	for i, runs := range c.sides {
		defects, early := int64(0), false
		for _, r := range runs {
			defects += Defects(r)
			early = early || !r.Complete
		}
		if defects > 0 {
			add(document.Bad, fmt.Sprintf("%s has WRONG DATA: %d defects", c.Names[i], defects),
				"beff report says where")
		}
		if early {
			add(document.Bad, c.Names[i]+" was ended early", "what it has is compared")
		}
	}
	for i, runs := range c.sides {
		for _, r := range runs {
			if w := rating.CrowdedWarning(r.Placement); w != nil {
				add(document.Warning, c.Names[i]+": "+w[0].Text, w[0].Remedy)
				break
			}
		}
	}
	sides := c.opening()
	list = slices.Concat(list, versus.NotValid(sides), versus.OfModels(sides),
		versus.Differing(c.Names, c.aspects()), versus.Noisy(sides))
	for i := range c.Others {
		o := &c.Others[i]
		if len(o.Kernels) == 0 {
			add(document.Bad, fmt.Sprintf("%s has nothing that %s has, too", o.Name, c.Names[0]),
				"measure the same kernels on the same numbers of processes")
		}
		if len(o.OnlyFirst) > 0 {
			add(document.Warning, fmt.Sprintf("only %s has: %s", c.Names[0], firstOf(o.OnlyFirst)),
				fmt.Sprintf("not compared with %s", o.Name))
		}
		if len(o.OnlySecond) > 0 {
			add(document.Warning, fmt.Sprintf("only %s has: %s", o.Name, firstOf(o.OnlySecond)), "not compared")
		}
	}
	return list
}

// aspects returns the facts of a run that the results should share.
func (c *Comparison) aspects() []versus.Aspect {
	either := func(holds func(*probe.Result) bool, yes, no string) func(int) string {
		return func(i int) string { return words.Either(holds(c.Results[i]), yes, no) }
	}
	return []versus.Aspect{
		{Level: document.Bad, Names: "engines",
			Of:     func(i int) string { return rating.EngineOf(c.Results[i].Engine.Kind()).String() },
			Remedy: "the embedded engine shows one machine's memory, not an MPI or a network"},
		{Level: document.Warning, Names: "caches",
			Of:     either(func(r *probe.Result) bool { return r.Settings.CacheSize > 0 }, "avoided", "used"),
			Remedy: "give -off_cache for both, or for none"},
		{Level: document.Warning, Names: "methods",
			Of: func(i int) string { return c.Results[i].Settings.HowMeasured().Title() },
			Remedy: "beff probe measures as the user's guide says, beff imb-* as today's IMB does without --guide: " +
				"docs/studies/imb.md has the differences"},
		{Level: document.Warning, Names: "origins",
			Of:     either(func(r *probe.Result) bool { return r.Imported != "" }, "imported", "measured"),
			Remedy: "imported times have two decimals of a microsecond: short ones differ by that alone"},
	}
}

// firstOf returns the first entries of a list, in words.
func firstOf(list []string) string {
	const most = 6
	if len(list) > most+1 {
		return strings.Join(list[:most], "; ") + fmt.Sprintf("; and %d more", len(list)-most)
	}
	return strings.Join(list, "; ")
}

// summary returns a table of the means by kernel.
func (c *Comparison) summary(i int) document.Section {
	o := &c.Others[i]
	section := document.Section{ID: fmt.Sprintf("summary-%d", i+1),
		Title: fmt.Sprintf("%s against %s", o.Name, c.Names[0])}
	if len(o.Kernels) == 0 {
		section.Blocks = []document.Block{document.Paragraph("Nothing was measured in both.")}
		return section
	}
	t := &document.Table{ID: fmt.Sprintf("kernels-%d", i+1), Sortable: true,
		Caption: fmt.Sprintf("How many times as fast %s is: geometric means over the lengths.", o.Name),
		Columns: []document.Column{{Name: "kernel"}}}
	for _, class := range classes {
		t.Columns = append(t.Columns, document.Column{Name: class.name, Numbers: true})
	}
	t.Columns = append(t.Columns, document.Column{Name: "all", Numbers: true})
	known := o.Main.Interval().Known
	if known {
		t.Columns = append(t.Columns, versus.IntervalColumns...)
	}
	t.Columns = append(t.Columns, document.Column{Name: "lengths", Numbers: true})
	all := []versus.Difference{o.Main}
	for _, d := range o.Kernels {
		all = append(all, d.Mean(-1, math.MaxInt64))
	}
	versus.TestBeside(all, 0)
	row := func(cells []document.Cell, d versus.Difference, lengths int) []document.Cell {
		if cells = append(cells, parts.Four(d.Ratio())); known {
			cells = append(cells, versus.IntervalCells(d)...)
		}
		return append(cells, parts.Number(float64(lengths), 0))
	}
	count := 0
	for i, d := range o.Kernels {
		cells := []document.Cell{document.Text(d.Name)}
		for _, class := range classes {
			cells = append(cells, parts.Four(d.Mean(class.above, class.top).Ratio()))
		}
		count += len(d.Rows)
		t.Rows = append(t.Rows, row(cells, all[i+1], len(d.Rows)))
	}
	t.Footer = []document.Cell{document.Text("all")}
	for range classes {
		t.Footer = append(t.Footer, document.Text(""))
	}
	t.Footer = row(t.Footer, all[0], count)
	section.Blocks = []document.Block{t}
	if sentence := o.Main.Detectable(); sentence != "" {
		section.Blocks = append(section.Blocks, document.Paragraph(sentence))
	}
	return section
}

// rows returns a table of all lengths.
func (c *Comparison) rows(i int) document.Section {
	o := &c.Others[i]
	section := document.Section{ID: fmt.Sprintf("lengths-%d", i+1),
		Title: fmt.Sprintf("%s against %s, by length", o.Name, c.Names[0])}
	t := &document.Table{ID: fmt.Sprintf("lengths-%d-table", i+1), Sortable: true,
		Caption: "Times of one repetition, bandwidths, and how many times as fast the second is.",
		Columns: []document.Column{{Name: "kernel"}, {Name: "length", Unit: "B", Numbers: true},
			{Name: c.Names[0], Unit: "µs", Numbers: true}, {Name: o.Name, Unit: "µs", Numbers: true},
			{Name: c.Names[0], Unit: "MB/s", Numbers: true}, {Name: o.Name, Unit: "MB/s", Numbers: true},
			{Name: "ratio", Numbers: true}}}
	known := o.hasIntervals()
	if known {
		t.Columns = append(t.Columns, versus.IntervalColumns...)
	}
	for _, d := range o.Kernels {
		for _, r := range d.Rows {
			cells := []document.Cell{document.Text(d.Name),
				whole(r.Bytes), parts.Four(r.First.Value / words.Micro),
				parts.Four(r.Second.Value / words.Micro),
				parts.Four(r.First.Bandwidth / words.Mega), parts.Four(r.Second.Bandwidth / words.Mega),
				parts.Four(r.Ratio())}
			if known {
				cells = append(cells, versus.IntervalCells(r.Difference())...)
			}
			t.Rows = append(t.Rows, cells)
		}
	}
	if len(t.Rows) > 0 {
		section.Blocks = []document.Block{t}
	} else {
		section.Blocks = []document.Block{document.Paragraph("None.")}
	}
	return section
}
