package ofprobe

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Overlay returns pictures that compare probes' results, for each kernel that the first and another one have: the time
// and the bandwidth over the message length, in each mode on the most processes that both have. Kernels without lengths
// have the time over the number of processes. IDs are compare-KEY-time, compare-KEY-bandwidth and
// compare-KEY-processes. names has the name of each result.
func Overlay(names []string, rs []*probe.Result) []*document.Figure {
	if len(rs) < 2 || len(names) != len(rs) {
		return nil
	}
	var list []chart.Picture
	for _, k := range Of(rs[0]) {
		o := overlay{{names[0], k, rs[0]}}
		for i, r := range rs[1:] {
			of := Of(r)
			if at := slices.IndexFunc(of, func(other *Kernel) bool { return other.Key() == k.Key() }); at >= 0 {
				o = append(o, overlaid{names[i+1], of[at], r})
			}
		}
		if len(o) > 1 {
			list = append(list, several(o.times()), several(o.bandwidths()), o.overProcesses())
		}
	}
	return chart.Figures(list...)
}

// several returns a picture whose points aren't all at one place: a table says that better.
func several(p chart.Plot) chart.Plot {
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

// overlay is a kernel of several results, the first result's first.
type overlay []overlaid

type overlaid struct {
	name   string
	kernel *Kernel
	result *probe.Result
}

func (o overlay) id(what string) string { return "compare-" + o[0].kernel.Key() + "-" + what }

// title returns the kernel with what is drawn of it.
func (o overlay) title(what string) string {
	return fmt.Sprintf("%s (%s): %s", o[0].kernel.Title(), suites.Title(o[0].kernel.Component), what)
}

// time returns the time that is compared, and its name within a sentence.
func (o overlay) time() (t kernel.Time, name string) {
	t = o[0].kernel.Times()[0]
	return t, words.Either(t.Name == "t", "time", t.Name)
}

func (o overlay) times() chart.Plot {
	t, name := o.time()
	p := plot(o.id("time"), o.title(name), chart.Time, o.curves(func(x overlaid, row *measured.Row) chart.Point {
		return timeOf(x.result, x.kernel, t, row)
	}))
	p.Bars = "the intervals of each result"
	return p
}

func (o overlay) bandwidths() chart.Plot {
	return plot(o.id("bandwidth"), o.title("bandwidth"), chart.Bandwidth,
		o.curves(func(_ overlaid, row *measured.Row) chart.Point { return bandwidth(row) }))
}

// curves returns a curve for each block that is drawn of each result.
func (o overlay) curves(point func(overlaid, *measured.Row) chart.Point) (list []curve) {
	for _, who := range o.blocks() {
		for _, x := range o {
			if b := blockOf(x.kernel, who); b != nil {
				list = append(list, curve{name: x.name + ", " + who, block: b,
					point:     func(row *measured.Row) chart.Point { return point(x, row) },
					simulated: x.result.Engine.Kind().Simulated})
			}
		}
	}
	return list
}

// blocks returns the blocks of the first kernel that are drawn: of each mode the last one that another result has, too.
// Later blocks are on more processes.
func (o overlay) blocks() (list []string) {
	var modes []settings.Mode
	for _, b := range o[0].kernel.Blocks {
		if !slices.ContainsFunc(o[1:], func(x overlaid) bool { return blockOf(x.kernel, Who(b)) != nil }) {
			continue
		}
		at := slices.Index(modes, b.Mode)
		if at < 0 {
			at, modes, list = len(modes), append(modes, b.Mode), append(list, "")
		}
		list[at] = Who(b)
	}
	return list
}

func blockOf(k *Kernel, who string) *measured.Block {
	for _, b := range k.Blocks {
		if Who(b) == who {
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
		p.Series = append(p.Series, chart.Series{Name: x.name, Points: processPoints(x.kernel, t),
			Simulated: x.result.Engine.Kind().Simulated})
	}
	return p
}
