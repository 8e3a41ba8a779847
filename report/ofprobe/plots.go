package ofprobe

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

const (
	timeLabel      = "time"
	bandwidthLabel = "bandwidth"
)

// axisOf returns the axis of times in µs, of bandwidths in MB/s, or of ratios, which have labels of their own.
func axisOf(label string, values []float64) chart.Axis {
	switch label {
	case bandwidthLabel:
		return chart.RateAxis(label, values)
	case timeLabel:
		return chart.TimeAxis(label, values)
	}
	return chart.RatioAxis(label, values)
}

// Figures returns all figures of a probe's result: for each kernel the time and the bandwidth over the message length,
// with a curve for each number of processes and mode. Kernels without lengths have the time over the number of
// processes. Length 0 has no place on the axis. Several groups are one curve, that of the slowest. IDs are
// probe-KEY-time, probe-KEY-bandwidth, and probe-KEY-tree of algorithms. Figures of several kernels of PGAS come first.
func Figures(r *probe.Result) []*document.Figure {
	list := oneSidedFigures(r)
	for _, k := range Of(r) {
		if k.Class == probe.Pairs {
			list = append(list, heatMaps(r, k)...)
			continue
		}
		for _, f := range []*document.Figure{timesFigure(r, k), bandwidthsFigure(k), processesFigure(k),
			originsFigure(k), treeFigure(r, k)} {
			if f != nil {
				list = append(list, f)
			}
		}
	}
	return append(together(Of(r), list), contestFigures(r)...)
}

// blockCurve is a curve with a point for each row of a block.
type blockCurve struct {
	name  string
	block *probe.Block
	of    func(*probe.Row) float64
	ends  func(*probe.Row) (low, high float64, known bool) // of the interval; nil: there is none
	// the length was added because of others' times; nil: none was
	added func(*probe.Row) bool
	kind  curveKind
}

// curveKind says whether a curve is one of measured times beside simulated ones.
type curveKind int

const (
	alone curveKind = iota
	measured
	simulated
)

// addIntervals adds the intervals of a curve's points, and marks the lengths that were added.
func (from blockCurve) addIntervals(c *chart.Chart) {
	var added []chart.Point
	for j := range from.block.Rows {
		row := &from.block.Rows[j]
		if from.ends != nil && abscissa(row) > 0 {
			if low, high, known := from.ends(row); known && 0 < low && low < high {
				x := abscissa(row)
				c.Layers = append(c.Layers, chart.Whisker{Name: from.name, From: chart.Point{X: x, Y: low},
					To: chart.Point{X: x, Y: high}})
			}
		}
		if from.added != nil && from.added(row) {
			added = append(added, chart.Point{X: float64(row.Bytes), Y: from.of(row)})
		}
	}
	c.AddMarks("lengths between others", added)
}

// abscissa returns the x of a row: its stride in blocks if it has one, else its length in bytes.
func abscissa(row *probe.Row) float64 {
	if row.Stride > 0 {
		return float64(row.Stride)
	}
	return float64(row.Bytes)
}

// overLengths returns a chart of curves over message length, or over stride; nil if none has a point.
func overLengths(curves []blockCurve) *chart.Chart {
	c := &chart.Chart{Frame: chart.FrameHeight}
	for i, from := range curves[:min(len(curves), chart.MostCurves)] {
		var points []chart.Point
		for j := range from.block.Rows {
			row := &from.block.Rows[j]
			if x := abscissa(row); x > 0 {
				points = append(points, chart.Point{X: x, Y: from.of(row)})
			}
		}
		slices.SortStableFunc(points, chart.ByX)
		if slices.ContainsFunc(points, chart.Point.Usable) {
			if from.kind == alone {
				c.AddCurve(i, from.name, points)
			} else {
				c.AddOf(i, from.name, from.kind == simulated, points)
			}
			from.addIntervals(c)
		}
	}
	if len(c.Layers) == 0 {
		return nil
	}
	return c
}

func timesFigure(r *probe.Result, k *Kernel) *document.Figure {
	var curves []blockCurve
	times := k.Times()
	for _, b := range k.Blocks {
		for _, t := range times {
			name := Who(b)
			if len(times) > 1 {
				name = t.Name + ", " + name
			}
			curves = append(curves, blockCurve{name: name, block: b,
				of:    func(row *probe.Row) float64 { return Slowest(t, row) / words.Micro },
				ends:  intervalOf(r, k, t),
				added: func(row *probe.Row) bool { return r.Settings.Split(k.Kernel, row.Bytes) }})
		}
	}
	f := lengthFigureOf(k, curves, "time", timeLabel, "time", "µs")
	if f != nil {
		explainIntervals(r, k, f)
	}
	return f
}

// intervalOf returns the function of the interval of a kernel's time in µs. Several groups have that of the slowest.
func intervalOf(r *probe.Result, k *Kernel, t probe.Time) func(*probe.Row) (low, high float64, known bool) {
	if !k.hasSeries() || t.Name != k.Times()[0].Name {
		return nil
	}
	return func(row *probe.Row) (low, high float64, known bool) {
		in := slowestInterval(r, t, row)
		if in == nil {
			return 0, 0, false
		}
		return in[0] / words.Micro, in[1] / words.Micro, true
	}
}

// slowestInterval returns the ends of the interval of a row's main time in seconds, of the slowest group; nil if it
// isn't known.
func slowestInterval(r *probe.Result, t probe.Time, row *probe.Row) (interval []float64) {
	slowest := 0.0
	for g := range row.Derived {
		if x := row.Main(g); x != nil && t.Of(&row.Derived[g]) >= slowest {
			slowest = t.Of(&row.Derived[g])
			_, interval = x.Of(r.Settings.Figure())
		}
	}
	return interval
}

// explainIntervals completes the figure of times: the bars in its caption, and the lengths at which the time jumps.
func explainIntervals(r *probe.Result, k *Kernel, f *document.Figure) {
	if k.hasSeries() {
		f.Caption += fmt.Sprintf(" Bars are the intervals with a confidence of %g %%.",
			100*r.Settings.Rule().Confidence)
	}
	c := f.Drawing.(*chart.Chart)
	for _, b := range k.Blocks {
		if b.Pass > 1 {
			continue // the jumps of the first pass say enough
		}
		for _, s := range r.Settings.Steps(k.Kernel, b) {
			c.AddStep(math.Sqrt(float64(max(s.Above, 1))*float64(s.To)), fmt.Sprintf("above %d B: %s", s.Above,
				signed(s.By)))
		}
	}
}

// signed returns a difference of times in seconds with its sign and unit.
func signed(seconds float64) string {
	if seconds < 0 {
		return "-" + chart.Micro(-seconds/words.Micro)
	}
	return "+" + chart.Micro(seconds/words.Micro)
}

func bandwidthsFigure(k *Kernel) *document.Figure {
	var curves []blockCurve
	for _, b := range k.Blocks {
		curves = append(curves, blockCurve{name: Who(b), block: b,
			of: func(row *probe.Row) float64 { return Bandwidth(row) / words.Mega }})
	}
	return lengthFigureOf(k, curves, "bandwidth", bandwidthLabel, "bandwidth", "MB/s")
}

func lengthFigureOf(k *Kernel, curves []blockCurve, id, label, what, unit string) *document.Figure {
	return lengthFigure(curves, "probe-"+k.Key()+"-"+id, k.Title()+": "+what, label, what, unit)
}

// lengthFigure returns a figure of curves over message length, or over stride; nil if none has a point.
func lengthFigure(curves []blockCurve, id, title, label, described, unit string) *document.Figure {
	c := overLengths(curves)
	if c == nil {
		return nil
	}
	xs, ys := chart.Values(c.Layers)
	c.Y = axisOf(label, ys)
	if slices.ContainsFunc(curves[0].block.Rows, func(row probe.Row) bool { return row.Stride > 0 }) {
		c.X = chart.CountAxis("stride in blocks", xs)
		low, high := chart.Span(ys)
		return &document.Figure{ID: id, Caption: title + " over the stride." + chart.Omitted(len(curves), "curves"),
			Alt: fmt.Sprintf("Line chart of %s against stride: %s between %s and %s %s.", described,
				words.Count(c.Curves(), "curve"), chart.Short(low), chart.Short(high), unit), Drawing: c}
	}
	c.X = chart.LengthAxis(xs)
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
	c.X, c.Y = chart.CountAxis("number of processes", xs), axisOf(timeLabel, ys)
	low, high := chart.Span(ys)
	return &document.Figure{
		ID: id, Caption: caption, Drawing: c,
		Alt: fmt.Sprintf("Line chart of time against number of processes: %s between %s and %s µs.",
			words.Count(c.Curves(), "curve"), chart.Short(low), chart.Short(high)),
	}
}
