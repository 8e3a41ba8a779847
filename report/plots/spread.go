package plots

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot/vg"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/document"
)

// leastSpread in percent is drawn where there is less: on a logarithmic axis 0 has no place, and clocks do not tell
// more.
const leastSpread = 0.1

// repetitionSpread is, for each length, how far the worst repetition of a measurement is below the best: a box for
// rings and randoms together, as the patterns of both count for b_eff.
func repetitionSpread(s *samples) []*document.Figure {
	c := &chart{frame: frameHeight - 30}
	for _, group := range byLength(s) {
		c.layers = append(c.layers, group)
	}
	if len(c.layers) == 0 {
		return nil
	}
	xs, ys := values(c.layers)
	c.x, c.y = axis{lengthLabel, lengths(xs)}, axis{"worst below best repetition, %", fitting(ys, 10, yRoom)}
	c.legend = legend{
		{"worst of all", markIcon(look{colour: ink, shape: 3, width: lineWidth})},
		{"middle half", boxIcon(fill{colour: bandInk})},
		{"median", plainIcon(meanLook)},
		{"5 to 95 %", []layer{whisker{point{0, 0.5}, point{1, 0.5}}}},
	}
	const caption = "Spread of the repetitions over message length: how far the bandwidth of the worst repetition " +
		"is below that of the " +
		"best, over the measurements of all rings and randoms with all methods. Less than 0.1 % is drawn as 0.1 %."
	_, high := span(ys)
	alt := "Box plot for each message length: the worst repetition is up to " + short(high) + " % below the best one."
	return []*document.Figure{{ID: "beff-spread", Caption: caption, Alt: alt, Drawing: c}}
}

// byLength gathers the spreads of all measurements of a length; lengths that are there several times, as with little
// memory, are one.
func byLength(s *samples) []quartiles {
	of := map[int64][]float64{}
	for _, p := range append(s.of(patterns.KindRing), s.of(patterns.KindRandom)...) {
		for l, bytes := range s.Lengths {
			for m := range s.Methods {
				if x := worst(s.repetitions(p, l, m)); !math.IsNaN(x) && bytes > 0 {
					of[bytes] = append(of[bytes], max(100*x, leastSpread))
				}
			}
		}
	}
	var list []quartiles
	for bytes, spreads := range of {
		slices.Sort(spreads)
		list = append(list, quartiles{float64(bytes), spreads})
	}
	slices.SortFunc(list, func(a, b quartiles) int { return int(math.Copysign(1, a.x-b.x)) })
	return list
}

// worst is how far the lowest number is below the highest, as a part of it; NaN if there are no two.
func worst(list []float64) float64 {
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

// boxWidth in points: lengths that double are further apart than that.
const boxWidth vg.Length = 9

// quartiles is a box plot of sorted numbers at a place.
type quartiles struct {
	x      float64
	sorted []float64
}

// at is a quantile.
func (q quartiles) at(p float64) float64 { return stat.Quantile(p, stat.Empirical, q.sorted, nil) }

func (q quartiles) values() []point {
	return []point{{q.x, q.at(0.05)}, {q.x, q.sorted[len(q.sorted)-1]}}
}

func (q quartiles) draw(p pen) {
	whisker{point{q.x, q.at(0.05)}, point{q.x, q.at(0.95)}}.draw(p)
	half := vg.Point{X: boxWidth / 2 * p.u}
	low, middle, high := p.at(q.x, q.at(0.25)), p.at(q.x, q.at(0.5)), p.at(q.x, q.at(0.75))
	corners := []vg.Point{low.Sub(half), low.Add(half), high.Add(half), high.Sub(half), low.Sub(half)}
	p.c.FillPolygon(bandInk, corners)
	p.c.StrokeLines(p.stroke(ink, thinWidth, nil), corners)
	p.c.StrokeLines(p.stroke(ink, meanWidth, nil), []vg.Point{middle.Sub(half), middle.Add(half)})
	p.mark(look{colour: ink, shape: 3}, p.at(q.x, q.sorted[len(q.sorted)-1]))
}
