// Package trend follows the figures of systems over time. Results of one system, class, size and library are a series
// for each figure. Where the level of a series changes for good, it finds a step, and says what else changed then:
// libraries, kernels, variables and whatever else the results have recorded. It says too whether a series lies below a
// baseline.
package trend

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/stats"
)

// Point is a result: its figures, and the facts that they may depend on. Known reports whether these have all that beff
// records today: older results and imports have the library alone.
type Point struct {
	ranking.Entry
	Path  string // of its file
	Facts []document.Fact
	Known bool
}

// Series is a figure of one system, class, size and library over time.
type Series struct {
	Of     rating.Figure
	Points []Point // the oldest first, all with the figure
	// NotValid reports whether these are results that are not valid for comparison, because there are no others.
	NotValid bool
	LeftOut  int   // results that are not valid, beside others that are
	Last     Point // the newest result of all, valid or not, whether it has the figure or not

	Levels    []Level
	Steps     []Step // one between each two levels
	deviation float64
	freedom   int
}

// Level is a part of a series between two steps.
type Level struct {
	From, To int     // the points with indices From to To-1
	Value    float64 // geometric mean
}

// Step is a change of level, with what else changed then.
type Step struct {
	At          int     // index of the first point behind it
	Probability float64 // of a step as clear as this in values whose order means nothing
	Change
	Changed []string // such as "library Open MPI 4.1.4 → 4.1.6"; nil: nothing that is recorded
	Unknown bool     // the results on one side of it don't say what they depend on
}

// Change is the ratio of two levels with its 95 % interval; Low and High are 0 if none is known.
type Change struct{ Ratio, Low, High float64 }

// rule is the rule of steps: at most one of a hundred series of pure noise has a step.
var rule = stats.Changes{Level: 0.01, Least: 2}

const (
	confidence = 0.95
	// leastFreedom is the least number of degrees of freedom of a scatter that is taken for known.
	leastFreedom = 5
)

// Of returns the series of results: for each system, class, size and library, of any version, one for each figure of
// the keys, or the usual ones where there are no keys. Series have two points or more; alone is the number of results
// without another one.
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

// newSeries returns the series of a figure, of the valid results if there are at least two.
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
	var logs []float64
	for i := range s.Points {
		logs = append(logs, math.Log(s.value(i)))
	}
	places, probabilities := rule.Find(logs)
	levels, deviation, freedom := stats.Levels(logs, places)
	s.deviation, s.freedom = deviation, freedom
	for _, l := range levels {
		s.Levels = append(s.Levels, Level{l.From, l.To, math.Exp(l.Mean)})
	}
	for i, at := range places {
		step := Step{At: at, Probability: probabilities[i], Change: s.change(s.Levels[i], s.Levels[i+1])}
		before, behind := &s.Points[at-1], &s.Points[at]
		step.Unknown = !before.Known || !behind.Known
		step.Changed = changed(before.Facts, behind.Facts, !step.Unknown)
		s.Steps = append(s.Steps, step)
	}
}

// value returns the figure of a point in the unit that is shown.
func (s *Series) value(i int) float64 { return s.Of.Unit.In(s.Points[i].Figures[s.Of.Key].Value) }

// change returns the change from one level to another. Its interval is Student's, with the deviation of all points from
// their levels.
func (s *Series) change(from, to Level) Change {
	c := Change{Ratio: to.Value / from.Value}
	if s.freedom >= leastFreedom && s.deviation > 0 {
		half := stats.Student((1+confidence)/2, float64(s.freedom)) * s.deviation *
			math.Sqrt(1/float64(from.To-from.From)+1/float64(to.To-to.From))
		c.Low, c.High = c.Ratio*math.Exp(-half), c.Ratio*math.Exp(half)
	}
	return c
}

// Worse reports whether a change is for the worse.
func (s *Series) Worse(c Change) bool { return c.Ratio != 1 && (c.Ratio < 1) != s.Of.Less }

// changed returns the facts that differ, in the order of the later ones; with all also those that only one side has.
func changed(before, behind []document.Fact, all bool) (list []string) {
	old := map[string]string{}
	for _, f := range before {
		old[f.Name] = f.Value
	}
	for _, f := range behind {
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

// arrow returns two values of a fact. Words that both begin with stand once.
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

// Baseline is what the newest result is judged by: the results of the level that a result, or without one a date, is
// of, up to it.
type Baseline struct {
	Result rating.Measurement
	Date   time.Time
}

// ErrUndecided is the error of a result that can't be told from the baseline, nor said to be as good.
var ErrUndecided = errors.New("more results are needed")

const (
	// chance is the probability with which a night that is as good as those of the baseline is taken for a fall.
	chance = 0.01
	// leastLimit is the least limit that is one: a baseline whose nights differ by so much that one at half of its
	// level may be chance judges nothing.
	leastLimit = 0.5
)

// Fall is the newest result beside a baseline.
type Fall struct {
	Ratio float64 // of the newest result to the baseline's mean
	Limit float64 // of the ratio, on the worse side: chance passes it in one night of a hundred
	Down  bool    // the ratio is beyond the limit
	Count int     // results of the baseline
}

// Against judges the newest result of a series by a baseline, ok if the series has one: it is down where it is beyond
// the end of the prediction interval that the baseline's results give. So one night decides. Where they are fewer than
// three, the results' own intervals say how far they may be off. It is an error if it can't be judged.
func (s *Series) Against(b Baseline) (f Fall, ok bool, err error) {
	from := s.baseline(b)
	if from.From == from.To {
		return f, false, nil
	}
	newest := len(s.Points) - 1
	switch {
	case s.Last.Measurement == s.Points[from.To-1].Measurement:
		return f, true, fmt.Errorf("no result is behind the baseline: %w", ErrUndecided)
	case s.Last.Measurement == s.Points[newest].Measurement: // it has the figure
	case s.Last.Status.Counts():
		return f, true, fmt.Errorf("the newest result, %s, has no %s: %w", s.Last.File, s.Of.Name, ErrUndecided)
	}
	if err := s.judged(from); err != nil {
		return f, true, err
	}
	told := rating.Judge(rating.MeanOfRuns(s.doubts(from.From, from.To)), s.doubt(newest))
	f = Fall{Ratio: told.Ratio, Count: from.To - from.From}
	low, high := told.Chance(chance)
	if s.Points[0].Engine == rating.Simulated { // models have no noise
		low, high = 1, 1
	}
	f.Limit = low
	if s.Of.Less {
		f.Limit = high
	}
	switch f.Down = s.Worse(Change{Ratio: f.Ratio / f.Limit}); {
	case math.IsNaN(f.Limit) && s.Worse(Change{Ratio: f.Ratio}):
		return f, true, fmt.Errorf("it is %s, and how far results differ isn't known: %w", percent(f.Ratio),
			ErrUndecided)
	case !f.Down && (low < leastLimit):
		return f, true, fmt.Errorf("the baseline's %d results differ so much that %s may be chance: choose quieter "+
			"ones: %w", f.Count, percent(f.Limit), ErrUndecided)
	}
	f.Down = f.Down && !math.IsNaN(f.Limit)
	return f, true, nil
}

// baseline returns the results of a baseline as a level; an empty one if there are none.
func (s *Series) baseline(b Baseline) (of Level) {
	one := b.Result != rating.Measurement{}
	for _, l := range s.Levels {
		for i := l.From; i < l.To; i++ {
			if one && s.Points[i].Measurement == b.Result || !one && !s.Points[i].Date.After(b.Date) {
				of = Level{From: l.From, To: i + 1}
			}
		}
	}
	return of
}

// judged returns an error that says why the newest result of all can't be judged by those of a level.
func (s *Series) judged(by Level) error {
	for i := by.From; i < by.To; i++ {
		if err := s.Points[i].Basis().Judged(s.Last.Basis()); err != nil {
			return err
		}
	}
	return nil
}

// doubt returns a result's figure with its own interval.
func (s *Series) doubt(i int) rating.Doubt {
	d := s.Points[i].Figures[s.Of.Key].Doubt()
	d.Model = s.Points[i].Engine == rating.Simulated
	return d
}

// doubts returns those of a part of the series.
func (s *Series) doubts(from, to int) (list []rating.Doubt) {
	for i := from; i < to; i++ {
		list = append(list, s.doubt(i))
	}
	return list
}
