package chart

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Spread is the range of values with their geometric mean.
type Spread struct{ Low, Mean, High float64 }

// Over returns the spread divided by a number.
func (s Spread) Over(n float64) Spread { return Spread{s.Low / n, s.Mean / n, s.High / n} }

// SpreadOf returns the spread of a list. All of it is NaN if a value is missing: no mean is taken over a part of the
// values.
func SpreadOf(list []float64) Spread {
	if len(list) == 0 || slices.ContainsFunc(list, func(x float64) bool { return !Usable(x) }) {
		return Spread{math.NaN(), math.NaN(), math.NaN()}
	}
	return Spread{slices.Min(list), stat.GeometricMean(list, nil), slices.Max(list)}
}
