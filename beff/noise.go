package beff

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// Limits of a quiet run.
const (
	// maxElapsed is the allowed part of the wall time outside of the timed loops. Release 3.6 allows less, but quiet
	// machines exceed its limit if processes share a core or wait in turns.
	maxElapsed   = 0.1
	maxElapsed36 = 0.05
	// maxInterval is the half width of b_eff's interval.
	maxInterval = 0.1
	// maxSpread is the allowed distance of the second best repetition's b_eff from the best one's.
	maxSpread = 0.1
	// maxOutliers is the part of the samples, by their weight in b_eff, that may take twice as long as they should.
	maxOutliers = 0.02
)

// maxElapsed returns the limit for the result's rules.
func (r *Result) maxElapsed() float64 {
	if r.Rules == Rules36 {
		return maxElapsed36
	}
	return maxElapsed
}

const twice = 2

const (
	dedicated    = "use dedicated processors, one process each; look for other load"
	quietMachine = "bind each process to a core, keep other programs away, measure again"
)

// signs returns the signs of noise in a run: first the signs in its samples, then the disturbances of its hosts. grids
// has the grid of each pass.
func signs(r *Result, grids []*Grid) []rating.Sign {
	var list []rating.Sign
	if !r.Quick && r.WallSeconds > 0 {
		list = append(list, rating.PartSign("elapsed", dedicated, 1-r.LoopSeconds/r.WallSeconds, r.maxElapsed(),
			"%s of the time passed outside of the timed loops"))
	}
	list = append(list, passSigns(&r.Derived, grids)...)
	list = append(list, rating.WithinSign(r.Within,
		rating.Value{Value: r.Derived.BEff, Within: r.Derived.BEffInterval}, quietMachine)...)
	list = slices.DeleteFunc(list, func(s rating.Sign) bool { return math.IsNaN(s.Value) })
	shortest := math.Inf(1)
	for _, s := range r.Samples {
		shortest = min(shortest, s.Seconds)
	}
	if !math.IsInf(shortest, 1) {
		list = append(list, r.ClockSigns(shortest, "timed loop", "use an MPI with a finer MPI_Wtime")...)
	}
	return append(list, r.Load.Signs()...)
}

// passSigns returns the signs in the samples: a wide interval, the pass whose repetitions differ most, and the outliers
// of all passes. It skips passes with fewer than two repetitions.
func passSigns(d *Derived, grids []*Grid) (list []rating.Sign) {
	if d.BEffInterval == nil {
		return nil
	}
	list = append(list, rating.PartSign("interval", quietMachine+"; make three runs to see how much runs differ",
		d.BEffInterval.RelativeHalfWidth(d.BEff), maxInterval, "this run determines b_eff only to ± %s"))
	var worst rating.Sign
	slow, counted := 0.0, 0.0
	for i, g := range grids {
		each := lists.Where(g.Derived.PerRepetition, func(x float64) bool { return x > 0 })
		if len(each) < 2 {
			continue
		}
		slow, counted = slow+g.outliers(), counted+1
		in := ""
		if len(grids) > 1 {
			in = fmt.Sprintf(", in pass %d", i+1)
		}
		spread := rating.PartSign("spread", quietMachine, lossOfSecond(each), maxSpread,
			fmt.Sprintf("its single repetitions give %.0f to %.0f MB/s, the second best ", slices.Min(each)/1e6,
				slices.Max(each)/1e6)+"%s below the best"+in)
		if worst.Name == "" || spread.Value > worst.Value {
			worst = spread
		}
	}
	if counted > 0 {
		list = append(list, worst, rating.PartSign("outliers", quietMachine, slow/counted, maxOutliers,
			"%s of the samples, by weight, took twice as long as others of their length"))
	}
	return list
}

// newWeights returns the weight of each length in b_eff: its part of a pattern's sum over the lengths, averaged over
// the rings and over the randoms.
func (g *Grid) newWeights() []float64 {
	list := make([]float64, len(g.Lengths))
	for _, kind := range [][]int{g.OfKind(patterns.KindRing), g.OfKind(patterns.KindRandom)} {
		for _, p := range kind {
			sum := 0.0
			for l := range g.Lengths {
				sum += g.Best(p, l)
			}
			for l := range g.Lengths {
				list[l] += g.Best(p, l) / sum / float64(2*len(kind))
			}
		}
	}
	return list
}

// lossOfSecond returns by which part the second best figure is below the best one. b_eff would lose this part without
// its best repetition. A disturbance of one repetition in three doesn't change it.
func lossOfSecond(figures []float64) float64 {
	sorted := slices.Sorted(slices.Values(figures))
	return 1 - sorted[len(sorted)-2]/sorted[len(sorted)-1]
}

// outliers returns the part of the samples of rings and randoms, weighted by length, that took more than twice as long
// as they should. The slowness of a sample is its time over the time of the best repetition of the same measurement. A
// sample should have the median slowness of all samples of its length and repetition. So if the machine is slow while a
// whole length is measured, these samples aren't outliers.
func (g *Grid) outliers() float64 {
	part, counted := 0.0, append(g.OfKind(patterns.KindRing), g.OfKind(patterns.KindRandom)...)
	times := make([]float64, 0, len(counted)*len(g.Methods))
	for l, weight := range g.weights() {
		slow, all := 0, 0
		for r := range g.Repetitions {
			times = times[:0]
			for _, p := range counted {
				for m := range g.Methods {
					if b := g.Each(p, l, m)[r]; !math.IsNaN(b) {
						times = append(times, g.BestOf(p, l, m)/b)
					}
				}
			}
			if all += len(times); len(times) == 0 {
				continue
			}
			limit := twice * stats.Middle(times)
			for _, t := range times {
				if t > limit {
					slow++
				}
			}
		}
		part += weight * float64(slow) / float64(all)
	}
	return part
}
