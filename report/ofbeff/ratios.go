package ofbeff

import (
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
)

// system is a side of the picture of ratios. The geometric means of its runs are drawn.
type system struct {
	name string
	runs []*samples
}

// systemsOf returns the sides with samples of rings or randoms.
func systemsOf(names []string, sides [][]*beff.Result) (list []system) {
	for i, runs := range sides {
		one := system{name: names[i]}
		for _, r := range runs {
			if s := newSamples(r); s != nil && len(s.OfKind(patterns.KindRing))+len(s.OfKind(patterns.KindRandom)) > 0 {
				one.runs = append(one.runs, s)
			}
		}
		if len(one.runs) > 0 {
			list = append(list, one)
		}
	}
	return list
}

// Ratios returns the plot of each system's bandwidth divided by the first system's, and the picture with such a plot
// for each ring and for the randoms. If the lengths differ, the plot is in each and mean is nil. With fewer than two
// systems both are nil.
func Ratios(names []string, sides [][]*beff.Result) (mean *chart.Plot, each []*document.Figure) {
	list := systemsOf(names, sides)
	if len(list) < 2 {
		return nil, nil
	}
	all := ratios(list, system.at)
	lengths := list[0].runs[0].Lengths
	if slices.ContainsFunc(list, func(x system) bool { return !slices.Equal(x.runs[0].Lengths, lengths) }) {
		all.ID, all.Title = "compare-ratio-mean", "Bandwidth per process divided by "+chart.Clean(list[0].name)+"'s"
		all.Caption = parts.Sentence(all.Caption)
		each, mean = chart.Figures(all), nil
	} else {
		mean = &all
	}
	grid := chart.PlotGrid{ID: "compare-ratio", SharedAxes: true,
		Title: "Bandwidth per process of each pattern divided by " + chart.Clean(list[0].name) + "'s",
		Caption: "Bandwidth per process of each ring and of the randoms divided by " + chart.Clean(list[0].name) +
			"'s, by message length. Above 1 a system is faster. Rings are paired by their position in the list.",
		Alt: "Ratios against message length, a chart for each pattern."}
	first := list[0].runs[0]
	for k, ring := range first.rings() {
		grid.Plots = append(grid.Plots, named(ratios(list, ofPatterns(func(s *samples) []int {
			if of := s.rings(); k < len(of) {
				return of[k : k+1]
			}
			return nil
		})), nameOf(first.Patterns[ring])))
	}
	if grid.Plots != nil {
		grid.Plots = append(grid.Plots, named(ratios(list, ofPatterns(func(s *samples) []int {
			return s.OfKind(patterns.KindRandom)
		})), "randoms"))
	}
	return mean, append(each, chart.Figures(grid)...)
}

func named(p chart.Plot, title string) chart.Plot {
	p.Title = title
	return p
}

// ratios plots each system's bandwidth divided by the first system's, at the lengths that both have. Its 95 % intervals
// are of the repetitions.
func ratios(list []system, of func(x system, l int) compare.Sampled) chart.Plot {
	first := list[0]
	p := chart.Plot{Of: "systems", Bars: "the 95 % intervals by the repetitions",
		X: chart.Length, Y: chart.Ratio.Named("times " + chart.Clean(first.name) + "'s"),
		Caption: "the bandwidth per process divided by " + chart.Clean(first.name) + "'s, by message length. About " +
			"one bar in 20 excludes 1 by chance."}
	p.Level = &chart.Level{Y: 1, Text: first.name, Value: "= 1"}
	p.Series = []chart.Series{{Name: first.name}} // it is drawn as the level, and no other curve gets its colour
	for _, x := range list[1:] {
		s := chart.Series{Name: x.name}
		for _, r := range atLengths(first, x, of) {
			pt := chart.Point{X: float64(r.Bytes), Y: r.Ratio()}
			if in := r.Interval(); in.Known {
				pt.Low, pt.High = in.Low, in.High
			}
			s.Points = append(s.Points, pt)
		}
		p.Series = append(p.Series, s)
	}
	return p
}

// atLengths returns a row for each message length that both systems have.
func atLengths(first, x system, of func(x system, l int) compare.Sampled) (rows []compare.Row) {
	for l, bytes := range x.runs[0].Lengths {
		at, theirs := l, first.runs[0].Lengths
		if l >= len(theirs) || theirs[l] != bytes { // with little memory several lengths are equal
			at = slices.Index(theirs, bytes)
		}
		if at >= 0 {
			rows = append(rows, compare.Row{Bytes: bytes,
				Difference: compare.Difference{First: of(first, at), Second: of(x, l)}})
		}
	}
	return rows
}

// ofPatterns returns a function for the mean over some patterns at length l, without a spread.
func ofPatterns(some func(s *samples) []int) func(x system, l int) compare.Sampled {
	return func(x system, l int) compare.Sampled {
		var list []float64
		for _, s := range x.runs {
			if l < len(s.Lengths) {
				list = append(list, spreadAt(some(s), func(p int) float64 { return s.best(p, l) }).Mean)
			}
		}
		return compare.Sampled{Value: compare.GeometricMean(list)}
	}
}

// at returns the mean over rings and randoms at length l of the runs.
func (x system) at(l int) compare.Sampled {
	long := lists.Where(x.runs, func(s *samples) bool { return l < len(s.Lengths) })
	return compare.OfRuns(lists.Each(long, func(s *samples) compare.Sampled { return s.at(l) }))
}

// ofKinds returns the mean of a figure over rings and randoms, which have the same weight as in the rating. It is NaN
// if neither has the figure.
func (s *samples) ofKinds(of func(p int) float64) float64 {
	var means []float64
	for _, kind := range kinds {
		if list := beff.WithNumber(s.OfKind(kind), of); len(list) > 0 {
			means = append(means, spreadAt(list, of).Mean)
		}
	}
	return chart.SpreadOf(means).Mean
}

// at returns the mean over rings and randoms at a length, with its repetitions.
func (s *samples) at(l int) compare.Sampled {
	x := s.ofKinds(func(p int) float64 { return s.best(p, l) })
	if s.Engine.Kind().Simulated {
		return compare.Sampled{Value: x, Model: true}
	}
	return compare.OfBest(x, s.repetitions(l, s.ofKinds))
}

// repetitions returns a mean over patterns at a length for each repetition.
func (s *samples) repetitions(l int, mean func(of func(p int) float64) float64) []float64 {
	return lists.Of(s.Repetitions, func(i int) float64 {
		return mean(func(p int) float64 { return s.perProcess(p, s.InRepetition(p, l, i)) })
	})
}
