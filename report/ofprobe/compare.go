package ofprobe

import (
	"cmp"
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Compared compares sides with the first one. The results have passed probe's Result.Check.
func Compared(names []string, sides [][]*probe.Result) (*compare.Comparison, error) {
	var tables [][]compare.Table
	for _, runs := range sides {
		tables = append(tables, compare.Joined(lists.Flat(runs, tablesOf)))
	}
	return compare.Kind[probe.Result]{
		Title: "Probes", Meaning: meaning,
		Figures: probe.Figures, Aspects: aspects, Notices: problemNotices, Each: "kernel",
		Header:   func(r *probe.Result) parts.Header { return Report{r}.Header() },
		Fact:     func(*probe.Result) string { return "" },
		Shown:    "Times of one repetition, bandwidths",
		Nothing:  "nothing was measured in both; measure the same kernels on the same numbers of processes",
		Against:  func(i int) compare.Pair { return compare.Match(tables[0], tables[i], nil) },
		Pictures: func([]compare.Pair) []*document.Figure { return Overlay(names, sides) },
		Method: []string{
			"Two kernels are compared if they have the same name, component, mode, number of processes and number of " +
				"groups, at the lengths for which both have figures. If there are several groups, the slowest one " +
				"counts. Rows of 0 bytes don't count in a mean, because their calls may return at once. For several " +
				"runs, tables and pictures show the geometric means.",
			"A ratio is the ratio of the bandwidths, or the inverse ratio of the times. For kernels that overlap " +
				"communication and computing, the time is t_ovrl, and for Truly_passive_put t_pure.",
		},
		Spread: "Repetitions are the passes or runs if there are several, and otherwise the repetitions of a row's " +
			"series. The errors of the rows of one pass are assumed to be alike, because a state of the machine " +
			"lasts longer than a row. So half of the interval of a mean over lengths is the mean of the rows' " +
			"halves. A row whose spread isn't known gets the widest interval.",
		Unknown: "Each length was measured in one sample, which doesn't show how much repeated runs would differ. So " +
			"it isn't known whether a difference is significant. Measure with series (--within) or several passes " +
			"(--passes).",
	}.Compare(names, sides)
}

// aspects are the facts that results should have in common to be compared.
var aspects = []compare.Aspect[probe.Result]{
	{Level: document.Warning, Names: "caches",
		Of: func(r *probe.Result) string {
			return words.Either(r.Settings.Memory.CacheSize > 0, "avoided",
				"used")
		},
		Remedy: "use -off_cache for both, or for neither"},
	{Level: document.Warning, Names: "memory of messages",
		Of:     func(r *probe.Result) string { return cmp.Or(r.Settings.Memory.Place(), "host") },
		Remedy: "measure both with the same --buffers, and both or neither with --staged"},
	{Level: document.Warning, Names: "files and directories",
		Of:     layoutOf,
		Remedy: "measure metadata with the same number of items, in the same directories, and in the same way"},
	{Level: document.Warning, Names: "methods",
		Of: func(r *probe.Result) string { return r.Methods() },
		Remedy: "beff probe follows IMB's user's guide, beff imb without --guide follows IMB 2021.11: " +
			"docs/studies/imb.md describes the differences"},
}

// The figures of a line.
var (
	timeFigure      = rating.Figure{Key: "time", Name: "time", Unit: rating.Latency, Less: true}
	timesFigure     = rating.Figure{Key: "impact", Name: "times as long", Unit: rating.Score, Less: true}
	bandwidthFigure = rating.Figure{Key: "bandwidth", Name: "bandwidth", Unit: rating.Bandwidth}
)

// tablesOf returns a table for each block of a result, without lines that have no figures.
func tablesOf(r *probe.Result) (list []compare.Table) {
	named := func(kernel string, b *measured.Block) string {
		return fmt.Sprintf("%s (%s), %s", kernel, b.Component, measuredInAnyPass(b))
	}
	list = loadTables(r)
	known := map[string]bool{}
	for _, k := range kernelsOf(r) {
		for _, b := range k.Blocks {
			known[named(k.Title(), b)] = true
		}
	}
	for _, k := range kernelsOf(r) {
		for _, b := range k.Blocks {
			t := compare.Table{Name: named(k.Title(), b)}
			// One group is the same as without Multi-, and IMB's text calls it so.
			if plain := named(k.Name, b); len(b.Groups) <= 1 && !known[plain] {
				t.Name = plain
			}
			for row := range lists.Elements(b.Rows) {
				if time := row.Slowest(k.Times()[0]); time > 0 && !math.IsInf(time, 0) {
					t.Lines = append(t.Lines, lineOf(r, k.Times()[0], row))
				}
				if axis := k.Axis(); axis != nil { // a table for each value on the axis
					name := fmt.Sprintf("%s, %s %d", t.Name, axis.Name, row.AxisValue())
					list = append(list, compare.Table{Name: name, Lines: t.Lines})
					t.Lines = nil
				}
			}
			if k.Axis() == nil {
				list = append(list, t)
				list = append(list, tailTables(r, t.Name, b)...)
			}
		}
	}
	return list
}

// lineOf returns a row with the seconds of one repetition in the slowest process or group, and the bandwidth if the
// kernel has one. The spread is the spread of the row's series, if it has one.
func lineOf(r *probe.Result, t kernel.Time, row *measured.Row) compare.Line {
	seconds := row.Slowest(t)
	l := compare.Line{At: compare.At{Bytes: row.Bytes}, Values: []compare.Value{{Figure: timeFigure, Value: seconds}}}
	if x := row.Bandwidth(); x > 0 {
		l.Values = append(l.Values, compare.Value{Figure: bandwidthFigure, Value: x})
	}
	repetitions := 0
	if len(row.Series) > 0 {
		repetitions = int(row.Series[0].N()) // all groups have as many
	}
	if l.Sampled = (compare.Sampled{Value: seconds, Model: true}); !r.Engine.Kind().Simulated {
		l.Sampled = compare.OfInterval(seconds, slowestInterval(r, t, row), repetitions, r.Settings.Rule().Confidence)
	}
	return l
}
