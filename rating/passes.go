package rating

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/stats"
)

// few is the largest number of passes whose interval holds all of their figures.
const few = 5

// OfPasses returns the geometric mean of a figure of the passes of a run, and its interval within the run: Student's,
// on the logarithms, by what each repetition of each pass gives alone.
//
//	half = quantile · standard deviation of the repetitions / root of the number of passes
//
// The repetitions of a pass are taken for one: a state of the machine may last for longer than a pass. The interval is
// never narrower than Student's between three passes or more, and up to five passes it holds the figures of all.
// Repetitions without the figure are left out. The interval is nil where less than two have it and there are less than
// three passes.
func OfPasses(passes, repetitions []float64) (mean float64, in *Interval) {
	mean, between := Between(passes)
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
	if len(passes) <= few {
		in.Low, in.High = min(in.Low, slices.Min(passes)), max(in.High, slices.Max(passes))
	}
	return mean, in
}
