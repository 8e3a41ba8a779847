package stats

import (
	"math"
	"slices"
	"sort"
	"sync"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Interval is a confidence interval. It is not known if there are too few values.
type Interval struct {
	Low, High float64
	Known     bool
}

// minForMean is the smallest number of values whose mean has an interval. For two values the quantile of Student's t
// is 12.7 (95 %), which is useless.
const minForMean = 3

// Mean returns the mean of values, or NaN if there are none, and its interval by Student:
//
//	mean ± q·s/√n, q the quantile (1+confidence)/2 with n-1 degrees of freedom,
//
// where s is the standard deviation with n-1 (MPIBlib manual, 7.6.2.4 and 9.21.2.3). There is no interval for fewer
// than 3 values. The values must be independent; Batches is for a series.
func Mean(values []float64, confidence float64) (mean float64, in Interval) {
	mean, s := stat.MeanStdDev(values, nil)
	return MeanOf(int64(len(values)), mean, s, confidence)
}

// MeanOf does the same as Mean, for n values with a known mean and standard deviation.
func MeanOf(n int64, mean, deviation, confidence float64) (float64, Interval) {
	if n < minForMean {
		return mean, Interval{}
	}
	half := 0.0
	if deviation > 0 {
		half = student(int(n), confidence) * deviation / math.Sqrt(float64(n))
	}
	return mean, Interval{mean - half, mean + half, true}
}

// Median returns the median of sorted values, or NaN if there are none, and its interval from the k-th to the
// (n+1-k)-th value, where k is the largest number with
//
//	Pr(Bin(n, 1/2) < k) ≤ (1-confidence)/2.
//
// With a confidence of 0.95 there is no interval for fewer than 6 values. The values must be independent.
func Median(sorted []float64, confidence float64) (median float64, in Interval) {
	n := len(sorted)
	median = Quantile(sorted, 0.5)
	k := medianRank(n, confidence)
	if k < 1 {
		return median, Interval{}
	}
	return median, Interval{sorted[k-1], sorted[n-k], true}
}

// student returns the quantile (1+confidence)/2 of Student's t for n values.
func student(n int, confidence float64) float64 {
	return remembered(&students, size{n, confidence}, func() float64 {
		return Student((1+confidence)/2, float64(n-1))
	})
}

// medianRank returns the rank of the lower end of the interval of n values' median, or 0 if there is no interval.
func medianRank(n int, confidence float64) int {
	if n < 1 {
		return 0
	}
	return remembered(&medianRanks, size{n, confidence}, func() int {
		heads := distuv.Binomial{N: float64(n), P: 0.5}
		tail := (1 - confidence) / 2 * (1 + 1e-12) // so that a bound met exactly counts
		// CDF(k) is Pr(Bin < k+1), so k+1 is the first rank that is too large.
		return sort.Search(n/2+1, func(k int) bool { return heads.CDF(float64(k)) > tail })
	})
}

// size is a number of values and a confidence, the key of students and medianRanks.
type size struct {
	n          int
	confidence float64
}

// Quantiles take some 10 µs, as long as a short row's batch, and are needed again and again, so they are cached.
var students, medianRanks sync.Map

// remembered returns the value for a key, from the cache or from make.
func remembered[T any](known *sync.Map, s any, make func() T) T {
	if v, ok := known.Load(s); ok {
		return v.(T)
	}
	v := make()
	known.Store(s, v)
	return v
}

// Quantile returns the value below which the part p of sorted values lies, interpolated between two of them (definition
// 7 of Hyndman and Fan, 1996, as in R and NumPy), or NaN if there are none. Quantile(sorted, 0.5) is the median.
func Quantile(sorted []float64, p float64) float64 {
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	at := p * float64(n-1)
	i := min(int(at), n-1)
	if i+1 == n {
		return sorted[n-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Sorted returns a sorted copy of values.
func Sorted(values []float64) []float64 {
	list := slices.Clone(values)
	slices.Sort(list)
	return list
}

// farOut is the distance from the quartiles, in interquartile ranges, beyond which a value is an outlier (Tukey, 1977).
const farOut = 1.5

// Outliers returns the number of sorted values more than 1.5 interquartile ranges below or above the quartiles, and the
// mean of the others, or NaN if there are no values.
func Outliers(sorted []float64) (count int, rest float64) {
	low, high := Quantile(sorted, 0.25), Quantile(sorted, 0.75)
	reach := farOut * (high - low)
	inside := slices.DeleteFunc(slices.Clone(sorted), func(x float64) bool { return x < low-reach || x > high+reach })
	return len(sorted) - len(inside), stat.Mean(inside, nil)
}

// Deviation returns the standard deviation of values with n-1, or NaN for fewer than two.
func Deviation(values []float64) float64 { return stat.StdDev(values, nil) }
