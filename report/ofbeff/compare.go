package ofbeff

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/versus"
)

// Comparison is a comparison of sides with the first one. A side is a result, or several runs of one system and
// configuration.
type Comparison struct {
	Names      []string
	Results    []*beff.Result // of each side; of several runs the first one with the means of all runs' figures
	PerProcess bool           // the numbers of processes differ: figures are per process
	Others     []Other

	sides [][]run
	runs  [][]parts.Rated // of each side, with their verdicts
}

// run is a run of a side, with the grids of its passes.
type run struct {
	*beff.Result
	passes []*beff.Grid
}

// Other is the comparison of one side with the first.
type Other struct {
	Name        string
	Main        versus.Difference // of b_eff, or of b_eff per process; not measured if either has none
	Differences []versus.Difference
	Gap         *Gap // nil if either has no b_eff
}

// Compare compares two sides or more, whose results have passed beff's Result.Check. names has a different name for
// each.
func Compare(names []string, sides [][]*beff.Result) (*Comparison, error) {
	if len(sides) < 2 || len(names) != len(sides) {
		return nil, fmt.Errorf("compare: %d results with %d names: want two or more", len(sides), len(names))
	}
	c := &Comparison{Names: names}
	for i, results := range sides {
		shown := joined(results)
		c.PerProcess = c.PerProcess || shown.Processes != sides[0][0].Processes
		c.Results = append(c.Results, shown)
		var runs []run
		for _, r := range results {
			one := run{Result: r}
			for _, pass := range r.Runs() {
				one.passes = append(one.passes, beff.NewGrid(pass))
			}
			runs = append(runs, one)
		}
		c.sides = append(c.sides, runs)
		c.runs = append(c.runs, rated(slices.Repeat(names[i:i+1], len(results)), results))
	}
	for i := 1; i < len(sides); i++ {
		c.Others = append(c.Others, c.against(i))
	}
	return c, nil
}

// joined returns the result that is shown for the runs of a side.
func joined(results []*beff.Result) *beff.Result {
	if len(results) == 1 {
		return results[0]
	}
	whole := *results[0]
	whole.Derived = beff.Combined(results)
	for _, r := range results {
		whole.Valid = whole.Valid && r.Valid
		if r.Started.After(whole.Started) {
			whole.Started = r.Started
		}
	}
	return &whole
}

// of returns a figure of side i, of which each run has its own.
func (c *Comparison) of(i int, figure func(run) versus.Sampled) versus.Sampled {
	var runs []versus.Sampled
	for _, one := range c.sides[i] {
		s := figure(one)
		s.Value *= c.scale(i)
		runs = append(runs, s)
	}
	return versus.OfRuns(runs)
}

// scale returns the factor from result i's bandwidth of all processes to the one that is compared.
func (c *Comparison) scale(i int) float64 {
	if c.PerProcess {
		return 1 / float64(c.Results[i].Processes)
	}
	return 1
}

// rated returns the rating of side i, of a single run with the interval within it.
func (c *Comparison) rated(i int) versus.Sampled {
	return c.of(i, func(r run) versus.Sampled { return r.figure(r.Derived.BEff, r.Derived.BEffInterval) })
}

// against returns the comparison of side i with the first.
func (c *Comparison) against(i int) Other {
	a, b := c.sides[0], c.sides[i]
	o := Other{Name: c.Names[i], Gap: gapOf(a, b, c.PerProcess),
		Main: versus.Difference{Name: beff.Benchmark + c.unit(),
			First: c.rated(0), Second: c.rated(i)}}
	if !allOf(a) || !allOf(b) {
		return o
	}
	for _, area := range areas(a[0].passes[0]) {
		figure := func(r run) versus.Sampled { return r.sampled(area) }
		d := versus.Difference{Name: area.name, First: c.of(0, figure), Second: c.of(i, figure)}
		if area.name == beff.Benchmark {
			d.First, d.Second = o.Main.First, o.Main.Second
		}
		if d.Measured() {
			o.Differences = append(o.Differences, d)
		}
	}
	versus.TestBeside(o.Differences, 0)
	return o
}

// sampled returns the bandwidth of an area with its interval within the run.
func (r run) sampled(a area) versus.Sampled {
	var figures []float64
	var within []*rating.Interval
	for _, g := range r.passes {
		figures, within = append(figures, a.best(g)), append(within, g.WithinOf(a.best))
	}
	return r.figure(rating.OfPasses(figures, within))
}

// figure returns a figure with its interval within the run, which models have none of.
func (r run) figure(x float64, in *rating.Interval) versus.Sampled {
	if r.Engine.Kind().Simulated {
		return versus.Sampled{Value: x, Model: true}
	}
	return versus.OfRating(x, in)
}

// allOf reports whether the runs of a side have all message lengths.
func allOf(runs []run) bool {
	return !slices.ContainsFunc(runs, func(r run) bool { return len(r.Lengths) != allLengths })
}
