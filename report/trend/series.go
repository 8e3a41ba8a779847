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
			cmp.Compare(a.PerNode, b.PerNode), strings.Compare(a.LibraryName, b.LibraryName))
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
		if p.Status.Valid() {
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

// Baseline is what newer results are compared with: a result, or without one the level at a date.
type Baseline struct {
	Result rating.Measurement
	Date   time.Time
}

// ErrUndecided is the error of a change for the worse that may be noise.
var ErrUndecided = errors.New("what results spread isn't known")

// Against returns the change from the baseline to the newest level of a series, ok if the series has a baseline and
// results behind it. Where the scatter of the series isn't known, the interval is that of the results' own. It is an
// error if the one can't be judged by the other.
func (s *Series) Against(b Baseline) (c Change, ok bool, err error) {
	from, one := Level{}, b.Result != rating.Measurement{}
	for i, p := range s.Points {
		if one && p.Measurement == b.Result {
			from = Level{i, i + 1, s.value(i)}
		}
	}
	if !one {
		for _, l := range s.Levels {
			if !s.Points[l.From].Date.After(b.Date) {
				from = l
			}
		}
	}
	to := s.Levels[len(s.Levels)-1]
	if one && to.From <= from.From { // the level goes on: the results behind the file's
		to = s.mean(from.To, len(s.Points))
	}
	if from.Value == 0 || one && s.Last.Measurement == b.Result || !one && !s.Last.Date.After(b.Date) {
		return c, false, nil
	}
	if err := s.judged(from, to); err != nil {
		return c, true, err
	}
	if to.From == to.To || !one && !s.Points[to.To-1].Date.After(b.Date) { // the newest result lacks the figure
		return c, false, nil
	}
	if c = s.change(from, to); c.Low == 0 {
		c = s.ofOwn(from, to)
	}
	if s.Points[0].Engine == rating.Simulated { // models have no noise
		c.Low, c.High = c.Ratio, c.Ratio
	}
	if c.High == 0 && s.Worse(c) {
		return c, true, fmt.Errorf("it is %s, and %w", c.Percent(), ErrUndecided)
	}
	return c, true, nil
}

// judged returns an error that says why one level can't be judged by another: each result of both, and the newest one
// of all, by the last one of the first level.
func (s *Series) judged(from, to Level) error {
	by := s.Points[from.To-1].Basis()
	for _, p := range slices.Concat(s.Points[from.From:from.To], s.Points[to.From:to.To], []Point{s.Last}) {
		if b := p.Basis(); b.Measurement == by.Measurement {
			continue
		} else if err := by.Judged(b); err != nil {
			return err
		}
	}
	return nil
}

// mean returns a part of a series as a level.
func (s *Series) mean(from, to int) Level {
	sum := 0.0
	for i := from; i < to; i++ {
		sum += math.Log(s.value(i))
	}
	return Level{from, to, math.Exp(sum / float64(to-from))}
}

// ofOwn returns a change whose interval is of the results' own intervals within their runs.
func (s *Series) ofOwn(from, to Level) Change {
	variance := func(l Level) float64 {
		sum := 0.0
		for _, p := range s.Points[l.From:l.To] {
			half := math.NaN()
			if in := p.Figures[s.Of.Key].Within; in != nil {
				half = math.Log(in.High/in.Low) / 2
			}
			sum += half * half
		}
		n := float64(l.To - l.From)
		return sum / n / n
	}
	c := Change{Ratio: to.Value / from.Value}
	if half := math.Sqrt(variance(from) + variance(to)); half > 0 {
		c.Low, c.High = c.Ratio*math.Exp(-half), c.Ratio*math.Exp(half)
	}
	return c
}

// Down reports whether the whole interval of a change is on the worse side of no change.
func (s *Series) Down(c Change) bool {
	if s.Of.Less {
		return c.Low > 1
	}
	return c.High > 0 && c.High < 1
}
