package stats

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/combin"
)

// Changes is a rule for splitting a series of values where its level changes, such as ratings of one system in the
// order of their dates.
type Changes struct {
	// Level is the maximum probability that a series of pure noise is split.
	Level float64
	// MinValues is the minimum number of values between two changes, so that a single odd value isn't a change.
	MinValues int
}

const (
	// maxExact is the length of the longest series for which all permutations are tried.
	maxExact = 8
	// shuffles is the number of random permutations of a longer series.
	shuffles = 4999
)

// Find returns the places where the level changes, in rising order. A place is the index of the first value after the
// change. Its probability is the chance that the values in random order look changed as much.
//
// The test for a change uses ranks: its statistic is the largest sum of squares between the parts before and after any
// place. There is a change if at most Level of all permutations have a statistic as large. Up to maxExact values all
// permutations are tried, otherwise random ones, always the same. With ranks the test is exact for noise of any kind,
// and an outlier isn't a change. The place of a change follows from the values (see place), because ranks can't tell a
// fall of 60 % from one of 1 %. Both parts are then split in the same way. With fewer than eight values nothing is
// found at a level of 5 %, because the smallest probability for seven different values is a tenth.
func (c Changes) Find(values []float64) (places []int, probabilities []float64) {
	p := c.chance(Ranks(values))
	if p > c.Level {
		return nil, nil
	}
	at := c.place(values)
	if at == 0 {
		return nil, nil
	}
	before, pBefore := c.Find(values[:at])
	after, pAfter := c.Find(values[at:])
	for i := range after {
		after[i] += at
	}
	return slices.Concat(before, []int{at}, after), slices.Concat(pBefore, []float64{p}, pAfter)
}

// chance returns the probability that ranks in random order look changed as much as these, or 1 if there are too few.
func (c Changes) chance(ranks []float64) float64 {
	if len(ranks) < 2*c.MinValues {
		return 1
	}
	best := c.split(ranks)
	asGood, all := 0, 0
	count := func(order []float64) {
		all++
		if c.split(order) >= best*(1-1e-9) {
			asGood++
		}
	}
	order := slices.Clone(ranks)
	if len(ranks) <= maxExact {
		for g := combin.NewPermutationGenerator(len(ranks), len(ranks)); g.Next(); {
			for i, from := range g.Permutation(nil) {
				order[i] = ranks[from]
			}
			count(order)
		}
		return float64(asGood) / float64(all)
	}
	count(ranks) // the series is one of its permutations
	random := rand.New(rand.NewPCG(1, uint64(len(ranks))))
	for range shuffles {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		count(order)
	}
	return float64(asGood) / float64(all)
}

// split returns the largest sum of squares between the parts before and after any place.
func (c Changes) split(ranks []float64) (best float64) {
	n := len(ranks)
	mean, sum := stat.Mean(ranks, nil), 0.0
	for i, x := range ranks[:n-c.MinValues] {
		sum += x - mean
		if k := i + 1; k >= c.MinValues {
			best = max(best, sum*sum*float64(n)/float64(k*(n-k)))
		}
	}
	return best
}

// place returns the place at which two levels fit the values best: the sum of the distances from the medians of both
// parts is least. An outlier hardly moves a median. place returns 0 if a straight line fits better, because a drift has
// no place.
func (c Changes) place(values []float64) (at int) {
	reversed := slices.Clone(values)
	slices.Reverse(reversed)
	before, after := distances(values), distances(reversed)
	least := fromLine(values)
	for k := c.MinValues; k <= len(values)-c.MinValues; k++ {
		if sum := before[k] + after[len(values)-k]; sum < least {
			at, least = k, sum
		}
	}
	return at
}

// distances returns for each k the sum of the distances of the first k values from their median.
func distances(values []float64) []float64 {
	sums := make([]float64, len(values)+1)
	var sorted []float64
	for k, x := range values {
		i, _ := slices.BinarySearch(sorted, x)
		sorted = slices.Insert(sorted, i, x)
		middle := sorted[len(sorted)/2]
		for _, y := range sorted {
			sums[k+1] += math.Abs(y - middle)
		}
	}
	return sums
}

// fromLine returns the sum of the distances of values from a straight line. Its slope is the median of the slopes
// between values half of the series apart (Theil, 1950, the incomplete method).
func fromLine(values []float64) (sum float64) {
	half := (len(values) + 1) / 2
	var slopes []float64
	for i := range values[half:] {
		slopes = append(slopes, (values[i+half]-values[i])/float64(half))
	}
	slope := Middle(slopes)
	rest := make([]float64, len(values))
	for i, x := range values {
		rest[i] = x - slope*float64(i)
	}
	return distances(rest)[len(rest)]
}

// Level is a part of a series between two changes.
type Level struct {
	From, To int // the values with indices From to To-1
	Mean     float64
}

// Levels returns the parts of a series between changes, and the standard deviation of the values from the means of
// their parts, with its degrees of freedom.
func Levels(values []float64, places []int) (levels []Level, deviation float64, freedom int) {
	from, squares := 0, 0.0
	for _, to := range append(slices.Clone(places), len(values)) {
		l := Level{From: from, To: to, Mean: stat.Mean(values[from:to], nil)}
		for _, x := range values[from:to] {
			squares += (x - l.Mean) * (x - l.Mean)
		}
		levels, from = append(levels, l), to
	}
	freedom = len(values) - len(levels)
	return levels, math.Sqrt(squares / math.Max(float64(freedom), 1)), freedom
}

// Ranks returns the ranks of values less their mean, so that they sum to 0. Equal values share their mean rank.
func Ranks(values []float64) []float64 {
	order, ranks := inOrder(values), make([]float64, len(values))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && values[order[j]] == values[order[i]] {
			j++
		}
		for _, at := range order[i:j] {
			ranks[at] = float64(i+j-1)/2 - float64(len(values)-1)/2
		}
		i = j
	}
	return ranks
}
