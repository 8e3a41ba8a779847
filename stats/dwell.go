package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// SecondShare returns the range that holds with a probability the part of the time that something is in the second of
// its two states, by what was seen of it: the time in each state, and how often each was left. A state is left at any
// moment with the same probability, so that the posterior of its rate is a gamma distribution (prior: Jeffreys'), and
// the odds of the states, which are the ratio of the rates, have an F distribution. A single change says next to
// nothing.
func SecondShare(seconds [2]float64, left [2]int, confidence float64) (low, high float64) {
	if !(seconds[0] > 0 && seconds[1] > 0) {
		return 0, 1
	}
	first, second := float64(2*left[0]+1), float64(2*left[1]+1)
	f := distuv.F{D1: first, D2: second}
	share := func(quantile float64) float64 {
		odds := seconds[1] / seconds[0] * first / second * f.Quantile(quantile)
		return odds / (1 + odds)
	}
	return share((1 - confidence) / 2), share((1 + confidence) / 2)
}

// MainDirection returns the values of the columns of a table along the direction in which they differ most (the first
// principal component, by power iteration), and that direction, whose length is 1. Rows have the mean 0.
func MainDirection(rows [][]float64) (values, direction []float64) {
	const iterations = 50
	values, direction = make([]float64, len(rows[0])), make([]float64, len(rows))
	longest := 0.0
	for _, row := range rows { // begin with the longest row
		if square := dot(row, row); square > longest {
			longest = square
			copy(values, row)
		}
	}
	for range iterations {
		for i, row := range rows {
			direction[i] = dot(row, values)
		}
		scale(direction)
		clear(values)
		for i, row := range rows {
			for j, x := range row {
				values[j] += direction[i] * x
			}
		}
	}
	return values, direction
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// scale makes the length of a vector 1, unless it is 0.
func scale(v []float64) {
	if length := math.Sqrt(dot(v, v)); length > 0 {
		for i := range v {
			v[i] /= length
		}
	}
}
