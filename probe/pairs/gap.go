package pairs

import (
	"cmp"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/stats"
)

// A slow cable of a network makes many pairs slow, and a slow switch all of its nodes: so many that they are part of a
// table's tail and raise its limit above themselves. But a gap separates them from all others. Therefore the values
// beyond the largest gap are set aside, and judged by the other values.

// The largest parts of all edges, and of all vertices of a side, that may be beyond a gap.
const (
	maxSlowEdges    = 0.15
	maxSlowVertices = 0.4
)

// outliers returns the outliers of a directed table of n vertices on each side. Those beyond a gap are judged by the
// fit and the limits of all others. Both searches share the level.
func outliers(n int, edges []stats.Edge, rule stats.Rule) stats.TableOutliers {
	rule.Level /= 2
	o := rule.Directed(n, edges)
	from, to := gap(o.Fit.From, maxSlowVertices), gap(o.Fit.To, maxSlowVertices)
	beyond := gap(o.Fit.Residuals, maxSlowEdges)
	out := func(i int) bool {
		return o.Fit.Residuals[i] >= beyond || o.Fit.From[edges[i].U] >= from || o.Fit.To[edges[i].V] >= to
	}
	var clean []stats.Edge
	for i, e := range edges {
		if !out(i) {
			clean = append(clean, e)
		}
	}
	if len(clean) == len(edges) || len(clean) < 2 {
		return o
	}
	s := setAside{n: n, edges: edges, out: out, o: rule.Directed(n, clean)}
	s.judge(o.Fit.From, o.Fit.To, from, to)
	return s.o
}

// gap returns the least value beyond the largest gap in the upper part of a list. It is infinite if no gap is larger
// than the list's spread and minExcess.
func gap(list []float64, part float64) float64 {
	sorted := stats.Sorted(list)
	first := max(1, len(sorted)-int(part*float64(len(sorted))))
	middle := stats.Middle(sorted)
	off := lists.Each(sorted, func(x float64) float64 { return math.Abs(x - middle) })
	widest, at := math.Max(math.Log1p(minExcess), stats.Middle(off)), math.Inf(1)
	for i := first; i < len(sorted); i++ {
		if d := sorted[i] - sorted[i-1]; d > widest {
			widest, at = d, sorted[i]
		}
	}
	return at
}

// setAside judges the edges and vertices that were set aside.
type setAside struct {
	n     int
	edges []stats.Edge
	out   func(edge int) bool
	o     stats.TableOutliers // of the others at first, then of all
}

// judge adds the vertices beyond the gaps and then the edges that were taken out, with the fit of all edges.
func (s *setAside) judge(wasFrom, wasTo []float64, from, to float64) {
	fit := &s.o.Fit
	whole := s.passLevels()
	number := make([]int, 0, len(s.edges)) // index of each of the others among all edges
	residuals := make([]float64, len(s.edges))
	for i := range s.edges {
		if !s.out(i) {
			number = append(number, i)
		}
	}
	for i := range s.o.Edges {
		s.o.Edges[i].Index = number[s.o.Edges[i].Index]
	}
	of := func(i, pass int) float64 {
		e := s.edges[i]
		return e.Values[pass] - fit.Level - fit.From[e.U] - fit.To[e.V] - whole[pass]
	}
	slow := func(v int, was []float64, bound float64) bool { return was[v] >= bound }
	s.vertices(&s.o.From, fit.From, s.o.FromLimit, func(v int) bool { return slow(v, wasFrom, from) }, of,
		func(e stats.Edge) (int, bool) { return e.U, slow(e.V, wasTo, to) })
	s.vertices(&s.o.To, fit.To, s.o.ToLimit, func(v int) bool { return slow(v, wasTo, to) }, of,
		func(e stats.Edge) (int, bool) { return e.V, false })
	for i := range s.edges {
		each := lists.Of(len(whole), func(pass int) float64 { return of(i, pass) })
		residuals[i] = stats.Middle(each)
		if least := slices.Min(each); s.out(i) && least > s.o.EdgeLimit {
			s.o.Edges = append(s.o.Edges, stats.Outlier{Index: i, Excess: residuals[i], MinExcess: least,
				Limit: s.o.EdgeLimit})
		}
	}
	slices.SortStableFunc(s.o.Edges, func(a, b stats.Outlier) int { return cmp.Compare(b.Excess, a.Excess) })
	fit.Residuals = residuals
}

// passLevels returns by how much all of the others were slower in each pass.
func (s *setAside) passLevels() []float64 {
	list := make([]float64, len(s.edges[0].Values))
	for pass := range list {
		var all []float64
		for i, e := range s.edges {
			if !s.out(i) {
				all = append(all, e.Values[pass]-s.o.Fit.Level-s.o.Fit.From[e.U]-s.o.Fit.To[e.V])
			}
		}
		list[pass] = stats.Middle(all)
	}
	return list
}

// vertices judges the slow vertices of a side by the medians of their edges in each pass, without the edges to slow
// vertices of the other side. It sets their effects.
func (s *setAside) vertices(list *[]stats.Outlier, effects []float64, limit float64, slow func(v int) bool,
	of func(edge, pass int) float64, end func(e stats.Edge) (v int, other bool)) {
	mine := map[int][]int{}
	for i, e := range s.edges {
		if v, other := end(e); slow(v) && !other {
			mine[v] = append(mine[v], i)
		}
	}
	for v := range effects {
		if len(mine[v]) == 0 {
			continue
		}
		each := make([]float64, len(s.edges[0].Values))
		for pass := range each {
			values := lists.Each(mine[v], func(i int) float64 { return of(i, pass) })
			each[pass] = stats.Middle(values)
		}
		effects[v] += stats.Middle(each)
		if least := slices.Min(each); least > limit {
			*list = append(*list, stats.Outlier{Index: v, Excess: effects[v], MinExcess: least, Limit: limit})
		}
	}
	slices.SortStableFunc(*list, func(a, b stats.Outlier) int { return cmp.Compare(b.Excess, a.Excess) })
}
