package ofprobe

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/format/live"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// loadID begins the IDs of the pictures of victims and congestors.
const loadID = "probe-load-"

// loadColumn is a figure that victims have both without and with congestors.
type loadColumn struct {
	name, key, title string
	of               func(x *measured.Impact) *measured.Factor
}

var loadColumns = []loadColumn{
	{"mean", "mean", "mean time", func(x *measured.Impact) *measured.Factor { return &x.Mean }},
	{"P99", "p99", "time that 99 % don't exceed (P99)", func(x *measured.Impact) *measured.Factor { return &x.P99 }},
	{"P99.9", "p999", "time that 99.9 % don't exceed (P99.9)",
		func(x *measured.Impact) *measured.Factor { return &x.P999 }},
}

// victimOf names a victim by its kernel and the length.
func victimOf(x *measured.Impact) string {
	return x.Kernel + ", " + words.Lengths.Short(float64(x.Bytes))
}

// loadMaps returns the pictures of victims and congestors: for each column, a matrix of the factors by which congestors
// slow victims down.
func loadMaps(r *probe.Result) (list []chart.Picture) {
	var victims, congestors []string
	for x := range lists.Elements(r.Impacts) {
		if v := victimOf(x); !slices.Contains(victims, v) {
			victims = append(victims, v)
		}
		if !slices.Contains(congestors, x.Congestors) {
			congestors = append(congestors, x.Congestors)
		}
	}
	for _, c := range loadColumns {
		m := chart.Matrix{ID: loadID + c.key, Names: victims, ColumnNames: congestors, Unit: "times",
			RowLabel: "timed call (victim)", ColumnLabel: "traffic of other processes (congestors)",
			FrameMeaning: "more than chance: the interval is above 1",
			Title:        "How many times as long calls take next to other traffic: " + c.title,
			Caption: fmt.Sprintf("Impact of congestors on victims: %s of a victim's repetitions with the congestors, "+
				"divided by the same time without them.", c.title)}
		for range victims {
			m.Values = append(m.Values, slices.Repeat([]float64{math.NaN()}, len(congestors)))
		}
		for x := range lists.Elements(r.Impacts) {
			at := [2]int{slices.Index(victims, victimOf(x)), slices.Index(congestors, x.Congestors)}
			if f := c.of(x); f.Factor > 0 {
				m.Values[at[0]][at[1]] = f.Factor
				if f.Hit() {
					m.FramedCells = append(m.FramedCells, at)
				}
			}
		}
		list = append(list, m)
	}
	return list
}

// loadSections returns the section of victims and congestors, or none if the result has none.
func loadSections(r *probe.Result, figures []*document.Figure) []document.Section {
	rows := loads(r)
	if len(rows) == 0 {
		return nil
	}
	l := r.Settings.Loads()
	unit := words.Either(l.By == "", "nodes", "processes")
	blocks := []document.Block{document.Paragraph(fmt.Sprintf("The %s were split into victims and congestors %s, with "+
		"a share of %g for the congestors. In each split a victim's repetitions were timed in %s without congestors "+
		"and in as many with them, in turn. All columns follow from the same times: of each repetition on each "+
		"process.%s", unit, words.Count(l.Splits, "time"), *l.Share, words.Count(l.Blocks, "block"),
		words.Either(l.By == "", "", " Processes of one node share its memory and processors too, not only links.")))}
	if len(r.Impacts) > 0 {
		blocks = append(blocks, parts.FiguresWithPrefix(figures, loadID)...)
		blocks = append(blocks, impactTable(r))
	}
	if text := strings.TrimSpace(live.NoImpact(r.Impacts, "")); text != "" && len(r.Impacts) > 0 {
		blocks = append(blocks, document.Paragraph(strings.ToUpper(text[:1])+text[1:]+"."+
			words.Either(r.Impacts[0].Mean.Interval == nil, "", " Either they share none, as at a single switch "+
				"of full bandwidth, or the congestors moved too little: see the table of congestors.")))
	}
	if t := congestorTable(rows); t != nil {
		blocks = append(blocks, t)
	}
	return []document.Section{{ID: "load", Title: "Victims with and without congestors", Blocks: append(blocks,
		splitTable(r, rows))}}
}

// impactTable returns the table with a line for each victim and list of congestors.
func impactTable(r *probe.Result) *document.Table {
	var t parts.Table[*measured.Impact]
	t.Text("victim", func(x *measured.Impact) string { return x.Kernel })
	t.Number("bytes", "", func(x *measured.Impact) document.Cell { return document.Whole(int(x.Bytes)) })
	t.Text("congestors", func(x *measured.Impact) string { return x.Congestors })
	for _, c := range loadColumns {
		t.Number(c.name+" isolated", "µs", func(x *measured.Impact) document.Cell {
			return parts.Microseconds(c.of(x).Isolated)
		})
		t.Number(c.name+" congested", "µs", func(x *measured.Impact) document.Cell {
			return parts.Microseconds(c.of(x).Congested)
		})
		t.Text("times "+c.name, func(x *measured.Impact) string { return live.Factor(c.of(x)) })
	}
	rows := slices.Collect(lists.Elements(r.Impacts))
	return t.Of(&document.Table{ID: "load-impacts", Sortable: true, Caption: fmt.Sprintf("Victims without congestors "+
		"(alone) and with them (congested): geometric means of the splits, and how many times as long they take. The "+
		"intervals have a confidence of %g %%, by Student's t of the logarithms of the splits, or of the blocks if "+
		"there is a single split. Splits differ more from each other than the blocks of one split.",
		100*r.Settings.Rule().Confidence)}, rows)
}

// loadRow is a row of a split.
type loadRow struct {
	block *measured.Block
	row   *measured.Row
	unit  float64 // seconds that a picosecond of the histograms means
}

// loads returns the rows of splits that have figures.
func loads(r *probe.Result) (list []loadRow) {
	for b := range lists.Elements(r.Blocks) {
		k, known := r.Kernel(b)
		for j := range b.Rows {
			if known && b.Rows[j].Load != nil {
				list = append(list, loadRow{b, &b.Rows[j], 1e-12 / float64(b.Divisor(k))})
			}
		}
	}
	return list
}

// congestorLoad holds the data that a kind of congestors moved without and with victims, over all splits.
type congestorLoad struct {
	congestor, list string // the kind, and the list of congestors to which it belongs
	processes       int
	alone, loaded   []float64 // bytes per second of one congestor
	duty            []float64
}

// congestorTable returns the table with a line for each kind of congestors, or nil if there are none.
func congestorTable(rows []loadRow) *document.Table {
	var list []*congestorLoad
	for _, x := range rows {
		for _, m := range x.row.Load.Moved {
			i := slices.IndexFunc(list, func(o *congestorLoad) bool {
				return o.congestor == m.Congestor && o.list == x.block.Congestors
			})
			if i < 0 {
				i = len(list)
				list = append(list, &congestorLoad{congestor: m.Congestor, list: x.block.Congestors,
					processes: m.Processes})
			}
			o := list[i]
			if len(x.block.Groups) == 0 {
				o.alone = append(o.alone, m.Bandwidth)
			} else {
				o.loaded = append(o.loaded, m.Bandwidth)
			}
			if m.Duty > 0 {
				o.duty = append(o.duty, m.Duty)
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	mean := func(list []float64) float64 { return lists.Sum(list) / float64(len(list)) }
	var t parts.Table[*congestorLoad]
	t.Text("congestors", func(o *congestorLoad) string { return o.list })
	t.Text("kind", func(o *congestorLoad) string { return o.congestor })
	t.Number("processes", "", func(o *congestorLoad) document.Cell { return document.Whole(o.processes) })
	t.Number("without victims", "MB/s", func(o *congestorLoad) document.Cell {
		return parts.Bandwidth(mean(o.alone))
	})
	t.Number("with victims", "MB/s", func(o *congestorLoad) document.Cell {
		return parts.Bandwidth(mean(o.loaded))
	})
	t.Number("bursts", "% of the time", func(o *congestorLoad) document.Cell {
		return parts.Number(100*mean(o.duty), 1)
	})
	return t.Of(&document.Table{ID: "load-congestors", Sortable: true, Caption: "Bandwidth of a congestor that " +
		"sends or fetches data, without victims and while victims are timed: means of all splits."}, list)
}

// splitTable returns the table with a line for each row of a split.
func splitTable(r *probe.Result, rows []loadRow) *document.Table {
	rows = slices.DeleteFunc(slices.Clone(rows), func(x loadRow) bool { return x.row.Load.Isolated == nil })
	var t parts.Table[loadRow]
	of := func(h func(loadRow) *stats.Histogram, figure func(*stats.Histogram) float64) func(loadRow) document.Cell {
		return func(x loadRow) document.Cell {
			if h(x) == nil {
				return document.Text("-")
			}
			return parts.Microseconds(figure(h(x)) * x.unit)
		}
	}
	t.Number("split", "", func(x loadRow) document.Cell { return document.Whole(x.block.Split) })
	t.Text("victim", func(x loadRow) string { return x.block.Name() })
	t.Number("bytes", "", func(x loadRow) document.Cell { return document.Whole(int(x.row.Bytes)) })
	t.Text("congestors", func(x loadRow) string { return cmp.Or(x.block.Congestors, "-") })
	for _, side := range []struct {
		name string
		of   func(x loadRow) *stats.Histogram
	}{
		{"alone", func(x loadRow) *stats.Histogram { return x.row.Load.Isolated }},
		{"congested", func(x loadRow) *stats.Histogram { return x.row.Load.Congested }},
	} {
		t.Number("repetitions "+side.name, "", func(x loadRow) document.Cell { return document.Whole(side.of(x).N()) })
		t.Number("min "+side.name, "µs", of(side.of, func(h *stats.Histogram) float64 { return float64(h.Min) }))
		t.Number("mean "+side.name, "µs", of(side.of, (*stats.Histogram).Mean))
		t.Number("P99 "+side.name, "µs", of(side.of, func(h *stats.Histogram) float64 { return h.Quantile(0.99) }))
		t.Number("max "+side.name, "µs", of(side.of, func(h *stats.Histogram) float64 { return float64(h.Max) }))
	}
	return t.Of(&document.Table{ID: "load-splits", Sortable: true, Detail: true, Caption: "All splits. Each time is " +
		"the time of one repetition on one process."}, rows)
}

// loadTables returns a table for each victim and list of congestors, with the factor of its times.
func loadTables(r *probe.Result) (list []compare.Table) {
	confidence := r.Settings.Rule().Confidence
	for x := range lists.Elements(r.Impacts) {
		if !(x.Mean.Factor > 0) {
			continue
		}
		list = append(list, compare.Table{Name: fmt.Sprintf("%s (%s) with %s, times as long", x.Kernel, x.Component,
			x.Congestors), NotAveraged: len(kernelsOf(r)) > 0, Lines: []compare.Line{{At: compare.At{Bytes: x.Bytes},
			Sampled: compare.OfInterval(x.Mean.Factor, x.Mean.Interval, max(x.Splits, 2), confidence),
			Values:  []compare.Value{{Figure: timesFigure, Value: x.Mean.Factor}}}}})
	}
	return list
}

// impactsTable returns the table of factors.
func impactsTable(r *probe.Result) *tidy.Table {
	type x = struct {
		*measured.Impact
		loadColumn
	}
	f := func(l *x) *measured.Factor { return l.of(l.Impact) }
	return tidy.Of("probe_impacts", "how many times as long victims take with congestors", []tidy.Field[x]{
		tidy.String("kernel", "the victim", func(l *x) string { return l.Kernel }),
		tidy.String("component", "its suite", func(l *x) kernel.Component { return l.Component }),
		tidy.Int("bytes", "B", "message length", func(l *x) int64 { return l.Bytes }),
		tidy.String("beside", "the congestors", func(l *x) string { return l.Congestors }),
		tidy.String("of", "which time of a repetition: mean, P99, P99.9", func(l *x) string { return l.name }),
		tidy.Int("splits", "", "splits of the nodes", func(l *x) int { return l.Splits }),
		tidy.Float("alone", "s", "none: too few repetitions", func(l *x) float64 { return tidy.Known(f(l).Isolated) }),
		tidy.Float("beside_seconds", "s", "with the congestors",
			func(l *x) float64 { return tidy.Known(f(l).Congested) }),
		tidy.Float("factor", "", "times as long", func(l *x) float64 { return tidy.Known(f(l).Factor) }),
		tidy.Float("factor_low", "", "lower end of its interval",
			func(l *x) float64 { return tidy.End(f(l).Interval, 0) }),
		tidy.Float("factor_high", "", "upper end", func(l *x) float64 { return tidy.End(f(l).Interval, 1) }),
	}, func(add func(*x)) {
		for i := range r.Impacts {
			for _, c := range loadColumns {
				add(&x{&r.Impacts[i], c})
			}
		}
	})
}
