package ofprobe

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

const (
	timeLabel      = "time in µs"
	bandwidthLabel = "MB/s (1 MB = 10^6 bytes)"
)

// Figures returns all figures of a probe's result: for each kernel the time and the bandwidth over the message length,
// with a curve for each number of processes and mode. Kernels without lengths have the time over the number of
// processes. Length 0 has no place on the axis. Several groups are one curve, that of the slowest. IDs are
// probe-KEY-time and probe-KEY-bandwidth.
func Figures(r *probe.Result) []*document.Figure {
	var list []*document.Figure
	for _, k := range Of(r) {
		if k.Class == probe.Pairs {
			list = append(list, heatMaps(r, k)...)
			continue
		}
		for _, f := range []*document.Figure{timesFigure(k), bandwidthsFigure(k), processesFigure(k)} {
			if f != nil {
				list = append(list, f)
			}
		}
	}
	return list
}

// blockCurve is a curve with a point for each row of a block.
type blockCurve struct {
	name  string
	block *probe.Block
	of    func(*probe.Row) float64
}

// overLengths returns a chart of curves over message length; nil if none has a point.
func overLengths(curves []blockCurve) *chart.Chart {
	c := &chart.Chart{Frame: chart.FrameHeight}
	for i, from := range curves[:min(len(curves), chart.MostCurves)] {
		var points []chart.Point
		for j := range from.block.Rows {
			row := &from.block.Rows[j]
			if row.Bytes > 0 {
				points = append(points, chart.Point{X: float64(row.Bytes), Y: from.of(row)})
			}
		}
		slices.SortStableFunc(points, chart.ByX)
		if slices.ContainsFunc(points, chart.Point.Usable) {
			c.AddCurve(i, from.name, points)
		}
	}
	if len(c.Layers) == 0 {
		return nil
	}
	return c
}

func timesFigure(k *Kernel) *document.Figure {
	var curves []blockCurve
	times := k.Times()
	for _, b := range k.Blocks {
		for _, t := range times {
			name := Who(b)
			if len(times) > 1 {
				name = t.Name + ", " + name
			}
			curves = append(curves, blockCurve{name, b,
				func(row *probe.Row) float64 { return Slowest(t, row) / words.Micro }})
		}
	}
	return lengthFigureOf(k, curves, "time", timeLabel, "time", "µs")
}

func bandwidthsFigure(k *Kernel) *document.Figure {
	var curves []blockCurve
	for _, b := range k.Blocks {
		curves = append(curves, blockCurve{Who(b), b,
			func(row *probe.Row) float64 { return Bandwidth(row) / words.Mega }})
	}
	return lengthFigureOf(k, curves, "bandwidth", bandwidthLabel, "bandwidth", "MB/s")
}

func lengthFigureOf(k *Kernel, curves []blockCurve, id, label, what, unit string) *document.Figure {
	return lengthFigure(curves, "probe-"+k.Key()+"-"+id, k.Title()+": "+what, label, what, unit)
}

// lengthFigure returns a figure of curves over message length; nil if none has a point.
func lengthFigure(curves []blockCurve, id, title, label, described, unit string) *document.Figure {
	c := overLengths(curves)
	if c == nil {
		return nil
	}
	xs, ys := chart.Values(c.Layers)
	c.X, c.Y = chart.Axis{Label: chart.LengthLabel, Scale: chart.Lengths(xs)},
		chart.Axis{Label: label, Scale: chart.Decades(ys, chart.YRoom)}
	return &document.Figure{ID: id, Caption: title + " over message length." + chart.Omitted(len(curves), "curves"),
		Alt: c.Describe(described, unit), Drawing: c}
}

// processesFigure returns the figure of the time over the number of processes, for kernels whose rows have no length.
func processesFigure(k *Kernel) *document.Figure {
	c := &chart.Chart{Frame: chart.FrameHeight}
	for i, t := range k.Times() {
		if points := processPoints(k, t); len(points) > 1 {
			c.AddCurve(i, t.Name, points)
		}
	}
	if len(c.Layers) == 0 {
		return nil
	}
	return processFigure(c, "probe-"+k.Key()+"-time", k.Title()+": time over the number of processes.")
}

// processPoints returns a kernel's times over the number of processes, of blocks that have one row without a length.
func processPoints(k *Kernel, t probe.Time) []chart.Point {
	var points []chart.Point
	for _, b := range k.Blocks {
		if len(b.Rows) == 1 && b.Rows[0].Bytes == 0 {
			points = append(points, chart.Point{X: float64(b.Processes), Y: Slowest(t, &b.Rows[0]) / words.Micro})
		}
	}
	slices.SortStableFunc(points, chart.ByX)
	return slices.DeleteFunc(points, func(p chart.Point) bool { return !p.Usable() })
}

// processFigure completes a chart of times over the number of processes.
func processFigure(c *chart.Chart, id, caption string) *document.Figure {
	xs, ys := chart.Values(c.Layers)
	c.X, c.Y = chart.Axis{Label: "number of processes", Scale: chart.Counts(xs)},
		chart.Axis{Label: timeLabel, Scale: chart.Decades(ys, chart.YRoom)}
	low, high := chart.Span(ys)
	return &document.Figure{
		ID: id, Caption: caption, Drawing: c,
		Alt: fmt.Sprintf("Line chart of time against number of processes: %s between %s and %s µs.",
			words.Count(len(c.Legend), "curve"), chart.Short(low), chart.Short(high)),
	}
}
