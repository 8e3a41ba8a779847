package stats

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Crossing returns the probability that the mean of independent normal values with mean 0 is z or more of the mean's
// standard deviations above 0 at any of the first looks values. This is the probability of a wrong verdict at z if one
// looks after each value (Armitage, McPherson and Rowe, 1969; the same bound at each look is Pocock's, 1977).
func Crossing(z float64, looks int) float64 {
	switch {
	case math.IsNaN(z) || z <= 0:
		return 1
	case z > farZ:
		return min(1, float64(looks)*above(z))
	case looks > maxLooks: // each doubling of the number of values adds about the same
		p := Crossing(z, maxLooks)
		return min(1, p+(p-Crossing(z, maxLooks/2))*math.Log2(float64(looks)/maxLooks))
	}
	// Density of the sum of k values that has not reached its bound z·√k, at points below the bound.
	bound := z
	at := points(bound)
	density := make([]float64, len(at))
	for i, s := range at {
		density[i] = phi(s)
	}
	all := above(z)
	for k := 2; k <= looks; k++ {
		next := z * math.Sqrt(float64(k))
		to := points(next)
		// Points are equally spaced, so steps with the same difference of indices are equally long.
		steps := make([]float64, len(to)+len(at))
		for d := range steps {
			steps[d] = phi(next-bound-float64(d-len(at))*gridStep) * gridStep
		}
		made := make([]float64, len(to))
		for i, p := range density {
			if i == 0 {
				p /= 2 // the end of the trapezoids
			}
			all += p * gridStep * above(next-at[i])
			for j := range made {
				made[j] += p * steps[j-i+len(at)]
			}
		}
		bound, at, density = next, to, made
	}
	return min(all, 1)
}

const (
	// maxLooks is the largest number of looks for which the probability is integrated.
	maxLooks = 20
	// farZ is the smallest z for which the probabilities of all looks are simply added, which is nearly right.
	farZ = 6
)

// gridStep is the distance of points of sums, in standard deviations of a value. gridDepth is how far below 0 they go;
// a sum that is lower does not return.
const (
	gridStep  = 0.15
	gridDepth = 7
)

// points returns sums at equal distances, from a bound downwards.
func points(bound float64) []float64 {
	list := make([]float64, 1+int((bound+gridDepth)/gridStep))
	for i := range list {
		list[i] = bound - float64(i)*gridStep
	}
	return list
}

// phi is the density of the standard normal distribution, and above the probability of larger values.
func phi(x float64) float64   { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }
func above(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }

// Boundary returns the z for which Crossing returns this probability.
func Boundary(probability float64, looks int) float64 {
	return remembered(&boundaries, size{looks, probability}, func() float64 {
		low, high := 0.0, 12.0
		for range 30 {
			if z := (low + high) / 2; Crossing(z, looks) > probability {
				low = z
			} else {
				high = z
			}
		}
		return high
	})
}

var boundaries sync.Map

// Adjusted returns the probabilities that verdicts are wrong, adjusted for the number of verdicts by Holm's rule. All
// verdicts whose adjusted probability is at or below a level hold together at this level.
func Adjusted(wrong []float64) []float64 {
	adjusted, largest := make([]float64, len(wrong)), 0.0
	for n, i := range inOrder(wrong) {
		largest = max(largest, min(1, float64(len(wrong)-n)*wrong[i]))
		adjusted[i] = largest
	}
	return adjusted
}

// inOrder returns the indices of values in rising order.
func inOrder(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	return order
}

// Holm returns which of several verdicts hold together, from the probability that each is wrong. The probability that
// any of these is wrong is at most all (Holm, 1979). levels has the upper limit of each probability.
func Holm(wrong []float64, all float64) (hold []bool, levels []float64) {
	hold, levels = make([]bool, len(wrong)), make([]float64, len(wrong))
	holds, level := true, 0.0
	for n, i := range inOrder(wrong) {
		if holds {
			level = all / float64(len(wrong)-n)
		}
		holds = holds && wrong[i] <= level
		hold[i], levels[i] = holds, level
	}
	return hold, levels
}

// Sequential tests whether the mean of values is above or below 0. It may be looked at after each value.
//
// If a spread is given, values are taken as normal with it, or with their own deviation if that is larger. A single
// value can't contradict the given spread, which is then doubled. Without a spread, or if the values contradict it
// (chi-squared, 1 %), Student's distribution replaces the normal one, from 5 values upwards. Fewer values of a machine
// with a fast and a slow state are too often all from the same state.
type Sequential struct {
	Looks  int     // number of looks planned
	Spread float64 // largest expected standard deviation of the values, or 0 if not known
}

// MeanTest is the state of the test after some values.
type MeanTest struct {
	Mean float64
	// Standard deviation of a value: the largest of the given spread, the values' own, and the given minimum.
	Deviation float64
	Z         float64 // the mean in its own standard deviations, or NaN if too little is known
	Looks     int     // number of looks that count for the values so far
	By        SpreadSource
	n         int
}

// SpreadSource is the source of a standard deviation.
type SpreadSource int

// Sources of a standard deviation.
const (
	UnknownSpread  SpreadSource = iota // too few values
	GivenSpread                        // the given spread, or a larger measured one
	MeasuredSpread                     // the values
)

const (
	// chiQuantile is the probability that values with the given spread don't contradict it.
	chiQuantile = 0.99
	// MinMeasured is the smallest number of values whose deviation is enough by itself. All of 5 values are in one of
	// two equal states with a probability of 1/32 for each.
	MinMeasured = 5
	// singleFactor is the factor of the given spread for a single value.
	singleFactor = 2
)

// Test returns the state of the test after values. Their deviation is taken to be at least least.
func (q Sequential) Test(values []float64, least float64) MeanTest {
	n := len(values)
	s := MeanTest{n: n, Mean: stat.Mean(values, nil)}
	own := 0.0
	if n > 1 {
		own = Deviation(values)
	}
	s.Deviation = max(own, least)
	if q.Spread > 0 && !q.contradicted(own, n) {
		s.Deviation, s.By = max(s.Deviation, q.Spread), GivenSpread
	} else if n >= MinMeasured {
		s.By = MeasuredSpread
	}
	s.Looks = s.looks(max(q.Looks, 1), n)
	s.Z = s.zOf(s.Mean, n)
	return s
}

// looks returns the number of looks that count for n values: the planned number, doubled until it is at least n.
// Without a given spread, looks begin at MinMeasured values.
func (s *MeanTest) looks(planned, n int) int {
	for planned < n {
		planned *= 2
	}
	if s.By != GivenSpread {
		return max(planned-MinMeasured+2, 2) // one more than are planned, as Student's t isn't normal
	}
	return planned
}

// contradicted reports whether the deviation of n values exceeds the given spread by more than chance.
func (q Sequential) contradicted(own float64, n int) bool {
	if n < 2 {
		return false
	}
	square := float64(n-1) * own * own / (q.Spread * q.Spread)
	return square > distuv.ChiSquared{K: float64(n - 1)}.Quantile(chiQuantile)
}

// deviation returns the standard deviation of a value if n values are averaged.
func (s *MeanTest) deviation(n int) float64 {
	if s.By == GivenSpread && n == 1 {
		return singleFactor * s.Deviation
	}
	return s.Deviation
}

// zOf returns the z of a mean of n values with the state's deviation.
func (s *MeanTest) zOf(mean float64, n int) float64 {
	t := mean * math.Sqrt(float64(n)) / s.deviation(n)
	switch {
	case s.By == UnknownSpread:
		return math.NaN()
	case s.By == GivenSpread || math.IsInf(t, 0) || math.IsNaN(t):
		return t
	}
	// The small tail is computed, because a large t would give 1.
	z := -distuv.UnitNormal.Quantile(Survival(math.Abs(t), float64(n-1)))
	return math.Copysign(z, t)
}

// Against returns the state of the same test against another value than 0.
func (s MeanTest) Against(value float64) MeanTest {
	s.Mean -= value
	s.Z = s.zOf(s.Mean, s.n)
	return s
}

// PValues returns the p-values of the verdicts "the mean is above 0" and "the mean is below 0" by the values so far:
// the probabilities of data at least as clear if the verdict were wrong. Both are 1 if the spread isn't known.
func (s *MeanTest) PValues() (above, below float64) {
	if math.IsNaN(s.Z) {
		return 1, 1
	}
	return Crossing(s.Z, s.Looks), Crossing(-s.Z, s.Looks)
}

// Half returns the half width of an interval around the mean. It holds the true mean at all looks, except with
// probability wrong on each side. It is NaN if too little is known.
func (s *MeanTest) Half(wrong float64) float64 {
	c := Boundary(wrong, s.Looks)
	switch s.By {
	case UnknownSpread:
		return math.NaN()
	case MeasuredSpread:
		c = Student(distuv.UnitNormal.CDF(c), float64(s.n-1))
	}
	return c * s.deviation(s.n) / math.Sqrt(float64(s.n))
}

// Needed returns the number of values after which a verdict holds at a level if mean and deviation stay the same. It
// returns 0 if that takes more than maxValues.
func (s *MeanTest) Needed(level float64, maxValues int) int {
	then := *s
	if then.By == UnknownSpread {
		if then.By = MeasuredSpread; s.n < 2 {
			return MinMeasured // the spread isn't known
		}
	}
	holds := func(n int) bool {
		return Crossing(math.Abs(then.zOf(s.Mean, n)), s.Looks) <= level
	}
	low, high := s.n, maxValues
	if then.By == MeasuredSpread {
		low = max(low, MinMeasured-1)
	}
	if high <= low || !holds(high) {
		return 0
	}
	for high-low > 1 {
		if n := (low + high) / 2; holds(n) {
			high = n
		} else {
			low = n
		}
	}
	return high
}
