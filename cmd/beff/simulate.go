package main

import (
	"fmt"
	"math"
	"os"
	"time"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/progress"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/sim"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

// simulateCommand is `beff simulate`.
type simulateCommand struct {
	Machine string   `arg:"" optional:"" name:"machine.yaml" help:"${simulate_machine}"`
	Preset  string   `placeholder:"NAME" help:"${simulate_preset}"`
	Ranks   int      `short:"n" placeholder:"N" help:"${simulate_ranks}"`
	Set     []string `sep:"none" placeholder:"KEY=VALUE" help:"${simulate_set}"`
	Seed    uint32   `default:"1" placeholder:"N" help:"${simulate_seed}"`
	Rules   string   `enum:"2001,3.6" default:"2001" help:"${run_rules}"`
	Output  *string  `short:"o" placeholder:"PREFIX" help:"${run_output}"`
	Force   bool     `help:"Overwrite existing output files."`
}

// Run is called by the command line.
func (c *simulateCommand) Run(p *process) error {
	m, err := c.machine(c.Set)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	out := &publish.Output{Endings: publish.EndingsOf(ofbeff.Report{}), Force: c.Force}
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
	return ofbeff.Summary(p.stdout, r)
}

// machine reads the machine with some settings.
func (c *simulateCommand) machine(settings []string) (*machine.Machine, error) {
	switch {
	case (c.Machine == "") == (c.Preset == ""):
		return nil, exit.Misuse("simulate: want a machine.yaml or a --preset: %s", presetNames())
	case c.Preset != "":
		text, err := machine.Preset(c.Preset)
		if err != nil {
			return nil, err
		}
		return machine.Parse(c.Preset, text, settings...)
	}
	text, err := os.ReadFile(c.Machine)
	if err != nil {
		return nil, err
	}
	return machine.Parse(c.Machine, text, settings...)
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
	plan, err := beff.NewPlan(ranks, beff.Config{Rules: beff.Rules(c.Rules), Memory: int64(m.Memory),
		Seed: uint64(c.Seed)})
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	x, err := model.New(m, ranks, uint64(c.Seed))
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	e := sim.New(x, uint64(c.Seed))
	display := progress.New(p.stderr)
	begin := time.Now()
	measured, err := plan.Measure(e, rating.Observer[beff.Measured]{Now: e.Now, Progress: func(at rating.Progress) {
		took := time.Since(begin)
		display.Show(at.Part, took, time.Duration(float64(took)*(1/max(at.Part, 1e-6)-1)), at.Doing)
	}})
	display.End()
	if err != nil {
		return nil, err
	}
	described, err := modelOf(x, e)
	if err != nil {
		return nil, err
	}
	return beff.NewResult(plan, measured, rating.Run{Version: version, Library: e.Library(),
		Started: (&sim.Engine{}).Now(), Model: described, Host: rating.Host{System: "model", Name: m.Name},
		Layout: layoutOf(x)}), nil
}

// modelOf returns what a result says of its model.
func modelOf(x *model.Model, e *sim.Engine) (*rating.Model, error) {
	text, err := x.Text()
	return &rating.Model{Machine: text, Nodes: x.Nodes(), Links: x.Links(),
		Sharing: words.Either(e.Bounded(), "busiest link", "max-min fair")}, err
}

// layoutOf returns the distribution of processes over nodes.
func layoutOf(x *model.Model) job.Layout {
	ranks := make([][]int, x.Nodes())
	for p, n := range x.NodeOf {
		ranks[n] = append(ranks[n], p)
	}
	l := job.Layout{Memory: int64(x.Memory)}
	digits := int(math.Log10(float64(x.Nodes()))) + 1
	for n, on := range ranks {
		if len(on) > 0 {
			l.Placement = append(l.Placement, job.NewPlacement(fmt.Sprintf("node%0*d", digits, n), on))
			l.Ranks = append(l.Ranks, on)
			l.Total += int64(x.Memory) * int64(len(on))
		}
	}
	return l
}
