package beff

import (
	"cmp"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/patterns"
)

// The rounds of an adaptive run measure some of the patterns of a length each. The logarithm of a visit's bandwidth, by
// the best of the methods that it measured, is taken for
//
//	that of its pattern + level of the length in this round + noise
//
// The levels show what the machine does while it is measured. All patterns of a length have the same noise, so that the
// expected best of three repetitions is above a pattern's own level by a factor that they have in common. The short
// loops of the first round tell only how patterns differ: they have a level of their own, which is of no interest.

// course is what an adaptive run shows over its rounds.
type course struct {
	seconds []float64 // of each round but the first of several, in timed loops
	third   []int     // of the run, in which the middle of each round lies
	tracks  []track   // of each length
	pass    float64   // seconds of a full run between the repetitions of a measurement
}

// track is a length over the rounds.
type track struct {
	levels  []float64 // of each round: logarithms; NaN where the length wasn't measured
	errors  []float64 // standard errors of the levels by the noise of visits
	means   []float64 // of each round: the mean of its visits, as levels are
	noise   float64   // standard deviation of a visit
	visits  int
	rounds  int       // in which it was measured
	count   []float64 // of each pattern: visits that its mean is of
	own     bool      // patterns differ by more than the noise of a visit
	pattern []float64 // logarithm of the expected best of three repetitions of each pattern; NaN without visits
}

// visit is a pattern of a length in a round.
type visit struct {
	pattern, round int
	log            float64 // of the bandwidth
	rest           float64 // without pattern and level
	short          bool    // of the first round, if there are others: with short loops
	alone          bool    // no other round measured the pattern
	again          bool    // rounds with long loops measured the pattern more than once
	disturbed      bool    // it took twice as long as the pattern's best visit
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
		if kind := g.Patterns[p].Kind; kind != patterns.KindRing && kind != patterns.KindRandom {
			continue
		}
		n := len(list)
		for r := range g.Repetitions {
			if b := g.InRepetition(p, l, r); !math.IsNaN(b) {
				list = append(list, visit{pattern: p, round: r, log: math.Log(b), short: r == 0 && g.Repetitions > 1})
			}
		}
		if len(list) == n+1 {
			list[n].alone = true
		}
	}
	return list
}

// track separates patterns, levels and noise of a length's visits, of as many patterns. So many rounds are short.
func (c *course) track(of, short int, visits []visit) track {
	t := track{pattern: make([]float64, of), count: make([]float64, of), levels: make([]float64, short+len(c.seconds)),
		errors: make([]float64, len(c.seconds)), means: make([]float64, len(c.seconds))}
	const tries = 2
	for range tries {
		t.fit(visits)
		t.disturbed(visits)
	}
	t.fit(visits)
	visits = t.later(short, visits)
	t.visits = len(visits)
	t.spread(visits)
	if t.noise > unsettled {
		t.byItself(visits)
		return t
	}
	if gain := c.bestOfThree(visits, &t); gain > 0 {
		for p := range t.pattern {
			t.pattern[p] += math.Log(gain)
		}
	}
	return t
}

// unsettled is the noise from which on visits say nothing of each other: half of them differ by 1.5 times.
const unsettled = 0.3

// byItself sets each pattern to the expected best of three of its own visits, which is never above all of them.
func (t *track) byItself(visits []visit) {
	own := make([][]float64, len(t.pattern))
	for _, v := range visits {
		own[v.pattern] = append(own[v.pattern], math.Exp(v.log))
	}
	for p, list := range own {
		t.pattern[p] = math.Log(expectedBest(list))
	}
}

// fit finds patterns and levels, in turns.
func (t *track) fit(visits []visit) {
	const iterations, settled = 30, 1e-5
	for range iterations {
		t.average(visits)
		before := slices.Clone(t.levels)
		t.level(visits)
		moved := 0.0
		for r, level := range t.levels {
			if !math.IsNaN(level) {
				moved = max(moved, math.Abs(level-before[r]))
			}
		}
		if moved < settled {
			return
		}
	}
}

// average sets each pattern to the mean of its visits without the levels. The one with short loops counts only until
// there are two others.
func (t *track) average(visits []visit) {
	later := make([]float64, len(t.pattern))
	for _, v := range visits {
		if !v.short && !v.disturbed {
			later[v.pattern]++
		}
	}
	clear(t.pattern)
	clear(t.count)
	for i := range visits {
		v := &visits[i]
		v.again = later[v.pattern] > 1
		if !v.disturbed && !(v.short && v.again) {
			t.count[v.pattern]++
			t.pattern[v.pattern] += v.log
			if level := t.levels[v.round]; !math.IsNaN(level) {
				t.pattern[v.pattern] -= level
			}
		}
	}
	for p, n := range t.count {
		t.pattern[p] /= n
	}
}

// later returns the visits with long loops, and leaves out the levels of the short rounds.
func (t *track) later(short int, visits []visit) []visit {
	for _, level := range t.levels[:short] {
		if !math.IsNaN(level) {
			t.rounds--
		}
	}
	t.levels = t.levels[short:]
	visits = slices.DeleteFunc(visits, func(v visit) bool { return v.short })
	for i := range visits {
		visits[i].round -= short
	}
	return visits
}

// level sets the level of each round to the median of its visits without their patterns. Patterns with a single visit
// say nothing of it.
func (t *track) level(visits []visit) {
	rests := make([][]float64, len(t.levels))
	for i := range visits {
		v := &visits[i]
		if v.rest = v.log - t.pattern[v.pattern]; !v.alone && !v.disturbed {
			rests[v.round] = append(rests[v.round], v.rest)
		}
	}
	t.rounds = 0
	for r, list := range rests {
		t.levels[r] = math.NaN()
		if len(list) > 0 {
			t.levels[r] = median(list)
			t.rounds++
		}
	}
	for i := range visits {
		if level := t.levels[visits[i].round]; !math.IsNaN(level) {
			visits[i].rest -= level
		}
	}
}

// disturbed marks visits that took twice as long as the best one of their pattern. If they are many, they are none: the
// machine is like that.
func (t *track) disturbed(visits []visit) {
	best := make([]float64, len(t.pattern))
	for i := range best {
		best[i] = math.Inf(-1)
	}
	for _, v := range visits {
		best[v.pattern] = max(best[v.pattern], v.rest)
	}
	n := 0
	for i := range visits {
		v := &visits[i]
		if v.disturbed = v.rest < best[v.pattern]-math.Log(twice); v.disturbed {
			n++
		}
	}
	const few = 0.05
	if float64(n) > few*float64(len(visits)) {
		for i := range visits {
			visits[i].disturbed = false
		}
	}
}

// spread sets the noise of a visit and the errors of the levels. What is left of n visits of a pattern is too small by
// the root of (n-1)/n.
func (t *track) spread(visits []visit) {
	each := make([]float64, len(t.levels))
	for _, v := range visits {
		if !v.alone && !v.disturbed {
			each[v.round]++
		}
	}
	n, squares, sums := 0.0, 0.0, make([]float64, len(t.levels))
	for i := range visits {
		v := &visits[i]
		if !v.alone && !v.disturbed {
			sums[v.round] += v.rest
		}
		if of := t.count[v.pattern]; of > 1 && !v.disturbed {
			v.rest *= math.Sqrt(of / (of - 1))
			n, squares = n+1, squares+v.rest*v.rest
		}
	}
	t.noise = math.Sqrt(squares / max(n, 1))
	const ofMedian = 1.2533 // of normal values: the error of the median over that of the mean
	for r := range t.errors {
		t.means[r] = sums[r]/each[r] + t.levels[r]
		t.errors[r] = ofMedian * t.noise / math.Sqrt(max(each[r], 1))
	}
	t.shrink(visits)
}

// shrink sets the rests of visits to those over shrunk means of the patterns (James and Stein, 1961): patterns that
// differ by no more than their means' noise are taken for equal. Rests over the mean of a few visits look alike to both
// sides, although disturbances go to one: the best of three would gain by them.
func (t *track) shrink(visits []visit) {
	var means, times []float64
	for p, n := range t.count {
		if n > 0 {
			means, times = append(means, t.pattern[p]), append(times, n)
		}
	}
	mean, squares, all, noise := 0.0, 0.0, 0.0, 0.0
	for i, n := range times {
		mean, all = mean+n*means[i], all+n
	}
	mean /= all
	for i, n := range times {
		squares += (means[i] - mean) * (means[i] - mean)
		noise += t.noise * t.noise / n
	}
	differ := max(0, squares/max(1, float64(len(means)-1))-noise/float64(len(means)))
	t.own = differ > t.noise*t.noise
	for i := range visits {
		v := &visits[i]
		level, n := t.levels[v.round], t.count[v.pattern]
		if math.IsNaN(level) || n == 0 {
			continue
		}
		part := 0.0
		if differ > 0 {
			part = differ / (differ + t.noise*t.noise/n)
		}
		v.rest = v.log - level - (mean + part*(t.pattern[v.pattern]-mean))
		if left := (1-part)*(1-part)*differ + t.noise*t.noise*(1+part*(part-2)/n); left > 0 {
			v.rest *= t.noise / math.Sqrt(left)
		}
	}
}

// bestOfThree returns the expected best of three visits over the mean of all, one of each third of the run, so that
// they are as far apart as the repetitions of a full run. A third counts its rounds by their time. Where patterns
// differ, those that long loops measured once aren't asked while there are others: short loops spread more. It returns 0
// if nothing is known.
func (c *course) bestOfThree(visits []visit, t *track) float64 {
	type value struct {
		b     float64
		third int
		part  float64
	}
	again := t.own && slices.ContainsFunc(visits, func(v visit) bool { return v.again && !v.disturbed })
	counts := func(v visit) bool { return !v.alone && !v.disturbed && (v.again || !again) }
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
			x := value{math.Exp(t.levels[v.round] + v.rest), c.third[v.round], c.seconds[v.round] / each[v.round]}
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
