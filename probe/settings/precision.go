package settings

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/stats"
)

// Precision is the rule that ends a series: repetitions continue until the interval of their mean or median is narrow
// (MPIBlib manual, 9.21).
type Precision struct {
	// The series ends when half of the interval, divided by the mean, is below this value: 0 to 1.
	Relative float64 `json:"relative"`
	// Confidence level of the interval, two-sided: 0 to 1.
	Confidence float64 `json:"confidence"`
	// The fewest and the most repetitions. If they are equal, Relative and Confidence don't end the series.
	Min int64 `json:"least" jsonschema:"minimum=1"`
	Max int64 `json:"most" jsonschema:"minimum=1"`
	// Operations between two readings of the clock. The time of a repetition is their time, divided by their number.
	Inner int64 `json:"inner" jsonschema:"minimum=1"`
	// The figure that must be precise and that represents the row.
	Statistic Statistic `json:"statistic" jsonschema:"enum=mean,enum=median"`
}

// Statistic is the figure that represents all repetitions.
type Statistic string

// The statistics.
const (
	ByMean   Statistic = "mean"
	ByMedian Statistic = "median"
)

// Limits of a precision.
const (
	MaxPrecise = 1 << 20 // repetitions of a series that keeps all times
	MaxInner   = 1 << 12 // operations between two readings, each of which is in the program
)

// Check returns an error if no series can have the precision.
func (p *Precision) Check() error {
	switch {
	case !(p.Relative > 0 && p.Relative < 1):
		return fmt.Errorf("want a precision between 0 and 100 %%, not %g %%", 100*p.Relative)
	case !(p.Confidence >= 0.5 && p.Confidence < 1):
		return fmt.Errorf("want a confidence from 50 %% to below 100 %%, not %g %%", 100*p.Confidence)
	case p.Min < 1 || p.Min > p.Max || p.Max > MaxCount:
		return fmt.Errorf("want repetitions 1 <= MIN <= MAX <= %d, not %d:%d", MaxCount, p.Min, p.Max)
	case p.Inner < 1 || p.Inner > MaxInner:
		return fmt.Errorf("want 1 to %d operations between two readings of the clock, not %d", MaxInner, p.Inner)
	case p.Statistic != ByMean && p.Statistic != ByMedian:
		return fmt.Errorf("unknown statistic %q: want %s or %s", p.Statistic, ByMean, ByMedian)
	}
	return nil
}

// Ending is the reason why a series ended.
type Ending string

// The endings.
const (
	Precise   Ending = "precision" // the interval is narrow enough
	AtMost    Ending = "most"      // the largest number of repetitions is reached
	OutOfTime Ending = "time"      // another batch would exceed the time of the row
)

// minPrecise is the smallest number of repetitions whose interval is known.
const minPrecise = 3

// First returns the number of repetitions of the first batch.
func (p *Precision) First() int64 { return min(max(p.Min, minPrecise), p.Max) }

// Next returns the number of repetitions of the next batch after times (in any unit), or the reason why there is none.
// The repetitions so far determine the next batch, which is at most as large as all of them. So the rule looks at the
// interval only a few times. A series that looked after each repetition would stop at an interval that is narrow by
// chance.
func (p *Precision) Next(times []float64) (more int64, ended Ending) {
	relative, known := p.Width(times)
	return p.After(int64(len(times)), relative, known)
}

// After is like Next after n repetitions, given the results of Width.
func (p *Precision) After(n int64, relative float64, known bool) (more int64, ended Ending) {
	switch {
	case p.Min < p.Max && known && n >= max(p.Min, minPrecise) && relative < p.Relative:
		return 0, Precise
	case n >= p.Max:
		return 0, AtMost
	}
	more = n
	if known {
		ratio := relative / p.Relative
		more = int64(min(max(math.Ceil(float64(n)*ratio*ratio)-float64(n), 1), float64(n)))
	}
	if n < p.Min {
		more = p.Min - n
	}
	return min(more, p.Max-n), ""
}

// Width returns half of the interval divided by the statistic, and for a median the larger side. It is unknown for too
// few times, and for a statistic that isn't positive.
func (p *Precision) Width(times []float64) (relative float64, known bool) {
	var value float64
	var in stats.Interval
	if p.Statistic == ByMedian {
		value, in = stats.Median(stats.Sorted(times), p.Confidence)
	} else {
		value, in = stats.Mean(times, p.Confidence)
	}
	if !in.Known || !(value > 0) {
		return 0, false
	}
	return max(value-in.Low, in.High-value) / value, true
}
