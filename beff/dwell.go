package beff

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// An adaptive run is short beside the states of some machines. Its rounds show a change of state as levels that differ
// together. How much of the time each state has is known by how often it was left: after a single change next to
// nothing is known, and the interval is as wide as what the states differ.

const (
	// lightest is the part of b_eff that the lengths may have together whose loops are short and patterns few.
	lightest = 0.02
	// apart is the least distance of two states along the direction in which levels differ most, in standard errors of
	// a level. Noise alone has 7.
	apart = 9
	// sure is the least difference of a length's levels in the two states, in standard errors.
	sure = 3
	// ofThreeMeans is the variance of an expected best of three over that of a mean, by n normal visits.
	ofThreeMeans = 1.7
)

// batches are the numbers of parts of the run whose means show how steady it is. The wider interval counts, because a
// run ends as soon as it is narrow.
var batches = []int{6, 12}

// twoStates is what the rounds of an adaptive run show of a machine that has two states or more.
type twoStates struct {
	second  []bool     // of each round
	seconds [2]float64 // in each state
	left    [2]int     // how often
	slower  []float64  // by length: the logarithm of the bandwidth in the first state over the one in the second
}

// tracked returns the lengths that enough rounds have measured.
func (c *course) tracked() (list []int) {
	for l := range c.tracks {
		if c.tracks[l].rounds >= leastRounds {
			list = append(list, l)
		}
	}
	return list
}

// states returns the states that the rounds have met; nil if all are alike.
func (c *course) states() *twoStates {
	const exact = 1e-6 // an error of machines without noise
	tracked := c.tracked()
	if len(tracked) == 0 {
		return nil
	}
	rows := make([][]float64, len(tracked))
	for i, l := range tracked {
		t := &c.tracks[l]
		rows[i] = make([]float64, len(t.levels))
		mean, weights := 0.0, 0.0
		for r, level := range t.levels {
			if !math.IsNaN(level) {
				w := 1 / (exact + t.errors[r]) / (exact + t.errors[r])
				mean, weights = mean+w*level, weights+w
			}
		}
		for r, level := range t.levels {
			if !math.IsNaN(level) {
				rows[i][r] = (level - mean/weights) / (exact + t.errors[r])
			}
		}
	}
	values, _ := stats.MainDirection(rows)
	least, most := slices.Min(values), slices.Max(values)
	if most-least < apart || !together(rows, values) {
		return nil
	}
	low, high := clusters(values)
	s := &twoStates{second: make([]bool, len(values)), slower: make([]float64, len(c.tracks))}
	now := values[0] < (low+high)/2
	for r, x := range values {
		was, quarter := now, (high-low)/4
		if now && x > high-quarter {
			now = false
		} else if !now && x < low+quarter {
			now = true
		}
		if r > 0 && now != was {
			s.left[state(was)]++
		}
		s.second[r] = now
		s.seconds[state(now)] += c.seconds[r]
	}
	// Rounds in which the state changed lie between the two.
	quarter, pure := (most-least)/4, make([]int, len(values))
	for r, x := range values {
		switch {
		case x >= most-quarter:
			pure[r] = 1
		case x <= least+quarter:
			pure[r] = 2
		}
	}
	for _, l := range tracked {
		s.slower[l] = c.tracks[l].between(pure)
	}
	return s
}

// together reports whether the levels of all lengths differ together more than each by itself, by their values along
// their main direction: states that last for less than a round don't do that. Each level has the variance 1 by its
// noise.
func together(rows [][]float64, values []float64) bool {
	all, along := 0.0, 0.0
	for _, row := range rows {
		for _, x := range row {
			all += x*x - 1
		}
	}
	for _, x := range values {
		along += x*x - 1
	}
	return along > half*all
}

// state returns the number of a state.
func state(second bool) int {
	if second {
		return 1
	}
	return 0
}

// clusters returns the means of two groups of values that are nearest to their own one.
func clusters(values []float64) (low, high float64) {
	const iterations = 20
	low, high = slices.Min(values), slices.Max(values)
	for range iterations {
		var sum, n [2]float64
		for _, x := range values {
			i := state(x > (low+high)/2)
			sum[i], n[i] = sum[i]+x, n[i]+1
		}
		if n[0] == 0 || n[1] == 0 {
			break
		}
		low, high = sum[0]/n[0], sum[1]/n[1]
	}
	return low, high
}

// between returns the median level of rounds in state 1 less that of rounds in state 2; 0 if that may be noise.
func (t *track) between(states []int) float64 {
	var levels [3][]float64
	var squares [3]float64
	for r, level := range t.levels {
		if i := states[r]; !math.IsNaN(level) {
			levels[i] = append(levels[i], level)
			squares[i] += t.errors[r] * t.errors[r]
		}
	}
	first, other := float64(len(levels[1])), float64(len(levels[2]))
	if first == 0 || other == 0 {
		return 0
	}
	difference := median(levels[1]) - median(levels[2])
	if math.Abs(difference) <= sure*math.Sqrt(squares[1]/first/first+squares[2]/other/other) {
		return 0
	}
	return difference
}

// within returns the interval of a value with some weights of the lengths, and how far the states of the machine may
// have moved its logarithm down and up.
func (c *course) within(value float64, weights []float64) (in *rating.Interval, below, above float64) {
	if len(c.seconds) < leastRounds {
		return nil, math.NaN(), math.NaN()
	}
	noise := 0.0
	for l := range c.tracks {
		if t := &c.tracks[l]; t.rounds > 1 {
			noise += weights[l] * weights[l] * t.noise * t.noise * ofThreeMeans / float64(t.visits)
		}
	}
	half := stats.Student((1+rating.Confidence)/2, float64(len(c.seconds))) * math.Sqrt(noise)
	for _, n := range batches {
		half = max(half, c.batches(weights, n))
	}
	in = rating.Around(value, half, rating.ByRounds)
	if s := c.states(); s != nil {
		below, above = s.span(c, weights)
		if max(below, above) > half {
			in.Low, in.High = value*math.Exp(-max(half, below)), value*math.Exp(max(half, above))
			in.Method = rating.ByStates
		}
	}
	return in, below, above
}

// batches returns half of the interval of the mean level, by those of n parts of the run that follow each other.
func (c *course) batches(weights []float64, n int) float64 {
	n = min(n, len(c.seconds))
	sums, seconds := make([]float64, n), make([]float64, n)
	for r, time := range c.seconds {
		level, all := 0.0, 0.0
		for l := range c.tracks {
			if x := c.tracks[l].means[r]; !math.IsNaN(x) && c.tracks[l].rounds > 1 {
				level, all = level+weights[l]*x, all+weights[l]
			}
		}
		if all > 0 {
			i := r * n / len(c.seconds)
			sums[i], seconds[i] = sums[i]+time*level, seconds[i]+time
		}
	}
	for i := range sums {
		sums[i] /= seconds[i]
	}
	return stats.Student((1+rating.Confidence)/2, float64(n-1)) * stats.Deviation(sums) / math.Sqrt(float64(n))
}

// span returns how far the true logarithm of a figure may lie below and above the one that the rounds give, by the
// share of the time that each state may have.
func (s *twoStates) span(c *course, weights []float64) (below, above float64) {
	rate := (float64(s.left[0])+half)/s.seconds[0] + (float64(s.left[1])+half)/s.seconds[1]
	if !(s.seconds[0] > 0 && s.seconds[1] > 0) {
		return 0, 0
	}
	low, high := stats.SecondShare(s.seconds, s.left, rating.Confidence)
	met := s.met(c)
	here := s.lost(weights, met, met)
	least, most := math.Inf(1), math.Inf(-1)
	const steps = 50
	for i := range steps + 1 {
		share := low + (high-low)*float64(i)/steps
		for _, alike := range []float64{0, math.Exp(-c.pass * rate)} {
			again := func(share float64) float64 { return share + (1-share)*alike }
			lost := s.lost(weights, met, [2]float64{(1 - share) * again(1-share) * again(1-share),
				share * again(share) * again(share)})
			least, most = min(least, lost), max(most, lost)
		}
	}
	return max(0, most-here), max(0, here-least)
}

// met returns the probability with which three repetitions, one of each third of the run, have all met one of the
// states.
func (s *twoStates) met(c *course) [2]float64 {
	var seconds [2][repetitions]float64
	for r, time := range c.seconds {
		seconds[state(s.second[r])][c.third[r]] += time
	}
	all := [2]float64{1, 1}
	for i := range all {
		for third := range repetitions {
			if both := seconds[0][third] + seconds[1][third]; both > 0 {
				all[i] *= seconds[i][third] / both
			} else {
				all[i] *= s.seconds[i] / (s.seconds[0] + s.seconds[1])
			}
		}
	}
	return all
}

// lost returns by how much the logarithm of a figure is below that of the better state at each length, if all three
// repetitions are in the first or second state with some probabilities. met are those of this run, whose weights they
// are.
func (s *twoStates) lost(weights []float64, met, chance [2]float64) float64 {
	sum, all := 0.0, 0.0
	for l, w := range weights {
		worse, part := state(s.slower[l] > 0), -math.Expm1(-math.Abs(s.slower[l]))
		best := w / (1 - met[worse]*part)
		sum += best * (1 - chance[worse]*part)
		all += best
	}
	return -math.Log(sum / all)
}

// ofRounds returns the signs in the rounds of an adaptive run: what the states that they have met leave open, and
// whether the interval is as narrow as it was asked for.
func (g *Grid) ofRounds() (list []rating.Sign) {
	d := &g.Derived
	in, below, above := g.course.within(d.BEff, g.weights())
	if in == nil || !(d.BEff > 0) {
		return nil
	}
	return []rating.Sign{
		percent("within", "give more time (--at-most), or ask for less; "+alone, in.Part(d.BEff), g.Result.Within,
			"half of the interval that was reached:"),
		percent("states", steady, max(below, above), mostStates,
			"what the states leave open that the machine was in:"),
	}
}
