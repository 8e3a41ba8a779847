package rating

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/stats"
)

// Confidence is the confidence level of the intervals of all ratings and figures.
const Confidence = 0.95

// Interval is a confidence interval: a range that contains the true value of a figure with the given probability.
type Interval struct {
	// Lower end, in the unit of the figure, such as bytes per second.
	Low float64 `json:"low" jsonschema:"minimum=0"`
	// Upper end, in the unit of the figure, such as bytes per second.
	High float64 `json:"high" jsonschema:"minimum=0"`
	// Confidence level, from 0 to 1.
	Confidence float64 `json:"confidence" jsonschema:"minimum=0"`
	// Method by which the interval was computed (docs/studies/statistics.md).
	Method Method `json:"method"`
}

// Method is a method to compute an interval.
type Method string

// The methods. All but ByRuns use the samples of a single run.
const (
	// ByRepetitions uses the spread of the figures of single repetitions.
	ByRepetitions Method = "repetitions"
	// ByCalls uses the spread of blocks of neighbouring calls.
	ByCalls Method = "calls"
	// ByPasses uses the spread of whole passes, over a file or of a run.
	ByPasses Method = "passes"
	// ByRuns uses the spread of several runs.
	ByRuns Method = "runs"
)

// Around returns the interval of a positive value whose logarithm has the interval ± half, with the level Confidence.
func Around(value, half float64, method Method) *Interval {
	return &Interval{Low: value * math.Exp(-half), High: value * math.Exp(half), Confidence: Confidence, Method: method}
}

// RelativeHalfWidth returns the larger distance of the interval's ends from a value, divided by the value. It returns
// NaN if the interval is nil or the value isn't positive.
func (i *Interval) RelativeHalfWidth(value float64) float64 {
	if i == nil || !(value > 0) {
		return math.NaN()
	}
	return max(i.High-value, value-i.Low) / value
}

// GeometricMean returns the geometric mean of the ratings of runs or passes of one system and configuration, and
// Student's interval of the mean of their logarithms, with the method ByRuns. The interval is nil for fewer than three
// ratings. If a rating isn't positive, the mean is NaN and the interval nil.
func GeometricMean(ratings []float64) (mean float64, in *Interval) {
	logs := make([]float64, len(ratings))
	for i, x := range ratings {
		if !(x > 0) {
			return math.NaN(), nil
		}
		logs[i] = math.Log(x)
	}
	middle, interval := stats.Mean(logs, Confidence)
	mean = math.Exp(middle)
	if !interval.Known {
		return mean, nil
	}
	return mean, Around(mean, interval.High-middle, ByRuns)
}

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
