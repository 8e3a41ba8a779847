package oftune

import (
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/tune"
)

// pictures are those of a result: of each collective the best algorithm by length and processes, what rules gain, and
// all algorithms beside the default.
func pictures(r *tune.Result) (list []*document.Figure) {
	for _, collective := range r.Collectives {
		if len(r.LengthsOf(collective)) < 2 {
			continue
		}
		plots := []chart.Picture{best(r, collective), gain(r, collective)}
		for _, n := range r.Processes {
			plots = append(plots, beside(r, collective, n))
		}
		list = append(list, chart.Figures(plots...)...)
	}
	return list
}

// best is the picture of the algorithm that is chosen at each length on each number of processes.
func best(r *tune.Result, collective string) chart.Picture {
	names := []string{tune.Default}
	for _, rule := range r.Derived.Rules {
		if rule.Collective == collective && !slices.Contains(names, rule.Algorithm.Name) {
			names = append(names, rule.Algorithm.Name)
		}
	}
	p := chart.Plot{ID: "tune-" + strings.ToLower(collective) + "-best", Title: collective + ": the algorithm to take",
		X: chart.Length, Y: chart.Processes, Of: "algorithms", Caption: collective + ": the algorithm of the rules " +
			"at each length and number of processes. Default: the library goes on to decide."}
	for _, name := range names {
		s := chart.Series{Name: name, Dots: true}
		for _, n := range r.Processes {
			for _, bytes := range r.LengthsOf(collective) {
				if chosen(r, collective, n, bytes) == name {
					s.Points = append(s.Points, chart.Point{X: float64(bytes), Y: float64(n)})
				}
			}
		}
		slices.SortStableFunc(s.Points, func(a, b chart.Point) int { return int(a.X - b.X) })
		if len(s.Points) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	m := choices{Plot: p}
	for _, n := range r.Processes {
		rules := lists.Each(tune.Of(r.Derived.Rules, collective, n), named)
		m.lines = append(m.lines, words.Processes(n)+": "+strings.Join(append(rules, words.Either(len(rules) > 0,
			"else ", "")+tune.Default), ", "))
	}
	return m
}

// choices is a picture of algorithms, in letters a line for each number of processes: its y axis is no height.
type choices struct {
	chart.Plot
	lines []string
}

// Figure implements chart.Picture.
func (m choices) Figure() *document.Figure {
	f := m.Plot.Figure()
	if f != nil {
		f.Lines = m.lines
	}
	return f
}

// chosen returns the algorithm of the rules, or default.
func chosen(r *tune.Result, collective string, processes int, bytes int64) string {
	for _, rule := range tune.Of(r.Derived.Rules, collective, processes) {
		if bytes >= rule.From && bytes <= rule.To {
			return rule.Algorithm.Name
		}
	}
	return tune.Default
}

// gain is the picture of what the rules gain over the length.
func gain(r *tune.Result, collective string) chart.Plot {
	p := chart.Plot{ID: "tune-" + strings.ToLower(collective) + "-gain", Title: collective + ": what the file gains",
		X: chart.Length, Y: chart.Ratio.Called("times as fast as the default"), Caption: collective + ": the " +
			"default's time over that with the file of rules, by runs of the proof.",
		Bars:  "the intervals with a confidence of 95 % for all lengths together",
		Level: &chart.Level{Y: 1, Text: "the default"}}
	for _, n := range r.Processes {
		s := chart.Series{Name: words.Processes(n)}
		for _, g := range r.Derived.Gains {
			if g.Collective == collective && g.Processes == n {
				s.Points = append(s.Points, chart.Point{X: float64(g.Bytes), Y: g.Ratio, Low: g.Low, High: g.High})
			}
		}
		if len(s.Points) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	return p
}

// beside is the picture of all algorithms beside the default, those that the library lacks too.
func beside(r *tune.Result, collective string, processes int) chart.Plot {
	p := chart.Plot{ID: "tune-" + strings.ToLower(collective) + "-all-" + words.Figure(float64(processes), 0),
		Title: what(collective, processes) + ": algorithms beside the default", X: chart.Length,
		Y: chart.Ratio.Called("times as fast as the default"), Of: "algorithms",
		Caption: what(collective, processes) + ": the default's time over the algorithm's in the rounds of the choice.",
		Level:   &chart.Level{Y: 1, Text: "the default"}}
	for _, list := range [][]tune.Cell{r.Derived.Cells, r.Derived.Possible} {
		for _, c := range list {
			if c.Collective != collective || c.Processes != processes {
				continue
			}
			i := slices.IndexFunc(p.Series, func(s chart.Series) bool { return s.Name == c.Algorithm })
			if i < 0 {
				i = len(p.Series)
				p.Series = append(p.Series, chart.Series{Name: c.Algorithm})
			}
			p.Series[i].Points = append(p.Series[i].Points, chart.Point{X: float64(c.Bytes), Y: c.Ratio})
		}
	}
	return p
}
