package stats

import (
	"math"
	"slices"
)

// Refinement selects the lengths at which a time is measured: few where it is straight, many where it jumps. A gap
// between neighbouring lengths is split unless the straight line of a neighbouring gap explains it. So a bend at a
// measured length costs nothing, and a jump is bracketed to Stride.
type Refinement struct {
	Min, Max   int64   // lengths that are always measured
	Rough      float64 // roughness above which a gap is split
	Stride     int64   // least distance of lengths, at least 1
	MaxLengths int     // maximum number of lengths
}

// Start returns the lengths to begin with: Min, all Min + Stride·2^k below Max, and Max. MaxLengths doesn't limit them.
func (r Refinement) Start() []int64 {
	list := []int64{r.Min}
	for step := r.Stride; step < r.Max-r.Min; step *= 2 {
		list = append(list, r.Min+step)
	}
	if r.Max > r.Min {
		list = append(list, r.Max)
	}
	return list
}

// Next returns the next length to measure after points, which may be in any order. ok is false if there is none. The
// length is the middle of the roughest gap (the first of equally rough ones), rounded down to Min + k·Stride.
func (r Refinement) Next(points []Point) (length int64, ok bool) {
	points = byLength(points)
	if len(points) >= r.MaxLengths {
		return 0, false
	}
	worst := r.Rough
	for i := range len(points) - 1 {
		a, b := points[i], points[i+1]
		if b.X-a.X < 2*r.Stride {
			continue
		}
		if rough := roughness(points, i); rough > worst {
			middle := (a.X+b.X)/2 - r.Min
			worst, length, ok = rough, r.Min+middle-middle%r.Stride, true
		}
	}
	return length, ok
}

// byLength returns points sorted by length.
func byLength(points []Point) []Point {
	list := slices.Clone(points)
	slices.SortFunc(list, func(a, b Point) int { return int(a.X - b.X) })
	return list
}

// jump returns the part of the rise in gap i, between points i and i+1, that no neighbouring gap's slope explains. It
// takes the neighbour that explains more. Without neighbours the jump is 0.
func jump(points []Point, i int) float64 {
	best, found := 0.0, false
	rise, width := points[i+1].T-points[i].T, float64(points[i+1].X-points[i].X)
	for _, j := range []int{i - 1, i + 1} {
		if j < 0 || j+1 >= len(points) {
			continue
		}
		slope := (points[j+1].T - points[j].T) / float64(points[j+1].X-points[j].X)
		if left := rise - slope*width; !found || math.Abs(left) < math.Abs(best) {
			best, found = left, true
		}
	}
	return best
}

// roughness returns the jump in gap i less the intervals of its ends, relative to the larger time.
func roughness(points []Point, i int) float64 {
	a, b := points[i], points[i+1]
	larger := max(a.T, b.T)
	if !(larger > 0) {
		return 0
	}
	return (math.Abs(jump(points, i)) - a.Half - b.Half) / larger
}

// Step is a jump of the time between two neighbouring lengths.
type Step struct {
	Above int64   // the longest length before the jump
	To    int64   // the shortest length after it
	By    float64 // size of the jump, a time
}

// Steps returns the jumps in a refined list of points, in any order: the rough gaps that can't be split.
func (r Refinement) Steps(points []Point) []Step {
	points = byLength(points)
	var list []Step
	for i := range len(points) - 1 {
		a, b := points[i], points[i+1]
		if b.X-a.X < 2*r.Stride && roughness(points, i) > r.Rough {
			list = append(list, Step{a.X, b.X, jump(points, i)})
		}
	}
	return list
}
