package rating

import (
	"fmt"

	"github.com/effective-bandwidth/beff/stats"
)

// Quantile is the time that a part of the repetitions, or of the calls, doesn't exceed.
type Quantile struct {
	// That part of them, in percent.
	Percent float64 `json:"percent"`
	// Seconds; left out of too few.
	Value float64 `json:"value,omitempty"`
	// Seconds: the ends of its interval, which are those of two of the times by their ranks (stats.QuantileRanks).
	Interval []float64 `json:"interval,omitempty"`
	// How many times the interval needs; left out if there are as many.
	Needed int64 `json:"needed,omitempty"`
}

// Known reports whether there are enough times for the quantile and its interval.
func (q *Quantile) Known() bool { return q.Needed == 0 }

// MostQuantiles is the number of quantiles that a run may ask for.
const MostQuantiles = 16

// CheckQuantiles returns an error unless percentages rise between 0 and 100.
func CheckQuantiles(list []float64) error {
	for i, q := range list {
		if !(q > 0 && q < 100) || i > 0 && q <= list[i-1] || len(list) > MostQuantiles {
			return fmt.Errorf("want up to %d rising quantiles, each more than 0 and less than 100 %%, not %v",
				MostQuantiles, list)
		}
	}
	return nil
}

// Quantiles returns quantiles of counted picoseconds; unit is seconds of a figure in one of them. An end of an interval
// is that of its bucket.
func Quantiles(h *stats.Histogram, percents []float64, confidence, unit float64) (list []Quantile) {
	for _, percent := range percents {
		q := Quantile{Percent: percent}
		if in := RankedInterval(h, percent/100, confidence); in.Known {
			q.Value, q.Interval = h.Quantile(percent/100)*unit, []float64{in.Low * unit, in.High * unit}
		} else {
			q.Needed = stats.Needed(percent/100, confidence)
		}
		list = append(list, q)
	}
	return list
}

// RankedInterval returns the interval of a quantile of a histogram.
func RankedInterval(h *stats.Histogram, p, confidence float64) stats.Interval {
	first, last, ok := stats.QuantileRanks(h.N(), p, confidence)
	if !ok {
		return stats.Interval{}
	}
	low, _ := h.Rank(first)
	_, high := h.Rank(last)
	return stats.Interval{Low: float64(low), High: float64(high), Known: true}
}
