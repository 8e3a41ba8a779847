package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// told returns the parameters with their 95 % intervals by the slopes at the solution, and the shares of the groups in
// what is known of them.
//
// The interval is the longer one of two. The first takes the residuals of a group as independent and alike. The second
// (Liang and Zeger, Longitudinal data analysis using generalized linear models, 1986) lets those of a curve, a kernel
// over its lengths, be wrong together, as they are where the model is wrong. A weak belief that a parameter is within a
// factor of e² of its value keeps intervals finite of what no time tells.
func (f *search) told() (list []Parameter) {
	const belief = 2.0
	p, here := f.p, f.residuals()
	k := len(f.at)
	slopes := f.slopes(here)
	f.with(f.at)
	scatter, mean := p.pulls(here)
	square, _ := f.normal(slopes, here)
	ridge := mean / (belief * belief)
	for a := range k {
		square.Set(a, a, square.At(a, a)+ridge)
	}
	var inverse mat.Dense
	if inverse.Inverse(square) != nil {
		for _, x := range f.list {
			list = append(list, Parameter{Key: x.key, Value: x.get(f.m), Within: math.Inf(1)})
		}
		return list
	}
	curves := 0
	freedom := make([]float64, len(p.groups)) // of the scatter of each group: its times less what they are fitted by
	for g := range freedom {
		freedom[g] = float64(p.groups[g].Count)
	}
	for i, r := range here {
		o := &p.all[i]
		curves = max(curves, o.curve+1)
		row := mat.NewVecDense(k, slopes.RawRowView(i))
		freedom[o.group] -= p.weightOf(i, r) * mat.Inner(row, &inverse, row)
	}
	for g := range freedom {
		freedom[g] = max(freedom[g], 1)
		scatter[g] *= float64(p.groups[g].Count) / freedom[g]
	}
	for a, x := range f.list {
		alone, by := 0.0, make([]float64, len(p.groups))
		together := make([]float64, curves)
		for i, r := range here {
			row, o := slopes.RawRowView(i), &p.all[i]
			moves := 0.0
			for b := range k {
				moves += inverse.At(a, b) * row[b]
			}
			v := moves * moves * scatter[o.group]
			by[o.group] += v
			alone += v
			together[o.curve] += moves * p.weightOf(i, r) * r
		}
		unknown := 0.0
		for b := range k {
			unknown += inverse.At(a, b) * inverse.At(a, b) * ridge * mean
		}
		fourth := 0.0 // degrees of freedom of a sum of variances (Satterthwaite, 1946)
		for g, v := range by {
			fourth += v * v / freedom[g]
		}
		variance := alone*student(alone*alone/max(fourth, math.SmallestNonzeroFloat64)) + unknown*student(math.Inf(1))
		if among, free := spreadOf(together); free >= leastCurves {
			variance = max(variance, among*student(free))
		}
		for g := range by {
			by[g] /= max(alone, math.SmallestNonzeroFloat64)
		}
		list = append(list, Parameter{Key: x.key, Value: x.get(f.m), Within: math.Sqrt(variance), By: by})
	}
	return list
}

// leastCurves is the number of curves that must differ before their differences tell anything.
const leastCurves = 3

// student returns the square of half of the 95 % interval in standard deviations.
func student(freedom float64) float64 {
	const most = 1e4 // beyond it is the normal distribution's
	t := distuv.StudentsT{Sigma: 1, Nu: min(max(freedom, 1), most)}.Quantile(0.975)
	return t * t
}

// pulls returns the mean square of what residuals pull with, of each group and of all: weight times residual.
func (p *Problem) pulls(residuals []float64) (groups []float64, all float64) {
	const least = 1e-4 // a residual that the digits of parameters leave
	groups = make([]float64, len(p.groups))
	for i, r := range residuals {
		r = max(math.Abs(r), least)
		v := p.weightOf(i, r) * r
		groups[p.all[i].group] += v * v / float64(p.groups[p.all[i].group].Count)
		all += v * v / float64(len(residuals))
	}
	return groups, all
}

// spreadOf returns the sum of squares of some numbers, and its degrees of freedom.
func spreadOf(list []float64) (sum, freedom float64) {
	fourth := 0.0
	for _, x := range list {
		sum += x * x
		fourth += x * x * x * x
	}
	if fourth == 0 {
		return 0, 0
	}
	return sum, sum*sum/fourth - 1
}
