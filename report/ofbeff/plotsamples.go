package ofbeff

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
)

// samples are the bandwidths of a result in bytes per second and process, NaN where there is none. A pattern's
// processes are those that take part in it.
//
// The rules are those of beff.Derive, whose cube is not exported; there they are explained.
type samples struct {
	*beff.Result
	b []float64 // [pattern][length][method][repetition]
}

// mostMeasurements is what beff's Result.Check allows.
const mostMeasurements = 1 << 20

// newSamples ignores samples that no checked result has. It is nil if there is nothing to see.
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
	s := &samples{r, make([]float64, size)}
	for i := range s.b {
		s.b[i] = math.NaN()
	}
	for _, x := range r.Samples {
		if s.has(x) {
			s.b[s.index(x.Pattern, x.Length, x.Method, x.Repetition)] = s.bandwidth(x)
		}
	}
	return s
}

func (s *samples) has(x beff.Sample) bool {
	in := func(i, n int) bool { return i >= 0 && i < n }
	return in(x.Pattern, len(s.Patterns)) && in(x.Length, len(s.Lengths)) && in(x.Method, len(s.Methods)) &&
		in(x.Repetition, s.Repetitions)
}

// bandwidth of a sample per process; NaN if it is none.
func (s *samples) bandwidth(x beff.Sample) float64 {
	p := s.Patterns[x.Pattern]
	b := float64(s.Lengths[x.Length]) * float64(p.Messages) * float64(x.Loops) / x.Seconds / float64(p.Processes)
	if !chart.Usable(b) {
		return math.NaN()
	}
	return b
}

func (s *samples) index(p, l, m, rep int) int {
	return ((p*len(s.Lengths)+l)*len(s.Methods)+m)*s.Repetitions + rep
}

// repetitions of a measurement; the slice is not the caller's.
func (s *samples) repetitions(p, l, m int) []float64 {
	first := s.index(p, l, m, 0)
	return s.b[first : first+s.Repetitions]
}

// ofMethod is the best of a method's repetitions.
func (s *samples) ofMethod(p, l, m int) float64 { return chart.Largest(s.repetitions(p, l, m)) }

// best is the best method's best repetition.
func (s *samples) best(p, l int) float64 {
	first := s.index(p, l, 0, 0)
	return chart.Largest(s.b[first : first+len(s.Methods)*s.Repetitions])
}

// mean is a method's average over lengths, with the best method where it was left out (release 3.6); NaN if it was
// measured nowhere.
func (s *samples) mean(p, m int) float64 {
	sum, measured := 0.0, false
	for l := range s.Lengths {
		b := s.ofMethod(p, l, m)
		if measured = measured || b > 0; math.IsNaN(b) {
			b = s.best(p, l)
		}
		sum += b
	}
	if !measured {
		return math.NaN()
	}
	return sum / float64(len(s.Lengths))
}

// of lists the patterns of a kind that were measured at all.
func (s *samples) of(kind patterns.Kind) []int {
	var list []int
	for p, pattern := range s.Patterns {
		if pattern.Kind == kind && slices.ContainsFunc(s.b[s.index(p, 0, 0, 0):][:len(s.b)/len(s.Patterns)], chart.Usable) {
			list = append(list, p)
		}
	}
	return list
}
