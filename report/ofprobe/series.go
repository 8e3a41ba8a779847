package ofprobe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// hasSeries reports whether rows of a kernel have series.
func (k *Kernel) hasSeries() bool {
	return slices.ContainsFunc(k.Blocks, func(b *measured.Block) bool {
		return slices.ContainsFunc(b.Rows, func(r measured.Row) bool { return len(r.Statistics) > 0 })
	})
}

// seriesBlocks returns the parts of a kernel's section about series, adaptive lengths and passes.
func seriesBlocks(r *probe.Result, k *Kernel) (list []document.Block) {
	if k.hasSeries() {
		list = append(list, seriesTable(r, k))
		list = append(list, tailBlocks(r, k)...)
	}
	if steps := stepList(r, k); len(steps) > 0 {
		list = append(list, steps)
	}
	if r.Settings.Passes > 1 {
		list = append(list, passesTable(k))
	}
	return list
}

// seriesRow is a series of a row with its statistics.
type seriesRow struct {
	rowPlace
	*measured.Series
	*measured.Statistics
	value, half float64 // the figure, and half of its interval
	known       bool    // the interval is known
	remarks     string
}

// seriesTable has a row for each series of a kernel.
func seriesTable(r *probe.Result, k *Kernel) *document.Table {
	by, confidence := r.Settings.Figure(), 100*r.Settings.Rule().Confidence
	var rows []seriesRow
	for _, b := range k.Blocks {
		for _, i := range k.rows(b) {
			row := &b.Rows[i]
			for j := range min(len(row.Series), len(row.Statistics)) {
				x := seriesRow{rowPlace: rowPlace{MeasuredOn(b), row.Series[j].Group, row.Bytes, row.AxisValue()},
					Series: &row.Series[j], Statistics: &row.Statistics[j]}
				x.value, _ = x.Of(by)
				if x.half, x.known = x.HalfWidth(by); j == 0 {
					x.remarks = strings.Join(r.Remarks(b, row), "; ")
				}
				rows = append(rows, x)
			}
		}
	}
	var t parts.Table[seriesRow]
	addPlace(&t, k, k.Multi, func(x seriesRow) rowPlace { return x.rowPlace })
	t.If(len(k.Times()) > 1).Text("time", func(x seriesRow) string { return x.Time })
	t.Number("repetitions", "", func(x seriesRow) document.Cell { return document.Whole(x.N()) })
	t.Text("ended by", func(x seriesRow) string { return string(x.Ended) })
	t.Number("t", "µs", func(x seriesRow) document.Cell { return parts.Microseconds(x.value) })
	t.Number("±", "µs", func(x seriesRow) document.Cell { return figureIf(x.known, x.half/words.Micro, 3) })
	t.Number("±", "%", func(x seriesRow) document.Cell {
		if !x.known {
			return document.Text("-")
		}
		return parts.HalfWidth(x.half / x.value)
	})
	for _, c := range []struct {
		name string
		of   func(*measured.Statistics) float64
	}{
		{"min", func(x *measured.Statistics) float64 { return x.Min }},
		{"P50", func(x *measured.Statistics) float64 { return x.Median }},
		{"P90", func(x *measured.Statistics) float64 { return x.P90 }},
		{"P99", func(x *measured.Statistics) float64 { return x.P99 }},
		{"max", func(x *measured.Statistics) float64 { return x.Max }},
	} {
		t.Number(c.name, "µs", func(x seriesRow) document.Cell { return parts.Microseconds(c.of(x.Statistics)) })
	}
	t.Number("outliers", "", func(x seriesRow) document.Cell { return document.Whole(x.Outliers) })
	t.Text("remarks", func(x seriesRow) string { return x.remarks })
	return parts.WithoutEmpty(t.Of(&document.Table{ID: k.Key() + "-series", Sortable: true, Caption: fmt.Sprintf(
		"Statistics of the repetitions' times. t is the %s, and ± is half of its interval with a confidence of %g %%. "+
			"50, 90 and 99 %% of the repetitions took no longer than P50, P90 and P99. Outliers lie beyond 1.5 "+
			"interquartile ranges.", by, confidence)}, rows))
}

// figureIf returns a cell of a number that may be 0, or a dash if the number is unknown.
func figureIf(known bool, x float64, decimals int) document.Cell {
	if !known {
		return document.Text("-")
	}
	return document.Number(x, fmt.Sprintf("%.*f", decimals, x))
}

// stepList names the lengths at which the times of a kernel jump.
func stepList(r *probe.Result, k *Kernel) (list document.List) {
	for _, b := range k.Blocks {
		for _, s := range measured.Steps(&r.Settings, k.Kernel, b) {
			list = append(list, fmt.Sprintf("On %s, the time jumps by %+.3g µs above %d bytes (measured at %d and %d "+
				"bytes).", MeasuredOn(b), s.By/words.Micro, s.Above, s.Above, s.To))
		}
	}
	return list
}

// outlierRemark returns a remark on a row that is far from the line through its neighbours. factor is its time divided
// by the time on that line, or 0 if it is near.
func outlierRemark(factor float64) string {
	switch {
	case factor > 1:
		return rating.Rounded(factor, 3) + " times the time that neighbouring lengths suggest"
	case factor > 0:
		return "1/" + rating.Rounded(1/factor, 3) + " of the time that neighbouring lengths suggest"
	}
	return ""
}

// clockUnits returns lines about the clock of series, and the processes that read it.
func clockUnits(r *probe.Result) (list document.List) {
	c := r.Clock
	if c == nil {
		return nil
	}
	list = append(list, fmt.Sprintf("Reading the clock takes %s, and its ticks are %s apart. %s",
		rating.Time(c.Reading), rating.Time(c.Resolution),
		words.Either(c.Global, "All processes read the same clock.", "Each process has its own clock.")))
	if hasSeries(r) {
		list = append(list, "Repetitions are timed by the method "+timingWords[r.Settings.Clocked()])
	}
	return list
}

// timingWords explains the timings.
var timingWords = map[settings.Timing]string{
	settings.ByLoop: "loop: from the end of the previous repetition, on the slowest process, without synchronisation",
	settings.ByMax:  "max: from the end of two barriers, on the slowest process",
	settings.ByRoot: "root: from the end of two barriers to the end of another one, on the root, less the time of a " +
		"barrier",
	settings.ByGlobal: "global: from the root's start after two barriers to the end of the last process, by the " +
		"root's clock",
}

// hasSeries reports whether rows of a result are measured in series.
func hasSeries(r *probe.Result) bool {
	return slices.ContainsFunc(kernelsOf(r), func(k *Kernel) bool { return suites.Way(&r.Settings, k.Kernel).Series })
}

// rowPasses holds the times of one row in all passes.
type rowPasses struct {
	rowPlace
	times []float64 // seconds, sorted in the table
}

// passesTable has a row for each row of a kernel, with the spread of its times between the passes.
func passesTable(k *Kernel) *document.Table {
	rows := rowsOfPasses(k)
	for i := range rows {
		rows[i].times = stats.Sorted(rows[i].times)
	}
	var t parts.Table[rowPasses]
	addPlace(&t, k, false, func(p rowPasses) rowPlace { return p.rowPlace })
	t.Number("passes", "", func(p rowPasses) document.Cell { return document.Whole(len(p.times)) })
	t.Number("least", "µs", func(p rowPasses) document.Cell { return parts.Microseconds(p.times[0]) })
	t.Number("median", "µs", func(p rowPasses) document.Cell {
		return parts.Microseconds(stats.Quantile(p.times, 0.5))
	})
	t.Number("largest", "µs", func(p rowPasses) document.Cell { return parts.Microseconds(p.times[len(p.times)-1]) })
	t.Number("spread", "%", func(p rowPasses) document.Cell {
		median := stats.Quantile(p.times, 0.5)
		return figureIf(median > 0, 100*(p.times[len(p.times)-1]-p.times[0])/median, 1)
	})
	return t.Of(&document.Table{ID: k.Key() + "-passes", Sortable: true, Caption: "The spread of " +
		words.Either(len(k.Times()) > 1, k.Times()[0].Name, "the time") + " between the passes is the largest minus " +
		"the least, divided by the median."}, rows)
}

// rowsOfPasses returns the times of a kernel's rows in all passes, in the order of the first pass.
func rowsOfPasses(k *Kernel) (list []rowPasses) {
	for _, b := range k.Blocks {
		measuredOn := measuredInAnyPass(b)
		for _, i := range k.rows(b) {
			row := &b.Rows[i]
			if len(row.Derived) == 0 {
				continue
			}
			p := rowPlace{measuredOn: measuredOn, bytes: row.Bytes, along: row.AxisValue()}
			at := slices.IndexFunc(list, func(x rowPasses) bool { return x.rowPlace == p })
			if at < 0 {
				at = len(list)
				list = append(list, rowPasses{rowPlace: p})
			}
			list[at].times = append(list[at].times, row.Slowest(k.Times()[0]))
		}
	}
	return list
}
