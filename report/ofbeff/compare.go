package ofbeff

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/versus"
)

// Comparison is a comparison of sides with the first one. A side is a result, or several runs of one system and
// configuration. A result of several passes is several runs.
type Comparison struct {
	Names      []string
	Results    []*beff.Result // of each side; of several runs the first one with the means of all runs' figures
	PerProcess bool           // the numbers of processes differ: figures are per process
	Others     []Other

	sides [][]*beff.Grid // of each side's runs
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
	for _, results := range sides {
		shown, runs := joined(results)
		c.PerProcess = c.PerProcess || shown.Processes != sides[0][0].Processes
		c.Results = append(c.Results, shown)
		var grids []*beff.Grid
		for _, r := range runs {
			grids = append(grids, beff.NewGrid(r))
		}
		c.sides = append(c.sides, grids)
	}
	for i := 1; i < len(sides); i++ {
		c.Others = append(c.Others, c.against(i))
	}
	return c, nil
}

// joined returns the runs of a side, and the result that is shown for them.
func joined(results []*beff.Result) (shown *beff.Result, runs []*beff.Result) {
	for _, r := range results {
		runs = append(runs, r.Runs()...)
	}
	if len(results) == 1 {
		return results[0], runs
	}
	whole := *results[0]
	whole.Derived = beff.Combined(runs)
	for _, r := range results {
		whole.Valid = whole.Valid && r.Valid
		if r.Started.After(whole.Started) {
			whole.Started = r.Started
		}
	}
	return &whole, runs
}

// of returns a figure of side i, of which each run has its own.
func (c *Comparison) of(i int, figure func(g *beff.Grid) versus.Sampled) versus.Sampled {
	var runs []versus.Sampled
	for _, g := range c.sides[i] {
		s := figure(g)
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
	return c.of(i, func(g *beff.Grid) versus.Sampled { return versus.OfRating(g.Derived.BEff, g.Derived.BEffInterval) })
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
	for _, area := range areas(a[0]) {
		figure := func(g *beff.Grid) versus.Sampled { return sampled(g, area) }
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
func sampled(g *beff.Grid, a area) versus.Sampled {
	return versus.OfRating(a.best(g), g.WithinOf(a.best))
}

// allOf reports whether the runs of a side have all message lengths.
func allOf(runs []*beff.Grid) bool {
	return !slices.ContainsFunc(runs, func(g *beff.Grid) bool { return len(g.Lengths) != allLengths })
}
