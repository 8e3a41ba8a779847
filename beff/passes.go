package beff

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// A run measures the paper's set of patterns, methods and repetitions in passes: as many as end within AtMost, or as
// the user asked for. Each pass is a complete rating of the same patterns. The figures of the run are the geometric
// means over the passes, and their intervals follow from how passes and repetitions differ (rating.OfPasses). Further
// passes leave out the details, which don't count for b_eff, except for the ping-pong pair.

const (
	// Covered is the default of AtMost for ratings that count (Plan.Counts), unless the user sets the number of passes.
	Covered = 2 * time.Minute
	// LongestAdaptive is the default for an adaptive run, which ends earlier if its interval is narrow enough.
	LongestAdaptive = 10 * time.Minute
)

// skipsDetails reports whether further passes have no details. In release 3.6 all patterns decide on a length's loops.
func (r *Result) skipsDetails() bool { return r.Rules != Rules36 && r.hasAllPatterns() }

// inPass reports whether a pass measures a pattern.
func (r *Result) inPass(pass, pattern int) bool {
	p := &r.Patterns[pattern]
	return pass == 0 || p.Kind != patterns.KindDetail || p.Name == pingPong || !r.skipsDetails()
}

// maxPasses bounds the passes of a run.
const maxPasses = 1000

// checkPasses returns an error for settings that no run can have. It changes Passes from 1 to 0, and sets the default
// of an adaptive run's AtMost.
func (c *Config) checkPasses() error {
	switch {
	case c.Passes < 0 || c.Passes > maxPasses:
		return fmt.Errorf("%d passes: want 1 to %d", c.Passes, maxPasses)
	case c.AtMost < 0 || (c.AtMost > 0 || c.Within != 0) && c.Passes > 0:
		return fmt.Errorf("%d passes in at most %v: want either a number or a time", c.Passes, c.AtMost)
	case c.Within != 0 && c.Quick:
		return errors.New("a quick run isn't adaptive")
	case c.Passes == 1:
		c.Passes = 0
	case c.Within != 0:
		c.AtMost = cmp.Or(c.AtMost, LongestAdaptive)
		return rating.CheckWithin(c.Within, Benchmark)
	}
	return nil
}

// passes returns the number of passes, at least 1.
func (p *Plan) passes() int { return max(1, p.Config.Passes) }

// passesOf returns the number of passes in samples, or 0 if there is a single one.
func passesOf(samples []Sample) int {
	last := lists.Max(samples, func(x Sample) int { return x.Pass })
	if last == 0 {
		return 0
	}
	return last + 1
}

// passesWithin returns the number of passes of a run whose first pass takes the given seconds.
func (p *Plan) passesWithin(seconds float64) int {
	if p.AtMost == 0 || !(seconds > 0) {
		return p.passes()
	}
	limit := maxPasses
	if p.Within > 0 {
		limit = rating.MinPasses
	}
	further := seconds * float64(p.measurementsPerLength(1)) / float64(p.measurementsPerLength(0))
	return 1 + int(min(max(0, (p.AtMost.Seconds()-seconds)/further), float64(limit-1)))
}

// Counts reports whether the plan's rating can be compared with others by the paper's rules: it has all patterns and
// methods, with full loops.
func (p *Plan) Counts() bool { return p.template.Counts() }

// Counts does the same as Plan.Counts, for a result.
func (r *Result) Counts() bool {
	return r.Rules == Rules2001 && !r.Quick && r.hasAllPatterns() && len(r.Methods) == int(methodCount)
}

// anotherPass reports whether the run makes a pass of this number. If the number of passes isn't given, process 0
// decides. A pass that an earlier part of the run began is always made. Another one begins if it should end within the
// run's time and before the wall limit, unless an adaptive run's interval is narrow enough.
func (m *measurer) anotherPass(pass int) (bool, error) {
	switch {
	case m.plan.AtMost == 0:
		return pass < m.plan.passes(), nil
	case pass <= m.lastBegunPass:
		return true, nil
	}
	return job.Decide(m.World, func() (bool, error) {
		const longer = 1.1 // passes differ in time
		covered := m.earlierSeconds + m.Seconds()
		done := m.plan.measurements(pass)
		next := max(m.slowestMeasurement, covered/float64(done)) * float64(m.plan.measurements(pass+1)-done)
		return covered+next < m.plan.AtMost.Seconds() && m.plan.passSize()*(pass+1) <= maxMeasurements &&
			pass < maxPasses && !m.narrowEnough(pass) && m.Fits(longer*next), nil
	})
}

// narrowEnough reports whether an adaptive run has reached the interval that the user asked for.
func (m *measurer) narrowEnough(pass int) bool {
	return m.plan.Within > 0 && rating.Narrow(m.plan.Within, pass, m.estimate)
}

// passSize returns the number of measurements of a pass with all patterns, by which Check limits the passes.
func (p *Plan) passSize() int {
	return len(p.Patterns) * len(p.Lengths) * len(p.template.Methods) * p.template.Repetitions
}

// updateEstimate estimates b_eff from the passes so far, or from the first one's repetitions. It computes the figures
// of new passes only.
func (m *measurer) updateEstimate(passes int) {
	if !m.First() || passes <= m.lastBegunPass || m.plan.Methods[0] >= methodCount {
		return
	}
	for pass := min(len(m.ratings), passes-1); pass < passes; pass++ {
		samples := lists.Where(m.out.Samples, func(s Sample) bool { return s.Pass == pass })
		for s := range lists.Elements(samples) {
			s.Pass = 0
		}
		r := &Result{}
		r.plan(m.plan, samples)
		r.Passes = 0
		d := Derive(r)
		if d.BEff == 0 {
			return
		}
		m.estimate = rating.Value{Value: d.BEff, Within: d.BEffInterval}
		m.ratings = append(m.ratings[:pass], d.BEff)
		m.repetitions = append(m.repetitions[:pass*m.plan.Repetitions], d.PerRepetition...)
	}
	if passes > 1 {
		m.estimate.Value, m.estimate.Within = rating.OfPasses(m.ratings, m.repetitions)
	}
	m.neededPasses = m.needed(passes)
}

// passText formats the number of a pass, counted from 1. It returns "" in a run of one pass.
func (p *Plan) passText(format string, pass int) string {
	if p.passes() == 1 && p.AtMost == 0 {
		return ""
	}
	return fmt.Sprintf(format, pass+1)
}

// Pass holds the figures of a pass.
type Pass struct {
	// Rating of the pass in bytes per second.
	BEff float64 `json:"b_eff,omitempty" jsonschema:"minimum=0"`
	// Interval of that rating within the pass in bytes per second; left out if there is only one repetition.
	BEffInterval *rating.Interval `json:"b_eff_interval,omitempty"`
}

// Runs returns the whole passes of a result as separate results with their own figures, or the part of the first pass
// if that isn't whole. A result of one pass is returned as it is.
func (r *Result) Runs() []*Result {
	if r.Passes < 2 {
		return []*Result{r}
	}
	return runsOf(r.grids())
}

func runsOf(grids []*Grid) []*Result {
	return lists.Each(grids, func(g *Grid) *Result { return g.Result })
}

// grids returns the grids of Runs.
func (r *Result) grids() []*Grid {
	counts := r.counts()
	samples := make([][]Sample, len(counts)) // of exact capacity: lists that grow take three times the memory
	for pass, n := range counts {
		samples[pass] = make([]Sample, 0, n)
	}
	for _, s := range r.Samples {
		if pass := s.Pass; pass >= 0 && pass < len(counts) {
			s.Pass = 0
			samples[pass] = append(samples[pass], s)
		}
	}
	grids := make([]*Grid, len(counts))
	for i := range grids {
		one := *r
		one.Passes, one.Samples = 0, samples[i]
		grids[i] = NewGrid(&one)
		one.Derived = grids[i].derive()
	}
	return grids
}

// counts returns the number of samples of each whole pass, or of the first pass if none is whole, without the details
// that further passes leave out.
func (r *Result) counts() []int {
	list, all := make([]int, max(1, r.Passes)), !r.skipsDetails()
	for s := range lists.Elements(r.Samples) {
		counts := all || r.Patterns[s.Pattern].Kind != patterns.KindDetail
		if pass := s.Pass; counts && pass >= 0 && pass < len(list) {
			list[pass]++
		}
	}
	for last := len(list) - 1; !r.Complete && last > 0 && list[last] < r.measurements(); last-- {
		list = list[:last]
	}
	return list
}

// hasWholePass reports whether a run by the paper's rules that ended early has a whole pass, which makes it a rating.
func (r *Result) hasWholePass() bool {
	return r.Rules != Rules36 && slices.Min(r.counts()) >= r.measurements()
}

// measurements returns the number of samples that counts returns for a whole pass by the paper's rules.
func (r *Result) measurements() int {
	n, all := 0, !r.skipsDetails()
	for i := range r.Patterns {
		for m := range r.Methods {
			if (all || r.Patterns[i].Kind != patterns.KindDetail) && !r.mayMiss(0, i, 0, m) {
				n++
			}
		}
	}
	return n * len(r.Lengths) * r.Repetitions
}

// Combined returns the figures of several runs of one system and configuration: geometric means, and with three runs or
// more the interval between them.
func Combined(runs []*Result) Derived {
	if len(runs) == 1 {
		return runs[0].Derived
	}
	d := combined(runs)
	ratings := lists.Each(d.Passes, func(p Pass) float64 { return p.BEff })
	d.Passes = nil
	_, d.BEffInterval = rating.GeometricMean(ratings)
	return d
}

// combined returns the figures over the passes of a result: geometric means, and the interval of the mean.
func combined(runs []*Result) Derived {
	list := make([]Derived, len(runs))
	var ratings, repetitions []float64
	var passes []Pass
	for i, r := range runs {
		list[i] = r.Derived
		passes = append(passes, Pass{r.Derived.BEff, r.Derived.BEffInterval})
		ratings = append(ratings, r.Derived.BEff)
		repetitions = append(repetitions, r.Derived.PerRepetition...)
	}
	if len(runs) == 1 {
		list[0].Passes = passes
		return list[0]
	}
	d := rating.Means(list)
	for p := range d.PerPattern {
		var each []float64 // figures of the passes that measured the pattern
		for _, one := range list {
			if one.PerPattern[p] > 0 {
				each = append(each, one.PerPattern[p])
			}
		}
		if mean, _ := rating.GeometricMean(each); len(each) > 0 {
			d.PerPattern[p] = mean
		}
	}
	_, d.BEffInterval = rating.OfPasses(ratings, repetitions)
	d.Passes = passes
	return d
}

// geometric returns the geometric mean of f over a list, or NaN if the list is empty or f is NaN for an element.
func geometric[T any](list []T, f func(T) float64) float64 {
	return math.Exp(lists.SumOf(list, func(x T) float64 { return math.Log(f(x)) }) / float64(len(list)))
}

// joined returns the grid of several passes. It has their repetitions. The best values of a pattern are geometric means
// over the passes that measured it.
func joined(r *Result, runs []*Result) *Grid {
	grids := lists.Each(runs, NewGrid)
	first := grids[0]
	g := &Grid{Result: r, Repetitions: len(runs) * first.Repetitions}
	g.remember()
	for place := range first.methods {
		for _, one := range grids {
			g.b = append(g.b, one.each(place)...)
		}
	}
	for p := range r.Patterns {
		in := slices.DeleteFunc(slices.Clone(grids), func(one *Grid) bool { return !one.Measured(p) })
		for l := range r.Lengths {
			for m := range r.Methods {
				g.methods = append(g.methods, geometric(in, func(one *Grid) float64 { return one.BestOf(p, l, m) }))
			}
			g.best = append(g.best, geometric(in, func(one *Grid) float64 { return one.Best(p, l) }))
		}
	}
	return g
}
