package ofprobe

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Overlay returns figures that compare probes' results, for each kernel that the first and another one have: the time
// and the bandwidth over the message length, in each mode on the most processes that both have. Kernels without lengths
// have the time over the number of processes. IDs are compare-KEY-time and compare-KEY-bandwidth. names has the name of
// each result.
func Overlay(names []string, rs []*probe.Result) []*document.Figure {
	if len(rs) < 2 || len(names) != len(rs) {
		return nil
	}
	var others []map[string]*Kernel
	for _, r := range rs[1:] {
		byKey := map[string]*Kernel{}
		for _, k := range Of(r) {
			byKey[k.Key()] = k
		}
		others = append(others, byKey)
	}
	var list []*document.Figure
	for _, k := range Of(rs[0]) {
		o := &probeOverlay{title: fmt.Sprintf("%s (%s)", k.Title(), k.Component.Title()), key: k.Key()}
		o.add(names[0], k, rs[0])
		for i, byKey := range others {
			if other := byKey[k.Key()]; other != nil {
				o.add(names[i+1], other, rs[i+1])
			}
		}
		if len(o.kernels) > 1 {
			o.tellApart()
			list = append(list, o.figures()...)
		}
	}
	return list
}

// probeOverlay is a kernel of several results, the first result's first.
type probeOverlay struct {
	title, key string
	names      []string
	kernels    []*Kernel
	results    []*probe.Result
	kinds      []curveKind
	note       string // of captions
}

func (o *probeOverlay) add(name string, k *Kernel, r *probe.Result) {
	kind := measured
	if r.Engine.Kind().Simulated {
		kind = simulated
	}
	o.names, o.kernels, o.kinds = append(o.names, chart.Clean(name)), append(o.kernels, k), append(o.kinds, kind)
	o.results = append(o.results, r)
}

// tellApart makes measured results dots and simulated ones lines, if there are both.
func (o *probeOverlay) tellApart() {
	if slices.Contains(o.kinds, measured) && slices.Contains(o.kinds, simulated) {
		o.note = chart.DotsNote
		return
	}
	clear(o.kinds)
}

func (o *probeOverlay) figures() []*document.Figure {
	var list []*document.Figure
	time := o.kernels[0].Times()[0]
	whats := o.blocks()
	for _, f := range []*document.Figure{
		o.overLengths(whats, "time", timeName(time), timeLabel, "µs",
			func(row *probe.Row) float64 { return Slowest(time, row) / words.Micro }),
		o.overLengths(whats, "bandwidth", "bandwidth", bandwidthLabel, "MB/s",
			func(row *probe.Row) float64 { return Bandwidth(row) / words.Mega }),
		o.overProcesses(time),
	} {
		if f != nil {
			list = append(list, f)
		}
	}
	return list
}

// blocks returns the blocks of the first kernel that are drawn: of each mode the last one that another result has, too.
// Later blocks are on more processes.
func (o *probeOverlay) blocks() []string {
	var modes []probe.Mode
	last := map[probe.Mode]string{}
	for _, b := range o.kernels[0].Blocks {
		if !slices.ContainsFunc(o.kernels[1:], func(k *Kernel) bool {
			return blockOf(k,
				Who(b)) != nil
		}) {
			continue
		}
		if last[b.Mode] == "" {
			modes = append(modes, b.Mode)
		}
		last[b.Mode] = Who(b)
	}
	var list []string
	for _, m := range modes {
		list = append(list, last[m])
	}
	return list
}

func blockOf(k *Kernel, who string) *probe.Block {
	for _, b := range k.Blocks {
		if Who(b) == who {
			return b
		}
	}
	return nil
}

func (o *probeOverlay) overLengths(whats []string, id, what, label, unit string,
	of func(*probe.Row) float64) *document.Figure {
	var curves []blockCurve
	for _, who := range whats {
		for i, k := range o.kernels {
			if b := blockOf(k, who); b != nil {
				curves = append(curves, blockCurve{name: o.names[i] + ", " + who, block: b, of: of,
					ends: o.ends(i, label), kind: o.kinds[i]})
			}
		}
	}
	f := lengthFigure(curves, "compare-"+o.key+"-"+id, o.title+": "+what, label, id, unit)
	if f != nil {
		f.Caption += o.note
		if slices.ContainsFunc(f.Drawing.(*chart.Chart).Layers, func(l chart.Layer) bool {
			_, is := l.(chart.Whisker)
			return is
		}) {
			f.Caption += " Bars are the intervals of each result."
		}
	}
	return f
}

// ends returns the function of the interval of a result's times; nil: it has none.
func (o *probeOverlay) ends(i int, label string) func(*probe.Row) (low, high float64, known bool) {
	if label != timeLabel {
		return nil
	}
	return intervalOf(o.results[i], o.kernels[i], o.kernels[0].Times()[0])
}

// timeName returns the name of a time within a sentence.
func timeName(t probe.Time) string {
	if t.Name == "t" {
		return "time"
	}
	return t.Name
}

func (o *probeOverlay) overProcesses(time probe.Time) *document.Figure {
	c := &chart.Chart{Frame: chart.FrameHeight}
	for i, k := range o.kernels[:min(len(o.kernels), chart.MostCurves)] {
		if points := processPoints(k, time); len(points) > 1 {
			c.AddCurve(i, o.names[i], points)
		}
	}
	if len(c.Layers) == 0 {
		return nil
	}
	return processFigure(c, "compare-"+o.key+"-time", o.title+": "+timeName(time)+" over the number of processes."+
		chart.Omitted(len(o.kernels), "systems"))
}
