package ofprobe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// oneSidedID begins the IDs of figures of several kernels of PGAS.
const oneSidedID = "probe-pgas-all-"

// oneSidedSet lists kernels of PGAS that have a figure together, with the names of their curves.
type oneSidedSet struct {
	id, title string
	kernels   [][2]string
}

// oneSidedSets returns the figures of several kernels: of puts and of gets, the bandwidths of both ways and of random
// places over the length, and those of strided transfers over the stride.
func oneSidedSets() (list []oneSidedSet) {
	for _, call := range []string{"put", "get"} {
		name := strings.ToUpper(call[:1]) + call[1:]
		list = append(list, oneSidedSet{call, name + ": bandwidth of one origin", [][2]string{
			{name + "_oneway", "one way"}, {name + "_twoway", "two ways, each"}, {"Random_" + call, "random places"}}})
		for _, way := range []string{"", "_twoway"} {
			set := oneSidedSet{id: "strided-" + call + strings.ReplaceAll(way, "_", "-"),
				title: fmt.Sprintf("Strided %s%s: bandwidth of one origin", call,
					words.Either(way == "", "", ", two ways"))}
			for _, side := range []string{"target", "origin", "both"} {
				set.kernels = append(set.kernels, [2]string{"Strided_" + call + "_" + side + way, "stride on " +
					map[string]string{"target": "the target", "origin": "the origin", "both": "both sides"}[side]})
			}
			list = append(list, set)
		}
	}
	return list
}

// oneSidedFigures returns the figures of sets of which two kernels or more were measured.
func oneSidedFigures(r *probe.Result) (list []*document.Figure) {
	for _, set := range oneSidedSets() {
		var curves []blockCurve
		found := map[string]bool{}
		for _, k := range set.kernels {
			for i := range r.Blocks {
				b := &r.Blocks[i]
				if b.Component != probe.PGAS || b.Kernel != k[0] {
					continue
				}
				found[k[0]] = true
				curves = append(curves, blockCurve{name: k[1] + ", " + Who(b), block: b,
					of: func(row *probe.Row) float64 { return Bandwidth(row) / words.Mega }})
			}
		}
		if len(found) < 2 {
			continue
		}
		if f := lengthFigure(curves, oneSidedID+set.id, set.title, bandwidthLabel, "bandwidth", "MB/s"); f != nil {
			list = append(list, f)
		}
	}
	return list
}

// oneSidedSection returns the section of the figures of several kernels, without blocks if there are none.
func oneSidedSection(figures []*document.Figure) document.Section {
	s := document.Section{ID: "one-sided", Title: "One-sided transfers"}
	for _, f := range figures {
		if strings.HasPrefix(f.ID, oneSidedID) {
			s.Blocks = append(s.Blocks, f)
		}
	}
	return s
}

// mostOrigins is the number of pairs, or processes, in a figure of them: the slowest.
const mostOrigins = 24

// originsFigure returns the figure of the bandwidths of single origins at the longest length or stride, or of their
// times if there are no bandwidths; nil if there is only one pair. Of several blocks it is the last.
func originsFigure(k *Kernel) *document.Figure {
	if k.Class != probe.Partners {
		return nil
	}
	b := k.Blocks[len(k.Blocks)-1]
	at := slices.IndexFunc(b.Rows, func(row probe.Row) bool { return len(row.Samples) == 0 })
	if at < 0 {
		at = len(b.Rows)
	}
	if at == 0 || len(b.Rows[at-1].Samples) != 1 {
		return nil
	}
	row := &b.Rows[at-1]
	groups := originGroups(k, b, row)
	if len(groups) < 2 {
		return nil
	}
	slices.SortStableFunc(groups, func(a, b chart.Group) int { return cmp.Compare(slowestDot(a), slowestDot(b)) })
	what, label := "bandwidth", bandwidthLabel
	if k.Moved == 0 {
		what, label = "time", timeLabel
		slices.Reverse(groups)
	}
	omitted := ""
	if n := len(groups); n > mostOrigins {
		omitted = fmt.Sprintf(" Drawn are %d of %d.", mostOrigins, n)
	}
	c := chart.DotChart(label, groups[:min(len(groups), mostOrigins)])
	if k.Moved > 0 {
		c = chart.RateDots(label, groups[:min(len(groups), mostOrigins)])
	}
	if k.TwoWay() {
		for i, name := range []string{"from the lower rank", "from the upper rank"} {
			c.Legend = append(c.Legend, chart.Entry{Name: name, Icon: chart.DotIcon(i)})
		}
	}
	low, high := slowestDot(groups[0]), slowestDot(groups[len(groups)-1])
	place := fmt.Sprintf(" of %s", words.Count(int(row.Bytes), "byte"))
	if row.Stride > 0 {
		place += fmt.Sprintf(" with stride %d", row.Stride)
	}
	return &document.Figure{ID: "probe-" + k.Key() + "-origins", Drawing: c,
		Caption: fmt.Sprintf("%s: %s%s of each of %s, the slowest first.%s", k.Title(), what,
			words.Either(k.NoLength(), "", place), words.Count(len(groups), "origin"), omitted),
		Alt: fmt.Sprintf("Chart of dots of %s of %s: %s to %s.", what, words.Count(len(groups), "origin"),
			chart.Short(min(low, high)), chart.Short(max(low, high)))}
}

// originGroups returns a dot for each origin, those of a pair in a group.
func originGroups(k *Kernel, b *probe.Block, row *probe.Row) (list []chart.Group) {
	each := row.Samples[0].Each
	pairs := max(1, len(b.Groups))
	if len(each)%pairs != 0 {
		return nil
	}
	per := len(each) / pairs
	if len(b.Groups) == 0 {
		per = 1 // each process is an origin of its own
	}
	n := float64(max(row.Repetitions, 1)) * float64(max(k.Halves, 1))
	for i := 0; i+per <= len(each); i += per {
		g := chart.Group{Name: fmt.Sprintf("rank %d", i)}
		if len(b.Groups) > 0 {
			ranks := b.Groups[i/per]
			g.Name = fmt.Sprintf("ranks %d and %d", ranks[0], ranks[len(ranks)-1])
		}
		for j, seconds := range each[i : i+per] {
			value := seconds / n / words.Micro
			note := chart.Micro(value)
			if k.Moved > 0 {
				value = k.Moved * float64(row.Bytes) * n / seconds / words.Mega
				note = chart.Rate(value)
			}
			g.Dots = append(g.Dots, chart.Dot{Spread: chart.Single(value), Look: j, Note: note})
		}
		list = append(list, g)
	}
	return list
}

// slowestDot returns the least value of a group.
func slowestDot(g chart.Group) float64 {
	least := g.Dots[0].Mean
	for _, b := range g.Dots {
		least = min(least, b.Mean)
	}
	return least
}

// oneSidedHeads are the columns of the CSV that only results with kernels of PGAS, or with allocated windows, have.
var oneSidedHeads = []string{"bandwidth_min_Bps", "bandwidth_max_Bps", "bandwidth_all_Bps", "bandwidth_both_Bps",
	"stride", "completion", "window", "target"}

// hasOneSided reports whether the CSV of a result has these columns.
func hasOneSided(r *probe.Result) bool {
	return slices.ContainsFunc(r.Blocks, func(b probe.Block) bool {
		return b.Component == probe.PGAS ||
			b.WindowKind != ""
	})
}

// oneSidedFields returns the fields of a group.
func oneSidedFields(b *probe.Block, row *probe.Row, group int) []string {
	var x probe.Times
	if group < len(row.Derived) {
		x = row.Derived[group]
	}
	var list []string
	for _, figure := range []float64{x.BandwidthMin, x.BandwidthMax, x.BandwidthAll, x.BandwidthBoth,
		float64(row.Stride)} {
		text := ""
		if figure > 0 {
			text = exact(figure)
		}
		list = append(list, text)
	}
	return append(list, string(b.Completion), string(b.WindowKind), string(b.Target))
}
