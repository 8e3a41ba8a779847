package ofbeffio

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// ChunkCurve holds the bandwidths of a pattern type of b_eff_io with one access method.
type ChunkCurve struct {
	Type   patterns.IOType
	Points []ChunkPoint // in any order
}

// ChunkPoint is the bandwidth in bytes per second of a pattern whose chunks are of Disk contiguous bytes on disk. A
// pattern that was not measured, or failed, has a bandwidth of 0 or NaN, or no point.
type ChunkPoint struct {
	Disk      int64
	Bandwidth float64
}

// Chunks returns a chart of bandwidths over the chunk size on disk, on the pseudo-logarithmic axis of the paper's Fig.
// 3. mpart is M_PART in bytes. Chunks above 1 kB of sizes that no pattern has are left out. The chart is nil if nothing
// is left.
func Chunks(id, caption string, curves []ChunkCurve, mpart int64) *document.Figure {
	var sizes []int64
	for _, from := range curves {
		for _, p := range from.Points {
			sizes = append(sizes, p.Disk)
		}
	}
	axis := newChunkAxis(sizes, mpart)
	c := &chart.Chart{Frame: chart.FrameHeight}
	for _, from := range curves {
		if points := axis.points(from.Points); slices.ContainsFunc(points, chart.Point.Usable) {
			addTypeCurve(c, from.Type, points)
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
		ID: id, Caption: caption, Drawing: c,
		Alt: fmt.Sprintf("Line chart of bandwidth against chunk size on disk: %s between %s and %s MB/s.",
			words.Count(c.Curves(), "pattern type"), chart.Short(low), chart.Short(high)),
	}
}

// points returns the points of a curve, with an empty one at each size that the curve lacks, so that its line breaks
// there. Several points of one size stay: type 0 has two rows of 1 MB.
func (a chunkAxis) points(list []ChunkPoint) []chart.Point {
	var points []chart.Point
	found := map[float64]bool{}
	for _, p := range list {
		if place, known := a.place(p.Disk, a.mpart); known && chart.Usable(p.Bandwidth) {
			points, found[place] = append(points, chart.Point{X: place, Y: p.Bandwidth / words.Mega}), true
		}
	}
	for _, place := range a.all() {
		if !found[place] {
			points = append(points, chart.Point{X: place, Y: 0})
		}
	}
	slices.SortStableFunc(points, chart.ByX)
	return points
}

// addTypeCurve adds a type's curve. A type has the same look in every figure.
func addTypeCurve(c *chart.Chart, t patterns.IOType, points []chart.Point) {
	name, i := t.String(), int(t)
	if name == "" {
		name, i = fmt.Sprintf("type %d", int(t)), c.Curves()+int(patterns.SegmentedCollective)+1
	}
	l := chart.LookOf(i)
	c.Layers = append(c.Layers, chart.Curve{Look: l, Name: name, Points: points, Every: 1})
}

// PartitionCurve holds a system's bandwidths over numbers of processes.
type PartitionCurve struct {
	Name   string
	Points []PartitionPoint // in any order
}

// PartitionPoint is the bandwidth in bytes per second of a partition; 0 or NaN if it was not measured.
type PartitionPoint struct {
	Processes int
	Bandwidth float64
}

// Partitions returns a chart of bandwidths over numbers of processes (paper, Fig. 2); nil if there are none.
func Partitions(id, caption string, curves []PartitionCurve) *document.Figure {
	c := &chart.Chart{Frame: chart.FrameHeight}
	for i, from := range curves[:min(len(curves), chart.MostCurves)] {
		var points []chart.Point
		for _, p := range from.Points {
			if at := (chart.Point{X: float64(p.Processes), Y: p.Bandwidth / words.Mega}); at.Usable() {
				points = append(points, at)
			}
		}
		if slices.SortStableFunc(points, chart.ByX); len(points) > 0 {
			l := chart.LookOf(i)
			c.Layers = append(c.Layers, chart.Curve{Look: l, Name: chart.Clean(from.Name), Points: points, Every: 1})
		}
	}
	if len(c.Layers) == 0 {
		return nil
	}
	xs, ys := chart.Values(c.Layers)
	c.X, c.Y = chart.CountAxis("number of processes", xs), chart.FittingRates("bandwidth of all processes", ys)
	from, to := chart.Span(xs)
	low, high := chart.Span(ys)
	return &document.Figure{
		ID: id, Caption: caption + chart.Omitted(len(curves), "systems"), Drawing: c,
		Alt: fmt.Sprintf("Line chart of bandwidth against number of processes: %s between %s and %s MB/s on %.0f to "+
			"%.0f processes.",
			words.Count(c.Curves(), "curve"), chart.Short(low), chart.Short(high), from, to),
	}
}
