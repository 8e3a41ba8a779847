package beff

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/stats"
)

// A machine of two states that last for longer than a block of time shows both of them at some lengths, by repetitions
// that differ, and one of them at all others, where the repetitions agree. What b_eff would have been in the other
// state is estimated from the lengths that show both: in the worse state a message takes longer by a time of its own
// and by a part of its time.

const (
	// visible is the least difference between repetitions of a length, of the logarithm, that shows two states.
	visible = 0.05
	// mostSingle is the number of lengths that a single disturbance may make visible.
	mostSingle = 2
	// half of the time is what a state is expected to have, oftenWorse what the worse one has at most.
	half, oftenWorse = 1. / 2, 2. / 3
	// persistent is the correlation of neighbouring lengths from which on states last for longer than a block. With
	// independent blocks of 21 lengths it is above in 3 % of the runs.
	persistent = 0.3
)

// byStates returns how far the true log b_eff may lie below and above that of a run which shows states that last; 0
// if it doesn't. Where the worse state has the part q of the time, and lasts for a repetition, all n repetitions of a
// length are in it with the probability q^n, and b_eff loses q^n of the swing on average. A run that has lost nothing
// may be that much too high, one that has lost all the rest of it too low.
func (g *Grid) byStates(lasting bool) (below, above float64) {
	levels := g.Levels()
	if len(levels) != len(g.Lengths) || !lasting && stats.NeighbourCorrelation(levels) < persistent {
		return 0, 0
	}
	n, swing := float64(g.Repetitions), g.swing(levels)
	return math.Pow(oftenWorse, n) * swing, (1 - math.Pow(half, n)) * swing
}

// swing returns by how much log b_eff is lower where all lengths are in the worse state; 0 unless more lengths show
// both states than a single disturbance reaches.
func (g *Grid) swing(levels [][]float64) float64 {
	rates := make([]float64, len(levels)) // 1/time of a message in the better state
	var x, y []float64
	for l, level := range levels {
		rates[l] = math.Exp(slices.Max(level)) / float64(g.Lengths[l])
		if difference := slices.Max(level) - slices.Min(level); difference > visible {
			x, y = append(x, rates[l]), append(y, math.Expm1(difference))
		}
	}
	if len(x) <= mostSingle {
		return 0
	}
	part, time := stats.PositiveLine(x, y)
	left := 0.0
	for l, weight := range g.weights() {
		left += weight / (1 + part + time*rates[l])
	}
	return -math.Log(left)
}
