package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/report/internal/grid"
)

// Part is what a part of the measurements has of a difference.
type Part struct {
	Name  string
	Log   float64 // of the logarithm of the ratio
	Share float64 // of the whole, as a fraction; the parts' sum is 1. NaN if there is no difference
}

// Gap is the logarithm of a ratio of two b_eff, and its parts, the largest first.
type Gap struct {
	Log      float64
	Areas    []Part // a kind of patterns at a class of lengths
	Patterns []Part // a pattern at a class of lengths
}

// gapOf splits the difference between two results; nil if one of them has no b_eff.
func gapOf(a, b *grid.Grid, perProcess bool) *Gap {
	if a.Derived.BEff == 0 || b.Derived.BEff == 0 || len(a.Lengths) != allLengths || len(b.Lengths) != allLengths {
		return nil
	}
	scale := [2]float64{1, 1}
	if perProcess {
		scale = [2]float64{1 / float64(a.Processes), 1 / float64(b.Processes)}
	}
	gap := &Gap{}
	areas, single := map[string]float64{}, map[string]float64{}
	for _, kind := range kinds {
		pa, pb := a.Indices(kind), b.Indices(kind)
		weight := 1 / float64(len(kinds)) / float64(len(pa))
		for i := range pa {
			split(a, b, pa[i], pb[i], scale, func(l int, part float64) {
				c := classOf(l).name
				gap.Log += weight * part
				areas[plural(kind)+", "+c] += weight * part
				single[a.Patterns[pa[i]].Name+", "+c] += weight * part
			})
		}
	}
	gap.Areas, gap.Patterns = ranked(areas, gap.Log), ranked(single, gap.Log)
	return gap
}

// split gives each length's part of the logarithm of the ratio of two patterns' sums over lengths.
func split(a, b *grid.Grid, pa, pb int, scale [2]float64, yield func(l int, part float64)) {
	x := func(l int) float64 { return scale[0] * a.Best(pa, l) }
	y := func(l int) float64 { return scale[1] * b.Best(pb, l) }
	mean := logMean(grid.Mean(0, allLengths, y), grid.Mean(0, allLengths, x)) * allLengths
	for l := range allLengths {
		yield(l, (y(l)-x(l))/mean)
	}
}

// logMean is the logarithmic mean, between the geometric and the arithmetic one.
func logMean(x, y float64) float64 {
	d := math.Log(x / y)
	if math.Abs(d) < 1e-7 { // the quotient would lose all digits; the geometric mean is right to 1e-15
		return math.Sqrt(x * y)
	}
	return (x - y) / d
}

// ranked lists parts, the largest first.
func ranked(parts map[string]float64, sum float64) []Part {
	var list []Part
	for name, log := range parts {
		share := math.NaN()
		if math.Abs(sum) > 1e-12 {
			share = log / sum
		}
		list = append(list, Part{name, log, share})
	}
	slices.SortFunc(list, func(p, q Part) int {
		return cmp.Or(-cmp.Compare(math.Abs(p.Log), math.Abs(q.Log)), cmp.Compare(p.Name, q.Name))
	})
	return list
}
