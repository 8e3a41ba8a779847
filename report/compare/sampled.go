package compare

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// confidence is the confidence level of the intervals, and the level at which all lines of a table together are tested.
const confidence = 0.95

// Sampled is a figure of a result, with the spread that its repetitions tell of.
type Sampled struct {
	Value float64 // above 0: it was measured
	// Deviation is the standard deviation of the natural logarithm of Value: by how much the same figure of another
	// run would differ, if runs differ as the repetitions do.
	Deviation float64
	Degrees   int  // of freedom of Deviation; 0: it isn't known
	Runs      int  // of which Value is the mean and Deviation what they spread; 0: it is of a single one
	Model     bool // it was computed by a model: what it is off by isn't known, but it has no noise
	// Each has the passes or runs whose geometric mean Value is, if they are known; of a speed their times do as well.
	Each []Sampled
}

// deviationOfBest holds the standard deviation of the largest of n normal values, with a deviation of 1 each, from n =
// 1 on (Harter and Balakrishnan, Tables for the Use of Order Statistics, 1996).
var deviationOfBest = [...]float64{1, 0.8256, 0.7480, 0.7012, 0.6690, 0.6449, 0.6260, 0.6107, 0.5978, 0.5868}

// OfBest returns a figure that is made of the best of several repetitions. each has the figure of each repetition
// alone.
func OfBest(value float64, each []float64) Sampled {
	return ofEach(value, each, deviationOfBest[min(max(len(each), 1), len(deviationOfBest))-1])
}

// OfOne returns a figure of one repetition, whose deviation is that of all of them.
func OfOne(value float64, each []float64) Sampled { return ofEach(value, each, 1) }

// OfMean returns the geometric mean of repetitions.
func OfMean(each []float64) Sampled {
	return ofEach(GeometricMean(each), each, 1/math.Sqrt(float64(max(len(each), 1))))
}

// OfRuns returns the geometric mean of a figure of several runs: see rating.OfRuns.
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

// spread returns the figure as it is told from another one.
func (s Sampled) spread() rating.Spread {
	return rating.Spread{Value: s.Value, Deviation: s.Deviation, Degrees: s.Degrees, Runs: s.Runs,
		Model: s.Model}
}

// OfRating returns a rating with its own interval within the run; nil leaves the deviation unknown.
func OfRating(value float64, in *rating.Interval) Sampled {
	if !measured(value) {
		return Sampled{Value: value}
	}
	of := rating.Doubt{Value: value, Within: in}.Spread()
	return Sampled{Value: value, Deviation: of.Deviation, Degrees: of.Degrees}
}

// OfRun returns a figure of a run with its own interval, which models have none of.
func OfRun(simulated bool, value float64, in *rating.Interval) Sampled {
	if simulated {
		return Sampled{Value: value, Model: true}
	}
	return OfRating(value, in)
}

// OfSeveral returns the geometric mean of passes or runs, which it keeps. What two of them spread is known by their own
// repetitions, or else by their distance alone, with a single degree of freedom.
func OfSeveral(each []Sampled) Sampled {
	s := OfRuns(each)
	if s.Degrees == 0 && !s.Model {
		s = OfMean(valuesOf(each))
		s.Runs = len(each)
	}
	s.Each = each
	return s
}

// half returns half of the 95 % interval of the logarithm of a figure whose deviation is known.
func (s Sampled) half() float64 {
	return stats.Student((1+confidence)/2, float64(s.Degrees)) * s.Deviation
}

// OfTogether returns a figure that is the geometric mean of others of one run. A state of the machine lasts for longer
// than one of them takes, so that they are taken to be off together: half of its interval is the mean of theirs. One
// whose spread isn't known has the widest of the others. It is not known itself where less than half of them are.
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

// OfRows returns the geometric mean of figures of one side. Its spread is that of the passes' or runs' own means, where
// each figure has as many of them, or else that of the figures together.
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

// OfInterval returns a figure of n repetitions whose interval by Student's t has a confidence. An interval that isn't
// known leaves the deviation unknown. Below half of the figure its lower end would make the logarithm's deviation too
// large, infinite in the end: the width over the figure is taken then.
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

// ofEach returns a figure whose deviation is a factor times that of the repetitions' logarithms. Those that were not
// measured leave it unknown.
func ofEach(value float64, each []float64, factor float64) Sampled {
	x := logs(each)
	if len(x) < 2 {
		return Sampled{Value: value}
	}
	return Sampled{Value: value, Deviation: factor * stat.StdDev(x, nil), Degrees: len(x) - 1}
}

// logs returns the natural logarithms, nil if one of the figures was not measured.
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

// Interval is the confidence interval of a ratio. It is not known if that is so of the deviation of one of the two
// figures.
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

// Holds reports whether a ratio lies in the interval.
func (i Interval) Holds(ratio float64) bool { return i.Low <= ratio && ratio <= i.High }

// ratio returns how b's figure is told from a's: rating.Ratio.
func ratio(a, b Sampled) rating.Told { return rating.Ratio(a.spread(), b.spread()) }

// judge returns the same of figures that models may have computed: rating.Judge.
func judge(a, b Sampled) rating.Told {
	if a.Model && b.Model {
		return rating.Judge(rating.Doubt{Value: a.Value, Model: true}, rating.Doubt{Value: b.Value, Model: true})
	}
	return ratio(a, b)
}

// GeometricMean returns the geometric mean, 0 if there are no ratios.
func GeometricMean(ratios []float64) float64 {
	if len(ratios) == 0 {
		return 0
	}
	return math.Exp(lists.SumOf(ratios, math.Log) / float64(len(ratios)))
}
