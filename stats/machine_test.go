package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"
)

// noise is a kind of noise: the deviation of a repetition, in units of 5 %, and the part of the batches that are
// disturbed.
type noise struct {
	name      string
	draw      func(r *rand.Rand) float64
	disturbed float64 // part of the batches that take longer by an exponential factor
}

// noises are the kinds of noise with which machines are simulated.
var noises = []noise{
	{name: "normal", draw: (*rand.Rand).NormFloat64},
	{name: "exponential", draw: (*rand.Rand).ExpFloat64},
	{name: "log-normal", draw: func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) / 2.16 }},
	{name: "disturbed", draw: (*rand.Rand).NormFloat64, disturbed: 0.03},
}

// The repetitions of simulated machines, and the probability of a false finding.
const (
	simulatedPasses = 5
	simulatedBatch  = 5
	simulatedNoise  = 0.05
	simulatedLevel  = 0.01
)

// machine returns the times between n nodes of a machine on which nothing is slow: for each pass, the logarithm of the
// median of a batch of repetitions.
func (x noise) machine(r *rand.Rand, n int, directed bool) []Edge {
	var edges []Edge
	batch := make([]float64, simulatedBatch)
	for i := range n {
		for j := range n {
			if i == j || i > j && !directed {
				continue
			}
			e := Edge{U: i, V: j}
			for range simulatedPasses {
				for k := range batch {
					batch[k] = 1 + simulatedNoise*x.draw(r)
				}
				slices.Sort(batch)
				value := math.Log(math.Max(0.1, Quantile(batch, 0.5)))
				if x.disturbed > 0 && r.Float64() < x.disturbed {
					value += r.ExpFloat64()
				}
				e.Values = append(e.Values, value)
			}
			edges = append(edges, e)
		}
	}
	return edges
}

// fault is a slow part of a machine, and the expected finding.
type fault struct {
	name     string
	directed bool
	slow     func(e Edge) int                     // how many times the slow part delays an edge
	found    func(o TableOutliers, e []Edge) bool // whether the slow part stands out, and nothing else
}

// Nodes and links that are slow in simulated machines.
const (
	slowNode, secondNode = 2, 4
	slowFrom, slowTo     = 1, 3
)

var faults = []fault{
	{name: "a node", slow: func(e Edge) int { return among(e.U, slowNode) + among(e.V, slowNode) },
		found: func(o TableOutliers, _ []Edge) bool { return areVertices(o.From, slowNode) && len(o.Edges) == 0 }},
	{name: "two nodes",
		slow: func(e Edge) int { return among(e.U, slowNode, secondNode) + among(e.V, slowNode, secondNode) },
		found: func(o TableOutliers, _ []Edge) bool {
			return areVertices(o.From, slowNode, secondNode) && len(o.Edges) == 0
		}},
	{name: "a link", slow: func(e Edge) int { return min(among(e.U, slowFrom), among(e.V, slowTo)) }, found: foundLink},
	{name: "a direction", directed: true,
		slow: func(e Edge) int { return min(among(e.U, slowFrom), among(e.V, slowTo)) }, found: foundLink},
	{name: "a sender", directed: true, slow: func(e Edge) int { return among(e.U, slowNode) },
		found: func(o TableOutliers, _ []Edge) bool {
			return areVertices(o.From, slowNode) && len(o.To)+len(o.Edges) == 0
		}},
}

// among returns 1 if v is in a list, and 0 otherwise.
func among(v int, list ...int) int {
	if slices.Contains(list, v) {
		return 1
	}
	return 0
}

func foundLink(o TableOutliers, edges []Edge) bool {
	return len(o.From)+len(o.To) == 0 && len(o.Edges) == 1 && edges[o.Edges[0].Index].U == slowFrom &&
		edges[o.Edges[0].Index].V == slowTo
}

// areVertices reports whether the outliers in a list are the wanted vertices.
func areVertices(list []Outlier, want ...int) bool {
	var got []int
	for _, x := range list {
		got = append(got, x.Index)
	}
	slices.Sort(got)
	return slices.Equal(got, want)
}

// search returns the outliers of a machine.
func (f fault) search(n int, edges []Edge) TableOutliers {
	rule := Rule{Level: simulatedLevel, MinExcess: math.Log(1.05)}
	if f.directed {
		return rule.Directed(n, edges)
	}
	return rule.Pairs(n, edges)
}

// with returns the edges of a machine whose slow part takes longer by an excess: 0.5 is 50 %.
func (f fault) with(edges []Edge, excess float64) []Edge {
	list := slices.Clone(edges)
	for i, e := range list {
		if times := f.slow(e); times > 0 {
			values := slices.Clone(e.Values)
			for k := range values {
				values[k] += float64(times) * math.Log1p(excess)
			}
			list[i].Values = values
		}
	}
	return list
}

// noFault is the fault of a machine on which nothing is slow.
var noFault = fault{slow: func(Edge) int { return 0 }}

// falseFindings returns the number of machines without a fault on which something stands out.
func falseFindings(x noise, n, machines int, directed bool) (wrong int) {
	r := rand.New(rand.NewPCG(uint64(n), uint64(len(x.name))))
	f := noFault
	f.directed = directed
	for range machines {
		if o := f.search(n, x.machine(r, n, directed)); len(o.From)+len(o.To)+len(o.Edges) > 0 {
			wrong++
		}
	}
	return wrong
}

// excesses are the sizes of faults that are tried.
var excesses = []float64{0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10}

// power returns the least excess with which a fault, and nothing else, is found on 95 % of a number of machines, or 0.
func power(x noise, f fault, n, machines int) float64 {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	list := make([][]Edge, machines)
	for i := range list {
		list[i] = x.machine(r, n, f.directed)
	}
	least := sort.Search(len(excesses), func(i int) bool {
		found := 0
		for _, edges := range list {
			if slowed := f.with(edges, excesses[i]); f.found(f.search(n, slowed), slowed) {
				found++
			}
		}
		return float64(found) >= 0.95*float64(machines)
	})
	if least == len(excesses) {
		return 0
	}
	return excesses[least]
}

// A small part of the table of docs/studies/probes.md: machines without a fault have no findings, and faults that are
// slow enough are the only findings.
func TestOutliersOfMachines(t *testing.T) {
	for _, x := range noises {
		require.Zero(t, falseFindings(x, 8, 100, false), "%s noise", x.name)
		require.Zero(t, falseFindings(x, 8, 50, true), "%s noise, directed", x.name)
		require.Zero(t, falseFindings(x, 64, 3, false), "%s noise", x.name)
		for _, f := range faults {
			for n, excess := range map[int]float64{8: 3, 64: 1.5} {
				if x.disturbed > 0 {
					excess = 9
				}
				edges := f.with(x.machine(rand.New(rand.NewPCG(3, 4)), n, f.directed), excess)
				require.True(t, f.found(f.search(n, edges), edges), "%s, %s noise, %d nodes", f.name, x.name, n)
			}
		}
	}
}

// Quantiles of Student's t: the MPIBlib manual's, of a Cauchy distribution, and far out in the tail.
func TestStudentQuantiles(t *testing.T) {
	for _, c := range []struct{ p, freedom, want float64 }{
		{0.975, 4, 2.776445}, {0.95, 4, 2.131847}, {0.999, 1, 318.308839}, {1 - 3.8e-8, 3000, 5.389804},
		{1 - 3.8e-8, 48000, 5.376}, {1 - 3.8e-8, 1e7, 5.376},
	} {
		require.InEpsilon(t, c.want, Student(c.p, c.freedom), 1e-3, "%+v", c)
	}
}

// The fit of exact data finds the effects from which the data were made, even if a pair is missing.
func TestFit(t *testing.T) {
	const n, level = 7, 3.0
	from, to := []float64{0, 0.1, -0.2, 0, 1, 0, -0.5}, []float64{0.3, 0, 0, -1, 0, 0.2, 0}
	var pairs, directed []Edge
	for i := range n {
		for j := range n {
			if i < j && (i != 2 || j != 3) {
				pairs = append(pairs, Edge{i, j, []float64{level + from[i] + from[j]}})
			}
			if i != j {
				directed = append(directed, Edge{i, j, []float64{level + from[i] + to[j]}})
			}
		}
	}
	pairs[4].Values[0] += 2
	p := fitPairs(n, pairs)
	require.InDelta(t, level, p.Level, 1e-6)
	require.InDeltaSlice(t, from, p.From, 1e-6)
	require.InDelta(t, 2, p.Residuals[4], 1e-6)
	require.InDelta(t, 0, p.Residuals[5], 1e-6)
	require.Equal(t, len(pairs)-n, p.Free)
	d := fitDirected(n, directed)
	require.InDelta(t, level, d.Level, 1e-6)
	require.InDeltaSlice(t, from, d.From, 1e-6)
	require.InDeltaSlice(t, to, d.To, 1e-6)
	require.Equal(t, n*(n-1)-(2*n-1), d.Free)
	ring := fitPairs(3, []Edge{{0, 1, []float64{1}}, {1, 2, []float64{2}}, {0, 2, []float64{4}}})
	require.True(t, ring.Sparse)
	require.Equal(t, []float64{-1, 0, 2}, ring.Residuals)
	require.Equal(t, 2.0, ring.Level)
}

// The limit of a short list is Student's. For a long list with a heavy tail, the tail is continued.
func TestLimit(t *testing.T) {
	require.InDelta(t, 3+1.4826*math.Sqrt(5.0/4)*Student(0.999, 0.37*4), Limit([]float64{1, 2, 3, 4, 5}, 4, 0.005, 5),
		1e-9)
	require.True(t, math.IsInf(Limit([]float64{1, 2}, 0, 0.01, 1), 1))
	var exponential []float64
	for i := range 10000 {
		exponential = append(exponential, -math.Log((float64(i)+0.5)/10000))
	}
	require.InEpsilon(t, math.Log(1e6), Limit(exponential, 10000, 0.01, 10000), 0.01, "the tail continues as it is")
}

// BenchmarkStandouts prints the tables of docs/studies/probes.md (make tables), line by line: on how many
// machines without a fault there is a finding, and how slow a part of a machine must be to be found on 95 % of them.
func BenchmarkStandouts(b *testing.B) {
	for b.Loop() {
		for _, x := range noises {
			for _, size := range []struct{ nodes, machines int }{{5, 5000}, {8, 5000}, {16, 1000}, {64, 100},
				{512, 2}} {
				wrong := falseFindings(x, size.nodes, size.machines, false)
				fmt.Printf("| %s | %d | %d | %d |\n", x.name, size.nodes, size.machines, wrong)
			}
		}
		for _, x := range noises {
			for _, size := range []struct{ nodes, machines int }{{8, 100}, {64, 10}, {512, 1}} {
				line := fmt.Sprintf("| %s | %d |", x.name, size.nodes)
				for _, f := range faults {
					line += fmt.Sprintf(" %.0f %% |", 100*power(x, f, size.nodes, size.machines))
				}
				fmt.Println(line)
			}
		}
	}
}
