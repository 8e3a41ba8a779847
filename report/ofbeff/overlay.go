package ofbeff

import (
	"fmt"
	"slices"

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
	both := mixed(systems)
	for i, s := range systems {
		points := s.mean(of)
		switch {
		case !slices.ContainsFunc(points, chart.Point.Usable):
		case both:
			c.AddOf(i, s.name, s.simulated(), points)
		default:
			c.AddCurve(i, s.name, points)
		}
	}
	if len(c.Layers) == 0 {
		return nil
	}
	return c
}

// simulated reports whether the result is that of a model.
func (s overlaid) simulated() bool { return s.Engine.Kind().Simulated }

// mixed reports whether some results were measured, and others simulated.
func mixed(systems []overlaid) bool {
	return slices.ContainsFunc(systems, overlaid.simulated) &&
		slices.ContainsFunc(systems, func(s overlaid) bool { return !s.simulated() })
}

// note returns what the caption of curves of systems says more.
func note(systems []overlaid) string { return words.Either(mixed(systems), chart.DotsNote, "") }

func overlayBandwidth(systems []overlaid) *document.Figure {
	c := overlay(systems, func(_, bandwidth float64) float64 { return bandwidth / words.Mega })
	if c == nil {
		return nil
	}
	sameAxes([]*chart.Chart{c})
	return &document.Figure{
		ID: "compare-bandwidth",
		Caption: "Bandwidth per process over message length: logarithmic average over rings and random patterns, " +
			"with the best method of each." + note(systems),
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
	c.X, c.Y = chart.LengthAxis(xs), chart.FittingTimes(timeLabel, ys)
	return &document.Figure{
		ID: "compare-latency",
		Caption: "Latency: time of one exchange of a process, logarithmic average over rings and random patterns, " +
			"with the best method of each." + note(systems),
		Alt: c.Describe("time of an exchange", "µs"), Drawing: c,
	}
}

// averagesOf has the averages that overlayAverages compares. The ping-pong's is of two processes alone, so that it
// stands apart.
var averagesOf = []struct {
	name string
	of   func(*beff.Derived) float64
}{
	{"b_eff", func(d *beff.Derived) float64 { return d.BEffPerProcess }},
	{"at Lmax", func(d *beff.Derived) float64 { return d.AtLmaxPerProcess }},
	{"rings at Lmax", func(d *beff.Derived) float64 { return d.RingsAtLmaxPerProcess }},
}

// overlayAverages returns the figure of averages per process, a dot for each system, b_eff with its interval.
func overlayAverages(systems []overlaid) *document.Figure {
	var groups []chart.Group
	for i, average := range averagesOf {
		g, found := chart.Group{Name: average.name}, false
		for n, s := range systems {
			spread := chart.Single(average.of(&s.Derived) / words.Mega)
			if in := s.Derived.BEffInterval; in != nil && i == 0 {
				each := words.Mega * float64(s.Processes)
				spread.Low, spread.High = in.Low/each, in.High/each
			}
			found = found || chart.Usable(spread.Mean)
			g.Dots = append(g.Dots, chart.Dot{Spread: spread, Name: s.name, Note: chart.Rate(spread.Mean), Look: n})
		}
		if found {
			groups = append(groups, g)
		}
	}
	if len(groups) == 0 {
		return nil
	}
	return &document.Figure{
		ID: "compare-averages", Drawing: chart.RateDots("bandwidth per process", groups),
		Caption: "Averages per process: b_eff with its 95 % interval, and at the longest message over " +
			"rings and randoms and over rings.",
		Alt: fmt.Sprintf("Chart of dots: %s with a dot for each of %s.", words.Count(len(groups), "average"),
			words.Count(len(systems), "system")),
	}
}
