package ofbeff

import (
	"math"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
)

// samples are the bandwidths of a result in bytes per second and process, NaN where there is none. A pattern's
// processes are those that take part in it.
type samples struct{ *beff.Grid }

// mostMeasurements is what beff's Result.Check allows.
const mostMeasurements = 1 << 20

// newSamples returns nil if there is nothing to see, or more than any checked result has.
func newSamples(r *beff.Result) *samples {
	if r == nil {
		return nil
	}
	size := 1
	for _, n := range []int{len(r.Patterns), len(r.Lengths), len(r.Methods), r.Repetitions} {
		if n < 1 || n > mostMeasurements/size {
			return nil
		}
		size *= n
	}
	return &samples{beff.NewGrid(r)}
}

// perProcess makes of a pattern's bandwidth that of one of its processes.
func (s *samples) perProcess(p int, bandwidth float64) float64 {
	return bandwidth / float64(s.Patterns[p].Processes)
}

// alone returns the best of a method's repetitions.
func (s *samples) alone(p, l, m int) float64 { return s.perProcess(p, s.Alone(p, l, m)) }

// best returns the best method's best repetition.
func (s *samples) best(p, l int) float64 { return s.perProcess(p, s.Best(p, l)) }

// mean returns a method's average over lengths, with the best method where it was left out (release 3.6); NaN if it was
// measured nowhere.
func (s *samples) mean(p, m int) float64 {
	measured := false
	mean := beff.Mean(0, len(s.Lengths), func(l int) float64 {
		measured = measured || s.Alone(p, l, m) > 0
		return s.perProcess(p, s.OfMethod(p, l, m))
	})
	if !measured {
		return math.NaN()
	}
	return mean
}

// of returns the patterns of a kind that were measured at all.
func (s *samples) of(kind patterns.Kind) []int {
	var list []int
	for _, p := range s.OfKind(kind) {
		if s.Measured(p) {
			list = append(list, p)
		}
	}
	return list
}

// spreadAt returns the spread of f over patterns.
func spreadAt(list []int, f func(p int) float64) chart.Spread {
	return chart.SpreadOf(chart.Each(list, f))
}
