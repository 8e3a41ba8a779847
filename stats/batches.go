package stats

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
