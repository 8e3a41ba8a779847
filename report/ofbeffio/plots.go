package ofbeffio

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// ofAll is the quantity on the y axes.
var ofAll = chart.Bandwidth.Named("bandwidth of all processes")

// Figures returns all pictures of a b_eff_io result that has passed Result.Check. For each access method of each
// partition, the rated one first, there is the bandwidth over the chunk size, with a curve for each pattern type. If
// there are several partitions, a picture shows their ratings over their numbers of processes. Pictures whose data were
// not measured are left out.
func Figures(r *beffio.Result) []*document.Figure {
	list := []chart.Picture{ratings(r)}
	for _, n := range rankedPartitions(r) {
		for _, a := range beffio.Accesses() {
			list = append(list, access(r, n, a))
		}
	}
	return chart.Figures(list...)
}

// rankedPartitions returns the indices of the partitions: the rated one first, then from the largest to the smallest.
func rankedPartitions(r *beffio.Result) []int {
	list := lists.Numbers(len(r.Partitions))
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

// access returns the picture of an access method of a partition. The ID of the rated partition's picture has no suffix.
func access(r *beffio.Result, n int, a beffio.Access) chart.Plot {
	suffix, remark := fmt.Sprintf("-%d", r.Partitions[n]), ""
	if n == r.Rated() {
		suffix, remark = "", ", the partition that is rated"
	}
	types := lists.Each(beffio.Types(), func(t patterns.IOType) []chunkPoint { return chunksOf(r, n, a, t) })
	p, axis := overChunks(types, r.MPart)
	p.Below = tailsBelow(r, n, a, axis)
	p.ID, p.Title = "beffio-"+string(a)+suffix, fmt.Sprintf("Bandwidth of %s, %s", a, words.Processes(r.Partitions[n]))
	p.Caption = fmt.Sprintf("Bandwidth of %s over the size of the contiguous chunks on disk, on %s%s. Scatter has a "+
		"second pattern of 1M, with 2 MB in memory, which is a point.", a, words.Processes(r.Partitions[n]), remark)
	return p
}

// chunkPoint is the bandwidth of a pattern in bytes per second, and the number of contiguous bytes of its chunks on
// disk. A pattern that was not measured, or failed, has a bandwidth of 0 or NaN, or no point.
type chunkPoint struct {
	disk      int64
	bandwidth float64
}

// chunksOf returns the bandwidths of those patterns of a type that have a share of the time.
func chunksOf(r *beffio.Result, n int, a beffio.Access, t patterns.IOType) []chunkPoint {
	rated := lists.Where(r.Patterns, func(p beffio.Pattern) bool { return p.Type == t && p.Units > 0 })
	return lists.Each(rated, func(p beffio.Pattern) chunkPoint {
		return chunkPoint{p.Disk, r.Bandwidth(n, a, p.Number)}
	})
}

// overChunks returns the picture of each type's bandwidths over the chunk size on disk, on the pseudo-logarithmic axis
// of the paper's Fig. 3. mpart is M_PART in bytes. Chunks that have no place on the axis are left out. If two patterns
// have the same size, as in type 0, the first one is a separate point without a line.
func overChunks(types [][]chunkPoint, mpart int64) (chart.Plot, chunkAxis) {
	axis := chunkAxis{mpart}
	p := chart.Plot{X: axis.quantity(), Y: ofAll, Of: "pattern types"}
	var loose []chunkPoint
	for t, list := range types {
		var line []chunkPoint
		for i, c := range list {
			at := words.Either(i+1 < len(list) && list[min(i+1, len(list)-1)].disk == c.disk, &loose, &line)
			*at = append(*at, c)
		}
		p.Series = append(p.Series, axis.series(patterns.IOType(t).String(), line))
	}
	if loose != nil {
		s := axis.series("2 MB in memory", loose)
		s.Dots = true
		p.Series = append(p.Series, s)
	}
	return p, axis
}

// overPartitions has the curves of the picture of partitions.
var overPartitions = []struct {
	name string
	of   func(beffio.Partition) float64
}{
	{ratedBy(beffio.RulesPaper), func(p beffio.Partition) float64 { return p.Paper }},
	{ratedBy(beffio.Rules21), func(p beffio.Partition) float64 { return p.Release21 }},
	{"write", func(p beffio.Partition) float64 { return p.Access(beffio.Write).Bandwidth }},
	{"rewrite", func(p beffio.Partition) float64 { return p.Access(beffio.Rewrite).Bandwidth }},
	{"read", func(p beffio.Partition) float64 { return p.Access(beffio.Read).Bandwidth }},
}

// ratings returns the picture of ratings over partitions (paper, Fig. 2). It is empty if fewer than two partitions have
// a rating.
func ratings(r *beffio.Result) chart.Plot {
	var processes []int
	rated := 0
	for _, p := range r.Derived.Partitions {
		if processes = append(processes, p.Processes); p.Paper > 0 {
			rated++
		}
	}
	p := chart.Plot{ID: "beffio-partitions", X: chart.Processes, Y: ofAll.LinearWithin(20),
		Title: "b_eff_io, and write, rewrite and read, over the number of processes",
		Caption: "b_eff_io by both formulas, and the means of the access methods, over the number of processes of " +
			"the partition."}
	if rated < 2 {
		return p
	}
	for _, c := range overPartitions {
		p.Series = append(p.Series, chart.Series{Name: c.name, Points: chart.Over(processes,
			func(i int) chart.Point { return chart.PointOf(c.of(r.Derived.Partitions[i])) })})
	}
	return p
}

// Overlay returns pictures that compare systems: for each access method the bandwidth over the chunk size, averaged
// over the pattern types that all systems have, with the ratio to the first system; and the five types of each system
// (paper, Fig. 3). If a system has several runs, all figures are their geometric means. A system is left out if one of
// its runs has no partition to compare.
func Overlay(names []string, all []side) []*document.Figure {
	var systems []overlaid
	for i, runs := range all {
		if !slices.ContainsFunc(runs, func(v view) bool { return v.n < 0 }) {
			systems = append(systems, overlaid{names[i], runs[0], runs})
		}
	}
	if len(systems) == 0 {
		return nil
	}
	list := []chart.Picture{overlayProcesses(systems)}
	for _, a := range beffio.Accesses() {
		list = append(list, overlayChunks(systems, a))
		if len(typesOf(systems, a)) != 1 { // a single type is in the picture before
			list = append(list, eachType(systems, a))
		}
	}
	return chart.Figures(list...)
}

// overlaid is a system in a picture. The view of its first run determines the points.
type overlaid struct {
	name string
	view
	runs side
}

// mean returns the geometric mean of a figure of all runs, or 0 if one of them lacks it.
func (s overlaid) mean(of func(view) float64) float64 {
	each := lists.Each(s.runs, of)
	if slices.ContainsFunc(each, func(x float64) bool { return !chart.Usable(x) }) {
		return 0
	}
	return compare.GeometricMean(each)
}

// overlayProcesses returns the picture of each system's ratings over its numbers of processes, as the paper's Fig. 3
// shows them for several T. It is empty if there is only one number of processes.
func overlayProcesses(systems []overlaid) chart.Plot {
	numbers, times := map[int]bool{}, lists.Each(systems, func(s overlaid) string {
		return ", T = " + words.Times.Short(s.Duration)
	})
	same := words.Either(len(lists.Unique(times)) == 1, times[0], "")
	p := chart.Plot{ID: "compare-processes", X: chart.Processes, Y: chart.Bandwidth.Named("b_eff_io").LinearWithin(20),
		Of: "systems", Title: "b_eff_io over the number of processes" + same,
		Caption: "b_eff_io over the number of processes of the partition" + cmp.Or(same, ", with T") +
			", the time that the run was given."}
	for i, s := range systems {
		each := chart.Series{Name: s.name + words.Either(same == "", times[i], "")}
		for _, of := range s.Derived.Partitions {
			rating := s.mean(func(v view) float64 { return v.ratedOn(of.Processes) })
			if pt := (chart.Point{X: float64(of.Processes), Y: rating}); pt.Usable() {
				each.Points, numbers[of.Processes] = append(each.Points, pt), true
			}
		}
		p.Series = append(p.Series, each)
	}
	if len(numbers) < 2 {
		p.Series = nil
	}
	return p
}

// ratedOn returns the rating for a number of processes, or 0 if it wasn't measured.
func (v view) ratedOn(processes int) float64 {
	for _, p := range v.Derived.Partitions {
		if p.Processes == processes {
			return p.Rating(v.Rules)
		}
	}
	return 0
}

// onPartitions names the number of processes in pictures of systems. It returns "" if the systems have different
// numbers.
func onPartitions(systems []overlaid) string {
	n := systems[0].Partitions[systems[0].n]
	if slices.ContainsFunc(systems, func(s overlaid) bool { return s.Partitions[s.n] != n }) {
		return ""
	}
	return ", " + words.Processes(n)
}

// overlayChunks returns the picture of the mean over types at each chunk size. Systems may have different M_PART.
func overlayChunks(systems []overlaid, a beffio.Access) chart.Plot {
	types, axis := typesOf(systems, a), chunkAxisOf(systems)
	p := chart.Plot{ID: "compare-chunks-" + string(a), X: axis.quantity(), Y: ofAll, Of: "systems",
		Title: fmt.Sprintf("Bandwidth of %s over the chunk size%s", a, onPartitions(systems)),
		Caption: fmt.Sprintf("Bandwidth of %s over the size of the contiguous chunks on disk: %s.", a,
			words.Either(len(types) == 1, fmt.Sprintf("pattern type %v", append(types, 0)[0]),
				"the mean over "+words.Count(len(types), "pattern type")))}
	for _, s := range systems {
		p.Series = append(p.Series, s.overChunks(s.name, axis, a, types))
	}
	if len(systems) > 1 {
		first := systems[0].name
		p.Below = &chart.Plot{X: p.X, Y: chart.Ratio.Named("times " + chart.Clean(first) + "'s"), Of: p.Of,
			Level: &chart.Level{Y: 1, Text: first, Value: "= 1"}, Series: []chart.Series{{Name: first}},
			Caption: "the bandwidth divided by " + chart.Clean(first) + "'s."}
		for _, s := range p.Series[1:] {
			s.Points = slices.Clone(s.Points)
			for i := range s.Points {
				s.Points[i].Y /= p.Series[0].Points[i].Y
			}
			p.Below.Series = append(p.Below.Series, s)
		}
	}
	return p
}

// atChunk returns the mean over types at a place on the axis of chunk sizes.
func (v view) atChunk(axis chunkAxis, place float64, a beffio.Access, types []patterns.IOType) float64 {
	sum, n := 0.0, 0
	for _, t := range types {
		for _, c := range chunksOf(v.Result, v.n, a, t) {
			if at, known := axis.place(c.disk, v.MPart); known && at == place && chart.Usable(c.bandwidth) {
				sum, n = sum+c.bandwidth, n+1
			}
		}
	}
	return sum / float64(max(n, 1))
}

// chunkAxisOf returns the axis for the chunks of all systems.
func chunkAxisOf(systems []overlaid) chunkAxis {
	mpart := systems[0].MPart
	for _, s := range systems {
		if s.MPart != mpart {
			mpart = 0 // systems have different ones
		}
	}
	return chunkAxis{mpart}
}

// typesOf returns the types that all systems have measured with an access method.
func typesOf(systems []overlaid, a beffio.Access) []patterns.IOType {
	return lists.Where(beffio.Types(), func(t patterns.IOType) bool {
		return !slices.ContainsFunc(systems, func(s overlaid) bool { return s.ofType(a, t) == 0 })
	})
}

func (s overlaid) ofType(a beffio.Access, t patterns.IOType) float64 {
	return s.mean(func(v view) float64 { return v.access(a).Types[t] })
}

// eachType returns the picture of all pattern types over the chunk size, with a chart for each system (paper, Fig. 3).
func eachType(systems []overlaid, a beffio.Access) chart.PlotGrid {
	axis := chunkAxisOf(systems)
	g := chart.PlotGrid{ID: "compare-types-" + string(a), SharedAxes: true,
		Title: fmt.Sprintf("Bandwidth of %s by pattern type over the chunk size%s", a, onPartitions(systems)),
		Caption: fmt.Sprintf("Bandwidth of %s over the size of the contiguous chunks on disk: a chart for each "+
			"system, with a curve for each pattern type.", a),
		Alt: "Bandwidth over the chunk size, a chart for each system."}
	for _, s := range systems {
		p := chart.Plot{X: axis.quantity(), Y: ofAll, Of: "pattern types", Title: s.name}
		for _, t := range beffio.Types() {
			p.Series = append(p.Series, s.overChunks(t.String(), axis, a, []patterns.IOType{t}))
		}
		g.Plots = append(g.Plots, p)
	}
	return g
}

// overChunks returns the mean over types at each chunk size.
func (s overlaid) overChunks(name string, axis chunkAxis, a beffio.Access, types []patterns.IOType) chart.Series {
	return chart.Series{Name: name, Points: lists.Each(axis.all(), func(at float64) chart.Point {
		return chart.Point{X: at, Y: s.mean(func(v view) float64 { return v.atChunk(axis, at, a, types) })}
	})}
}
