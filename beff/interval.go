package beff

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// A block of time is a length in a repetition: all patterns and methods of it are measured in one go, in half a second
// of a full run. The interval of b_eff within the run is that of the logarithm, by leaving out one block after the
// other: each length loses each of its repetitions in turn.
//
// That takes blocks for independent. Where the state of the machine lasts longer, neighbouring lengths of a repetition
// differ alike from those of the other repetitions, and the interval is made of whole repetitions.

// alike is the probability below which blocks that differ alike are no chance, of all passes of a run together.
const alike = 0.1

// widened is half of the interval by whole repetitions over the standard deviation of their resampled b_eff. It is
// large enough for drifts, whose true value is that of the middle repetition.
const widened = 2.6

// Within returns the interval of b_eff within the run; nil if there is no b_eff, or a length with one repetition alone,
// and of rounds.
func (g *Grid) Within(bEff float64) *rating.Interval {
	if !(bEff > 0) || !g.repeated() {
		return nil
	}
	return g.interval(bEff, g.without(), g.weights(), g.ratingOf)
}

// repeated reports whether each length has two repetitions or more; rounds are none. Until then nothing is known of
// what spreads: the short lengths that a run has measured again say nothing of the long ones, which bear b_eff.
func (g *Grid) repeated() bool {
	if g.ByRounds() {
		return false
	}
	for l := range g.Lengths {
		if !g.repeatedAt(l) {
			return false
		}
	}
	return true
}

func (g *Grid) repeatedAt(l int) bool {
	for p := range g.Patterns {
		for m := range g.Methods {
			n := 0
			for _, b := range g.Each(p, l, m) {
				if !math.IsNaN(b) {
					n++
				}
			}
			if n > 1 {
				return true
			}
		}
	}
	return false
}

// skewness returns the mean skewness of the bandwidths of rings and randoms over three repetitions, by the weights of
// their lengths: of a measurement (x3-2·x2+x1)/(x3-x1), from its worst to its best repetition. One that was disturbed
// has -1 at most, so that a few don't count. It is 0 for normal noise, and for another number of repetitions.
func (g *Grid) skewness() float64 {
	if g.Repetitions != 3 {
		return 0
	}
	sum, all := 0.0, 0.0
	weights, x := g.weights(), make([]float64, g.Repetitions)
	for _, kind := range []patterns.Kind{patterns.KindRing, patterns.KindRandom} {
		for _, p := range g.OfKind(kind) {
			for l, weight := range weights {
				for r := range x {
					x[r] = math.Log(g.InRepetition(p, l, r))
				}
				slices.Sort(x)
				if range3 := x[2] - x[0]; range3 > 0 {
					sum += weight * (x[2] - 2*x[1] + x[0]) / range3
					all += weight
				}
			}
		}
	}
	if all == 0 {
		return 0
	}
	return sum / all
}

// ratingOf returns the logarithm of b_eff by some of the repetitions. A measurement that these lack keeps all of its
// repetitions.
func (g *Grid) ratingOf(keep []bool) float64 {
	return math.Log(g.Both(func(p int) float64 {
		sum := 0.0
		for l := range g.Lengths {
			best := math.NaN()
			at := g.place(p, l, 0) * g.Repetitions
			for range g.Methods {
				for r, kept := range keep {
					if kept {
						best = larger(best, g.b[at+r])
					}
				}
				at += g.Repetitions
			}
			if math.IsNaN(best) {
				best = g.Best(p, l)
			}
			sum += best
		}
		return sum / float64(len(g.Lengths))
	}))
}

// changes returns the probability with which lengths that don't depend on each other differ between the repetitions as
// much alike as these.
func (g *Grid) changes() float64 {
	levels := g.levels()
	ranks := make([][]float64, 0, len(levels))
	for _, level := range levels {
		ranks = append(ranks, stats.Ranks(level))
	}
	const tests = 2
	return min(1, tests*min(stats.Friedman(ranks), stats.Neighbours(ranks)))
}

// newLevels returns the logarithm of the average over rings and randoms of each length in each repetition, by the best
// method of the repetition. Lengths with a missing repetition are left out.
func (g *Grid) newLevels() [][]float64 {
	var levels [][]float64
	for l := range g.Lengths {
		level, whole := make([]float64, g.Repetitions), true
		for r := range level {
			level[r] = math.Log(g.Both(func(p int) float64 { return g.InRepetition(p, l, r) }))
			whole = whole && !math.IsNaN(level[r])
		}
		if whole {
			levels = append(levels, level)
		}
	}
	return levels
}

// without returns the change of log b_eff for each length and each of its repetitions that is left out.
func (g *Grid) without() [][]float64 {
	kinds := [][]int{g.OfKind(patterns.KindRing), g.OfKind(patterns.KindRandom)}
	sums := make([]float64, len(g.Patterns)) // over the lengths
	for _, kind := range kinds {
		for _, p := range kind {
			for l := range g.Lengths {
				sums[p] += g.Best(p, l)
			}
		}
	}
	list := make([][]float64, len(g.Lengths))
	for l := range g.Lengths {
		for r := range g.Repetitions {
			change, measured := 0.0, false
			for _, kind := range kinds {
				weight := 1 / float64(len(kinds)*len(kind))
				for _, p := range kind {
					best, there := g.bestWithout(p, l, r)
					measured = measured || there
					change += weight * math.Log1p((best-g.Best(p, l))/sums[p])
				}
			}
			if measured {
				list[l] = append(list[l], change)
			}
		}
	}
	return list
}

// bestWithout returns Best without a repetition, and whether that has measured any method.
func (g *Grid) bestWithout(p, l, repetition int) (best float64, measured bool) {
	best = math.NaN()
	for m := range g.Methods {
		measured = measured || !math.IsNaN(g.Each(p, l, m)[repetition])
		best = larger(best, g.aloneWithout(p, l, m, repetition))
	}
	return best, measured
}

// aloneWithout returns Alone without a repetition. A measurement that no other repetition has keeps it.
func (g *Grid) aloneWithout(p, l, m, repetition int) float64 {
	each := g.Each(p, l, m)
	alone := largest(each[:repetition])
	if others := largest(each[repetition+1:]); !math.IsNaN(others) {
		alone = larger(alone, others)
	}
	if math.IsNaN(alone) {
		return g.Alone(p, l, m)
	}
	return alone
}
