package stats

import (
	"cmp"
	"math"
	"slices"
)

// Rule decides which vertices and edges of a table are outliers.
type Rule struct {
	// Level is the maximum probability that a table without anything slow has a finding.
	Level float64
	// MinExcess is the least excess of a finding; less is not worth a look.
	MinExcess float64
}

// Outlier is a vertex or an edge whose values are larger than the other vertices and edges explain.
type Outlier struct {
	Index     int     // number of the vertex or the edge
	Excess    float64 // relative to the median vertex, or to the fit of the edge's ends
	MinExcess float64 // smallest excess of all passes, which is above the limit
	Limit     float64
}

// TableOutliers holds the outliers of a table, the largest excess first.
//
// Vertices and edges are judged by the pass in which they were least slow. A slow one is slow in each pass, but a
// disturbance affects only one.
type TableOutliers struct {
	Fit   TwoWay
	From  []Outlier // vertices
	To    []Outlier // the ends V of a directed table
	Edges []Outlier
	// Limits of the vertices and of the edges; infinite if there are too few to judge.
	FromLimit, ToLimit, EdgeLimit float64
}

// Pairs returns the outliers of a table of pairs of n vertices.
func (r Rule) Pairs(n int, edges []Edge) TableOutliers { return r.find(n, edges, false) }

// Directed returns the outliers of a table of directed edges between n vertices.
func (r Rule) Directed(n int, edges []Edge) TableOutliers { return r.find(n, edges, true) }

// search returns the outliers that stand out from all others, with the limits of the whole table.
func (r Rule) search(n int, edges []Edge, directed bool) (o TableOutliers) {
	families, fit := 2, fitPairs
	if directed {
		families, fit = 3, fitDirected
	}
	o.Fit = fit(n, edges)
	s := newSearch(r, families, edges, &o.Fit)
	o.From, o.FromLimit = s.vertices(o.Fit.From, incident(n, edges, true, !directed))
	if directed {
		o.To, o.ToLimit = s.vertices(o.Fit.To, incident(n, edges, false, true))
	}
	o.Edges, o.EdgeLimit = s.edges()
	return o
}

// search looks for outliers of one fit. The level is shared evenly between its families of tests.
type search struct {
	Rule
	fit    *TwoWay
	excess [][]float64 // of each pass and edge, relative to the fit
}

func newSearch(r Rule, families int, edges []Edge, fit *TwoWay) *search {
	r.Level /= float64(families)
	s := &search{Rule: r, fit: fit}
	if len(edges) == 0 {
		return s
	}
	for pass := range edges[0].Values {
		list := make([]float64, len(edges))
		for i, e := range edges {
			list[i] = e.Values[pass] - fit.Level - fit.From[e.U] - fit.To[e.V]
		}
		whole := Middle(list) // a pass in which everything was slower
		for i := range list {
			list[i] -= whole
		}
		s.excess = append(s.excess, list)
	}
	return s
}

// edges returns the edges that are outliers, and their limit.
func (s *search) edges() ([]Outlier, float64) {
	return s.beyond(s.fit.Residuals, s.fit.Free, func(edge, pass int) float64 { return s.excess[pass][edge] }, nil)
}

// beyond returns the outliers in a list of excesses, and their limit. inPass returns the excess of an item in a pass.
// Items for which skip is true are left out.
func (s *search) beyond(excesses []float64, free int, inPass func(i, pass int) float64, skip func(i int) bool) (
	list []Outlier, limit float64) {
	var index []int
	var least, largest, swings []float64
	for i := range excesses {
		if skip != nil && skip(i) {
			continue
		}
		list := make([]float64, len(s.excess))
		for pass := range list {
			list[pass] = inPass(i, pass)
		}
		slices.Sort(list)
		index, least, largest = append(index, i), append(least, list[0]), append(largest, list[len(list)-1])
		for _, x := range list {
			swings = append(swings, x-Quantile(list, 0.5))
		}
	}
	tests := float64(len(least))
	limit = math.Max(Limit(least, free, s.Level, tests), s.coincidence(swings, tests))
	limit = math.Max(math.Min(limit, s.byFar(least, largest)), s.MinExcess)
	for k, i := range index {
		if least[k] > limit {
			list = append(list, Outlier{Index: i, Excess: excesses[i], MinExcess: least[k], Limit: limit})
		}
	}
	slices.SortStableFunc(list, func(a, b Outlier) int { return cmp.Compare(b.Excess, a.Excess) })
	return list, limit
}

// At most one of fewOf items may be slow by far. byFar is the logarithm of the least factor of such an item.
const (
	fewOf = 8
	byFar = math.Ln2
)

// byFar returns the excess above which a few items are outliers however widely the others scatter: each of them is
// slower in every pass than all others in any pass, by at least a factor of two. The excess is infinite if chance would
// select the same few in all passes with more than the level's probability. If there are no such items, it is the
// excess that one would need.
func (s *search) byFar(least, largest []float64) float64 {
	passes, order := float64(len(s.excess)), inOrder(least)
	slices.Reverse(order)
	others := make([]float64, len(order)+1) // largest excess of the items after each place in the order
	others[len(order)] = math.Inf(-1)
	for i := len(order) - 1; i >= 0; i-- {
		others[i] = math.Max(others[i+1], largest[order[i]])
	}
	chances := 1.0 // number of ways to choose so few
	limit := math.Inf(1)
	for few := 1; few <= max(1, len(order)/fewOf) && few < len(order); few++ {
		chances *= float64(len(order)-few+1) / float64(few)
		if math.Pow(chances, 1-passes) > s.Level {
			continue
		}
		if least[order[few-1]] > others[few]+byFar {
			return others[few] + byFar
		}
		limit = others[0] + byFar
	}
	return limit
}

// coincidence returns the excess that an item reaches with less than the level's probability because each of its passes
// is disturbed. swings holds the distances of all passes from the medians of their items.
func (s *search) coincidence(swings []float64, tests float64) float64 {
	slices.Sort(swings)
	return Quantile(swings, 1-math.Pow(s.Level/tests, 1/float64(len(s.excess))))
}

// incident returns the indices of each vertex's edges: edges with this end U, V or either.
func incident(n int, edges []Edge, u, v bool) [][]int32 {
	at := make([][]int32, n)
	for i, e := range edges {
		if u {
			at[e.U] = append(at[e.U], int32(i))
		}
		if v {
			at[e.V] = append(at[e.V], int32(i))
		}
	}
	return at
}

// vertices returns the vertices whose effects are outliers, and their limit. at holds the edges of each vertex.
func (s *search) vertices(effects []float64, at [][]int32) ([]Outlier, float64) {
	if s.fit.Sparse {
		return nil, math.Inf(1)
	}
	isolated := func(v int) bool { return len(at[v]) == 0 }
	used := 0
	for v := range effects {
		if !isolated(v) {
			used++
		}
	}
	return s.beyond(effects, used-1, func(v, pass int) float64 {
		mine := make([]float64, len(at[v]))
		for i, edge := range at[v] {
			mine[i] = s.excess[pass][edge]
		}
		return effects[v] + Middle(mine)
	}, isolated)
}
