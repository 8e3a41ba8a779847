package ofbeff

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
)

// leastSpread is the smallest spread that is drawn, in percent: a logarithmic axis has no 0, and clocks are not finer.
const leastSpread = 0.1

// repetitionSpread returns the figure of the distance between the worst and the best repetition of a measurement, with
// a box for each length. Rings and randoms are together, because both count for b_eff.
func repetitionSpread(s *samples) []*document.Figure {
	c := &chart.Chart{Frame: chart.FrameHeight - 30}
	for _, group := range byLength(s) {
		c.Layers = append(c.Layers, group)
	}
	if len(c.Layers) == 0 {
		return nil
	}
	xs, ys := chart.Values(c.Layers)
	c.X = chart.LengthAxis(xs)
	c.Y = chart.Axis{Label: "range of the repetitions, % of the best", Scale: chart.Fitting(ys, 10, chart.YRoom)}
	c.Legend = chart.Legend{
		{Name: "worst of all", Icon: chart.MarkIcon(chart.Look{Colour: chart.Ink, Shape: 3, Width: chart.LineWidth})},
		{Name: "middle half", Icon: chart.BoxIcon(chart.BandInk)},
		{Name: "median", Icon: chart.PlainIcon(chart.MeanLook)},
		{Name: "5 to 95 %", Icon: []chart.Layer{chart.Whisker{From: chart.Point{X: 0, Y: 0.5},
			To: chart.Point{X: 1, Y: 0.5}}}},
	}
	const caption = "Spread of the repetitions over message length: how far the bandwidth of the worst repetition " +
		"is below that of the " +
		"best, over the measurements of all rings and randoms with all methods. Less than 0.1 % is drawn as 0.1 %."
	_, high := chart.Span(ys)
	alt := "Box plot for each message length: the worst repetition is up to " + chart.Short(high) +
		" % below the best one."
	return []*document.Figure{{ID: "beff-spread", Caption: caption, Alt: alt, Drawing: c}}
}

// byLength returns the spreads of all measurements of each length. With little memory several lengths are equal: they
// are one.
func byLength(s *samples) []chart.Quartiles {
	of := map[int64][]float64{}
	for _, p := range append(s.of(patterns.KindRing), s.of(patterns.KindRandom)...) {
		for l, bytes := range s.Lengths {
			for m := range s.Methods {
				if x := chart.Worst(s.Each(p, l, m)); !math.IsNaN(x) && bytes > 0 {
					of[bytes] = append(of[bytes], max(100*x, leastSpread))
				}
			}
		}
	}
	var list []chart.Quartiles
	for bytes, spreads := range of {
		slices.Sort(spreads)
		list = append(list, chart.Quartiles{X: float64(bytes), Sorted: spreads})
	}
	slices.SortFunc(list, func(a, b chart.Quartiles) int { return int(math.Copysign(1, a.X-b.X)) })
	return list
}
