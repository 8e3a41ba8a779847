package ofbeff

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/findings"
	"github.com/effective-bandwidth/beff/report/versus"
	"github.com/effective-bandwidth/beff/report/words"
)

// ratioHeight is the height of the panel of ratios, in points.
const ratioHeight = 150

// mainFigure returns the figure of the first page: the means of rings and randoms over the message length, with b_eff
// and the length of half of the peak, and below each pattern over the mean of the rings. With two processes all
// patterns are one pair, so that there is nothing to compare.
func mainFigure(s *samples) []*document.Figure {
	upper := &chart.Chart{Frame: chart.FrameHeight - 30}
	for i, kind := range kinds {
		if list := s.of(kind); len(list) > 0 {
			s.addMean(upper, i, kind, list)
		}
	}
	if len(upper.Layers) == 0 {
		return nil
	}
	sameAxes([]*chart.Chart{upper})
	if r := s.Result; r.Derived.BEff > 0 {
		part, each := words.Mega, float64(r.Processes)
		level := chart.Level{Y: r.Derived.BEffPerProcess / part, Text: "b_eff " + chart.Rate(r.Derived.BEffPerProcess/
			part)}
		if in := r.Derived.BEffInterval; in != nil {
			level.Low, level.High = in.Low/each/part, in.High/each/part
		}
		upper.AddLevel(level)
		if n := findings.Half(r); n > 0 {
			upper.AddStep(n, "half of the peak at "+chart.Bytes(n))
		}
	}
	repeated := "repetitions"
	if s.Rules == beff.RulesAdaptive {
		repeated = "rounds"
	}
	caption := "Bandwidth per process over message length, by the best method of each pattern and length: geometric " +
		"means, with the 95 % interval by the " + repeated + "."
	f := &document.Figure{ID: "beff-bandwidth", Alt: upper.Describe("bandwidth per process", "MB/s"), Drawing: upper}
	if lower := s.ratios(); lower != nil && s.Processes > 2 {
		upper.X.Label = ""
		f.Drawing = chart.Panels{upper, lower}
		caption += " Below: each ring, and the range of the random patterns, over the mean of the rings."
	}
	f.Caption = caption
	return []*document.Figure{f}
}

// addMean adds the geometric mean of patterns of a kind, with the 95 % interval of each length.
func (s *samples) addMean(c *chart.Chart, i int, kind patterns.Kind, list []int) {
	name := fmt.Sprintf("mean of %s", words.Count(len(list), string(kind)))
	mean := func(f func(p int) float64) float64 { return spreadAt(list, f).Mean / words.Mega }
	points := s.points(func(l int) float64 { return mean(func(p int) float64 { return s.best(p, l) }) })
	if !slices.ContainsFunc(points, chart.Point.Usable) {
		return
	}
	for l, pt := range points {
		var each []float64
		for repetition := range s.Repetitions {
			each = append(each, mean(func(p int) float64 {
				return s.perProcess(p, s.InRepetition(p, l, repetition))
			}))
		}
		if in, known := versus.OfBest(pt.Y, each).Interval(); known && pt.Usable() {
			c.Layers = append(c.Layers, chart.Whisker{Name: name, From: chart.Point{X: pt.X, Y: in.Low},
				To: chart.Point{X: pt.X, Y: in.High}})
		}
	}
	c.AddCurve(i, name, points)
}

// ratios returns the chart of each pattern over the mean of the rings; nil without rings.
func (s *samples) ratios() *chart.Chart {
	rings := s.of(patterns.KindRing)
	if len(rings) == 0 {
		return nil
	}
	over := func(p, l int) float64 {
		return s.best(p, l) / spreadAt(rings, func(p int) float64 { return s.best(p, l) }).Mean
	}
	c := &chart.Chart{Frame: ratioHeight}
	addCurves(c, s, rings, func(p int) []chart.Point {
		return s.points(func(l int) float64 { return over(p, l) })
	})
	if len(c.Layers) == 0 {
		return nil
	}
	addBand(c, s, "random", s.of(patterns.KindRandom), over, none)
	c.RatioAxes("pattern / mean of rings")
	return c
}
