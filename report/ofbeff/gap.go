package ofbeff

import (
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/words"
)

// mostPatterns is the number of single patterns in the table of parts.
const mostPatterns = 10

// gapOf returns the parts of the difference between two sides, by kind of patterns and by pattern, each at a class of
// lengths; nil if a run of either has no b_eff, or other patterns than the others, as adaptive ones have, or passes of
// more or fewer of them. The mean over a run's passes splits exactly, as that over runs does.
func gapOf(a, b side, perProcess bool) *compare.Gap {
	for _, s := range []side{a, b} {
		for _, r := range s {
			if r.Derived.BEff == 0 || len(r.Lengths) != allLengths || len(r.Patterns) != len(a[0].Patterns) {
				return nil
			}
			for _, pass := range r.passes {
				if len(pass.OfKind(patterns.KindRandom)) != len(a[0].passes[0].OfKind(patterns.KindRandom)) {
					return nil
				}
			}
		}
	}
	single := alike(a, b)
	caption := "The largest parts of single patterns, by class of lengths."
	if !single {
		caption = "The largest parts of single rings and of all randoms, which aren't the same on both sides, by " +
			"class of lengths."
	}
	gap := compare.GapOf(a, b, []compare.Way{{Caption: "By kind of pattern and class of lengths."},
		{Caption: caption, Most: mostPatterns}},
		func(x, y run, share float64, add func(float64, ...string)) {
			share /= float64(len(x.passes) * len(y.passes))
			for _, first := range x.passes {
				for _, second := range y.passes {
					split(first, second, perProcess, single, share, add)
				}
			}
		})
	if onePair(a[0].Result) != "" && onePair(b[0].Result) != "" {
		gap.Ways[1] = compare.Way{Caption: "With 2 processes all ring and random patterns are one and the same pair: " +
			"single ones have no parts of their own."}
	}
	return gap
}

// alike reports whether all passes of two sides measured the same random patterns: those of one seed on as many
// processes.
func alike(a, b side) bool {
	first := a[0].passes[0]
	for _, r := range slices.Concat(a, b) {
		for _, pass := range r.passes {
			if pass.Seed != first.Seed || pass.Processes != first.Processes ||
				!slices.Equal(pass.OfKind(patterns.KindRandom), first.OfKind(patterns.KindRandom)) {
				return false
			}
		}
	}
	return true
}

// split adds the parts of the difference between two passes, which counts as a share of all: of each single random
// pattern, or of all of them together.
func split(a, b *beff.Grid, perProcess, single bool, share float64, add func(float64, ...string)) {
	scale := [2]float64{1, 1}
	if perProcess {
		scale = [2]float64{1 / float64(a.Processes), 1 / float64(b.Processes)}
	}
	for _, kind := range kinds {
		pa, pb := a.OfKind(kind), b.OfKind(kind)
		weight := share / float64(len(kinds)) / float64(len(pa))
		for i := range pa {
			x := func(l int) float64 { return scale[0] * a.Best(pa[i], l) }
			y := func(l int) float64 { return scale[1] * b.Best(pb[i], l) }
			mean := compare.LogMean(beff.Mean(0, allLengths, y), beff.Mean(0, allLengths, x)) * allLengths
			for l := range allLengths {
				class := ", " + classOf(l).name
				name := words.Either(single || kind == patterns.KindRing, a.Patterns[pa[i]].Name, plural(kind))
				add(weight*(y(l)-x(l))/mean, plural(kind)+class, name+class)
			}
		}
	}
}
