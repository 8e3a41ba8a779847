package beff

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// The rounds of an adaptive run measure some of the patterns of a length each. The logarithm of a visit's bandwidth, by
// the best of the methods that it measured, is taken for
//
//	mean of rings or of randoms + its pattern + level of the length in this round + noise
//
// Patterns, levels and noise are random with variances that pairs of visits tell: those of one pattern differ by levels
// and noise, those of one round by patterns and noise, others by all three. Each pattern and level is then shrunk to
// 0 by what is noise in it (best linear unbiased prediction, Henderson, 1975). So patterns that don't differ, as of two
// processes, are equal, and what is left over has the shape of the noise. Means of a few visits would make it alike to
// both sides, although disturbances go to one: the best of three would gain by them.
//
// The levels show what the machine does while it is measured. All patterns of a length have the same noise, so that the
// expected best of three repetitions is above a pattern's own level by a factor that they have in common. The short
// round has a level of its own, which is of no interest.

// track is a length over the rounds.
type track struct {
	levels  []float64 // of each round: logarithms; NaN where the length wasn't measured
	errors  []float64 // standard errors of the levels by the noise of visits
	means   []float64 // of each round: the mean of its visits, as levels are
	noise   float64   // standard deviation of a visit
	visits  int
	rounds  int       // in which it was measured
	pattern []float64 // logarithm of the expected best of three repetitions of each pattern; NaN without visits

	variances
	short  int       // rounds with short loops
	count  []float64 // visits of each pattern
	each   []float64 // visits of all rounds
	shrunk []float64 // levels of all rounds, to 0
}

// visit is a pattern of a length in a round.
type visit struct {
	pattern, round int
	random         bool    // else of a ring
	log            float64 // of the bandwidth
	short          bool    // of the first round, if there are others: with short loops
	disturbed      bool    // it took twice as long as the pattern's best visit
	level          float64 // of its round
	rest           float64 // without pattern and level
}

func newTrack(patterns, short, rounds int) track {
	return track{short: short, pattern: make([]float64, patterns), count: make([]float64, patterns),
		levels: make([]float64, rounds), shrunk: make([]float64, short+rounds), each: make([]float64, short+rounds),
		errors: make([]float64, rounds), means: make([]float64, rounds)}
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
		if len(list) > 0 {
			t.pattern[p] = math.Log(expectedBest(list))
		}
	}
}

// fit finds patterns and levels, with variances that are better the more of the patterns and levels are known.
func (t *track) fit(visits []visit) {
	own := make([]float64, len(t.pattern))
	clear(t.shrunk)
	const tries = 4
	for range tries {
		t.variances = t.variancesOf(visits, own)
		mean := t.effects(visits, own)
		for p := range t.pattern {
			t.pattern[p] = math.NaN()
		}
		for i := range visits {
			v := &visits[i]
			t.pattern[v.pattern] = mean[state(v.random)] + own[v.pattern]
			v.level = t.shrunk[v.round]
			v.rest = v.log - t.pattern[v.pattern] - v.level
		}
	}
}

// effects finds own patterns and levels, in turns, and returns the means of rings and randoms.
func (t *track) effects(visits []visit, own []float64) (mean [2]float64) {
	const iterations, settled = 100, 1e-6
	toPattern, toLevel := over(t.ofNoise, t.ofPatterns), over(t.ofNoise, t.ofLevels)
	for range iterations {
		var n [2]float64
		var sums [2]float64
		for _, v := range visits {
			if !v.disturbed {
				k := state(v.random)
				sums[k], n[k] = sums[k]+v.log-own[v.pattern]-t.shrunk[v.round], n[k]+1
			}
		}
		for k := range mean {
			if n[k] > 0 {
				mean[k] = sums[k] / n[k]
			}
		}
		predict(own, t.count, visits, func(v visit) (int, float64, float64) {
			return v.pattern, v.log - mean[state(v.random)] - t.shrunk[v.round], toPattern
		})
		before := slices.Clone(t.shrunk)
		predict(t.shrunk, t.each, visits, func(v visit) (int, float64, float64) {
			if v.short {
				return v.round, v.log - mean[state(v.random)] - own[v.pattern], 0
			}
			return v.round, v.log - mean[state(v.random)] - own[v.pattern], toLevel
		})
		moved := 0.0
		for r, level := range t.shrunk {
			moved = max(moved, math.Abs(level-before[r]))
		}
		if moved < settled {
			break
		}
	}
	return mean
}

// predict sets effects to the sums of what visits say of them, over their numbers and what shrinks them. It sets counts
// to the numbers.
func predict(effects, counts []float64, visits []visit, of func(visit) (i int, x, shrink float64)) {
	n, shrinks := make([]float64, len(effects)), make([]float64, len(effects))
	clear(effects)
	for _, v := range visits {
		if !v.disturbed {
			i, x, shrink := of(v)
			effects[i], n[i], shrinks[i] = effects[i]+x, n[i]+1, shrink
		}
	}
	for i := range effects {
		if n[i] > 0 {
			effects[i] /= n[i] + shrinks[i]
		}
	}
	copy(counts, n)
}

// over returns the quotient of two variances, of which the second one may be 0.
func over(a, b float64) float64 {
	switch {
	case math.IsInf(b, 1):
		return 0
	case b == 0:
		return math.Inf(1)
	}
	return a / b
}

// variances are those of patterns, levels and noise.
type variances struct{ ofPatterns, ofLevels, ofNoise float64 }

// variancesOf returns what pairs of visits with long loops say of the variances, less the own patterns and the levels
// that are known. Where no pattern was visited twice, each is by itself.
func (t *track) variancesOf(visits []visit, own []float64) variances {
	var mean, n [2]float64
	counts := func(v visit) bool { return !v.short && !v.disturbed }
	for _, v := range visits {
		if counts(v) {
			mean[state(v.random)] += v.log
			n[state(v.random)]++
		}
	}
	var plain, levels, patterns pairsOf
	rest, all := 0.0, 0.0
	for _, v := range visits {
		if !v.disturbed {
			all++
		}
		if counts(v) {
			x := v.log - mean[state(v.random)]/n[state(v.random)]
			plain.add(v, x)
			levels.add(v, x-own[v.pattern])
			patterns.add(v, x-t.shrunk[v.round])
			rest += v.rest * v.rest
		}
	}
	ofPattern, ofRound, other := plain.means()
	if math.IsNaN(ofPattern + ofRound + other) {
		return variances{ofPatterns: math.Inf(1)}
	}
	_, ofRound, other = levels.means()
	found := variances{ofLevels: max(0, other-ofRound)}
	ofPattern, _, other = patterns.means()
	found.ofPatterns = max(0, other-ofPattern)
	if t.ofNoise == 0 { // the first estimate
		ofPattern, ofRound, other = plain.means()
		found.ofNoise = max(0, ofPattern+ofRound-max(ofPattern, ofRound, other))
		return found
	}
	free := all - float64(len(mean))
	for _, n := range t.count {
		free -= n / (n + over(t.ofNoise, t.ofPatterns))
	}
	for _, m := range t.each {
		free -= m / (m + over(t.ofNoise, t.ofLevels))
	}
	found.ofNoise = rest / (n[0] + n[1]) * all / max(1, free)
	return found
}

// pairsOf adds up all visits, those of the same pattern and those of the same round.
type pairsOf struct{ all, patterns, rounds pairs }

func (p *pairsOf) add(v visit, x float64) {
	p.all.add(0, x)
	p.patterns.add(v.pattern, x)
	p.rounds.add(v.round, x)
}

// means returns half of the mean squared differences of visits of the same pattern, of the same round and of others;
// NaN if there are none.
func (p *pairsOf) means() (ofPattern, ofRound, other float64) {
	all, nAll := p.all.squares()
	patterns, nPatterns := p.patterns.squares()
	rounds, nRounds := p.rounds.squares()
	return patterns / nPatterns, rounds / nRounds, (all - patterns - rounds) / (nAll - nPatterns - nRounds)
}

// pairs adds up values in groups.
type pairs []struct{ n, sum, squares float64 }

func (p *pairs) add(group int, x float64) {
	if missing := group + 1 - len(*p); missing > 0 {
		*p = append(*p, make(pairs, missing)...)
	}
	g := &(*p)[group]
	g.n, g.sum, g.squares = g.n+1, g.sum+x, g.squares+x*x
}

// squares returns half of the sum of the squared differences of all pairs in groups, and the number of pairs.
func (p pairs) squares() (sum, n float64) {
	for _, g := range p {
		sum += (g.n*g.squares - g.sum*g.sum) / 2
		n += g.n * (g.n - 1) / 2
	}
	return sum, n
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

// later returns the visits with long loops. Their rounds are counted from 0.
func (t *track) later(visits []visit) []visit {
	visits = slices.DeleteFunc(visits, func(v visit) bool { return v.short })
	for i := range visits {
		visits[i].round -= t.short
	}
	t.visits = len(visits)
	return visits
}

// spread sets the noise, the levels with their errors, and rests to their expected size: what is left of visits when
// their pattern is taken off is too small by what these visits have made of the pattern.
func (t *track) spread(visits []visit) {
	rests := make([][]float64, len(t.levels))
	for i := range visits {
		v := &visits[i]
		if v.disturbed {
			continue
		}
		rests[v.round] = append(rests[v.round], v.level+v.rest)
		n := t.count[v.pattern]
		part := n / (n + over(t.ofNoise, t.ofPatterns))
		left := t.ofNoise * (1 + part*(part-2)/n)
		if t.ofPatterns < math.Inf(1) {
			left += (1 - part) * (1 - part) * t.ofPatterns
		}
		if left > 0 {
			v.rest *= math.Sqrt(t.ofNoise / left)
		}
	}
	t.noise = math.Sqrt(t.ofNoise)
	const ofMedian = 1.2533 // of normal values: the error of the median over that of the mean
	for r, list := range rests {
		t.levels[r], t.means[r], t.errors[r] = math.NaN(), math.NaN(), t.noise
		if len(list) > 0 {
			t.rounds++
			t.means[r], _ = stats.Mean(list, rating.Confidence)
			t.levels[r] = median(list)
			t.errors[r] = ofMedian * t.noise / math.Sqrt(float64(len(list)))
		}
	}
}
