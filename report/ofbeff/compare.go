package ofbeff

import (
	"fmt"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/versus"
)

// Comparison is a comparison of results with the first one.
type Comparison struct {
	Names      []string
	Results    []*beff.Result
	PerProcess bool // the numbers of processes differ: figures are per process
	Others     []Other

	grids []*beff.Grid
}

// Other is the comparison of one result with the first.
type Other struct {
	Name        string
	Main        versus.Difference // of b_eff, or of b_eff per process; not measured if either has none
	Differences []versus.Difference
	Gap         *Gap // nil if either has no b_eff
}

// Compare compares two results or more, which have passed beff's Result.Check. names has a different name for each.
func Compare(names []string, results []*beff.Result) (*Comparison, error) {
	if len(results) < 2 || len(names) != len(results) {
		return nil, fmt.Errorf("compare: %d results with %d names: want two or more", len(results), len(names))
	}
	c := &Comparison{Names: names, Results: results}
	for _, r := range results {
		c.PerProcess = c.PerProcess || r.Processes != results[0].Processes
		c.grids = append(c.grids, beff.NewGrid(r))
	}
	for i := 1; i < len(results); i++ {
		c.Others = append(c.Others, c.against(i))
	}
	return c, nil
}

// scale returns the factor from result i's bandwidth of all processes to the one that is compared.
func (c *Comparison) scale(i int) float64 {
	if c.PerProcess {
		return 1 / float64(c.Results[i].Processes)
	}
	return 1
}

// rated returns the rating of result i with its interval within the run.
func (c *Comparison) rated(i int) versus.Sampled {
	s := versus.OfRating(c.grids[i].Derived.BEff, c.grids[i].Derived.BEffInterval)
	s.Value *= c.scale(i)
	return s
}

// against returns the comparison of result i with the first.
func (c *Comparison) against(i int) Other {
	a, b := c.grids[0], c.grids[i]
	o := Other{Name: c.Names[i], Gap: gapOf(a, b, c.PerProcess),
		Main: versus.Difference{Name: beff.Benchmark + c.unit(),
			First: c.rated(0), Second: c.rated(i)}}
	if len(a.Lengths) != allLengths || len(b.Lengths) != allLengths {
		return o
	}
	for _, area := range areas(a) {
		d := versus.Difference{Name: area.name, First: versus.OfBest(area.best(a)*c.scale(0), area.each(a)),
			Second: versus.OfBest(area.best(b)*c.scale(i), area.each(b))}
		if area.name == beff.Benchmark {
			d.First, d.Second = o.Main.First, o.Main.Second
		}
		if d.Measured() {
			o.Differences = append(o.Differences, d)
		}
	}
	versus.Test(o.Differences)
	return o
}
