package compare

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// confidence is the confidence level of intervals, and of the test of all lines of a table together.
const confidence = 0.95

// Sampled is a figure of a result, with its spread as estimated from repetitions.
type Sampled struct {
	Value float64 // positive if measured
	// Deviation is the standard deviation of the natural logarithm of Value: the expected difference to the same figure
	// of another run, if runs differ as the repetitions do.
	Deviation float64
	Degrees   int  // degrees of freedom of Deviation; 0 if not known
	Runs      int  // number of runs from which Value and Deviation were computed; 0 for a single run
	Model     bool // computed by a model: it has no noise, and its error isn't known
	// Each has the passes or runs whose geometric mean Value is, if known. For a speed it has their times.
	Each []Sampled
}

// deviationOfBest holds the standard deviation of the largest of n normal values with deviation 1, for n = 1, 2, …
// (Harter and Balakrishnan, Tables for the Use of Order Statistics, 1996).
var deviationOfBest = [...]float64{1, 0.8256, 0.7480, 0.7012, 0.6690, 0.6449, 0.6260, 0.6107, 0.5978, 0.5868}

// OfBest returns a figure that is the best of several repetitions. each has the figure of each repetition.
func OfBest(value float64, each []float64) Sampled {
	return ofEach(value, each, deviationOfBest[min(max(len(each), 1), len(deviationOfBest))-1])
}

// OfOne returns a figure of one repetition, with the deviation of all of them.
func OfOne(value float64, each []float64) Sampled { return ofEach(value, each, 1) }

// OfMean returns the geometric mean of repetitions.
func OfMean(each []float64) Sampled {
	return ofEach(GeometricMean(each), each, 1/math.Sqrt(float64(max(len(each), 1))))
}

// OfRuns returns the geometric mean of a figure of several runs (see rating.OfRuns).
func OfRuns(runs []Sampled) Sampled {
	if len(runs) == 1 {
		return runs[0]
	}
	if value := meanOf(runs); runs[0].Model {
		return Sampled{Value: value, Model: true}
	}
	of := rating.OfRuns(lists.Each(runs, Sampled.spread))
	return Sampled{Value: of.Value, Deviation: of.Deviation, Degrees: of.Degrees, Runs: of.Runs}
}

// spread converts the figure for package rating.
func (s Sampled) spread() rating.Spread {
	return rating.Spread{Value: s.Value, Deviation: s.Deviation, Degrees: s.Degrees, Runs: s.Runs,
		Model: s.Model}
}

// OfRating returns a rating with its interval within the run. If in is nil, the deviation isn't known.
func OfRating(value float64, in *rating.Interval) Sampled {
	if !measured(value) {
		return Sampled{Value: value}
	}
	of := rating.Estimate{Value: value, Within: in}.Spread()
	return Sampled{Value: value, Deviation: of.Deviation, Degrees: of.Degrees}
}

// OfRun is like OfRating for a figure of a run, which may be computed by a model without an interval.
func OfRun(simulated bool, value float64, in *rating.Interval) Sampled {
	if simulated {
		return Sampled{Value: value, Model: true}
	}
	return OfRating(value, in)
}

// OfSeveral returns the geometric mean of passes or runs, and keeps them. The spread of two of them follows from their
// repetitions, or otherwise from their distance, with a single degree of freedom.
func OfSeveral(each []Sampled) Sampled {
	s := OfRuns(each)
	if s.Degrees == 0 && !s.Model {
		s = OfMean(valuesOf(each))
		s.Runs = len(each)
	}
	s.Each = each
	return s
}

// half returns half of the 95 % interval of the logarithm of a figure with a known deviation.
func (s Sampled) half() float64 {
	return stats.Student((1+confidence)/2, float64(s.Degrees)) * s.Deviation
}

// OfTogether returns a figure that is the geometric mean of others of one run. A state of the machine lasts longer than
// a single figure, so the errors are treated as fully correlated: half of the interval is the mean of the others'
// halves. A figure without a spread gets the widest. The result has no spread if less than half of the figures have
// one.
func OfTogether(value float64, list []Sampled) Sampled {
	known, sum, widest := 0, 0.0, 0.0
	if len(list) > 0 && list[0].Model {
		return Sampled{Value: value, Model: true}
	}
	for _, s := range list {
		if s.Degrees > 0 {
			known++
			sum += s.half()
			widest = max(widest, s.half())
		}
	}
	if known == 0 || 2*known < len(list) {
		return Sampled{Value: value}
	}
	half := (sum + float64(len(list)-known)*widest) / float64(len(list))
	return Sampled{Value: value, Deviation: half / stats.Student((1+confidence)/2, rating.Normal),
		Degrees: rating.Normal}
}

// OfRows returns the geometric mean of figures of one side. Its spread follows from the means of the passes or runs, if
// all figures have the same number of them, and otherwise from the spreads of the figures.
func OfRows(list []Sampled) Sampled {
	value := meanOf(list)
	each := make([]Sampled, len(list[0].Each))
	for i := range each {
		var own []Sampled
		for _, s := range list {
			if len(s.Each) != len(each) {
				return OfTogether(value, list)
			}
			own = append(own, s.Each[i])
		}
		each[i] = OfTogether(meanOf(own), own)
	}
	if len(each) == 0 {
		return OfTogether(value, list)
	}
	s := OfSeveral(each)
	s.Value = value
	return s
}

// meanOf returns the geometric mean of figures.
func meanOf(list []Sampled) float64 { return GeometricMean(valuesOf(list)) }

// valuesOf returns the values of figures.
func valuesOf(list []Sampled) []float64 {
	return lists.Each(list, func(s Sampled) float64 { return s.Value })
}

// OfInterval returns a figure of n repetitions from its interval by Student's t with the given confidence. Without an
// interval, the deviation isn't known. If the lower end is below half of the figure, its logarithm would make the
// deviation too large, or even infinite, so the deviation follows from the relative width instead.
func OfInterval(value float64, interval []float64, n int, confidence float64) Sampled {
	if len(interval) != 2 || !measured(value) || !measured(interval[1]) || n < 2 || math.IsNaN(interval[0]) {
		return Sampled{Value: value}
	}
	half := (interval[1] - interval[0]) / 2 / value
	if 2*interval[0] > value {
		half = math.Log(interval[1]/interval[0]) / 2
	}
	quantile := stats.Student((1+confidence)/2, float64(n-1))
	return Sampled{Value: value, Deviation: half / quantile, Degrees: n - 1}
}

// ofEach returns a figure with the deviation of the logarithms of repetitions times a factor. The deviation isn't known
// if a repetition was not measured.
func ofEach(value float64, each []float64, factor float64) Sampled {
	x := logs(each)
	if len(x) < 2 {
		return Sampled{Value: value}
	}
	return Sampled{Value: value, Deviation: factor * stat.StdDev(x, nil), Degrees: len(x) - 1}
}

// logs returns the natural logarithms, or nil if a figure was not measured.
func logs(list []float64) []float64 {
	var l []float64
	for _, x := range list {
		if !measured(x) {
			return nil
		}
		l = append(l, math.Log(x))
	}
	return l
}

func measured(x float64) bool { return x > 0 && !math.IsInf(x, 0) }

// Interval is the confidence interval of a ratio. It is known if the deviations of both figures are known.
type Interval struct {
	Low, High float64
	Known     bool
}

// Interval returns the 95 % interval of the figure by Student's t on its logarithm.
func (s Sampled) Interval() (in Interval, known bool) {
	if s.Degrees < 1 || !measured(s.Value) {
		return Interval{}, false
	}
	half := stats.Student((1+confidence)/2, float64(s.Degrees)) * s.Deviation
	return Interval{s.Value * math.Exp(-half), s.Value * math.Exp(half), true}, true
}

// Holds reports whether the interval contains a ratio.
func (i Interval) Holds(ratio float64) bool { return i.Low <= ratio && ratio <= i.High }

// ratio compares b's figure with a's (see rating.CompareSpreads).
func ratio(a, b Sampled) rating.Comparison { return rating.CompareSpreads(a.spread(), b.spread()) }

// judge is like ratio for figures that models may have computed (see rating.Compare).
func judge(a, b Sampled) rating.Comparison {
	if a.Model && b.Model {
		x, y := rating.Estimate{Value: a.Value, Model: true}, rating.Estimate{Value: b.Value, Model: true}
		return rating.Compare(x, y)
	}
	return ratio(a, b)
}

// GeometricMean returns the geometric mean, or 0 if there are no ratios.
func GeometricMean(ratios []float64) float64 {
	if len(ratios) == 0 {
		return 0
	}
	return math.Exp(lists.SumOf(ratios, math.Log) / float64(len(ratios)))
}
