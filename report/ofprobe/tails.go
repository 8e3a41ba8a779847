package ofprobe

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// tail is a series whose times are counted.
type tail struct {
	rowPlace
	*measured.Series
	*measured.Statistics
	unit float64 // seconds that a picosecond of the histograms means
}

// tails returns the counted series of a kernel's main time, followed by those of all passes merged.
func (k *Kernel) tails(r *probe.Result) []tail {
	list := lists.Flat(k.Blocks, func(b *measured.Block) []tail { return tailsOf(r, k, b) })
	if r.Settings.Passes > 1 {
		list = append(list, k.mergedPasses(r)...)
	}
	return list
}

// tailsOf returns the counted series of a block.
func tailsOf(r *probe.Result, k *Kernel, b *measured.Block) (list []tail) {
	for _, i := range k.rows(b) {
		row := &b.Rows[i]
		for j := range min(len(row.Series), len(row.Statistics)) {
			x := &row.Series[j]
			if x.Counted != nil && x.Time == row.Series[0].Time {
				list = append(list, tail{rowPlace{MeasuredOn(b), x.Group, row.Bytes, row.AxisValue()}, x,
					&row.Statistics[j], measured.UnitOf(&r.Settings, k.Kernel)})
			}
		}
	}
	return list
}

// tailBlocks returns the tables of a kernel's tails: quantiles with their intervals, and the slowest calls.
func tailBlocks(r *probe.Result, k *Kernel) (list []document.Block) {
	rows := k.tails(r)
	if len(rows) == 0 {
		return nil
	}
	list = []document.Block{quantileTable(r, k, rows)}
	if slow := k.slowCalls(); len(slow) > 0 {
		list = append(list, slowTable(k, slow))
	}
	return list
}

// slowCall is one of the slowest calls of a row.
type slowCall struct {
	rowPlace
	rating.SlowCall
}

// slowCalls returns the slowest calls on files of a kernel's rows, in the order of time.
func (k *Kernel) slowCalls() (list []slowCall) {
	for _, b := range k.Blocks {
		for _, i := range k.rows(b) {
			row := &b.Rows[i]
			for _, x := range row.SlowCalls {
				list = append(list, slowCall{rowPlace{MeasuredOn(b), 0, row.Bytes, row.AxisValue()}, x})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b slowCall) int { return cmp.Compare(a.At, b.At) })
	return list
}

// slowTable returns the table of the slowest calls, in which calls delayed by the same stall are next to each other.
func slowTable(k *Kernel, list []slowCall) *document.Table {
	var t parts.Table[slowCall]
	addPlace(&t, k, false, func(x slowCall) rowPlace { return x.rowPlace })
	parts.SlowCalls(&t, func(x slowCall) *rating.SlowCall { return &x.SlowCall })
	return t.Of(&document.Table{ID: k.Key() + "-slow", Sortable: true, Caption: "The slowest calls of each row, each " +
		"process's own, in the order of time. Calls of several ranks at the same time have waited for the same thing."},
		list)
}

// quantileTable returns the table with a row for each counted series.
func quantileTable(r *probe.Result, k *Kernel, rows []tail) *document.Table {
	var t parts.Table[tail]
	addPlace(&t, k, k.Multi, func(x tail) rowPlace { return x.rowPlace })
	t.Number("repetitions", "", func(x tail) document.Cell { return document.Whole(x.N()) })
	parts.Quantiles(&t, r.Settings.Series.Quantiles, "repetitions", func(x tail) []rating.Quantile {
		return x.Quantiles
	})
	t.Number("max", "µs", func(x tail) document.Cell { return parts.Microseconds(x.Statistics.Max) })
	return t.Of(&document.Table{ID: k.Key() + "-tails", Sortable: true,
		Caption: "Tails: " + parts.OfQuantiles("repetitions", r.Settings.Rule().Confidence) +
			" `beff export --table probe_histograms` has all times."}, rows)
}

// maxTails is the largest number of curves in a picture of tails.
const maxTails = 6

// tailPlot returns the picture of a kernel's tails: the part of the repetitions that took longer, over the time.
func tailPlot(r *probe.Result, k *Kernel) chart.Plot {
	rows := k.tails(r)
	if r.Settings.Passes > 1 {
		rows = k.mergedPasses(r)
	}
	several := slices.ContainsFunc(rows, func(x tail) bool { return x.measuredOn != rows[0].measuredOn })
	p := chart.Plot{ID: "probe-" + k.Key() + "-tail", X: chart.Time.Named("time"), Y: chart.LongerShare,
		Of: "series", Bare: true,
		Title: k.Title() + ": part of the repetitions that took longer", Marks: []string{"the quantiles"},
		Caption: k.Title() + ": the fraction of the repetitions that took longer than a time."}
	if len(rows) > maxTails {
		p.Caption += fmt.Sprintf(" %d of %d series are drawn.", maxTails, len(rows))
	}
	for i := range min(len(rows), maxTails) {
		x := rows[i]
		if len(rows) > maxTails {
			x = rows[i*(len(rows)-1)/(maxTails-1)]
		}
		name := x.measuredOn
		if !k.NoLength() {
			name = words.Lengths.Short(float64(x.bytes)) + words.Either(several, ", "+name, "")
		}
		s := chart.Series{Name: name, Points: tailPoints(x)}
		p.Series = append(p.Series, s)
	}
	return p
}

// tailPoints returns the points of a tail that can be told apart, and its quantiles as marks.
func tailPoints(x tail) []chart.Point {
	list := beyondPoints(x.Counted.Max, x.unit, float64(x.N()))
	for _, q := range x.Quantiles {
		if q.Known() {
			list = append(list, chart.Point{X: q.Value, Y: 1 - q.Percent/100, Mark: 1})
		}
	}
	return list
}

// beyondPoints returns how many of a histogram's times are longer than each of them, divided by all. It leaves out
// points too close to others to be seen. unit is the seconds that one of the histogram's picoseconds means.
func beyondPoints(h *stats.Histogram, unit, all float64) (list []chart.Point) {
	const apart, below = 1.1, 1.2
	left, last := h.N(), chart.Point{}
	for i, c := range h.Counts {
		low, high := h.Ends(i)
		if i == 0 {
			list = append(list, chart.Point{X: float64(low) * unit, Y: float64(left) / all})
		}
		left -= c
		pt := chart.Point{X: float64(high) * unit, Y: float64(left) / all}
		if left > 0 && (pt.X > last.X*apart || pt.Y*below < last.Y || last.X == 0) {
			list, last = append(list, pt), pt
		}
	}
	return list
}

// mergedPasses returns the series of all passes together, with merged histograms.
func (k *Kernel) mergedPasses(r *probe.Result) (list []tail) {
	places := map[rowPlace]int{}
	for _, b := range k.Blocks {
		for _, x := range tailsOf(r, k, b) {
			x.measuredOn = measuredInAnyPass(b) + ", all passes"
			own := x.Counted.Max
			at, known := places[x.rowPlace]
			if !known {
				at = len(list)
				places[x.rowPlace] = at
				x.Series = &measured.Series{Counted: &measured.Counted{Max: new(stats.Histogram)}}
				list = append(list, x)
			}
			list[at].Counted.Max.Merge(own)
		}
	}
	for i := range list {
		x := measured.StatisticsOf(&r.Settings, list[i].Counted.Max, list[i].unit)
		list[i].Statistics = &x
	}
	return list
}

// tailTables returns tables of the quantiles of a block: a table for each quantile that has an interval.
func tailTables(r *probe.Result, name string, b *measured.Block) (list []compare.Table) {
	for i, percent := range r.Settings.Series.Quantiles {
		t := compare.Table{Name: fmt.Sprintf("%s, P%v", name, percent), NotAveraged: true}
		for row := range lists.Elements(b.Rows) {
			x := row.Main(0)
			if x == nil || i >= len(x.Quantiles) || !x.Quantiles[i].Known() || !(x.Quantiles[i].Value > 0) {
				continue
			}
			q := x.Quantiles[i]
			of := compare.OfInterval(q.Value, q.Interval, int(min(row.Repetitions, settings.MaxPrecise)),
				r.Settings.Rule().Confidence)
			at := compare.At{Label: fmt.Sprintf("P%v", percent), Bytes: row.Bytes}
			t.Lines = append(t.Lines, compare.Line{At: at, Sampled: of,
				Values: []compare.Value{{Figure: timeFigure, Value: q.Value}}})
		}
		if len(t.Lines) > 0 {
			list = append(list, t)
		}
	}
	return list
}
