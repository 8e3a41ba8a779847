package beff

import (
	"errors"
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/rating"
)

// A run of several passes measures everything as often in one job, with another seed of the random patterns each time.
// Each pass is a rating of its own. The figures of the run are the geometric means of the passes' figures, and the
// interval of b_eff is the one between the passes.

// mostPasses bounds the passes of a run.
const mostPasses = 1000

// checkPasses returns an error for a number of passes that a run can't have. A single one is 0.
func (c *Config) checkPasses() error {
	switch {
	case c.Passes < 0 || c.Passes > mostPasses:
		return fmt.Errorf("%d passes: want 1 to %d", c.Passes, mostPasses)
	case c.Passes > 1 && c.Rules == RulesAdaptive:
		return errors.New("an adaptive run has rounds of its own, not passes")
	case c.Passes == 1:
		c.Passes = 0
	}
	return nil
}

// passes returns the number of passes, at least 1.
func (p *Plan) passes() int { return max(1, p.Config.Passes) }

// ofPass returns a text with the number of a pass, counted from 1; empty in a run of one.
func (p *Plan) ofPass(format string, pass int) string {
	if p.passes() == 1 {
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
	counts, last := make([]int, r.Passes), 0
	for i := range r.Samples {
		if pass := r.Samples[i].Pass; pass >= 0 && pass < r.Passes {
			counts[pass]++
			last = max(last, pass)
		}
	}
	samples := make([][]Sample, r.Passes) // as long as they are: lists that grow would take three times their memory
	for pass, n := range counts {
		samples[pass] = make([]Sample, 0, n)
	}
	for _, s := range r.Samples {
		if pass := s.Pass; pass >= 0 && pass < r.Passes {
			s.Pass = 0
			samples[pass] = append(samples[pass], s)
		}
	}
	whole := r.Passes
	if !r.Complete {
		whole = max(1, last)
	}
	grids := make([]*Grid, whole)
	for i := range grids {
		one := *r
		one.Passes, one.Samples, one.Seed = 0, samples[i], seedOf(r.Seed, i)
		grids[i] = NewGrid(&one)
		one.Derived = grids[i].derive()
	}
	return grids
}

// Combined returns the figures of several runs, which are the passes of one result or results of their own: the
// geometric means, and of three runs or more the interval between them.
func Combined(runs []*Result) Derived {
	list := make([]Derived, len(runs))
	var ratings []float64
	var passes []Pass
	for i, r := range runs {
		list[i] = r.Derived
		passes = append(passes, Pass{r.Seed, r.Derived.BEff, r.Derived.BEffInterval})
		ratings = append(ratings, r.Derived.BEff)
	}
	if len(runs) == 1 {
		list[0].Passes = passes
		return list[0]
	}
	d := rating.Means(list)
	_, d.BEffInterval = rating.Between(ratings)
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
	for place := range first.alone {
		for _, one := range grids {
			g.b = append(g.b, one.each(place)...)
		}
		g.alone = append(g.alone, geometric(len(grids), func(i int) float64 { return grids[i].alone[place] }))
	}
	for p := range r.Patterns {
		for l := range r.Lengths {
			g.best = append(g.best, geometric(len(grids), func(i int) float64 { return grids[i].Best(p, l) }))
		}
	}
	return g
}
