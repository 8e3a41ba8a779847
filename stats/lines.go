package stats

import "math"

// PositiveLines returns lines y = intercept + slope·x through points with errors (weighted least squares), neither part
// below 0: the best one, and those at two standard errors of its slope to both sides. Points that lie farther off the
// line than their errors say make the standard error as much larger.
func PositiveLines(x, y, err []float64) (lines [][2]float64) {
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
	most := math.Inf(1) // of the slope: the line through 0
	if meanX > 0 {
		most = max(0, meanY) / meanX
	}
	slope, wide := 0.0, math.Inf(1)
	if around > 0 {
		slope = rise / around
		off := 0.0
		for i := range x {
			d := (y[i] - meanY - slope*(x[i]-meanX)) / err[i]
			off += d * d
		}
		wide = 2 * math.Sqrt(max(1, off/max(1, float64(len(x)-2)))/around)
	}
	for _, b := range []float64{slope, slope - wide, slope + wide} {
		b = min(max(b, 0), most)
		lines = append(lines, [2]float64{max(0, meanY-b*meanX), b})
	}
	return lines
}
