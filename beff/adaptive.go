package beff

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// An adaptive run estimates the b_eff of a full one in rounds. The first round measures everything once, with short
// loops, from the longest messages on. It tells how methods and patterns differ. Each further one goes
// through the lengths again, with loops as long as a full run's, because short ones spread more and pay more for their
// start. It measures some of the patterns of each length and the methods that process 0 chooses by the samples so far:
//
//   - Short lengths that have no weight in b_eff together get little time. They show best what state the machine is in.
//   - A method that is slower than the best of a length in all patterns together, by more than patterns differ, isn't
//     measured again at that length.
//   - The time of a round goes to lengths by their weight times their spread over the root of their cost (Neyman,
//     1934), and to the patterns that were measured least for their weight.
//
// So each length is measured all over the time of the run. It ends when the interval is narrow, but not before it has
// seen the machine for some seconds. A machine that changes its state is measured for as long as a full run at most.

const (
	// leastRounds is the number of rounds before there is an interval.
	leastRounds = 4
	// mostRounds bounds the size of a document.
	mostRounds = 400
	// slower is the least distance of a method from the best one, as a part, with which it is not measured again.
	slower = 0.03
	// leastSeconds is the time for which a machine is looked at.
	leastSeconds = 7
	// shortRound is the time of a round while the run is short, longRound that of a round after manySeconds.
	shortRound, longRound, manySeconds = 0.35, 2, 8
	// fullSample is the time of a measurement of a full run.
	fullSample = 3.5e-3
	// besides is the time of a full run over that of its samples, which first loops and untimed exchanges make longer.
	besides = 1.3
	// leastVisits is the number of patterns of a length that a round measures at least.
	leastVisits = 3
)

// adapt checks the choices of an adaptive run. Patterns that don't count for b_eff are left out unless they are named.
func (c *Config) adapt() error {
	switch {
	case !(c.Within > 0 && c.Within < 1):
		return fmt.Errorf("an adaptive run needs a part of b_eff between 0 and 100 %%, not %g %%", 100*c.Within)
	case c.Quick:
		return errors.New("a quick run isn't adaptive")
	case len(c.Patterns) == 0:
		c.Patterns = []string{string(patterns.KindRing), string(patterns.KindRandom), "ping-pong"}
	}
	return nil
}

// rounds returns the number of rounds that samples are of, at least 1.
func rounds(samples []Sample) int {
	n := 1
	for _, s := range samples {
		n = max(n, s.Repetition+1)
	}
	return n
}

// turn is process 0's decision before a round.
type turn struct {
	Done     bool
	First    bool     // all with the shortest loops
	End      float64  // seconds that the run lasts, about
	Light    []bool   // by length: with the shortest loops
	Units    [][]bool // by length and method: measured in this round
	Patterns [][]bool // by length and pattern
}

// everything returns the turn of the first round.
func (p *Plan) everything() turn {
	return turn{First: true, Light: make([]bool, len(p.Lengths)),
		Units: table(len(p.Lengths), len(p.Methods)), Patterns: table(len(p.Lengths), len(p.Patterns))}
}

// table returns a table that is true everywhere.
func table(rows, columns int) [][]bool {
	t := make([][]bool, rows)
	for i := range t {
		t[i] = slices.Repeat([]bool{true}, columns)
	}
	return t
}

// measureAdaptive measures rounds until the interval of b_eff is narrow, or the time is over.
func (m *measurer) measureAdaptive() error {
	rule := newLoopsAdaptive(m.plan)
	for round, next := m.firstTurn(rule); !next.Done; round++ {
		rule.next = &next
		for _, length := range order(len(m.plan.Lengths), round) {
			if err := m.visit(rule, at{repetition: round, length: length}, &next); err != nil {
				return err
			}
		}
		var err error
		next, err = job.Decide(m.World, func() (turn, error) {
			return m.plan.next(m.out.Samples, m.earlier+m.Seconds()), nil
		})
		if err != nil {
			return err
		}
		m.end = next.End
	}
	return nil
}

// order returns the order of the lengths in a round. The first one goes from the longest to the shortest. In others
// long and short ones are mixed, because lengths that follow each other meet the same state.
func order(lengths, round int) (list []int) {
	const step = 8
	for first := range step {
		for l := lengths - 1 - first; l >= 0; l -= step {
			list = append(list, l)
		}
	}
	if round == 0 {
		slices.Sort(list)
		slices.Reverse(list)
	}
	return list
}

// visit measures some patterns and methods of a length.
func (m *measurer) visit(rule *loopsAdaptive, here at, next *turn) error {
	units, chosen := next.Units[here.length], next.Patterns[here.length]
	bytes := m.plan.Lengths[here.length]
	if _, err := m.Execute(rewind(m.World, bytes, here.repetition, m.buffers[:]...), mpi.Loops{Timed: 1}); err != nil {
		return err
	}
	rule.start(here.repetition, here.length)
	if err := m.each(here, func(a at) error {
		if !chosen[a.pattern] || !units[a.method] {
			return nil
		}
		return m.sample(rule, a)
	}); err != nil {
		return err
	}
	return m.finishLength()
}

// leftOfRounds returns the seconds that an adaptive run has left: those after which it has looked long enough at least,
// and then those in which its interval becomes narrow, by the root of the time.
func (m *measurer) leftOfRounds(p *rating.Progress, a at) float64 {
	p.Doing = fmt.Sprintf("round %d, %s", a.repetition+1, rating.Bytes(m.plan.Lengths[a.length]))
	end := max(leastSeconds, m.end)
	if m.plan.AtMost > 0 {
		end = min(end, m.plan.AtMost.Seconds())
	}
	return max(0, end-m.earlier-p.Elapsed.Seconds())
}

// next returns the turn after the rounds that have these samples, which took some time.
func (p *Plan) next(samples []Sample, elapsed float64) turn {
	r := &Result{}
	r.plan(p, samples)
	g := NewGrid(r)
	bEff := g.rating()
	if !(bEff > 0) || r.Repetitions >= mostRounds {
		return turn{Done: true}
	}
	part := g.Within(bEff).Part(bEff)
	if elapsed >= leastSeconds && part <= p.Within {
		return turn{Done: true}
	}
	next, seconds := g.allocate(elapsed)
	most := repetitions * g.course.pass
	if p.AtMost > 0 {
		most = p.AtMost.Seconds()
	}
	if elapsed+seconds > most {
		return turn{Done: true}
	}
	next.End = most
	if end := elapsed * part * part / (p.Within * p.Within); end < most {
		next.End = end
	}
	return next
}

// allocate returns the turn of a further round, and the seconds that it should take.
func (g *Grid) allocate(elapsed float64) (next turn, seconds float64) {
	weights := g.weights()
	next = turn{Light: g.light(weights), Units: table(len(g.Lengths), len(g.Methods)),
		Patterns: make([][]bool, len(g.Lengths))}
	round := shortRound
	if elapsed >= manySeconds {
		round = longRound
	}
	spread, cost, all := make([]float64, len(weights)), make([]float64, len(weights)), 0.0
	for l := range weights {
		shortest, longest := next.window(l)
		for m := range g.Methods {
			if next.Units[l][m] = g.competes(l, m); next.Units[l][m] {
				cost[l] += max(math.Sqrt(shortest*longest), g.loopSeconds(l, m)) + overhead
			}
		}
		if !next.Light[l] {
			spread[l] = weights[l] * g.course.tracks[l].deviation()
			all += spread[l] * math.Sqrt(cost[l])
		}
	}
	counted := append(g.OfKind(patterns.KindRing), g.OfKind(patterns.KindRandom)...)
	for l := range weights {
		n := int(math.Round(round / all * spread[l] / math.Sqrt(cost[l])))
		n = min(max(n, leastVisits), len(counted))
		next.Patterns[l] = g.least(l, counted, n)
		seconds += float64(n) * cost[l]
	}
	return next, seconds
}

// overhead is about the time of a measurement besides its loops, in seconds.
const overhead = 1e-4

// window returns the time of a sample of a length, at least and at most.
func (t *turn) window(l int) (shortest, longest float64) {
	switch {
	case t.First || t.Light[l]:
		return lightWindow[0], lightWindow[1]
	}
	return fullWindow[0], fullWindow[1]
}

// light returns the lightest lengths, which have little of b_eff together.
func (g *Grid) light(weights []float64) []bool {
	order, light := make([]int, len(weights)), make([]bool, len(weights))
	for l := range order {
		order[l] = l
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(weights[a], weights[b]) })
	sum := 0.0
	for _, l := range order {
		sum += weights[l]
		light[l] = sum <= lightest
	}
	return light
}

// loopSeconds returns the mean time of a loop of a length by a method.
func (g *Grid) loopSeconds(l, m int) float64 {
	sum, n := 0.0, 0.0
	for p := range g.Patterns {
		if b := g.Alone(p, l, m); b > 0 {
			sum, n = sum+float64(g.Lengths[l]*g.Patterns[p].Messages)/b, n+1
		}
	}
	return sum / max(n, 1)
}

// deviation returns the standard deviation of a visit with the levels; 1 if it isn't known yet.
func (t *track) deviation() float64 {
	if t.rounds < 2 {
		return 1
	}
	levels := slices.DeleteFunc(slices.Clone(t.levels), math.IsNaN)
	return math.Hypot(t.noise, stats.Deviation(levels)) + 1e-6
}

// least returns the n patterns that rounds with long loops measured least at a length, by their weights in b_eff.
// Parts of the golden ratio mix those that were measured alike.
func (g *Grid) least(l int, counted []int, n int) []bool {
	weight := map[patterns.Kind]float64{}
	for _, p := range counted {
		weight[g.Patterns[p].Kind]++
	}
	times := make([]float64, len(g.Patterns))
	for _, p := range counted {
		_, n := math.Modf(float64(p) / math.Phi)
		for r := 1; r < g.Repetitions; r++ {
			if !math.IsNaN(g.InRepetition(p, l, r)) {
				n++
			}
		}
		times[p] = n * weight[g.Patterns[p].Kind]
	}
	chosen, order := make([]bool, len(g.Patterns)), slices.Clone(counted)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(times[a], times[b]) })
	for _, p := range order[:n] {
		chosen[p] = true
	}
	return chosen
}

// The times of a sample in seconds, at least and at most: of a quick run, and of the first round and light lengths.
var (
	shortWindow = [2]float64{0.5e-3, 1e-3}
	lightWindow = [2]float64{0.15e-3, 0.3e-3}
)

// loopsAdaptive is the paper's rule with shorter times. The first round begins with the longest messages, whose times
// tell the loops of the next shorter ones, so that none are tried.
type loopsAdaptive struct {
	*loops2001
	next *turn
}

func newLoopsAdaptive(p *Plan) *loopsAdaptive { return &loopsAdaptive{newLoops2001(p), nil} }

func (r *loopsAdaptive) start(round, length int) {
	const tolerance = 0.8
	shortest, longest := r.next.window(length)
	r.target, r.shortest = math.Sqrt(shortest*longest), tolerance*shortest
	if round == 0 {
		r.shortest /= 2 // the loops are those of another length
	}
}

func (r *loopsAdaptive) loops(a at) int64 {
	known := r.known(a)
	if r.again > 0 || known[a.length] > 0 {
		return r.loops2001.loops(a)
	}
	if a.length == len(known)-1 {
		return 1
	}
	const shorter = 1.4 // about the root of the ratio of neighbouring lengths
	return max(1, loopsFor(r.target*shorter, known[a.length+1]))
}

// competes reports whether a method may be the best of a length: in the mean over rings and randoms it is not slower
// than the best by more than the patterns differ, or by little.
func (g *Grid) competes(l, m int) bool {
	var distances []float64
	for _, kind := range []patterns.Kind{patterns.KindRing, patterns.KindRandom} {
		for _, p := range g.OfKind(kind) {
			best := maximum(len(g.Methods), func(m int) float64 { return g.Alone(p, l, m) })
			distances = append(distances, math.Log(best/g.Alone(p, l, m)))
		}
	}
	mean, _ := stats.Mean(distances, rating.Confidence)
	return !(mean > max(slower, 2*stats.Deviation(distances)))
}

// expectedBest returns the expected best of three of some values without NaN; NaN if there are none. Three of n lie
// below the k-th smallest with the probability C(k,3)/C(n,3); below three it is (k/n)³.
func expectedBest(values []float64) float64 {
	list := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	if len(list) == 0 {
		return math.NaN()
	}
	slices.Sort(list)
	expected, last := 0.0, 0.0
	for k, b := range list {
		chance := ofThree(k+1, len(list))
		expected += b * (chance - last)
		last = chance
	}
	return expected
}

// ofThree returns the probability with which three values of n are among the k smallest.
func ofThree(k, n int) float64 {
	if n < repetitions {
		part := float64(k) / float64(n)
		return part * part * part
	}
	return float64(k*(k-1)*(k-2)) / float64(n*(n-1)*(n-2))
}

// Counts returns how often the rings and randoms of lengths from, …, to-1 were measured: the least and the most of all
// patterns and methods.
func (g *Grid) Counts(from, to int) (least, most int) {
	least = g.Repetitions
	for _, p := range append(g.OfKind(patterns.KindRing), g.OfKind(patterns.KindRandom)...) {
		for l := from; l < to; l++ {
			for m := range g.Methods {
				n := 0
				for _, b := range g.Each(p, l, m) {
					if !math.IsNaN(b) {
						n++
					}
				}
				least, most = min(least, n), max(most, n)
			}
		}
	}
	return least, most
}
