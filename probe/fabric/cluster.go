package fabric

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/stats"
)

// Found is a level of units that was found in times between nodes.
type Found struct {
	Of []int // number of each node's unit, in the order of first nodes
	// Medians of the times between nodes of the same unit and of different units, in seconds.
	Within, Between float64
	// Gap is the logarithm of the ratio of two times: at which units are first joined, and at which the last nodes
	// within a unit were joined.
	Gap float64
	// Misplaced holds, for each node, the number of passes in which its unit has mostly other nodes than in all passes
	// together.
	Misplaced []int
}

const (
	maxFound = 1024 // nodes; the time grows with their third power
	// Times between units must exceed times within them by this part, and by this many deviations of a median.
	minGap     = 0.05
	deviations = 6
)

// ErrAlike is the error of times in which there are no units.
var ErrAlike = errors.New("no units were found: the times between all nodes are alike")

// Find returns the levels of units in times between nodes, from the lowest up, at most len(Levels). times holds a
// square matrix of seconds for each pass, which must be symmetric.
//
// Find joins nodes one by one, beginning with the nodes that have the shortest mean times between them. If the next
// time is much longer than all before it, the clusters that exist are a level. Much longer means by more than minGap,
// and by more than times vary between passes. A level whose units are mostly single nodes is dropped, because a slow
// node is no switch.
func Find(times [][][]float64) ([]Found, error) {
	if len(times) == 0 || len(times[0]) < 4 || len(times[0]) > maxFound {
		return nil, fmt.Errorf("units can be found among 4 to %d nodes", maxFound)
	}
	n := len(times[0])
	middle, swing := logMedians(times)
	if math.IsNaN(swing) {
		return nil, errors.New("units are found in the times of all pairs of nodes: some are not measured")
	}
	all := join(middle)
	least := math.Max(math.Log1p(minGap), deviations*swing)
	var list []Found
	for k := n - 2; k >= 1; k-- { // the last join before units are joined
		gap := all[k].height - all[k-1].height
		if gap <= least {
			continue
		}
		of := units(n, all[:k])
		if mostlySingle(of) {
			continue
		}
		list = append(list, Found{Of: of, Gap: gap})
	}
	if len(list) == 0 {
		return nil, ErrAlike
	}
	for len(list) > len(Levels) { // merge the levels that are least apart
		least := slices.MinFunc(list, func(a, b Found) int { return cmp.Compare(a.Gap, b.Gap) })
		list = slices.DeleteFunc(list, func(f Found) bool { return f.Gap == least.Gap })
	}
	slices.Reverse(list)
	for i := range list {
		list[i].describe(times, middle)
	}
	return list, nil
}

// logMedians returns the logarithms of the medians of the passes, and how much such a median varies: the robust
// standard deviation of the passes, divided by the square root of their number. It is NaN if a time is missing.
func logMedians(times [][][]float64) (middle [][]float64, swing float64) {
	n := len(times[0])
	var off []float64
	middle = make([][]float64, n)
	for i := range n {
		middle[i] = make([]float64, n)
		for j := range n {
			if i == j {
				continue
			}
			list := make([]float64, len(times))
			for p := range times {
				if list[p] = math.Log(times[p][i][j]); !(times[p][i][j] > 0) {
					return middle, math.NaN()
				}
			}
			middle[i][j] = stats.Middle(list)
			off = append(off, lists.Each(list, func(x float64) float64 { return math.Abs(x - middle[i][j]) })...)
		}
	}
	const normal = 1.4826
	return middle, stats.Middle(off) * normal / math.Sqrt(float64(len(times)))
}

// merge is a merge of two clusters of nodes, named by their first nodes, at a height.
type merge struct {
	a, b   int
	height float64
}

// join joins nodes into one cluster. Each step joins the two clusters with the least mean distance (average linkage,
// UPGMA).
func join(distance [][]float64) (list []merge) {
	n := len(distance)
	d := make([][]float64, n)
	size := make([]float64, n) // 0 if joined to another cluster
	for i := range d {
		d[i], size[i] = slices.Clone(distance[i]), 1
	}
	for range n - 1 {
		best := merge{height: math.Inf(1)}
		for i := range n {
			for j := i + 1; j < n && size[i] > 0; j++ {
				if size[j] > 0 && d[i][j] < best.height {
					best = merge{i, j, d[i][j]}
				}
			}
		}
		a, b := best.a, best.b
		for k := range n {
			d[a][k] = (size[a]*d[a][k] + size[b]*d[b][k]) / (size[a] + size[b])
			d[k][a] = d[a][k]
		}
		size[a], size[b] = size[a]+size[b], 0
		list = append(list, best)
	}
	return list
}

// units returns the number of each node's cluster after joins.
func units(n int, joins []merge) []int {
	first := lists.Numbers(n)
	for _, x := range joins {
		for i := range first {
			if first[i] == x.b {
				first[i] = x.a
			}
		}
	}
	number := map[int]int{}
	of := make([]int, n)
	for i, f := range first {
		if _, there := number[f]; !there {
			number[f] = len(number)
		}
		of[i] = number[f]
	}
	return of
}

// mostlySingle reports whether fewer than half of the nodes share their unit, or whether only one unit has several
// nodes.
func mostlySingle(of []int) bool {
	size := map[int]int{}
	for _, u := range of {
		size[u]++
	}
	shared, several := 0, 0
	for _, n := range size {
		if n > 1 {
			shared, several = shared+n, several+1
		}
	}
	return 2*shared < len(of) || several < 2
}

// describe completes a level.
func (f *Found) describe(times [][][]float64, middle [][]float64) {
	var within, between []float64
	n, count := len(f.Of), slices.Max(f.Of)+1
	for i := range n {
		for j := range i {
			if t := math.Exp(middle[i][j]); f.Of[i] == f.Of[j] {
				within = append(within, t)
			} else {
				between = append(between, t)
			}
		}
	}
	f.Within, f.Between = stats.Middle(within), stats.Middle(between)
	f.Misplaced = make([]int, n)
	for _, pass := range times {
		logs := make([][]float64, n)
		for i, row := range pass {
			logs[i] = make([]float64, n)
			for j, t := range row {
				if i != j {
					logs[i][j] = math.Log(t)
				}
			}
		}
		own := units(n, join(logs)[:n-count])
		for i := range n {
			if !sameCompanions(f.Of, own, i) {
				f.Misplaced[i]++
			}
		}
	}
}

// sameCompanions reports whether a node has mostly the same companions in two partitions.
func sameCompanions(a, b []int, node int) bool {
	both, either := 0, 0
	for i := range a {
		x, y := a[i] == a[node], b[i] == b[node]
		if x && y {
			both++
		}
		if x || y {
			either++
		}
	}
	return 2*both > either
}
