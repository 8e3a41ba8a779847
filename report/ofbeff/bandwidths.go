package ofbeff

import (
	"math"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/words"
)

// samples gives the bandwidths of a result in bytes per second, divided by the number of processes that take part in
// the pattern, or NaN if nothing was measured.
type samples struct {
	*beff.Grid

	means []float64 // mean of the rings at each length, or of all patterns if all are the same pair; nil without rings
}

// maxMeasurements is the limit of beff's Result.Check.
const maxMeasurements = 1 << 20

// newSamples returns the samples of a result, or nil if there are none or more than any checked result has.
func newSamples(r *beff.Result) *samples {
	if r == nil {
		return nil
	}
	size := 1
	for _, n := range []int{len(r.Patterns), len(r.Lengths), len(r.Methods), r.Repetitions} {
		if n < 1 || n > maxMeasurements/size {
			return nil
		}
		size *= n
	}
	return samplesOf(r)
}

// samplesOf returns the samples of a result that has passed beff's Result.Check, or of several such results together.
func samplesOf(r *beff.Result) *samples {
	s := &samples{Grid: beff.NewGrid(r)}
	if list, _ := s.group(patterns.KindRing); len(list) > 0 {
		s.means = lists.Of(len(s.Lengths), func(l int) float64 {
			return s.spread(patterns.KindRing, func(p int) float64 { return s.best(p, l) }).Mean
		})
	}
	return s
}

// relative returns bandwidths of patterns divided by the rings' mean at the same length, or unchanged without rings.
func (s *samples) relative(of func(p, l int) float64) func(p, l int) float64 {
	if s.means == nil {
		return of
	}
	return func(p, l int) float64 { return of(p, l) / s.means[l] }
}

// reference names the patterns whose means are in s.means.
func (s *samples) reference() string { return words.Either(s.pair(), "the pair", "the rings") }

// perProcess returns a pattern's bandwidth divided by the number of its processes.
func (s *samples) perProcess(p int, bandwidth float64) float64 {
	return bandwidth / float64(s.Patterns[p].Processes)
}

// best returns the highest bandwidth of all methods and repetitions.
func (s *samples) best(p, l int) float64 { return s.perProcess(p, s.Best(p, l)) }

// average returns a method's average over lengths. If release 3.6 leaves the method out, the best method replaces it.
// It is NaN if the method was never measured.
func (s *samples) average(p, m int) float64 {
	measured := false
	mean := beff.Mean(0, len(s.Lengths), func(l int) float64 {
		measured = measured || s.BestOf(p, l, m) > 0
		return s.perProcess(p, s.OfMethod(p, l, m))
	})
	if !measured {
		return math.NaN()
	}
	return mean
}

// spreadAt returns the spread of f over patterns.
func spreadAt(list []int, f func(p int) float64) chart.Spread {
	return chart.SpreadOf(lists.Each(list, f))
}
