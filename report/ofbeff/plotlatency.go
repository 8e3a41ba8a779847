package ofbeff

import (
	"slices"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// longestLatency is the last message length of the latency figure, in bytes. The lengths up to it are the same on every
// machine (paper, Sec. 3).
const longestLatency = 4096

// latencies returns the figure of the time of one exchange of a process by the best method; of the ping-pong pair, the
// time of one message.
func latencies(s *samples) []*document.Figure {
	time := func(p, l int) float64 {
		if s.Lengths[l] > longestLatency {
			return 0
		}
		return float64(s.Lengths[l]) / s.best(p, l) / words.Micro
	}
	c := &chart.Chart{Frame: chart.FrameHeight}
	rings := s.of(patterns.KindRing)
	addCurves(c, s, rings, func(p int) []chart.Point { return s.points(func(l int) float64 { return time(p, l) }) })
	addBand(c, s, "random", s.of(patterns.KindRandom), time, none)
	for p, pattern := range s.Patterns {
		if pattern.Name == "ping-pong" {
			one := s.points(func(l int) float64 { return time(p, l) / float64(pattern.Processes) })
			if slices.ContainsFunc(one, chart.Point.Usable) {
				c.AddCurve(min(len(rings), chart.MostCurves), "ping-pong, one message", one)
			}
		}
	}
	if len(c.Layers) == 0 {
		return nil
	}
	xs, ys := chart.Values(c.Layers)
	c.X, c.Y = chart.LengthAxis(xs), chart.FittingTimes(timeLabel, ys)
	caption := "Latency: time of one exchange of a process, with the best method of each pattern and length; of the " +
		"ping-pong pair, " +
		"the time of one message." +
		c.BandNote("random patterns", "") + chart.Omitted(len(rings), "rings")
	return []*document.Figure{{ID: "beff-latency", Caption: caption, Alt: c.Describe("time of an exchange", "µs"),
		Drawing: c}}
}
