package main

import (
	"fmt"
	"math"
	"os"
	"time"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/sim"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/whatif"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

// readMachine reads a machine from a file, or a preset if it isn't empty, with some settings.
func readMachine(file, preset string, settings ...string) (*machine.Machine, error) {
	name, read := file, os.ReadFile
	if preset != "" {
		name, read = preset, machine.Preset
	}
	text, err := read(name)
	if err != nil && preset != "" {
		err = fmt.Errorf("%w%s", err, words.Meant(preset, machine.Presets()))
	}
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	m, err := machine.Parse(name, text, settings...)
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	return m, nil
}

// simulated returns the result of a machine; exact: message by message. The progress may be nil.
func simulated(m *machine.Machine, ranks int, config beff.Config, exact bool,
	progress func(rating.Progress)) (*beff.Result, error) {
	plan, err := beff.NewPlan(ranks, config)
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	x, err := model.New(m, ranks, config.Seed)
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	x.Exact = exact
	e := sim.New(x, config.Seed)
	begin := e.Now()
	measured, err := plan.Measure(e, rating.Observer[beff.Measured]{Now: e.Now, Progress: progress})
	if err != nil {
		return nil, err
	}
	return beff.NewResult(plan, measured, rating.Run{Version: version, Library: e.Library(), Started: begin,
		Model: modelOf(e), Host: hostOf(e), Layout: *layoutOf(x)}), nil
}

// rated returns the rating of a machine, by one repetition without the details.
func rated(m *machine.Machine, ranks int, seed uint64) (whatif.Rated, error) {
	r, err := simulated(m, ranks, beff.Config{Rules: beff.Rules2001, Memory: int64(m.Memory), Seed: seed, Quick: true,
		Patterns: []string{"ring", "random"}}, false, nil)
	if err != nil {
		return whatif.Rated{}, err
	}
	return whatif.Rated{Name: m.Name, Processes: ranks, BEff: r.Derived.BEff, AtLmax: r.Derived.AtLmax,
		Latency: r.Derived.LatencyRingsAndRandoms}, nil
}

// simulation returns an engine as one that simulates, nil if it doesn't.
func simulation(e mpi.Engine) sim.Simulation {
	s, _ := e.(sim.Simulation)
	return s
}

// locate finds where the processes are.
func locate(e mpi.Engine) (*job.Layout, error) {
	if s := simulation(e); s != nil {
		return layoutOf(s.Model()), nil
	}
	return job.Locate(e.World(), job.Node{Host: e.Host(), Memory: host.Memory("/"), CPUs: host.CPUs()})
}

// clockOf returns the clock of an engine that simulates, nil for all others, whose time is that of the wall.
func clockOf(e mpi.Engine) func() time.Time {
	if s := simulation(e); s != nil {
		return s.Now
	}
	return nil
}

// hostOf returns what a result says of the host of a machine that is a model.
func hostOf(s sim.Simulation) rating.Host { return rating.Host{System: "model", Name: s.Model().Name} }

// modelOf returns what a result says of its model.
func modelOf(s sim.Simulation) *rating.Model {
	x := s.Model()
	text, err := x.Text()
	if err != nil {
		panic(err) // it was read from one
	}
	sharing := words.Either(s.Bounded(), "busiest link", "max-min fair")
	if x.Exact {
		sharing = "message by message"
	}
	return &rating.Model{Machine: text, Nodes: x.Nodes(), Links: x.Links(), Sharing: sharing}
}

// layoutOf returns the distribution of processes over nodes.
func layoutOf(x *model.Model) *job.Layout {
	ranks := make([][]int, x.Nodes())
	for p, n := range x.NodeOf {
		ranks[n] = append(ranks[n], p)
	}
	l := &job.Layout{Memory: int64(x.Memory)}
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
