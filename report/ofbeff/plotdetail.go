package ofbeff

import (
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// details returns figures of the patterns that don't count for b_eff, compared with the rings. The Cartesian patterns,
// which are many, have a figure of their own.
func details(s *samples) []*document.Figure {
	var plain, cartesian []int
	for _, p := range s.of(patterns.KindDetail) {
		if isCartesian(s.Patterns[p].Name) {
			cartesian = append(cartesian, p)
		} else {
			plain = append(plain, p)
		}
	}
	var list []*document.Figure
	var charts []*chart.Chart
	for _, part := range []struct {
		id, name string
		list     []int
	}{{"beff-details", "detail patterns", plain}, {"beff-cartesian", "Cartesian patterns", cartesian}} {
		c := s.detailChart(part.list)
		if len(c.Layers) == 0 {
			continue
		}
		charts = append(charts, c)
		caption := "The " + part.name + ": bandwidth per process that takes part, over message length, with the " +
			"best method." +
			c.BandNote("rings", "") + chart.Omitted(len(part.list), part.name)
		list = append(list, &document.Figure{ID: part.id, Caption: caption, Drawing: c})
	}
	sameAxes(charts)
	for i, c := range charts {
		list[i].Alt = c.Describe("bandwidth per process", "MB/s")
	}
	return list
}

func isCartesian(name string) bool { return len(name) > 4 && name[:4] == "cart" }

// detailChart returns a chart with a curve for each pattern of a list. It is empty if none was measured.
func (s *samples) detailChart(list []int) *chart.Chart {
	c := &chart.Chart{Frame: chart.FrameHeight}
	of := func(p, l int) float64 { return s.best(p, l) / words.Mega }
	addCurves(c, s, list, func(p int) []chart.Point { return s.points(func(l int) float64 { return of(p, l) }) })
	if len(c.Layers) > 0 {
		addBand(c, s, "ring", s.of(patterns.KindRing), of, none)
	}
	return c
}
