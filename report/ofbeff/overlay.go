package ofbeff

import (
	"math"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
)

// comparedAverages has the averages that a picture compares between systems. The ping-pong is left out, because only
// two processes take part in it.
var comparedAverages = []struct {
	name string
	of   func(*beff.Result) (float64, *rating.Interval)
}{
	{"b_eff per process", func(r *beff.Result) (float64, *rating.Interval) { return r.Derived.BEff, r.Interval() }},
	{"rings and randoms, longest message",
		func(r *beff.Result) (float64, *rating.Interval) { return r.Derived.AtLmax, nil }},
	{"rings, longest message", func(r *beff.Result) (float64, *rating.Interval) { return r.Derived.RingsAtLmax, nil }},
}

// Overlay returns pictures that compare systems: bandwidth and time over message length, both averaged over rings and
// randoms with the best method like b_eff, and the averages per process. It uses the results' derived figures. It
// leaves out results without these averages, and pictures without results. below is the plot under the bandwidths, with
// their ratios to the first system.
func Overlay(names []string, rs []*beff.Result, below *chart.Plot) []*document.Figure {
	bandwidth := chart.Plot{ID: "compare-bandwidth", X: chart.Length, Y: perProcess, Of: "systems", Below: below,
		Title: "Bandwidth per process by message length, mean of rings and random patterns",
		Bars:  "the 95 % intervals by the repetitions",
		Caption: "Bandwidth per process over message length: logarithmic average over rings, whose processes " +
			"exchange messages with their neighbours, and random patterns, in which partners are drawn by lot. Each " +
			"pattern counts with the fastest kind of MPI calls."}
	latency := chart.Plot{ID: "compare-latency", X: chart.Length, Y: exchanged, Of: "systems",
		Title: "Latency: time of one exchange by message length, mean of rings and random patterns",
		Caption: "Latency: time of one exchange of a process, logarithmic average over rings and random patterns, " +
			"each with the fastest kind of MPI calls."}
	averages := chart.Dots{ID: "compare-averages", X: perProcess, Each: "systems",
		Title:  "b_eff per process, and bandwidth per process at the longest message",
		Groups: make([]chart.Group, len(comparedAverages)),
		Caption: "Averages per process: b_eff with its 95 % interval, and the bandwidth of the longest " +
			"message, over rings and randoms and over rings only."}
	for i, r := range rs {
		if r == nil || r.Processes <= 0 {
			continue
		}
		s := newSamples(r)
		each := chart.Series{Name: names[i], Simulated: r.Engine.Kind().Simulated,
			Points: chart.Over(r.Lengths[:min(len(r.Lengths), len(r.Derived.PerLength))], func(l int) chart.Point {
				return averaged(s, l, r.Derived.PerLength[l]/float64(r.Processes))
			})}
		bandwidth.Series = append(bandwidth.Series, each)
		each.Points = chart.Over(r.Lengths[:len(each.Points)], func(l int) chart.Point {
			if r.Lengths[l] > longestLatency {
				return chart.Point{}
			}
			return chart.PointOf(float64(r.Lengths[l]) / each.Points[l].Y)
		})
		latency.Series = append(latency.Series, each)
		averages.Legend = append(averages.Legend, chart.Clean(names[i]))
		for k, average := range comparedAverages {
			g := &averages.Groups[k]
			g.Name = average.name
			g.Dots = append(g.Dots, chart.Dot{StyleIndex: len(g.Dots),
				Spread: chart.Within(average.of(r)).Over(float64(r.Processes))})
		}
	}
	return chart.Figures(bandwidth, latency, averages)
}

// averaged returns the point of a mean over rings and randoms at a length. It has the samples' 95 % interval only if
// the samples have the same mean. With several passes or runs, the mean differs from theirs.
func averaged(s *samples, l int, mean float64) chart.Point {
	pt := chart.PointOf(mean)
	if s == nil || !chart.Usable(mean) {
		return pt
	}
	x := s.at(l)
	if in, known := x.Interval(); known && math.Abs(x.Value/mean-1) < chart.Tolerance {
		pt.Low, pt.High = in.Low, in.High
	}
	return pt
}
