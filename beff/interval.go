package beff

import (
	"math"

	"github.com/effective-bandwidth/beff/rating"
)

// OfPasses returns the geometric mean of a figure over the passes of a run, and its interval within the run (see
// rating.OfPasses). Passes without the figure are left out.
func OfPasses(passes []*Grid, figure func(*Grid) float64) (mean float64, in *rating.Interval) {
	var figures, repetitions []float64
	for _, g := range passes {
		x := figure(g)
		if math.IsNaN(x) {
			continue
		}
		figures = append(figures, x)
		for _, one := range g.perRepetition() {
			repetitions = append(repetitions, figure(one))
		}
	}
	if len(figures) == 0 {
		return math.NaN(), nil
	}
	return rating.OfPasses(figures, repetitions)
}

// newPerRepetition returns the grids of single repetitions.
func (g *Grid) newPerRepetition() (list []*Grid) {
	for r := range g.Repetitions {
		one := &Grid{Result: g.Result, Repetitions: 1}
		for place := range g.methods {
			one.methods = append(one.methods, g.each(place)[r])
		}
		for p := range g.Patterns {
			for l := range g.Lengths {
				one.best = append(one.best, g.InRepetition(p, l, r))
			}
		}
		one.b = one.methods
		one.remember()
		list = append(list, one)
	}
	return list
}
