package versus

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Page is what a comparison of sides with the first one shows.
type Page struct {
	Title    string
	Sides    []Side
	Notices  []document.Notice
	Mains    []Difference // of each side but the first
	Remark   string       // behind the headline of two sides
	Sections []document.Section
	Pictures []*document.Figure
	Method   []string
}

// Document returns the page as a document. Sections without blocks are left out. Three sides or more have a headline if
// they have ratings.
func (p Page) Document() *document.Document {
	d := opening(p.Title, p.Sides)
	d.Notices = p.Notices
	var names []string
	var around []rating.Circumstances
	rated := true
	for _, s := range p.Sides {
		names, around = append(names, s.Name), append(around, s.Around)
		rated = rated && len(s.Runs) > 0 && s.Runs[0].Rating > 0
	}
	switch {
	case len(p.Mains) == 1:
		if d.Headline = headline(names[0], names[1], p.Mains[0]); d.Headline.Value != "" {
			d.Headline.Note += p.Remark
		}
	case rated:
		d.Headline = headlineOfMany(names, p.Mains)
	}
	for _, s := range append(p.Sections, parts.EnvironmentsDiffer(names, around)) {
		if len(s.Blocks) > 0 {
			d.Sections = append(d.Sections, s)
		}
	}
	d.Sections = append(d.Sections, closing(p.Pictures, p.Method)...)
	return d
}

// opening returns the beginning of a comparison's document: the title names the benchmark and all results.
func opening(title string, sides []Side) *document.Document {
	d := &document.Document{Subtitle: "compared with " + sides[0].Name}
	var names []string
	for _, s := range sides {
		names = append(names, s.Name)
		d.Facts = append(d.Facts, document.Fact{Name: s.Name, Value: s.words(title)})
		if s.Date.After(d.Date) {
			d.Date = s.Date
		}
	}
	d.Title = title + " of " + strings.Join(names, ", ")
	return d
}

// Aspect is a fact of a run that results should share to be compared.
type Aspect struct {
	Level  document.Level
	Names  string // in the plural
	Of     func(i int) string
	Remedy string
}

// Counted returns an aspect's values by numbers, which are 0 where they aren't known.
func Counted(number func(i int) int) func(i int) string {
	return func(i int) string {
		n := number(i)
		return words.Either(n > 0, fmt.Sprint(n), "not known")
	}
}

// differs reports whether not all of n results have the same value.
func (a Aspect) differs(n int) bool {
	for i := range n {
		if a.Of(i) != a.Of(0) {
			return true
		}
	}
	return false
}

// Differing returns a notice for each aspect in which the results of the names differ.
func Differing(names []string, aspects []Aspect) []document.Notice {
	var list []document.Notice
	for _, a := range aspects {
		if !a.differs(len(names)) {
			continue
		}
		var values []string
		for i, name := range names {
			values = append(values, name+" "+a.Of(i))
		}
		list = append(list, document.Notice{Level: a.Level,
			Text: fmt.Sprintf("the %s differ: %s", a.Names, strings.Join(values, ", ")), Remedy: a.Remedy})
	}
	return list
}

// Line is a figure of all results that are compared, with its value of each.
type Line struct {
	rating.Figure
	Sides []Sampled
}

// SideBySide returns the section of the figures of all results, with their ratios to the first one: a table of those of
// which more is better, and one of the others. A figure that no result has is left out.
func SideBySide(names []string, remark string, lines []Line) document.Section {
	section := document.Section{ID: "side-by-side", Title: "Side by side"}
	for _, less := range []bool{false, true} {
		t := &document.Table{ID: words.Either(less, "less-table", "figures-table"),
			Caption: "Ratios are to " + names[0] + ". " + words.Either(less, "Smaller is better.",
				"Larger is better."+remark), Columns: []document.Column{{Name: "figure"}}}
		for i, name := range names {
			t.Columns = append(t.Columns, document.Column{Name: name, Numbers: true})
			if i > 0 {
				t.Columns = append(t.Columns, document.Column{Name: "ratio", Numbers: true})
			}
		}
		for _, l := range lines {
			if l.Less == less && slices.ContainsFunc(l.Sides, func(s Sampled) bool { return measured(s.Value) }) {
				t.Rows = append(t.Rows, l.cells())
			}
		}
		if len(t.Rows) > 0 {
			section.Blocks = append(section.Blocks, t)
		}
	}
	return section
}

// cells returns the row of a figure. Bandwidths of 10 GB/s or more are in GB/s or more. Figures with an interval, and
// those made of a rating, have the digits that they bear.
func (l Line) cells() []document.Cell {
	const most = 10_000
	unit, largest := l.Unit, 0.0
	for _, s := range l.Sides {
		largest = max(largest, s.Value)
	}
	for _, next := range []string{"GB/s", "TB/s", "PB/s"} {
		if unit.Base == rating.Bandwidth.Base && unit.In(largest) >= most {
			unit.Shown, unit.Scale = next, 1000*unit.Scale
		}
	}
	cells := []document.Cell{document.Text(strings.TrimSuffix(l.Name+", "+unit.Shown, ", "))}
	for i, s := range l.Sides {
		if cells = append(cells, parts.FigureCell(l.Figure, unit.In(s.Value), s.part())); i > 0 {
			cells = append(cells, parts.Four(s.Value/l.Sides[0].Value))
		}
	}
	return cells
}

// part returns the distance of the interval's end from the figure over it, NaN if it isn't known.
func (s Sampled) part() float64 {
	if in, known := s.Interval(); known {
		return in.High/s.Value - 1
	}
	return math.NaN()
}

// closing returns the last sections of a comparison: its figures, if there are any, and its method.
func closing(figures []*document.Figure, method []string) []document.Section {
	how := document.Section{ID: "method", Title: "How this was computed",
		Blocks: []document.Block{document.List(method)}}
	if len(figures) == 0 {
		return []document.Section{how}
	}
	section := document.Section{ID: "figures", Title: "Figures"}
	for _, f := range figures {
		section.Blocks = append(section.Blocks, f)
	}
	return []document.Section{section, how}
}

// Differences returns a section for the figures of result i and the first one, whose caption begins by naming them.
// Behind the table stand further blocks. If there are no differences the section holds the text none instead. The first
// one says what can be seen.
func Differences(i int, first, second, caption string, list []Difference, none string,
	further ...document.Block) document.Section {
	section := document.Section{ID: fmt.Sprintf("differences-%d", i),
		Title: fmt.Sprintf("%s against %s", second, first)}
	if len(list) == 0 {
		section.Blocks = []document.Block{document.Paragraph(none)}
		return section
	}
	known := slices.ContainsFunc(list, func(d Difference) bool { return d.Interval().Known })
	t := &document.Table{ID: fmt.Sprintf("areas-%d", i), Caption: caption,
		Columns: []document.Column{{Name: "area"}, {Name: first, Unit: "MB/s", Numbers: true},
			{Name: second, Unit: "MB/s", Numbers: true}, {Name: "ratio", Numbers: true}}}
	if known {
		t.Columns = append(t.Columns, IntervalColumns...)
		t.Caption += ", their ratio with its 95 % interval, and whether it is significant."
	} else {
		t.Caption += " and their ratio." + words.Either(list[0].Computed(), "", " The spread isn't known.")
	}
	for _, d := range list {
		cells := []document.Cell{document.Text(d.Name), parts.Borne(d.First.Value/words.Mega, d.First.part()),
			parts.Borne(d.Second.Value/words.Mega, d.Second.part()), parts.Four(d.Ratio())}
		if known {
			cells = append(cells, IntervalCells(d)...)
		}
		t.Rows = append(t.Rows, cells)
	}
	section.Blocks = []document.Block{t}
	if i := slices.IndexFunc(list, func(d Difference) bool { return d.Detectable() != "" }); i >= 0 {
		section.Blocks = append(section.Blocks, document.Paragraph(list[i].Detectable()))
	}
	section.Blocks = append(section.Blocks, further...)
	return section
}

// IntervalColumns are the columns of IntervalCells.
var IntervalColumns = []document.Column{{Name: "95 % from", Numbers: true}, {Name: "95 % to", Numbers: true},
	{Name: "significant"}}

// IntervalCells returns the ends of the interval of a ratio, and whether it is significant.
func IntervalCells(d Difference) []document.Cell {
	in := d.Interval()
	switch {
	case !in.Known:
		return []document.Cell{document.Text("-"), document.Text("-"), document.Text("not known")}
	case d.Significant:
		return []document.Cell{parts.Four(in.Low), parts.Four(in.High), {Text: "yes", Strong: true}}
	}
	return []document.Cell{parts.Four(in.Low), parts.Four(in.High), document.Text("no")}
}

// Gap returns a section for the parts of the main difference between result i and the first one. explained are the
// section's blocks unless the difference is noise.
func Gap(i int, first, second string, main Difference, explained ...document.Block) document.Section {
	section := document.Section{ID: fmt.Sprintf("gap-%d", i),
		Title: fmt.Sprintf("What drives the gap of %s to %s", second, first), Blocks: explained}
	if main.IsNoise() {
		section.Blocks = []document.Block{document.Paragraph("No gap to explain: " + main.noise())}
	}
	return section
}

// Unsure returns a sentence for the end of a paragraph on a difference whose spread isn't known; empty if it is.
func (d Difference) Unsure() string {
	return words.Either(d.Interval().Known || d.Computed(), "", " What runs spread isn't known: the difference may be "+
		"chance, and so may each of its parts.")
}

// noise returns the reason why the difference is noise.
func (d Difference) noise() string {
	in := d.Interval()
	switch {
	case d.Ratio() == 1:
		return "both are the same."
	case in.Known:
		return fmt.Sprintf("the ratio of %s, %.3f, can't be told from 1 (95 %% interval %.3f to %.3f).", d.Name,
			d.Ratio(),
			in.Low, in.High)
	}
	return fmt.Sprintf("the ratio of %s, %.3f, is within %.0f %% of 1, and its spread isn't known.", d.Name, d.Ratio(),
		100*Noise)
}

// PartsTable returns a table of at most the first most parts. One row sums up the others, the footer all.
func PartsTable(id, caption string, list []Part, most int) *document.Table {
	t := &document.Table{ID: id, Caption: caption,
		Columns: []document.Column{{Name: "part"}, {Name: "contribution", Unit: "percentage points", Numbers: true}}}
	add := func(name string, points float64) []document.Cell {
		text := fmt.Sprintf("%+.2f", points)
		if math.Abs(points) < 0.005 {
			text = "0.00"
		}
		return []document.Cell{document.Text(name), document.Number(points, text)}
	}
	most = min(most, len(list))
	rest, sum := 0.0, 0.0
	for i, p := range list {
		sum += p.Points
		if i < most {
			t.Rows = append(t.Rows, add(p.Name, p.Points))
		} else {
			rest += p.Points
		}
	}
	if most < len(list) {
		t.Rows = append(t.Rows, add(fmt.Sprintf("all %d others", len(list)-most), rest))
	}
	t.Footer = add("all", sum)
	return t
}

// RunsOf returns the number of a side's runs as the end of a fact; empty for one.
func RunsOf(runs int) string {
	if runs == 1 {
		return ""
	}
	return fmt.Sprintf(", mean of %d runs", runs)
}

// headline returns the headline of a comparison of two results; none if the main figure was not measured in both.
func headline(first, second string, main Difference) document.Headline {
	if !main.Measured() {
		return document.Headline{}
	}
	return document.Headline{Name: main.Name, Value: fmt.Sprintf("%.3f", main.Ratio()), Unit: "times",
		Note: fmt.Sprintf("%s has %.3f times the %s of %s: %s", second, main.Ratio(), main.Name, first, main.Effect())}
}

// headlineOfMany returns the headline of a comparison of three results or more: the highest main figure, and the lowest
// over it. It is none if one was not measured.
func headlineOfMany(names []string, mains []Difference) document.Headline {
	values := []float64{mains[0].First.Value}
	for _, m := range mains {
		if !m.Measured() {
			return document.Headline{}
		}
		values = append(values, m.Second.Value)
	}
	high, low := slices.Index(values, slices.Max(values)), slices.Index(values, slices.Min(values))
	number, unit := words.Rated(values[high], math.NaN())
	return document.Headline{Name: fmt.Sprintf("The highest %s of %d: %s", mains[0].Name, len(names), names[high]),
		Value: number, Unit: unit, Note: fmt.Sprintf("%s has the lowest, %.3f times that", names[low],
			values[low]/values[high])}
}

// Sentences on the method of all comparisons.
const (
	// About explains the intervals.
	About = "Interval: 95 % for the ratio beside it, by Welch's t on the logarithms of the repetitions' figures. It " +
		"is of a line alone. Significant: of all lines of a table together, with 95 % none is a false alarm (Holm); " +
		"the line that the comparison is about is tested by itself. Repetitions of a run resemble each other more " +
		"than runs do."
	// AboutRuns explains the figures of several runs.
	AboutRuns = "Of several runs of a side, figures are the geometric means. From three runs on " +
		"the interval is by what the runs differ; of two by what their repetitions say, at least by half of their " +
		"distance. One or two runs beside three or more are taken to be off by as much as these differ at least."
	// AboutParts explains the contributions.
	AboutParts = "Contributions: the logarithm of the ratio splits exactly over the parts (additive logarithmic mean " +
		"decomposition); each part's share of it is given as its part of the difference. One of the other sign works " +
		"against the difference."
)
