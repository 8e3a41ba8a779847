package plots

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/tables"
)

const (
	probeTimeLabel      = "time in µs"
	probeBandwidthLabel = "MB/s (1 MB = 10^6 bytes)"
)

// Probe returns all figures of a probe's result: for each kernel the time and the bandwidth over the message length,
// with a curve for each number of processes and mode; of kernels without lengths the time over the number of processes.
// Length 0 has no place on the axis. Several groups are one curve, that of the slowest. IDs are probe-KEY-time and
// probe-KEY-bandwidth.
func Probe(r *probe.Result) []*document.Figure {
	var list []*document.Figure
	for _, k := range tables.Of(r) {
		for _, f := range []*document.Figure{probeTimes(k), probeBandwidths(k), probeProcesses(k)} {
			if f != nil {
				list = append(list, f)
			}
		}
	}
	return list
}

// probeCurve is a name and a figure of each row of a block.
type probeCurve struct {
	name  string
	block *probe.Block
	of    func(*probe.Row) float64
}

// overLengths is a chart of curves; nil if there is nothing to see.
func overLengths(curves []probeCurve) *chart {
	c := &chart{frame: frameHeight}
	for i, from := range curves[:min(len(curves), mostCurves)] {
		var points []point
		for j := range from.block.Rows {
			row := &from.block.Rows[j]
			if row.Bytes > 0 {
				points = append(points, point{float64(row.Bytes), from.of(row)})
			}
		}
		slices.SortStableFunc(points, byX)
		if slices.ContainsFunc(points, point.usable) {
			c.addCurve(i, from.name, points)
		}
	}
	if len(c.layers) == 0 {
		return nil
	}
	return c
}

func probeTimes(k *tables.Kernel) *document.Figure {
	var curves []probeCurve
	times := k.Times()
	for _, b := range k.Blocks {
		for _, t := range times {
			name := tables.Who(b)
			if len(times) > 1 {
				name = t.Name + ", " + name
			}
			curves = append(curves, probeCurve{name, b, func(row *probe.Row) float64 { return t.Slowest(row) / micro }})
		}
	}
	return probeFigure(k, curves, "time", probeTimeLabel, "time", "µs")
}

func probeBandwidths(k *tables.Kernel) *document.Figure {
	var curves []probeCurve
	for _, b := range k.Blocks {
		curves = append(curves, probeCurve{tables.Who(b), b,
			func(row *probe.Row) float64 { return tables.Bandwidth(row) / mega }})
	}
	return probeFigure(k, curves, "bandwidth", probeBandwidthLabel, "bandwidth", "MB/s")
}

func probeFigure(k *tables.Kernel, curves []probeCurve, id, label, what, unit string) *document.Figure {
	return probeLengthFigure(curves, "probe-"+k.Key()+"-"+id, k.Title()+": "+what, label, what, unit)
}

// probeLengthFigure is a chart of curves over message length; nil: there is nothing in it.
func probeLengthFigure(curves []probeCurve, id, title, label, described, unit string) *document.Figure {
	c := overLengths(curves)
	if c == nil {
		return nil
	}
	xs, ys := values(c.layers)
	c.x, c.y = axis{lengthLabel, lengths(xs)}, axis{label, decades(ys, yRoom)}
	return &document.Figure{ID: id, Caption: title + " over message length." + omitted(len(curves), "curves"),
		Alt: c.describe(described, unit), Drawing: c}
}

// probeProcesses is the time over the number of processes, of kernels whose rows have no length.
func probeProcesses(k *tables.Kernel) *document.Figure {
	c := &chart{frame: frameHeight}
	for i, t := range k.Times() {
		if points := processPoints(k, t); len(points) > 1 {
			c.addCurve(i, t.Name, points)
		}
	}
	if len(c.layers) == 0 {
		return nil
	}
	return probeProcessFigure(c, "probe-"+k.Key()+"-time", k.Title()+": time over the number of processes.")
}

// processPoints are a kernel's times over the number of processes, of blocks that have one row without a length.
func processPoints(k *tables.Kernel, t tables.Time) []point {
	var points []point
	for _, b := range k.Blocks {
		if len(b.Rows) == 1 && b.Rows[0].Bytes == 0 {
			points = append(points, point{float64(b.Processes), t.Slowest(&b.Rows[0]) / micro})
		}
	}
	slices.SortStableFunc(points, byX)
	return slices.DeleteFunc(points, func(p point) bool { return !p.usable() })
}

// probeProcessFigure completes a chart of times over the number of processes.
func probeProcessFigure(c *chart, id, caption string) *document.Figure {
	xs, ys := values(c.layers)
	c.x, c.y = axis{"number of processes", counts(xs)}, axis{probeTimeLabel, decades(ys, yRoom)}
	low, high := span(ys)
	return &document.Figure{
		ID: id, Caption: caption, Drawing: c,
		Alt: fmt.Sprintf("Line chart of time against number of processes: %s between %s and %s µs.",
			plural(len(c.legend), "curve"), short(low), short(high)),
	}
}
