package beff

import (
	"math"
	"slices"
)

// Adaptive runs of earlier releases have rounds instead of passes: their documents number the rounds as repetitions,
// and a round measures some of the patterns and methods of each length. How those releases made b_eff and its interval
// of them isn't repeated here. A reader is shown the expected best of three rounds, and no interval.

const (
	// leastRounds is the number of rounds from which on such a rating is valid.
	leastRounds = 4
	// mostRounds bounds the size of a document.
	mostRounds = 400
)

// ByRounds reports whether a document is that of an adaptive run of an earlier release.
func (r *Result) ByRounds() bool { return r.Rules == RulesAdaptive && !r.Identity.Whole() }

// rounds returns the number of rounds that samples are of, at least 1.
func rounds(samples []Sample) int {
	n := 1
	for _, s := range samples {
		n = max(n, s.Repetition+1)
	}
	return n
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
