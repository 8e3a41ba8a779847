package ofbeffio

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Figures returns all figures of a b_eff_io result that has passed Result.Check. For each access method of each
// partition, the rated one first, there is the bandwidth over the chunk size, with a curve for each pattern type. Where
// there are several partitions, a figure has their ratings over their numbers of processes. Figures whose data were not
// measured are left out.
func Figures(r *beffio.Result) []*document.Figure {
	var list []*document.Figure
	if f := ratings(r); f != nil {
		list = append(list, f)
	}
	for _, n := range rankedPartitions(r) {
		list = append(list, accesses(r, n)...)
	}
	return list
}

// rankedPartitions returns the indices of the partitions: the rated one first, then from the largest to the smallest.
func rankedPartitions(r *beffio.Result) []int {
	list := make([]int, len(r.Partitions))
	for i := range list {
		list[i] = i
	}
	rated := r.Rated()
	slices.SortStableFunc(list, func(a, b int) int {
		switch rated {
		case a:
			return -1
		case b:
			return 1
		}
		return r.Partitions[b] - r.Partitions[a]
	})
	return list
}

// accesses returns a figure for each access method of a partition. IDs of the rated partition have no suffix.
func accesses(r *beffio.Result, n int) []*document.Figure {
	suffix, remark := fmt.Sprintf("-%d", r.Partitions[n]), ""
	if n == r.Rated() {
		suffix, remark = "", ", the partition that is rated"
	}
	var list []*document.Figure
	for _, a := range beffio.Accesses() {
		var curves []ChunkCurve
		for _, t := range beffio.Types() {
			curves = append(curves, ChunkCurve{t, chunksOf(r, n, a, t)})
		}
		caption := fmt.Sprintf("Bandwidth of %s over the size of the contiguous chunks on disk, on %s%s. Type 0 has "+
			"two patterns of 1M: with 1 MB and with 2 MB in memory.", a, on(r.Partitions[n]), remark)
		if f := Chunks("beffio-"+string(a)+suffix, caption, curves, r.MPart); f != nil {
			list = append(list, f)
		}
	}
	return list
}

func on(processes int) string {
	if processes == 1 {
		return "1 process"
	}
	return words.Processes(processes)
}

// chunksOf returns the bandwidths of a type's patterns that have a share of the time.
func chunksOf(r *beffio.Result, n int, a beffio.Access, t patterns.IOType) []ChunkPoint {
	var list []ChunkPoint
	for _, p := range r.Patterns {
		if p.Type == t && (p.Units > 0 || r.Imported != "") {
			list = append(list, ChunkPoint{p.Disk, r.Bandwidth(n, a, p.Number)})
		}
	}
	return list
}

// ratings returns the figure of ratings over partitions; nil if less than two have a rating.
func ratings(r *beffio.Result) *document.Figure {
	bandwidth := func(a beffio.Access) func(beffio.Partition) float64 {
		return func(p beffio.Partition) float64 { return p.Access(a).Bandwidth }
	}
	curves := []PartitionCurve{
		{Name: "b_eff_io by the paper"}, {Name: "b_eff_io by release 2.1"}, {Name: "write"}, {Name: "rewrite"},
		{Name: "read"},
	}
	of := []func(beffio.Partition) float64{
		func(p beffio.Partition) float64 { return p.Paper }, func(p beffio.Partition) float64 { return p.Release21 },
		bandwidth(beffio.Write), bandwidth(beffio.Rewrite), bandwidth(beffio.Read),
	}
	rated := 0
	for _, p := range r.Derived.Partitions {
		if p.Paper > 0 {
			rated++
		}
		for i := range curves {
			curves[i].Points = append(curves[i].Points, PartitionPoint{p.Processes, of[i](p)})
		}
	}
	if rated < 2 {
		return nil
	}
	return Partitions("beffio-partitions", "b_eff_io by both formulas, and the means of the access methods, over "+
		"the number of processes of the partition.", curves)
}

// overlaid is one of several results in a picture, with its partition.
type overlaid struct {
	name string
	*beffio.Result
	partition int
}

// Overlay returns figures that compare systems: for each access method the bandwidth over the chunk size, averaged over
// the pattern types that all of them have, and bars for each pattern type. A result is left out if partitions has no
// index for it, or a negative one.
func Overlay(names []string, rs []*beffio.Result, partitions []int) []*document.Figure {
	var systems []overlaid
	for i, r := range rs {
		if i < len(names) && i < len(partitions) && r != nil && partitions[i] >= 0 &&
			partitions[i] < len(r.Partitions) {
			systems = append(systems, overlaid{chart.Clean(names[i]), r, partitions[i]})
		}
	}
	if len(systems) == 0 {
		return nil
	}
	drawn := systems[:min(len(systems), chart.MostCurves)]
	var list []*document.Figure
	for _, a := range beffio.Accesses() {
		for _, f := range []*document.Figure{overlayChunks(drawn, a), overlayTypes(drawn, a)} {
			if f != nil {
				f.Caption += chart.Omitted(len(systems), "systems")
				list = append(list, f)
			}
		}
	}
	return list
}

// overlayChunks returns the figure of the mean over types at each chunk size. M_PART is each system's own.
func overlayChunks(systems []overlaid, a beffio.Access) *document.Figure {
	c := &chart.Chart{Frame: chart.FrameHeight}
	types, axis := typesOf(systems, a), chunkAxisOf(systems)
	for i, s := range systems {
		sums, counts := map[float64]float64{}, map[float64]float64{}
		for _, t := range types {
			for _, p := range chunksOf(s.Result, s.partition, a, t) {
				if at, known := axis.place(p.Disk, s.MPart); known && chart.Usable(p.Bandwidth) {
					sums[at], counts[at] = sums[at]+p.Bandwidth/words.Mega, counts[at]+1
				}
			}
		}
		var points []chart.Point
		for _, at := range axis.all() {
			points = append(points, chart.Point{X: at, Y: sums[at] / max(counts[at], 1)})
		}
		if slices.ContainsFunc(points, chart.Point.Usable) {
			l := chart.LookOf(i)
			c.Layers = append(c.Layers, chart.Curve{Look: l, Name: s.name, Points: points, Every: 1})
		}
	}
	if len(c.Layers) == 0 {
		return nil
	}
	_, ys := chart.Values(c.Layers)
	c.X = axis.axis()
	c.Y = chart.RateAxis("bandwidth of all processes", ys)
	low, high := chart.Span(ys)
	return &document.Figure{
		ID: "compare-chunks-" + string(a), Drawing: c,
		Caption: fmt.Sprintf("Bandwidth of %s over the size of the contiguous chunks on disk: the mean over %s.", a,
			words.Count(len(types), "pattern type")),
		Alt: fmt.Sprintf("Line chart of bandwidth against chunk size on disk: %s between %s and %s MB/s.",
			words.Count(c.Curves(), "curve"), chart.Short(low), chart.Short(high)),
	}
}

// chunkAxisOf returns the axis for the chunks of all systems.
func chunkAxisOf(systems []overlaid) chunkAxis {
	var sizes []int64
	mpart := systems[0].MPart
	for _, s := range systems {
		for _, p := range s.Patterns {
			sizes = append(sizes, p.Disk)
		}
		if s.MPart != mpart {
			mpart = 0 // each has its own
		}
	}
	return newChunkAxis(sizes, mpart)
}

// typesOf returns the types that all systems have measured with an access method.
func typesOf(systems []overlaid, a beffio.Access) []patterns.IOType {
	var list []patterns.IOType
	for _, t := range beffio.Types() {
		if !slices.ContainsFunc(systems, func(s overlaid) bool { return !chart.Usable(s.ofType(a, t)) }) {
			list = append(list, t)
		}
	}
	return list
}

// ofType returns a type's bandwidth.
func (s overlaid) ofType(a beffio.Access, t patterns.IOType) float64 {
	for _, m := range s.Derived.Partitions[s.partition].Accesses {
		if m.Access == a && int(t) < len(m.Types) {
			return m.Types[t]
		}
	}
	return 0
}

// overlayTypes returns the figure of each pattern type's bandwidth, a dot for each system.
func overlayTypes(systems []overlaid, a beffio.Access) *document.Figure {
	var groups []chart.Group
	for _, t := range beffio.Types() {
		g, found := chart.Group{Name: t.String()}, false
		for i, s := range systems {
			x := s.ofType(a, t) / words.Mega
			found = found || chart.Usable(x)
			g.Dots = append(g.Dots, chart.Dot{Spread: chart.Single(x), Name: s.name, Note: chart.Rate(x), Look: i})
		}
		if found {
			groups = append(groups, g)
		}
	}
	if len(groups) == 0 {
		return nil
	}
	return &document.Figure{
		ID: "compare-types-" + string(a), Drawing: chart.RateDots("", groups),
		Caption: fmt.Sprintf("Bandwidth of %s by pattern type, from open to close.", a),
		Alt: fmt.Sprintf("Chart of dots: %s with a dot for each of %s.", words.Count(len(groups), "pattern type"),
			words.Count(len(systems), "system")),
	}
}
