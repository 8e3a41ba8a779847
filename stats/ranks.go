package stats

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// QuantileRanks returns the ranks, counted from 1, of two of n sorted values. The quantile p of the distribution lies
// between them with a confidence, whatever the distribution, because the number of values below a quantile is binomial
// (David and Nagaraja, Order Statistics, 2003, 7.1). ok is false if there are too few values (see Needed).
//
// At first each tail is at most half of 1-confidence. As ranks are whole numbers, the sum of both may be far less. The
// interval is shortened by ranks on the side with the smaller tail while the sum stays within 1-confidence.
func QuantileRanks(n int64, p, confidence float64) (low, high int64, ok bool) {
	if n < Needed(p, confidence) {
		return 0, 0, false
	}
	r := remembered(&ranks, ranksKey{n, p, confidence}, func() [2]int64 { return ranksOf(n, p, confidence) })
	return r[0], r[1], true
}

// Needed returns the least number of values for which the quantile p has an interval with a confidence: all values lie
// on one side of the quantile with a probability of at most (1-confidence)/2. For 0.999 and 0.95 it is 3688, for 0.999
// and 0.998 it is 6905.
func Needed(p, confidence float64) int64 {
	tail := (1 - confidence) / 2
	return int64(math.Ceil(math.Log(tail)/math.Log(max(p, 1-p)) - 1e-9))
}

// ranksKey holds the arguments of ranksOf, the key of its cache.
type ranksKey struct {
	n             int64
	p, confidence float64
}

// ranks caches the results of ranksOf.
var ranks sync.Map

// ranksOf computes QuantileRanks.
func ranksOf(n int64, p, confidence float64) [2]int64 {
	first, weights := binomial(n, p)
	below := make([]float64, len(weights)+1) // below[i]: the probability of less than first+i values below the quantile
	for i, w := range weights {
		below[i+1] = below[i] + w
	}
	above := make([]float64, len(weights)+1) // above[i]: the probability of first+i or more
	for i := len(weights) - 1; i >= 0; i-- {
		above[i] = above[i+1] + weights[i]
	}
	outside := (1 - confidence) * (1 + 1e-9) // so that a bound met exactly counts
	l, h := 0, len(weights)
	for l+1 < len(below) && below[l+1] <= outside/2 {
		l++
	}
	for h-1 >= 0 && above[h-1] <= outside/2 {
		h--
	}
	for {
		lower, upper := below[l+1]+above[h], below[l]+above[h-1]
		switch {
		case lower <= outside && (upper > outside || below[l+1] <= above[h-1]):
			l++
		case upper <= outside:
			h--
		default:
			return [2]int64{max(first+int64(l), 1), min(first+int64(h), n)}
		}
	}
}

// binomial returns the probabilities that first, first+1 and so on of n values lie below a limit, each with probability
// p, without those that are too small to count. They are computed from the largest one outwards, so that they are as
// exact for 10^9 values as for ten; gonum's distribution (0.17) is wrong for 10^9.
func binomial(n int64, p float64) (first int64, weights []float64) {
	const negligible = 1e-22
	mode := min(int64(float64(n+1)*p), n)
	var down, up []float64
	for k, w := mode, 1.0; k > 0 && w > negligible; k-- {
		w *= float64(k) * (1 - p) / (float64(n-k+1) * p)
		down = append(down, w)
	}
	for k, w := mode, 1.0; k < n && w > negligible; k++ {
		w *= float64(n-k) * p / (float64(k+1) * (1 - p))
		up = append(up, w)
	}
	sum := 1.0
	for _, w := range down {
		sum += w
	}
	for _, w := range up {
		sum += w
	}
	for i := len(down) - 1; i >= 0; i-- {
		weights = append(weights, down[i]/sum)
	}
	weights = append(weights, 1/sum)
	for _, w := range up {
		weights = append(weights, w/sum)
	}
	return mode - int64(len(down)), weights
}

// Sign returns the p-value of a one-sided sign test: the probability that at least above of n values are above the
// median of their distribution.
func Sign(above, n int) float64 {
	return distuv.Binomial{N: float64(n), P: 0.5}.CDF(float64(n - above))
}

// MinRanks is the smallest number of values for which SignedRank is useful at usual bounds.
const MinRanks = 12

// SignedRank returns the middle of values that are distributed symmetrically, and its interval. The middle is the
// median of the means of all pairs of values (Hodges and Lehmann, 1963). The interval has those pair means for which
// Wilcoxon's signed-rank statistic is less than z standard deviations from its expectation. A few values far away, such
// as times in another state of a machine, hardly move either result. The ends are infinite if there are too few values
// for z.
func SignedRank(values []float64, z float64) (middle, low, high float64) {
	n := float64(len(values))
	means := make([]float64, 0, len(values)*(len(values)+1)/2)
	for i, x := range values {
		for _, y := range values[:i+1] {
			means = append(means, (x+y)/2)
		}
	}
	slices.Sort(means)
	middle = Quantile(means, 0.5)
	beyond := int(math.Floor(n*(n+1)/4 - 0.5 - z*math.Sqrt(n*(n+1)*(2*n+1)/24)))
	if beyond < 0 {
		return middle, math.Inf(-1), math.Inf(1)
	}
	return middle, means[beyond], means[len(means)-1-beyond]
}
