package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/jobscript"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
	"github.com/effective-bandwidth/beff/plugins"
	"github.com/effective-bandwidth/beff/report/input"
)

// jobCommand is `beff job`.
type jobCommand struct {
	Slurm     bool       `xor:"scheduler" help:"For Slurm: pipe it to sbatch."`
	PBS       bool       `name:"pbs" xor:"scheduler" help:"For OpenPBS or PBS Professional: qsub."`
	Flux      bool       `xor:"scheduler" help:"For Flux: flux batch."`
	LSF       bool       `name:"lsf" xor:"scheduler" help:"For LSF: bsub."`
	Scheduler string     `enum:",slurm,pbs,flux,lsf" default:"" placeholder:"NAME" help:"${job_scheduler}"`
	Nodes     int        `short:"N" default:"1" placeholder:"N" help:"${job_nodes}"`
	PerNode   int        `default:"0" placeholder:"N" help:"${job_per_node}"`
	Wall      *size.Time `placeholder:"TIME" help:"${job_wall}"`
	Queue     string     `placeholder:"NAME" help:"Partition or queue."`
	Account   string     `placeholder:"NAME" help:"Account, project or bank."`
	Modules   []string   `placeholder:"NAME" help:"Environment modules to load."`
	Launcher  string     `placeholder:"COMMAND" help:"${job_launcher}"`
	Directive []string   `sep:"none" placeholder:"TEXT" help:"${job_directive}"`
	Program   string     `placeholder:"PATH" help:"The beff of the script (default: this one)."`
	Command   []string   `arg:"" optional:"" passthrough:"partial" help:"${job_command}"`
}

// unknownTime is the time limit of jobs whose duration is not known.
const unknownTime = time.Hour

// startup is the time that a job's start and a run's end may take.
const startup = 5 * time.Minute

// Run is called by the command line.
func (c *jobCommand) Run(p *process) error {
	scheduler, err := c.scheduler()
	if err != nil {
		return err
	}
	if c.Nodes < 1 || c.PerNode < 1 {
		return exit.Misuse("job: want nodes and processes of each, such as -N 16 --per-node 48")
	}
	command := c.Command
	if len(command) > 0 && command[0] == "--" {
		command = command[1:]
	}
	if len(command) == 0 {
		command = []string{"run"}
	}
	line, err := p.measurable(command)
	if err != nil {
		return err
	}
	lasts, err := line.lasts(c.Nodes*c.PerNode, c.PerNode)
	if err != nil {
		return err
	}
	args, output := line.withoutOutput()
	j := &jobscript.Job{Name: "beff-" + args[0], Nodes: c.Nodes, PerNode: c.PerNode, Queue: c.Queue,
		Account: c.Account, Modules: c.Modules, Directives: c.Directive, Launcher: c.Launcher, Hydra: p.hydra(),
		Program: jobscript.Quote(c.program())}
	for i := range args {
		args[i] = jobscript.Quote(args[i])
	}
	stem := input.Stem(output)
	ending := strings.TrimPrefix(output, stem)
	prefix := jobscript.Quote(stem)
	switch {
	case output == "", output == publish.Stdout:
		prefix = j.Name + "-" + jobscript.Number
	case strings.HasSuffix(output, "/"): // a job that is started again must find the files
		prefix = jobscript.Quote(output) + j.Name + "-" + jobscript.Number
	}
	j.Steps = []jobscript.Step{{PerNode: c.PerNode, Args: args, Output: prefix + ending}}
	if args[0] == "io" && c.PerNode > 1 {
		j.Steps = append(j.Steps, jobscript.Step{PerNode: 1, Args: args, Output: prefix + "-one-per-node" + ending,
			Title: "One process of each node may load a file system as well as all do: report the better run."})
	}
	c.limit(j, lasts)
	return scheduler.Write(p.stdout, j)
}

// scheduler returns the batch system that the flags name.
func (c *jobCommand) scheduler() (*jobscript.Scheduler, error) {
	name := c.Scheduler
	for flag, given := range map[string]bool{"slurm": c.Slurm, "pbs": c.PBS, "flux": c.Flux, "lsf": c.LSF} {
		if given {
			name = flag
		}
	}
	for i := range jobscript.Schedulers {
		if s := &jobscript.Schedulers[i]; s.Name == name {
			return s, nil
		}
	}
	return nil, exit.Misuse("job: want a batch system: --slurm, --pbs, --flux or --lsf")
}

// limit sets the job's time limit: the one that was given, or the expected time of all steps and half of it again.
func (c *jobCommand) limit(j *jobscript.Job, lasts time.Duration) {
	all := lasts * time.Duration(len(j.Steps))
	switch {
	case c.Wall != nil:
		j.Limit, j.Basis = time.Duration(*c.Wall), "as given"
	case lasts == 0:
		j.Limit, j.Basis = unknownTime, "a guess, because it isn't known how long "+j.Steps[0].Args[0]+" takes"
	default:
		j.Limit = (all + all/2 + startup).Truncate(time.Minute) + time.Minute
		j.Basis = fmt.Sprintf("expected are %v, half of it again, and %v to start and end", all, startup)
	}
}

// program returns the program that the script calls: this one, by its name alone if the PATH finds it.
func (c *jobCommand) program() string {
	if c.Program != "" {
		return c.Program
	}
	self, err := os.Executable()
	if err != nil {
		return "beff"
	}
	if found, err := exec.LookPath("beff"); err == nil {
		if real, err := filepath.EvalSymlinks(found); err == nil && real == self {
			return "beff"
		}
	}
	return self
}

// hydra reports whether the MPI of this machine is MPICH or its kin: all plug-ins that there are say so.
func (p *process) hydra() bool {
	list := p.plugins()
	return len(list) > 0 && !slices.ContainsFunc(list, func(p plugins.Plugin) bool { return p.Family != plugin.MPICH })
}
