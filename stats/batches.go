package stats

// Batches returns the variance of the sum of a stationary series, from all of its batches of m neighbouring values
// (overlapping batch means, Meketon and Schmeiser 1984), and its approximate degrees of freedom. The variance is right
// if values at a distance of m or more are independent. If neighbouring values are alike, it grows with the length of
// the batches. With only one batch both results are 0. The mean of n values is known to within q·√variance/n, where q
// is the quantile of Student's t with these degrees of freedom.
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

// overlapping is the factor by which overlapping batches have more degrees of freedom than separate ones.
const overlapping = 1.5
