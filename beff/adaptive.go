package beff

import (
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

// An adaptive run estimates the b_eff of a full one in rounds. The first round measures everything once, with the short
// loops of a quick run. Each further one measures the lengths and methods that process 0 chooses by the samples so far:
//
//   - Short lengths that have no weight in b_eff together are not measured again.
//   - A method that is slower than the best of a length in all patterns together, by more than patterns differ, isn't
//     measured again at that length.
//   - The others are measured in each of the first rounds, then in proportion to weight times spread (Neyman, 1934), so
//     that time goes where it narrows the interval most.
//
// A measurement's bandwidth is the expected best of three repetitions of each method, of which a full run takes the
// best, whatever the number of its samples is.

const (
	// leastRounds is the number of rounds before the interval is trusted.
	leastRounds = 4
	// mostRounds bounds an adaptive run whose interval doesn't get narrow.
	mostRounds = 60
	// lightest is the part of b_eff that lengths may have together that are measured once.
	lightest = 0.02
	// slower is the least distance of a method from the best one, as a part, with which it is not measured again.
	slower = 0.03
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
	Done  bool
	Units [][]bool // by length and method: measured in this round
}

// everything returns the turn of the first round.
func (p *Plan) everything() turn {
	t := turn{Units: make([][]bool, len(p.Lengths))}
	for l := range t.Units {
		t.Units[l] = make([]bool, len(p.Methods))
		for m := range t.Units[l] {
			t.Units[l][m] = true
		}
	}
	return t
}

// measureAdaptive measures rounds until the interval of b_eff is narrow, or the time is over.
func (m *measurer) measureAdaptive() error {
	rule := m.plan.loopRule()
	for round, next := m.firstTurn(rule); !next.Done; round++ {
		began := m.Seconds()
		for length, bytes := range m.plan.Lengths {
			if !slices.Contains(next.Units[length], true) {
				continue
			}
			if _, err := m.execute(rewind(m.World, bytes, m.buffers[:]...), mpi.Loops{Timed: 1}); err != nil {
				return err
			}
			rule.start(round, length)
			if err := m.each(at{repetition: round, length: length}, func(a at) error {
				if !next.Units[length][a.method] {
					return nil
				}
				return m.sample(rule, a)
			}); err != nil {
				return err
			}
			if err := m.finishLength(); err != nil {
				return err
			}
		}
		var err error
		next, err = job.Decide(m.World, func() (turn, error) {
			left := math.Inf(1)
			if m.plan.AtMost > 0 {
				left = m.plan.AtMost.Seconds() - m.earlier - m.Seconds()
			}
			return m.plan.next(m.out.Samples, left < m.Seconds()-began), nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// next returns the turn after the rounds that have these samples. late is true if there is no time for another one.
func (p *Plan) next(samples []Sample, late bool) turn {
	r := &Result{}
	r.plan(p, samples)
	if late || r.Repetitions >= mostRounds {
		return turn{Done: true}
	}
	g := NewGrid(r)
	bEff := g.rating()
	if in := g.Within(bEff); r.Repetitions >= leastRounds && in.Part(bEff) <= p.Within {
		return turn{Done: true}
	}
	weights := g.weights()
	wanted := g.allocation(weights)
	next, some := p.everything(), false
	for l, units := range next.Units {
		measured := 0
		for _, level := range g.levelsOf(l) {
			if !math.IsNaN(level) {
				measured++
			}
		}
		again := wanted[l] > 0 && (r.Repetitions < leastRounds || float64(measured) <= wanted[l]*float64(r.Repetitions))
		for m := range units {
			units[m] = again && g.competes(l, m)
			some = some || units[m]
		}
	}
	switch {
	case some:
		return next
	case r.Repetitions < leastRounds: // nothing spreads, and there is no interval yet
		return p.everything()
	}
	return turn{Done: true}
}

// withinRounds returns the interval of b_eff by leaving out one round after the other. A measurement that no other
// round has keeps its samples.
func (g *Grid) withinRounds(bEff float64) *rating.Interval {
	without := make([]float64, g.Repetitions)
	for r := range without {
		others := *g
		others.best = slices.Clone(g.best)
		for i := range others.best {
			if !slices.ContainsFunc(g.lists(i, func(k int) bool { return k == r }), notEmpty) {
				continue
			}
			lists := g.lists(i, func(k int) bool { return k != r })
			for m, list := range g.lists(i, func(int) bool { return true }) {
				if len(lists[m]) == 0 {
					lists[m] = list
				}
			}
			others.best[i] = expectedBest(lists)
		}
		without[r] = math.Log(others.rating())
	}
	variance, freedom := stats.Jackknife([][]float64{without})
	if freedom == 0 {
		return rating.Around(bEff, 0, rating.ByRounds)
	}
	return rating.Around(bEff, stats.Student((1+rating.Confidence)/2, freedom)*math.Sqrt(variance), rating.ByRounds)
}

func notEmpty(list []float64) bool { return len(list) > 0 }

// allocation returns, for each length, the part of the rounds in which it is measured: 1 for the one with the largest
// product of weight and spread, 0 for the lightest.
func (g *Grid) allocation(weights []float64) []float64 {
	order := make([]int, len(weights))
	for l := range order {
		order[l] = l
	}
	slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, weights[a]-weights[b])) })
	wanted, largest, light := make([]float64, len(weights)), 0.0, 0.0
	for _, l := range order {
		if light += weights[l]; light <= lightest {
			continue
		}
		spread := 1.0 // not known yet
		if levels := slices.DeleteFunc(g.levelsOf(l), math.IsNaN); len(levels) > 1 {
			spread = stats.Deviation(levels)
		}
		wanted[l] = weights[l] * spread
		largest = max(largest, wanted[l])
	}
	for l := range wanted {
		if largest > 0 {
			wanted[l] /= largest
		}
	}
	return wanted
}

// levelsOf returns the logarithm of the average over rings and randoms of a length in each round, by the best method of
// the round; NaN where it wasn't measured.
func (g *Grid) levelsOf(l int) []float64 {
	levels := make([]float64, g.Repetitions)
	for r := range levels {
		levels[r] = math.Log(g.Both(func(p int) float64 { return g.InRepetition(p, l, r) }))
	}
	return levels
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

// expectedBest returns the expected best of three repetitions of each method, of which lists holds the repetitions that
// were measured; NaN if there are none. Three of n repetitions lie below the k-th smallest with the probability
// C(k,3)/C(n,3); below three repetitions it is (k/n)³.
func expectedBest(lists [][]float64) float64 {
	type one struct {
		b      float64
		method int
	}
	var all []one
	counts := make([]int, len(lists))
	for m, list := range lists {
		for _, b := range list {
			if !math.IsNaN(b) {
				all = append(all, one{b, m})
				counts[m]++
			}
		}
	}
	if len(all) == 0 {
		return math.NaN()
	}
	slices.SortFunc(all, func(x, y one) int { return int(math.Copysign(1, x.b-y.b)) })
	below := make([]int, len(lists))
	expected, last := 0.0, 0.0
	for _, x := range all {
		below[x.method]++
		chance := 1.0
		for m, n := range counts {
			chance *= ofThree(below[m], n)
		}
		expected += x.b * (chance - last)
		last = chance
	}
	return expected
}

// ofThree returns the probability with which three repetitions of n are among the k smallest; 1 without any.
func ofThree(k, n int) float64 {
	switch {
	case n == 0:
		return 1
	case n < 3:
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
