package stats

import "math"

// Batches returns the variance of the sum of a stationary series, by all of its batches of m neighbouring values
// (overlapping batch means, Meketon and Schmeiser 1984), and about its degrees of freedom. It is right where values
// don't depend on others that are m away or more; values that follow each other alike make it larger the longer the
// batches are. It is 0 with 0 degrees of freedom where there is only one batch.
func Batches(values []float64, m int) (variance, freedom float64) {
	n := len(values)
	if m < 1 || n <= m {
		return 0, 0
	}
	mean := 0.0
	for _, x := range values {
		mean += x / float64(n)
	}
	batch, all := 0.0, 0.0
	for i, x := range values {
		if batch += x - mean; i >= m {
			batch -= values[i-m] - mean
		}
		if i >= m-1 {
			all += batch * batch
		}
	}
	batches, size, count := float64(n-m+1), float64(m), float64(n)
	variance = all / batches * count / size * count / (count - size)
	if m == 1 {
		return variance, count - 1
	}
	return variance, max(1, overlapping*(count/size-1))
}

// overlapping is the number of degrees of freedom of overlapping batches for each one of batches that don't overlap.
const overlapping = 1.5

// LevelChange is a change of the level of a series.
type LevelChange struct {
	At    int     // the first value of the new level
	Ratio float64 // median of the values from there on over the one before
	Sigma float64 // the difference over its standard error by the noise from value to value
	Part  float64 // of the variance, that two levels with this change between them explain, 0 to 1
}

// LargestChange returns the most significant change of level in a series of positive values, with at least `least`
// values on both sides; none (Ratio 0) if there are fewer. The noise is what neighbouring values differ, on average: a
// single change hardly adds to it, and one large value makes changes less significant.
func LargestChange(values []float64, least int) (most LevelChange) {
	n := len(values)
	if n < 2*least || least < 1 {
		return most
	}
	differ := 0.0
	for i := 1; i < n; i++ {
		differ += math.Abs(values[i]-values[i-1]) / float64(n-1)
	}
	noise := differ * math.Sqrt(math.Pi) / 2
	for at := least; at <= n-least; at++ {
		before, after := Middle(values[:at]), Middle(values[at:])
		err := noise * math.Sqrt(math.Pi/2*(1/float64(at)+1/float64(n-at)))
		if d := math.Abs(after - before); d > 0 && d/err > most.Sigma {
			most = LevelChange{At: at, Ratio: after / before, Sigma: d / err}
		}
	}
	if most.Sigma > 0 {
		most.Part = 1 - (squares(values[:most.At])+squares(values[most.At:]))/squares(values)
	}
	return most
}

// squares returns the sum of the squares of values less their mean.
func squares(values []float64) (sum float64) {
	mean := 0.0
	for _, x := range values {
		mean += x / float64(len(values))
	}
	for _, x := range values {
		sum += (x - mean) * (x - mean)
	}
	return sum
}
