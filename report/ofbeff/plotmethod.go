package ofbeff

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// methodBars returns the figure that compares methods: the average over lengths of each ring, and that of the randoms
// with their range.
func methodBars(s *samples) []*document.Figure {
	rings, randoms := s.of(patterns.KindRing), s.of(patterns.KindRandom)
	var groups []chart.Group
	for _, p := range rings[:min(len(rings), chart.MostCurves)] {
		groups = append(groups, s.methodGroup(chart.Clean(s.Patterns[p].Name), []int{p}))
	}
	if len(randoms) > 0 {
		groups = append(groups, s.methodGroup(words.Count(len(randoms), "random"), randoms))
	}
	groups = slices.DeleteFunc(groups, func(g chart.Group) bool {
		return !slices.ContainsFunc(g.Bars, func(b chart.Bar) bool { return chart.Usable(b.Mean) })
	})
	if len(groups) == 0 || len(s.Methods) < 2 {
		return nil
	}
	c := chart.BarChart(bandwidthLabel+", mean over all lengths", groups, 8)
	for m, name := range s.Methods {
		c.Legend = append(c.Legend, chart.Entry{Name: chart.Clean(name), Icon: chart.BoxIcon(chart.FillOf(m))})
	}
	caption := "The methods compared: bandwidth per process, averaged over all message lengths, of each ring" +
		" and of the random patterns, whose geometric mean is drawn with the range." + chart.Omitted(len(rings),
		"rings")
	alt := fmt.Sprintf("Bar chart: %s with a bar for each of %s.", words.Count(len(groups), "group"),
		words.Count(len(s.Methods), "method"))
	return []*document.Figure{{ID: "beff-methods", Caption: caption, Alt: alt, Drawing: c}}
}

func (s *samples) methodGroup(name string, list []int) chart.Group {
	g := chart.Group{Name: name}
	for m := range s.Methods {
		g.Bars = append(g.Bars, chart.Bar{Spread: chart.SpreadOf(chart.Each(list,
			func(p int) float64 { return s.mean(p, m) / words.Mega })),
			Fill: chart.FillOf(m)})
	}
	return g
}
