package rating

import (
	"math"

	"github.com/effective-bandwidth/beff/stats"
)

// Confidence is the probability of the intervals of ratings.
const Confidence = 0.95

// Interval is a range that holds the true value of a figure with a probability.
type Interval struct {
	// Bytes per second.
	Low float64 `json:"low" jsonschema:"minimum=0"`
	// Bytes per second.
	High float64 `json:"high" jsonschema:"minimum=0"`
	// Probability, 0 to 1.
	Confidence float64 `json:"confidence" jsonschema:"minimum=0"`
	// Method by which it was computed: docs/studies/statistics.md.
	Method Method `json:"method"`
}

// Method is a way to compute an interval.
type Method string

// The methods. All but the last one are of one run.
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

// Around returns the interval of a positive value whose logarithm is known within ± half.
func Around(value, half float64, method Method) *Interval {
	return &Interval{Low: value * math.Exp(-half), High: value * math.Exp(half), Confidence: Confidence, Method: method}
}

// Part returns the larger distance of the interval's ends from a value, relative to it, or NaN for a nil interval.
func (i *Interval) Part(value float64) float64 {
	if i == nil || !(value > 0) {
		return math.NaN()
	}
	return max(i.High-value, value-i.Low) / value
}

// Between returns the geometric mean of the ratings of several runs of one system and configuration, and Student's
// interval between runs, on the logarithms. It is nil for fewer than three runs, or if a rating isn't positive.
func Between(ratings []float64) (mean float64, in *Interval) {
	logs := make([]float64, len(ratings))
	for i, x := range ratings {
		if !(x > 0) {
			return math.NaN(), nil
		}
		logs[i] = math.Log(x)
	}
	middle, of := stats.Mean(logs, Confidence)
	mean = math.Exp(middle)
	if !of.Known {
		return mean, nil
	}
	return mean, Around(mean, of.High-middle, ByRuns)
}
