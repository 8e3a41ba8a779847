package pairs

import (
	"math"
	"slices"
	"strconv"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/fabric"
	"github.com/effective-bandwidth/beff/stats"
)

// CutVerdict holds the steps of a row of a cut, and the outliers among its pairs.
type CutVerdict struct {
	Steps []Step `json:"steps"`
	// Seconds: the median of all pairs.
	Typical float64 `json:"typical"`
	// The standard deviation of the pairs' times around the times explained by their ends and their step, relative.
	Spread float64 `json:"spread"`
	// How much slower than expected a pair must be in each pass to be an outlier, relative; absent if there are too few
	// pairs.
	Limit float64 `json:"limit,omitempty"`
	// How much slower a process must be with all others, relative; absent if there are too few pairs of each.
	ProcessLimit float64 `json:"process_limit,omitempty"`
	// The pair that most exceeds the time explained by its ends and its step, in its best pass.
	Worst WorstLink `json:"worst"`
	// Outliers among the pairs of both directions, and the number of these pairs.
	Slow  int `json:"slow"`
	Pairs int `json:"pairs"`
	// Outlying processes and pairs, the worst of each kind first, at most 20 of each.
	Findings []Finding `json:"findings"`
	// The unit that all or nearly all outliers share; absent if there is none.
	Shared *SharedUnit `json:"behind,omitempty"`
}

// WorstLink is a pair and the evidence about it.
type WorstLink struct {
	// Ranks in the world. If each direction is timed, the sender is the first.
	From int `json:"from"`
	To   int `json:"to"`
	// Their hosts.
	FromHost string `json:"from_host"`
	ToHost   string `json:"to_host"`
	Shift    int    `json:"shift"`
	// Seconds of a message: the median of the passes.
	Seconds float64 `json:"seconds"`
	// Seconds that the ends and the step explain.
	Expected float64 `json:"expected"`
	// How much longer than expected it took in each pass, relative.
	Excess []float64 `json:"excess"`
	// True if it is an outlier in each pass.
	Stands bool `json:"stands,omitempty"`
}

// SharedUnit is a unit that slow processes and pairs share.
type SharedUnit struct {
	// switch, group or cell.
	Level string `json:"level"`
	Name  string `json:"name"`
	// The slow processes or pairs that are below the unit, or have one end there.
	Slow int `json:"slow"`
	// True if processes are counted that are slow with all others, false if pairs are.
	Processes bool `json:"processes,omitempty"`
	// Part of all processes or pairs, slow or not, that are below the unit: 0 to 1.
	Share float64 `json:"share"`
}

// Places describes where the processes of a block are.
type Places struct {
	Ranks []int      // in the world
	Hosts []string   // of each
	Units [][]string // units above each, from the switch up; nil without a map
}

const (
	// nearly is the part of all slow pairs that must share a unit for it to be named.
	nearly = 0.9
	// minShared is the smallest number of slow processes or pairs for which a unit is named.
	minShared = 3
)

// JudgeCut finds the outliers in a row of a cut. Moved is the bytes that a pair moves with a message, tick the clock's
// resolution in seconds.
func JudgeCut(t *CutTimes, c *Cut, moved float64, at Places, tick float64) *CutVerdict {
	a := &CutVerdict{Steps: t.Steps(c, moved)}
	directions := len(t.Directions())
	j := &cutJudge{judge: judge{tick: tick, directed: directions > 1}, t: t, c: c, at: at, out: a}
	var all []float64
	for direction := range directions {
		for k := range t.Shifts {
			all = append(all, t.Seconds(direction, k)...)
		}
	}
	a.Typical, a.Pairs = stats.Middle(all), len(all)
	for direction := range directions {
		j.search(direction, falseFinding/float64(directions))
	}
	a.Slow, a.Findings = len(j.links), j.findings()
	j.findShared()
	return a
}

// cutJudge is the state of a judgement. Its units are the ranks of the block.
type cutJudge struct {
	judge
	t     *CutTimes
	c     *Cut
	at    Places
	out   *CutVerdict
	worst float64 // logarithmic excess of the worst link so far in its best pass
}

// search finds the outliers of a direction. It compares the logarithm of each time with the median of its step, or of
// its set if there are several sets. Both sides have the same number of processes.
func (j *cutJudge) search(direction int, level float64) {
	n := j.c.Links()
	passes := j.t.Directions()[direction]
	base, edges := j.base(direction), make([]stats.Edge, 0, n*len(j.t.Shifts))
	for k, shift := range j.t.Shifts {
		for pair := range n {
			_, right := j.numbers(pair, shift)
			e := stats.Edge{U: pair, V: right, Values: make([]float64, len(passes))}
			for p := range passes {
				e.Values[p] = math.Log(float64(passes[p][k][pair])/picoseconds) - base[k][pair]
			}
			edges = append(edges, e)
		}
	}
	o := stats.Rule{Level: level, MinExcess: math.Log1p(minExcess)}.Directed(n, edges)
	out := j.out
	out.Spread = max(out.Spread, relative(o.Fit.Scale))
	out.Limit = max(out.Limit, usefulLimit(j.limit(o.EdgeLimit, out.Typical)))
	out.ProcessLimit = max(out.ProcessLimit, usefulLimit(j.limit(math.Max(o.FromLimit, o.ToLimit), out.Typical)))
	stands := map[int]bool{}
	for _, x := range o.Edges {
		e := edges[x.Index]
		from, to := j.ends(direction, e)
		expected := math.Exp(base[j.stepOf(x.Index)][e.U] + o.Fit.Level + o.Fit.From[e.U] + o.Fit.To[e.V])
		stands[x.Index] = j.addLink(x, from, to, [2]string{j.at.Hosts[from], j.at.Hosts[to]}, expected, 0)
	}
	for side, list := range [][]stats.Outlier{o.From, o.To} {
		for _, x := range list {
			rank := j.rankOf(x.Index, side == 1)
			j.addUnit(x, rank, j.at.Hosts[rank], side == direction, out.Typical)
		}
	}
	j.keepWorst(direction, edges, &o.Fit, base, stands)
}

// base returns the logarithm of the time that each pair of each step is compared with.
func (j *cutJudge) base(direction int) [][]float64 {
	list := make([][]float64, len(j.t.Shifts))
	sets := make([][]float64, len(j.c.Sets))
	for k := range j.t.Shifts {
		seconds := j.t.Seconds(direction, k)
		list[k] = make([]float64, len(seconds))
		middle := math.Log(stats.Middle(seconds))
		first := 0
		for s, set := range j.c.Sets {
			for i := first; i < first+set.Side; i++ {
				list[k][i] = middle
			}
			sets[s] = append(sets[s], seconds[first:first+set.Side]...)
			first += set.Side
		}
	}
	if len(sets) == 1 {
		return list
	}
	for s, first := 0, 0; s < len(sets); s++ {
		middle := math.Log(stats.Middle(sets[s]))
		for k := range list {
			for i := range j.c.Sets[s].Side {
				list[k][first+i] = middle
			}
		}
		first += j.c.Sets[s].Side
	}
	return list
}

// numbers returns the numbers of a pair's ends, each counted on its side.
func (j *cutJudge) numbers(pair, shift int) (left, right int) {
	first := 0
	for _, s := range j.c.Sets {
		if pair-first < s.Side {
			return pair, first + (pair-first+shift)%s.Side
		}
		first += s.Side
	}
	return 0, 0
}

// rankOf returns the rank of a process from its number on its side.
func (j *cutJudge) rankOf(number int, right bool) int {
	first := 0
	for _, s := range j.c.Sets {
		if number < s.Side {
			if right {
				number += s.Side
			}
			return first + number
		}
		first, number = first+2*s.Side, number-s.Side
	}
	return 0
}

// ends returns the ranks of an edge, the sender first.
func (j *cutJudge) ends(direction int, e stats.Edge) (from, to int) {
	from, to = j.rankOf(e.U, false), j.rankOf(e.V, true)
	if direction == 1 {
		from, to = to, from
	}
	return from, to
}

// stepOf returns the step of an edge by its index.
func (j *cutJudge) stepOf(index int) int { return index / j.c.Links() }

// keepWorst keeps the edge with the largest excess over the fit in its best pass, if it is worse than the edges before.
// The best pass counts because a disturbance of one pass is not a property of a link.
func (j *cutJudge) keepWorst(direction int, edges []stats.Edge, fit *stats.TwoWay, base [][]float64,
	stands map[int]bool) {
	at, worst := 0, math.Inf(-1)
	for i, e := range edges {
		if x := slices.Min(e.Values) - fit.Level - fit.From[e.U] - fit.To[e.V]; x > worst {
			at, worst = i, x
		}
	}
	if direction > 0 && worst <= j.worst {
		return
	}
	e := edges[at]
	j.worst = worst
	from, to := j.ends(direction, e)
	whole := fit.Level + fit.From[e.U] + fit.To[e.V]
	w := WorstLink{From: j.at.Ranks[from], To: j.at.Ranks[to], FromHost: j.at.Hosts[from], ToHost: j.at.Hosts[to],
		Shift: j.t.Shifts[j.stepOf(at)], Expected: math.Exp(base[j.stepOf(at)][e.U] + whole), Stands: stands[at]}
	w.Seconds = w.Expected * math.Exp(fit.Residuals[at])
	for _, x := range e.Values {
		w.Excess = append(w.Excess, relative(x-whole))
	}
	j.out.Worst = w
}

// findShared finds the unit that slow processes share, or otherwise the unit that slow pairs share unless they have a
// common process. It takes the lowest level that has such a unit.
func (j *cutJudge) findShared() {
	if len(j.at.Units) == 0 || len(j.at.Units[0]) == 0 {
		return
	}
	one := func(rank int) []int { return []int{rank} }
	slow := lists.Each(lists.Unique(lists.Each(j.units, func(u slowUnit) int { return u.unit })), one)
	all := lists.Of(len(j.at.Ranks), one)
	if b := j.shared(slow, all); b != nil {
		b.Processes = true
		j.out.Shared = b
		return
	}
	slow, all = lists.Each(j.links, func(x slowLink) []int { return []int{x.from, x.to} }), nil
	for _, shift := range j.t.Shifts {
		for pair := range j.c.Links() {
			left, right := j.c.Ends(pair, shift)
			all = append(all, []int{left, right})
		}
	}
	j.out.Shared = j.shared(slow, all)
}

// shared returns the unit below which nearly all elements of slow have an end, but few elements of all. It returns nil
// if there is no such unit, or if the elements of slow share a process, which explains more.
func (j *cutJudge) shared(slow, all [][]int) *SharedUnit {
	least := int(math.Ceil(nearly * float64(len(slow))))
	if len(slow) < minShared {
		return nil
	}
	if _, n := commonest(slow, strconv.Itoa); n >= least && len(slow[0]) > 1 {
		return nil
	}
	for level := range j.at.Units[0] {
		name, n := commonest(slow, func(rank int) string { return j.at.Units[rank][level] })
		if n < least {
			continue
		}
		_, share := count(all, func(rank int) bool { return j.at.Units[rank][level] == name })
		if 2*share <= float64(n)/float64(len(slow)) {
			return &SharedUnit{Level: fabric.Levels[level], Name: name, Slow: n, Share: share}
		}
	}
	return nil
}

// commonest returns the property that most elements of a list have at one of their ends, and how many have it. If
// several are equal it returns the first name.
func commonest(list [][]int, of func(rank int) string) (name string, n int) {
	tally := map[string]int{}
	for _, ends := range list {
		for i, rank := range ends {
			if x := of(rank); i == 0 || x != of(ends[0]) {
				tally[x]++
			}
		}
	}
	for x, k := range tally {
		if k > n || k == n && x < name {
			name, n = x, k
		}
	}
	return name, n
}

// count returns how many elements of a list have an end that is in, and which part of the list they are.
func count(list [][]int, in func(rank int) bool) (n int, share float64) {
	n = lists.Count(list, func(ends []int) bool { return slices.ContainsFunc(ends, in) })
	return n, float64(n) / float64(len(list))
}
