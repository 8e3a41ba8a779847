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
	weights := make([]float64, len(g.Lengths))
	const little = 1e-4
	for l := range weights {
		weights[l] = math.Log(figure(g.scaled(l, math.Exp(little)))/value) / little
	}
	return g.interval(figure, weights)
}

// interval returns the interval within the run of a figure with some weights of the lengths.
func (g *Grid) interval(figure func(*Grid) float64, weights []float64) *rating.Interval {
	value := figure(g)
	log := math.Log(value)
	half, method := 0.0, rating.ByBlocks
	if variance, freedom := stats.Jackknife(g.without(func(other *Grid) float64 {
		return math.Log(figure(other)) - log
	})); freedom > 0 {
		half = stats.Student((1+rating.Confidence)/2, freedom) * math.Sqrt(variance*stats.OfLargest(g.skewness()))
	}
	if g.changes() < alike/float64(max(1, g.of)) {
		by := func(keep []bool) float64 { return math.Log(figure(g.only(keep))) - log }
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

// without returns a figure of the grid without one repetition of a length, for each length and each of its repetitions
// that has measured anything.
func (g *Grid) without(figure func(*Grid) float64) [][]float64 {
	list, other := make([][]float64, len(g.Lengths)), g.copied()
	for l := range list {
		for r := range g.Repetitions {
			measured := false
			for p := range g.Patterns {
				best, there := g.bestWithout(p, l, r)
				other.best[p*len(g.Lengths)+l], measured = best, measured || there
				for m := range g.Methods {
					other.alone[g.place(p, l, m)] = g.aloneWithout(p, l, m, r)
				}
			}
			if measured {
				list[l] = append(list[l], figure(other))
			}
		}
		for p := range g.Patterns {
			other.best[p*len(g.Lengths)+l] = g.Best(p, l)
			at := g.place(p, l, 0)
			copy(other.alone[at:], g.alone[at:at+len(g.Methods)])
		}
	}
	return list
}

// only returns the grid by some of the repetitions. What these lack keeps all of its repetitions: a measurement, and the
// best method of a pattern.
func (g *Grid) only(keep []bool) *Grid {
	other, kept := g.copied(), make([]float64, len(g.alone))
	for i := range kept {
		each := g.each(i)
		kept[i] = maximum(len(each), func(r int) float64 {
			if !keep[r] {
				return math.NaN()
			}
			return each[r]
		})
	}
	replace := func(into []float64, each int) {
		for i := range into {
			if best := largest(kept[i*each : (i+1)*each]); !math.IsNaN(best) {
				into[i] = best
			}
		}
	}
	replace(other.alone, 1)
	replace(other.best, len(g.Methods))
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
