package versus

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Opening returns the beginning of a comparison's document: the title names the benchmark and all results, the line
// below it what isn't of one class.
func Opening(title string, sides []Side, aspects []Aspect) *document.Document {
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
	var classes []string
	for _, a := range aspects {
		if a.Class && a.differs(len(sides)) {
			classes = append(classes, a.Names)
		}
	}
	if len(classes) > 0 {
		d.Subtitle = fmt.Sprintf("NOT OF ONE CLASS: the %s differ; %s", words.Joined(classes, "and"), d.Subtitle)
	}
	return d
}

// Aspect is a fact of a run that results should share to be compared.
type Aspect struct {
	Level  document.Level
	Class  bool   // those that differ in it are ratings of different classes
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

// SideBySide is a table of figures of all results, with their ratios to the first one.
type SideBySide struct{ *document.Table }

// NewSideBySide returns the table without rows.
func NewSideBySide(caption string, names []string) SideBySide {
	t := &document.Table{ID: "figures-table", Caption: "Ratios are to " + names[0] + ". " + caption,
		Columns: []document.Column{{Name: "figure"}}}
	for i, name := range names {
		t.Columns = append(t.Columns, document.Column{Name: name, Numbers: true})
		if i > 0 {
			t.Columns = append(t.Columns, document.Column{Name: "ratio", Numbers: true})
		}
	}
	return SideBySide{t}
}

// Add adds a row of a figure of each result, shown in a unit, which the name ends with. Bandwidths of 10 GB/s or more
// are in GB/s or more.
func (t SideBySide) Add(name string, unit float64, figures []float64) {
	t.add(name, unit, figures, func(_ int, x float64) document.Cell { return Number(x) })
}

// AddRated adds a row of ratings, or of parts of them, with the digits that their intervals bear.
func (t SideBySide) AddRated(name string, unit float64, ratings []Sampled) {
	var figures []float64
	for _, s := range ratings {
		figures = append(figures, s.Value)
	}
	t.add(name, unit, figures, func(i int, x float64) document.Cell { return ratings[i].cell(x) })
}

// add adds a row of figures, whose cells are those of figures in the unit that is shown.
func (t SideBySide) add(name string, unit float64, figures []float64, cell func(i int, x float64) document.Cell) {
	const most = 10_000
	for _, next := range [][2]string{{"MB/s", "GB/s"}, {"GB/s", "TB/s"}, {"TB/s", "PB/s"}} {
		if before, is := strings.CutSuffix(name, next[0]); is && slices.Max(figures)/unit >= most {
			name, unit = before+next[1], unit*1000
		}
	}
	cells := []document.Cell{document.Text(name)}
	for i, x := range figures {
		cells = append(cells, cell(i, x/unit))
		if i > 0 {
			cells = append(cells, Number(x/figures[0]))
		}
	}
	t.Rows = append(t.Rows, cells)
}

// cell returns a cell of the figure in another unit, with the digits that its interval bears.
func (s Sampled) cell(x float64) document.Cell {
	if !measured(x) {
		return document.Text("-")
	}
	part := math.NaN()
	if in, known := s.Interval(); known {
		part = in.High/s.Value - 1
	}
	c := document.Number(x, "")
	c.Digits = words.Borne(x, part)
	c.Text = words.Digits(x, c.Digits)
	return c
}

// Section returns the section of the table.
func (t SideBySide) Section() document.Section {
	return document.Section{ID: "side-by-side", Title: "Side by side", Blocks: []document.Block{t.Table}}
}

// Closing returns the last sections of a comparison: its figures, if there are any, and its method.
func Closing(figures []*document.Figure, method []string) []document.Section {
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
		t.Caption += " and their ratio. The spread isn't known."
	}
	for _, d := range list {
		cells := []document.Cell{document.Text(d.Name), d.First.cell(d.First.Value / words.Mega),
			d.Second.cell(d.Second.Value / words.Mega), Number(d.Ratio())}
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
		return []document.Cell{Number(in.Low), Number(in.High), {Text: "yes", Strong: true}}
	}
	return []document.Cell{Number(in.Low), Number(in.High), document.Text("no")}
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
	return words.Either(d.Interval().Known, "", " What runs spread isn't known: the difference may be chance, and so "+
		"may each of its parts.")
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

// Number returns a cell of a number with at least four digits, or "-" if it was not measured (0, NaN or
// infinite).
func Number(x float64) document.Cell {
	decimals := 3
	for limit := 10.0; x >= limit && decimals > 0; limit *= 10 {
		decimals--
	}
	return Fixed(x, decimals)
}

// Fixed returns a cell of a number with the given decimals, or "-" if it was not measured (0, NaN or infinite).
func Fixed(x float64, decimals int) document.Cell {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return document.Text("-")
	}
	return document.Number(x, fmt.Sprintf("%.*f", decimals, x))
}

// RunsOf returns the number of a side's runs as the end of a fact; empty for one.
func RunsOf(runs int) string {
	if runs == 1 {
		return ""
	}
	return fmt.Sprintf(", mean of %d runs", runs)
}

// Headline returns the headline of a comparison of two results; none if the main figure was not measured in both.
func Headline(first, second string, main Difference) document.Headline {
	if !main.Measured() {
		return document.Headline{}
	}
	return document.Headline{Name: main.Name, Value: fmt.Sprintf("%.3f", main.Ratio()), Unit: "times",
		Note: fmt.Sprintf("%s has %.3f times the %s of %s: %s", second, main.Ratio(), main.Name, first, main.Effect())}
}

// HeadlineOfMany returns the headline of a comparison of three results or more: the highest main figure, and the lowest
// over it. It is none if one was not measured.
func HeadlineOfMany(names []string, mains []Difference) document.Headline {
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
