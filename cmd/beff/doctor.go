package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/doctor"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/probe/fabric"
	"github.com/effective-bandwidth/beff/report/words"
)

// doctorCommand is `beff doctor`: it examines a job as a run would find it, and measures nothing. With an argument it
// runs a probe and explains its result.
type doctorCommand struct {
	About          string `arg:"" optional:"" name:"links|noise|load|cuts|calls" help:"${doctor_about}"`
	Directory      string `short:"p" placeholder:"DIR" default:"." help:"Look at DIR (default the current directory)."`
	flow.Processes `set:"engines=auto,mpi,local"`
}

// doctorProbes holds the kernel of the probe for each argument.
var doctorProbes = map[string]string{"links": "Roundtrip_pairs", "noise": "noise", "load": "load", "cuts": "cut",
	"calls": "guidelines"}

// probe measures the probe for the argument, and prints what the result means.
func (c *doctorCommand) probe(p *process.Process) error {
	kernels, known := doctorProbes[c.About]
	if !known {
		return exit.Misuse("doctor %s: want links, noise, load, cuts or calls%s", c.About,
			words.DidYouMean(c.About, slices.Collect(maps.Keys(doctorProbes))))
	}
	r := probing.NewRequest("")
	if err := r.Name(kernels); err != nil {
		return err
	}
	if c.About == "cuts" && c.Topology != "" {
		r.Settings.Pairs.Cuts = []string{fabric.Grow}
	}
	err := probing.Diagnose(p, r, flow.Flags{Processes: c.Processes}, "probe", kernels)
	if err != nil {
		return fmt.Errorf("probe %s: %w", kernels, err)
	}
	return nil
}

// Run is called by the command line.
func (c *doctorCommand) Run(p *process.Process) error {
	if c.About != "" {
		return c.probe(p)
	}
	return flow.Open(p, c.Processes, launch.Choice{}, 1, func(j *flow.Job) error {
		facts, err := doctor.Collect(j, c.Directory)
		if err != nil || j.Engine.World().Rank() > 0 {
			return err
		}
		return facts.Write(p.Text)
	})
}
