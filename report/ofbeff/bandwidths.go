package ofbeff

import (
	"math"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
)

// samples gives the bandwidths of a result in bytes per second, divided by the number of processes that take part in
// the pattern, or NaN if nothing was measured.
type samples struct{ *beff.Grid }

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
	return &samples{beff.NewGrid(r)}
}

// perProcess returns a pattern's bandwidth divided by the number of its processes.
func (s *samples) perProcess(p int, bandwidth float64) float64 {
	return bandwidth / float64(s.Patterns[p].Processes)
}

// bestRepetition returns the best of a method's repetitions.
func (s *samples) bestRepetition(p, l, m int) float64 { return s.perProcess(p, s.BestOf(p, l, m)) }

// best returns the best method's best repetition.
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

// of returns the patterns of a kind that were measured.
func (s *samples) of(kind patterns.Kind) []int {
	return lists.Where(s.OfKind(kind), s.Measured)
}

// spreadAt returns the spread of f over patterns.
func spreadAt(list []int, f func(p int) float64) chart.Spread {
	return chart.SpreadOf(lists.Each(list, f))
}
