package plots

import (
	"slices"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/document"
)

const (
	micro = 1e-6
	// longestLatency is the last message length of the latency figure: up to there the lengths are the same on every
	// machine (paper, Sec. 3).
	longestLatency = 4096
)

// latencies is the time of one exchange of a process, which is one message of the ping-pong pair, by the best method.
func latencies(s *samples) []*document.Figure {
	time := func(p, l int) float64 {
		if s.Lengths[l] > longestLatency {
			return 0
		}
		return float64(s.Lengths[l]) / s.best(p, l) / micro
	}
	c := &chart{frame: frameHeight}
	rings := s.of(patterns.KindRing)
	c.addCurves(s, rings, func(p int) []point { return s.points(func(l int) float64 { return time(p, l) }) })
	c.addBand(s, "random", s.of(patterns.KindRandom), time, none)
	for p, pattern := range s.Patterns {
		if pattern.Name == "ping-pong" {
			one := s.points(func(l int) float64 { return time(p, l) / float64(pattern.Processes) })
			if slices.ContainsFunc(one, point.usable) {
				c.addCurve(min(len(rings), mostCurves), "ping-pong, one message", one)
			}
		}
	}
	if len(c.layers) == 0 {
		return nil
	}
	xs, ys := values(c.layers)
	c.x, c.y = axis{lengthLabel, lengths(xs)}, axis{timeLabel, fitting(ys, 20, yRoom)}
	caption := "Latency: time of one exchange of a process, with the best method of each pattern and length; of the " +
		"ping-pong pair, " +
		"the time of one message." +
		c.bandNote("random patterns", "") + omitted(len(rings), "rings")
	return []*document.Figure{{ID: "beff-latency", Caption: caption, Alt: c.describe("time of an exchange", "µs"),
		Drawing: c}}
}
