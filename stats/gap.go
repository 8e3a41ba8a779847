package stats

import (
	"cmp"
	"math"
	"slices"
)

// A slow cable of a network makes many pairs slow, and a slow switch or rack makes all of its nodes slow. So many slow
// values become a part of the table's tail, and raise its limit above themselves. But a gap separates them from the
// other values. Therefore the values beyond the largest gap are set aside, and judged by the other values.

// The largest parts of all edges, and of all vertices of a side, that may be beyond a gap.
const (
	maxSlowEdges    = 0.15
	maxSlowVertices = 0.4
)

// find returns the outliers of a table with n vertices, or n on each side if its edges are directed. Values beyond a
// gap are judged by the fit and the limits of all other values. The searches with and without them share the level.
func (r Rule) find(n int, edges []Edge, directed bool) TableOutliers {
	r.Level /= 2
	o := r.search(n, edges, directed)
	from, to := r.beyondGap(o.Fit.From, maxSlowVertices), r.beyondGap(o.Fit.To, maxSlowVertices)
	edge := r.beyondGap(o.Fit.Residuals, maxSlowEdges)
	out := func(i int) bool { return edge(i) || from(edges[i].U) || to(edges[i].V) }
	var clean []Edge
	for i, e := range edges {
		if !out(i) {
			clean = append(clean, e)
		}
	}
	if len(clean) == len(edges) || len(clean) < 2 {
		return o
	}
	s := setAside{edges: edges, out: out, o: r.search(n, clean, directed)}
	s.judge(directed, from, to)
	if len(s.o.From)+len(s.o.To) < len(o.From)+len(o.To) { // too few other values to judge by
		return o
	}
	return s.o
}

// beyondGap returns a function that reports whether an item of a list is beyond the largest gap in the list's upper
// part. No item is if no gap is larger than both the list's spread and MinExcess.
func (r Rule) beyondGap(list []float64, part float64) func(i int) bool {
	sorted := Sorted(list)
	first := max(1, len(sorted)-int(part*float64(len(sorted))))
	widest, at := math.Max(r.MinExcess, deviation(sorted)), math.Inf(1)
	for i := first; i < len(sorted); i++ {
		if d := sorted[i] - sorted[i-1]; d > widest {
			widest, at = d, sorted[i]
		}
	}
	return func(i int) bool { return list[i] >= at }
}

// setAside judges the edges and vertices that were set aside.
type setAside struct {
	edges []Edge
	out   func(edge int) bool
	o     TableOutliers // outliers of the other edges at first, then of all
}

// judge adds the slow vertices beyond the gaps, which from and to report, and then the slow edges that were set aside.
// It stores the residuals of all edges.
func (s *setAside) judge(directed bool, from, to func(v int) bool) {
	fit := &s.o.Fit
	whole := s.passLevels()
	number := make([]int, 0, len(s.edges)) // index of each other edge among all edges
	residuals := make([]float64, len(s.edges))
	for i := range s.edges {
		if !s.out(i) {
			number = append(number, i)
		}
	}
	for i := range s.o.Edges {
		s.o.Edges[i].Index = number[s.o.Edges[i].Index]
	}
	excess := func(i, pass int) float64 {
		e := s.edges[i]
		return e.Values[pass] - fit.Level - fit.From[e.U] - fit.To[e.V] - whole[pass]
	}
	if directed {
		s.vertices(&s.o.From, fit.From, s.o.FromLimit, excess,
			func(e Edge) (int, bool) { return e.U, from(e.U) && !to(e.V) })
		s.vertices(&s.o.To, fit.To, s.o.ToLimit, excess, func(e Edge) (int, bool) { return e.V, to(e.V) })
	} else {
		s.vertices(&s.o.From, fit.From, s.o.FromLimit, excess, func(e Edge) (int, bool) {
			if from(e.U) {
				return e.U, !from(e.V)
			}
			return e.V, from(e.V)
		})
	}
	for i := range s.edges {
		each := make([]float64, len(whole))
		for pass := range each {
			each[pass] = excess(i, pass)
		}
		residuals[i] = Middle(each)
		if least := slices.Min(each); s.out(i) && least > s.o.EdgeLimit {
			s.o.Edges = append(s.o.Edges, Outlier{Index: i, Excess: residuals[i], MinExcess: least,
				Limit: s.o.EdgeLimit})
		}
	}
	slices.SortStableFunc(s.o.Edges, func(a, b Outlier) int { return cmp.Compare(b.Excess, a.Excess) })
	fit.Residuals = residuals
}

// passLevels returns for each pass by how much the edges that weren't set aside were slower than the fit.
func (s *setAside) passLevels() []float64 {
	list := make([]float64, len(s.edges[0].Values))
	for pass := range list {
		var all []float64
		for i, e := range s.edges {
			if !s.out(i) {
				all = append(all, e.Values[pass]-s.o.Fit.Level-s.o.Fit.From[e.U]-s.o.Fit.To[e.V])
			}
		}
		list[pass] = Middle(all)
	}
	return list
}

// vertices judges slow vertices by the medians of their edges in each pass, and sets their effects. slow returns the
// vertex for which an edge counts, if it counts for one.
func (s *setAside) vertices(list *[]Outlier, effects []float64, limit float64, excess func(edge, pass int) float64,
	slow func(e Edge) (v int, counts bool)) {
	counted := map[int][]int{}
	for i, e := range s.edges {
		if v, counts := slow(e); counts {
			counted[v] = append(counted[v], i)
		}
	}
	for v := range effects {
		if len(counted[v]) == 0 {
			continue
		}
		each := make([]float64, len(s.edges[0].Values))
		for pass := range each {
			values := make([]float64, len(counted[v]))
			for k, i := range counted[v] {
				values[k] = excess(i, pass)
			}
			each[pass] = Middle(values)
		}
		effects[v] += Middle(each)
		if least := slices.Min(each); least > limit {
			*list = append(*list, Outlier{Index: v, Excess: effects[v], MinExcess: least, Limit: limit})
		}
	}
	slices.SortStableFunc(*list, func(a, b Outlier) int { return cmp.Compare(b.Excess, a.Excess) })
}
