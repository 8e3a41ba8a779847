package stats

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Point is a measured time at a length, with the half width of its interval.
type Point struct {
	X    int64   // length
	T    float64 // time
	Half float64 // half width of the interval, or 0 if not known
}

// Line returns the time at length x on the straight line through two points of different lengths (MPIBlib manual,
// 7.6.2.2).
func Line(a, b Point, x int64) float64 {
	return a.T + (b.T-a.T)*float64(x-a.X)/float64(b.X-a.X)
}

// offLine is the ratio of a time to its neighbours' line, or the reverse, above which it is worth a remark.
const offLine = 10

// LineOutliers returns for each point the ratio of its time to the line through its neighbours, if that is more than 10
// or less than 1/10, and 0 otherwise. Points have rising lengths. The neighbours are the points before and after, or
// the next two for the first and last. A point that is far above is removed from the other points' lines first, so that
// it doesn't make its neighbours look far below. Outside of the neighbours, the line is taken to be at least the lower
// neighbour's time.
func LineOutliers(points []Point) []float64 {
	factors := make([]float64, len(points))
	off := func(keep func(i int) bool, wanted func(factor float64) bool) {
		for i, p := range points {
			a, b, ok := neighbours(points, i, keep)
			if !ok || factors[i] != 0 {
				continue
			}
			if line := max(Line(a, b, p.X), min(a.T, b.T)); line > 0 && p.T > 0 && wanted(p.T/line) {
				factors[i] = p.T / line
			}
		}
	}
	off(func(int) bool { return true }, func(f float64) bool { return f > offLine })
	above := append([]float64(nil), factors...)
	off(func(i int) bool { return above[i] == 0 }, func(f float64) bool { return f < 1.0/offLine })
	return factors
}

// neighbours returns the two points whose line predicts point i, out of the points that keep accepts.
func neighbours(points []Point, i int, keep func(int) bool) (a, b Point, ok bool) {
	next := func(from, step, skip int) int {
		for j := from; j >= 0 && j < len(points); j += step {
			if keep(j) {
				if skip--; skip < 0 {
					return j
				}
			}
		}
		return -1
	}
	before, after := next(i-1, -1, 0), next(i+1, 1, 0)
	switch {
	case before < 0:
		before = next(i+1, 1, 1)
	case after < 0:
		after = next(i-1, -1, 1)
	}
	if before < 0 || after < 0 || points[before].X == points[after].X {
		return a, b, false
	}
	return points[before], points[after], !math.IsNaN(points[i].T)
}

// PositiveLine fits the line y = intercept + slope·x to points by weighted least squares, with both coefficients at
// least 0. err holds the standard errors of y, which must be above 0. The lists must have the same length, at least 1.
func PositiveLine(x, y, err []float64) (intercept, slope float64) {
	weights := make([]float64, len(err))
	for i, e := range err {
		weights[i] = 1 / (e * e)
	}
	meanX, meanY := stat.Mean(x, weights), stat.Mean(y, weights)
	if _, s := stat.LinearRegression(x, y, weights, false); s > 0 { // it is NaN if all x are equal
		slope = s
	}
	if meanX > 0 {
		slope = min(slope, max(0, meanY)/meanX) // of the line through 0
	}
	return max(0, meanY-slope*meanX), slope
}
