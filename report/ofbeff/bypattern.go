package ofbeff

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
)

// system is a side of pictures that compare by pattern: its runs, whose geometric means are drawn.
type system struct {
	name string
	runs []*samples
}

// ByPattern returns pictures that compare systems by pattern, as the paper's Fig. 2 and 3 show one: each ring, and the
// randoms with their range, by the best method and by each method that all have; and each system's bandwidth over that
// of the first one. Rings are paired by their place in the list.
func ByPattern(names []string, sides [][]*beff.Result) []*document.Figure {
	var list []system
	for i, runs := range sides {
		one := system{name: names[i]}
		for _, r := range runs {
			if s := newSamples(r); s != nil && len(s.of(patterns.KindRing))+len(s.of(patterns.KindRandom)) > 0 {
				one.runs = append(one.runs, s)
			}
		}
		if len(one.runs) > 0 {
			list = append(list, one)
		}
	}
	if len(list) < 2 {
		return nil
	}
	pictures := []chart.Picture{ratios(list), small(list, "compare-patterns", "best method",
		func(s *samples, p, l int) float64 { return s.best(p, l) })}
	first := list[0].runs[0]
	for m, method := range first.Methods {
		if len(first.Methods) < 2 || slices.ContainsFunc(list, func(x system) bool {
			return slices.ContainsFunc(x.runs, func(s *samples) bool { return !slices.Contains(s.Methods, method) })
		}) {
			continue
		}
		pictures = append(pictures, small(list, "compare-patterns-"+first.methodID(m), calls(method),
			func(s *samples, p, l int) float64 { return s.alone(p, l, slices.Index(s.Methods, method)) }))
	}
	return chart.Figures(pictures...)
}

// small is a picture of a small chart for each ring, and one for the randoms.
func small(list []system, id, method string, of func(s *samples, p, l int) float64) chart.Together {
	shown := "each ring and of the randoms, "
	if !slices.ContainsFunc(list, func(x system) bool { return !x.runs[0].pair() }) {
		shown = "the pair, "
	}
	t := chart.Together{ID: id, Alike: true, Title: "Bandwidth per process of " + shown + method,
		Caption: "Bandwidth per process over message length, " + method + ": each ring, and the geometric mean of " +
			"the randoms in the band of their range.",
		Alt: fmt.Sprintf("Small line charts of bandwidth per process of %d systems, one for each ring.", len(list))}
	add := func(title string, group func(*samples) []int, band bool) {
		p := chart.Plot{X: chart.Length, Y: perProcess, Title: title}
		for _, x := range list {
			p.Series = append(p.Series, chart.Series{Name: x.name, Band: band,
				Points: x.points(group, of), Simulated: x.runs[0].Engine.Kind().Simulated})
		}
		t.Plots = append(t.Plots, p)
	}
	for k := range slices.MaxFunc(list, byRings).runs[0].rings() {
		add(ringName(list, k), func(s *samples) []int {
			rings := s.rings()
			return rings[min(k, len(rings)):min(k+1, len(rings))]
		}, false)
	}
	_, name := list[0].runs[0].group(patterns.KindRandom)
	add(name, func(s *samples) []int { all, _ := s.group(patterns.KindRandom); return all }, true)
	return t
}

// byRings orders systems by the number of rings.
func byRings(a, b system) int { return len(a.runs[0].rings()) - len(b.runs[0].rings()) }

// ringName returns the name of the ring at a place; its number where the systems' names differ.
func ringName(list []system, k int) (name string) {
	for _, x := range list {
		rings := x.runs[0].rings()
		switch {
		case k >= len(rings):
		case name == "" || name == x.runs[0].Patterns[rings[k]].Name:
			name = x.runs[0].Patterns[rings[k]].Name
		default:
			return fmt.Sprintf("ring %d", k+1)
		}
	}
	return name
}

// points returns a system's mean over the patterns of a group at each length of its first run, with their range.
func (x system) points(group func(*samples) []int, of func(s *samples, p, l int) float64) []chart.Point {
	return x.runs[0].over(func(l int) chart.Point {
		var low, mean, high []float64
		for _, s := range x.runs {
			if l < len(s.Lengths) {
				spread := spreadAt(group(s), func(p int) float64 { return of(s, p, l) })
				low, mean, high = append(low, spread.Low), append(mean, spread.Mean), append(high, spread.High)
			}
		}
		return chart.Point{Y: chart.SpreadOf(mean).Mean, Low: chart.SpreadOf(low).Mean, High: chart.SpreadOf(high).Mean}
	})
}

// ratios is the picture of each system's bandwidth over that of the first one at the lengths that both have, with the
// 95 % interval by the repetitions of single runs.
func ratios(list []system) chart.Plot {
	first := list[0]
	p := chart.Plot{ID: "compare-ratio", Of: "systems", Bars: "the 95 % intervals by the repetitions",
		X: chart.Length, Y: chart.Ratio.Called("times that of " + chart.Clean(first.name)),
		Title: "Bandwidth per process of rings and randoms over that of " + chart.Clean(first.name),
		Caption: "Bandwidth per process over that of the first system, by message length: geometric mean over rings " +
			"and randoms, with the best method of each."}
	p.Level = &chart.Level{Y: 1, Text: first.name, Said: "= 1"}
	p.Series = []chart.Series{{Name: first.name}} // the level, whose look no other curve has
	for _, x := range list[1:] {
		s := chart.Series{Name: x.name}
		for l, bytes := range x.runs[0].Lengths {
			at, theirs := l, first.runs[0].Lengths
			if l >= len(theirs) || theirs[l] != bytes { // lengths of small memories stand there several times
				at = slices.Index(theirs, bytes)
			}
			if at < 0 {
				continue
			}
			d := compare.Difference{First: first.at(at), Second: x.at(l)}
			pt := chart.Point{X: float64(bytes), Y: d.Ratio()}
			if in := d.Interval(); in.Known {
				pt.Low, pt.High = in.Low, in.High
			}
			s.Points = append(s.Points, pt)
		}
		p.Series = append(p.Series, s)
	}
	return p
}

// at returns the mean over rings and randoms at a length of the first run.
func (x system) at(l int) compare.Sampled {
	var list []compare.Sampled
	for _, s := range x.runs {
		if l < len(s.Lengths) {
			list = append(list, s.at(l))
		}
	}
	return compare.OfRuns(list)
}

// at returns the mean over rings and randoms at a length, with its repetitions.
func (s *samples) at(l int) compare.Sampled {
	mean := func(of func(p int) float64) float64 {
		product, n := 1.0, 0
		for _, kind := range kinds {
			if list := beff.Having(s.of(kind), of); len(list) > 0 {
				product, n = product*spreadAt(list, of).Mean, n+1
			}
		}
		return math.Pow(product, 1/float64(n))
	}
	x := mean(func(p int) float64 { return s.best(p, l) })
	if s.Engine.Kind().Simulated {
		return compare.Sampled{Value: x, Model: true}
	}
	var each []float64
	for i := range s.Repetitions {
		each = append(each, mean(func(p int) float64 { return s.perProcess(p, s.InRepetition(p, l, i)) }))
	}
	return compare.OfBest(x, each)
}
