package main

import (
	"io"
	"time"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/progress"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/sim/machine"
)

// simulateCommand is `beff simulate`.
type simulateCommand struct {
	Machine string `arg:"" optional:"" name:"machine.yaml" help:"${simulate_machine}"`
	Preset  string `placeholder:"NAME" help:"${simulate_preset}"`
	Ranks   int    `short:"n" placeholder:"N" help:"${simulate_ranks}"`
	varied
	Rules    string  `enum:"2001,3.6" default:"2001" help:"${run_rules}"`
	Messages bool    `help:"${simulate_messages}"`
	Compare  bool    `help:"${simulate_compare}"`
	Output   *string `short:"o" placeholder:"PATH" help:"${run_output}"`
	JSON     bool    `name:"json" help:"${json}"`
	telling
	Force bool `help:"Overwrite existing output files."`
}

// varied holds the flags that change machines.
type varied struct {
	Set  []string `sep:"none" placeholder:"KEY=VALUE" help:"${simulate_set}"`
	Seed uint32   `default:"1" placeholder:"N" help:"${simulate_seed}"`
}

// Run is called by the command line.
func (c *simulateCommand) Run(p *process) error {
	m, err := c.machine(c.Set...)
	if err != nil {
		return err
	}
	if c.Compare {
		return c.compare(p)
	}
	if c.Output != nil && *c.Output == publish.Stdout {
		c.Output, c.JSON = nil, true
	}
	out := &publish.Output{Endings: publish.EndingsOf(ofbeff.Report{}), Force: c.Force, Own: "simulated-" + m.Name}
	if c.Output != nil {
		if err := out.Documents(*c.Output); err != nil {
			return err
		}
	}
	r, err := c.simulate(p, m)
	if err != nil {
		out.Discard()
		return err
	}
	if c.Output != nil {
		if err := out.Keep(publish.FilesOf(ofbeff.Report{Result: r})); err != nil {
			return err
		}
	}
	if c.JSON {
		return ofbeff.Report{Result: r}.Sealed(p.stdout)
	}
	return c.tell(p.stdout, ofbeff.Document(r, ofbeff.Figures(r)),
		func(w io.Writer) error { return ofbeff.Summary(w, r) }, func(w io.Writer) error { return ofbeff.Line(w, r) })
}

// machine reads the machine with some settings.
func (c *simulateCommand) machine(settings ...string) (*machine.Machine, error) {
	if (c.Machine == "") == (c.Preset == "") {
		return nil, exit.Misuse("simulate: want a machine.yaml or a --preset: %s", presetNames())
	}
	return readMachine(c.Machine, c.Preset, settings...)
}

// ranks returns the number of processes: the one that is given, or that of the whole machine.
func (c *simulateCommand) ranks(m *machine.Machine) (int, error) {
	switch {
	case c.Ranks > 0:
		return c.Ranks, nil
	case m.Nodes > 0:
		return m.Nodes * m.PerNode, nil
	}
	return 0, exit.Misuse("simulate: %s doesn't say how many nodes it has: want -n N", m.Name)
}

// simulate returns the result of a machine.
func (c *simulateCommand) simulate(p *process, m *machine.Machine) (*beff.Result, error) {
	ranks, err := c.ranks(m)
	if err != nil {
		return nil, err
	}
	config := beff.Config{Rules: beff.Rules(c.Rules), Memory: int64(m.Memory), Seed: uint64(c.Seed)}
	display := progress.New(p.stderr)
	begin := time.Now()
	defer display.End()
	return simulated(m, ranks, config, c.Messages, func(at rating.Progress) {
		took := time.Since(begin)
		display.Show(at.Part, took, time.Duration(float64(took)*(1/max(at.Part, 1e-6)-1)), at.Doing)
	})
}
