package beff

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/stats"
)

// A machine of two states that last for longer than a block of time shows both of them at some lengths, by repetitions
// that differ, and one of them at all others, where the repetitions agree. What b_eff would have been in the other
// state is estimated from the lengths that show both: in the worse state a message takes longer by a time of its own
// and by a part of its time.

const (
	// visible is the least difference between the repetitions of a length, of the logarithm, that shows two states,
	visible = 0.02
	// and beyondNoise that over its standard error by the noise within the repetitions.
	beyondNoise = 6
	// mostSingle is the number of lengths that a single disturbance may make visible, for each pass of the run; and the
	// number that one of a second makes visible in a pass.
	mostSingle = 2
	// expectedShare is the part of the time that the worse state is expected to have.
	expectedShare = 0.5
	// inexact is the relative error of a difference for which no two states are to blame alone.
	inexact = 0.01
	// lasts is the correlation of the two halves of a block from which on states last for longer than that.
	lasts = 0.5
)

// byStates returns how far the true value of a figure, such as b_eff, may lie below and above the measured one, as
// logarithms, if the machine switches between two lasting states; 0 and 0 without such states. weights are those of the
// lengths in the figure. A run that has met the better
// state at all lengths has lost nothing. On average runs lose at most half of the swing, if the worse state has half of
// the time and lasts as long as a run; less if it is shorter, because the best of the repetitions counts. Where the
// repetitions of a length agree they may all have met the worse state.
func (g *Grid) byStates(weights []float64) (below, above float64) {
	lengths := g.shown()
	if len(lengths) != len(g.Lengths) {
		return 0, 0
	}
	lines, met := g.worse(lengths)
	if met <= mostSingle*max(1, g.of) || alikeHalves(lengths) < lasts {
		return 0, 0
	}
	for _, worse := range lines {
		swing, lost := g.swing(lengths, weights, worse)
		below, above = max(below, expectedShare*swing), max(above, lost)
	}
	return below, above
}

// states returns by which part b_eff would be lower if all lengths had met the worst state that some have met, by the
// widest estimate that these leave open; 0 where they are no more than a short disturbance reaches, or where what they
// have met is shorter than a block. It isn't known where a repetition is missing.
func (g *Grid) states() float64 {
	lengths := g.shown()
	if len(lengths) != len(g.Lengths) {
		return math.NaN()
	}
	lines, met := g.worse(lengths)
	if met <= mostSingle || alikeHalves(lengths) < lasts {
		return 0
	}
	most := 0.0
	for _, worse := range lines {
		swing, _ := g.swing(lengths, g.weights(), worse)
		most = max(most, swing)
	}
	return -math.Expm1(-most)
}

// shown holds the levels of a length's repetitions, which differ where the machine has states.
type shown struct {
	rest  [][]float64 // of each repetition: the measurements' logarithms less their means, in the order of time
	whole []float64   // level of each repetition: the median of these
	err   float64     // standard error of a difference of two levels, by the noise within the repetitions
	time  float64     // of a message, without what patterns of a kind have in common
}

// newShown returns the levels of all lengths whose measurements all repetitions have: the median over patterns and
// methods of the logarithm of the bandwidth, each less its mean over the repetitions. A disturbance that is shorter
// than half of a block leaves its median.
func (g *Grid) newShown() (list []shown) {
	for l := range g.Lengths {
		s := shown{rest: g.rest(l), time: g.timeOf(l)}
		n, of, squares := len(s.rest[0]), float64(g.Repetitions), 0.0
		if n < 2 {
			continue
		}
		for _, each := range s.rest {
			level := median(each)
			s.whole = append(s.whole, level)
			away := make([]float64, n)
			for i, x := range each {
				away[i] = math.Abs(x - level)
			}
			deviation := normalMAD * median(away)
			squares += deviation * deviation / of
		}
		// Each measurement lacks its mean over the repetitions; a median has π/2 times the variance of a mean.
		s.err = math.Sqrt(2 * squares * of / (of - 1) * math.Pi / 2 / float64(n))
		list = append(list, s)
	}
	return list
}

// rest returns the logarithms of a length's measurements in each repetition, less their mean over the repetitions, of
// those that all repetitions have.
func (g *Grid) rest(l int) [][]float64 {
	rest := make([][]float64, g.Repetitions)
	logs := make([]float64, g.Repetitions)
	for _, p := range append(g.OfKind(patterns.KindRing), g.OfKind(patterns.KindRandom)...) {
		for m := range g.Methods {
			mean := 0.0
			for r, b := range g.Each(p, l, m) {
				logs[r] = math.Log(b)
				mean += logs[r] / float64(g.Repetitions)
			}
			if math.IsNaN(mean) {
				continue
			}
			for r, x := range logs {
				rest[r] = append(rest[r], x-mean)
			}
		}
	}
	return rest
}

// normalMAD is the standard deviation of normal values over their median absolute deviation.
const normalMAD = 1.4826

// median returns the median of values, as stats.Quantile has it, without putting all of them in order.
func median(values []float64) float64 {
	list, place := slices.Clone(values), (len(values)-1)/2
	low := ordered(list, place)
	if len(list)%2 == 1 {
		return low
	}
	return low + 0.5*(slices.Min(list[place+1:])-low)
}

// alikeHalves returns the correlation of the levels of the two halves of blocks.
func alikeHalves(lengths []shown) float64 {
	both, squares := 0.0, [2]float64{}
	for _, s := range lengths {
		for _, each := range s.rest {
			a, b := median(each[:len(each)/2]), median(each[len(each)/2:])
			both += a * b
			squares[0] += a * a
			squares[1] += b * b
		}
	}
	if squares[0] == 0 || squares[1] == 0 {
		return 0
	}
	return both / math.Sqrt(squares[0]*squares[1])
}

// slowerBy is how much longer a message takes in the worse state.
type slowerBy struct {
	part float64 // of its time
	time float64 // in the unit of shown.time
}

// timeOf returns the time of a message of a length, without what patterns of a kind have in common.
func (g *Grid) timeOf(l int) float64 {
	return float64(g.Lengths[l]) / g.Both(func(p int) float64 { return g.Best(p, l) })
}

// differs reports whether the repetitions of a length have met different states, and by how much they differ.
func (s *shown) differs() (by float64, differs bool) {
	by = slices.Max(s.whole) - slices.Min(s.whole)
	return by, by > max(visible, beyondNoise*s.err)
}

// worse returns by how much longer messages take in the worse state: the best estimate, and the two that lie at the
// ends of what the lengths leave open. met is the number of lengths that show both states.
func (g *Grid) worse(lengths []shown) (list []slowerBy, met int) {
	var x, y, err []float64
	for _, s := range lengths {
		if by, differs := s.differs(); differs {
			longer := math.Expm1(by)
			x, y = append(x, 1/s.time), append(y, longer)
			err = append(err, math.Hypot((1+longer)*s.err, inexact*longer))
		}
	}
	for _, line := range stats.PositiveLines(x, y, err) {
		list = append(list, slowerBy{line[0], line[1]})
	}
	return list, len(x)
}

// swing returns by how much log b_eff is lower where all lengths are in the worse state than where all are in the
// better one, and how much of it a run has lost if lengths whose repetitions agree were in the worse one.
func (g *Grid) swing(lengths []shown, weights []float64, worse slowerBy) (swing, lost float64) {
	const mostFaster = 10
	low, high := 0.0, 0.0
	for l, weight := range weights {
		time := lengths[l].time
		low += weight / (1 + worse.part + worse.time/time)
		if _, differs := lengths[l].differs(); differs {
			high += weight
		} else {
			high += weight * min(mostFaster, time*(1+worse.part)/max(time-worse.time, time/mostFaster))
		}
	}
	return -math.Log(low), math.Log(high)
}
