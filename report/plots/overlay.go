package plots

import (
	"fmt"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/document"
)

// system is a result to be compared.
type system struct {
	name string
	*beff.Result
}

// BEffOverlay compares systems in one picture: bandwidth and time over message length, both averaged as b_eff does it
// over rings and randoms with the best method, and the averages per process. Results without these are left out, and
// figures without results. The result's derived figures are taken as they are; a missing name is replaced by the
// system's number.
func BEffOverlay(names []string, rs []*beff.Result) []*document.Figure {
	var systems []system
	for i, r := range rs {
		name := fmt.Sprintf("system %d", i+1)
		if i < len(names) {
			name = clean(names[i])
		}
		if r != nil && r.Processes > 0 {
			systems = append(systems, system{name, r})
		}
	}
	var list []*document.Figure
	for _, figure := range []func([]system) *document.Figure{overlayBandwidth, overlayLatency, overlayAverages} {
		if f := figure(systems[:min(len(systems), mostCurves)]); f != nil {
			f.Caption += omitted(len(systems), "systems")
			list = append(list, f)
		}
	}
	return list
}

// mean are points over lengths of the average over rings and randoms per process.
func (s system) mean(of func(bytes, bandwidth float64) float64) []point {
	var list []point
	for l, bytes := range s.Lengths[:min(len(s.Lengths), len(s.Derived.PerLength))] {
		list = append(list, point{float64(bytes), of(float64(bytes), s.Derived.PerLength[l]/float64(s.Processes))})
	}
	return list
}

// overlay is a chart of a curve for each system that has points; nil if none has.
func overlay(systems []system, of func(bytes, bandwidth float64) float64) *chart {
	c := &chart{frame: frameHeight}
	for i, s := range systems {
		points := s.mean(of)
		for _, p := range points {
			if p.usable() {
				c.addCurve(i, s.name, points)
				break
			}
		}
	}
	if len(c.layers) == 0 {
		return nil
	}
	return c
}

func overlayBandwidth(systems []system) *document.Figure {
	c := overlay(systems, func(_, bandwidth float64) float64 { return bandwidth / mega })
	if c == nil {
		return nil
	}
	sameAxes([]*chart{c})
	return &document.Figure{
		ID: "compare-bandwidth",
		Caption: "Bandwidth per process over message length: logarithmic average over rings and random patterns, " +
			"with the best method of each.",
		Alt: c.describe("bandwidth per process", "MB/s"), Drawing: c,
	}
}

func overlayLatency(systems []system) *document.Figure {
	c := overlay(systems, func(bytes, bandwidth float64) float64 {
		if bytes > longestLatency {
			return 0
		}
		return bytes / bandwidth / micro
	})
	if c == nil {
		return nil
	}
	xs, ys := values(c.layers)
	c.x, c.y = axis{lengthLabel, lengths(xs)}, axis{timeLabel, fitting(ys, 20, yRoom)}
	return &document.Figure{
		ID: "compare-latency",
		Caption: "Latency: time of one exchange of a process, logarithmic average over rings and random patterns, " +
			"with the best method of each.",
		Alt: c.describe("time of an exchange", "µs"), Drawing: c,
	}
}

// averagesOf are the figures that the averages compare.
var averagesOf = []struct {
	name string
	of   func(*beff.Derived) float64
}{
	{"b_eff", func(d *beff.Derived) float64 { return d.BEffPerProcess }},
	{"at Lmax", func(d *beff.Derived) float64 { return d.AtLmaxPerProcess }},
	{"rings at Lmax", func(d *beff.Derived) float64 { return d.RingsAtLmaxPerProcess }},
	{"ping-pong at Lmax", func(d *beff.Derived) float64 { return d.PingPongAtLmax }},
}

func overlayAverages(systems []system) *document.Figure {
	var groups []group
	for _, average := range averagesOf {
		g, found := group{name: average.name}, false
		for i, s := range systems {
			b := bar{spread: single(average.of(&s.Derived) / mega), fill: fillOf(i)}
			if usable(b.mean) {
				b.note, found = short(b.mean), true
			}
			g.bars = append(g.bars, b)
		}
		if found {
			groups = append(groups, g)
		}
	}
	if len(groups) == 0 {
		return nil
	}
	c := barChart("MB/s (1 MB = 10^6 bytes)", groups, 10)
	for i, s := range systems {
		c.legend = append(c.legend, entry{s.name, boxIcon(fillOf(i))})
	}
	return &document.Figure{
		ID: "compare-averages", Drawing: c,
		Caption: "Averages per process: b_eff, and at the longest message over rings and randoms and over rings; " +
			"for ping-pong, the bandwidth between two processes.",
		Alt: fmt.Sprintf("Bar chart: %s with bars for %s.", plural(len(groups), "average"),
			plural(len(systems), "system")),
	}
}
