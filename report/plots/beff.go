package plots

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/document"
)

// mostCurves is how many curves can be told apart in a figure; its caption says so where there are more.
const mostCurves = 12

const (
	lengthLabel    = "message length in bytes (1k = 1024)"
	bandwidthLabel = "MB/s per process (1 MB = 10^6 bytes)"
	timeLabel      = "time of one exchange in µs"
)

// BEff returns all figures of a b_eff result: bandwidth over message length with the best method and with each method,
// methods compared, latency, spread of the repetitions, detail patterns and Cartesian ones. Figures whose data were not
// measured are left out. The result is one that passes Result.Check; what others have too much is ignored.
func BEff(r *beff.Result) []*document.Figure {
	s := newSamples(r)
	if s == nil {
		return nil
	}
	var list []*document.Figure
	for _, figures := range []func(*samples) []*document.Figure{bandwidths, methodBars, latencies, repetitionSpread,
		details} {
		list = append(list, figures(s)...)
	}
	return list
}

// view is one way to look at bandwidths over message lengths.
type view struct {
	id, caption string
	of          func(p, l int) float64
	shape       func(l int) int // the method that marks the randoms' mean; negative: none
}

// bandwidths are figures of rings and randoms: by the best method, and by each. All have the same axes, to be compared.
func bandwidths(s *samples) []*document.Figure {
	views := []view{{"beff-bandwidth", "Bandwidth per process over message length, by the best method of each " +
		"pattern and length", s.best, s.bestMethod}}
	for m := range s.Methods {
		if len(s.Methods) > 1 {
			views = append(views, view{
				"beff-bandwidth-" + s.methodID(m),
				"Bandwidth per process over message length, by the method " + clean(s.Methods[m]) + " alone",
				func(p, l int) float64 { return s.ofMethod(p, l, m) }, func(int) int { return m % methodShapes },
			})
		}
	}
	var list []*document.Figure
	var charts []*chart
	for _, v := range views {
		if c := s.bandwidthChart(v); len(c.layers) > 0 {
			charts = append(charts, c)
			caption := v.caption + "." + c.bandNote("random patterns",
				", marked by the method that it was reached with") +
				omitted(len(s.of(patterns.KindRing)), "rings")
			list = append(list, &document.Figure{ID: v.id, Caption: caption, Drawing: c})
		}
	}
	sameAxes(charts)
	for i, c := range charts {
		list[i].Alt = c.describe("bandwidth per process", "MB/s")
	}
	return list
}

// methodID names a method in an ID. Unknown or repeated names get a number, as an ID is part of a file's name.
func (s *samples) methodID(m int) string {
	name := s.Methods[m]
	known := slices.ContainsFunc(beff.Methods(), func(k beff.Method) bool { return k.String() == name })
	if !known || slices.Index(s.Methods, name) != m {
		return fmt.Sprintf("method-%d", m+1)
	}
	return name
}

// bandwidthChart has the rings as curves and the randoms as a band; axes come later.
func (s *samples) bandwidthChart(v view) *chart {
	c := &chart{frame: frameHeight}
	c.addCurves(s, s.of(patterns.KindRing), func(p int) []point {
		return s.points(func(l int) float64 { return v.of(p, l) / mega })
	})
	c.addBand(s, "random", s.of(patterns.KindRandom), func(p, l int) float64 { return v.of(p, l) / mega }, v.shape)
	return c
}

// points are a figure of each length.
func (s *samples) points(f func(l int) float64) []point {
	list := make([]point, len(s.Lengths))
	for l, bytes := range s.Lengths {
		list[l] = point{float64(bytes), f(l)}
	}
	return list
}

// addCurves adds a curve for each of the first patterns of a list that has points.
func (c *chart) addCurves(s *samples, list []int, points func(p int) []point) {
	for i, p := range list[:min(len(list), mostCurves)] {
		pts := points(p)
		if slices.ContainsFunc(pts, point.usable) {
			c.addCurve(i, clean(s.Patterns[p].Name), pts)
		}
	}
}

// addCurve adds the i-th curve. Its marks are at each third point, those of the next curve at the points after these.
func (c *chart) addCurve(i int, name string, points []point) {
	l := lookOf(i)
	c.layers = append(c.layers, curve{look: l, points: points, every: 3, first: i})
	c.legend = append(c.legend, entry{name, lineIcon(l)})
}

// addBand adds patterns of a kind, behind everything, as the band from the lowest to the highest and their geometric
// mean: on some machines all curves are the same one, and a broad line shows beside the narrow ones on it. In front are
// the marks of the mean, the shapes of methods.
func (c *chart) addBand(s *samples, kind string, list []int, of func(p, l int) float64, method func(l int) int) {
	var spreads []spread
	for l := range s.Lengths {
		spreads = append(spreads, spreadOf(each(list, func(p int) float64 { return of(p, l) })))
	}
	mean := s.points(func(l int) float64 { return spreads[l].mean })
	if !slices.ContainsFunc(mean, point.usable) {
		return
	}
	b := band{fill: bandInk}
	b.low = s.points(func(l int) float64 { return spreads[l].low })
	b.high = s.points(func(l int) float64 { return spreads[l].high })
	best := marks{look: meanLook, points: mean, shapes: make([]int, len(mean))}
	for l := range best.shapes {
		best.shapes[l] = method(l)
	}
	line := meanLook
	line.shape = max(0, best.shapes[slices.IndexFunc(mean, point.usable)]) // of points that stand alone
	c.layers = append([]layer{b, curve{look: line, points: mean}}, append(c.layers, best)...)
	c.legend = append(c.legend,
		entry{plural(len(list), kind) + ", range", bandIcon(b)},
		entry{plural(len(list), kind) + ", mean", plainIcon(meanLook)})
	c.explain(best, s.Methods)
}

// explain adds the methods that marks stand for to the legend.
func (c *chart) explain(m marks, methods []string) {
	for i, name := range methods[:min(len(methods), methodShapes)] {
		shown := false
		for l, p := range m.points {
			shown = shown || m.shapes[l] == i && p.usable()
		}
		if shown {
			l := m.look
			l.shape = i
			c.legend = append(c.legend, entry{"mean by " + clean(name), markIcon(l)})
		}
	}
}

// none is for a band whose method is not marked.
func none(int) int { return -1 }

// bestMethod is the one of the first three, which have a shape, by which the randoms' mean is highest at a length;
// negative if none has them all.
func (s *samples) bestMethod(l int) int {
	best, most := -1, 0.0
	for m := range min(len(s.Methods), methodShapes) {
		mean := spreadOf(each(s.of(patterns.KindRandom), func(p int) float64 { return s.ofMethod(p, l, m) })).mean
		if mean > most {
			best, most = m, mean
		}
	}
	return best
}

// sameAxes gives charts of bandwidth over length the axes that hold the data of all.
func sameAxes(charts []*chart) {
	var xs, ys []float64
	for _, c := range charts {
		x, y := values(c.layers)
		xs, ys = append(xs, x...), append(ys, y...)
	}
	for _, c := range charts {
		c.x, c.y = axis{lengthLabel, lengths(xs)}, axis{bandwidthLabel, decades(ys, yRoom)}
	}
}

// bandNote explains the band in a caption, if there is one.
func (c *chart) bandNote(of, marked string) string {
	if !slices.ContainsFunc(c.layers, func(l layer) bool { _, is := l.(band); return is }) {
		return ""
	}
	return " The band holds all " + of + ", the broad line is their geometric mean" + marked + "."
}

// omitted says how many curves are left out.
func omitted(n int, of string) string {
	if n <= mostCurves {
		return ""
	}
	return fmt.Sprintf(" Drawn are the first %d of %d %s.", mostCurves, n, of)
}

// describe says in words what a chart of curves shows.
func (c *chart) describe(what, unit string) string {
	xs, ys := values(c.layers)
	from, to := span(xs)
	low, high := span(ys)
	curves := 0
	for _, l := range c.layers {
		if _, is := l.(curve); is {
			curves++
		}
	}
	return fmt.Sprintf("Line chart of %s against message length: %s between %s and %s %s from %s to %s.",
		what, plural(curves, "curve"), short(low), short(high), unit, length(int64(from)), length(int64(to)))
}
