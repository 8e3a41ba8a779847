package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/whatif"
	"github.com/effective-bandwidth/beff/sim/machine"
)

// modelCommand is `beff model`.
type modelCommand struct {
	Run   modelRun   `cmd:"" help:"${model_run}"`
	Scale modelScale `cmd:"" help:"${model_scale}"`
	Fit   modelFit   `cmd:"" help:"${model_fit}"`
}

// modelRun is `beff model run`.
type modelRun struct {
	Machine string `arg:"" help:"${model_machine}"`
	Ranks   int    `short:"n" placeholder:"P" help:"${model_ranks}"`
	variations
	Rules    string  `enum:"2001,3.6" default:"2001" help:"${run_rules}"`
	Messages bool    `help:"${model_messages}"`
	Compare  bool    `help:"${model_compare}"`
	Output   *string `short:"o" placeholder:"PATH" help:"${run_output}"`
	verbose
	flow.Naming `set:"otherwise= (default the machine's name)"`
	Force       bool `help:"Overwrite existing output files."`
}

// variations holds the flags that change a machine and its random numbers.
type variations struct {
	Set  []string `sep:"none" placeholder:"KEY=VALUE" help:"${model_set}"`
	Seed uint32   `default:"1" placeholder:"N" help:"${model_seed}"`
}

// Run is called by the command line.
func (c *modelRun) Run(p *process.Process) error {
	m, err := launch.ReadMachine(c.Machine, c.Set...)
	if err != nil {
		return err
	}
	if c.Compare {
		return c.compare(p, m)
	}
	toStdout := c.Output != nil && *c.Output == publish.Stdout
	if toStdout {
		c.Output = nil
	}
	out := &publish.Output{Endings: publish.EndingsOf(ofbeff.Report{}), Force: c.Force, Own: "simulated-" + m.Name}
	if c.Output != nil {
		if err := out.Documents(*c.Output); err != nil {
			return err
		}
	}
	result, err := c.simulate(p, m)
	if err != nil {
		out.Discard()
		return err
	}
	if result.System, err = c.Named(result.System); err != nil {
		out.Discard()
		return exit.With(exit.Usage, err)
	}
	r := ofbeff.Report{Result: result}
	if err := out.Keep(publish.FilesOf(r)); err != nil {
		return err
	}
	if toStdout {
		return r.Sealed(p.Stdout)
	}
	again := func(args ...string) string {
		line := []string{"model", "run", c.Machine, "-n", strconv.Itoa(result.Processes)}
		return launch.Line(append(line, args...)...)
	}
	return flow.Screen(p.Stdout, r, flow.Next(r, out, again), c.Verbose)
}

// ranks returns the number of processes: the given one, or the whole machine's.
func (c *modelRun) ranks(m *machine.Machine) (int, error) {
	switch {
	case c.Ranks > 0:
		return c.Ranks, nil
	case m.Nodes > 0:
		return m.Nodes * m.PerNode, nil
	}
	return 0, exit.Misuse("%s has no number of nodes: want -n P", m.Name)
}

// simulate returns the result of a machine.
func (c *modelRun) simulate(p *process.Process, m *machine.Machine) (*beff.Result, error) {
	ranks, err := c.ranks(m)
	if err != nil {
		return nil, err
	}
	config := beff.Config{Rules: beff.Rules(c.Rules), Memory: int64(m.Memory), Seed: uint64(c.Seed)}
	display := terminal.NewProgress(p.Stderr)
	defer display.End()
	r, err := whatif.Simulate(m, ranks, config, c.Messages, func(at rating.Progress) {
		display.Show(at.Part, at.Elapsed, at.Left, at.Doing)
	})
	return r, exit.With(exit.Usage, err)
}

// compare prints the result for each of the settings, and for all of them together, and the elasticities of the
// machine.
func (c *modelRun) compare(p *process.Process, m *machine.Machine) error {
	if c.Output != nil {
		return exit.Misuse("--compare prints a text and no result: leave out -o")
	}
	ranks, err := c.ranks(m)
	if err != nil {
		return err
	}
	read := func(settings ...string) (*machine.Machine, error) { return launch.ReadMachine(c.Machine, settings...) }
	d, err := whatif.Changes(read, c.Set, ranks, uint64(c.Seed))
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	return flow.Text(p.Stdout, d)
}

// modelScale is `beff model scale`.
type modelScale struct {
	Machines []string `arg:"" name:"machine" help:"${model_machine}"`
	Ranks    []int    `short:"n" default:"16,64,256,1024" placeholder:"P,…" help:"${model_scale_ranks}"`
	variations
	publish.Writing
}

// Run is called by the command line.
func (c *modelScale) Run(p *process.Process) error {
	formats, err := c.Chosen(publish.Without("kv"))
	if err != nil {
		return err
	}
	var machines [][]whatif.Point
	for _, name := range c.Machines {
		m, err := launch.ReadMachine(name, c.Set...)
		if err != nil {
			return err
		}
		points, err := whatif.Scale(m, c.Ranks, uint64(c.Seed))
		if err != nil {
			return exit.With(exit.Usage, err)
		}
		machines = append(machines, points)
	}
	d := whatif.Growth(machines)
	d.Next = launch.Line(append(append([]string{"model", "scale"}, c.Machines...), "-o", "growth.html")...)
	papers := []*publish.Publication{{Name: "scale", Document: d}}
	return c.Publish(p.Stdout, p.Stderr, papers, formats)
}

// modelFit is `beff model fit`.
type modelFit struct {
	Results []string `arg:"" name:"result" help:"${model_fit_result}"`
	Output  string   `short:"o" required:"" placeholder:"PATH" help:"${model_fit_output}"`
	Force   bool     `help:"Overwrite an existing output file."`
}

// Run is called by the command line.
func (c *modelFit) Run(p *process.Process) error {
	var sources []whatif.Source
	for _, f := range report.ReadAll(c.Results, nil) {
		switch {
		case f.Problem != nil:
			return fmt.Errorf("%s: %w", f.Name(), f.Problem)
		case f.Rating() == nil:
			return fmt.Errorf("%s is not a result of beff run", f.Name())
		}
		sources = append(sources, whatif.Source{File: f.Name(), Result: f.Rating()})
	}
	var err error
	if c.Output, err = publish.FileOf(c.Output, "machine", c.Force, ".yaml", ".yml"); err != nil {
		return err
	}
	m, d, err := whatif.Fit(sources)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	text, err := m.Text()
	if err != nil {
		return err
	}
	err = publish.Replace(c.Output, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err != nil {
		return fmt.Errorf("output %s: %w", c.Output, err)
	}
	return flow.Text(p.Stdout, d)
}
