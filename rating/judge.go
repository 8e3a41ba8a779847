package rating

import (
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/stats"
)

// This file is the one judge of two results: which is ahead, whether the difference is noise, whether a gate is met.
// Ranks, comparisons, trends, pairs of settings, the web site and pictures ask it, so that they can't contradict each
// other. Which results may be ranked, averaged and judged by each other at all says Basis.

// Spread is a figure with the standard deviation of its logarithm.
type Spread struct {
	Value, Deviation float64
	Degrees          int // of freedom of the deviation; 0: it isn't known
	Runs             int // whose mean the figure is, and that the deviation is of; 0: a single one
	Model            bool
}

// Normal is a number of degrees of freedom with which Student's t is the normal distribution.
const Normal = 1 << 30

// LeastRuns is the number of runs from which on what they spread is known.
const LeastRuns = 3

// Spread returns the figure's spread: a run's interval has its degrees of freedom in its width already, and that
// between runs is Student's.
func (d Doubt) Spread() Spread {
	s := Spread{Value: d.Value, Runs: d.Runs, Model: d.Model}
	if d.Within == nil || d.Model || !(d.Value > 0) {
		return s
	}
	s.Degrees = Normal
	if d.Runs >= LeastRuns {
		s.Degrees = d.Runs - 1
	}
	s.Deviation = math.Log(d.Within.High/d.Within.Low) / 2 / stats.Student((1+Confidence)/2, float64(s.Degrees))
	return s
}

// Doubt returns the figure with its 95 % interval, as it was made by a method.
func (s Spread) Doubt(method Method) Doubt {
	d := Doubt{Value: s.Value, Runs: s.Runs}
	if s.Degrees > 0 {
		d.Within = Around(s.Value, stats.Student((1+Confidence)/2, float64(s.Degrees))*s.Deviation, method)
	}
	return d
}

// OfRuns returns the geometric mean of a figure of several runs, with the deviation between them from three on. Of two
// it is what they say themselves, but at least half of their distance; a single one is returned as it is.
func OfRuns(runs []Spread) Spread {
	if len(runs) == 1 {
		return runs[0]
	}
	logs := lists.Each(runs, func(s Spread) float64 { return math.Log(s.Value) })
	middle, _ := stats.Mean(logs, Confidence)
	mean := Spread{Value: math.Exp(middle), Runs: len(runs), Model: len(runs) > 0 && runs[0].Model}
	switch deviation := stats.Deviation(logs) / math.Sqrt(float64(len(runs))); {
	case math.IsNaN(deviation) || math.IsInf(deviation, 0): // no runs, or one without the figure
	case len(runs) >= LeastRuns:
		mean.Deviation, mean.Degrees = deviation, len(runs)-1
	case runs[0].Degrees > 0 && runs[1].Degrees > 0:
		mean.Degrees = min(runs[0].Degrees, runs[1].Degrees)
		mean.Deviation = max(math.Hypot(runs[0].Deviation, runs[1].Deviation)/2, deviation)
	}
	return mean
}

// MeanOfRuns is OfRuns of figures with their intervals. Models have no noise between them.
func MeanOfRuns(runs []Doubt) Doubt {
	if len(runs) == 1 {
		return runs[0]
	}
	d := OfRuns(lists.Each(runs, Doubt.Spread)).Doubt(ByRuns)
	if d.Model = len(runs) > 0 && runs[0].Model; d.Model {
		d.Within = nil
	}
	return d
}

// PerRun returns the variance of the logarithm of a single run.
func (s Spread) PerRun() float64 { return s.Deviation * s.Deviation * float64(max(s.Runs, 1)) }

// Told is the ratio of a figure to another, with what is known of it.
type Told struct {
	Ratio     float64
	Low, High float64 // the ends of the 95 % interval, which hold the ratio; NaN: not known
	// P is the probability of a ratio at least as far from 1 if both figures were the same; NaN: not known.
	P float64
	// Deviation is the standard deviation of the ratio's logarithm, with so many degrees of freedom.
	Deviation, Freedom float64
	First, Second      Spread // as they were compared
}

// Ratio tells b from a, by Welch's t on the logarithms.
func Ratio(a, b Spread) Told {
	r := b.Value / a.Value
	log, t := math.Log(r), beside(a, b)
	if t.First.Degrees < 1 || t.Second.Degrees < 1 || a.Model || b.Model {
		none := math.NaN()
		return Told{Ratio: r, Low: none, High: none, P: none, First: a, Second: b}
	}
	t.Ratio = r
	if t.Deviation == 0 {
		t.Low, t.High = r, r
		if r == 1 {
			t.P = 1
		}
		return t
	}
	half := stats.Student((1+Confidence)/2, t.Freedom) * t.Deviation
	t.Low, t.High = min(r, math.Exp(log-half)), max(r, math.Exp(log+half))
	t.P = 2 * stats.Survival(math.Abs(log)/t.Deviation, t.Freedom)
	return t
}

// Judge tells b from a. Two models are as they are; what is between a model and a measured figure isn't known.
func Judge(a, b Doubt) Told {
	if r := b.Value / a.Value; a.Model && b.Model {
		t := Told{Ratio: r, Low: r, High: r}
		if r == 1 {
			t.P = 1
		}
		return t
	}
	return Ratio(a.Spread(), b.Spread())
}

// Known reports whether it is known how far the ratio may be off.
func (t Told) Known() bool { return !math.IsNaN(t.Low) }

// Order says which of two figures is ahead.
type Order int

// The orders of a second figure to the first one. An interval of the ratio that leaves out 1 is an order, however wide
// it is: a noisy figure may be surely larger than another one.
const (
	NotTold Order = iota // how far they may be off isn't known
	Alike                // noise explains the difference
	Larger               // the second one is surely larger
	Smaller              // it is surely smaller
)

// Order returns which figure is ahead.
func (t Told) Order() Order {
	switch {
	case !t.Known():
		return NotTold
	case t.Low > 1:
		return Larger
	case t.High < 1:
		return Smaller
	}
	return Alike
}

// negligible is the distance of a ratio from 1 that says nothing where how far figures may be off isn't known.
const negligible = 0.02

// Apart reports whether the figures are taken for different: one is surely ahead, or, where that isn't known, they
// differ by 2 % or more.
func (t Told) Apart() bool {
	if !t.Known() {
		return math.Abs(math.Log(t.Ratio)) >= negligible
	}
	return t.Order() != Alike
}

// Outcome is what a gate says.
type Outcome int

// The outcomes.
const (
	Passed Outcome = iota
	Failed
	Undecided // it is below, and how far it may be off isn't known
)

// AtLeast judges the ratio by a gate: it fails where the whole interval is below a limit, or where any is said, where
// the ratio itself is.
func (t Told) AtLeast(limit float64, any bool) Outcome {
	switch {
	case t.Ratio >= limit, t.Known() && t.High >= limit && !any:
		return Passed
	case any || t.Known():
		return Failed
	}
	return Undecided
}

// Chance returns the ratios below and above which a second figure like the first one lies by chance, each with a
// probability: the ends of a prediction interval. They are NaN where how far figures may be off isn't known.
func (t Told) Chance(probability float64) (low, high float64) {
	if !t.Known() {
		return math.NaN(), math.NaN()
	}
	if t.Deviation == 0 {
		return 1, 1
	}
	half := stats.Student(1-probability, t.Freedom) * t.Deviation
	return math.Exp(-half), math.Exp(half)
}

// beside returns two figures as they are compared, with the deviation of their difference and its degrees of freedom,
// after Welch and Satterthwaite. The repetitions of one or two runs don't say by how much runs differ. If the other
// figure is of enough runs to tell, these are taken to be off by as much at least: then one estimate of the deviation
// is that of both.
func beside(a, b Spread) Told {
	few, many, one := &a, &b, false
	if a.Runs > b.Runs {
		few, many = &b, &a
	}
	if few.Runs < LeastRuns && many.Runs >= LeastRuns {
		between := math.Sqrt(many.PerRun() / float64(max(few.Runs, 1)))
		if one = between > few.Deviation || few.Degrees < 1; one {
			few.Deviation, few.Degrees = between, many.Degrees
		}
	}
	x, y := a.Deviation*a.Deviation, b.Deviation*b.Deviation
	freedom := (x + y) * (x + y) / (x*x/float64(a.Degrees) + y*y/float64(b.Degrees))
	if one {
		freedom = float64(a.Degrees)
	}
	return Told{Deviation: math.Sqrt(x + y), Freedom: freedom, First: a, Second: b}
}
