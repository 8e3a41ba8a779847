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

// Overlay returns pictures that compare probes' results, for each kernel that the first and another one have: the time
// and the bandwidth over the message length, in each mode on the most processes that both have. Kernels without lengths
// have the time over the number of processes. IDs are compare-KEY-time, compare-KEY-bandwidth and
// compare-KEY-processes. names has the name of each side, whose runs are drawn as their geometric mean, as in tables.
func Overlay(names []string, sides [][]*probe.Result) []*document.Figure {
	if len(sides) < 2 || len(names) != len(sides) {
		return nil
	}
	all := lists.Each(sides, func(runs []*probe.Result) [][]*Kernel { return lists.Each(runs, Of) })
	var list []chart.Picture
	for _, k := range all[0][0] {
		var o overlay
		for i, runs := range all {
			if of := inAll(k.Key(), runs); of != nil {
				o = append(o, overlaid{names[i], of, sides[i]})
			} else if i == 0 {
				break
			}
		}
		if len(o) > 1 {
			list = append(list, hideSinglePlace(o.times()), hideSinglePlace(o.bandwidths()), o.overProcesses())
		}
	}
	return chart.Figures(list...)
}

// inAll returns the kernel of each run, or nil if one of them lacks it.
func inAll(key string, runs [][]*Kernel) (list []*Kernel) {
	for _, of := range runs {
		at := slices.IndexFunc(of, func(k *Kernel) bool { return k.Key() == key })
		if at < 0 {
			return nil
		}
		list = append(list, of[at])
	}
	return list
}

// hideSinglePlace empties a picture whose points are all at one place, which a table shows better.
func hideSinglePlace(p chart.Plot) chart.Plot {
	places := map[float64]bool{}
	for _, s := range p.Series {
		for _, pt := range s.Points {
			if pt.Usable() {
				places[pt.X] = true
			}
		}
	}
	if len(places) < 2 {
		p.Series = nil
	}
	return p
}

// overlay is a kernel of several sides, the first one's first.
type overlay []overlaid

// overlaid is a kernel of the runs of a side.
type overlaid struct {
	name    string
	kernels []*Kernel
	results []*probe.Result
}

// first returns the kernel of the first run, which determines the points.
func (x overlaid) first() *Kernel { return x.kernels[0] }

func (x overlaid) simulated() bool { return x.results[0].Engine.Kind().Simulated }

// mean returns the geometric mean of the points of all runs, with the interval between them, or no point if a run has
// none.
func mean(points []chart.Point) chart.Point {
	if len(points) == 1 {
		return points[0]
	}
	if slices.ContainsFunc(points, func(pt chart.Point) bool { return !chart.Usable(pt.Y) }) {
		return chart.Point{}
	}
	x := compare.OfMean(lists.Each(points, func(pt chart.Point) float64 { return pt.Y }))
	pt := chart.At(x.Value)
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

func (o overlay) times() chart.Plot {
	t, name := o.time()
	curves := o.curves(func(r *probe.Result, k *Kernel, row *measured.Row) chart.Point { return timeOf(r, k, t, row) })
	p := plot(o.id("time"), o.title(name), chart.Time, curves)
	p.Bars = "the intervals of each result" + words.Either(o.many(), ", of several runs those between them", "")
	return p
}

func (o overlay) bandwidths() chart.Plot {
	p := plot(o.id("bandwidth"), o.title("bandwidth"), chart.Bandwidth,
		o.curves(func(_ *probe.Result, _ *Kernel, row *measured.Row) chart.Point { return bandwidth(row) }))
	p.Bars = "the intervals between the runs of a side"
	return p
}

// many reports whether a side has several runs.
func (o overlay) many() bool {
	return slices.ContainsFunc(o, func(x overlaid) bool { return len(x.results) > 1 })
}

// curves returns the curves of all blocks and sides.
func (o overlay) curves(point func(*probe.Result, *Kernel, *measured.Row) chart.Point) (list []curve) {
	for _, who := range o.blocks() {
		for _, x := range o {
			if b := blockOf(x.first(), who); b != nil {
				list = append(list, curve{name: x.name + ", " + who, block: b, simulated: x.simulated(),
					point: func(row *measured.Row) chart.Point {
						points := make([]chart.Point, len(x.kernels))
						for i, k := range x.kernels {
							if same := rowOf(k, who, row); same != nil {
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

// rowOf returns the row of a kernel that is at the place of another run's row, or nil if it has none.
func rowOf(k *Kernel, who string, of *measured.Row) *measured.Row {
	if b := blockOf(k, who); b != nil {
		for row := range lists.Elements(b.Rows) {
			if row.Bytes == of.Bytes && row.Along() == of.Along() {
				return row
			}
		}
	}
	return nil
}

// blocks returns the blocks of the first kernel that are drawn: for each mode the last one that another result has,
// too. Later blocks have more processes.
func (o overlay) blocks() (list []string) {
	var modes []settings.Mode
	for _, b := range o[0].first().Blocks {
		if !slices.ContainsFunc(o[1:], func(x overlaid) bool { return blockOf(x.first(), MeasuredOn(b)) != nil }) {
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

func blockOf(k *Kernel, who string) *measured.Block {
	for _, b := range k.Blocks {
		if MeasuredOn(b) == who {
			return b
		}
	}
	return nil
}

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
