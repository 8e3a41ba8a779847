package main

import (
	"github.com/effective-bandwidth/beff/cmd/beff/internal/ab"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/report/document"
)

// abCommand is `beff ab`.
type abCommand struct {
	A       string    `name:"a" placeholder:"SETTING" help:"${ab_side}"`
	B       string    `name:"b" placeholder:"SETTING" help:"Measure this setting as B, written like A."`
	Line    []string  `arg:"" name:"command" help:"Run this beff command, after --, such as probe Bcast."`
	Launch  string    `placeholder:"COMMAND" help:"${ab_launch}"`
	Within  size.Part `default:"0.02" placeholder:"PART" help:"${ab_within}"`
	Most    int       `default:"30" placeholder:"PAIRS" help:"Make at most PAIRS pairs, each a run of A and of B."`
	Seed    uint64    `default:"1" placeholder:"N" help:"Draw the order of the runs in a pair from this seed."`
	Into    string    `default:"ab-results" placeholder:"DIR" help:"${ab_into}"`
	DryRun  bool      `help:"Print the plan and the first commands, and stop."`
	Below   *limit    `name:"fail-below" placeholder:"RATIO" help:"${compare_fail_below}"`
	AnyLess bool      `name:"any-difference" help:"${compare_any_difference}"`
	verbose
	publish.Writing
}

// Run is called by the command line.
func (c *abCommand) Run(p *process.Process) error {
	switch {
	case p.Launcher != nil:
		return exit.Misuse("ab starts %[1]s itself for each run: run beff ab without %[1]s", p.Launcher.Name)
	case c.Below == nil && c.AnyLess:
		return exit.Misuse("--any-difference changes how --fail-below judges: give both")
	case c.Most < 5 || c.Most > 1000:
		return exit.Misuse("--most: want 5 to 1000 pairs, not %d", c.Most)
	}
	formats, err := c.Chosen(publish.Without("kv"))
	if err != nil {
		return err
	}
	if c.Output == "" && len(c.Format) == 0 && !c.Verbose {
		formats = publish.MainLines
	}
	campaign := &ab.Campaign{A: c.A, B: c.B, Line: c.Line, Launch: c.Launch, Within: float64(c.Within), Most: c.Most,
		Seed: c.Seed, Into: c.Into, AnyLess: c.AnyLess, Verbose: c.Verbose,
		Fits: func(words []string) error { return checkMeasures(p, words) },
		Publish: func(d *document.Document) error {
			return c.Publish(p.Stdout, p.Stderr, []*publish.Publication{{Name: "ab", Document: d}}, formats)
		}}
	if c.Below != nil {
		campaign.Below = float64(*c.Below)
	}
	return campaign.Run(p, c.DryRun)
}

// checkMeasures returns an error unless words are a command line that measures and leaves the names of its files to the
// caller.
func checkMeasures(p *process.Process, words []string) error {
	parsed, err := parseLine(p, words)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	if parsed == nil {
		return exit.Misuse("%s doesn't measure: want run, io or probe", words[0])
	}
	command := parsed.Selected().Target.Addr().Interface()
	measuring, is := command.(interface{ Measuring() *flow.Flags })
	switch {
	case !is:
		return exit.Misuse("%s doesn't measure: want run, io or probe", words[0])
	case measuring.Measuring().Output != nil:
		return exit.Misuse("ab names the files of its runs: leave -o out, and give --into DIR")
	}
	if run, is := command.(*probeRun); is {
		r, err := run.request(parsed.Path)
		if err == nil && !r.Unread() {
			_, err = r.Config()
		}
		return exit.With(exit.Usage, err)
	}
	return nil
}
