package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Changes is a rule by which a series of values, such as ratings of one system in the order of their dates, is split
// where its level changes.
type Changes struct {
	// Level is the probability that a series of pure noise is split, at most.
	Level float64
	// Least is the number of values between two changes, at least: a single odd value is none.
	Least int
}

const (
	// mostExact is the length of the longest series of which all permutations are tried.
	mostExact = 8
	// shuffles is the number of random permutations of longer ones.
	shuffles = 4999
)

// Find returns the places where the level changes, in rising order, each with its probability: that values whose order
// means nothing look changed as much. A place is the index of the first value behind the change.
//
// A series is split where the ranks of the values before and behind differ most: where the sum of squares between the
// two parts is largest. It counts if at most Level of all permutations have a place that is as good; up to mostExact
// values these are all permutations, else random ones, the same each time. Then both parts are split in the same way.
// Ranks make the test exact for noise of any kind, and an outlier no change. Nothing is found in less than eight values
// at a level of 5 %: the least probability of seven different ones is a tenth.
func (c Changes) Find(values []float64) (places []int, probabilities []float64) {
	at, p := c.first(Ranks(values))
	if at == 0 || p > c.Level {
		return nil, nil
	}
	before, pBefore := c.Find(values[:at])
	behind, pBehind := c.Find(values[at:])
	for i := range behind {
		behind[i] += at
	}
	return slices.Concat(before, []int{at}, behind), slices.Concat(pBefore, []float64{p}, pBehind)
}

// first returns the best place to split a series of ranks, and its probability; 0 of a series that is too short.
func (c Changes) first(ranks []float64) (at int, p float64) {
	if len(ranks) < 2*c.Least {
		return 0, 1
	}
	at, best := c.split(ranks)
	asGood, all := 0, 0
	count := func(order []float64) {
		all++
		if _, x := c.split(order); x >= best*(1-1e-9) {
			asGood++
		}
	}
	order := slices.Clone(ranks)
	if len(ranks) <= mostExact {
		permutations(order, count)
		return at, float64(asGood) / float64(all)
	}
	count(ranks) // the series is one of its permutations
	random := rand.New(rand.NewPCG(1, uint64(len(ranks))))
	for range shuffles {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		count(order)
	}
	return at, float64(asGood) / float64(all)
}

// split returns the place where the sum of squares between the parts before and behind it is largest, and this sum.
func (c Changes) split(ranks []float64) (at int, best float64) {
	n := len(ranks)
	mean := 0.0
	for _, x := range ranks {
		mean += x / float64(n)
	}
	sum := 0.0
	for i, x := range ranks[:n-c.Least] {
		sum += x - mean
		k := i + 1
		if k < c.Least {
			continue
		}
		if between := sum * sum * float64(n) / float64(k*(n-k)); at == 0 || between > best*(1+1e-12) {
			at, best = k, between
		}
	}
	return at, best
}

// permutations calls visit with all permutations of a list, by Heap's algorithm.
func permutations(list []float64, visit func([]float64)) {
	counts := make([]int, len(list))
	visit(list)
	for i := 1; i < len(list); {
		if counts[i] >= i {
			counts[i] = 0
			i++
			continue
		}
		j := 0
		if i%2 == 1 {
			j = counts[i]
		}
		list[i], list[j] = list[j], list[i]
		visit(list)
		counts[i]++
		i = 1
	}
}

// Level is a part of a series between two changes.
type Level struct {
	From, To int // the values with indices From to To-1
	Mean     float64
}

// Levels returns the parts of a series between the places of changes, and the standard deviation of the values from
// their means with its degrees of freedom.
func Levels(values []float64, places []int) (levels []Level, deviation float64, freedom int) {
	from, squares := 0, 0.0
	for _, to := range append(slices.Clone(places), len(values)) {
		l := Level{From: from, To: to}
		for _, x := range values[from:to] {
			l.Mean += x / float64(to-from)
		}
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
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	ranks := make([]float64, len(values))
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
