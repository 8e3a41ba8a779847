package stats

import "math"

// PositiveLine fits the line y = intercept + slope·x to points by weighted least squares, with neither coefficient below
// 0. err holds the standard errors of y, which must be above 0. The lists must have the same length, at least 1.
func PositiveLine(x, y, err []float64) (intercept, slope float64) {
	all, meanX, meanY := 0.0, 0.0, 0.0
	for i := range x {
		w := 1 / (err[i] * err[i])
		all, meanX, meanY = all+w, meanX+w*x[i], meanY+w*y[i]
	}
	meanX, meanY = meanX/all, meanY/all
	around, rise := 0.0, 0.0
	for i := range x {
		w := 1 / (err[i] * err[i])
		around += w * (x[i] - meanX) * (x[i] - meanX)
		rise += w * (x[i] - meanX) * (y[i] - meanY)
	}
	most := math.Inf(1) // slope of the line through 0
	if meanX > 0 {
		most = max(0, meanY) / meanX
	}
	if around > 0 {
		slope = min(max(rise/around, 0), most)
	}
	return max(0, meanY-slope*meanX), slope
}
