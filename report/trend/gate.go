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
	"github.com/effective-bandwidth/beff/report/words"
)

// Gate judges the newest results by a baseline.
type Gate struct {
	Baseline
	// MaxAge is the longest time between the start of a series' newest result and Now, or 0 for any time. It finds
	// missing nights, and results with a date in the future, which would stay the newest.
	MaxAge time.Duration
	Now    time.Time
}

// Baseline selects the results that the newest result is compared with: up to Result or, if that is empty, up to the
// moment Date, the results of the level to which the last of these belongs.
type Baseline struct {
	Result rating.Measurement
	Date   time.Time
}

// ErrUndecided is the error for a result that can be called neither worse than the baseline nor as good.
var ErrUndecided = errors.New("more results are needed")

const (
	// chance is the probability that a result as good as the baseline is taken for a fall.
	chance = 0.01
	// minLimit is the lowest limit that is used. A baseline whose results scatter so much that chance may halve a
	// result can't judge anything.
	minLimit = 0.5
)

// Judgement is the comparison of the newest result with a baseline.
type Judgement struct {
	Ratio float64 // newest result over the baseline's mean
	Limit float64 // limit of Ratio on the worse side, which chance exceeds in one of a hundred results
	Down  bool    // Ratio is beyond Limit
	Count int     // number of results in the baseline
}

// Against compares the newest result of a series with a baseline. ok is false if the series has no such baseline. The
// result is down if it is beyond the end of the baseline's prediction interval, so a single result decides. With fewer
// than three results, their own intervals give the limit. It is an error if the result can't be judged.
func (s *Series) Against(b Baseline) (f Judgement, ok bool, err error) {
	from := s.baseline(b)
	if from.From == from.To {
		return f, false, nil
	}
	newest := len(s.Points) - 1
	switch {
	case s.Last.Measurement == s.Points[from.To-1].Measurement:
		return f, true, fmt.Errorf("no result is newer than the baseline: %w", ErrUndecided)
	case s.Last.Measurement == s.Points[newest].Measurement: // it has the figure
	case s.Last.Status.Counts():
		return f, true, fmt.Errorf("the newest result, %s, has no %s: %w", s.Last.File, s.Of.Name, ErrUndecided)
	}
	if err := s.checkComparable(from); err != nil {
		return f, true, err
	}
	told := rating.Compare(rating.MeanOfRuns(s.estimates(from.From, from.To)), s.estimate(newest))
	f = Judgement{Ratio: told.Ratio, Count: from.To - from.From}
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
		return f, true, fmt.Errorf("it is %s, and how much results differ isn't known: %w", percent(f.Ratio),
			ErrUndecided)
	case !f.Down && (low < minLimit):
		return f, true, fmt.Errorf("the baseline's %d results differ so much that %s may be chance: choose quieter "+
			"ones: %w", f.Count, percent(f.Limit), ErrUndecided)
	}
	f.Down = f.Down && !math.IsNaN(f.Limit)
	return f, true, nil
}

// baseline returns the results of a baseline as a level, which is empty if there are none.
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

// checkComparable returns an error if the newest result may not be compared with the results of a level.
func (s *Series) checkComparable(by Level) error {
	for i := by.From; i < by.To; i++ {
		if err := s.Points[i].Basis().Judged(s.Last.Basis()); err != nil {
			return err
		}
	}
	return nil
}

// words describes the newest result and its limit: "−61.3 %, limit −9.2 % by 10 results".
func (f Judgement) words() string {
	text := percent(f.Ratio)
	if !math.IsNaN(f.Limit) {
		text += ", limit " + percent(f.Limit)
	}
	return text + " by " + words.Count(f.Count, "result")
}

// Judge compares the newest result of each series that has the baseline. It returns a notice for each of these series,
// the worst first, and the names of the series that are below the baseline. points are the results that the series were
// made of. It is an error if a series can't be judged, if none has the baseline, or if a newer result is in none of
// them. The error wraps ErrUndecided if more results can decide. Callers should report the names in below first.
func (g *Gate) Judge(list []*Series, points []Point) (notices []document.Notice, below []string, err error) {
	var judged []*Series
	for _, s := range list {
		f, ok, not := s.Against(g.Baseline)
		if !ok {
			continue
		}
		judged = append(judged, s)
		if g.MaxAge > 0 && g.Now.Sub(s.Last.Date).Abs() > g.MaxAge {
			not = fmt.Errorf("the newest result, %s, is from %s, and none from the last %s h: %w", s.Last.File,
				words.InUTC(s.Last.Date).Format("2006-01-02 15:04 MST"), rating.Rounded(g.MaxAge.Hours(), 3),
				ErrUndecided)
		}
		n := document.Notice{Level: document.Good,
			Text: fmt.Sprintf("%s is not below the baseline: %s", s.name(), f.words())}
		switch {
		case not != nil:
			n.Level, n.Text = document.Warning, fmt.Sprintf("%s can't be judged: %v", s.name(), not)
			err = cmp.Or(err, fmt.Errorf("%s: %w", s.name(), not))
		case f.Down:
			n = document.Notice{Level: document.Bad, Remedy: "see what else changed at the steps below, once there " +
				"are enough results", Text: fmt.Sprintf("%s is below the baseline: %s", s.name(), f.words())}
			below = append(below, fmt.Sprintf("%s (%s)", s.name(), f.words()))
		}
		notices = append(notices, n)
	}
	not := outside(points, judged)
	if len(judged) == 0 {
		not = fmt.Errorf("no series has results of the baseline: %w", ErrUndecided)
	}
	if not != nil {
		err = not
		notices = slices.Insert(notices, 0, document.Notice{Level: document.Warning, Text: not.Error(),
			Remedy: "measure as for the baseline, or choose a new one; --where chooses the results that are judged"})
	}
	slices.SortStableFunc(notices, func(a, b document.Notice) int { return cmp.Compare(b.Level, a.Level) })
	return notices, below, err
}

// outside returns an error that names the newest result that is in none of the series, although it is newer than the
// results of the series that it resembles most. Without such a result, it returns nil.
func outside(points []Point, series []*Series) (err error) {
	var cells rating.Cells
	inside := map[int]bool{}
	for _, s := range series {
		n, _ := cells.Of(s.Last.Basis().OverTime())
		inside[n] = true
	}
	newest := time.Time{}
	for i := range points {
		p := &points[i]
		n, _ := cells.Of(p.Basis().OverTime())
		if inside[n] || !p.Date.After(newest) {
			continue
		}
		if s, differs := p.nearest(series); s != nil && p.Date.After(s.Last.Date) {
			newest = p.Date
			err = fmt.Errorf("%s is in no series of the baseline (%s): %w", p.File, strings.Join(differs, ", "),
				ErrUndecided)
		}
	}
	return err
}

// nearest returns the series of the point's benchmark with the fewest properties that differ from the point's, and
// these properties. Among several it returns the one whose newest result is the oldest.
func (p *Point) nearest(series []*Series) (nearest *Series, differs []string) {
	for _, s := range series {
		if s.Last.Benchmark != p.Benchmark {
			continue
		}
		list := changed(s.Last.properties(), p.properties(), true)
		if nearest == nil || len(list) < len(differs) ||
			len(list) == len(differs) && s.Last.Date.Before(nearest.Last.Date) {
			nearest, differs = s, list
		}
	}
	return nearest, differs
}

// properties returns the facts that all results of a series have in common.
func (p *Point) properties() []document.Fact {
	number := func(n int) string { return words.Either(n > 0, fmt.Sprint(n), "") }
	return []document.Fact{{Name: "system", Value: p.System.Name}, {Name: "class", Value: p.Class.String()},
		{Name: "processes", Value: number(p.Processes)}, {Name: "processes per node", Value: number(p.PerNode)},
		{Name: "order of ranks", Value: p.Numbering}, {Name: "library", Value: p.LibraryName},
		{Name: "method", Value: p.Way}}
}
