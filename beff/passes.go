package beff

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// A run of several passes measures everything as often in one job, with another seed of the random patterns each time.
// Each pass is a rating of its own. The figures of the run are the geometric means of the passes' figures, and the
// interval of b_eff is made of theirs (rating.OfPasses).
//
// A rating that counts has as many passes as cover AtLeast, because the samples of half a minute can't tell of a state
// of the machine that they haven't met.

// Covered is the time that the passes of a rating cover that counts, unless their number is given.
const Covered = 90 * time.Second

// mostPasses bounds the passes of a run.
const mostPasses = 1000

// checkPasses returns an error for a number of passes that a run can't have. A single one is 0.
func (c *Config) checkPasses() error {
	switch {
	case c.Passes < 0 || c.Passes > mostPasses:
		return fmt.Errorf("%d passes: want 1 to %d", c.Passes, mostPasses)
	case c.AtLeast < 0 || c.AtLeast > 0 && c.Passes > 0:
		return fmt.Errorf("%d passes in at least %v: want a number or a time", c.Passes, c.AtLeast)
	case (c.Passes > 1 || c.AtLeast > 0) && c.Rules == RulesAdaptive:
		return errors.New("an adaptive run has as many passes as its interval needs")
	case c.Passes == 1:
		c.Passes = 0
	}
	return nil
}

// passes returns the number of passes, at least 1.
func (p *Plan) passes() int { return max(1, p.Config.Passes) }

// passesOf returns the number of passes that samples are of; a single one is 0.
func passesOf(samples []Sample) int {
	last := 0
	for i := range samples {
		last = max(last, samples[i].Pass)
	}
	if last == 0 {
		return 0
	}
	return last + 1
}

// covering returns the number of passes of some seconds that a run has.
func (p *Plan) covering(seconds float64) int {
	switch {
	case p.Until() == 0 || !(seconds > 0):
		return p.passes()
	case p.Rules == RulesAdaptive:
		return min(leastPasses, max(1, int(p.Until().Seconds()/seconds)))
	}
	return int(min(max(1, math.Ceil(p.AtLeast.Seconds()/seconds)), mostPasses))
}

// Counts reports whether the plan's rating counts beside others by the paper's rules: it is made of all patterns and
// methods, with full loops.
func (p *Plan) Counts() bool {
	r := Result{}
	r.plan(p, nil)
	return r.Counts()
}

// Counts reports the same of a result.
func (r *Result) Counts() bool {
	return r.Rules == Rules2001 && !r.Quick && r.hasAllPatterns() && len(r.Methods) == int(methodCount)
}

// another reports whether the run has a pass of this number. Where their number isn't given process 0 decides. A pass
// is begun that an earlier part of the run has begun. Else one is begun while the passes cover too little, or an
// adaptive run's interval is too wide, if it is expected to end before the wall limit.
func (m *measurer) another(pass int) (bool, error) {
	switch {
	case m.plan.Until() == 0:
		return pass < m.plan.passes(), nil
	case pass <= m.begun:
		return true, nil
	}
	return job.Decide(m.World, func() (bool, error) {
		const longer = 1.1 // passes differ in their time
		covered := m.earlier + m.Seconds()
		longest := max(m.longest, covered/float64(pass))
		ends := covered
		if m.plan.Rules == RulesAdaptive { // it ends in time
			ends += longest
		}
		return ends < m.plan.Until().Seconds() && (pass+1)*m.plan.Measurements() <= mostMeasurements &&
			pass < mostPasses && !m.enough(pass) && m.Fits(longer*longest), nil
	})
}

// passed estimates b_eff by the passes that have been measured.
func (m *measurer) passed(passes int) {
	if !m.First() || passes <= m.begun || m.plan.ofPass("pass", 0) == "" {
		return
	}
	r := &Result{Identity: rating.Identity{SchemaVersion: SchemaVersion}}
	r.plan(m.plan, m.out.Samples)
	if r.Passes = passes; passes == 1 {
		r.Passes = 0
	}
	d := Derive(r)
	m.estimate = rating.Value{Value: d.BEff, Within: d.BEffInterval}
	m.needs = m.needed(passes)
}

// ofPass returns a text with the number of a pass, counted from 1; empty in a run of one.
func (p *Plan) ofPass(format string, pass int) string {
	if p.passes() == 1 && p.Until() == 0 {
		return ""
	}
	return fmt.Sprintf(format, pass+1)
}

// seedOf returns the seed of a pass.
func seedOf(first uint64, pass int) uint64 { return first + uint64(pass) }

// enterPass takes the partners of a pass, which has random patterns of its own. Those of the first are there.
func (m *measurer) enterPass(pass int) error {
	if pass == 0 {
		return nil
	}
	config := m.plan.Config
	config.Seed = seedOf(config.Seed, pass)
	plan, err := NewPlan(m.plan.Processes, config)
	if err != nil {
		return err
	}
	for i, pattern := range plan.Patterns {
		m.sides[i].traffic = trafficOf(pattern)
		if c := m.sides[i].comm; c != nil {
			m.sides[i].exchanges = pattern.Exchanges(c.Rank())
		}
	}
	return nil
}

// Pass holds the figures of a pass.
type Pass struct {
	// Of its random patterns.
	Seed uint64 `json:"seed" jsonschema:"minimum=0"`
	// Its rating in bytes per second.
	BEff float64 `json:"b_eff,omitempty" jsonschema:"minimum=0"`
	// Interval of that within the pass; left out of a single repetition. Bytes per second.
	BEffInterval *rating.Interval `json:"b_eff_interval,omitempty"`
}

// Runs returns the whole passes of a result as results of their own, with figures of their own, or the part of the
// first if that isn't whole. A result of one pass is returned as it is.
func (r *Result) Runs() []*Result {
	if r.Passes < 2 {
		return []*Result{r}
	}
	return runsOf(r.grids())
}

func runsOf(grids []*Grid) []*Result {
	runs := make([]*Result, len(grids))
	for i, g := range grids {
		runs[i] = g.Result
	}
	return runs
}

// grids returns the grids of Runs.
func (r *Result) grids() []*Grid {
	counts := r.counts()
	samples := make([][]Sample, len(counts)) // as long as they are: lists that grow would take three times their memory
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
		one.Passes, one.AtLeast, one.Samples, one.Seed, one.of = 0, 0, samples[i], seedOf(r.Seed, i), r.Passes
		grids[i] = NewGrid(&one)
		one.Derived = grids[i].derive()
	}
	return grids
}

// counts returns the number of samples of each whole pass, or of the first if none is whole.
func (r *Result) counts() []int {
	list := make([]int, max(1, r.Passes))
	for i := range r.Samples {
		if pass := r.Samples[i].Pass; pass >= 0 && pass < len(list) {
			list[pass]++
		}
	}
	for !r.Complete && len(list) > 1 && list[len(list)-1] < r.measurements() {
		list = list[:len(list)-1]
	}
	return list
}

// hasWhole reports whether a run by the paper's rules that ended early has a whole pass: it is a rating then. Earlier
// releases asked for all of the run.
func (r *Result) hasWhole() bool {
	least := r.measurements()
	lacks := func(n int) bool { return n < least }
	return r.Identity.Whole() && r.Rules != Rules36 && !slices.ContainsFunc(r.counts(), lacks)
}

// measurements returns the number of samples of a whole pass by the paper's rules.
func (r *Result) measurements() int {
	n := 0
	for i := range r.Patterns {
		for m := range r.Methods {
			if !r.mayMiss(i, 0, m, 0) {
				n++
			}
		}
	}
	return n * len(r.Lengths) * r.Repetitions
}

// Combined returns the figures of several runs of one system and configuration: the geometric means, and of three runs
// or more the interval between them.
func Combined(runs []*Result) Derived {
	if len(runs) == 1 {
		return runs[0].Derived
	}
	d := combined(runs)
	var ratings []float64
	for _, p := range d.Passes {
		ratings = append(ratings, p.BEff)
	}
	d.Passes = nil
	_, d.BEffInterval = rating.Between(ratings)
	return d
}

// combined returns the figures of the passes of a result: the geometric means, and the interval of the mean.
func combined(runs []*Result) Derived {
	list := make([]Derived, len(runs))
	var ratings []float64
	var within []*rating.Interval
	var passes []Pass
	for i, r := range runs {
		list[i] = r.Derived
		passes = append(passes, Pass{r.Seed, r.Derived.BEff, r.Derived.BEffInterval})
		ratings, within = append(ratings, r.Derived.BEff), append(within, r.Derived.BEffInterval)
	}
	if len(runs) == 1 {
		list[0].Passes = passes
		return list[0]
	}
	d := rating.Means(list)
	_, d.BEffInterval = rating.OfPasses(ratings, within)
	d.Passes = passes
	return d
}

// geometric returns the geometric mean of figures, NaN if one is missing.
func geometric(n int, f func(int) float64) float64 {
	sum := 0.0
	for i := range n {
		sum += math.Log(f(i))
	}
	return math.Exp(sum / float64(n))
}

// joined returns the grid of several passes: all of their repetitions, and the geometric means of their best ones.
func joined(r *Result, runs []*Result) *Grid {
	grids := make([]*Grid, len(runs))
	for i, one := range runs {
		grids[i] = NewGrid(one)
	}
	first := grids[0]
	g := &Grid{Result: r, Repetitions: len(runs) * first.Repetitions}
	g.remember()
	for place := range first.methods {
		for _, one := range grids {
			g.b = append(g.b, one.each(place)...)
		}
		g.methods = append(g.methods, geometric(len(grids), func(i int) float64 { return grids[i].methods[place] }))
	}
	for p := range r.Patterns {
		for l := range r.Lengths {
			g.best = append(g.best, geometric(len(grids), func(i int) float64 { return grids[i].Best(p, l) }))
		}
	}
	return g
}
