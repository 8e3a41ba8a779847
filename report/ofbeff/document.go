package ofbeff

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/findings"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Document returns the whole report of a result that has passed beff's Result.Check, with all tables and the given
// figures.
func Document(r *beff.Result, figures []*document.Figure) *document.Document {
	d := &document.Document{
		Title: "b_eff of " + parts.NameOf(r.System, r.Host), Subtitle: "effective communication bandwidth",
		Headline: headline(r),
		Facts:    facts(r), Notices: notices(r),
		Date: Report{r}.Header().Date(), Lead: parts.Lead(meaning, findings.BEff(r)), Last: Line(r),
		Screen: parts.Screen(beff.Benchmark, Report{r}.Header(), r.Estimate()),
	}
	if len(figures) > 0 && figures[0].ID == "beff-bandwidth" {
		d.Lead.Figure, figures = figures[0], figures[1:]
	}
	s := samplesOf(r)
	d.Sections = parts.Sections(summarySection(s.Grid), averagesSection(r), parts.FiguresSection(figures),
		lengthsSection(s.Grid), detailSection(s), parts.VerdictSection(r.Verdict), environmentSection(r),
		patternsSection(s))
	return d
}

// meaning explains b_eff to readers who never ran MPI.
const meaning = "b_eff is the rate at which all processes together move messages to each other, averaged over " +
	"lengths from 1 byte to 1/128 of the memory, and over neighbours and random partners. The higher it is, the " +
	"less time programs spend exchanging data."

func headline(r *beff.Result) document.Headline {
	if r.Derived.BEff == 0 {
		return document.Headline{Name: "b_eff", Note: "not computed: it needs all ring and random patterns at all " +
			"lengths"}
	}
	each, unitOfEach := words.ValueAndUnit(r.Estimate().Over(r.Processes))
	return parts.Headline("b_eff", r.Verdict, r.Estimate(),
		fmt.Sprintf("%s; %s %s per process on %d processes", within(r), each, unitOfEach, r.Processes))
}

// within returns the interval of b_eff in words.
func within(r *beff.Result) string {
	if r.Engine.Kind().Simulated {
		return "(computed by a model)"
	}
	if r.Interval() == nil {
		return "(interval not known: it needs each length twice)"
	}
	return r.Estimate().String() + " (95 %, within this run)"
}

// notices returns the verdict, the warnings, and notes about the patterns.
func notices(r *beff.Result) []document.Notice {
	list := parts.Notices(r.Verdict, r.Estimate())
	for _, text := range lists.Filled([]string{onePair(r), unseenStates(r)}) {
		list = append(list, document.Notice{Level: document.Note, Text: text})
	}
	return list
}

// unseenStates returns a sentence about states of the machine that a rating of few passes can't reveal, or "" if the
// rating has enough passes or doesn't count.
func unseenStates(r *beff.Result) string {
	const times = 3
	passes := max(1, len(r.Derived.Passes))
	if passes >= rating.MinPasses || !r.Counts() || !(r.Complete || r.Valid) || r.Engine.Kind().Simulated {
		return ""
	}
	remedy := "measure three passes (--passes 3)"
	switch {
	case !r.Complete:
		remedy = "the run ended early"
	case r.AtMost > 0:
		remedy = "no further pass fitted into the time (--at-most) or the wall limit"
	}
	return fmt.Sprintf("%s of %.0f s in all can't reveal states of the machine that last longer than %.0f s: %s",
		words.Count(passes, "pass"), r.WallSeconds, r.WallSeconds/times, remedy)
}

// onePair returns a sentence about results of two processes, or "" for more.
func onePair(r *beff.Result) string {
	if r.Processes > 2 || r.Derived.BEff == 0 {
		return ""
	}
	return "with 2 processes all ring and random patterns are the same pair, so tables show their average"
}

// facts returns the known facts of the run.
func facts(r *beff.Result) []document.Fact {
	list := parts.MachineFacts(r.System, &r.Host, r.Engine, ": one machine's memory, no MPI")
	list = append(list, parts.ModelFacts(r.Model)...)
	list.Add(true, "processes", "%d", r.Processes)
	list.Add(true, "memory per process", "%s", rating.Bytes(r.MemoryPerProcess))
	list.Add(true, "messages in memory of", "%s", r.Place())
	list.Add(true, "longest message", "%s", rating.Bytes(r.Lmax))
	list.Add(true, "placement", "%s", parts.Placement(r.Placement))
	list.Add(true, "rules", "%s%s", r.Rules, words.Either(r.Quick, ", quick", ""))
	list.Add(true, "seed", "%d", r.Seed)
	list.Add(true, "duration", "%.1f s", r.WallSeconds)
	list.Add(true, "program", "beff %s", r.Beff)
	return list
}

// summarySection returns the table of all figures. The interval at a figure's message length decides on its digits.
func summarySection(g *beff.Grid) document.Section {
	r := g.Result
	t := &document.Table{ID: "summary-table", Caption: "Summary. Latency is the time of one exchange of a process at " +
		"the shortest message.", Columns: document.Heads(words.Processes(r.Processes)), Turned: true,
		Rows: [][]document.Cell{{document.Text("accumulated")}, {document.Text("per process")}}}
	for _, f := range beff.Figures {
		if f.Unit == rating.Part && !f.Of(r).Known() {
			continue // only results of several nodes with known links have this figure
		}
		var within float64
		switch {
		case f.Rated:
			within = r.Estimate().RelativeHalfWidth()
		case f.Unit == rating.Latency || f.Unit == rating.Length:
			within = halfWidth(g, 0)
		default:
			within = halfWidth(g, len(g.Lengths)-1)
		}
		cell := parts.FigureCell(f.Figure, f.Unit.In(f.Of(r).Value), within)
		if f.PerProcess {
			t.Rows[1][len(t.Columns)-1] = cell
			continue
		}
		cell.Strong = f.Key == beff.Benchmark
		t.Columns = append(t.Columns, document.Heads(f.Name+" ["+f.Unit.Shown+"]")...)
		t.Rows[0], t.Rows[1] = append(t.Rows[0], cell), append(t.Rows[1], document.Text(""))
	}
	return document.Section{ID: "summary", Title: "Summary", Blocks: []document.Block{t}}
}

// averagesSection returns averages by other rules than b_eff's, which users compare with b_eff.
func averagesSection(r *beff.Result) document.Section {
	d, within := &r.Derived, r.Estimate().RelativeHalfWidth()
	section := document.Section{ID: "averages", Title: "Averages"}
	add := func(id, caption, head string, names []string, figures []float64) {
		t := &document.Table{ID: id, Caption: caption,
			Columns: document.Heads(head, "bandwidth [MB/s]", "per process [MB/s]")}
		for i, x := range figures {
			if x > 0 {
				t.Add(names[i], parts.BandwidthWithin(x, within), parts.BandwidthWithin(x/float64(r.Processes), within))
			}
		}
		if len(t.Rows) > 0 {
			section.Blocks = append(section.Blocks, t)
		}
	}
	add("averages-methods", "Averages of each method, and of the best method of each pattern, which is chosen after "+
		"averaging over lengths.", "method",
		append(append([]string{}, r.Methods...), "best after averaging"),
		append(append([]float64{}, d.PerMethod...), d.BestMethod))
	if a := r.Separate; a != nil {
		add("averages-apart", "Methods that are measured separately and don't count for b_eff. The persistent "+
			"method keeps its messages at one place in memory, so that short ones come from the caches.", "method",
			a.Methods, a.PerMethod)
	}
	if r.DirectOverStaged(whole.from, whole.to) > 0 {
		t := &document.Table{ID: "direct-over-staged", Columns: document.Heads("lengths", "ratio []"),
			Caption: "Bandwidth of direct messages over messages that are copied through the host's memory, both by " +
				"nonblocking calls."}
		for _, c := range append([]class{whole}, classes...) {
			t.Add(c.name, document.Text(fmt.Sprintf("%.3g", r.DirectOverStaged(c.from, c.to))))
		}
		section.Blocks = append(section.Blocks, t)
	}
	if len(d.PerRepetition) > 1 {
		repetitions := lists.Of(len(d.PerRepetition), func(i int) string { return fmt.Sprint(i + 1) })
		caption := fmt.Sprintf("Averages of each repetition. b_eff takes the best of the %d repetitions of "+
			"each measurement, so it is higher than each of these averages.", r.Repetitions)
		add("averages-repetitions", caption, "repetition", repetitions, d.PerRepetition)
	}
	if len(d.Passes) > 0 {
		section.Blocks = append(section.Blocks, passesTable(r))
	}
	return section
}

// halfWidth returns half of the 95 % interval of the mean over the patterns at a length, relative to the mean, or NaN
// if it isn't known.
func halfWidth(g *beff.Grid, l int) float64 {
	mean := g.Both(func(p int) float64 { return g.Best(p, l) })
	each := lists.Of(g.Repetitions, func(i int) float64 {
		return g.Both(func(p int) float64 { return g.InRepetition(p, l, i) })
	})
	in, known := compare.OfBest(mean, lists.Where(each, chart.Usable)).Interval()
	if !known || g.Engine.Kind().Simulated {
		return math.NaN()
	}
	return (&rating.Interval{Low: in.Low, High: in.High}).RelativeHalfWidth(mean)
}

// lengthsSection returns a table with a row for each message length. The interval at a length decides on the digits of
// its row.
func lengthsSection(g *beff.Grid) document.Section {
	heads := []string{"length in bytes []", "rings [MB/s]", "randoms [MB/s]", "rings & randoms [MB/s]",
		"per process [MB/s]"}
	heads = append(heads, lists.Each(g.Methods, func(m string) string { return m + " [MB/s]" })...)
	t := &document.Table{ID: "lengths-table", Caption: "Averages at each message length: geometric means over the " +
		"patterns of the best method's best repetition, and then of each method's best repetition.",
		Columns: document.Heads(heads...), ByRow: true}
	measured := false
	for l, length := range g.Lengths {
		best := func(p int) float64 { return g.Best(p, l) }
		both := g.Both(best)
		bandwidths := []float64{g.LogAverage(patterns.KindRing, best), g.LogAverage(patterns.KindRandom, best),
			both, both / float64(g.Processes)}
		for m := range g.Methods {
			bandwidths = append(bandwidths, g.Both(func(p int) float64 { return g.OfMethod(p, l, m) }))
		}
		within := halfWidth(g, l)
		row := lists.Each(bandwidths, func(x float64) document.Cell { return parts.BandwidthWithin(x, within) })
		measured = measured || slices.ContainsFunc(row, func(c document.Cell) bool { return c.Value != nil })
		t.Rows = append(t.Rows, append([]document.Cell{document.Whole(length)}, row...))
	}
	section := document.Section{ID: "lengths", Title: "By message length"}
	if measured {
		section.Blocks = []document.Block{t}
	}
	return section
}

// tableLengths is the number of lengths that fit on a page next to each other.
const tableLengths = 7

// patternsSection returns tables with each pattern's best bandwidth at each length divided by the rings' mean there.
// Each table fits on a page.
func patternsSection(s *samples) document.Section {
	unit, text := "", "The best method's best repetition of each pattern, per participating process, over the mean of "+
		s.reference()+" at this length. The table by message length has the rings' bandwidths."
	if s.means == nil {
		unit, text = "MB/s", "The best method's best repetition of each pattern, per participating process."
	}
	section := document.Section{ID: "patterns", Title: "By pattern and message length",
		Blocks: []document.Block{document.Paragraph(text)}}
	within := lists.Of(len(s.Lengths), func(l int) float64 { return halfWidth(s.Grid, l) })
	for from := 0; from < len(s.Lengths); from += tableLengths {
		to := min(from+tableLengths, len(s.Lengths))
		t := &document.Table{ID: fmt.Sprintf("patterns-%d", from/tableLengths+1), Columns: document.Heads("pattern"),
			Detail: s.Processes > 2, Caption: fmt.Sprintf("Messages of %s to %s.", rating.Bytes(s.Lengths[from]),
				rating.Bytes(s.Lengths[to-1]))}
		for _, l := range s.Lengths[from:to] {
			t.Columns = append(t.Columns, document.Heads(rating.Bytes(l)+" ["+unit+"]")...)
		}
		for _, row := range shown(s.Grid) {
			cells := []document.Cell{document.Text(row.name)}
			for l := from; l < to; l++ {
				x := row.average(func(p int) float64 { return s.relative(s.best)(p, l) })
				cells = append(cells, s.cell(x, within[l]))
			}
			t.Rows = append(t.Rows, cells)
		}
		section.Blocks = append(section.Blocks, t)
	}
	return section
}

// cell returns a cell with a bandwidth that relative returned. within is its interval's relative half width.
func (s *samples) cell(x, within float64) document.Cell {
	switch {
	case s.means == nil:
		return parts.BandwidthWithin(x, within)
	case math.IsNaN(within):
		return parts.Number(x, ratioDecimals)
	}
	return parts.Rounded(x, within)
}

// ratioDecimals is the number of decimals of ratios whose interval is not known.
const ratioDecimals = 3

// shownRow is a row of a table of patterns: one pattern, or all patterns that are the same pair.
type shownRow struct {
	name    string
	code    string // in files, and for --patterns
	pattern int    // the first of them
	average func(f func(p int) float64) float64
}

// shown returns the rows of a table of patterns. With two processes, rings and randoms are one row.
func shown(g *beff.Grid) (list []shownRow) {
	together := onePair(g.Result) != ""
	if together {
		list = append(list, shownRow{"rings and randoms", "", g.OfKind(patterns.KindRing)[0], g.Both})
	}
	for p, pattern := range g.Patterns {
		if !together || pattern.Kind == patterns.KindDetail {
			list = append(list, shownRow{nameOf(pattern), pattern.Name, p,
				func(f func(p int) float64) float64 { return f(p) }})
		}
	}
	return list
}

// detailSection returns the average of each pattern. Patterns of the kind detail don't count for b_eff.
func detailSection(s *samples) document.Section {
	r := s.Result
	t := &document.Table{ID: "detail-table", Caption: "Each pattern, averaged over the lengths: bandwidth " +
		"per participating process, also over the mean of " + s.reference() + ". Details are only reported and do " +
		"not count for b_eff. The worst cycle is a ring of the first rank, the last, the second, and so on. The best " +
		"bisection pairs neighbours by rank, and the worst one pairs the first rank with the last, and so on.",
		Sortable: true,
		Columns: document.Heads("pattern", "name in files", "kind", "processes []", "messages []",
			"per process [MB/s]", "over "+s.reference()+" []")}
	each := func(p int) float64 { return s.perProcess(p, r.Derived.PerPattern[p]) }
	mean := math.NaN()
	if s.means != nil {
		mean = s.spread(patterns.KindRing, each).Mean
	}
	for _, row := range shown(s.Grid) {
		p, x := r.Patterns[row.pattern], row.average(each)
		t.Add(row.name, row.code, string(p.Kind), parts.Number(float64(p.Processes), 0),
			parts.Number(float64(p.Messages), 0), parts.Bandwidth(x), parts.Number(x/mean, ratioDecimals))
	}
	return document.Section{ID: "averages-patterns", Title: "By pattern", Blocks: []document.Block{t}}
}

// environmentSection returns the placement of the ranks, the times of the run, and the units.
func environmentSection(r *beff.Result) document.Section {
	section := document.Section{ID: "environment", Title: "Environment", Blocks: parts.Surroundings(r.Placement,
		r.Circumstances)}
	outside := 0.0
	if r.WallSeconds > 0 {
		outside = 100 * (1 - r.LoopSeconds/r.WallSeconds)
	}
	section.Blocks = append(section.Blocks, document.List{
		fmt.Sprintf("%d measurements in %.1f s, %.1f %% of the time outside of timed loops and their warm-ups",
			len(r.Samples), r.WallSeconds, outside),
		"1 MB/s = 10^6 bytes per second; memory and message lengths count 1 MiB = 2^20 bytes",
	})
	return section
}
