package beff

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/lists"
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

// WithinOf returns the interval within the run of a figure that is made of the best repetitions: of some lengths,
// patterns or a method. It is nil where the figure isn't positive, a length has one repetition alone, of several passes
// and of rounds.
func (g *Grid) WithinOf(figure func(*Grid) float64) *rating.Interval {
	const little = 1e-4
	value := figure(g)
	change := func(other *Grid) float64 { return math.Log(figure(other) / value) }
	return g.within(value, func() []float64 {
		weights, other := make([]float64, len(g.Lengths)), g.copied()
		for l := range weights {
			other.scale(l, math.Exp(little))
			weights[l] = change(other) / little
			other.take(g, l)
		}
		return weights
	}, figure, change)
}

// within returns the interval of WithinOf of a figure with a value, by its weights of the lengths and the change of its
// logarithm with the best repetitions.
func (g *Grid) within(value float64, weights func() []float64, figure, change func(*Grid) float64) *rating.Interval {
	if !(value > 0) || g.Passes > 1 || !g.repeated() {
		return nil
	}
	without, other := make([][]float64, len(g.Lengths)), g.copied()
	for l := range without {
		for r := range g.Repetitions {
			if other.leave(l, r) {
				without[l] = append(without[l], change(other))
			}
			other.take(g, l)
		}
	}
	half, method := 0.0, rating.ByBlocks
	if variance, freedom := stats.Jackknife(without); freedom > 0 {
		half = stats.Student((1+rating.Confidence)/2, freedom) * math.Sqrt(variance*stats.OfLargest(g.skewness()))
	}
	if g.changes() < alike/float64(max(1, g.of)) {
		by := func(keep []bool) float64 { return math.Log(figure(g.only(keep))) }
		if whole := widened * math.Sqrt(stats.Resampled(g.Repetitions, by)); whole > half {
			half, method = whole, rating.ByRepetitions
		}
	}
	in := rating.Around(value, half, method)
	if below, above := g.byStates(weights()); max(below, above) > half {
		in.Low, in.High = value*math.Exp(-max(half, below)), value*math.Exp(max(half, above))
		in.Method = rating.ByStates
	}
	return in
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

// changes returns the probability with which lengths that don't depend on each other differ between the repetitions as
// much alike as these.
func (g *Grid) changes() float64 {
	levels := g.levels()
	ranks := lists.Each(levels, stats.Ranks)
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

// bestOfWithout returns BestOf without a repetition. A measurement that no other repetition has keeps it.
func (g *Grid) bestOfWithout(p, l, m, repetition int) float64 {
	each := g.Each(p, l, m)
	best := largest(each[:repetition])
	if others := largest(each[repetition+1:]); !math.IsNaN(others) {
		best = larger(best, others)
	}
	if math.IsNaN(best) {
		return g.BestOf(p, l, m)
	}
	return best
}

// copied returns a grid whose best bandwidths may be changed.
func (g *Grid) copied() *Grid {
	other := *g
	other.methods, other.best = slices.Clone(g.methods), slices.Clone(g.best)
	return &other
}

// leave takes a repetition of a length out of a copy, and reports whether that has measured anything.
func (g *Grid) leave(l, repetition int) (measured bool) {
	for p := range g.Patterns {
		best := math.NaN()
		for m := range g.Methods {
			measured = measured || !math.IsNaN(g.Each(p, l, m)[repetition])
			without := g.bestOfWithout(p, l, m, repetition)
			g.methods[g.place(p, l, m)] = without
			best = larger(best, without)
		}
		g.best[p*len(g.Lengths)+l] = best
	}
	return measured
}

// take gives a copy the best bandwidths of a length that another grid has.
func (g *Grid) take(from *Grid, l int) {
	for p := range g.Patterns {
		g.best[p*len(g.Lengths)+l] = from.best[p*len(g.Lengths)+l]
		at, n := g.place(p, l, 0), len(g.Methods)
		copy(g.methods[at:at+n], from.methods[at:at+n])
	}
}

// only returns the grid by some of the repetitions. A measurement that these lack keeps all of its repetitions.
func (g *Grid) only(keep []bool) *Grid {
	other := g.copied()
	largest := func(b []float64) float64 {
		best := math.NaN()
		for i, x := range b {
			if keep[i%len(keep)] {
				best = larger(best, x)
			}
		}
		return best
	}
	for i := range other.methods {
		if best := largest(g.each(i)); !math.IsNaN(best) {
			other.methods[i] = best
		}
	}
	for i := range other.best {
		n := len(g.Methods) * g.Repetitions
		if best := largest(g.b[i*n : (i+1)*n]); !math.IsNaN(best) {
			other.best[i] = best
		}
	}
	return other
}

// scale multiplies all bandwidths of a length of a copy by a factor.
func (g *Grid) scale(l int, factor float64) {
	for p := range g.Patterns {
		g.best[p*len(g.Lengths)+l] *= factor
		for m := range g.Methods {
			g.methods[g.place(p, l, m)] *= factor
		}
	}
}
