package beff

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// WithinOf returns the interval within the run of a figure that is made of the best repetitions, as b_eff is: of some
// lengths, patterns or a method. It is that of Within, with the same rules. It is nil where the figure isn't positive,
// a length has one repetition alone, and of several passes.
func (g *Grid) WithinOf(figure func(*Grid) float64) *rating.Interval {
	value := figure(g)
	if !(value > 0) || g.Passes > 1 || !g.repeated() {
		return nil
	}
	log := math.Log(value)
	of := func(other *Grid) float64 { return math.Log(figure(other)) - log }
	weights := make([]float64, len(g.Lengths))
	const little = 1e-4
	for l := range weights {
		weights[l] = of(g.scaled(l, math.Exp(little))) / little
	}
	without := make([][]float64, len(g.Lengths))
	for l := range without {
		for r := range g.Repetitions {
			if other, measured := g.leaving(l, r); measured {
				without[l] = append(without[l], of(other))
			}
		}
	}
	return g.interval(value, without, weights, func(keep []bool) float64 { return of(g.only(keep)) })
}

// interval returns the interval within the run of a value, by the changes of its logarithm for each length and each of
// its repetitions that is left out, its weights of the lengths, and its logarithm by some of the repetitions.
func (g *Grid) interval(value float64, without [][]float64, weights []float64,
	by func(keep []bool) float64) *rating.Interval {
	half, method := 0.0, rating.ByBlocks
	if variance, freedom := stats.Jackknife(without); freedom > 0 {
		half = stats.Student((1+rating.Confidence)/2, freedom) * math.Sqrt(variance*stats.OfLargest(g.skewness()))
	}
	if g.changes() < alike/float64(max(1, g.of)) {
		if whole := widened * math.Sqrt(stats.Resampled(g.Repetitions, by)); whole > half {
			half, method = whole, rating.ByRepetitions
		}
	}
	in := rating.Around(value, half, method)
	if below, above := g.byStates(weights); max(below, above) > half {
		in.Low, in.High = value*math.Exp(-max(half, below)), value*math.Exp(max(half, above))
		in.Method = rating.ByStates
	}
	return in
}

// copied returns a grid whose best bandwidths may be changed.
func (g *Grid) copied() *Grid {
	other := *g
	other.alone, other.best = slices.Clone(g.alone), slices.Clone(g.best)
	return &other
}

// leaving returns the grid without a repetition of a length, and whether that has measured anything.
func (g *Grid) leaving(l, repetition int) (other *Grid, measured bool) {
	other = g.copied()
	for p := range g.Patterns {
		best, there := g.bestWithout(p, l, repetition)
		measured = measured || there
		other.best[p*len(g.Lengths)+l] = best
		for m := range g.Methods {
			other.alone[g.place(p, l, m)] = g.aloneWithout(p, l, m, repetition)
		}
	}
	return other, measured
}

// only returns the grid by some of the repetitions. A measurement that these lack keeps all of its repetitions.
func (g *Grid) only(keep []bool) *Grid {
	other := g.copied()
	for i := range other.alone {
		each := g.each(i)
		best := maximum(len(each), func(r int) float64 {
			if !keep[r] {
				return math.NaN()
			}
			return each[r]
		})
		if !math.IsNaN(best) {
			other.alone[i] = best
		}
	}
	for i := range other.best {
		other.best[i] = maximum(len(g.Methods), func(m int) float64 { return other.alone[i*len(g.Methods)+m] })
	}
	return other
}

// scaled returns the grid with all bandwidths of a length multiplied by a factor.
func (g *Grid) scaled(l int, factor float64) *Grid {
	other := g.copied()
	for p := range g.Patterns {
		other.best[p*len(g.Lengths)+l] *= factor
		for m := range g.Methods {
			other.alone[g.place(p, l, m)] *= factor
		}
	}
	return other
}
