package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Estimate is an estimate with the variance of its error, and the degrees of freedom of that.
type Estimate struct{ Value, Variance, Freedom float64 }

// farApart is how many robust standard deviations from the median an estimate may be that Pool uses.
const farApart = 5

// Pool returns the weighted mean of independent estimates of one value, which may differ by more than their variances
// say: all by as much more (Paule and Mandel 1982). The error of the mean is by what they differ (Hartung and Knapp
// 2001), and at least that of their variances. Estimates far from the median are left out: more than five standard
// deviations, as the median of all deviations says. Of less than three there is none: all is 0.
func Pool(list []Estimate) Estimate {
	const least = 3
	list = slices.DeleteFunc(slices.Clone(list), func(e Estimate) bool { return !(e.Variance > 0) })
	if list = withoutFar(list); len(list) < least {
		return Estimate{}
	}
	free := float64(len(list) - 1)
	low, high := 0.0, 0.0
	for _, e := range list {
		high = max(high, 4*squaresAround(list, e.Value)+e.Variance)
	}
	if _, _, q := pooled(list, 0); q > free {
		const halvings = 60
		for range halvings {
			middle := (low + high) / 2
			if _, _, q := pooled(list, middle); q > free {
				low = middle
			} else {
				high = middle
			}
		}
	} else {
		high = 0
	}
	mean, weights, q := pooled(list, high)
	return Estimate{mean, max(1, q/free) / weights, free}
}

// pooled returns the weighted mean where all estimates differ by a variance more, the sum of the weights, and the sum
// of the weighted squares around the mean.
func pooled(list []Estimate, more float64) (mean, weights, squares float64) {
	for _, e := range list {
		w := 1 / (e.Variance + more)
		mean, weights = mean+w*e.Value, weights+w
	}
	mean /= weights
	for _, e := range list {
		squares += (e.Value - mean) * (e.Value - mean) / (e.Variance + more)
	}
	return mean, weights, squares
}

func squaresAround(list []Estimate, x float64) (sum float64) {
	for _, e := range list {
		sum += (e.Value - x) * (e.Value - x)
	}
	return sum
}

// withoutFar leaves out estimates that are far from the median, in their own standard deviations.
func withoutFar(list []Estimate) []Estimate {
	if len(list) == 0 {
		return nil
	}
	var values []float64
	for _, e := range list {
		values = append(values, e.Value)
	}
	median := Middle(values)
	var off []float64
	for _, e := range list {
		off = append(off, math.Abs(e.Value-median)/math.Sqrt(e.Variance))
	}
	scale := max(1, madToSigma*Middle(off))
	var near []Estimate
	for i, e := range list {
		if off[i] <= farApart*scale {
			near = append(near, e)
		}
	}
	return near
}

// Reach returns half of an interval around a figure that holds the true value with a confidence, where an estimate says
// that the value is `off` from the figure, with a standard error and its degrees of freedom (Student's t). It is the
// quantile's part of the error where nothing is off, and the one-sided one more than `off` where much is.
func Reach(off, err, freedom, confidence float64) float64 {
	off = math.Abs(off)
	if !(err > 0) {
		return off
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}
	low, high := 0.0, off/err+Student((1+confidence)/2, freedom)
	const halvings = 50
	for range halvings {
		middle := (low + high) / 2
		if t.CDF(middle-off/err)-t.CDF(-middle-off/err) < confidence {
			low = middle
		} else {
			high = middle
		}
	}
	return high * err
}
