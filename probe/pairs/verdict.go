package pairs

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/stats"
)

// Unit is the kind of the units that a verdict compares: nodes or processes.
type Unit string

// The units.
const (
	Nodes     Unit = "node"    // the time between two hosts is the first quartile of the pairs of their ranks
	Processes Unit = "process" // the time between two ranks is relative to all pairs between the same hosts
)

// Trouble is the kind of a finding.
type Trouble string

// The kinds of findings. All but Slow and Link need the times of both directions.
const (
	Slow      Trouble = "slow"      // a unit is slow with all other units
	Sends     Trouble = "sends"     // a unit's messages to all other units are slow
	Receives  Trouble = "receives"  // the messages of all other units to a unit are slow
	Link      Trouble = "link"      // a pair is slower than its two units are with all others
	Direction Trouble = "direction" // a pair is slow only from one of its units to the other
)

// PairVerdict names the nodes or processes that are outliers in a row of pairs, and the limits of the search.
type PairVerdict struct {
	Unit Unit `json:"unit" jsonschema:"enum=node,enum=process"`
	// Number of units.
	Units int `json:"units"`
	// Number of pairs of units, in both directions if both are measured.
	Pairs int `json:"pairs"`
	// Fitted time of a pair of median units in seconds.
	Typical float64 `json:"typical"`
	// The standard deviation of the pairs' times relative to the fitted times.
	Spread float64 `json:"spread"`
	// How much slower than the median a unit must be with all others to be named, relative; absent if there are too few
	// pairs of each.
	UnitLimit float64 `json:"unit_limit,omitempty"`
	// How much slower than fitted a pair must be to be named, relative; absent if there are too few pairs.
	PairLimit float64 `json:"pair_limit,omitempty"`
	// The findings, the worst first, at most 20 of a kind.
	Findings []Finding `json:"findings"`
}

// Finding is a unit, or a pair of units, that is slower than the spread of the others explains.
type Finding struct {
	Trouble Trouble `json:"trouble" jsonschema:"enum=slow,enum=sends,enum=receives,enum=link,enum=direction"`
	// Host or rank.
	From string `json:"from"`
	// Host or rank at the other end of a link or a direction.
	To string `json:"to,omitempty"`
	// How much longer than expected it takes, relative.
	Excess float64 `json:"excess"`
	// The relative excess in the pass in which it was least slow.
	MinPass float64 `json:"least_pass"`
	// The relative excess that least_pass must exceed.
	Limit float64 `json:"limit"`
	// Time of the pair in seconds, or the median of the unit's pairs.
	Seconds float64 `json:"seconds"`
	// Time in seconds that the fit expects.
	Expected float64 `json:"expected"`
	// How much longer than expected the other way takes, relative; only for a direction.
	Back float64 `json:"back,omitempty"`
}

const (
	// falseFinding is the largest probability of a finding in a row in which nothing is slow.
	falseFinding = 0.01
	// minExcess is the smallest excess that is reported.
	minExcess = 0.05
	// With fewer than minUnits a slow unit and a slow link can't be told apart.
	minUnits = 5
	// maxFindings is the largest number of findings of a kind in a document.
	maxFindings = 20
)

// Judge returns the verdicts on a row of pairs: on nodes if there are enough, and on processes if nodes have several.
// Rank r runs on hosts[r], and tick is the clock's resolution in seconds.
func Judge(t *PairTimes, processes int, hosts []string, tick float64) (list []PairVerdict) {
	p := t.Pairs(processes)
	times := logTimes(t)
	host := hostIndices(hosts)
	nodes := slices.Max(host) + 1
	var tables []*unitTable
	if nodes >= minUnits {
		tables = append(tables, betweenNodes(p, times, host, hosts))
	}
	if processes > nodes && processes >= minUnits {
		tables = append(tables, betweenProcesses(p, times, host))
	}
	for _, u := range tables {
		list = append(list, u.verdict(falseFinding/float64(len(tables)), tick))
	}
	return list
}

// hostIndices returns the index of each rank's host. Hosts are numbered from 0 in the order of their first ranks.
func hostIndices(hosts []string) []int {
	seen, list := map[string]int{}, make([]int, len(hosts))
	for rank, name := range hosts {
		if _, ok := seen[name]; !ok {
			seen[name] = len(seen)
		}
		list[rank] = seen[name]
	}
	return list
}

// logTimes returns the logarithms of the times of each direction, pair and pass.
func logTimes(t *PairTimes) [][][]float64 {
	var list [][][]float64
	for _, d := range t.Directions() {
		pairs := make([][]float64, len(d.Means))
		for _, pass := range d.Medians {
			for i, x := range pass {
				pairs[i] = append(pairs[i], math.Log(math.Max(x, math.SmallestNonzeroFloat64)))
			}
		}
		list = append(list, pairs)
	}
	return list
}

// unitTable is a table of the times between units.
type unitTable struct {
	unit     Unit
	names    []string
	edges    []stats.Edge
	directed bool
}

// add adds the values of a pair in the direction from one unit to another.
func (u *unitTable) add(from, to int, values []float64) {
	u.edges = append(u.edges, stats.Edge{U: from, V: to, Values: values})
}

// betweenNodes returns the table of pairs of hosts.
func betweenNodes(pairs []patterns.Pair, times [][][]float64, host []int, hosts []string) *unitTable {
	u := &unitTable{unit: Nodes, directed: len(times) > 1}
	u.names = make([]string, slices.Max(host)+1)
	for rank, h := range host {
		u.names[h] = hosts[rank]
	}
	for ends, values := range byHostPair(pairs, times, host) {
		if ends[0] != ends[1] {
			u.add(ends[0], ends[1], firstQuartiles(values))
		}
	}
	slices.SortFunc(u.edges, func(a, b stats.Edge) int { return cmp.Or(a.U-b.U, a.V-b.V) })
	return u
}

// ranksOf returns the ranks of a pair. In direction 0 the lower rank sends, in direction 1 the higher one.
func ranksOf(p patterns.Pair, direction int) (from, to int) {
	if direction == 1 {
		return p.J, p.I
	}
	return p.I, p.J
}

// hostPair returns the indices of the hosts of two ranks, the lower one first unless both directions are measured.
func hostPair(host []int, from, to int, directed bool) [2]int {
	ends := [2]int{host[from], host[to]}
	if !directed && ends[0] > ends[1] {
		ends[0], ends[1] = ends[1], ends[0]
	}
	return ends
}

// byHostPair returns, for each pair of hosts (hostPair), the values of its pairs of ranks: a list for each pair and
// direction, with a value for each pass.
func byHostPair(pairs []patterns.Pair, times [][][]float64, host []int) map[[2]int][][]float64 {
	groups := map[[2]int][][]float64{}
	for direction, list := range times {
		for i, p := range pairs {
			from, to := ranksOf(p, direction)
			ends := hostPair(host, from, to, len(times) > 1)
			groups[ends] = append(groups[ends], list[i])
		}
	}
	return groups
}

// firstQuartiles returns the first quartile of the pairs of ranks between two hosts, for each pass.
func firstQuartiles(values [][]float64) []float64 {
	return lists.Of(len(values[0]), func(pass int) float64 {
		return firstQuartile(lists.Each(values, func(passes []float64) float64 { return passes[pass] }))
	})
}

// firstQuartile returns the value that represents all pairs of ranks between two hosts. If the hosts are slow, all of
// their ranks are. If only some ranks are slow, the hosts aren't the reason.
func firstQuartile(values []float64) float64 { return stats.Quantile(stats.Sorted(values), 0.25) }

// betweenProcesses returns the table of pairs of ranks. Each value is relative to the first quartile of all pairs
// between the same hosts, because the host of a rank is no property of the process.
func betweenProcesses(pairs []patterns.Pair, times [][][]float64, host []int) *unitTable {
	u := &unitTable{unit: Processes, directed: len(times) > 1}
	for rank := range host {
		u.names = append(u.names, strconv.Itoa(rank))
	}
	ofHosts, all := map[[2]int]float64{}, []float64(nil)
	for ends, values := range byHostPair(pairs, times, host) {
		medians := lists.Each(values, stats.Middle)
		ofHosts[ends] = firstQuartile(medians)
		all = append(all, medians...)
	}
	ofAll := firstQuartile(all)
	for direction, list := range times {
		for i, p := range pairs {
			from, to := ranksOf(p, direction)
			values := slices.Clone(list[i])
			for pass := range values {
				values[pass] += ofAll - ofHosts[hostPair(host, from, to, u.directed)]
			}
			u.add(from, to, values)
		}
	}
	return u
}

// verdict searches the table for outliers. level is the largest probability of a finding in a table without a slow unit
// or pair, tick the clock's resolution in seconds.
func (u *unitTable) verdict(level, tick float64) PairVerdict {
	rule := stats.Rule{Level: level, MinExcess: math.Log1p(minExcess)}
	search := rule.Pairs
	if u.directed {
		search = rule.Directed
	}
	found, j := search(len(u.names), u.edges), &judge{tick: tick, directed: u.directed}
	typical := math.Exp(found.Fit.Level)
	for side, list := range [][]stats.Outlier{found.From, found.To} {
		for _, x := range list {
			j.addUnit(x, x.Index, u.names[x.Index], side == 0, typical)
		}
	}
	index := map[[2]int]int{}
	for i, e := range u.edges {
		index[[2]int{e.U, e.V}] = i
	}
	for _, x := range found.Edges {
		e, back := u.edges[x.Index], 0.0
		if i, ok := index[[2]int{e.V, e.U}]; ok {
			back = relative(found.Fit.Residuals[i])
		}
		expected := math.Exp(found.Fit.Level + found.Fit.From[e.U] + found.Fit.To[e.V])
		j.addLink(x, e.U, e.V, [2]string{u.names[e.U], u.names[e.V]}, expected, back)
	}
	return PairVerdict{Unit: u.unit, Units: len(u.names), Pairs: len(u.edges), Typical: typical,
		Spread:    relative(found.Fit.Scale),
		UnitLimit: usefulLimit(j.limit(math.Max(found.FromLimit, found.ToLimit), typical)),
		PairLimit: usefulLimit(j.limit(found.EdgeLimit, typical)), Findings: j.findings()}
}
