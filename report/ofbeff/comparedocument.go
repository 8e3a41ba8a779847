package ofbeff

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/versus"
	"github.com/effective-bandwidth/beff/report/words"
)

// Document returns the comparison as a report, which ends with figures.
func (c *Comparison) Document(figures []*document.Figure) *document.Document {
	sections := []document.Section{c.figures()}
	for i := range c.Others {
		sections = append(sections, c.differences(i), c.gap(i))
	}
	return versus.Page{Title: "b_eff", Sides: c.opening(), Notices: c.notices(), Sections: sections,
		Mains: versus.Mains(c.Others, mainOf), Pictures: figures, Method: method}.Document()
}

func mainOf(o Other) versus.Difference { return o.Main }

// opening returns what the first lines say of the sides.
func (c *Comparison) opening() (sides []versus.Side) {
	for i, r := range c.Results {
		sides = append(sides, versus.Side{Name: c.Names[i], Date: r.Started, Runs: c.runs[i],
			Around: r.Circumstances,
			Fact: fmt.Sprintf("%s, %d processes, %s %s, rules %s, %s", parts.NameOf(r.System, r.Host), r.Processes,
				r.Engine.Library, r.Engine.Version, r.Rules, r.Started.Format("2006-01-02"))})
	}
	return sides
}

var method = []string{
	"Short are the 11 message lengths up to 1 kB; middle the next six, long the last four, up to Lmax. Lengths and " +
		"patterns are paired by their place in the list.",
	versus.About + " Each figure has the interval within its run that b_eff has: by leaving out one repetition of " +
		"one length after the other, by whole repetitions where neighbouring lengths differ alike, and by states " +
		"that last.",
	versus.AboutRuns,
	versus.AboutParts,
	"1 MB/s = 10^6 bytes per second.",
}

// unit returns the words behind the name of a bandwidth.
func (c *Comparison) unit() string {
	if c.PerProcess {
		return " per process"
	}
	return ""
}

// notices returns the reasons why the results should not be compared, the worst first.
func (c *Comparison) notices() []document.Notice {
	sides := c.opening()
	return slices.Concat(versus.NotValid(sides), versus.OfModels(sides),
		versus.Differing(c.Names, c.aspects()), versus.Noisy(sides))
}

// aspects returns the facts of a run that the results should share.
func (c *Comparison) aspects() []versus.Aspect {
	of := func(value func(*beff.Result) string) func(int) string {
		return func(i int) string { return value(c.Results[i]) }
	}
	return []versus.Aspect{
		{Level: document.Bad, Names: "rules",
			Of:     of(func(r *beff.Result) string { return string(r.Rules) }),
			Remedy: "loop lengths differ with them; compare results of the same rules"},
		{Level: document.Bad, Names: "engines",
			Of:     of(func(r *beff.Result) string { return rankedIn(r).Engine.String() }),
			Remedy: "the embedded engine rates one machine's memory, not an MPI or a network"},
		{Level: document.Bad, Names: "longest messages",
			Of: of(func(r *beff.Result) string { return words.Length(r.Lmax) }),
			Remedy: "b_eff depends on the longest message: these ratings do not measure the same thing; use the same " +
				"--memory"},
		{Level: document.Warning, Names: "numbers of processes",
			Of:     of(func(r *beff.Result) string { return fmt.Sprint(r.Processes) }),
			Remedy: "all figures but latencies and ping-pong are per process"},
		{Level: document.Warning, Names: "numbers of processes per node",
			Of:     versus.Counted(func(i int) int { return c.Results[i].PerNode() }),
			Remedy: "within a node messages go through its memory, between nodes through the network"},
	}
}

// figures returns the tables of all results side by side. Where the numbers of processes differ, they have figures per
// process.
func (c *Comparison) figures() document.Section {
	var lines []versus.Line
	for _, f := range beff.Figures {
		if f.OfAll && c.PerProcess || f.PerProcess && !c.PerProcess {
			continue
		}
		line := versus.Line{Figure: f.Figure}
		for i, r := range c.Results {
			var s versus.Sampled
			if f.Rated {
				s = c.rated(i)
			}
			s.Value = f.Of(r).Value
			line.Sides = append(line.Sides, s)
		}
		lines = append(lines, line)
	}
	return versus.SideBySide(c.Names, "", lines)
}

// differences returns the section with the areas of another result, and the lengths of each class.
func (c *Comparison) differences(i int) document.Section {
	o := &c.Others[i]
	first, second := c.Results[0], c.Results[i+1]
	var lengths document.List
	for _, class := range classes {
		x, y := class.in(first.Lengths), class.in(second.Lengths)
		if x == y {
			lengths = append(lengths, fmt.Sprintf("%s: %s", class.name, x))
		} else {
			lengths = append(lengths, fmt.Sprintf("%s: %s of %s, %s of %s", class.name, x, c.Names[0], y, o.Name))
		}
	}
	return versus.Differences(i+1, c.Names[0], o.Name,
		"Bandwidths"+c.unit(), o.Differences,
		"No averages: both results need all ring and random patterns.", lengths)
}

// mostPatterns is the number of single patterns in the table of parts.
const mostPatterns = 10

// gap returns the section about the sources of the difference; without blocks if either result has no b_eff.
func (c *Comparison) gap(i int) document.Section {
	o := &c.Others[i]
	if o.Gap == nil {
		return document.Section{}
	}
	explained := []document.Block{
		document.Paragraph(fmt.Sprintf("b_eff%s of %s is %.3f times that of %s. The contributions of all parts sum up "+
			"to the difference.%s", c.unit(), o.Name, o.Main.Ratio(), c.Names[0], o.Main.Unsure())),
		versus.PartsTable(fmt.Sprintf("gap-areas-%d", i+1), "By kind of pattern and class of lengths.", o.Gap.Areas,
			len(o.Gap.Areas))}
	if onePair(c.Results[0]) != "" && onePair(c.Results[i+1]) != "" {
		explained = append(explained, document.Paragraph("With 2 processes all ring and random patterns are one and "+
			"the same pair: single ones have no parts of their own."))
	} else {
		explained = append(explained, versus.PartsTable(fmt.Sprintf("gap-patterns-%d", i+1),
			"The largest parts of single patterns, by class of lengths.", o.Gap.Patterns, mostPatterns))
	}
	return versus.Gap(i+1, c.Names[0], o.Name, o.Main, explained...)
}
