package stats

import "math"

// PositiveLine fits the line y = intercept + slope·x to points by weighted least squares, with neither coefficient
// below
// 0. err holds the standard errors of y, which must be above 0. The lists must have the same length, at least 1.
func PositiveLine(x, y, err []float64) (intercept, slope float64) {
	weights, meanX, meanY := 0.0, 0.0, 0.0
	for i := range x {
		w := 1 / (err[i] * err[i])
		weights, meanX, meanY = weights+w, meanX+w*x[i], meanY+w*y[i]
	}
	meanX, meanY = meanX/weights, meanY/weights
	sxx, sxy := 0.0, 0.0
	for i := range x {
		w := 1 / (err[i] * err[i])
		sxx += w * (x[i] - meanX) * (x[i] - meanX)
		sxy += w * (x[i] - meanX) * (y[i] - meanY)
	}
	maxSlope := math.Inf(1) // slope of the line through 0
	if meanX > 0 {
		maxSlope = max(0, meanY) / meanX
	}
	if sxx > 0 {
		slope = min(max(sxy/sxx, 0), maxSlope)
	}
	return max(0, meanY-slope*meanX), slope
}
