package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/progress"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/ofbeff"
)

// runCommand is `beff run`.
type runCommand struct {
	Ranks    *int        `short:"n" name:"ranks" placeholder:"P" help:"Ranks of the embedded engine (default: the cores, at least 2). Under mpirun or srun the launcher sets them."`
	Engine   string      `enum:"auto,mpi,local" default:"auto" help:"auto, mpi or local. Auto takes MPI under mpirun or srun, else the embedded engine (local)."`
	Memory   *size.Bytes `placeholder:"SIZE" help:"Memory per process, such as 2GiB; messages go up to 1/128 of it (default: the node's memory, or the cgroup's limit, divided by the processes there)."`
	Rules    beff.Rules  `enum:"2001,3.6" default:"2001" help:"2001: the paper's loop lengths. 3.6: those of HLRS release 3.6."`
	Seed     *uint32     `placeholder:"N" help:"Seed of the random patterns (default: a new one for each run; the result tells it)."`
	Patterns []string    `placeholder:"NAME" help:"Measure only these: ring, random, detail, names or globs of names. b_eff needs all rings and randoms."`
	Methods  []string    `placeholder:"NAME" help:"Measure only these: sendrecv, alltoallv, nonblocking."`
	Quick    bool        `help:"A look in under 10 s: one repetition, short loops, messages up to 1 MiB unless --memory is given. Not valid as a rating."`
	DryRun   bool        `help:"Print what would be measured, and stop."`
	Output   *string     `short:"o" placeholder:"PREFIX" help:"Write PREFIX.json (everything) and PREFIX.txt (the summary)."`
	about
	Force bool `help:"Overwrite existing output files."`
}

// quickMemory is the memory per process of a quick run: messages up to 1 MiB.
const quickMemory = 128 << 20

// Run is called by the command line.
func (c *runCommand) Run(p *process) error {
	return p.start(launch.Choice{Engine: c.Engine}, c.Ranks, 2, func(e mpi.Engine) error { return c.rate(p, e) })
}

// rate is the whole run of one process.
func (c *runCommand) rate(p *process, e mpi.Engine) error {
	world := e.World()
	layout, err := job.Locate(world, job.Node{Host: e.Host(), Memory: host.Memory("/"), CPUs: host.CPUs()})
	if err != nil {
		return err
	}
	config, err := job.Decide(world, func() (beff.Config, error) { return c.config(world.Size(), layout) })
	if err != nil {
		return err
	}
	plan, err := beff.NewPlan(world.Size(), config)
	if err != nil {
		return err
	}
	out := &output{endings: []string{".json", ".txt"}, force: c.Force}
	_, err = job.Decide(world, func() (struct{}, error) {
		if err := out.open(c.Output); err != nil || !c.DryRun {
			return struct{}{}, err
		}
		out.removeEmpty()
		return struct{}{}, ofbeff.Plan(p.stdout, plan, e.Library())
	})
	if err != nil || c.DryRun {
		return err
	}
	return c.measure(p, e, plan, layout, out)
}

// config is what rank 0 makes of the flags: checked, with the memory that is there, so that all processes plan the
// same.
func (c *runCommand) config(processes int, layout *job.Layout) (beff.Config, error) {
	config := beff.Config{
		Rules: c.Rules, Patterns: c.Patterns, Methods: c.Methods, Quick: c.Quick, Seed: uint64(rand.Uint32()),
	}
	if c.Seed != nil {
		config.Seed = uint64(*c.Seed)
	}
	switch {
	case c.Memory != nil:
		config.Memory = int64(*c.Memory)
		if layout.Memory > 0 && config.Memory > layout.Memory {
			return config, fmt.Errorf("--memory %v per process is more than there is: %v for each process on its node",
				*c.Memory, size.Bytes(layout.Memory))
		}
	case layout.Memory == 0:
		return config, fmt.Errorf("the memory of this machine is not known: give --memory")
	case c.Quick:
		config.Memory = min(quickMemory, layout.Memory)
	default:
		config.Memory = layout.Memory
	}
	if _, err := beff.NewPlan(processes, config); err != nil {
		return config, misuse("%w", err)
	}
	return config, nil
}

// measure runs the plan and writes the result. What was measured is kept, whatever ends the run.
func (c *runCommand) measure(p *process, e mpi.Engine, plan *beff.Plan, layout *job.Layout, out *output) error {
	about := rating.Run{System: c.system(), Version: version, Library: e.Library(),
		Started: time.Now().Truncate(time.Second)}
	speaks := e.World().Rank() == 0
	if speaks {
		about.Host, about.Layout = host.Facts("/"), *layout
	}
	watch, endShow, release := c.observer(p, speaks, plan, about, out)
	defer release()
	measured, err := plan.Measure(e, watch)
	endShow()
	about.Err = err
	write := func() (struct{}, error) {
		result := beff.NewResult(plan, measured, about)
		if len(result.Samples) == 0 {
			out.removeEmpty()
			return struct{}{}, nil
		}
		return struct{}{}, errors.Join(out.keep(documents(result)), ofbeff.Summary(p.stdout, result))
	}
	if err != nil {
		if speaks {
			_, failed := write()
			err = errors.Join(err, failed)
		}
		return err
	}
	if _, err = job.Decide(e.World(), write); err == nil && speaks {
		out.tell(p.stderr)
	}
	return err
}

// documents are a result's files.
func documents(r *beff.Result) []outFile {
	return []outFile{
		{".json", func(w io.Writer) error { return report.Sealed(w, r) }},
		{".txt", func(w io.Writer) error { return ofbeff.Summary(w, r) }},
	}
}

// observer shows the progress, keeps what was measured, and ends the run in order on SIGINT and SIGTERM.
func (c *runCommand) observer(p *process, speaks bool, plan *beff.Plan, about rating.Run,
	out *output) (watch beff.Observer, endShow, release func()) {
	stopped, release := p.signals(func(s os.Signal) {
		if speaks {
			fmt.Fprintf(p.stderr, "\nbeff: %v: stopping%s\n", s, out.where())
		}
	}, func(os.Signal) {})
	show, endShow := progress.New(p.stderr)
	keep := keeper{process: p, out: out, saved: time.Now()}
	watch = beff.Observer{
		Stop: stopped.Load,
		Progress: func(at beff.Progress) {
			show(at.Part, at.Elapsed, at.Left, fmt.Sprintf("repetition %d of %d, %s", at.Repetition+1, plan.Repetitions,
				size.Bytes(at.Length)))
		},
		Keep: func(m *beff.Measured) {
			keep.due(func(err error) []outFile {
				about.Err = err
				return documents(beff.NewResult(plan, m, about))
			})
		},
	}
	return watch, endShow, release
}
