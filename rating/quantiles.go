package rating

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/stats"
)

// Quantile is a time that a given part of the repetitions or calls doesn't exceed.
type Quantile struct {
	// The part, in percent.
	Percent float64 `json:"percent"`
	// Time in seconds; left out if there are too few times.
	Value float64 `json:"value,omitempty"`
	// Ends of its interval in seconds, which are two of the times, chosen by their ranks (stats.QuantileRanks).
	Interval []float64 `json:"interval,omitempty"`
	// Number of times that the interval needs; left out if there are enough.
	Needed int64 `json:"needed,omitempty"`
}

// Known reports whether there are enough times for the quantile and its interval.
func (q *Quantile) Known() bool { return q.Needed == 0 }

// MaxQuantiles is the largest number of quantiles that a user may ask for.
const MaxQuantiles = 16

// CheckQuantiles returns an error unless percentages rise between 0 and 100.
func CheckQuantiles(list []float64) error {
	for i, q := range list {
		if !(q > 0 && q < 100) || i > 0 && q <= list[i-1] || len(list) > MaxQuantiles {
			return fmt.Errorf("want up to %d rising quantiles, each more than 0 and less than 100 %%, not %v",
				MaxQuantiles, list)
		}
	}
	return nil
}

// Quantiles returns quantiles of counted times in picoseconds. unit is the number of seconds in the figure for each
// counted picosecond. An interval ends at an end of a bucket.
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

// MergedHistogram returns the histogram of all processes' times in picoseconds. mine may be nil.
func MergedHistogram(c mpi.Comm, mine *stats.Histogram) (*stats.Histogram, error) {
	ends := []float64{math.Inf(-1), math.Inf(-1)}
	if mine.N() > 0 {
		ends = []float64{-float64(mine.Min), float64(mine.Max)}
	}
	h := new(stats.Histogram)
	if err := c.Allreduce(ends, mpi.Max); err != nil || math.IsInf(ends[1], -1) {
		return h, err
	}
	least, most := int64(-ends[0]), int64(ends[1])
	low := mpi.TallyBucket(least)
	sums := make([]float64, mpi.TallyBucket(most)-low+2) // the last element is the sum of the times
	if mine.N() > 0 {
		for i, from := range mine.From {
			sums[mpi.TallyBucket(from)-low] = float64(mine.Counts[i])
		}
		sums[len(sums)-1] = mine.Sum
	}
	if err := c.Allreduce(sums, mpi.Sum); err != nil {
		return nil, err
	}
	for i, n := range sums[:len(sums)-1] {
		if n > 0 {
			h.From, h.Counts = append(h.From, mpi.TallyFloor(low+i)), append(h.Counts, int64(n))
		}
	}
	h.Min, h.Max, h.Sum = least, most, sums[len(sums)-1]
	return h, nil
}
