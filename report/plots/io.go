package plots

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/plot"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/document"
)

// ChunkCurve is the bandwidths of a pattern type of b_eff_io with one access method.
type ChunkCurve struct {
	Type   patterns.IOType
	Points []ChunkPoint // in any order
}

// ChunkPoint is the bandwidth in bytes per second of a pattern that writes or reads contiguous chunks of Disk bytes on
// disk. What was not measured or failed has no bandwidth: 0, NaN or no point at all.
type ChunkPoint struct {
	Disk      int64
	Bandwidth float64
}

// Chunks shows bandwidths over the chunk size on disk, on the pseudo-logarithmic axis of the paper's Fig. 3. mpart is
// M_PART in bytes. Chunks of other sizes than those of the patterns are left out. It is nil if nothing is left.
func Chunks(id, caption string, curves []ChunkCurve, mpart int64) *document.Figure {
	x := chunkScale(mpart)
	c := &chart{frame: frameHeight}
	for _, from := range curves {
		if points := chunkPoints(from.Points, mpart); slices.ContainsFunc(points, point.usable) {
			c.addTypeCurve(from.Type, points)
		}
	}
	if len(c.layers) == 0 {
		return nil
	}
	_, ys := values(c.layers)
	c.x = axis{"contiguous chunk on disk in bytes (1k = 1024; +8: 8 bytes more; the last is M_PART)", x}
	c.y = axis{"MB/s (1 MB = 10^6 bytes)", decades(ys, yRoom)}
	low, high := span(ys)
	return &document.Figure{
		ID: id, Caption: caption, Drawing: c,
		Alt: fmt.Sprintf("Line chart of bandwidth against chunk size on disk: %s between %s and %s MB/s.",
			plural(len(c.legend), "pattern type"), short(low), short(high)),
	}
}

// chunkPoints has a point at each place where there is none, so that the line breaks there. Several of one size stay:
// type 0 has two rows of 1 MB.
func chunkPoints(list []ChunkPoint, mpart int64) []point {
	var points []point
	found := map[float64]bool{}
	for _, p := range list {
		if place, known := chunkPlace(p.Disk, mpart); known && usable(p.Bandwidth) {
			points, found[place] = append(points, point{place, p.Bandwidth / mega}), true
		}
	}
	for _, c := range append(chunkPlaces[:len(chunkPlaces):len(chunkPlaces)], chunkPlaceOf{place: mpartPlace}) {
		if !found[c.place] {
			points = append(points, point{c.place, 0})
		}
	}
	slices.SortStableFunc(points, byX)
	return points
}

func byX(a, b point) int { return cmp.Compare(a.x, b.x) }

// addTypeCurve gives a type the same look in every figure, whichever others are there.
func (c *chart) addTypeCurve(t patterns.IOType, points []point) {
	name, i := t.String(), int(t)
	if name == "" {
		name, i = fmt.Sprintf("type %d", int(t)), len(c.legend)+int(patterns.SegmentedCollective)+1
	}
	l := lookOf(i)
	c.layers = append(c.layers, curve{look: l, points: points, every: 1})
	c.legend = append(c.legend, entry{name, lineIcon(l)})
}

// chunkPlaceOf is a size, where it stands, and what stands below it.
type chunkPlaceOf struct {
	bytes int64
	place float64
	label string
}

// chunkPlaces are sizes and their places in HLRS's gnuplot files; M_PART follows at mpartPlace.
var chunkPlaces = []chunkPlaceOf{
	{1 << 10, 1, "1k"},
	{1<<10 + 8, 2, "+8"},
	{32 << 10, 4, "32k"},
	{32<<10 + 8, 5, "+8"},
	{1 << 20, 7, "1M"},
	{1<<20 + 8, 8, "+8"},
}

const mpartPlace = 10

// chunkPlace is where a size stands.
func chunkPlace(bytes, mpart int64) (float64, bool) {
	for _, c := range chunkPlaces {
		if c.bytes == bytes {
			return c.place, true
		}
	}
	return mpartPlace, bytes == mpart && bytes > 0
}

func chunkScale(mpart int64) scale {
	s := scale{at: identity, min: 0.5, max: mpartPlace + 0.5}
	for _, c := range chunkPlaces {
		s.ticks = append(s.ticks, plot.Tick{Value: c.place, Label: c.label})
	}
	label := "M_PART"
	if mpart > 0 && mpart%(1<<20) == 0 {
		label = binary(float64(mpart))
	} else if mpart > 0 {
		label = fmt.Sprintf("%.1fM", float64(mpart)/(1<<20))
	}
	s.ticks = append(s.ticks, plot.Tick{Value: mpartPlace, Label: label})
	return s
}

// PartitionCurve is a system's bandwidths over numbers of processes.
type PartitionCurve struct {
	Name   string
	Points []PartitionPoint // in any order
}

// PartitionPoint is the bandwidth in bytes per second of a partition; 0 or NaN if it was not measured.
type PartitionPoint struct {
	Processes int
	Bandwidth float64
}

// Partitions shows bandwidths over numbers of processes (paper, Fig. 2). It is nil if there are none.
func Partitions(id, caption string, curves []PartitionCurve) *document.Figure {
	c := &chart{frame: frameHeight}
	for i, from := range curves[:min(len(curves), mostCurves)] {
		var points []point
		for _, p := range from.Points {
			if at := (point{float64(p.Processes), p.Bandwidth / mega}); at.usable() {
				points = append(points, at)
			}
		}
		if slices.SortStableFunc(points, byX); len(points) > 0 {
			l := lookOf(i)
			c.layers = append(c.layers, curve{look: l, points: points, every: 1})
			c.legend = append(c.legend, entry{clean(from.Name), lineIcon(l)})
		}
	}
	if len(c.layers) == 0 {
		return nil
	}
	xs, ys := values(c.layers)
	c.x, c.y = axis{"number of processes", counts(xs)}, axis{"MB/s (1 MB = 10^6 bytes)", fitting(ys, 20, yRoom)}
	from, to := span(xs)
	low, high := span(ys)
	return &document.Figure{
		ID: id, Caption: caption + omitted(len(curves), "systems"), Drawing: c,
		Alt: fmt.Sprintf("Line chart of bandwidth against number of processes: %s between %s and %s MB/s on %.0f to "+
			"%.0f processes.",
			plural(len(c.legend), "curve"), short(low), short(high), from, to),
	}
}
