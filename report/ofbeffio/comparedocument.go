package ofbeffio

import (
	"fmt"
	"math"
	"strings"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/versus"
	"github.com/effective-bandwidth/beff/report/words"
)

// Document is the comparison as a report, with the figures given.
func (c *Comparison) Document(figures []*document.Figure) *document.Document {
	d := &document.Document{Title: "b_eff_io of " + strings.Join(c.Names, ", "),
		Subtitle: "compared with " + c.Names[0], Notices: c.notices()}
	if len(c.Others) == 1 && c.Others[0].Ratio > 0 {
		d.Headline = document.Headline{Name: "b_eff_io", Value: fmt.Sprintf("%.3f", c.Others[0].Ratio), Unit: "times",
			Note: fmt.Sprintf("%s against %s, by %s", c.Others[0].Name, c.Names[0], formulaNames[c.Rules])}
	}
	for i, r := range c.Results {
		d.Facts = append(d.Facts, document.Fact{Name: c.Names[i], Value: c.fact(i)})
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

var formulaNames = map[beffio.Rules]string{beffio.RulesPaper: "the paper's formula",
	beffio.Rules21: "release 2.1's formula"}

var method = []string{
	"Of each result the partition is compared that is best by the formula of the first one's rules.",
	"Types: bytes by the time from open to close. Chunks: the mean over the patterns with that chunk on disk which " +
		"both results have; M_PART is each result's own.",
	"Interval: 95 % for the ratio of the geometric means of the passes over the read access, by Welch's t on their " +
		"logarithms, where both results have two whole passes or more: those that read all that the first one did. " +
		"Writing and rewriting are done once: what they spread is not known, and so is that of the ratings. What " +
		"passes can't see is a file system that is in another state for a whole run.",
	"Shares: the logarithm of the ratio of both ratings splits exactly over access methods and types (additive " +
		"logarithmic mean decomposition). Shares sum to 100 %; one below 0 works against the difference.",
	"The paper: 0.25 write + 0.25 rewrite + 0.5 read, each the mean over the types with scatter counted twice. " +
		"Release 2.1: the square root of (all types of write, and rewrite of scatter)/6 times read.",
	"1 MB/s = 10^6 bytes per second; chunks count 1 kB = 2^10, 1 MB = 2^20 bytes.",
}

// fact is what was compared of a result.
func (c *Comparison) fact(i int) string {
	r := c.Results[i]
	on := "nothing measured"
	if n := c.views[i].n; n >= 0 {
		on = fmt.Sprintf("%d of %d processes", r.Partitions[n], r.Processes)
	}
	fs := strings.TrimSpace(r.FileSystem.Type + " " + r.FileSystem.Directory)
	text := fmt.Sprintf("%s, %s, %s, %s, T = %.4g s, rules %s, %s", parts.NameOf(r.System, r.Host), on, fs,
		strings.TrimSpace(r.Engine.Library+" "+r.Engine.Version),
		r.Duration, r.Rules, r.Started.Format("2006-01-02"))
	if r.Imported != "" {
		text += ", imported from " + r.Imported
	}
	return text
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
	rewriting := document.Bad
	if c.Rules == beffio.Rules21 { // whose formula takes scatter's alone
		rewriting = document.Warning
	}
	for _, about := range []struct {
		level document.Level
		what  string
		of    func(i int, r *beffio.Result) string
		why   string
	}{
		{document.Bad, "engines", func(_ int, r *beffio.Result) string {
			return Either(r.Engine.Kind().Embedded,
				"embedded", "an MPI")
		}, "the embedded engine rates what one machine gets from the file system, not an MPI-IO"},
		{document.Bad, "file pointers of type 1", func(_ int, r *beffio.Result) string {
			return Either(r.NoShared,
				"individual", "shared")
		}, "individual ones are another thing: measure both without --noshared"},
		{rewriting, "types that are rewritten", func(_ int, r *beffio.Result) string {
			return Either(r.RewriteAll,
				"all", "scatter")
		}, "the paper's formula takes the mean over those that are; use --rewrite for both, or for none"},
		{document.Warning, "rules", func(_ int, r *beffio.Result) string { return string(r.Rules) },
			fmt.Sprintf("they ask for other times, and their headlines are by other formulas: ratios here are by %s",
				formulaNames[c.Rules])},
		{document.Warning, "times scheduled for a partition", func(_ int, r *beffio.Result) string {
			return fmt.Sprintf("%.4g s", r.Duration/float64(len(r.Partitions)))
		}, "what is written in a short time stays in caches; use the same -T and as many partitions"},
		{document.Warning, "longest chunks", func(_ int, r *beffio.Result) string {
			return fmt.Sprint(r.MPart,
				" bytes")
		}, "M_PART is a part of the memory; use the same --memory"},
		{document.Warning, "numbers of processes of the best partitions", func(i int, r *beffio.Result) string {
			if n := c.views[i].n; n >= 0 {
				return fmt.Sprint(r.Partitions[n])
			}
			return "none"
		}, "b_eff_io is the best partition's: what it needed for that differs"},
	} {
		var values []string
		differ := false
		for i, r := range c.Results {
			values = append(values, fmt.Sprintf("%s %s", c.Names[i], about.of(i, r)))
			differ = differ || about.of(i, r) != about.of(0, c.Results[0])
		}
		if differ {
			list = append(list, document.Notice{Level: about.level,
				Text: fmt.Sprintf("the %s differ: %s", about.what, strings.Join(values, ", ")), Remedy: about.why})
		}
	}
	var imported []string
	for i, r := range c.Results {
		if r.Imported != "" {
			imported = append(imported, c.Names[i])
		}
	}
	if len(imported) > 0 {
		list = append(list, document.Notice{Level: document.Warning, Text: "imported: " + strings.Join(imported, ", "),
			Remedy: "other programs measured these: their loops and times may differ from beff's, and what they " +
				"spread is not known"})
	}
	return list
}

func Either(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// figures is the table of all results side by side.
func (c *Comparison) figures() document.Section {
	t := &document.Table{ID: "figures-table", Caption: "Ratios are to " + c.Names[0] +
		". The ratings are those of each formula's best partition, the others of the partition that is compared.",
		Columns: []document.Column{{Name: "figure"}}}
	for i, name := range c.Names {
		t.Columns = append(t.Columns, document.Column{Name: name, Numbers: true})
		if i > 0 {
			t.Columns = append(t.Columns, document.Column{Name: "ratio", Numbers: true})
		}
	}
	add := func(name string, of func(v view) float64) {
		cells := []document.Cell{document.Text(name)}
		first := 0.0
		for i, v := range c.views {
			x := of(v)
			cells = append(cells, versus.Number(x/words.Mega))
			if i == 0 {
				first = x
			} else {
				cells = append(cells, versus.Fixed(x/first, 3))
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	add("b_eff_io by the paper, MB/s", func(v view) float64 { return v.Derived.Paper })
	add("b_eff_io by release 2.1, MB/s", func(v view) float64 { return v.Derived.Release21 })
	for _, a := range beffio.Accesses() {
		add(string(a)+", MB/s", func(v view) float64 { return v.access(a).Bandwidth })
	}
	for _, a := range beffio.Accesses() {
		for _, typ := range beffio.Types() {
			if a != beffio.Rewrite || c.rewritten(int(typ)) {
				add(fmt.Sprintf("%s, %v, MB/s", a, typ), func(v view) float64 { return v.access(a).Types[typ] })
			}
		}
	}
	return document.Section{ID: "side-by-side", Title: "Side by side", Blocks: []document.Block{t}}
}

// rewritten says whether any result has a type's rewriting.
func (c *Comparison) rewritten(typ int) bool {
	for _, v := range c.views {
		if v.access(beffio.Rewrite).Types[typ] > 0 {
			return true
		}
	}
	return false
}

// differences is a table of areas, and what the passes say.
func (c *Comparison) differences(i int) document.Section {
	o := &c.Others[i]
	section := document.Section{ID: fmt.Sprintf("differences-%d", i+1),
		Title: fmt.Sprintf("%s against %s", o.Name, c.Names[0])}
	if len(o.Differences) == 0 {
		section.Blocks = []document.Block{document.Paragraph("Nothing was measured in both.")}
		return section
	}
	t := &document.Table{ID: fmt.Sprintf("areas-%d", i+1), Caption: "Bandwidths, and whether they differ by more " +
		"than the passes over the read access spread.",
		Columns: []document.Column{{Name: "area"}, {Name: c.Names[0], Unit: "MB/s", Numbers: true},
			{Name: o.Name, Unit: "MB/s", Numbers: true}, {Name: "ratio", Numbers: true},
			{Name: "interval low", Numbers: true}, {Name: "interval high", Numbers: true},
			{Name: "larger than spread"}}}
	for _, d := range o.Differences {
		t.Rows = append(t.Rows, versus.DifferenceCells(d))
	}
	section.Blocks = []document.Block{t, document.Paragraph(fmt.Sprintf(
		"Whole passes over the read access: %d of %s, %d of %s.", len(c.views[0].whole), c.Names[0],
		len(c.views[i+1].whole), o.Name))}
	return section
}

// gap says where the difference comes from.
func (c *Comparison) gap(i int) (document.Section, bool) {
	o := &c.Others[i]
	if o.Gap == nil {
		return document.Section{}, false
	}
	section := document.Section{ID: fmt.Sprintf("gap-%d", i+1),
		Title: fmt.Sprintf("What drives the gap of %s to %s", o.Name, c.Names[0])}
	if len(o.Gap.Parts) == 0 || math.IsNaN(o.Gap.Parts[0].Share) {
		section.Blocks = []document.Block{document.Paragraph("There is no difference.")}
		return section, true
	}
	section.Blocks = []document.Block{
		document.Paragraph(fmt.Sprintf("By %s, b_eff_io of %s is %.3f times that of %s. A part's factor is what its "+
			"share of that is; the factors' product is the ratio.",
			formulaNames[c.Rules], o.Name, o.Ratio, c.Names[0])),
		versus.PartsTable(fmt.Sprintf("gap-parts-%d", i+1), "By access method and pattern type.", o.Gap.Parts,
			len(o.Gap.Parts)),
	}
	return section, true
}
