package beff

import (
	"math"
	"slices"
	"sync"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
)

// Grid holds the bandwidth of every measurement of a result and averages over them by b_eff's rule: the best repetition
// of the best method of each pattern and length, the mean over the lengths, the logarithmic averages over the patterns
// (paper, Sec. 3). Derive, plots and comparisons all use it.
//
// Patterns, lengths, methods and repetitions are numbered as in the result's lists. Bandwidths are in bytes per second,
// summed over the processes. A missing measurement is NaN, and so is an average over it.
type Grid struct {
	*Result
	Repetitions int // repetitions of all passes together

	b       []float64 // [pattern][length][method][repetition]
	methods []float64 // [pattern][length][method]: the best repetition, which all averages use many times
	best    []float64 // [pattern][length]: the value of Best

	// Values that several figures use are computed once. The lists belong to the grid and must not be changed.
	weights       func() []float64 // newWeights
	perRepetition func() []*Grid   // newPerRepetition
}

// NewGrid returns the grid of a result whose lists pass Result.Check. Samples with an index out of range are left out.
func NewGrid(r *Result) *Grid {
	if r.Passes > 1 {
		return joined(r, r.Runs())
	}
	measurements := len(r.Patterns) * len(r.Lengths) * len(r.Methods)
	g := &Grid{Result: r, Repetitions: r.Repetitions, b: make([]float64, measurements*r.Repetitions),
		methods: make([]float64, measurements)}
	g.remember()
	for i := range g.b {
		g.b[i] = math.NaN()
	}
	for _, s := range r.Samples {
		if g.holds(s) {
			g.each(g.place(s.Pattern, s.Length, s.Method))[s.Repetition] = r.Bandwidth(&s)
		}
	}
	for i := range g.methods {
		g.methods[i] = largest(g.each(i))
	}
	g.best = make([]float64, len(r.Patterns)*len(r.Lengths))
	for i := range g.best {
		g.best[i] = largest(g.methods[i*len(r.Methods) : (i+1)*len(r.Methods)])
	}
	return g
}

// remember makes weights and perRepetition compute their values only once.
func (g *Grid) remember() {
	g.weights, g.perRepetition = sync.OnceValue(g.newWeights), sync.OnceValue(g.newPerRepetition)
}

func (g *Grid) holds(s Sample) bool {
	in := func(i, n int) bool { return i >= 0 && i < n }
	return in(s.Pattern, len(g.Patterns)) && in(s.Length, len(g.Lengths)) && in(s.Method, len(g.Methods)) &&
		in(s.Repetition, g.Repetitions)
}

// Bandwidth returns the bandwidth of a sample in bytes per second: all bytes of the pattern's loops over the time of
// the slowest process. The result must pass Check.
func (r *Result) Bandwidth(s *Sample) float64 {
	return float64(r.Lengths[s.Length]) * float64(r.Patterns[s.Pattern].Messages) * float64(s.Loops) / s.Seconds
}

// place returns the index of a measurement.
func (g *Grid) place(p, l, m int) int { return (p*len(g.Lengths)+l)*len(g.Methods) + m }

func (g *Grid) each(place int) []float64 { return g.b[place*g.Repetitions : (place+1)*g.Repetitions] }

// Each returns the bandwidths of a measurement's repetitions. The slice belongs to the grid and must not be changed.
func (g *Grid) Each(p, l, m int) []float64 { return g.each(g.place(p, l, m)) }

// Measured reports whether a pattern was measured at any length.
func (g *Grid) Measured(p int) bool {
	for l := range g.Lengths {
		if !math.IsNaN(g.Best(p, l)) {
			return true
		}
	}
	return false
}

// BestOf returns a method's best repetition, or its geometric mean over the passes; NaN if the method was left out.
func (g *Grid) BestOf(p, l, m int) float64 { return g.methods[g.place(p, l, m)] }

// Best returns the best repetition of the best method, or its geometric mean over the passes.
func (g *Grid) Best(p, l int) float64 { return g.best[p*len(g.Lengths)+l] }

// OfMethod returns BestOf, or Best if the method was left out. Release 3.6 may leave out methods for the two longest
// messages, and all runs measure the ping-pong pair with one method.
func (g *Grid) OfMethod(p, l, m int) float64 {
	if b := g.BestOf(p, l, m); !math.IsNaN(b) {
		return b
	}
	return g.Best(p, l)
}

// InRepetition returns the bandwidth of the best method in one repetition. If release 3.6 left out a repetition of the
// longest message, it returns the first repetition's.
func (g *Grid) InRepetition(p, l, repetition int) float64 {
	b, at := math.NaN(), g.place(p, l, 0)*g.Repetitions+repetition
	for range g.Methods {
		b = larger(b, g.b[at])
		at += g.Repetitions
	}
	if inPass := repetition % g.Result.Repetitions; math.IsNaN(b) && inPass > 0 && g.Rules == Rules36 &&
		l == len(g.Lengths)-1 {
		return g.InRepetition(p, l, repetition-inPass)
	}
	return b
}

// Both returns the logarithmic average of f over the rings and over the randoms, and then over these two, so that both
// kinds count alike.
func (g *Grid) Both(f func(p int) float64) float64 {
	return math.Sqrt(g.LogAverage(patterns.KindRing, f) * g.LogAverage(patterns.KindRandom, f))
}

// average returns the mean of a pattern's best bandwidths over the lengths, the term of b_eff.
func (g *Grid) average(p int) float64 {
	return Mean(0, len(g.Lengths), func(l int) float64 { return g.Best(p, l) })
}

// LogAverage returns the geometric mean of f over the measured patterns of a kind, or NaN if there are none.
func (g *Grid) LogAverage(kind patterns.Kind, f func(p int) float64) float64 {
	return geometric(g.OfKind(kind), f)
}

// WithNumber returns the patterns in a list for which f isn't NaN. It is NaN for details that a further pass left out.
func WithNumber(list []int, f func(p int) float64) []int {
	return slices.DeleteFunc(slices.Clone(list), func(p int) bool { return math.IsNaN(f(p)) })
}

// OfKind returns the patterns of a kind that have measurements.
func (g *Grid) OfKind(kind patterns.Kind) []int {
	return lists.Where(g.Result.OfKind(kind), g.Measured)
}

// OfKind returns the patterns of a kind.
func (r *Result) OfKind(kind patterns.Kind) []int {
	return lists.Where(lists.Numbers(len(r.Patterns)), func(p int) bool { return r.Patterns[p].Kind == kind })
}

// Mean returns the arithmetic mean of f(from) … f(to-1).
func Mean(from, to int, f func(int) float64) float64 {
	sum := 0.0
	for i := from; i < to; i++ {
		sum += f(i)
	}
	return sum / float64(to-from)
}

// largest returns the largest number of a list, or NaN if none is a number.
func largest(list []float64) float64 {
	best := math.NaN()
	for _, x := range list {
		best = larger(best, x)
	}
	return best
}

// larger returns the larger of two numbers. Either may be NaN.
func larger(a, b float64) float64 {
	if math.IsNaN(a) || b > a {
		return b
	}
	return a
}
