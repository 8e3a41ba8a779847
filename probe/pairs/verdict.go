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

// Unit is the kind of thing between which times are compared.
type Unit string

// The units.
const (
	Nodes     Unit = "node"    // a host; the time between two is the first quartile of the pairs of their ranks
	Processes Unit = "process" // a rank, beside others whose pairs are between the same hosts
)

// Trouble is the kind of a finding.
type Trouble string

// The kinds of findings. The last four need the times of both directions, but for Link.
const (
	Slow      Trouble = "slow"      // with all others
	Sends     Trouble = "sends"     // its messages to all others are slow
	Receives  Trouble = "receives"  // the messages of all others to it are slow
	Link      Trouble = "link"      // between two, beyond what is slow with all others
	Direction Trouble = "direction" // from one to another, and not back
)

// PairVerdict says which nodes or processes stand out of a row of pairs, and what would have been found.
type PairVerdict struct {
	Unit Unit `json:"unit" jsonschema:"enum=node,enum=process"`
	// Number of units.
	Units int `json:"units"`
	// Number of pairs of units, of either direction if both are measured.
	Pairs int `json:"pairs"`
	// Seconds: the fitted time of a pair of median units.
	Typical float64 `json:"typical"`
	// How much longer than fitted a pair takes: the standard deviation, relative.
	Spread float64 `json:"spread"`
	// How much slower than the median a unit must be with all others to be named, relative; left out if there are too
	// few pairs of each to tell.
	UnitLimit float64 `json:"unit_limit,omitempty"`
	// How much slower than fitted a pair must be to be named, relative; left out if there are too few to tell.
	PairLimit float64 `json:"pair_limit,omitempty"`
	// The worst first, at most 20 of a kind.
	Findings []Finding `json:"findings"`
}

// Finding is a unit, or a pair of units, that is slower than the spread of the others explains.
type Finding struct {
	Trouble Trouble `json:"trouble" jsonschema:"enum=slow,enum=sends,enum=receives,enum=link,enum=direction"`
	// Host or rank.
	From string `json:"from"`
	// Host or rank at the other end, of a link or a direction.
	To string `json:"to,omitempty"`
	// How much longer it takes than expected, relative.
	Excess float64 `json:"excess"`
	// The same in the pass in which it was least slow, relative.
	LeastPass float64 `json:"least_pass"`
	// What LeastPass must be above, relative.
	Limit float64 `json:"limit"`
	// Seconds: the time of the pair, or the median of the unit's pairs.
	Seconds float64 `json:"seconds"`
	// Seconds: the time that the fit expects.
	Expected float64 `json:"expected"`
	// Of a direction: how much longer the way back takes than expected, relative.
	Back float64 `json:"back,omitempty"`
}

const (
	// A row without anything slow has a finding with this probability, at most.
	falseFinding = 0.01
	// Less than this excess is not worth a look.
	leastExcess = 0.05
	// With fewer units a slow unit and a slow link can't be told apart.
	leastUnits = 5
	// Findings of a kind that a document holds.
	mostFindings = 20
)

// Judge returns the verdicts of a row of pairs, of which rank r runs on hosts[r]. tick is the clock's resolution in
// seconds.
func Judge(t *PairTimes, processes int, hosts []string, tick float64) (list []PairVerdict) {
	p := t.Pairs(processes)
	times := logs(t)
	host := indexed(hosts)
	nodes := slices.Max(host) + 1
	var tables []*unitTable
	if nodes >= leastUnits {
		tables = append(tables, betweenNodes(p, times, host, hosts))
	}
	if processes > nodes && processes >= leastUnits {
		tables = append(tables, betweenProcesses(p, times, host))
	}
	for _, u := range tables {
		list = append(list, u.verdict(falseFinding/float64(len(tables)), tick))
	}
	return list
}

// indexed returns a number for each rank's host, from 0 on in the order of their first ranks.
func indexed(hosts []string) []int {
	seen, list := map[string]int{}, make([]int, len(hosts))
	for rank, name := range hosts {
		if _, ok := seen[name]; !ok {
			seen[name] = len(seen)
		}
		list[rank] = seen[name]
	}
	return list
}

// logs returns the logarithms of the times of each direction, pair and pass.
func logs(t *PairTimes) [][][]float64 {
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

// add adds the values of a pair in the direction u to v.
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
	for way, cells := range byHosts(pairs, times, host) {
		if way[0] == way[1] {
			continue
		}
		u.add(way[0], way[1], quartiles(cells))
	}
	slices.SortFunc(u.edges, func(a, b stats.Edge) int { return cmp.Or(a.U-b.U, a.V-b.V) })
	return u
}

// wayOf returns the ranks of a pair in a direction, the sender first.
func wayOf(p patterns.Pair, direction int) (from, to int) {
	if direction == 1 {
		return p.J, p.I
	}
	return p.I, p.J
}

// cellOf returns the hosts of two ranks, the lower one first unless both directions are measured.
func cellOf(host []int, from, to int, directed bool) [2]int {
	cell := [2]int{host[from], host[to]}
	if !directed && cell[0] > cell[1] {
		cell[0], cell[1] = cell[1], cell[0]
	}
	return cell
}

// byHosts collects the values of all ways between ranks by their hosts: see cellOf.
func byHosts(pairs []patterns.Pair, times [][][]float64, host []int) map[[2]int][][]float64 {
	cells := map[[2]int][][]float64{}
	for direction, list := range times {
		for i, p := range pairs {
			from, to := wayOf(p, direction)
			cell := cellOf(host, from, to, len(times) > 1)
			cells[cell] = append(cells[cell], list[i])
		}
	}
	return cells
}

// quartiles returns, for each pass, the value of a cell between hosts.
func quartiles(cells [][]float64) []float64 {
	list := make([]float64, len(cells[0]))
	for pass := range list {
		values := lists.Each(cells, func(c []float64) float64 { return c[pass] })
		list[pass] = ofHosts(values)
	}
	return list
}

// ofHosts returns the value that stands for all pairs of ranks between two hosts: the first quartile. What is slow at
// the hosts is slow for all of their ranks, and what is slow for some of them isn't the hosts'.
func ofHosts(values []float64) float64 { return stats.Quantile(stats.Sorted(values), 0.25) }

// betweenProcesses returns the table of pairs of ranks. Each value is relative to that of all pairs between the same
// hosts: where the ranks are is not a process' merit.
func betweenProcesses(pairs []patterns.Pair, times [][][]float64, host []int) *unitTable {
	u := &unitTable{unit: Processes, directed: len(times) > 1}
	for rank := range host {
		u.names = append(u.names, strconv.Itoa(rank))
	}
	base, all := map[[2]int]float64{}, []float64(nil)
	for way, cells := range byHosts(pairs, times, host) {
		list := lists.Each(cells, stats.Middle)
		base[way] = ofHosts(list)
		all = append(all, list...)
	}
	whole := ofHosts(all)
	for direction, list := range times {
		for i, p := range pairs {
			from, to := wayOf(p, direction)
			values := slices.Clone(list[i])
			for pass := range values {
				values[pass] += whole - base[cellOf(host, from, to, u.directed)]
			}
			u.add(from, to, values)
		}
	}
	return u
}

// verdict searches the table.
func (u *unitTable) verdict(level, tick float64) PairVerdict {
	rule := stats.Rule{Level: level, Least: math.Log1p(leastExcess)}
	search := rule.Pairs
	if u.directed {
		search = rule.Directed
	}
	o, j := search(len(u.names), u.edges), &judge{tick: tick, directed: u.directed}
	typical := math.Exp(o.Fit.Level)
	for side, list := range [][]stats.Standout{o.From, o.To} {
		for _, x := range list {
			j.unit(x, x.Index, u.names[x.Index], side == 0, typical)
		}
	}
	index := map[[2]int]int{}
	for i, e := range u.edges {
		index[[2]int{e.U, e.V}] = i
	}
	for _, x := range o.Edges {
		e, back := u.edges[x.Index], 0.0
		if i, ok := index[[2]int{e.V, e.U}]; ok {
			back = relative(o.Fit.Residuals[i])
		}
		expected := math.Exp(o.Fit.Level + o.Fit.From[e.U] + o.Fit.To[e.V])
		j.link(x, e.U, e.V, [2]string{u.names[e.U], u.names[e.V]}, expected, back)
	}
	return PairVerdict{Unit: u.unit, Units: len(u.names), Pairs: len(u.edges), Typical: typical,
		Spread:    relative(o.Fit.Scale),
		UnitLimit: known(j.limit(math.Max(o.FromLimit, o.ToLimit), typical)),
		PairLimit: known(j.limit(o.EdgeLimit, typical)), Findings: j.findings()}
}
