package trend

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// maxSeries is the number of series that fit on a first screen.
const maxSeries = 3

// minResults is the number of results that a step needs.
const minResults = 10

// screen returns the first screen of trends: whether levels have changed, what else changed in the results at the
// newest step, and the newest level of each series.
func screen(list []*Series, judged []document.Notice) (rows []document.Fact) {
	add := func(name, value string) { rows = append(rows, document.Fact{Name: name, Value: value}) }
	last, steps, most := (*Step)(nil), 0, 0
	var of *Series
	for _, s := range list {
		steps, most = steps+len(s.Steps), max(most, len(s.Points))
		for i := range s.Steps {
			if x := &s.Steps[i]; last == nil || s.Points[x.At].Date.After(of.Points[last.At].Date) {
				last, of = x, s
			}
		}
	}
	switch {
	case len(judged) > 0:
		add("", judged[0].Text)
	case last != nil:
		add("", fmt.Sprintf("%s, the newest: %s %s on %s", words.Count(steps, "step"), of.name(), last.Percent(),
			of.Points[last.At].Date.Format(day)))
	case most < minResults:
		add("", fmt.Sprintf("No step found: there are %s, and a step needs %d", words.Count(most, "result"),
			minResults))
	default:
		add("", "No step found: no level changes by more than chance")
	}
	if last != nil {
		add("Cause", last.cause())
	}
	for _, s := range list[:min(len(list), maxSeries)] {
		add(s.Of.Name, s.now())
	}
	if more := len(list) - maxSeries; more > 0 {
		add("Also", words.Count(more, "more series")+": -v")
	}
	return rows
}

// now describes the newest level of a series.
func (s *Series) now() string {
	p, l := &s.Points[0], s.Levels[len(s.Levels)-1]
	d := rating.MeanOfRuns(s.estimates(l.From, l.To))
	text := fmt.Sprintf("%s %s %v", words.Digits(s.Of.Unit.In(d.Value), d.Digits()), s.Of.Unit.Shown, d)
	if s.Of.Unit == rating.Bandwidth {
		text = words.WithRange(d)
	}
	since := words.Either(len(s.Steps) > 0, " since "+s.Points[l.From].Date.Format(day), "")
	valid := words.Either(s.hasValid(), ", fewer than two valid", ", none valid")
	return strings.Join([]string{text, "mean of " + words.Count(l.To-l.From, "result") + since +
		words.Either(s.NotValid, valid, ""), p.System.Name, words.Processes(p.Processes), p.LibraryName}, ", ")
}
