package ofbeff

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// methodDots returns the figure that compares methods: the average over lengths of each ring, and that of the randoms
// with their range.
func methodDots(s *samples) []*document.Figure {
	rings, randoms := s.of(patterns.KindRing), s.of(patterns.KindRandom)
	var groups []chart.Group
	for _, p := range rings[:min(len(rings), chart.MostCurves)] {
		groups = append(groups, s.methodGroup(chart.Clean(s.Patterns[p].Name), []int{p}))
	}
	if len(randoms) > 0 {
		groups = append(groups, s.methodGroup(words.Count(len(randoms), "random"), randoms))
	}
	groups = slices.DeleteFunc(groups, func(g chart.Group) bool {
		return !slices.ContainsFunc(g.Dots, func(d chart.Dot) bool { return chart.Usable(d.Mean) })
	})
	if len(groups) == 0 || len(s.Methods) < 2 {
		return nil
	}
	c := chart.RateDots(bandwidthLabel+", mean over all lengths", groups)
	caption := "The methods compared: bandwidth per process, averaged over all message lengths, of each ring" +
		" and of the random patterns, whose geometric mean is drawn with the range." + chart.Omitted(len(rings),
		"rings")
	alt := fmt.Sprintf("Chart of dots: %s with a dot for each of %s.", words.Count(len(groups), "group"),
		words.Count(len(s.Methods), "method"))
	return []*document.Figure{{ID: "beff-methods", Caption: caption, Alt: alt, Drawing: c}}
}

func (s *samples) methodGroup(name string, list []int) chart.Group {
	g := chart.Group{Name: name}
	for m := range s.Methods {
		spread := chart.SpreadOf(chart.Each(list, func(p int) float64 { return s.mean(p, m) / words.Mega }))
		g.Dots = append(g.Dots, chart.Dot{Spread: spread, Name: chart.Clean(s.Methods[m]), Look: m})
	}
	return g
}
