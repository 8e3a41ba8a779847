package ofbeff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/versus"
	"github.com/effective-bandwidth/beff/report/words"
)

// Document returns the comparison as a report, which ends with figures.
func (c *Comparison) Document(figures []*document.Figure) *document.Document {
	d := versus.Opening("b_eff", c.opening(), c.aspects())
	d.Notices = c.notices()
	if len(c.Others) == 1 {
		d.Headline = versus.Headline(c.Names[0], c.Others[0].Name, c.Others[0].Main)
	} else {
		var mains []versus.Difference
		for _, o := range c.Others {
			mains = append(mains, o.Main)
		}
		d.Headline = versus.HeadlineOfMany(c.Names, mains)
	}
	d.Sections = append(d.Sections, c.figures())
	for i := range c.Others {
		d.Sections = append(d.Sections, c.differences(i))
		if section, ok := c.gap(i); ok {
			d.Sections = append(d.Sections, section)
		}
	}
	if section := parts.EnvironmentsDiffer(c.Names, c.circumstances()); len(section.Blocks) > 0 {
		d.Sections = append(d.Sections, section)
	}
	d.Sections = append(d.Sections, versus.Closing(figures, method)...)
	return d
}

// opening returns what the first lines say of the sides.
func (c *Comparison) opening() (sides []versus.Side) {
	for i, r := range c.Results {
		sides = append(sides, versus.Side{Name: c.Names[i], Date: r.Started, Runs: c.runs[i],
			Fact: fmt.Sprintf("%s, %d processes, %s %s, rules %s, %s", parts.NameOf(r.System, r.Host), r.Processes,
				r.Engine.Library, r.Engine.Version, r.Rules, r.Started.Format("2006-01-02"))})
	}
	return sides
}

// circumstances returns those of all results.
func (c *Comparison) circumstances() (list []rating.Circumstances) {
	for _, r := range c.Results {
		list = append(list, r.Circumstances)
	}
	return list
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
	return slices.Concat(versus.NotValid(sides), versus.Differing(c.Names, c.aspects()), versus.Noisy(sides))
}

// aspects returns the facts of a run that the results should share.
func (c *Comparison) aspects() []versus.Aspect {
	of := func(value func(*beff.Result) string) func(int) string {
		return func(i int) string { return value(c.Results[i]) }
	}
	return []versus.Aspect{
		{Level: document.Bad, Class: true, Names: "rules",
			Of:     of(func(r *beff.Result) string { return string(r.Rules) }),
			Remedy: "loop lengths differ with them; compare results of the same rules"},
		{Level: document.Bad, Class: true, Names: "engines",
			Of:     of(func(r *beff.Result) string { return rankedIn(r).Engine.String() }),
			Remedy: "the embedded engine rates one machine's memory, not an MPI or a network"},
		{Level: document.Bad, Class: true, Names: "longest messages",
			Of: of(func(r *beff.Result) string { return words.Length(r.Lmax) }),
			Remedy: "b_eff depends on the longest message: these ratings do not measure the same thing; use the same " +
				"--memory"},
		{Level: document.Warning, Class: true, Names: "numbers of processes",
			Of:     of(func(r *beff.Result) string { return fmt.Sprint(r.Processes) }),
			Remedy: "all figures but latencies and ping-pong are per process"},
		{Level: document.Warning, Class: true, Names: "numbers of processes per node",
			Of:     versus.Counted(func(i int) int { return c.Results[i].PerNode() }),
			Remedy: "within a node messages go through its memory, between nodes through the network"},
	}
}

// row is a line of the table of figures.
type row struct {
	name  string
	unit  float64
	each  bool // the figure is divided by the processes if their numbers differ
	rated bool // the figure is the rating or a part of it: it has the digits that the rating bears
	value func(*beff.Derived) float64
}

var rows = []row{
	{"b_eff, MB/s", words.Mega, true, true, func(d *beff.Derived) float64 { return d.BEff }},
	{"b_eff per process, MB/s", words.Mega, false, true, func(d *beff.Derived) float64 { return d.BEffPerProcess }},
	{"rings, MB/s", words.Mega, true, true, func(d *beff.Derived) float64 { return d.Rings }},
	{"randoms, MB/s", words.Mega, true, true, func(d *beff.Derived) float64 { return d.Randoms }},
	{"at Lmax, MB/s", words.Mega, true, true, func(d *beff.Derived) float64 { return d.AtLmax }},
	{"rings at Lmax, MB/s", words.Mega, true, true, func(d *beff.Derived) float64 { return d.RingsAtLmax }},
	{"ping-pong at Lmax, MB/s", words.Mega, false, false, func(d *beff.Derived) float64 { return d.PingPongAtLmax }},
	{"latency, rings & randoms, µs", words.Micro, false, false,
		func(d *beff.Derived) float64 { return d.LatencyRingsAndRandoms }},
	{"latency, rings, µs", words.Micro, false, false, func(d *beff.Derived) float64 { return d.LatencyRings }},
	{"latency, ping-pong, µs", words.Micro, false, false, func(d *beff.Derived) float64 { return d.LatencyPingPong }},
}

// figures returns the table of all results side by side. Where the numbers of processes differ, it has figures per
// process.
func (c *Comparison) figures() document.Section {
	bandwidths := versus.NewSideBySide("Larger is better.", c.Names)
	latencies := versus.NewSideBySide("Smaller is better.", c.Names)
	latencies.ID = "latencies-table"
	for _, row := range rows {
		t := bandwidths
		if row.unit == words.Micro {
			t = latencies
		}
		name, each := row.name, c.PerProcess && row.each
		if each {
			if row.name == rows[0].name {
				continue // the next row has it
			}
			name = strings.Replace(name, ",", " per process,", 1)
		}
		var figures []float64
		var ratings []versus.Sampled
		for i, r := range c.Results {
			x := row.value(&r.Derived)
			if each {
				x *= c.scale(i)
			}
			rated := c.rated(i)
			rated.Value = x
			figures, ratings = append(figures, x), append(ratings, rated)
		}
		if row.rated {
			t.AddRated(name, row.unit, ratings)
			continue
		}
		t.Add(name, row.unit, figures)
	}
	section := bandwidths.Section()
	section.Blocks = append(section.Blocks, latencies.Table)
	return section
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

// gap returns the section about the sources of the difference; ok is false if either result has no b_eff.
func (c *Comparison) gap(i int) (section document.Section, ok bool) {
	o := &c.Others[i]
	if o.Gap == nil {
		return document.Section{}, false
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
	return versus.Gap(i+1, c.Names[0], o.Name, o.Main, explained...), true
}
