package rating

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/stats"
)

const (
	// differing is the probability below which passes that differ by more than their intervals say are no chance.
	differing = 0.1
	// lasting is how many times as wide as the narrowest interval of the passes one by repetitions is, which noise
	// alone hardly makes: it shows states of the machine that last.
	lasting = 12
	// freedom is about the degrees of freedom of a pass' interval: eight or nine lengths bear most of b_eff, with two
	// each. Those of all passes add up.
	freedom = 17
)

// bounds are the distances of a logarithm from the ends of its interval.
type bounds struct{ below, above float64 }

func (b bounds) wider() float64 { return max(b.below, b.above) }

// OfPasses returns the geometric mean of the ratings of the passes of a run, and its interval within the run by theirs:
//
//	half = root of the sum of squares of the passes' half intervals / number of passes, on the logarithm
//
// times the ratio of Student's quantiles, because together they know their spread better than each does.
// Passes without a lasting state of the machine may simply have missed it: where others show one, half is at least the
// mean of theirs. Where the passes differ by more than that explains (the variance between them over the one within, an
// F test), half is at least that of Student's interval between the passes, of two passes their distance. The interval
// isn't known where a pass has none, unless there are three: then it is that between them. Of short passes, of which a
// run has many, and which differ, it holds all ratings, because most of them may have met one state alone.
func OfPasses(ratings []float64, within []*Interval, short bool) (mean float64, in *Interval) {
	mean, between := Between(ratings)
	if between != nil {
		between.Method = ByPasses
	}
	passes := float64(len(ratings))
	each, method := make([]bounds, len(within)), ByBlocks
	var squares bounds
	narrowest, widest := math.Inf(1), 0.0
	for i, x := range within {
		if x == nil || math.IsNaN(mean) {
			return mean, between
		}
		b := bounds{math.Log(ratings[i] / x.Low), math.Log(x.High / ratings[i])}
		each[i] = b
		squares.below += b.below * b.below
		squares.above += b.above * b.above
		narrowest = min(narrowest, b.wider())
		if b.wider() > widest {
			widest, method = b.wider(), x.Method
		}
	}
	better := stats.Student((1+Confidence)/2, passes*freedom) / stats.Student((1+Confidence)/2, freedom) / passes
	half := bounds{better * math.Sqrt(squares.below), better * math.Sqrt(squares.above)}
	var shows bounds
	n := 0.0
	for i, b := range each {
		if m := within[i].Method; m == ByStates || m == ByRepetitions && b.wider() > lasting*narrowest {
			shows.below += b.below
			shows.above += b.above
			n++
		}
	}
	if n > 0 && n < passes {
		half = bounds{max(half.below, shows.below/n), max(half.above, shows.above/n)}
	}
	apart, of := spread(ratings)
	inside := half.wider() / stats.Student((1+Confidence)/2, math.Inf(1))
	if apart > half.wider() && stats.Fisher(of/inside/inside, passes-1, math.Inf(1)) < differing {
		half, method = bounds{max(half.below, apart), max(half.above, apart)}, ByPasses
		if short {
			half.below = max(half.below, math.Log(mean/slices.Min(ratings)))
			half.above = max(half.above, math.Log(slices.Max(ratings)/mean))
		}
	}
	return mean, &Interval{Low: mean * math.Exp(-half.below), High: mean * math.Exp(half.above), Confidence: Confidence,
		Method: method}
}

// spread returns half of the interval between passes, of two their distance, and the variance of their mean.
func spread(ratings []float64) (half, variance float64) {
	logs := lists.Each(ratings, math.Log)
	const pair = 2
	n := float64(len(logs))
	switch {
	case n < pair:
		return 0, 0
	case n == pair:
		half = math.Abs(logs[0] - logs[1])
		return half, half * half / pair / pair
	}
	middle, in := stats.Mean(logs, Confidence)
	deviation := stats.Deviation(logs)
	return in.High - middle, deviation * deviation / n
}
