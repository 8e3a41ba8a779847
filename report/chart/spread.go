package chart

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot/vg"
)

// Spread is the range of values with their geometric mean.
type Spread struct{ Low, Mean, High float64 }

// Over returns the spread divided by a number.
func (s Spread) Over(n float64) Spread { return Spread{s.Low / n, s.Mean / n, s.High / n} }

// SpreadOf returns the spread of a list. It is NaN if a value is missing, because a mean over a part of the values
// would be misleading.
func SpreadOf(list []float64) Spread {
	if len(list) == 0 || slices.ContainsFunc(list, func(x float64) bool { return !Usable(x) }) {
		return Spread{math.NaN(), math.NaN(), math.NaN()}
	}
	return Spread{slices.Min(list), stat.GeometricMean(list, nil), slices.Max(list)}
}

// Worst returns (highest - lowest) / highest, or NaN for less than two numbers.
func Worst(list []float64) float64 {
	n, low, high := 0, math.Inf(1), 0.0
	for _, x := range list {
		if !math.IsNaN(x) {
			n, low, high = n+1, min(low, x), max(high, x)
		}
	}
	if n < 2 {
		return math.NaN()
	}
	return (high - low) / high
}

// boxWidth is the width of a box in points. It is less than the distance between lengths that double.
const boxWidth vg.Length = 9

// Quartiles is a box plot of sorted numbers at X. Whiskers go from the 5 % to the 95 % quantile, and a mark shows the
// largest number.
type Quartiles struct {
	X      float64
	Sorted []float64
}

// at returns the quantile p.
func (q Quartiles) at(p float64) float64 { return stat.Quantile(p, stat.Empirical, q.Sorted, nil) }

func (q Quartiles) Values() []Point {
	return []Point{{X: q.X, Y: q.at(0.05)}, {X: q.X, Y: q.Sorted[len(q.Sorted)-1]}}
}

func (q Quartiles) draw(p pen) {
	Whisker{From: Point{X: q.X, Y: q.at(0.05)}, To: Point{X: q.X, Y: q.at(0.95)}}.draw(p)
	half := vg.Point{X: boxWidth / 2 * p.u}
	low, middle, high := p.at(q.X, q.at(0.25)), p.at(q.X, q.at(0.5)), p.at(q.X, q.at(0.75))
	corners := []vg.Point{low.Sub(half), low.Add(half), high.Add(half), high.Sub(half), low.Sub(half)}
	p.c.FillPolygon(BandInk, corners)
	p.c.StrokeLines(p.stroke(Ink, thinWidth, nil), corners)
	p.c.StrokeLines(p.stroke(Ink, meanWidth, nil), []vg.Point{middle.Sub(half), middle.Add(half)})
	p.mark(Style{Colour: Ink, Shape: 3}, p.at(q.X, q.Sorted[len(q.Sorted)-1]))
}
