package beff

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// Limits of a quiet run.
const (
	// mostElapsed is the allowed difference between the sum of the measurements and the wall time (release 3.6).
	mostElapsed = 0.05
	// mostInterval is the half width of b_eff's interval.
	mostInterval = 0.1
	// mostSpread is the difference of a repetition's own b_eff from the best one.
	mostSpread = 0.1
	// mostStates is the difference between the best and the worst repetition of a length.
	mostStates = 0.03
	// mostOutliers is the part of the samples, by their weight in b_eff, that took twice as long as the best one.
	mostOutliers = 0.02
)

const twice = 2

const (
	dedicated = "use dedicated processors, one process each; look for other load"
	alone     = "measure again on a quiet machine, each process bound to a core of its own"
)

// Signs returns the signs of noise in a run: in its samples, then in what its hosts did. Of several passes it is the
// worst of each kind.
func Signs(r *Result) []rating.Sign {
	var list []rating.Sign
	if !r.Quick && r.WallSeconds > 0 {
		list = append(list, percent("elapsed", dedicated, 1-r.LoopSeconds/r.WallSeconds, mostElapsed,
			"time outside of the timed loops:"))
	}
	if r.Passes > 1 {
		list = append(list, ofPasses(r)...)
	} else {
		list = append(list, ofRepetitions(r)...)
	}
	list = slices.DeleteFunc(list, func(s rating.Sign) bool { return math.IsNaN(s.Value) })
	return append(list, r.Load.Signs()...)
}

// percent returns a sign whose value is a part of something.
func percent(name, remedy string, value, most float64, text string) rating.Sign {
	return rating.NewSign(name, remedy, value, most,
		fmt.Sprintf("%s %.1f %% (quiet: at most %.0f %%)", text, 100*value, 100*most))
}

// ofRepetitions returns the signs in the repetitions of a pass.
func ofRepetitions(r *Result) (list []rating.Sign) {
	d := &r.Derived
	if d.BEffInterval != nil {
		list = append(list, percent("interval", alone+"; the spread of three runs or more is the interval between runs",
			d.BEffInterval.Part(d.BEff), mostInterval, "half of the interval of b_eff within the run:"))
	}
	if each := d.PerRepetition; len(each) > 1 && slices.Min(each) > 0 {
		list = append(list, percent("spread", alone, 1-slices.Min(each)/slices.Max(each), mostSpread,
			fmt.Sprintf("the repetitions alone give from %.0f to %.0f MB/s, apart by", slices.Min(each)/1e6,
				slices.Max(each)/1e6)))
	}
	if g := NewGrid(r); g.Repetitions > 1 && d.BEff > 0 {
		list = append(list, percent("states", "look for what changes the machine's state: other guests, frequencies, "+
			"huge pages; bind each process to a core", g.states(), mostStates,
			"worst below best repetition of each length, by its weight in b_eff:"),
			percent("outliers", alone, g.outliers(), mostOutliers,
				"samples that took twice as long as the best one of the same, by their weight in b_eff:"))
	}
	return list
}

// ofPasses returns the signs in the worst pass of each kind, and those of how far the passes are apart.
func ofPasses(r *Result) (list []rating.Sign) {
	d := &r.Derived
	if d.BEffInterval != nil {
		list = append(list, percent("passes", alone+"; more passes narrow it", d.BEffInterval.Part(d.BEff),
			mostInterval, "half of the interval of b_eff between the passes:"))
	}
	for i, one := range r.Runs() {
		for _, s := range ofRepetitions(one) {
			s.Text = fmt.Sprintf("pass %d: %s", i+1, s.Text)
			at := slices.IndexFunc(list, func(other rating.Sign) bool { return other.Name == s.Name })
			switch {
			case at < 0:
				list = append(list, s)
			case s.Value > list[at].Value:
				list[at] = s
			}
		}
	}
	return list
}

// weights returns the part of each length in b_eff: the mean of its parts of the rings' and the randoms' sums.
func (g *Grid) weights() []float64 {
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

// states returns the mean over the lengths, by their weights, of the part by which the average of the worst repetition
// is below that of the best.
func (g *Grid) states() float64 {
	levels := g.Levels()
	if len(levels) != len(g.Lengths) {
		return math.NaN()
	}
	sum := 0.0
	for l, weight := range g.weights() {
		sum += weight * (1 - math.Exp(slices.Min(levels[l])-slices.Max(levels[l])))
	}
	return sum
}

// outliers returns the part of the samples of rings and randoms, by the weights of their lengths, that took more than
// twice as long as the best repetition of the same measurement.
func (g *Grid) outliers() float64 {
	slow := make([]float64, len(g.Lengths))
	all := make([]float64, len(g.Lengths))
	for _, kind := range []patterns.Kind{patterns.KindRing, patterns.KindRandom} {
		for _, p := range g.OfKind(kind) {
			for l := range g.Lengths {
				for m := range g.Methods {
					for _, b := range g.Each(p, l, m) {
						if !math.IsNaN(b) {
							all[l]++
						}
						if twice*b < g.Alone(p, l, m) {
							slow[l]++
						}
					}
				}
			}
		}
	}
	part := 0.0
	for l, weight := range g.weights() {
		part += weight * slow[l] / all[l]
	}
	return part
}
