package main

import (
	"fmt"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report"
)

// compareCommand is `beff compare`.
type compareCommand struct {
	Results   []string `arg:"" name:"result" help:"${compare_results}"`
	FailBelow *float64 `placeholder:"RATIO" help:"${compare_fail_below}"`
	publish.Flags
}

// Run is called by the command line.
func (c *compareCommand) Run(p *process) error {
	formats, err := c.Chosen(publish.Without("kv"))
	switch {
	case err != nil:
		return err
	case len(c.Results) < 2:
		return exit.Misuse("compare: want two results or more")
	case c.FailBelow != nil && !(*c.FailBelow > 0 && *c.FailBelow < 1e6):
		return exit.Misuse("--fail-below %v: want a ratio such as 0.95", *c.FailBelow)
	}
	taken, refused := c.Take(report.ReadAll(c.Results, nil))
	if err := publish.Refuse(p.stderr, refused, len(c.Results)); err != nil {
		return err
	}
	made, err := report.Compare(taken)
	if err != nil {
		return err
	}
	papers := []*publish.Paper{{Name: "comparison", Document: made.Document}}
	if err := c.Publish(p.stdout, p.stderr, papers, formats); err != nil {
		return err
	}
	return c.gate(taken, made.Ratios)
}

// headline returns the name of the figure that ratios compare: the benchmark's number, or speed for probes, which have
// no number.
func headline(f *report.File) string {
	if f.Benchmark() == probe.Benchmark {
		return "speed"
	}
	return f.Benchmark()
}

// gate returns an error if a result is slower than --fail-below allows, or can't be compared. It is for regression
// tests.
func (c *compareCommand) gate(files []*report.File, ratios []float64) error {
	if c.FailBelow == nil {
		return nil
	}
	for i, ratio := range ratios {
		switch first, other := files[0].Name(), files[i+1].Name(); {
		case ratio == 0:
			return fmt.Errorf("--fail-below: %s and %s can't be compared, as one of them has no %s", first, other,
				headline(files[0]))
		case ratio < *c.FailBelow:
			return exit.With(exit.Below, fmt.Errorf("%s has %.4f times the %s of %s: less than %v", other, ratio,
				headline(files[0]), first, *c.FailBelow))
		}
	}
	return nil
}
