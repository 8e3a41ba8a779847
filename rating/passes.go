package rating

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/stats"
)

// fewPasses is the largest number of passes whose interval must include all of their figures.
const fewPasses = 5

// OfPasses returns the geometric mean of a figure over the passes of a run, and its interval within the run: Student's,
// on the logarithms, from the figures of single repetitions of each pass.
//
//	half = quantile · standard deviation of the repetitions / root of the number of passes
//
// The divisor counts passes, not repetitions, because a state of the machine may last longer than a pass. With
// three passes or more the interval is never narrower than Student's between passes, and with up to five passes it
// includes all of their figures. Repetitions without the figure are left out. The interval is nil if fewer than two
// repetitions have the figure and there are fewer than three passes.
func OfPasses(passes, repetitions []float64) (mean float64, in *Interval) {
	mean, between := GeometricMean(passes)
	if between != nil {
		between.Method = ByPasses
	}
	logs := lists.Each(lists.Where(repetitions, func(x float64) bool { return x > 0 }), math.Log)
	if len(logs) < 2 || math.IsNaN(mean) {
		return mean, between
	}
	half := stats.Student((1+Confidence)/2, float64(len(logs)-1)) * stats.Deviation(logs) /
		math.Sqrt(float64(len(passes)))
	in = Around(mean, half, ByRepetitions)
	if between != nil && between.High > in.High {
		in = between
	}
	if len(passes) <= fewPasses {
		in.Low, in.High = min(in.Low, slices.Min(passes)), max(in.High, slices.Max(passes))
	}
	return mean, in
}
