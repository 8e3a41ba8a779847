package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/jobscript"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
	"github.com/effective-bandwidth/beff/plugins"
	"github.com/effective-bandwidth/beff/report/input"
	"github.com/effective-bandwidth/beff/report/ofbeff"
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

// lasting is a command that measures for a time that can be told before.
type lasting interface {
	// lasts returns the expected duration of a run on as many processes, of which perNode are on each node.
	lasts(processes, perNode int) (time.Duration, error)
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

// measurable is a command line that measures.
type measurable struct {
	lasting
	words  []string
	parsed *kong.Context
}

// measurable returns the command line of some words, or an error if it doesn't measure.
func (p *process) measurable(words []string) (*measurable, error) {
	parsed, err := p.parse(words)
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	if parsed != nil {
		if c, ok := parsed.Selected().Target.Addr().Interface().(lasting); ok {
			if of, is := c.(*imbCommand); is {
				words = slices.Concat(parsed.Args[:2], of.Args, parsed.Args[2:])
			}
			return &measurable{c, words, parsed}, nil
		}
	}
	return nil, exit.Misuse("%s doesn't measure: want run, io or probe", words[0])
}

// withoutOutput returns the words without those that give the output's prefix, and the prefix.
func (m *measurable) withoutOutput() (rest []string, prefix string) {
	rest = slices.Clone(m.words)
	for _, x := range m.parsed.Path {
		if x.Flag == nil || x.Flag.Name != "output" || x.Resolved {
			continue
		}
		last := len(rest) - len(x.Remainder()) - 1
		first := last
		if word := rest[last]; word == publish.Stdout || !strings.HasPrefix(word, "-") {
			first, prefix = last-1, word
		}
		before, joined, long := strings.Cut(rest[first], "--output=")
		if !long && !strings.HasPrefix(rest[first], "--") {
			before, joined, _ = strings.Cut(rest[first], "o") // short flags may be before it in the same word
		}
		prefix = cmp.Or(joined, prefix)
		rest = slices.Delete(rest, first, last+1)
		if !slices.Contains([]string{"", "-", "--output"}, before) {
			rest = slices.Insert(rest, first, before)
		}
	}
	return rest, prefix
}

// errRanks is the error of a job whose command sets the number of processes.
func errRanks(n int) error {
	return exit.Misuse("job: -n %d is for the embedded engine: -N and --per-node set the processes", n)
}

// lasts implements lasting by the plan of a run.
func (c *runCommand) lasts(processes, perNode int) (time.Duration, error) {
	if c.Ranks != nil {
		return 0, errRanks(*c.Ranks)
	}
	share := host.Memory("/") / int64(perNode)
	if c.Memory != nil {
		share = int64(*c.Memory)
	}
	config, err := c.config(processes, &job.Layout{Memory: share}, nil, false)
	if err != nil {
		return 0, err
	}
	plan, err := beff.NewPlan(processes, config)
	if err != nil {
		return 0, err
	}
	lasts, _ := ofbeff.Expected(plan)
	return lasts, nil
}

// lasts implements lasting: a run takes the scheduled time.
func (c *ioCommand) lasts(processes, _ int) (time.Duration, error) {
	switch {
	case c.Ranks != nil:
		return 0, errRanks(*c.Ranks)
	case c.Within != nil:
		return c.rounds(processes)
	case c.Time != nil:
		return time.Duration(*c.Time), nil
	case c.Quick:
		return quickTime, nil
	}
	return fullTime, nil
}

// rounds returns the time in which all rounds of an adaptive run end.
func (c *ioCommand) rounds(processes int) (time.Duration, error) {
	if c.AtMost != nil {
		return time.Duration(*c.AtMost), nil
	}
	config := beffio.Config{Rules: ioRules[c.Rules], Partitions: c.Partitions, Within: float64(*c.Within),
		Memory: 1 << 20, MaxBytes: math.MaxInt64}
	if c.Time != nil {
		config.Duration = time.Duration(*c.Time)
	}
	plan, err := beffio.NewPlan(processes, config)
	if err != nil {
		return 0, exit.With(exit.Usage, err)
	}
	return plan.AtMost, nil
}

// lasts implements lasting for all others: nobody knows before how long kernels take.
func (measuring) lasts(int, int) (time.Duration, error) { return 0, nil }
