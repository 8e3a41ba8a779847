package beff

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// Limits of a quiet run.
const (
	// mostElapsed is the allowed difference between the sum of the measurements and the wall time. Release 3.6 has
	// less, which quiet machines exceed where processes share a core, or take turns to wait.
	mostElapsed   = 0.1
	mostElapsed36 = 0.05
	// mostInterval is the half width of b_eff's interval.
	mostInterval = 0.1
	// mostSpread is the difference of the second best repetition's own b_eff from the best one.
	mostSpread = 0.1
	// mostStates is the limit of `states` in documents of earlier builds.
	mostStates = 0.04
	// mostWorse is the part by which b_eff is lower in the worst state that a run has met at some lengths.
	mostWorse = 0.1
	// mostOutliers is the part of the samples, by their weight in b_eff, that took twice as long as they should.
	mostOutliers = 0.02
)

// mostElapsed is the limit of a run.
func (r *Result) mostElapsed() float64 {
	if r.Rules == Rules36 {
		return mostElapsed36
	}
	return mostElapsed
}

const twice = 2

// Names of signs. An interval and outliers the passes of a run have together.
const (
	signElapsed  = "elapsed"
	signInterval = "interval"
	signOutliers = "outliers"
	signStates   = "states"
)

const (
	dedicated    = "use dedicated processors, one process each; look for other load"
	steady       = "bind each process to a core; look for other guests, changing frequencies"
	quietMachine = "bind each process to a core, keep other programs away, measure again"
)

// signs returns the signs of noise in a run by the grids of its passes: in its samples, then in what its hosts did.
func signs(r *Result, grids []*Grid) []rating.Sign {
	var list []rating.Sign
	if !r.Quick && r.WallSeconds > 0 {
		list = append(list, rating.PartSign(signElapsed, dedicated, 1-r.LoopSeconds/r.WallSeconds, r.mostElapsed(),
			"%s of the time went by outside of the timed loops"))
	}
	if r.Passes > 1 {
		list = append(list, ofPasses(&r.Derived, grids)...)
	} else {
		list = append(list, ofRepetitions(grids[0])...)
	}
	if r.Rules == RulesAdaptive {
		list = append(list, rating.WithinSign(r.Within,
			rating.Value{Value: r.Derived.BEff, Within: r.Derived.BEffInterval}, quietMachine)...)
	}
	list = slices.DeleteFunc(list, func(s rating.Sign) bool { return math.IsNaN(s.Value) })
	shortest := math.Inf(1)
	for _, s := range r.Samples {
		shortest = min(shortest, s.Seconds)
	}
	if !math.IsInf(shortest, 1) {
		list = append(list, r.ClockSigns(shortest, "timed loop", "use an MPI with a finer MPI_Wtime")...)
	}
	return append(list, r.Load.Signs()...)
}

// JudgedBefore reports whether a document's signs are those of earlier builds: with limits of 5 % of `elapsed` by the
// paper's rules, or 4 % of `states`, which was how far the second best repetition of each length is below its best one;
// or of a run that ended before it had repeated each length; or of rounds.
func (r *Result) JudgedBefore() bool {
	return r.ByRounds() || slices.ContainsFunc(r.Signs, func(s rating.Sign) bool {
		return s.Name == signInterval && r.Derived.BEffInterval == nil ||
			s.Name == signElapsed && s.Most == mostElapsed36 && r.Rules == Rules2001 ||
			s.Name == signStates && s.Most == mostStates
	})
}

// ofInterval returns the sign of a wide interval.
func ofInterval(d *Derived) rating.Sign {
	return rating.PartSign(signInterval, quietMachine+"; three runs tell how far runs differ",
		d.BEffInterval.Part(d.BEff), mostInterval, "the run alone tells b_eff no better than ± %s")
}

// ofRepetitions returns the signs in the repetitions of a pass.
func ofRepetitions(g *Grid) (list []rating.Sign) {
	d := &g.Derived
	if d.BEffInterval != nil {
		list = append(list, ofInterval(d))
	}
	// The repetitions and lengths of a short pass are so short that states of tenths of a second make them differ.
	short := g.Rules == RulesAdaptive || g.round() > 1
	if each := d.PerRepetition; len(each) > 1 && slices.Min(each) > 0 && !short {
		list = append(list, rating.PartSign("spread", quietMachine, behind(each), mostSpread,
			fmt.Sprintf("its repetitions alone give %.0f to %.0f MB/s, the second best ", slices.Min(each)/1e6,
				slices.Max(each)/1e6)+"%s below the best"))
	}
	if d.BEff > 0 && g.repeated() && !short {
		list = append(list, rating.PartSign(signStates, steady, g.states(), mostWorse,
			"the machine was up to %s slower for part of the run"))
	}
	if d.BEff > 0 && g.repeated() {
		list = append(list, ofOutliers([]*Grid{g}))
	}
	return list
}

// ofPasses returns the sign of the interval of all passes, and those of their repetitions: outliers of all of them, of
// the other kinds the worst.
func ofPasses(d *Derived, grids []*Grid) (list []rating.Sign) {
	if len(grids) == 1 {
		return ofRepetitions(grids[0])
	}
	if d.BEffInterval != nil {
		list = append(list, ofInterval(d))
	}
	for i, g := range grids {
		for _, s := range ofRepetitions(g) {
			at := slices.IndexFunc(list, func(other rating.Sign) bool { return other.Name == s.Name })
			switch {
			case s.Name == signInterval || at >= 0 && s.Name == signOutliers:
			case s.Name == signOutliers:
				list = append(list, ofOutliers(grids))
			case at < 0 || s.Value > list[at].Value:
				s.Text = fmt.Sprintf("%s, in pass %d", s.Text, i+1)
				if at < 0 {
					list = append(list, s)
				} else {
					list[at] = s
				}
			}
		}
	}
	return list
}

// ofOutliers returns the sign of outliers in all passes.
func ofOutliers(grids []*Grid) rating.Sign {
	part := lists.SumOf(grids, func(g *Grid) float64 { return g.outliers() / float64(len(grids)) })
	return rating.PartSign(signOutliers, quietMachine, part, mostOutliers,
		"%s of the samples, by weight, took twice as long as others of their length")
}

// newWeights returns the part of each length in b_eff: the mean of its parts of the rings' and the randoms' sums.
func (g *Grid) newWeights() []float64 {
	list := make([]float64, len(g.Lengths))
	for _, kind := range [][]int{g.OfKind(patterns.KindRing), g.OfKind(patterns.KindRandom)} {
		for _, p := range kind {
			sum := 0.0
			for l := range g.Lengths {
				sum += g.Best(p, l)
			}
			for l := range g.Lengths {
				list[l] += g.Best(p, l) / sum / float64(2*len(kind))
			}
		}
	}
	return list
}

// behind returns the part by which the second best of some figures is below the best one: what the best of repetitions
// loses without its best one. A disturbance of one repetition of three doesn't touch it.
func behind(figures []float64) float64 {
	sorted := slices.Sorted(slices.Values(figures))
	return 1 - sorted[len(sorted)-2]/sorted[len(sorted)-1]
}

// outliers returns the part of the samples of rings and randoms, by the weights of their lengths, that took more than
// twice as long as they should: as the best repetition of the same measurement, times the median of what the
// measurements of this length and repetition took longer than that. So a state of the machine that lasts for a whole
// length is none.
func (g *Grid) outliers() float64 {
	part, counted := 0.0, append(g.OfKind(patterns.KindRing), g.OfKind(patterns.KindRandom)...)
	times := make([]float64, 0, len(counted)*len(g.Methods))
	for l, weight := range g.weights() {
		slow, all := 0, 0
		for r := range g.Repetitions {
			times = times[:0]
			for _, p := range counted {
				for m := range g.Methods {
					if b := g.Each(p, l, m)[r]; !math.IsNaN(b) {
						times = append(times, g.BestOf(p, l, m)/b)
					}
				}
			}
			if all += len(times); len(times) == 0 {
				continue
			}
			limit := twice * ordered(times, len(times)/2)
			for _, t := range times {
				if t > limit {
					slow++
				}
			}
		}
		part += weight * float64(slow) / float64(all)
	}
	return part
}

// ordered returns the element that a list of numbers has at a place when it is in order (Hoare's selection, 1961). It
// changes the order of the list.
func ordered(list []float64, place int) float64 {
	for from, to := 0, len(list)-1; from < to; {
		pivot, i, j := list[(from+to)/2], from, to
		for i <= j {
			for list[i] < pivot {
				i++
			}
			for list[j] > pivot {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i++
				j--
			}
		}
		switch {
		case place <= j:
			to = j
		case place >= i:
			from = i
		default:
			return list[place]
		}
	}
	return list[place]
}
