package ofbeff

import (
	"fmt"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// overlaid is one of several results in a picture.
type overlaid struct {
	name string
	*beff.Result
}

// Overlay returns figures that compare systems: bandwidth and time over message length, both averaged over rings and
// randoms with the best method, as b_eff is, and the averages per process. It leaves out results without these
// averages, and figures without results. It takes derived figures from the results. A missing name is replaced by the
// system's number.
func Overlay(names []string, rs []*beff.Result) []*document.Figure {
	var systems []overlaid
	for i, r := range rs {
		name := fmt.Sprintf("system %d", i+1)
		if i < len(names) {
			name = chart.Clean(names[i])
		}
		if r != nil && r.Processes > 0 {
			systems = append(systems, overlaid{name, r})
		}
	}
	var list []*document.Figure
	for _, figure := range []func([]overlaid) *document.Figure{overlayBandwidth, overlayLatency, overlayAverages} {
		if f := figure(systems[:min(len(systems), chart.MostCurves)]); f != nil {
			f.Caption += chart.Omitted(len(systems), "systems")
			list = append(list, f)
		}
	}
	return list
}

// mean returns a point for each length, of the average over rings and randoms per process.
func (s overlaid) mean(of func(bytes, bandwidth float64) float64) []chart.Point {
	var list []chart.Point
	for l, bytes := range s.Lengths[:min(len(s.Lengths), len(s.Derived.PerLength))] {
		list = append(list, chart.Point{X: float64(bytes),
			Y: of(float64(bytes), s.Derived.PerLength[l]/float64(s.Processes))})
	}
	return list
}

// overlay returns a chart with a curve for each system that has points; nil if none has.
func overlay(systems []overlaid, of func(bytes, bandwidth float64) float64) *chart.Chart {
	c := &chart.Chart{Frame: chart.FrameHeight}
	for i, s := range systems {
		points := s.mean(of)
		for _, p := range points {
			if p.Usable() {
				c.AddCurve(i, s.name, points)
				break
			}
		}
	}
	if len(c.Layers) == 0 {
		return nil
	}
	return c
}

func overlayBandwidth(systems []overlaid) *document.Figure {
	c := overlay(systems, func(_, bandwidth float64) float64 { return bandwidth / words.Mega })
	if c == nil {
		return nil
	}
	sameAxes([]*chart.Chart{c})
	return &document.Figure{
		ID: "compare-bandwidth",
		Caption: "Bandwidth per process over message length: logarithmic average over rings and random patterns, " +
			"with the best method of each.",
		Alt: c.Describe("bandwidth per process", "MB/s"), Drawing: c,
	}
}

func overlayLatency(systems []overlaid) *document.Figure {
	c := overlay(systems, func(bytes, bandwidth float64) float64 {
		if bytes > longestLatency {
			return 0
		}
		return bytes / bandwidth / words.Micro
	})
	if c == nil {
		return nil
	}
	xs, ys := chart.Values(c.Layers)
	c.X, c.Y = chart.Axis{Label: chart.LengthLabel, Scale: chart.Lengths(xs)},
		chart.Axis{Label: timeLabel, Scale: chart.Fitting(ys, 20, chart.YRoom)}
	return &document.Figure{
		ID: "compare-latency",
		Caption: "Latency: time of one exchange of a process, logarithmic average over rings and random patterns, " +
			"with the best method of each.",
		Alt: c.Describe("time of an exchange", "µs"), Drawing: c,
	}
}

// averagesOf has the averages that overlayAverages compares.
var averagesOf = []struct {
	name string
	of   func(*beff.Derived) float64
}{
	{"b_eff", func(d *beff.Derived) float64 { return d.BEffPerProcess }},
	{"at Lmax", func(d *beff.Derived) float64 { return d.AtLmaxPerProcess }},
	{"rings at Lmax", func(d *beff.Derived) float64 { return d.RingsAtLmaxPerProcess }},
	{"ping-pong at Lmax", func(d *beff.Derived) float64 { return d.PingPongAtLmax }},
}

func overlayAverages(systems []overlaid) *document.Figure {
	var groups []chart.Group
	var names []string
	for _, s := range systems {
		names = append(names, s.name)
	}
	for _, average := range averagesOf {
		var values []float64
		for _, s := range systems {
			values = append(values, average.of(&s.Derived)/words.Mega)
		}
		if g, found := chart.Sides(average.name, values); found {
			groups = append(groups, g)
		}
	}
	c := chart.SideChart(groups, names)
	if c == nil {
		return nil
	}
	return &document.Figure{
		ID: "compare-averages", Drawing: c,
		Caption: "Averages per process: b_eff, and at the longest message over rings and randoms and over rings; " +
			"for ping-pong, the bandwidth between two processes.",
		Alt: fmt.Sprintf("Bar chart: %s with bars for %s.", words.Count(len(groups), "average"),
			words.Count(len(systems), "system")),
	}
}
