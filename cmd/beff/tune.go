package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/jobscript"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/tune"
)

// tuneCommand is `beff tune`.
type tuneCommand struct {
	Collectives []string   `arg:"" optional:"" name:"collective" help:"${tune_collectives}"`
	Processes   []int      `short:"n" name:"processes" placeholder:"P,…" help:"Numbers of processes."`
	Lengths     string     `default:"4:1MiB" placeholder:"MIN:MAX" help:"${tune_lengths}"`
	MPI         string     `name:"mpi" placeholder:"NAME" help:"${tune_mpi}"`
	Launch      string     `placeholder:"COMMAND" help:"${tune_launch}"`
	Script      string     `enum:",slurm,pbs,flux,lsf" default:"" placeholder:"NAME" help:"${tune_script}"`
	Nodes       int        `default:"1" placeholder:"N" help:"Nodes of the job that --script asks for."`
	Rounds      int        `default:"6" placeholder:"N" help:"${tune_rounds}"`
	Pairs       int        `default:"20" placeholder:"N" help:"The most pairs of runs of the proof."`
	Within      size.Part  `default:"0.02" placeholder:"PART" help:"${tune_within}"`
	Tolerance   float64    `default:"1.05" placeholder:"RATIO" help:"${tune_tolerance}"`
	Limit       *size.Time `placeholder:"TIME" help:"${tune_limit}"`
	Seed        uint64     `default:"1" placeholder:"N" help:"Of the order of jobs."`
	Into        string     `default:"tune-results" placeholder:"DIR" help:"${ab_into}"`
	DryRun      bool       `help:"Print the plan and the first command, and stop."`
	telling
	publish.Flags
}

// longestJob is the time that a job may take if nothing else is said.
const longestJob = 2 * time.Minute

// Run is called by the command line.
func (c *tuneCommand) Run(p *process) error {
	formats, err := c.Chosen(publish.Without("kv"))
	if err != nil {
		return err
	}
	if p.launcher != nil {
		return exit.Misuse("tune starts %s itself for each job: call it without", p.launcher.Name)
	}
	plan, err := c.plan()
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	if c.Script != "" {
		return c.script(p)
	}
	run := &tuning{tuneCommand: c, process: p, limit: longestJob, warned: map[string]int{}, result: &tune.Result{
		Identity: rating.Identity{Benchmark: tune.Benchmark, SchemaVersion: tune.SchemaVersion}, Plan: *plan,
		Variables: variablesOfMPI(os.Environ())}}
	if c.Limit != nil {
		run.limit = time.Duration(*c.Limit)
	}
	if run.beff, err = os.Executable(); err != nil {
		return err
	}
	if err := run.launcher(); err != nil {
		return exit.With(exit.Usage, err)
	}
	run.result.Launcher = strings.Join(run.launch, " ")
	if c.DryRun {
		return run.dry()
	}
	if err := c.begin(); err != nil {
		return err
	}
	return p.campaign(c.Into, func(j jobs) error {
		run.jobs = j
		defer run.remove("tuned*", "forced-*") // files of rules that are tried, and look like a result
		if err := run.campaign(); err != nil {
			return err
		}
		return run.conclude(formats)
	})
}

// plan checks what was asked for.
func (c *tuneCommand) plan() (*tune.Plan, error) {
	plan := &tune.Plan{Processes: c.Processes, Rounds: c.Rounds, Pairs: c.Pairs, Tolerance: c.Tolerance,
		Within: float64(c.Within), Seed: c.Seed}
	for _, name := range c.Collectives {
		i := slices.IndexFunc(tune.Collectives, func(k tune.Collective) bool { return strings.EqualFold(k.Name, name) })
		if i < 0 {
			var known []string
			for _, k := range tune.Collectives {
				known = append(known, k.Name)
			}
			return nil, fmt.Errorf("tune: libraries have no choice of algorithms for %q, or rules that don't know the "+
				"length: want %s", name, words.Joined(known, "or"))
		}
		if name = tune.Collectives[i].Name; !slices.Contains(plan.Collectives, name) {
			plan.Collectives = append(plan.Collectives, name)
		}
	}
	slices.Sort(plan.Processes)
	plan.Processes = slices.Compact(plan.Processes)
	switch {
	case len(plan.Collectives) == 0:
		return nil, errors.New("tune: want collectives, such as Allreduce Bcast")
	case len(plan.Processes) == 0 || plan.Processes[0] < 2:
		return nil, errors.New("tune: want two processes or more, such as -n 16,64")
	case c.Rounds < 5 || c.Rounds > 100:
		return nil, fmt.Errorf("--rounds: want 5 to 100, not %d: fewer can't tell chance from a win", c.Rounds)
	case c.Pairs < 5 || c.Pairs > 1000:
		return nil, fmt.Errorf("--pairs: want 5 to 1000, not %d", c.Pairs)
	case !(c.Tolerance >= 1 && c.Tolerance < 10):
		return nil, fmt.Errorf("--tolerance: want a ratio such as 1.05, not %g", c.Tolerance)
	}
	var err error
	plan.Lengths, err = powers(c.Lengths)
	return plan, err
}

// powers returns the lengths of a list, or MIN:MAX, the powers of two from MIN on and MAX.
func powers(text string) (list []int64, err error) {
	first, last, isRange := strings.Cut(text, ":")
	if !isRange {
		for _, word := range strings.Split(text, ",") {
			n, err := size.Parse(word, "B")
			if err != nil || n < 4 {
				return nil, fmt.Errorf("--lengths: want bytes from 4 on, such as 4:1MiB or 8,1KiB, not %q", text)
			}
			list = append(list, int64(n))
		}
		slices.Sort(list)
		return slices.Compact(list), nil
	}
	from, err1 := size.Parse(first, "B")
	to, err2 := size.Parse(last, "B")
	if err := errors.Join(err1, err2); err != nil || from < 4 || to < from {
		return nil, fmt.Errorf("--lengths: want bytes from 4 on, such as 4:1MiB or 8,1KiB, not %q", text)
	}
	for n := int64(from); n < int64(to); n *= 2 {
		list = append(list, n)
	}
	return append(list, int64(to)), nil
}

// variablesOfMPI returns the assignments of an environment that libraries read: the default is what they make of it.
func variablesOfMPI(environment []string) (list []string) {
	for _, v := range environment {
		if strings.HasPrefix(v, "OMPI_MCA_") || strings.HasPrefix(v, "MPIR_CVAR_") || strings.HasPrefix(v, "UCX_") ||
			strings.HasPrefix(v, "FI_") {
			list = append(list, v)
		}
	}
	slices.Sort(list)
	return list
}

// begin makes the directory, and keeps in it what is measured.
func (c *tuneCommand) begin() error {
	mine := fmt.Sprintf("lengths: %s\nlaunch: %s\nmpi: %s\nseed: %d\nvariables: %s\n", c.Lengths, c.Launch, c.MPI,
		c.Seed, strings.Join(variablesOfMPI(os.Environ()), " "))
	return beginIn(c.Into, "tune.txt", "jobs of another campaign", mine)
}

// script prints a batch job that runs this command.
func (c *tuneCommand) script(p *process) error {
	i := slices.IndexFunc(jobscript.Schedulers, func(s jobscript.Scheduler) bool { return s.Name == c.Script })
	if c.Nodes < 1 {
		return exit.Misuse("--nodes: want 1 or more")
	}
	line := []string{"beff"}
	for j := 0; j < len(p.args); j++ {
		name, _, joined := strings.Cut(p.args[j], "=")
		if name == "--script" || name == "--nodes" {
			if !joined {
				j++
			}
			continue
		}
		line = append(line, jobscript.Quote(p.args[j]))
	}
	if c.Launch == "" { // not all batch systems say in their variables that there are several tasks
		line = append(line, "--launch", jobscript.Quote(jobscript.Schedulers[i].Launcher))
	}
	most := slices.Max(c.Processes)
	return jobscript.Schedulers[i].Write(p.stdout, &jobscript.Job{Name: "beff-tune", Nodes: c.Nodes,
		PerNode: (most + c.Nodes - 1) / c.Nodes, Limit: unknownTime, Basis: "a guess: started again, the command " +
			"goes on with the jobs that are there", Command: strings.Join(line, " ")})
}

// nameOf returns what the files of a job begin with.
func (c *tuneCommand) nameOf(parts ...string) string {
	name := strings.Join(parts, "-")
	return filepath.Join(c.Into, strings.Map(func(r rune) rune {
		if r == '/' || r == ' ' {
			return '_'
		}
		return r
	}, name))
}

func onProcesses(n int) string { return "n" + strconv.Itoa(n) }
