package rating

import (
	"math"
	"sync"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/stats"
)

// Everything that compares two results (ranks, comparisons, trends, pairs of settings, the web site, pictures) uses
// this file to decide which is ahead, whether the difference is noise, and whether a gate is met, so they can't
// contradict each other. Basis decides which results may be compared at all.

// Spread is a figure with the standard deviation of its logarithm.
type Spread struct {
	Value, Deviation float64
	Degrees          int // degrees of freedom of the deviation, or 0 if it isn't known
	Runs             int // number of runs behind figure and deviation, or 0 for a single one
	Model            bool
}

// Normal is a number of degrees of freedom for which Student's t is the normal distribution.
const Normal = 1 << 30

// MinRuns is the smallest number of runs that show how much runs differ.
const MinRuns = 3

// Spread returns the figure's spread. A run's interval is already wide enough for its few repetitions, so its deviation
// counts as exact (Normal degrees of freedom). An interval between runs has Runs - 1.
func (d Estimate) Spread() Spread {
	s := Spread{Value: d.Value, Runs: d.Runs, Model: d.Model}
	if d.Within == nil || d.Model || !(d.Value > 0) {
		return s
	}
	s.Degrees = Normal
	if d.Runs >= MinRuns {
		s.Degrees = d.Runs - 1
	}
	s.Deviation = math.Log(d.Within.High/d.Within.Low) / 2 / stats.Student((1+Confidence)/2, float64(s.Degrees))
	return s
}

// Estimate returns the figure with its 95 % interval, labelled with the method.
func (s Spread) Estimate(method Method) Estimate {
	d := Estimate{Value: s.Value, Runs: s.Runs}
	if s.Degrees > 0 {
		d.Within = Around(s.Value, stats.Student((1+Confidence)/2, float64(s.Degrees))*s.Deviation, method)
	}
	return d
}

// OfRuns returns the geometric mean of a figure over several runs. Three or more give it the deviation between them.
// For two, the deviation follows from their own, but is at least half of their distance. One run keeps its spread.
func OfRuns(runs []Spread) Spread {
	if len(runs) == 1 {
		return runs[0]
	}
	logs := lists.Each(runs, func(s Spread) float64 { return math.Log(s.Value) })
	middle, _ := stats.Mean(logs, Confidence)
	mean := Spread{Value: math.Exp(middle), Runs: len(runs), Model: len(runs) > 0 && runs[0].Model}
	switch deviation := stats.Deviation(logs) / math.Sqrt(float64(len(runs))); {
	case math.IsNaN(deviation) || math.IsInf(deviation, 0): // no runs, or one without the figure
	case len(runs) >= MinRuns:
		mean.Deviation, mean.Degrees = deviation, len(runs)-1
	case runs[0].Degrees > 0 && runs[1].Degrees > 0:
		mean.Degrees = min(runs[0].Degrees, runs[1].Degrees)
		mean.Deviation = max(math.Hypot(runs[0].Deviation, runs[1].Deviation)/2, deviation)
	}
	return mean
}

// MeanOfRuns does the same as OfRuns, for figures with intervals. The mean of models has no interval.
func MeanOfRuns(runs []Estimate) Estimate {
	if len(runs) == 1 {
		return runs[0]
	}
	d := OfRuns(lists.Each(runs, Estimate.Spread)).Estimate(ByRuns)
	if d.Model = len(runs) > 0 && runs[0].Model; d.Model {
		d.Within = nil
	}
	return d
}

// PerRun returns the variance of the logarithm of a single run.
func (s Spread) PerRun() float64 { return s.Deviation * s.Deviation * float64(max(s.Runs, 1)) }

// Comparison is the ratio of the second figure to the first, and how certain it is.
type Comparison struct {
	Ratio     float64
	Low, High float64 // the 95 % interval, which includes Ratio, or NaN if not known
	// P is the probability of a ratio at least as far from 1 if both figures were the same, or NaN if not known.
	P float64
	// Deviation is the standard deviation of the ratio's logarithm, and Freedom its degrees of freedom.
	Deviation, Freedom float64
	First, Second      Spread // as they were compared
}

// CompareSpreads compares b with a, by Welch's t on the logarithms.
func CompareSpreads(a, b Spread) Comparison {
	r := b.Value / a.Value
	log, t := math.Log(r), welch(a, b)
	if t.First.Degrees < 1 || t.Second.Degrees < 1 || a.Model || b.Model {
		none := math.NaN()
		return Comparison{Ratio: r, Low: none, High: none, P: none, First: a, Second: b}
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

// Compare compares b with a. Two models are compared exactly; a model with a measured figure is Uncertain.
func Compare(a, b Estimate) Comparison {
	if r := b.Value / a.Value; a.Model && b.Model {
		t := Comparison{Ratio: r, Low: r, High: r}
		if r == 1 {
			t.P = 1
		}
		return t
	}
	return CompareSpreads(a.Spread(), b.Spread())
}

// Distinct reports whether one of two figures is surely ahead (Order). Rankings call Distinct for each pair of
// thousands of results. To be fast, it computes Student's quantile only if the quantiles for the next smaller and the
// next larger whole number of degrees of freedom don't decide.
func Distinct(a, b Spread) bool {
	t := welch(a, b)
	switch {
	case a.Model && b.Model:
		return a.Value != b.Value
	case t.First.Degrees < 1 || t.Second.Degrees < 1 || a.Model || b.Model:
		return false
	case t.Deviation == 0:
		return a.Value != b.Value
	}
	distance, list := math.Abs(math.Log(b.Value/a.Value))/t.Deviation, quantiles()
	n := int(min(t.Freedom, float64(len(list)-2)))
	return distance > list[n] ||
		distance > list[n+1] && distance > stats.Student((1+Confidence)/2, t.Freedom)
}

// quantiles returns Student's quantiles for 0, 1, … degrees of freedom, and as the last one the normal quantile.
var quantiles = sync.OnceValue(func() []float64 {
	list := []float64{math.Inf(1)}
	for n := range 62 {
		list = append(list, stats.Student((1+Confidence)/2, float64(n+1)))
	}
	return append(list, stats.Student((1+Confidence)/2, Normal))
})

// Known reports whether the uncertainty of the ratio is known.
func (t Comparison) Known() bool { return !math.IsNaN(t.Low) }

// Order reports which of two figures is ahead.
type Order int

// Orders of the second figure relative to the first. If the interval of the ratio leaves out 1, one figure is surely
// larger, however wide the interval is.
const (
	Uncertain Order = iota // the uncertainty isn't known
	Alike                  // noise explains the difference
	Larger                 // the second one is surely larger
	Smaller                // the second one is surely smaller
)

// Order returns which figure is ahead.
func (t Comparison) Order() Order {
	switch {
	case !t.Known():
		return Uncertain
	case t.Low > 1:
		return Larger
	case t.High < 1:
		return Smaller
	}
	return Alike
}

// negligible is the distance of a ratio from 1 that is ignored if the uncertainty isn't known.
const negligible = 0.02

// Differ reports whether the figures count as different: one is surely ahead or, if the uncertainty isn't known, they
// differ by 2 % or more.
func (t Comparison) Differ() bool {
	if !t.Known() {
		return math.Abs(math.Log(t.Ratio)) >= negligible
	}
	return t.Order() != Alike
}

// Outcome is the verdict of a gate.
type Outcome int

// The outcomes.
const (
	Passed Outcome = iota
	Failed
	Undecided // the ratio is below the limit, and its uncertainty isn't known
)

// AtLeast judges the ratio by a gate, which fails if the whole interval is below limit. A wide interval that reaches
// limit passes; Order reports whether a difference is proven. With ratioOnly it fails if the ratio is below limit.
func (t Comparison) AtLeast(limit float64, ratioOnly bool) Outcome {
	switch {
	case t.Ratio >= limit, t.Known() && t.High >= limit && !ratioOnly:
		return Passed
	case ratioOnly || t.Known():
		return Failed
	}
	return Undecided
}

// Chance returns the ends of a prediction interval: if both figures have the same true value, their ratio is below low,
// and above high, with the given probability each. They are NaN if the uncertainty isn't known.
func (t Comparison) Chance(probability float64) (low, high float64) {
	if !t.Known() {
		return math.NaN(), math.NaN()
	}
	if t.Deviation == 0 {
		return 1, 1
	}
	half := stats.Student(1-probability, t.Freedom) * t.Deviation
	return math.Exp(-half), math.Exp(half)
}

// welch returns two figures as they are compared, with the deviation of their difference and its degrees of freedom,
// after Welch and Satterthwaite. The repetitions within one or two runs don't show how much runs differ. If the other
// figure has enough runs to show it, one or two runs are assumed to differ at least as much, and that one estimate of
// the deviation serves both.
func welch(a, b Spread) Comparison {
	few, many, shared := &a, &b, false
	if a.Runs > b.Runs {
		few, many = &b, &a
	}
	if few.Runs < MinRuns && many.Runs >= MinRuns {
		between := math.Sqrt(many.PerRun() / float64(max(few.Runs, 1)))
		if shared = between > few.Deviation || few.Degrees < 1; shared {
			few.Deviation, few.Degrees = between, many.Degrees
		}
	}
	x, y := a.Deviation*a.Deviation, b.Deviation*b.Deviation
	freedom := (x + y) * (x + y) / (x*x/float64(a.Degrees) + y*y/float64(b.Degrees))
	if shared {
		freedom = float64(a.Degrees)
	}
	return Comparison{Deviation: math.Sqrt(x + y), Freedom: freedom, First: a, Second: b}
}
