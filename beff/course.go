package beff

import (
	"cmp"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/patterns"
)

// course is what an adaptive run shows over its rounds. The short loops of the first round tell only how patterns
// differ.
type course struct {
	seconds []float64 // of each round but the first of several, in timed loops
	third   []int     // of the run, in which the middle of each round lies
	tracks  []track   // of each length
	pass    float64   // seconds of a full run between the repetitions of a measurement
}

// newCourse returns what the samples of an adaptive run show.
func newCourse(g *Grid) *course {
	seconds := make([]float64, g.Repetitions)
	c := &course{tracks: make([]track, len(g.Lengths))}
	for _, s := range g.Samples {
		if g.holds(s) {
			seconds[s.Repetition] += s.Seconds
			if s.Repetition == 0 {
				c.pass += besides * max(fullSample, s.Seconds/float64(s.Loops))
			}
		}
	}
	short := min(1, g.Repetitions-1)
	c.seconds = seconds[short:]
	c.third = make([]int, len(c.seconds))
	past, all := 0.0, 0.0
	for _, seconds := range c.seconds {
		all += seconds
	}
	for r, seconds := range c.seconds {
		c.third[r] = min(int(repetitions*(past+seconds/2)/all), repetitions-1)
		past += seconds
	}
	for l := range g.Lengths {
		c.tracks[l] = c.track(len(g.Patterns), short, g.visits(l))
	}
	return c
}

// visits returns the visits of the rings and randoms of a length.
func (g *Grid) visits(l int) (list []visit) {
	for p := range g.Patterns {
		kind := g.Patterns[p].Kind
		if kind != patterns.KindRing && kind != patterns.KindRandom {
			continue
		}
		for r := range g.Repetitions {
			if b := g.InRepetition(p, l, r); !math.IsNaN(b) {
				list = append(list, visit{pattern: p, random: kind == patterns.KindRandom, round: r, log: math.Log(b),
					short: r == 0 && g.Repetitions > 1})
			}
		}
	}
	return list
}

// track separates patterns, levels and noise of a length's visits, of as many patterns. So many rounds are short.
func (c *course) track(of, short int, visits []visit) track {
	t := newTrack(of, short, len(c.seconds))
	const tries = 2
	for range tries {
		t.fit(visits)
		t.disturbed(visits)
	}
	t.fit(visits)
	visits = t.later(visits)
	t.spread(visits)
	if t.noise > unsettled {
		t.byItself(visits)
		return t
	}
	if gain := c.bestOfThree(visits); gain > 0 {
		for p := range t.pattern {
			t.pattern[p] += math.Log(gain)
		}
	}
	return t
}

// bestOfThree returns the expected best of three visits over the mean of all, one of each third of the run, so that
// they are as far apart as the repetitions of a full run. A third counts its rounds by their time. It returns 0 if
// nothing is known.
func (c *course) bestOfThree(visits []visit) float64 {
	type value struct {
		b     float64
		third int
		part  float64
	}
	counts := func(v visit) bool { return !v.disturbed }
	each := make([]float64, len(c.seconds)) // visits of a round
	for _, v := range visits {
		if counts(v) {
			each[v.round]++
		}
	}
	var all []value
	var sum [repetitions]float64
	for _, v := range visits {
		if counts(v) {
			x := value{math.Exp(v.level + v.rest), c.third[v.round], c.seconds[v.round] / each[v.round]}
			sum[x.third] += x.part
			all = append(all, x)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.SortFunc(all, func(x, y value) int { return cmp.Compare(x.b, y.b) })
	whole := sum[0] + sum[1] + sum[2]
	var below [repetitions]float64
	expected, last := 0.0, 0.0
	for _, x := range all {
		below[x.third] += x.part
		chance := 1.0
		for third, part := range below {
			if sum[third] > 0 {
				chance *= part / sum[third]
			} else { // nothing was measured then
				chance *= (below[0] + below[1] + below[2]) / whole
			}
		}
		expected += x.b * (chance - last)
		last = chance
	}
	return expected
}

// best returns the logarithm of the expected best of three repetitions of a pattern that counts for b_eff.
func (t *track) best(pattern int) (log float64, there bool) {
	log = t.pattern[pattern]
	return log, !math.IsNaN(log)
}
