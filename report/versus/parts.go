package versus

import (
	"cmp"
	"math"
	"slices"
)

// Part is the contribution of one part of the measurements to a difference.
type Part struct {
	Name string
	Log  float64 // its part of the natural logarithm of the ratio
	// Points is its part of the difference, in percentage points: those of all parts sum up to 100·(ratio-1).
	Points float64
}

// LogMean returns the logarithmic mean, which is between the geometric and the arithmetic mean.
func LogMean(x, y float64) float64 {
	d := math.Log(x / y)
	if math.Abs(d) < 1e-7 { // the quotient would lose all digits; the geometric mean is right to 1e-15
		return math.Sqrt(x * y)
	}
	return (x - y) / d
}

// Ranked returns the parts, given as logarithms by name, the largest first. sum is the logarithm of the whole ratio.
// A logarithm's part of the difference is LogMean(ratio, 1) times it, which stays finite where the ratio is near 1.
func Ranked(parts map[string]float64, sum float64) []Part {
	points := 100 * LogMean(math.Exp(sum), 1)
	var list []Part
	for name, log := range parts {
		list = append(list, Part{name, log, points * log})
	}
	slices.SortFunc(list, func(p, q Part) int {
		return cmp.Or(-cmp.Compare(math.Abs(p.Log), math.Abs(q.Log)), cmp.Compare(p.Name, q.Name))
	})
	return list
}

// GeometricMean returns the geometric mean, 0 if there are no ratios.
func GeometricMean(ratios []float64) float64 {
	if len(ratios) == 0 {
		return 0
	}
	log := 0.0
	for _, x := range ratios {
		log += math.Log(x)
	}
	return math.Exp(log / float64(len(ratios)))
}
