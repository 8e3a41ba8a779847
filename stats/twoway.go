package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Edge is a value between two vertices of a table: a time from U to V, or there and back. Values holds it for each
// pass, the same number for all edges. A fit takes the median of Values.
type Edge struct {
	U, V   int
	Values []float64
}

// TwoWay is a robust fit of a table's values. Each value is Level plus the effects of both ends plus a residual.
//
// In a table of pairs both ends have their effects in From, and To is the same list. In a directed table the ends U
// have theirs in From, and the ends V in To. The median of each list is 0. A vertex without edges has the effect 0.
type TwoWay struct {
	Level     float64
	From, To  []float64
	Residuals []float64 // of the edges, in the same order
	Scale     float64   // standard deviation of the residuals, if they are normally distributed
	Free      int       // number of edges less the number of parameters
	// Sparse is true if there are fewer than 2 edges for each effect. Then only the level is fitted.
	Sparse bool
}

// Constants of the fit.
const (
	polishes   = 12     // sweeps of medians; after these, hardly anything moves
	refinings  = 20     // sweeps of weighted means
	biweight   = 4.685  // standard deviations at which a weight is 0: 95 % efficient for normal noise (Tukey)
	madToSigma = 1.4826 // standard deviations in a median absolute deviation, for normal noise
)

// fitPairs fits a table of pairs of n vertices.
func fitPairs(n int, edges []Edge) TwoWay { return fit(n, n, 0, edges) }

// fitDirected fits a table of directed edges between n vertices.
func fitDirected(n int, edges []Edge) TwoWay { return fit(n, 2*n, n, edges) }

// fit begins with medians, which are right if up to nearly half of the values are wrong. It refines them by weighted
// means, which use the data better. The effect of an edge's end V has the index V+shift in a list of all effects.
func fit(n, all, shift int, edges []Edge) TwoWay {
	f := fitting{effects: make([]float64, all), rest: make([]float64, len(edges))}
	if shift == 0 {
		f.at = incident(n, edges, true, true)
	} else {
		f.at = slices.Concat(incident(n, edges, true, false), incident(n, edges, false, true))
	}
	for i, e := range edges {
		f.rest[i] = Middle(e.Values)
	}
	f.level = Middle(f.rest)
	for i := range f.rest {
		f.rest[i] -= f.level
	}
	sparse, parameters := len(edges) < 2*all, all-min(shift, 1)
	if sparse {
		f.at, parameters = make([][]int32, all), min(1, len(edges))
	}
	for range polishes {
		f.sweep(f.median)
	}
	free := len(edges) - parameters
	if f.scale = restScale(f.rest, parameters); f.scale > 0 {
		for range refinings {
			f.sweep(f.weighted)
		}
	}
	t := TwoWay{Residuals: f.rest, Free: free, Sparse: sparse, From: f.effects[:n], To: f.effects[shift : shift+n]}
	moved := centre(t.From, f.at[:n])
	if shift == 0 {
		t.Level = f.level + 2*moved // both ends of an edge
	} else {
		t.Level = f.level + moved + centre(t.To, f.at[n:])
	}
	t.Scale = deviation(t.Residuals) * madToSigma
	if free > 0 {
		t.Scale *= math.Sqrt(float64(len(edges)) / float64(free))
	}
	return t
}

// fitting is a fit under way.
type fitting struct {
	level   float64
	effects []float64
	at      [][]int32 // edges of each vertex
	rest    []float64 // value of each edge minus the fit so far
	scale   float64
	scratch []float64
}

// sweep moves the effect of each vertex by the value of move for its edges.
func (f *fitting) sweep(move func(edges []int32) float64) {
	for v, edges := range f.at {
		if len(edges) == 0 {
			continue
		}
		by := move(edges)
		f.effects[v] += by
		for _, i := range edges {
			f.rest[i] -= by
		}
	}
}

func (f *fitting) median(edges []int32) float64 {
	f.scratch = f.scratch[:0]
	for _, i := range edges {
		f.scratch = append(f.scratch, f.rest[i])
	}
	slices.Sort(f.scratch)
	return Quantile(f.scratch, 0.5)
}

// weighted returns the mean of the edges' rests with Tukey's weights, which are 0 for outliers.
func (f *fitting) weighted(edges []int32) float64 {
	sum, weights := 0.0, 0.0
	for _, i := range edges {
		x := f.rest[i] / (biweight * f.scale)
		if x = 1 - x*x; x > 0 {
			sum += x * x * f.rest[i]
			weights += x * x
		}
	}
	if weights == 0 {
		return 0
	}
	return sum / weights
}

// restScale returns the standard deviation of the residuals of a fit by medians. As many residuals as the fit has
// parameters are 0, and don't count.
func restScale(rest []float64, parameters int) float64 {
	sizes := make([]float64, len(rest))
	for i, x := range rest {
		sizes[i] = math.Abs(x)
	}
	slices.Sort(sizes)
	sizes = sizes[min(parameters, len(sizes)):]
	if len(sizes) == 0 {
		return 0
	}
	return Quantile(sizes, 0.5) * madToSigma
}

// centre subtracts the median of the effects of vertices with edges, and returns it.
func centre(effects []float64, at [][]int32) float64 {
	var used []float64
	for v, x := range effects {
		if len(at[v]) > 0 {
			used = append(used, x)
		}
	}
	if len(used) == 0 {
		return 0
	}
	m := Middle(used)
	for v := range effects {
		if len(at[v]) > 0 {
			effects[v] -= m
		}
	}
	return m
}

// Middle returns the median of values, or NaN if there are none.
func Middle(values []float64) float64 { return Quantile(Sorted(values), 0.5) }

// deviation returns the median of the distances from the median.
func deviation(list []float64) float64 {
	m := Middle(list)
	sizes := make([]float64, len(list))
	for i, x := range list {
		sizes[i] = math.Abs(x - m)
	}
	return Middle(sizes)
}

// Limit returns the value above which an item of a list stands out: the spread of the list explains it with a
// probability of less than level, corrected for the number of tests. free is the degrees of freedom of the list.
//
// It is the larger of two limits. The first assumes a normal distribution with a spread from the median absolute
// deviation. This has 0.37 of the information of a standard deviation, so Student's t has 0.37 of the degrees of
// freedom. The second needs a long list, and continues its upper tail as an exponential. If the list holds logarithms
// of times, the times may then be spread as widely as a power law.
func Limit(list []float64, free int, level, tests float64) float64 {
	sorted := Sorted(list)
	n := float64(len(sorted))
	if free < 1 || n < 2 {
		return math.Inf(1)
	}
	const information = 0.37
	spread := deviation(sorted) * madToSigma * math.Sqrt(n/float64(free))
	limit := Quantile(sorted, 0.5) + spread*Student(1-level/tests, information*float64(free))
	if free >= minTail {
		limit = math.Max(limit, tail(sorted, level/tests))
	}
	return limit
}

// Student returns the quantile p of Student's t. The degrees of freedom need not be whole. With very many it returns
// the normal quantile, which then differs by less than 0.1 %, because gonum's quantile of Student's t is wrong far out
// in the tail (gonum 0.17: 57 instead of 5.4 for 3.8e-8 with 48,000 degrees).
func Student(p, freedom float64) float64 {
	if freedom > many {
		return distuv.UnitNormal.Quantile(p)
	}
	return distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(p)
}

// many is the number of degrees of freedom above which the normal distribution replaces Student's t.
const many = 10_000

// Survival returns the probability that a value of Student's t is above t.
func Survival(t, freedom float64) float64 {
	if freedom > many {
		return distuv.UnitNormal.Survival(t)
	}
	return distuv.StudentsT{Sigma: 1, Nu: freedom}.Survival(t)
}

// minTail is the smallest number of degrees of freedom of a list whose tail is continued.
const minTail = 20

// tail returns the value that an item exceeds with a probability. It continues the list's upper tail as an exponential,
// with the rate between two quantiles, above the second of which there are a quarter as many items.
func tail(sorted []float64, probability float64) float64 {
	const ratio = 4
	above := math.Max(0.02, 3/float64(len(sorted)))
	low, high := Quantile(sorted, math.Max(0, 1-ratio*above)), Quantile(sorted, 1-above)
	return high + (high-low)/math.Log(ratio)*math.Log(above/probability)
}
