// Package gpcnet writes results of victims and congestors in the text of GPCNeT 1.3's two programs, for scripts that
// read it: its titles, names, columns, widths and units. All columns are of the same times, so that 99 % is within the
// extremes; factors are those of the times and not of printed ones; and what a factor is not sure of stands below.
// Package report/format/tools reads the text.
package gpcnet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/format/live"
	"github.com/effective-bandwidth/beff/report/format/load"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// Version is that of the programs whose text this is.
const Version = "1.3"

// names has the tests by the victims that they are, and the congestors.
var names = map[string]string{"Ring_latency": "RR Two-sided Lat", "Ring_get_latency": "RR Get Lat",
	"Ring_bandwidth": "RR Two-sided BW", "Ring_put_bandwidth": "RR Put BW",
	"Ring_bandwidth_sync": "RR Two-sided BW+Sync",
	"Natural_bandwidth":   "Nat Two-sided BW", "Multiple_allreduce": "Multiple Allreduce",
	"Multiple_alltoall": "Multiple Alltoall",
	"alltoall":          "Alltoall", "incast": "Two-sided Incast", "put_incast": "Put Incast", "get_bcast": "Get Bcast",
	"stencil": "Stencil"}

const (
	mebi     = 1 << 20
	wide     = 140 // characters of the verbose tables
	narrow   = 80
	latency  = "usec"
	speed    = "MiB/s/rank"
	isolated = "Isolated Network Tests"
	together = "Network Tests running with Congestion Tests"
)

// writer writes the text piece by piece: see live.Text.
type writer struct {
	r       *probe.Result
	blocks  live.Blocks
	verbose bool
}

// New returns the text of a result of victims and congestors (live.Maker).
func New(r *probe.Result, _ []probe.Selection) live.Text {
	return &writer{r: r, verbose: r.Settings.Columns == settings.GPCNeTVerbose}
}

// Header writes nothing: the head says how many nodes there are on each side.
func (t *writer) Header(*strings.Builder) {}

// Block begins a block.
func (t *writer) Block(_ *strings.Builder, _ *kernel.Kernel, b *measured.Block) { t.blocks.Begin(b) }

// Row takes a row.
func (t *writer) Row(_ *strings.Builder, _ *kernel.Kernel, _ *measured.Block, row *measured.Row) error {
	t.blocks.Add(row)
	return nil
}

// test is a row of a table: the times of a victim.
type test struct {
	name, units string
	kernel      string
	bytes       int64
	h           *stats.Histogram
	worst       []int64 // picoseconds
	moved       float64 // bytes of a repetition; 0: the time is shown
	unit        float64 // microseconds in a picosecond
}

// of returns a time in picoseconds as the table shows it.
func (x *test) of(ps float64) float64 {
	if x.moved > 0 {
		return x.moved / (ps * 1e-12) / mebi
	}
	return ps * x.unit
}

// row returns the row of a table.
func (x *test) row(verbose bool) string {
	least, most := x.of(float64(x.h.Min)), x.of(float64(x.h.Max))
	worst := lists.SumOf(x.worst, func(ps int64) float64 { return x.of(float64(ps)) / float64(len(x.worst)) })
	figures := []float64{min(least, most), max(least, most), x.of(x.h.Mean()), worst, x.of(x.h.Quantile(0.99)),
		x.of(x.h.Quantile(0.999))}
	if !verbose {
		figures = []float64{figures[2], figures[4]}
	}
	list := lists.Each(figures, func(f float64) string { return fmt.Sprintf("%.1f", f) })
	return line(x.name, append(list, x.units)...)
}

// line returns a line of a table.
func line(name string, cells ...string) string {
	s := fmt.Sprintf("| %31.31s |", name)
	for _, c := range cells {
		s += fmt.Sprintf(" %12.12s |", c)
	}
	return s + "\n"
}

// besides returns what victims were beside, each once: congestors of one kind, or of several at once.
func (t *writer) besides() (list []string) {
	for i := range t.blocks {
		if beside := t.blocks[i].Beside; beside != "" && !slices.Contains(list, beside) {
			list = append(list, beside)
		}
	}
	return list
}

// titled returns a table's title. It names the congestors where there are several tables of it.
func (t *writer) titled(title, beside string) string {
	if len(t.besides()) > 1 {
		title += ": " + beside
	}
	return title
}

// tests returns the victims beside some congestors, or alone, over all splits.
func (t *writer) tests(beside string) (list []*test) {
	at := map[string]*test{}
	for b := range lists.Elements(t.blocks) {
		k, known := t.r.Kernel(b)
		for row := range lists.Elements(b.Rows) {
			l := row.Load
			if !known || l == nil || l.Alone == nil || beside != "" && (l.Beside == nil || b.Beside != beside) {
				continue
			}
			name := fmt.Sprintf("%s (%d B)", cmp.Or(names[b.Kernel], b.Kernel), row.Bytes)
			x := at[name]
			if x == nil {
				x = &test{name: name, kernel: b.Kernel, bytes: row.Bytes, units: latency, h: new(stats.Histogram),
					unit: 1e-6 / float64(b.Halves(k))}
				if k.Moved > 0 {
					x.units, x.moved = speed, b.Messages(k)*float64(row.Bytes)
				}
				at[name], list = x, append(list, x)
			}
			h, worst := l.Alone, l.AloneWorst
			if beside != "" {
				h, worst = l.Beside, l.BesideWorst
			}
			x.h.Merge(h)
			x.worst = append(x.worst, worst...)
		}
	}
	return list
}

// congestor is a row of congestors: MiB/s of one in each split.
type congestor struct {
	name  string
	rates []float64
}

// congestors returns what the kinds of congestors of a list moved: beside a victim, or without victims (nil).
func (t *writer) congestors(beside string, victim *test) (list []*congestor) {
	for b := range lists.Elements(t.blocks) {
		for j := range b.Rows {
			l := b.Rows[j].Load
			if l == nil || b.Beside != beside || (len(b.Groups) > 0) != (victim != nil) ||
				victim != nil && (b.Kernel != victim.kernel || b.Rows[j].Bytes != victim.bytes) {
				continue
			}
			for _, m := range l.Moved {
				name := congestorName(m.Congestor)
				k := slices.IndexFunc(list, func(c *congestor) bool { return c.name == name })
				if k < 0 {
					k = len(list)
					list = append(list, &congestor{name: name})
				}
				list[k].rates = append(list[k].rates, m.Bandwidth/mebi)
			}
		}
	}
	return list
}

// congestorName returns a kind of congestors in GPCNeT's words, which has none for bursts.
func congestorName(text string) string {
	list, err := settings.ParseCongestors(text)
	if err != nil {
		return text // results were checked
	}
	c := list[0]
	bytes := cmp.Or(c.Bytes, suites.Congestor(c.Name).Usual)
	if _, burst, bursts := strings.Cut(text, "@"); bursts {
		return fmt.Sprintf("%s@%s (%d B)", c.Name, burst, bytes)
	}
	return fmt.Sprintf("%s (%d B)", names[c.Name], bytes)
}

// row returns the row of a table: the means of the splits. There are no times of single repetitions.
func (c *congestor) row(verbose bool) string {
	sum := lists.Sum(c.rates)
	digits := func(x float64) string { return fmt.Sprintf("%.1f", x) }
	mean := digits(sum / float64(len(c.rates)))
	if !verbose {
		return line(c.name, mean, "-", speed)
	}
	least := digits(slices.Min(c.rates))
	return line(c.name, least, digits(slices.Max(c.rates)), mean, least, "-", "-", speed)
}

// bars returns the lines above a title, and between rows.
func (t *writer) bars() (outer, inner string) {
	size, columns := narrow, 3
	if t.verbose {
		size, columns = wide, 7
	}
	outer = "+" + strings.Repeat("-", size-2) + "+\n"
	b := []byte(outer)
	for i := range columns {
		b[34+i*15] = '+'
	}
	return outer, string(b)
}

// table begins a table with a title.
func (t *writer) table(s *strings.Builder, title string) {
	outer, inner := t.bars()
	heads := []string{"Avg", "99%", "Units"}
	if t.verbose {
		heads = []string{"Min", "Max", "Avg", "Avg(Worst)", "99%", "99.9%", "Units"}
	}
	fmt.Fprintf(s, "\n%s%s%s%s%s", outer, centred(title, len(outer)-5), inner, line("Name", heads...), inner)
}

// centred returns a line with a title in the middle of as many characters.
func centred(title string, width int) string {
	title = fmt.Sprintf("%.*s", width, title)
	room := width - len(title)
	return "| " + strings.Repeat(" ", room/2) + title + strings.Repeat(" ", room-room/2) + " |\n"
}

// End writes all.
func (t *writer) End(s *strings.Builder) {
	t.head(s)
	_, bar := t.bars()
	alone := t.tests("")
	if len(alone) > 0 {
		t.table(s, isolated)
		for _, x := range alone {
			s.WriteString(x.row(t.verbose) + bar)
		}
	}
	for _, beside := range t.besides() {
		if list := t.congestors(beside, nil); len(list) > 0 && (t.verbose || len(alone) == 0) {
			t.table(s, t.titled("Isolated Congestion Tests", beside))
			for _, c := range list {
				s.WriteString(c.row(t.verbose) + bar)
			}
		}
	}
	for _, beside := range t.besides() {
		t.loaded(s, beside)
	}
	t.key(s)
}

// head writes what the programs begin with.
func (t *writer) head(s *strings.Builder) {
	victims, congestors, kinds := t.sides()
	nodes := len(t.r.Placement)
	if t.r.Settings.Loads().By != "" {
		nodes = t.r.Processes
	}
	name := words.Either(congestors > 0, "NetworkLoad", "Network")
	fmt.Fprintf(s, "%s Tests v%s\n  Test with %d MPI ranks (%d nodes)\n", name, Version, t.r.Processes, nodes)
	if congestors > 0 {
		fmt.Fprintf(s, "  %d nodes running Network Tests\n  %d nodes running Congestion Tests (min %d nodes per "+
			"congestor)\n", victims, congestors, congestors/max(kinds, 1))
	}
	s.WriteString("\n  Legend\n   RR = random ring communication pattern\n   Nat = natural ring communication " +
		"pattern\n   Lat = latency\n   BW = bandwidth\n   BW+Sync = bandwidth with barrier\n")
}

// sides returns the nodes on each side of the first split, and the kinds of congestors.
func (t *writer) sides() (victims, congestors, kinds int) {
	for b := range lists.Elements(t.blocks) {
		if len(b.Groups) > 0 {
			victims = max(victims, len(b.Groups[0]))
		}
		first, of := 0, map[string]bool{}
		for _, c := range b.Against {
			if !of[c.Congestor] {
				first, of[c.Congestor] = first+len(c.Ranks), true
			}
		}
		congestors, kinds = max(congestors, first), max(kinds, len(of))
	}
	return victims, congestors, kinds
}

// loaded writes the victims beside some congestors: verbose with what these moved.
func (t *writer) loaded(s *strings.Builder, beside string) {
	_, bar := t.bars()
	list := t.tests(beside)
	if len(list) > 0 && !t.verbose {
		t.table(s, t.titled(together, beside))
	}
	for _, x := range list {
		if t.verbose {
			name, _, _ := strings.Cut(x.name, " (")
			t.table(s, t.titled(fmt.Sprintf("%s (%20s Network Test)", together, name), beside))
		}
		s.WriteString(x.row(t.verbose) + bar)
		if !t.verbose {
			continue
		}
		for _, c := range t.congestors(beside, x) {
			s.WriteString(c.row(true) + bar)
		}
	}
}

// key writes the factors, and what they are not sure of, if there are some.
func (t *writer) key(s *strings.Builder) {
	bar := "+" + strings.Repeat("-", 33) + "+" + strings.Repeat("-", 22) + "+" + strings.Repeat("-", 21) + "+\n"
	impacts := t.r.ImpactsOf(t.blocks)
	if len(impacts) == 0 {
		return
	}
	slices.SortStableFunc(impacts, func(a, b measured.Impact) int {
		return slices.Index(t.besides(), a.Beside) - slices.Index(t.besides(), b.Beside)
	})
	var below []string
	for i, x := range impacts {
		if i == 0 || x.Beside != impacts[i-1].Beside {
			fmt.Fprintf(s, "\n+%s+\n%s+%s+%s+\n| %31s | %42s |\n%s| %31s | %20s | %19s |\n%s",
				strings.Repeat("-", 78), centred(t.titled(together+" - Key Results", x.Beside), 76),
				strings.Repeat("-", 33), strings.Repeat("-", 44), "Name", "Congestion Impact Factor", bar, "", "Avg",
				"99%", bar)
		}
		name := fmt.Sprintf("%s (%d B)", cmp.Or(names[x.Kernel], x.Kernel), x.Bytes)
		p99 := fmt.Sprintf("%18.3fX", x.P99.Factor)
		if x.P99.Factor == 0 {
			p99 = fmt.Sprintf("%19s", "-")
		}
		fmt.Fprintf(s, "| %31.31s | %19.3fX | %s |\n%s", name, x.Mean.Factor, p99, bar)
		for _, f := range []struct {
			of string
			measured.Factor
		}{{"Avg", x.Mean}, {"99%", x.P99}, {"99.9%", x.P999}} {
			if len(f.Interval) == 2 {
				below = append(below, fmt.Sprintf("  %s beside %s, %s: %.3fX (%.3f to %.3f)\n", name, x.Beside, f.of,
					f.Factor.Factor, f.Interval[0], f.Interval[1]))
			}
		}
	}
	if len(below) > 0 {
		fmt.Fprintf(s, "\n  Intervals of a confidence of %g %% over the splits of the nodes:\n%s",
			100*t.r.Settings.Rule().Confidence, strings.Join(below, ""))
	}
	s.WriteString(load.Unhit(impacts, "  "))
}

// Fits reports whether a result was asked for in this text.
func Fits(r *probe.Result, kernels []probe.Selection) bool {
	asked := r.Settings.Columns == settings.GPCNeTColumns || r.Settings.Columns == settings.GPCNeTVerbose
	return asked && len(kernels) > 0 && !slices.ContainsFunc(kernels, func(s probe.Selection) bool {
		return s.Kernel.Component != kernel.Load
	})
}
