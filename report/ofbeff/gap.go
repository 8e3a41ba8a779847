package ofbeff

import (
	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/versus"
)

// Gap holds the natural logarithm of the ratio of two b_eff, and its parts, the largest first.
type Gap struct {
	Log      float64
	Areas    []versus.Part // a kind of patterns at a class of lengths
	Patterns []versus.Part // a pattern at a class of lengths
}

// gapOf returns the parts of the difference between two sides; nil if a run of either has no b_eff. The logarithm of
// the ratio of two geometric means is the mean of the logarithms over all pairs of runs, and of their passes, each of
// which splits exactly.
func gapOf(a, b []run, perProcess bool) *Gap {
	rated := func(r run) bool { return r.Derived.BEff > 0 && len(r.Lengths) == allLengths }
	gap := &Gap{}
	areas, single := map[string]float64{}, map[string]float64{}
	for _, x := range a {
		for _, y := range b {
			if !rated(x) || !rated(y) {
				return nil
			}
			part := 1 / float64(len(a)*len(b)*len(x.passes)*len(y.passes))
			for _, first := range x.passes {
				for _, second := range y.passes {
					gap.add(first, second, perProcess, part, areas, single)
				}
			}
		}
	}
	gap.Areas, gap.Patterns = versus.Ranked(areas, gap.Log), versus.Ranked(single, gap.Log)
	return gap
}

// add adds the parts of the difference between two passes, which counts as a part of all.
func (gap *Gap) add(a, b *beff.Grid, perProcess bool, part float64, areas, single map[string]float64) {
	scale := [2]float64{1, 1}
	if perProcess {
		scale = [2]float64{1 / float64(a.Processes), 1 / float64(b.Processes)}
	}
	for _, kind := range kinds {
		pa, pb := a.OfKind(kind), b.OfKind(kind)
		weight := part / float64(len(kinds)) / float64(len(pa))
		for i := range pa {
			split(a, b, pa[i], pb[i], scale, func(l int, part float64) {
				c := classOf(l).name
				gap.Log += weight * part
				areas[plural(kind)+", "+c] += weight * part
				single[a.Patterns[pa[i]].Name+", "+c] += weight * part
			})
		}
	}
}

// split calls yield with each length's part of the logarithm of the ratio of two patterns' sums over lengths.
func split(a, b *beff.Grid, pa, pb int, scale [2]float64, yield func(l int, part float64)) {
	x := func(l int) float64 { return scale[0] * a.Best(pa, l) }
	y := func(l int) float64 { return scale[1] * b.Best(pb, l) }
	mean := versus.LogMean(beff.Mean(0, allLengths, y), beff.Mean(0, allLengths, x)) * allLengths
	for l := range allLengths {
		yield(l, (y(l)-x(l))/mean)
	}
}
