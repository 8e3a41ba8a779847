package ofbeff

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

const (
	bandwidthLabel = "bandwidth per process"
	timeLabel      = "time of one exchange"
)

// Figures returns all figures of a b_eff result: that of the first page, bandwidth over message length with the best
// method and with each method, methods compared, latency, spread of the repetitions, detail patterns and Cartesian
// ones. Figures whose data were not measured are left out. The result need not have passed Result.Check: samples that
// no list has are ignored.
func Figures(r *beff.Result) []*document.Figure {
	s := newSamples(r)
	if s == nil {
		return nil
	}
	var list []*document.Figure
	for _, figures := range []func(*samples) []*document.Figure{mainFigure, heatMap, bandwidths, methodDots, latencies,
		repetitionSpread,
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

// bandwidths returns figures of rings and randoms: by the best method, and by each method. All have the same axes.
func bandwidths(s *samples) []*document.Figure {
	views := []view{{"beff-patterns", "Bandwidth per process over message length, by the best method of each " +
		"pattern and length", s.best, s.bestMethod}}
	for m := range s.Methods {
		if len(s.Methods) > 1 {
			views = append(views, view{
				"beff-bandwidth-" + s.methodID(m),
				"Bandwidth per process over message length, by the method " + chart.Clean(s.Methods[m]) + " alone",
				func(p, l int) float64 { return s.alone(p, l, m) }, func(int) int { return m % chart.MethodShapes },
			})
		}
	}
	var list []*document.Figure
	var charts []*chart.Chart
	for _, v := range views {
		if c := s.bandwidthChart(v); len(c.Layers) > 0 {
			charts = append(charts, c)
			caption := v.caption + "." + c.BandNote("random patterns",
				", marked by the method that it was reached with") +
				chart.Omitted(len(s.of(patterns.KindRing)), "rings")
			list = append(list, &document.Figure{ID: v.id, Caption: caption, Drawing: c})
		}
	}
	sameAxes(charts)
	for i, c := range charts {
		list[i].Alt = c.Describe("bandwidth per process", "MB/s")
	}
	return list
}

// methodID returns the name of a method in an ID, which is part of a file's name. Unknown or repeated names become a
// number.
func (s *samples) methodID(m int) string {
	name := s.Methods[m]
	known := slices.ContainsFunc(beff.Methods(), func(k beff.Method) bool { return k.String() == name })
	if !known || slices.Index(s.Methods, name) != m {
		return fmt.Sprintf("method-%d", m+1)
	}
	return name
}

// bandwidthChart returns a chart without axes: the rings as curves, the randoms as a band.
func (s *samples) bandwidthChart(v view) *chart.Chart {
	c := &chart.Chart{Frame: chart.FrameHeight}
	addCurves(c, s, s.of(patterns.KindRing), func(p int) []chart.Point {
		return s.points(func(l int) float64 { return v.of(p, l) / words.Mega })
	})
	addBand(c, s, "random", s.of(patterns.KindRandom), func(p, l int) float64 { return v.of(p, l) / words.Mega },
		v.shape)
	return c
}

// points returns a point for each length, with f as its height.
func (s *samples) points(f func(l int) float64) []chart.Point {
	list := make([]chart.Point, len(s.Lengths))
	for l, bytes := range s.Lengths {
		list[l] = chart.Point{X: float64(bytes), Y: f(l)}
	}
	return list
}

// addCurves adds a curve for each of the first MostCurves patterns of a list, if it has points.
func addCurves(c *chart.Chart, s *samples, list []int, points func(p int) []chart.Point) {
	for i, p := range list[:min(len(list), chart.MostCurves)] {
		pts := points(p)
		if slices.ContainsFunc(pts, chart.Point.Usable) {
			c.AddCurve(i, chart.Clean(s.Patterns[p].Name), pts)
		}
	}
}

// addBand adds patterns of a kind as a band from the lowest to the highest, and their geometric mean as a broad line.
// Both are behind everything: on some machines all curves are the same, and a broad line is seen below narrow ones. In
// front are marks on the mean, whose shapes stand for methods.
func addBand(c *chart.Chart, s *samples, kind string, list []int, of func(p, l int) float64, method func(l int) int) {
	var spreads []chart.Spread
	for l := range s.Lengths {
		spreads = append(spreads, chart.SpreadOf(chart.Each(list, func(p int) float64 { return of(p, l) })))
	}
	mean := s.points(func(l int) float64 { return spreads[l].Mean })
	if !slices.ContainsFunc(mean, chart.Point.Usable) {
		return
	}
	b := chart.Band{Fill: chart.BandInk, Name: words.Count(len(list), kind) + ", range"}
	b.Low = s.points(func(l int) float64 { return spreads[l].Low })
	b.High = s.points(func(l int) float64 { return spreads[l].High })
	best := chart.Marks{Look: chart.MeanLook, Points: mean, Shapes: make([]int, len(mean))}
	for l := range best.Shapes {
		best.Shapes[l] = method(l)
	}
	line := chart.MeanLook
	line.Shape = max(0, best.Shapes[slices.IndexFunc(mean, chart.Point.Usable)]) // of points without neighbours
	c.Layers = append([]chart.Layer{b, chart.Curve{Look: line, Name: words.Count(len(list), kind) + ", mean",
		Points: mean}}, append(c.Layers, best)...)
	c.Legend = append(c.Legend,
		chart.Entry{Name: words.Count(len(list), kind) + ", range", Icon: chart.BandIcon(b)})
	explain(c, best, s.Methods)
}

// explain adds an entry to the legend for each method that marks show.
func explain(c *chart.Chart, m chart.Marks, methods []string) {
	for i, name := range methods[:min(len(methods), chart.MethodShapes)] {
		shown := false
		for l, p := range m.Points {
			shown = shown || m.Shapes[l] == i && p.Usable()
		}
		if shown {
			l := m.Look
			l.Shape = i
			c.Legend = append(c.Legend, chart.Entry{Name: "mean by " + chart.Clean(name), Icon: chart.MarkIcon(l)})
		}
	}
}

// none returns no method: the mean has no marks.
func none(int) int { return -1 }

// bestMethod returns the method with the highest mean of the randoms at a length, of the methods that have a shape of
// their own; negative if none was measured with all randoms.
func (s *samples) bestMethod(l int) int {
	best, most := -1, 0.0
	for m := range min(len(s.Methods), chart.MethodShapes) {
		mean := spreadAt(s.of(patterns.KindRandom), func(p int) float64 { return s.alone(p, l, m) }).Mean
		if mean > most {
			best, most = m, mean
		}
	}
	return best
}

// sameAxes gives charts of bandwidth over length the same axes, which contain the data of all.
func sameAxes(charts []*chart.Chart) {
	var xs, ys []float64
	for _, c := range charts {
		x, y := chart.Values(c.Layers)
		xs, ys = append(xs, x...), append(ys, y...)
	}
	for _, c := range charts {
		c.X, c.Y = chart.LengthAxis(xs), chart.RateAxis(bandwidthLabel, ys)
	}
}
