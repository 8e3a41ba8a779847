package versus

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// confidence is the confidence level of the intervals.
const confidence = 0.95

// Interval is the confidence interval of a ratio. It is not known if one of the two results has less than two
// repetitions.
type Interval struct {
	Low, High float64
	Known     bool
}

// Welch returns Welch's 95 % interval of the ratio of b's geometric mean to a's.
func Welch(a, b []float64) Interval {
	x, y := logs(a), logs(b)
	if len(x) < 2 || len(y) < 2 {
		return Interval{}
	}
	mx, vx := stat.MeanVariance(x, nil)
	my, vy := stat.MeanVariance(y, nil)
	ex, ey := vx/float64(len(x)), vy/float64(len(y)) // squared standard errors of the means
	half := 0.0
	if ex+ey > 0 {
		// Degrees of freedom after Welch and Satterthwaite.
		nu := (ex + ey) * (ex + ey) / (ex*ex/float64(len(x)-1) + ey*ey/float64(len(y)-1))
		half = distuv.StudentsT{Sigma: 1, Nu: nu}.Quantile(1-(1-confidence)/2) * math.Sqrt(ex+ey)
	}
	return Interval{math.Exp(my - mx - half), math.Exp(my - mx + half), true}
}

// logs returns the natural logarithms, nil if one of the figures was not measured.
func logs(list []float64) []float64 {
	var l []float64
	for _, x := range list {
		if !(x > 0) || math.IsInf(x, 0) {
			return nil
		}
		l = append(l, math.Log(x))
	}
	return l
}
