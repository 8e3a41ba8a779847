package live

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/report/words"
)

// loadText is the output of beff probe for victims with congestors: lines for each split as soon as it is measured, and
// then the factors over all splits.
type loadText struct {
	r      *probe.Result
	blocks Blocks // so far
}

// Load is the Maker of the text of a result with victims and congestors.
func Load(r *probe.Result, _ []probe.Selection) Text { return &loadText{r: r} }

// FitsLoad reports whether all kernels of a result are measured on splits.
func FitsLoad(r *probe.Result, kernels []probe.Selection) bool {
	other := func(s probe.Selection) bool { return !r.Splits(s.Kernel) }
	return len(kernels) > 0 && !slices.ContainsFunc(kernels, other)
}

// Header describes how nodes are split, and writes the headings of the lines of splits.
func (t *loadText) Header(s *strings.Builder) {
	l := t.r.Settings.Loads()
	fmt.Fprintf(s, "# beff %s\n# Victims with congestors on %s of %s over %s %s\n# %s, %s; times are means of a "+
		"repetition\n\n%s\n", words.OneLine(t.r.Beff), words.Processes(t.r.Processes),
		words.Count(len(t.r.Placement), "node"), t.r.Engine.Library, t.r.Engine.Version, words.Count(l.Splits, "split"),
		words.Either(l.By == "", "by nodes", "by processes, which share more than links"),
		line("split", "victim", "bytes", "congestors", "isolated[usec]", "congested[usec]", "times"))
}

// line formats the line of a victim in a split.
func line(split, victim, bytes, congestors, isolated, congested, times string) string {
	return strings.TrimRight(fmt.Sprintf("%5s %-20s %8s %-32s %14s %15s %8s", split, victim, bytes, congestors,
		isolated, congested, times), " ")
}

// Block begins a block.
func (t *loadText) Block(_ *strings.Builder, _ *kernel.Kernel, b *measured.Block) { t.blocks.Begin(b) }

// Row writes a row of a split.
func (t *loadText) Row(s *strings.Builder, k *kernel.Kernel, b *measured.Block, row *measured.Row) error {
	t.blocks.Add(row)
	split, bytes := fmt.Sprint(b.Split), fmt.Sprint(row.Bytes)
	if row.Load == nil {
		fmt.Fprintln(s, line(split, b.Name(), bytes, b.Congestors, row.Missing, "", "")+" "+row.Detail)
		return nil
	}
	if len(b.Groups) == 0 {
		fmt.Fprintln(s, line(split, "-", "", b.Congestors, "", "", "")+" "+moved(row.Load))
		return nil
	}
	unit := 1e-6 / float64(b.Divisor(k)) // microseconds per picosecond
	us := func(mean float64) string { return fmt.Sprintf("%.2f", mean*unit) }
	isolated, congested, times := us(row.Load.Isolated.Mean()), "", ""
	if h := row.Load.Congested; h != nil {
		congested, times = us(h.Mean()), fmt.Sprintf("%.3f", h.Mean()/row.Load.Isolated.Mean())
	}
	fmt.Fprintln(s, line(split, b.Name(), bytes, b.Congestors, isolated, congested, times))
	return nil
}

// moved describes the bandwidth of congestors, by kind if there are several.
func moved(l *measured.Load) string {
	var list []string
	for _, m := range l.Moved {
		text := fmt.Sprintf("%.2f MB/s each", m.Bandwidth/words.Mega)
		if len(l.Moved) > 1 {
			text = m.Congestor + " " + text
		}
		if m.Duty > 0 {
			text += fmt.Sprintf(", bursts for %.1f %% of the time", 100*m.Duty)
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

// End writes the factors over all splits.
func (t *loadText) End(s *strings.Builder) {
	impacts := t.r.ImpactsOf(t.blocks)
	if len(impacts) == 0 {
		return
	}
	fmt.Fprintf(s, "\n# Over all splits, with intervals of a confidence of %g %%\n%-20s %8s %-32s %-26s %-26s %s\n",
		100*t.r.Settings.Rule().Confidence, "victim", "bytes", "congestors", "mean", "P99", "P99.9")
	for _, x := range impacts {
		fmt.Fprintf(s, "%-20s %8d %-32s %-26s %-26s %s\n", x.Kernel, x.Bytes, x.Congestors, Factor(&x.Mean),
			Factor(&x.P99), Factor(&x.P999))
	}
	s.WriteString("\n")
	for _, x := range impacts {
		if x.Mean.Hit() {
			fmt.Fprintf(s, "# %s\n", x.Words())
		}
	}
	s.WriteString(NoImpact(impacts, "# "))
}

// NoImpact returns a line if no victim takes longer by more than chance, or if this isn't known, otherwise "".
func NoImpact(impacts []measured.Impact, begin string) string {
	unknown := false
	for i := range impacts {
		f := &impacts[i].Mean
		if f.Hit() {
			return ""
		}
		unknown = unknown || len(f.Interval) == 0
	}
	if unknown {
		return begin + "whether this is chance isn't known, because intervals need three splits, or three blocks of " +
			"one split\n"
	}
	return begin + "no link shared by victims and congestors can be seen\n"
}

// Factor formats a factor with its interval, or the number of repetitions that it needs.
func Factor(f *measured.Factor) string {
	switch {
	case f.Needed > 0:
		return fmt.Sprintf("too few: %s needed", words.Grouped(f.Needed))
	case len(f.Interval) == 2:
		return fmt.Sprintf("%s (%s to %s)", digits(f.Factor), digits(f.Interval[0]), digits(f.Interval[1]))
	}
	return digits(f.Factor)
}

// digits formats a factor with three decimals, or with none if it is 100 or more.
func digits(x float64) string {
	if x >= 100 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3f", x)
}
