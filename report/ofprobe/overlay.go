package ofprobe

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Overlay returns pictures that compare sides of probes' results, for each kernel that the first side and another one
// have. They show time and bandwidth over the message length. For each mode, the first side's last block that another
// side also has is drawn, which has the most processes. Kernels without lengths have the time over the number of
// processes. IDs are compare-KEY-time, compare-KEY-bandwidth and compare-KEY-processes. names has a name for each side.
// The runs of a side are drawn as their geometric mean, as in tables.
func Overlay(names []string, sides [][]*probe.Result) []*document.Figure {
	if len(sides) < 2 || len(names) != len(sides) {
		return nil
	}
	all := lists.Each(sides, func(runs []*probe.Result) [][]*Kernel { return lists.Each(runs, kernelsOf) })
	var list []chart.Picture
	for _, k := range all[0][0] {
		var o overlay
		for i, runs := range all {
			if kernels := kernelOfEach(k.Key(), runs); kernels != nil {
				o = append(o, overlaySide{names[i], kernels, sides[i]})
			} else if i == 0 {
				break
			}
		}
		if len(o) > 1 {
			list = append(list, o.times(), o.bandwidths(), o.overProcesses())
		}
	}
	return chart.Figures(list...)
}

// kernelOfEach returns the kernel with a key of each run, or nil if a run lacks it.
func kernelOfEach(key string, runs [][]*Kernel) (list []*Kernel) {
	for _, kernels := range runs {
		at := slices.IndexFunc(kernels, func(k *Kernel) bool { return k.Key() == key })
		if at < 0 {
			return nil
		}
		list = append(list, kernels[at])
	}
	return list
}

// overlay has one kernel as each side measured it, for the sides that have it, the first side first.
type overlay []overlaySide

// overlaySide has that kernel in each run of a side.
type overlaySide struct {
	name    string
	kernels []*Kernel       // of each run
	results []*probe.Result // the runs
}

// first returns the kernel of the first run, which determines the points.
func (x overlaySide) first() *Kernel { return x.kernels[0] }

func (x overlaySide) simulated() bool { return x.results[0].Engine.Kind().Simulated }

// mean returns the geometric mean of the points of all runs, with the interval between the runs. If a run has no point,
// it returns a point that isn't usable. With a single run it returns that run's point.
func mean(points []chart.Point) chart.Point {
	if len(points) == 1 {
		return points[0]
	}
	if slices.ContainsFunc(points, func(pt chart.Point) bool { return !chart.Usable(pt.Y) }) {
		return chart.Point{}
	}
	x := compare.OfMean(lists.Each(points, func(pt chart.Point) float64 { return pt.Y }))
	pt := chart.PointOf(x.Value)
	if in, known := x.Interval(); known {
		pt.Low, pt.High = in.Low, in.High
	}
	return pt
}

func (o overlay) id(what string) string { return "compare-" + o[0].first().Key() + "-" + what }

// title returns the kernel's title and the name of the quantity.
func (o overlay) title(what string) string {
	return fmt.Sprintf("%s (%s): %s", o[0].first().Title(), suites.Title(o[0].first().Component), what)
}

// time returns the time that is compared, and its name within a sentence.
func (o overlay) time() (t kernel.Time, name string) {
	t = o[0].first().Times()[0]
	return t, words.Either(t.Name == "t", "time", t.Name)
}

// times returns the picture of the time over the message length.
func (o overlay) times() chart.Plot {
	t, name := o.time()
	curves := o.curves(func(r *probe.Result, k *Kernel, row *measured.Row) chart.Point { return timeOf(r, k, t, row) })
	p := plot(o.id("time"), o.title(name), chart.Time, curves)
	p.Bars = "the intervals of each result" + words.Either(o.many(), ", or between the runs of a side", "")
	return p
}

// bandwidths returns the picture of the bandwidth over the message length.
func (o overlay) bandwidths() chart.Plot {
	p := plot(o.id("bandwidth"), o.title("bandwidth"), chart.Bandwidth,
		o.curves(func(_ *probe.Result, _ *Kernel, row *measured.Row) chart.Point { return bandwidth(row) }))
	p.Bars = "the intervals between the runs of a side"
	return p
}

// many reports whether a side has several runs.
func (o overlay) many() bool {
	return slices.ContainsFunc(o, func(x overlaySide) bool { return len(x.results) > 1 })
}

// curves returns the curves of all blocks and sides.
func (o overlay) curves(point func(*probe.Result, *Kernel, *measured.Row) chart.Point) (list []curve) {
	for _, measuredOn := range o.blocks() {
		for _, x := range o {
			if b := blockOf(x.first(), measuredOn); b != nil {
				list = append(list, curve{name: x.name + ", " + measuredOn, block: b, simulated: x.simulated(),
					point: func(row *measured.Row) chart.Point {
						points := make([]chart.Point, len(x.kernels))
						for i, k := range x.kernels {
							if same := rowOf(k, measuredOn, row); same != nil {
								points[i] = point(x.results[i], k, same)
							}
						}
						return mean(points)
					}})
			}
		}
	}
	return list
}

// rowOf returns the row of a kernel with the length and the place on the axis of another run's row, or nil.
func rowOf(k *Kernel, measuredOn string, other *measured.Row) *measured.Row {
	b := blockOf(k, measuredOn)
	if b == nil {
		return nil
	}
	return lists.Find(b.Rows, func(row *measured.Row) bool {
		return row.Bytes == other.Bytes && row.AxisValue() == other.AxisValue()
	})
}

// blocks names the blocks that are drawn, by MeasuredOn: for each mode the last block of the first side that another
// side has, too. Later blocks have more processes.
func (o overlay) blocks() (list []string) {
	var modes []settings.Mode
	for _, b := range o[0].first().Blocks {
		if !slices.ContainsFunc(o[1:], func(x overlaySide) bool { return blockOf(x.first(), MeasuredOn(b)) != nil }) {
			continue
		}
		at := slices.Index(modes, b.Mode)
		if at < 0 {
			at, modes, list = len(modes), append(modes, b.Mode), append(list, "")
		}
		list[at] = MeasuredOn(b)
	}
	return list
}

// blockOf returns the block of a kernel for which MeasuredOn returns measuredOn, or nil.
func blockOf(k *Kernel, measuredOn string) *measured.Block {
	return lists.First(k.Blocks, func(b *measured.Block) bool { return MeasuredOn(b) == measuredOn })
}

// overProcesses returns the picture of the time over the number of processes.
func (o overlay) overProcesses() chart.Plot {
	t, name := o.time()
	p := chart.Plot{ID: o.id("processes"), X: chart.Processes, Y: chart.Time, Of: "systems",
		Caption: o.title(name + " over the number of processes.")}
	for _, x := range o {
		each := lists.Each(x.kernels, func(k *Kernel) []chart.Point { return processPoints(k, t) })
		s := chart.Series{Name: x.name, Simulated: x.simulated()}
		for _, at := range each[0] {
			points := lists.Each(each, func(list []chart.Point) chart.Point {
				if i := slices.IndexFunc(list, func(pt chart.Point) bool { return pt.X == at.X }); i >= 0 {
					return list[i]
				}
				return chart.Point{}
			})
			if pt := mean(points); pt.Y > 0 {
				pt.X = at.X
				s.Points = append(s.Points, pt)
			}
		}
		p.Series = append(p.Series, s)
	}
	return p
}
