package ofbeffio

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/beffio"
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
	return versus.Page{Title: "b_eff_io", Sides: c.opening(), Notices: c.notices(), Sections: sections,
		Mains: versus.Mains(c.Others, mainOf), Remark: ", by " + formulaNames[c.Rules], Pictures: figures,
		Method: method}.Document()
}

func mainOf(o Other) versus.Difference { return o.Main }

// opening returns what the first lines say of the sides.
func (c *Comparison) opening() (sides []versus.Side) {
	for i, r := range c.Results {
		s := versus.Side{Name: c.Names[i], Fact: c.fact(i), Date: r.Started, Around: r.Circumstances}
		for _, v := range c.sides[i] {
			s.Runs = append(s.Runs, parts.Rated{Rating: v.Derived.BEffIO, Within: v.Derived.BEffIOInterval,
				Verdict: v.Verdict})
		}
		sides = append(sides, s)
	}
	return sides
}

var formulaNames = map[beffio.Rules]string{beffio.RulesPaper: "the paper's formula",
	beffio.Rules21: "release 2.1's formula"}

var method = []string{
	"Of each result the partition is compared that is best by the formula of the first one's rules.",
	"Types: bytes by the time from open to close. Chunks: the mean over the patterns with that chunk on disk which " +
		"both results have; M_PART is each result's own.",
	versus.About + " The ratings and the access methods have the intervals within their runs, by blocks of calls, " +
		"where these are known. Other figures of reading have as repetitions the passes over the read access, where " +
		"both results have two whole ones or more: those that read all that the first one did. The figures are of " +
		"the first pass. Other figures of writing and rewriting are made once in a run: what they spread is not " +
		"known from one run. What a run can't see is a file system that is in another state for all of it.",
	versus.AboutRuns,
	versus.AboutParts,
	"The paper: 0.25 write + 0.25 rewrite + 0.5 read, each the mean over the types with scatter counted twice. " +
		"Release 2.1: the square root of (all types of write, and rewrite of scatter)/6 times read.",
	"1 MB/s = 10^6 bytes per second; chunks count 1 kB = 2^10, 1 MB = 2^20 bytes.",
}

// fact returns the place and the settings of the compared partition of a result, in words.
func (c *Comparison) fact(i int) string {
	r := c.Results[i]
	on := "nothing measured"
	if n := c.sides[i][0].n; n >= 0 {
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

// notices returns the reasons why the results should not be compared, the worst first.
func (c *Comparison) notices() []document.Notice {
	sides := c.opening()
	list := slices.Concat(versus.NotValid(sides), versus.Differing(c.Names, c.aspects()), versus.Noisy(sides))
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

// aspects returns the facts of a run that the results should share.
func (c *Comparison) aspects() []versus.Aspect {
	of := func(value func(*beffio.Result) string) func(int) string {
		return func(i int) string { return value(c.Results[i]) }
	}
	either := func(holds func(*beffio.Result) bool, yes, no string) func(int) string {
		return of(func(r *beffio.Result) string { return words.Either(holds(r), yes, no) })
	}
	rewriting := document.Bad
	if c.Rules == beffio.Rules21 { // its formula takes the rewriting of scatter alone
		rewriting = document.Warning
	}
	return []versus.Aspect{
		{Level: document.Bad, Names: "engines",
			Of:     of(func(r *beffio.Result) string { return rankedIn(r).Engine.String() }),
			Remedy: "the embedded engine rates what one machine gets from the file system, not an MPI-IO"},
		{Level: document.Bad, Names: "file pointers of type 1",
			Of:     either(func(r *beffio.Result) bool { return r.NoShared }, "individual", "shared"),
			Remedy: "individual ones are another thing: measure both without --noshared"},
		{Level: rewriting, Names: "types that are rewritten",
			Of:     either(func(r *beffio.Result) bool { return r.RewriteAll }, "all", "scatter"),
			Remedy: "the paper's formula takes the mean over those that are; use --rewrite for both, or for none"},
		{Level: document.Warning, Names: "rules",
			Of: of(func(r *beffio.Result) string { return string(r.Rules) }),
			Remedy: fmt.Sprintf("they ask for other times, and their headlines are by other formulas: ratios here "+
				"are by %s", formulaNames[c.Rules])},
		{Level: document.Warning, Names: "times scheduled for a partition", Of: of(func(r *beffio.Result) string {
			return fmt.Sprintf("%.4g s", r.Duration/float64(len(r.Partitions)))
		}), Remedy: "what is written in a short time stays in caches; use the same -T and as many partitions"},
		{Level: document.Warning, Names: "longest chunks",
			Of:     of(func(r *beffio.Result) string { return words.Length(r.MPart) }),
			Remedy: "M_PART is a part of the memory; use the same --memory"},
		{Level: document.Warning, Names: "numbers of processes",
			Of:     of(func(r *beffio.Result) string { return fmt.Sprint(r.Processes) }),
			Remedy: "more processes may get more of the file system, or be in each other's way"},
		{Level: document.Warning, Names: "numbers of processes per node",
			Of:     versus.Counted(func(i int) int { return c.Results[i].PerNode() }),
			Remedy: "the processes of a node share its way to the file system, and its cache"},
		{Level: document.Warning, Names: "numbers of processes of the best partitions", Of: func(i int) string {
			if n := c.sides[i][0].n; n >= 0 {
				return fmt.Sprint(c.Results[i].Partitions[n])
			}
			return "none"
		}, Remedy: "b_eff_io is the best partition's: what it needed for that differs"},
	}
}

// figures returns the table of all results side by side.
func (c *Comparison) figures() document.Section {
	var lines []versus.Line
	for _, f := range beffio.Figures {
		line := versus.Line{Figure: f.Figure}
		for _, s := range c.sides {
			line.Sides = append(line.Sides, s.sampled(func(v view) versus.Sampled {
				x := f.Of(v.by)
				return versus.OfRating(x.Value, x.Within)
			}))
		}
		lines = append(lines, line)
	}
	return versus.SideBySide(c.Names, " The ratings by a formula are those of its best partition, the others of the "+
		"partition that is compared.", lines)
}

// differences returns the section with the areas of another result, and the numbers of passes.
func (c *Comparison) differences(i int) document.Section {
	o := &c.Others[i]
	return versus.Differences(i+1, c.Names[0], o.Name,
		"Bandwidths", o.Differences,
		"Nothing was measured in both.", document.Paragraph(fmt.Sprintf(
			"Whole passes over the read access: %d of %s, %d of %s.", len(c.sides[0][0].whole), c.Names[0],
			len(c.sides[i+1][0].whole), o.Name)))
}

// gap returns the section about the sources of the difference; without blocks if either result has no rating.
func (c *Comparison) gap(i int) document.Section {
	o := &c.Others[i]
	if o.Gap == nil {
		return document.Section{}
	}
	return versus.Gap(i+1, c.Names[0], o.Name, o.Main,
		document.Paragraph(fmt.Sprintf("By %s, b_eff_io of %s is %.3f times that of %s. The contributions of all "+
			"parts sum up to the difference.%s", formulaNames[c.Rules], o.Name, o.Main.Ratio(), c.Names[0],
			o.Main.Unsure())),
		versus.PartsTable(fmt.Sprintf("gap-parts-%d", i+1), "By access method and pattern type.", o.Gap.Parts,
			len(o.Gap.Parts)))
}
