package ofprobe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/words"
)

// oneSidedID begins the IDs of figures of several PGAS kernels.
const oneSidedID = "probe-pgas-all-"

// oneSidedSet lists PGAS kernels that share a figure, with the names of their curves.
type oneSidedSet struct {
	id, title string
	kernels   [][2]string
}

// oneSidedSets returns the figures of several kernels, for puts and for gets: the bandwidths of both ways and of random
// places over the length, and of strided transfers over the stride.
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

// oneSided returns the pictures of sets of which two kernels or more were measured.
func oneSided(r *probe.Result) (list []chart.Picture) {
	for _, set := range oneSidedSets() {
		var curves []curve
		var on []string // MeasuredOn of each curve
		found := map[string]bool{}
		for _, k := range set.kernels {
			for b := range lists.Elements(r.Blocks) {
				if b.Component == kernel.PGAS && b.Kernel == k[0] {
					found[k[0]] = true
					curves = append(curves, curve{name: k[1], block: b, point: bandwidth})
					on = append(on, MeasuredOn(b))
				}
			}
		}
		for i := range curves[:words.Either(len(curves) > len(found), len(curves), 0)] {
			curves[i].name += ", " + on[i]
		}
		if len(found) > 1 {
			p := plot(oneSidedID+set.id, set.title, chart.Bandwidth, curves)
			p.Caption += " Measured on " + words.Joined(lists.Unique(on), "and") + "."
			list = append(list, p)
		}
	}
	return list
}

// maxOrigins is the number of pairs or processes in a figure, which shows the slowest.
const maxOrigins = 24

// originDots returns the picture of the bandwidths of single origins at the longest length or stride, or of their times
// if there are no bandwidths. It shows the last of several blocks, and is empty if there is only one pair.
func originDots(k *Kernel) (d chart.Dots) {
	if k.Class != kernel.Partners {
		return d
	}
	b := k.Blocks[len(k.Blocks)-1]
	at := slices.IndexFunc(b.Rows, func(row measured.Row) bool { return len(row.Samples) == 0 })
	if at < 0 {
		at = len(b.Rows)
	}
	if at == 0 || len(b.Rows[at-1].Samples) != 1 {
		return d
	}
	row := &b.Rows[at-1]
	groups := originGroups(k, b, row)
	if len(groups) < 2 {
		return d
	}
	slices.SortStableFunc(groups, func(a, b chart.Group) int { return cmp.Compare(slowestDot(a), slowestDot(b)) })
	d = chart.Dots{ID: "probe-" + k.Key() + "-origins", X: chart.Bandwidth, Groups: groups, MaxGroups: maxOrigins,
		Of: words.Either(len(b.Groups) > 0, "pairs", "processes")}
	if k.Moved == 0 {
		d.X = chart.Time
		slices.Reverse(groups)
	}
	if len(groups[0].Dots) > 1 {
		d.Legend = []string{"from the lower rank", "from the upper rank"}
	}
	place := " with " + rating.Bytes(row.Bytes)
	if row.Stride > 0 {
		place += fmt.Sprintf(" with stride %d", row.Stride)
	}
	d.Caption = fmt.Sprintf("%s: %s%s for each of %d %s, the slowest first.", k.Title(), d.X.Name,
		words.Either(k.NoLength(), "", place), len(groups), d.Of)
	return d
}

// originGroups returns a dot for each origin. The two origins of a pair are in one group.
func originGroups(k *Kernel, b *measured.Block, row *measured.Row) (list []chart.Group) {
	each := row.Samples[0].Each
	pairs := max(1, len(b.Groups))
	if len(each)%pairs != 0 {
		return nil
	}
	per := len(each) / pairs
	if len(b.Groups) == 0 {
		per = 1 // each process is an origin
	}
	n := float64(max(row.Repetitions, 1)) * float64(max(k.Divisor, 1))
	for i := 0; i+per <= len(each); i += per {
		g := chart.Group{Name: fmt.Sprintf("rank %d", i)}
		if len(b.Groups) > 0 {
			ranks := b.Groups[i/per]
			g.Name = fmt.Sprintf("ranks %d and %d", ranks[0], ranks[len(ranks)-1])
		}
		for j, seconds := range each[i : i+per] {
			value := seconds / n
			if k.Moved > 0 {
				value = k.Moved * float64(row.Bytes) * n / seconds
			}
			g.Dots = append(g.Dots, chart.Dot{Spread: chart.Within(value, nil), StyleIndex: j})
		}
		list = append(list, g)
	}
	return list
}

// slowestDot returns the smallest value of a group.
func slowestDot(g chart.Group) float64 {
	return slices.Min(lists.Each(g.Dots, func(d chart.Dot) float64 { return d.Mean }))
}
