package stats

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// Crossing returns the probability that one of the means of the first 1, 2, … looks of independent normal values, which
// are 0 on average, is z or more of its own standard deviations above 0. It is the probability that a wrong verdict is
// found at z or farther by somebody who looks after each value (Armitage, McPherson and Rowe, 1969; the same bound at
// each look is Pocock's, 1977).
func Crossing(z float64, looks int) float64 {
	switch {
	case math.IsNaN(z) || z <= 0:
		return 1
	case z > farZ:
		return min(1, float64(looks)*above(z))
	case looks > mostLooks: // the same is added with each doubling of the number of values, about
		p := Crossing(z, mostLooks)
		return min(1, p+(p-Crossing(z, mostLooks/2))*math.Log2(float64(looks)/mostLooks))
	}
	// The density of the sum of k values that has not reached its bound z·√k, at points below the bound.
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
		// Points have one distance: a step is as long as another one with the same difference of indices.
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
	// mostLooks is the number of looks up to which the probability is integrated.
	mostLooks = 20
	// farZ is the z from which on it is taken for the sum of those of all looks, which it is nearly.
	farZ = 6
)

// gridStep is the distance of points of sums, in standard deviations of a value, and gridDepth how far below 0 they go:
// what is deeper does not come back.
const (
	gridStep  = 0.15
	gridDepth = 7
)

// points returns the sums from a bound down.
func points(bound float64) []float64 {
	list := make([]float64, 1+int((bound+gridDepth)/gridStep))
	for i := range list {
		list[i] = bound - float64(i)*gridStep
	}
	return list
}

// phi is the density of the standard normal distribution, above the probability of values above x.
func phi(x float64) float64   { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }
func above(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }

// Boundary returns the z that Crossing gives a probability.
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

// Adjusted returns the probabilities that verdicts are wrong, adjusted for their number by Holm's rule: those that stay
// at a level or below stand together at it.
func Adjusted(wrong []float64) []float64 {
	adjusted, most := make([]float64, len(wrong)), 0.0
	for n, i := range byProbability(wrong) {
		most = max(most, min(1, float64(len(wrong)-n)*wrong[i]))
		adjusted[i] = most
	}
	return adjusted
}

// byProbability returns the indices in the order of rising probabilities.
func byProbability(wrong []float64) []int {
	order := make([]int, len(wrong))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(wrong[a], wrong[b]) })
	return order
}

// Holm returns which of several verdicts stand together, by the probability that each is wrong, so that the probability
// that any of those is wrong is at most all (Holm, 1979). The levels are what each must not be above.
func Holm(wrong []float64, all float64) (stand []bool, levels []float64) {
	stand, levels = make([]bool, len(wrong)), make([]float64, len(wrong))
	on, level := true, 0.0
	for n, i := range byProbability(wrong) {
		if on {
			level = all / float64(len(wrong)-n)
		}
		on = on && wrong[i] <= level
		stand[i], levels[i] = on, level
	}
	return stand, levels
}

// Sequential is a test whether the mean of values is above or below 0, which may be looked at after each of them.
//
// Where a spread is said the values are normal with it, or with their own deviation if that is larger. One value alone
// can't contradict what was said: the spread counts twice then. Without a spread, or where the values contradict it
// (chi-squared, 1 %), Student's distribution takes the place of the normal one, from 5 values on: values of a machine
// with a fast and a slow state are all alike too often before.
type Sequential struct {
	Looks  int     // that are planned
	Spread float64 // the largest standard deviation that the values are said to have; 0: not known
}

// Seen is what values say of their mean.
type Seen struct {
	Mean float64
	// Deviation of a value: the largest of that which was said, that of the values, and the least one that was given.
	Deviation float64
	Z         float64 // by how many standard deviations of its own the mean is above 0; NaN: too little is known
	Looks     int     // that Z counts against: those that are planned, doubled until there are as many as values
	By        Ground
	n         int
}

// Ground is what a standard deviation is known from.
type Ground int

// The grounds.
const (
	Nothing Ground = iota // too few values
	Said                  // the spread that was said bounds it
	Found                 // the values alone
)

const (
	// contradiction is the probability of values whose spread doesn't contradict the one that was said.
	contradiction = 0.99
	// LeastFound is the number of values from which on their deviation alone is enough. All of 5 values are of one of
	// two equal states with a probability of 1/32 for each.
	LeastFound = 5
	// alone is what the spread that was said is multiplied with for one value.
	alone = 2
)

// See returns what values say of their mean. Their deviation is no less than least.
func (q Sequential) See(values []float64, least float64) Seen {
	n := len(values)
	s := Seen{n: n}
	for _, x := range values {
		s.Mean += x / float64(n)
	}
	own := 0.0
	if n > 1 {
		own = Deviation(values)
	}
	s.Deviation = max(own, least)
	if q.Spread > 0 && !q.contradicted(own, n) {
		s.Deviation, s.By = max(s.Deviation, q.Spread), Said
	} else if n >= LeastFound {
		s.By = Found
	}
	s.Looks = s.looks(max(q.Looks, 1), n)
	s.Z = s.zOf(s.Mean, n)
	return s
}

// looks returns the number of looks that are planned up to a number of values: those that were said, doubled until
// there are as many. The values alone are looked at from LeastFound on.
func (s *Seen) looks(planned, n int) int {
	for planned < n {
		planned *= 2
	}
	if s.By != Said {
		return max(planned-LeastFound+2, 2) // one more than there are, for what isn't normal
	}
	return planned
}

// contradicted reports whether the deviation of n values is larger than the spread that was said, and by more than
// chance.
func (q Sequential) contradicted(own float64, n int) bool {
	if n < 2 {
		return false
	}
	square := float64(n-1) * own * own / (q.Spread * q.Spread)
	return square > distuv.ChiSquared{K: float64(n - 1)}.Quantile(contradiction)
}

// deviation returns that of n values.
func (s *Seen) deviation(n int) float64 {
	if s.By == Said && n == 1 {
		return alone * s.Deviation
	}
	return s.Deviation
}

// zOf returns the z of a mean of n values with the deviation that was seen.
func (s *Seen) zOf(mean float64, n int) float64 {
	t := mean * math.Sqrt(float64(n)) / s.deviation(n)
	switch {
	case s.By == Nothing:
		return math.NaN()
	case s.By == Said || math.IsInf(t, 0) || math.IsNaN(t):
		return t
	}
	// The tail that is computed is the small one: a large t would be 1.
	z := -distuv.UnitNormal.Quantile(Survival(math.Abs(t), float64(n-1)))
	return math.Copysign(z, t)
}

// Against returns the same of the distance of the mean from another value than 0.
func (s Seen) Against(value float64) Seen {
	s.Mean -= value
	s.Z = s.zOf(s.Mean, s.n)
	return s
}

// Wrong returns the probability that a verdict by the values so far is wrong: that the mean is above 0, or below.
func (s *Seen) Wrong() (above, below float64) {
	if math.IsNaN(s.Z) {
		return 1, 1
	}
	return Crossing(s.Z, s.Looks), Crossing(-s.Z, s.Looks)
}

// Half returns half of an interval around the mean that holds the true one at all looks with a probability of 1 - wrong
// on each side; NaN if too little is known.
func (s *Seen) Half(wrong float64) float64 {
	c := Boundary(wrong, s.Looks)
	switch s.By {
	case Nothing:
		return math.NaN()
	case Found:
		c = Student(distuv.UnitNormal.CDF(c), float64(s.n-1))
	}
	return c * s.deviation(s.n) / math.Sqrt(float64(s.n))
}

// Needed returns the number of values after which a verdict stands at a level if their mean and deviation stay, at
// most most; 0: not even these suffice.
func (s *Seen) Needed(level float64, most int) int {
	then := *s
	if then.By == Nothing {
		if then.By = Found; s.n < 2 {
			return LeastFound // how much they spread isn't known
		}
	}
	stands := func(n int) bool {
		return Crossing(math.Abs(then.zOf(s.Mean, n)), s.Looks) <= level
	}
	low, high := s.n, most
	if then.By == Found {
		low = max(low, LeastFound-1)
	}
	if high <= low || !stands(high) {
		return 0
	}
	for high-low > 1 {
		if n := (low + high) / 2; stands(n) {
			high = n
		} else {
			low = n
		}
	}
	return high
}
