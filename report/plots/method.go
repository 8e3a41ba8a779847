package plots

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/document"
)

// methodBars compares methods: the average over lengths of each ring, and of the randoms with their range.
func methodBars(s *samples) []*document.Figure {
	rings, randoms := s.of(patterns.KindRing), s.of(patterns.KindRandom)
	var groups []group
	for _, p := range rings[:min(len(rings), mostCurves)] {
		groups = append(groups, s.methodGroup(clean(s.Patterns[p].Name), []int{p}))
	}
	if len(randoms) > 0 {
		groups = append(groups, s.methodGroup(plural(len(randoms), "random"), randoms))
	}
	groups = slices.DeleteFunc(groups, func(g group) bool {
		return !slices.ContainsFunc(g.bars, func(b bar) bool { return usable(b.mean) })
	})
	if len(groups) == 0 || len(s.Methods) < 2 {
		return nil
	}
	c := barChart(bandwidthLabel+", mean over all lengths", groups, 8)
	for m, name := range s.Methods {
		c.legend = append(c.legend, entry{clean(name), boxIcon(fillOf(m))})
	}
	caption := "The methods compared: bandwidth per process, averaged over all message lengths, of each ring" +
		" and of the random patterns, whose geometric mean is drawn with the range." + omitted(len(rings), "rings")
	alt := fmt.Sprintf("Bar chart: %s with a bar for each of %s.", plural(len(groups), "group"),
		plural(len(s.Methods), "method"))
	return []*document.Figure{{ID: "beff-methods", Caption: caption, Alt: alt, Drawing: c}}
}

func (s *samples) methodGroup(name string, list []int) group {
	g := group{name: name}
	for m := range s.Methods {
		g.bars = append(g.bars, bar{spread: spreadOf(each(list, func(p int) float64 { return s.mean(p, m) / mega })),
			fill: fillOf(m)})
	}
	return g
}
