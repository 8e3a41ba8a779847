package versus

import (
	"cmp"
	"math"
	"slices"
)

// Part is the contribution of one part of the measurements to a difference.
type Part struct {
	Name  string
	Log   float64 // its part of the natural logarithm of the ratio
	Share float64 // Log / logarithm of the ratio, so the parts sum up to 1; NaN if there is no difference
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
func Ranked(parts map[string]float64, sum float64) []Part {
	var list []Part
	for name, log := range parts {
		share := math.NaN()
		if math.Abs(sum) > 1e-12 {
			share = log / sum
		}
		list = append(list, Part{name, log, share})
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
