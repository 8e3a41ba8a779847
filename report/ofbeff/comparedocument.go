package ofbeff

import (
	"fmt"
	"math"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/versus"
	"github.com/effective-bandwidth/beff/report/words"
)

// Document is the comparison as a report, with the figures given.
func (c *Comparison) Document(figures []*document.Figure) *document.Document {
	d := &document.Document{Title: "b_eff of " + strings.Join(c.Names, ", "), Subtitle: "compared with " + c.Names[0],
		Notices: c.notices()}
	if len(c.Others) == 1 && c.Others[0].Ratio > 0 {
		d.Headline = document.Headline{Name: "b_eff" + c.unit(), Value: fmt.Sprintf("%.3f", c.Others[0].Ratio),
			Unit: "times", Note: fmt.Sprintf("%s against %s", c.Others[0].Name, c.Names[0])}
	}
	for i, r := range c.Results {
		d.Facts = append(d.Facts, document.Fact{Name: c.Names[i], Value: fmt.Sprintf("%s, %d processes, %s %s, "+
			"rules %s, %s", parts.NameOf(r.System, r.Host), r.Processes,
			r.Engine.Library, r.Engine.Version, r.Rules, r.Started.Format("2006-01-02"))})
		if r.Started.After(d.Date) {
			d.Date = r.Started
		}
	}
	d.Sections = append(d.Sections, c.figures())
	for i := range c.Others {
		d.Sections = append(d.Sections, c.differences(i))
		if section, ok := c.gap(i); ok {
			d.Sections = append(d.Sections, section)
		}
	}
	d.Sections = append(d.Sections, versus.Closing(figures, method)...)
	return d
}

var method = []string{
	"Short are the 11 message lengths up to 1 kB; middle the next six, long the last four, up to Lmax. Lengths and " +
		"patterns are paired by their place in the list.",
	"Interval: 95 % for the ratio of the repetitions' geometric means, by Welch's t on the logarithms of each " +
		"repetition's own average. A difference is larger than the spread if the interval does not hold 1 and lies " +
		"on the same side of it as the ratio. With less than 2 repetitions it is not known.",
	"A ratio is that of the best repetitions, which is what b_eff is made of: it may lie outside of an interval " +
		"that is of the means.",
	"Shares: the logarithm of the ratio of both b_eff splits exactly over patterns and lengths (additive " +
		"logarithmic mean decomposition). Shares sum to 100 %; one below 0 works against the difference.",
	"1 MB/s = 10^6 bytes per second.",
}

func (c *Comparison) unit() string {
	if c.PerProcess {
		return " per process"
	}
	return ""
}

// notices say what keeps the results from being compared, the worst first.
func (c *Comparison) notices() []document.Notice {
	var list []document.Notice
	for i, r := range c.Results {
		if !r.Valid {
			list = append(list, document.Notice{Level: document.Bad, Text: c.Names[i] + " is NOT VALID for comparison",
				Remedy: "beff report says why"})
		}
	}
	for _, about := range []struct {
		level document.Level
		what  string
		of    func(*beff.Result) string
		why   string
	}{
		{document.Bad, "rules", func(r *beff.Result) string { return string(r.Rules) },
			"loop lengths differ with them; compare results of the same rules"},
		{document.Bad, "engine", func(r *beff.Result) string { return r.Engine.Engine },
			"the embedded engine rates one machine's memory, not an MPI or a network"},
		{document.Warning, "longest message", func(r *beff.Result) string { return fmt.Sprint(r.Lmax, " bytes") },
			"b_eff grows with it; use the same --memory"},
		{document.Warning, "number of processes", func(r *beff.Result) string { return fmt.Sprint(r.Processes) },
			"all figures but latencies and ping-pong are per process"},
	} {
		var values []string
		differ := false
		for i, r := range c.Results {
			values = append(values, fmt.Sprintf("%s %s", c.Names[i], about.of(r)))
			differ = differ || about.of(r) != about.of(c.Results[0])
		}
		if differ {
			list = append(list, document.Notice{Level: about.level,
				Text:   fmt.Sprintf("the %s differ: %s", plurals[about.what], strings.Join(values, ", ")),
				Remedy: about.why})
		}
	}
	return list
}

var plurals = map[string]string{"rules": "rules", "engine": "engines", "longest message": "longest messages",
	"number of processes": "numbers of processes"}

// row is a line of the table of figures.
type row struct {
	name  string
	unit  float64
	each  bool // to be divided by the processes where their numbers differ
	value func(*beff.Derived) float64
}

var rows = []row{
	{"b_eff, MB/s", words.Mega, true, func(d *beff.Derived) float64 { return d.BEff }},
	{"b_eff per process, MB/s", words.Mega, false, func(d *beff.Derived) float64 { return d.BEffPerProcess }},
	{"rings, MB/s", words.Mega, true, func(d *beff.Derived) float64 { return d.Rings }},
	{"randoms, MB/s", words.Mega, true, func(d *beff.Derived) float64 { return d.Randoms }},
	{"at Lmax, MB/s", words.Mega, true, func(d *beff.Derived) float64 { return d.AtLmax }},
	{"rings at Lmax, MB/s", words.Mega, true, func(d *beff.Derived) float64 { return d.RingsAtLmax }},
	{"ping-pong at Lmax, MB/s", words.Mega, false, func(d *beff.Derived) float64 { return d.PingPongAtLmax }},
	{"latency, rings & randoms, µs", words.Micro, false,
		func(d *beff.Derived) float64 { return d.LatencyRingsAndRandoms }},
	{"latency, rings, µs", words.Micro, false, func(d *beff.Derived) float64 { return d.LatencyRings }},
	{"latency, ping-pong, µs", words.Micro, false, func(d *beff.Derived) float64 { return d.LatencyPingPong }},
}

// figures is the table of all results side by side. Where the numbers of processes differ, what all processes have
// together says nothing.
func (c *Comparison) figures() document.Section {
	t := &document.Table{ID: "figures-table", Caption: "Ratios are to " + c.Names[0] +
		". Of latencies the smaller is the better one.", Columns: []document.Column{{Name: "figure"}}}
	for i, name := range c.Names {
		t.Columns = append(t.Columns, document.Column{Name: name, Numbers: true})
		if i > 0 {
			t.Columns = append(t.Columns, document.Column{Name: "ratio", Numbers: true})
		}
	}
	for _, row := range rows {
		name, each := row.name, c.PerProcess && row.each
		if each {
			if row.name == rows[0].name {
				continue // the next row is it
			}
			name = strings.Replace(name, ",", " per process,", 1)
		}
		cells := []document.Cell{document.Text(name)}
		first := 0.0
		for i, r := range c.Results {
			x := row.value(&r.Derived)
			if each {
				x *= c.scale(i)
			}
			cells = append(cells, versus.Number(x/row.unit))
			if i == 0 {
				first = x
			} else {
				cells = append(cells, versus.Fixed(x/first, 3))
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	return document.Section{ID: "side-by-side", Title: "Side by side", Blocks: []document.Block{t}}
}

// differences is a table of areas, and what the repetitions say.
func (c *Comparison) differences(i int) document.Section {
	o := &c.Others[i]
	section := document.Section{ID: fmt.Sprintf("differences-%d", i+1),
		Title: fmt.Sprintf("%s against %s", o.Name, c.Names[0])}
	if len(o.Differences) == 0 {
		section.Blocks = []document.Block{document.Paragraph("No averages: both results need all ring and random " +
			"patterns.")}
		return section
	}
	first, second := c.grids[0], c.grids[i+1]
	t := &document.Table{ID: fmt.Sprintf("areas-%d", i+1), Caption: "Bandwidths" + c.unit() + ", and whether they " +
		"differ by more than the repetitions' spread.",
		Columns: []document.Column{{Name: "area"}, {Name: c.Names[0], Unit: "MB/s", Numbers: true},
			{Name: o.Name, Unit: "MB/s", Numbers: true}, {Name: "ratio", Numbers: true},
			{Name: "interval low", Numbers: true}, {Name: "interval high", Numbers: true},
			{Name: "larger than spread"}}}
	for _, d := range o.Differences {
		t.Rows = append(t.Rows, versus.DifferenceCells(d))
	}
	var lengths document.List
	for _, class := range classes {
		x, y := class.in(first.Lengths), class.in(second.Lengths)
		if x == y {
			lengths = append(lengths, fmt.Sprintf("%s: %s", class.name, x))
		} else {
			lengths = append(lengths, fmt.Sprintf("%s: %s of %s, %s of %s", class.name, x, c.Names[0], y, o.Name))
		}
	}
	section.Blocks = []document.Block{t, lengths}
	return section
}

// mostPatterns is how many single patterns the table of parts has.
const mostPatterns = 10

// gap says where the difference comes from.
func (c *Comparison) gap(i int) (document.Section, bool) {
	o := &c.Others[i]
	if o.Gap == nil {
		return document.Section{}, false
	}
	section := document.Section{ID: fmt.Sprintf("gap-%d", i+1),
		Title: fmt.Sprintf("What drives the gap of %s to %s", o.Name, c.Names[0])}
	if len(o.Gap.Areas) == 0 || math.IsNaN(o.Gap.Areas[0].Share) {
		section.Blocks = []document.Block{document.Paragraph("There is no difference.")}
		return section, true
	}
	section.Blocks = []document.Block{
		document.Paragraph(fmt.Sprintf("b_eff%s of %s is %.3f times that of %s. A part's factor is what b_eff would "+
			"be multiplied by, had only this part changed; the factors' product is the ratio.",
			c.unit(), o.Name, o.Ratio, c.Names[0])),
		versus.PartsTable(fmt.Sprintf("gap-areas-%d", i+1), "By kind of pattern and class of lengths.", o.Gap.Areas,
			len(o.Gap.Areas)),
		versus.PartsTable(fmt.Sprintf("gap-patterns-%d", i+1),
			"The largest parts of single patterns, by class of lengths.",
			o.Gap.Patterns, mostPatterns),
	}
	return section, true
}
