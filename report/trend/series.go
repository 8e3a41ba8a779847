// Package trend follows the figures of systems over time. The results of one system, class, size and library form a
// series for each figure. If the level of a series changes for good, trend finds a step and lists the other changes at
// that time: libraries, kernels, variables, and whatever else the results record. It also judges whether a series is
// below a baseline.
package trend

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/stats"
)

// Point is a result: its figures, and the facts that they may depend on, from File.Entry and File.Facts. Known, from
// File.RecordsEnvironment, reports whether it has all facts that beff records today. Older results and imports only
// have the library.
type Point struct {
	ranking.Entry
	Path  string // path of the file
	Facts []document.Fact
	Known bool
}

// Series is a figure of one system, class, size and library over time.
type Series struct {
	Of     rating.Figure
	Points []Point // oldest first; all have the figure
	// NotValid is set if fewer than two results are valid for comparison. The points then include the others.
	NotValid bool
	LeftOut  int   // number of results left out because they aren't valid
	Last     Point // newest result, valid or not, with or without the figure

	Levels    []Level
	Steps     []Step // between consecutive levels
	deviation float64
	freedom   int
}

// Level is the part of a series between two steps.
type Level struct {
	From, To int     // the points with indices From to To-1
	Value    float64 // geometric mean
}

// Step is a change of level, with the other changes at that time.
type Step struct {
	At          int     // index of the first point after it
	Probability float64 // that values in random order have a step as clear as this
	Change
	Changed []string // such as "library Open MPI 4.1.4 → 4.1.6"; nil if no recorded fact changed
	Unknown bool     // results on one side of the step don't record their facts
}

// Change is the ratio of two levels with its 95 % interval. Low and High are 0 if the interval isn't known.
type Change struct{ Ratio, Low, High float64 }

// rule accepts a step in at most one of a hundred series of pure noise.
var rule = stats.Changes{Level: 0.01, MinValues: 2}

const (
	confidence = 0.95
	// minFreedom is the number of degrees of freedom that the scatter must have to count as known.
	minFreedom = 5
)

// Of returns the series of results: for each system, class, size and library of any version, a series for each figure
// in keys, or for the default figures if there are none. A series has at least two points; alone is the number of
// results that are the only ones of their group.
func Of(points []Point, keys []string) (list []*Series, alone int) {
	var cells rating.Cells
	var groups [][]Point
	for _, p := range points {
		n, first := cells.Of(p.Basis().OverTime())
		if first {
			groups = append(groups, nil)
		}
		groups[n] = append(groups[n], p)
	}
	slices.SortStableFunc(groups, func(x, y []Point) int {
		a, b := &x[0], &y[0]
		return cmp.Or(strings.Compare(a.System.Name, b.System.Name),
			strings.Compare(a.Class.String(), b.Class.String()), cmp.Compare(a.Processes, b.Processes),
			cmp.Compare(a.PerNode, b.PerNode), strings.Compare(a.Numbering, b.Numbering),
			strings.Compare(a.LibraryName, b.LibraryName))
	})
	for _, group := range groups {
		slices.SortStableFunc(group, func(a, b Point) int { return a.Date.Compare(b.Date) })
		if len(group) < 2 {
			alone++
			continue
		}
		for _, f := range ranking.Followed(group[0].Benchmark, keys) {
			if s := newSeries(f, group); len(s.Points) > 1 {
				list = append(list, s)
			}
		}
	}
	return list, alone
}

// newSeries returns the series of a figure, with only the valid results if there are at least two.
func newSeries(f rating.Figure, group []Point) *Series {
	s := &Series{Of: f, Last: group[len(group)-1]}
	var valid []Point
	for _, p := range group {
		if !p.Figures[f.Key].Known() || p.Date.IsZero() {
			continue
		}
		s.Points = append(s.Points, p)
		if p.Status.Counts() {
			valid = append(valid, p)
		}
	}
	if s.NotValid = len(valid) < 2; !s.NotValid {
		s.LeftOut, s.Points = len(s.Points)-len(valid), valid
	}
	s.split()
	return s
}

// split finds the steps.
func (s *Series) split() {
	logs := lists.Of(len(s.Points), func(i int) float64 { return math.Log(s.value(i)) })
	places, probabilities := rule.Find(logs)
	levels, deviation, freedom := stats.Levels(logs, places)
	s.deviation, s.freedom = deviation, freedom
	s.Levels = lists.Each(levels, func(l stats.Level) Level { return Level{l.From, l.To, math.Exp(l.Mean)} })
	for i, at := range places {
		step := Step{At: at, Probability: probabilities[i], Change: s.change(s.Levels[i], s.Levels[i+1])}
		before, after := &s.Points[at-1], &s.Points[at]
		step.Unknown = !before.Known || !after.Known
		step.Changed = changed(before.Facts, after.Facts, !step.Unknown)
		s.Steps = append(s.Steps, step)
	}
}

// value returns the figure of a point in the shown unit.
func (s *Series) value(i int) float64 { return s.Of.Unit.In(s.Points[i].Figures[s.Of.Key].Value) }

// change returns the change between two levels. Its interval is Student's, with the deviation of all points from their
// levels.
func (s *Series) change(from, to Level) Change {
	c := Change{Ratio: to.Value / from.Value}
	if s.freedom >= minFreedom && s.deviation > 0 {
		half := stats.Student((1+confidence)/2, float64(s.freedom)) * s.deviation *
			math.Sqrt(1/float64(from.To-from.From)+1/float64(to.To-to.From))
		c.Low, c.High = c.Ratio*math.Exp(-half), c.Ratio*math.Exp(half)
	}
	return c
}

// Worse reports whether a change is for the worse.
func (s *Series) Worse(c Change) bool { return c.Ratio != 1 && (c.Ratio < 1) != s.Of.Less }

// changed lists the facts that differ, in the order of the later ones. If all is set, it includes facts that only one
// side has.
func changed(before, after []document.Fact, all bool) (list []string) {
	old := map[string]string{}
	for _, f := range before {
		old[f.Name] = f.Value
	}
	for _, f := range after {
		if was, ok := old[f.Name]; (ok || all) && was != f.Value {
			list = append(list, f.Name+" "+arrow(was, f.Value))
		}
		delete(old, f.Name)
	}
	for _, f := range before {
		if was, gone := old[f.Name]; gone && all {
			list = append(list, f.Name+" "+arrow(was, ""))
		}
	}
	return list
}

// arrow joins two values of a fact, without repeating the words that both begin with.
func arrow(was, now string) string {
	none := func(s string) string { return cmp.Or(s, "(none)") }
	a, b := strings.Fields(was), strings.Fields(now)
	same := 0
	for same < len(a)-1 && same < len(b)-1 && a[same] == b[same] {
		same++
	}
	if same > 0 {
		now = strings.Join(b[same:], " ")
	}
	return none(was) + " → " + none(now)
}

// estimate returns a point's figure with the interval within its run.
func (s *Series) estimate(i int) rating.Estimate {
	d := s.Points[i].Figures[s.Of.Key].Estimate()
	d.Model = s.Points[i].Engine == rating.Simulated
	return d
}

// estimates returns the estimates of the points with indices from to to-1.
func (s *Series) estimates(from, to int) (list []rating.Estimate) {
	for i := from; i < to; i++ {
		list = append(list, s.estimate(i))
	}
	return list
}
