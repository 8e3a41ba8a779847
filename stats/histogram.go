package stats

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Histogram counts whole numbers of 0 or more, as HdrHistogram does with three significant digits. Below 2048 each
// bucket has one number. Above, the size of a bucket is the largest power of two that is at most 1/1024 of its least
// number. So memory depends on the range of the numbers and not on their count, with at most 56320 buckets. Histograms
// of the same numbers are equal in whatever order and parts they were added, except for the rounding of sums of 2^53 or
// more (in picoseconds, 2.5 hours).
type Histogram struct {
	// The least number of each bucket that isn't empty, in rising order.
	From []int64 `json:"from"`
	// Number of values in each bucket.
	Counts []int64 `json:"counts"`
	// The least of all numbers.
	Min int64 `json:"min" jsonschema:"minimum=0"`
	// The largest of all numbers.
	Max int64 `json:"max" jsonschema:"minimum=0"`
	// The sum of all numbers, for times in picoseconds.
	Sum float64 `json:"sum" jsonschema:"minimum=0"`
}

// The module github.com/HdrHistogram/hdrhistogram-go 1.4.0 has the same buckets. But it gives quantiles by a percentage
// and not the bucket of a rank, which intervals need. It keeps neither the exact extremes nor the sum, and allocates
// all buckets at once. We could use only its equivalents of floor and width.

// keptBits is the number of leading bits that the numbers of a bucket have in common.
const keptBits = 11

// floor returns the least number in the bucket of v.
func floor(v int64) int64 { return v &^ (width(v) - 1) }

// width returns how many numbers the bucket of v spans.
func width(v int64) int64 { return 1 << max(0, bits.Len64(uint64(v))-keptBits) }

// Add counts the number v n times, or 0 if v is negative.
func (h *Histogram) Add(v, n int64) {
	v = max(v, 0)
	if len(h.From) == 0 {
		h.Min, h.Max = v, v
	}
	h.Min, h.Max, h.Sum = min(h.Min, v), max(h.Max, v), h.Sum+float64(v)*float64(n)
	h.count(floor(v), n)
}

// count adds to the bucket whose least number is from.
func (h *Histogram) count(from, n int64) {
	i, there := slices.BinarySearch(h.From, from)
	if !there {
		h.From, h.Counts = slices.Insert(h.From, i, from), slices.Insert(h.Counts, i, 0)
	}
	h.Counts[i] += n
}

// Merge adds all numbers of another histogram.
func (h *Histogram) Merge(other *Histogram) {
	if other == nil || len(other.From) == 0 {
		return
	}
	if len(h.From) == 0 {
		h.Min, h.Max = other.Min, other.Max
	}
	h.Min, h.Max, h.Sum = min(h.Min, other.Min), max(h.Max, other.Max), h.Sum+other.Sum
	for i, from := range other.From {
		h.count(from, other.Counts[i])
	}
}

// N returns how many numbers there are. h may be nil.
func (h *Histogram) N() (n int64) {
	if h == nil {
		return 0
	}
	for _, c := range h.Counts {
		n += c
	}
	return n
}

// Ends returns the least and the largest number that bucket i may have, within Min and Max.
func (h *Histogram) Ends(i int) (low, high int64) {
	return max(h.From[i], h.Min), min(h.From[i]+width(h.From[i])-1, h.Max)
}

// middle returns the middle of a bucket.
func (h *Histogram) middle(i int) float64 {
	low, high := h.Ends(i)
	return (float64(low) + float64(high)) / 2
}

// Rank returns the ends of the bucket of the k-th smallest number, counted from 1.
func (h *Histogram) Rank(k int64) (low, high int64) { return h.Ends(h.bucket(k)) }

// bucket returns the index of the bucket of the k-th smallest number.
func (h *Histogram) bucket(k int64) int {
	for i, c := range h.Counts {
		if k -= c; k <= 0 {
			return i
		}
	}
	return len(h.Counts) - 1
}

// Mean returns the mean of all numbers, NaN if there are none.
func (h *Histogram) Mean() float64 { return h.Sum / float64(h.N()) }

// Deviation returns the standard deviation (with n-1) of the middles of the buckets, or NaN for fewer than two numbers.
func (h *Histogram) Deviation() float64 {
	mean, n, sum := h.Mean(), h.N(), 0.0
	if n < 2 {
		return math.NaN()
	}
	for i, c := range h.Counts {
		d := h.middle(i) - mean
		sum += float64(c) * d * d
	}
	return math.Sqrt(sum / float64(n-1))
}

// Quantile returns the quantile p, or NaN if there are no numbers. Each number is taken to be the middle of its bucket.
func (h *Histogram) Quantile(p float64) float64 {
	n := h.N()
	if n == 0 {
		return math.NaN()
	}
	at := p * float64(n-1)
	k := min(int64(at), n-1)
	x := h.middle(h.bucket(k + 1))
	if k+1 == n {
		return float64(h.Max)
	}
	return x + (at-float64(k))*(h.middle(h.bucket(k+2))-x)
}

// Outliers does the same as the function Outliers. Each number is taken to be the middle of its bucket.
func (h *Histogram) Outliers() (count int64, rest float64) {
	low, high := h.Quantile(0.25), h.Quantile(0.75)
	reach := farOut * (high - low)
	sum := h.Sum
	for i, c := range h.Counts {
		if x := h.middle(i); x < low-reach || x > high+reach {
			count, sum = count+c, sum-float64(c)*x
		}
	}
	return count, sum / float64(h.N()-count)
}

// Check returns an error if no numbers can have made this histogram, which may come from a file.
func (h *Histogram) Check() error {
	if len(h.From) == 0 || len(h.From) != len(h.Counts) {
		return fmt.Errorf("a histogram of %d buckets and %d counts", len(h.From), len(h.Counts))
	}
	total := int64(0)
	for i, from := range h.From {
		switch c := h.Counts[i]; {
		case from < 0 || from != floor(from) || i > 0 && from <= h.From[i-1]:
			return fmt.Errorf("a histogram's bucket begins with %d", from)
		case c < 1 || c > math.MaxInt64-total:
			return fmt.Errorf("a histogram's bucket has the count %d, after %d in the buckets before", c, total)
		default:
			total += c
		}
	}
	last := h.From[len(h.From)-1]
	if floor(max(h.Min, 0)) != h.From[0] || floor(max(h.Max, 0)) != last || h.Min > h.Max || h.Min < 0 {
		return fmt.Errorf("a histogram from %d to %d, whose buckets begin with %d to %d", h.Min, h.Max, h.From[0], last)
	}
	// Each added number rounds the sum once.
	if slack := 1e-9 + float64(total)*0x1p-53; !(h.Sum >= h.minSum()*(1-slack) && h.Sum <= h.maxSum()*(1+slack)) {
		return fmt.Errorf("a histogram whose numbers sum to %g, but its buckets give %g to %g", h.Sum, h.minSum(),
			h.maxSum())
	}
	return nil
}

// minSum returns the least sum that all numbers can have in their buckets, and maxSum the largest.
func (h *Histogram) minSum() (sum float64) {
	for i, c := range h.Counts {
		low, _ := h.Ends(i)
		sum += float64(low) * float64(c)
	}
	return sum
}

func (h *Histogram) maxSum() (sum float64) {
	for i, c := range h.Counts {
		_, high := h.Ends(i)
		sum += float64(high) * float64(c)
	}
	return sum
}
