package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Rule says when a vertex or an edge of a table stands out.
type Rule struct {
	// Level is the probability with which a table without anything slow has a finding, at most.
	Level float64
	// Least is the least excess of a finding: less is not worth a look.
	Least float64
}

// Standout is a vertex or an edge whose values are larger than those of the others explain.
type Standout struct {
	Index  int     // of the vertex or the edge
	Excess float64 // over the median vertex, or over the fit of the edge's ends
	Limit  float64 // that the excess is above
	Passes []float64
}

// Standouts are all that stands out of a table, the largest excess first.
type Standouts struct {
	Fit   TwoWay
	From  []Standout // vertices
	To    []Standout // vertices as the ends V of a directed table
	Edges []Standout
	// Limits of the vertices without regard to their number of edges, and of the edges.
	FromLimit, ToLimit, EdgeLimit float64
}

// Pairs returns what stands out of a table of pairs of n vertices.
func (r Rule) Pairs(n int, edges []Edge) Standouts {
	const families = 2
	o := Standouts{Fit: FitPairs(n, edges)}
	s := newSearch(r, families, edges, &o.Fit)
	o.From, o.FromLimit = s.vertices(o.Fit.From, incident(n, edges, true, true))
	o.Edges, o.EdgeLimit = s.edges()
	return o
}

// Directed returns what stands out of a table of directed edges between n vertices.
func (r Rule) Directed(n int, edges []Edge) Standouts {
	const families = 3
	o := Standouts{Fit: FitDirected(n, edges)}
	s := newSearch(r, families, edges, &o.Fit)
	o.From, o.FromLimit = s.vertices(o.Fit.From, incident(n, edges, true, false))
	o.To, o.ToLimit = s.vertices(o.Fit.To, incident(n, edges, false, true))
	o.Edges, o.EdgeLimit = s.edges()
	return o
}

// search looks for outliers of one fit. The level is shared out evenly between its families of tests.
type search struct {
	Rule
	list   []Edge
	fit    *TwoWay
	excess [][]float64 // of each pass and edge, over the fit
}

func newSearch(r Rule, families int, edges []Edge, fit *TwoWay) *search {
	r.Level /= float64(families)
	s := &search{Rule: r, list: edges, fit: fit}
	if len(edges) == 0 {
		return s
	}
	for pass := range edges[0].Values {
		list := make([]float64, len(edges))
		for i, e := range edges {
			list[i] = e.Values[pass] - fit.Level - fit.From[e.U] - fit.To[e.V]
		}
		whole := medianOf(list) // a pass in which everything was slower
		for i := range list {
			list[i] -= whole
		}
		s.excess = append(s.excess, list)
	}
	return s
}

// edges returns the edges whose residuals stand out, in every pass.
func (s *search) edges() (list []Standout, limit float64) {
	limit = math.Max(s.Least, Limit(s.fit.Residuals, s.fit.Free, s.Level, float64(len(s.list))))
	for i, x := range s.fit.Residuals {
		if x <= limit {
			continue
		}
		o := Standout{Index: i, Excess: x, Limit: limit}
		for _, pass := range s.excess {
			o.Passes = append(o.Passes, pass[i])
		}
		list = append(list, o)
	}
	return steady(list), limit
}

// incident returns the edges of each vertex, as their ends U, V or both.
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

// vertices returns the vertices whose effects stand out, in every pass: above the limit that the spread of the effects
// sets, and above that of an effect's own error. at holds the edges of each vertex.
func (s *search) vertices(effects []float64, at [][]int32) (list []Standout, limit float64) {
	if s.fit.Sparse {
		return nil, math.Inf(1)
	}
	var used []float64
	for v, x := range effects {
		if len(at[v]) > 0 {
			used = append(used, x)
		}
	}
	tests := float64(max(1, len(used)))
	limit = math.Max(s.Least, Limit(used, len(used)-1, s.Level, tests))
	normal := distuv.UnitNormal.Quantile(1 - s.Level/tests)
	for v, x := range effects {
		own := math.Max(limit, normal*s.fit.Scale/math.Sqrt(float64(max(1, len(at[v])-1))))
		if x <= own {
			continue
		}
		o := Standout{Index: v, Excess: x, Limit: own}
		for _, pass := range s.excess {
			mine := make([]float64, len(at[v]))
			for i, edge := range at[v] {
				mine[i] = pass[edge]
			}
			o.Passes = append(o.Passes, x+medianOf(mine))
		}
		list = append(list, o)
	}
	return steady(list), limit
}

// steady returns the outliers that are seen in each pass, by at least half of their excess, the largest excess first.
// A disturbance of the machine hits one pass.
func steady(list []Standout) []Standout {
	list = slices.DeleteFunc(list, func(o Standout) bool {
		return slices.ContainsFunc(o.Passes, func(x float64) bool { return x < o.Excess/2 })
	})
	slices.SortStableFunc(list, func(a, b Standout) int { return cmp.Compare(b.Excess, a.Excess) })
	return list
}
