package stats

// NeighbourCorrelation returns the correlation of neighbouring blocks, each less its mean: how much alike repetitions
// differ in them. blocks holds the repetitions of each block, in the order of time. It is about 0 where blocks don't
// depend on each other, 1 where all differ alike, and 0 where no repetitions differ.
func NeighbourCorrelation(blocks [][]float64) float64 {
	products, squares := 0.0, 0.0
	var last []float64
	for _, block := range blocks {
		mean := 0.0
		for _, x := range block {
			mean += x / float64(len(block))
		}
		now := make([]float64, len(block))
		for i, x := range block {
			now[i] = x - mean
			squares += now[i] * now[i]
			if last != nil {
				products += now[i] * last[i]
			}
		}
		last = now
	}
	if squares == 0 {
		return 0
	}
	n := float64(len(blocks))
	return products / squares * n / (n - 1)
}

// PositiveLine returns the line y = intercept + slope·x of least squares through points, neither part below 0.
func PositiveLine(x, y []float64) (intercept, slope float64) {
	n := float64(len(x))
	meanX, meanY, xy, xx, around, rise := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	for i := range x {
		meanX, meanY = meanX+x[i]/n, meanY+y[i]/n
		xy, xx = xy+x[i]*y[i], xx+x[i]*x[i]
	}
	for i := range x {
		around += (x[i] - meanX) * (x[i] - meanX)
		rise += (x[i] - meanX) * (y[i] - meanY)
	}
	if around > 0 {
		slope = rise / around
	}
	intercept = meanY - slope*meanX
	switch {
	case slope < 0:
		return max(0, meanY), 0
	case intercept < 0:
		return 0, max(0, xy/xx)
	}
	return intercept, slope
}
