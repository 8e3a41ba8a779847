package ofbeff

import (
	"math"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
)

// Grid holds bandwidths in bytes per second, accumulated over the processes; NaN where nothing was measured.
type Grid struct {
	*beff.Result
	b []float64 // [pattern][length][method][repetition]
}

// New wants a result that beff's Result.Check has passed.
func New(r *beff.Result) *Grid {
	g := &Grid{r, make([]float64, len(r.Patterns)*len(r.Lengths)*len(r.Methods)*r.Repetitions)}
	for i := range g.b {
		g.b[i] = math.NaN()
	}
	for _, s := range r.Samples {
		bytes := float64(r.Lengths[s.Length]) * float64(r.Patterns[s.Pattern].Messages)
		g.b[g.index(s.Pattern, s.Length, s.Method)+s.Repetition] = bytes * float64(s.Loops) / s.Seconds
	}
	return g
}

func (g *Grid) index(p, l, m int) int {
	return ((p*len(g.Lengths)+l)*len(g.Methods) + m) * g.Repetitions
}

// Best is the best method's best repetition.
func (g *Grid) Best(p, l int) float64 {
	return largest(g.b[g.index(p, l, 0):g.index(p, l, len(g.Methods))])
}

// OfMethod is a method's best repetition, or Best where the method was left out.
func (g *Grid) OfMethod(p, l, m int) float64 {
	if b := largest(g.b[g.index(p, l, m):g.index(p, l, m+1)]); !math.IsNaN(b) {
		return b
	}
	return g.Best(p, l)
}

// InRepetition is the best method of a repetition; of the first one where release 3.6 leaves this one out, at the
// longest message.
func (g *Grid) InRepetition(p, l, repetition int) float64 {
	best := math.NaN()
	for m := range g.Methods {
		if b := g.b[g.index(p, l, m)+repetition]; math.IsNaN(best) || b > best {
			best = b
		}
	}
	if math.IsNaN(best) && repetition > 0 && g.Rules == beff.Rules36 && l == len(g.Lengths)-1 {
		return g.InRepetition(p, l, 0)
	}
	return best
}

// OfMethodInRepetition is one measurement, or InRepetition where the method was left out.
func (g *Grid) OfMethodInRepetition(p, l, m, repetition int) float64 {
	if b := g.b[g.index(p, l, m)+repetition]; !math.IsNaN(b) {
		return b
	}
	return g.InRepetition(p, l, repetition)
}

// Indices of the patterns of a kind.
func (g *Grid) Indices(kind patterns.Kind) []int {
	var list []int
	for i, p := range g.Patterns {
		if p.Kind == kind {
			list = append(list, i)
		}
	}
	return list
}

// LogAverage is the geometric mean of f over the patterns of a kind; NaN if there are none.
func (g *Grid) LogAverage(kind patterns.Kind, f func(p int) float64) float64 {
	sum, list := 0.0, g.Indices(kind)
	for _, p := range list {
		sum += math.Log(f(p))
	}
	return math.Exp(sum / float64(len(list)))
}

// Both is the geometric mean of the rings' and the randoms' LogAverage.
func (g *Grid) Both(f func(p int) float64) float64 {
	return math.Sqrt(g.LogAverage(patterns.KindRing, f) * g.LogAverage(patterns.KindRandom, f))
}

// Mean is the arithmetic mean of f(from) … f(to-1).
func Mean(from, to int, f func(int) float64) float64 {
	sum := 0.0
	for i := from; i < to; i++ {
		sum += f(i)
	}
	return sum / float64(to-from)
}

// largest of the numbers; NaN if there is none.
func largest(list []float64) float64 {
	best := math.NaN()
	for _, b := range list {
		if math.IsNaN(best) || b > best {
			best = b
		}
	}
	return best
}
