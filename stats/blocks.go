package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Jackknife returns the variance of a figure, and its degrees of freedom, 0 if there is none. without holds the figure
// for each block with each of the block's repetitions left out: a block of n repetitions has n figures. Blocks are
// independent of each other, and so are the repetitions of a block.
//
//	variance = Σ over blocks of (n-1)/n · Σ (figure - mean of the block's figures)²
//
// The degrees of freedom are Satterthwaite's. A figure may be made of maxima over repetitions (see OfLargest), while a
// bootstrap never draws more than the largest.
func Jackknife(without [][]float64) (variance, freedom float64) {
	squares := 0.0
	for _, list := range without {
		n := float64(len(list))
		if n < 2 {
			continue
		}
		mean, sum := 0.0, 0.0
		for _, x := range list {
			mean += x / n
		}
		for _, x := range list {
			sum += (x - mean) * (x - mean)
		}
		v := (n - 1) / n * sum
		variance += v
		squares += v * v / (n - 1)
	}
	if variance == 0 {
		return 0, 0
	}
	return variance, variance * variance / squares
}

// Resampled returns the variance of a figure of n repetitions that are drawn anew from themselves (bootstrap, Efron
// 1979), exactly: over all sets of repetitions that n draws may hit, each with its probability. figure gets which of
// them are drawn. There are 2^n sets: it is NaN for more than 10 repetitions.
func Resampled(n int, figure func(drawn []bool) float64) float64 {
	const most = 10
	if n > most {
		return math.NaN()
	}
	mean, square := 0.0, 0.0
	drawn := make([]bool, n)
	for set := 1; set < 1<<n; set++ {
		size := 0
		for i := range drawn {
			if drawn[i] = set>>i&1 == 1; drawn[i] {
				size++
			}
		}
		x, chance := figure(drawn), onto(n, size)/math.Pow(float64(n), float64(n))
		mean += chance * x
		square += chance * x * x
	}
	return max(0, square-mean*mean)
}

// onto returns the number of ways in which n draws hit all of k values.
func onto(n, k int) float64 {
	ways, sign, choose := 0.0, 1.0, 1.0
	for i := range k + 1 {
		ways += sign * choose * math.Pow(float64(k-i), float64(n))
		sign, choose = -sign, choose*float64(k-i)/float64(i+1)
	}
	return ways
}

// OfLargest returns the variance of the largest of three values over the one that Jackknife expects, relative to normal
// values, by the mean of (x3-2·x2+x1)/(x3-x1) of sorted triples of them. Normal values have 0 there, and 0.93 of the
// variance, which the few degrees of freedom make up for. An exponential tail below has -0.227 and 2 times the
// variance, one above 0.227 and 0.65. Between them it is a parabola of the logarithms.
func OfLargest(skewness float64) float64 {
	const exponential = 0.2274
	s := min(max(skewness/exponential, -1), 1)
	return math.Exp(0.559*s - 0.2055*s*s)
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

// Friedman returns the probability with which repetitions that don't differ have ranks as different as these, by
// Friedman's test (1937). ranks holds a row of Ranks for each block. It returns 1 without blocks.
func Friedman(ranks [][]float64) float64 {
	if len(ranks) == 0 || len(ranks[0]) < 2 {
		return 1
	}
	between, within := 0.0, 0.0
	for r := range ranks[0] {
		sum := 0.0
		for _, row := range ranks {
			sum += row[r]
			within += row[r] * row[r]
		}
		between += sum * sum
	}
	if within == 0 {
		return 1
	}
	free := float64(len(ranks[0]) - 1)
	return distuv.ChiSquared{K: free}.Survival(between * free / within)
}

// Neighbours returns the probability with which blocks that don't depend on their neighbours have neighbouring ranks as
// alike as these. ranks holds a row of Ranks for each block, in the order of time. The sum of the rows' products has
// the mean 0, and each product the variance (Σ a²)(Σ b²)/(n-1), because all orders of a row are as likely.
func Neighbours(ranks [][]float64) float64 {
	sum, variance := 0.0, 0.0
	for i := 1; i < len(ranks); i++ {
		a, b := ranks[i-1], ranks[i]
		product, squareA, squareB := 0.0, 0.0, 0.0
		for r := range a {
			product += a[r] * b[r]
			squareA += a[r] * a[r]
			squareB += b[r] * b[r]
		}
		sum += product
		variance += squareA * squareB / float64(len(a)-1)
	}
	if !(variance > 0) {
		return 1
	}
	return distuv.UnitNormal.Survival(sum / math.Sqrt(variance))
}

// Fisher returns the probability with which a ratio of variances of independent normal values is as large as this one,
// by their degrees of freedom, of which the second may be infinite.
func Fisher(ratio, above, below float64) float64 {
	if math.IsInf(below, 1) {
		return distuv.ChiSquared{K: above}.Survival(above * ratio)
	}
	return distuv.F{D1: above, D2: below}.Survival(ratio)
}
