package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/sim"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/whatif"
	"github.com/effective-bandwidth/beff/report/words"
)

// runCommand is `beff run`.
type runCommand struct {
	Memory   *size.Bytes `placeholder:"SIZE" help:"${run_memory}"`
	Rules    beff.Rules  `enum:"2001,3.6" default:"2001" help:"${run_rules}"`
	Seed     *uint32     `placeholder:"N" help:"${run_seed}"`
	Patterns []string    `placeholder:"NAME" help:"${run_patterns}"`
	Methods  []string    `placeholder:"NAME" help:"${run_methods}"`
	Quick    bool        `help:"${run_quick}"`
	Prove    bool        `help:"${run_prove}"`
	Passes   *int        `placeholder:"K" help:"${run_passes}"`
	Within   *size.Part  `placeholder:"PART" help:"${run_within}"`
	AtMost   *size.Time  `placeholder:"TIME" help:"${run_at_most}"`
	verbose
	flow.MemoryFlags
	//lint:ignore SA5008 each tag sets a variable
	flow.Flags `set:"output=${run_output}" set:"engines=auto,mpi,local,sim"`
	flow.Modelled
}

// The memory that a quick run assumes without --memory.
const (
	quickProcess = 128 << 20 // per process: messages of up to 1 MiB
	// per host, if its processes share processors: buffers of at most 384 MiB. Such a run is never valid, and its
	// messages go through the same memory anyway.
	quickHost = 4 << 30
)

// quickMemory returns the memory per process of a quick run.
func quickMemory(l *job.Layout) int64 {
	memory := min(quickProcess, l.Memory)
	for _, p := range l.Placement {
		if p.Crowded() {
			memory = min(memory, quickHost/int64(p.Processes))
		}
	}
	return memory
}

// Run is called by the command line.
func (c *runCommand) Run(p *process.Process, line *kong.Context) error {
	device, err := c.MemoryFlags.Choice()
	if err != nil {
		return err
	}
	return flow.Measure(p, &flow.Spec{
		Flags: c.Flags, Choice: launch.Choice{Simulation: c.Simulation(true, c.Seed), Device: device}, MinRanks: 2,
		Name: beff.Benchmark, Command: []string{"run"}, None: ofbeff.Report{}, Verbose: c.Verbose,
		Selective: flow.Selective(line),
	}, c.plan)
}

// plan makes the plan of b_eff.
func (c *runCommand) plan(j *flow.Job, before *flow.Earlier) (flow.Benchmark[beff.Measured], error) {
	processes := j.Engine.World().Size()
	config, err := flow.Decide(j, before, func(was *beff.Config) (beff.Config, error) {
		layout := layoutFor(processes, j.Layout, c.DryRun, c.Memory)
		return c.config(processes, layout, was, flow.Simulation(j.Engine) != nil)
	})
	if err != nil {
		return nil, err
	}
	device, _ := c.MemoryFlags.Choice() // Run has parsed it
	if err := flow.SameMemory(config.MessageMemory, device.MessageMemory); err != nil {
		return nil, err
	}
	notice := ""
	if c.Quick && before == nil && !c.DryRun && flow.Simulation(j.Engine) == nil {
		if config, notice, err = preview(j.Engine, config); err != nil {
			return nil, flow.Unmeasured(err)
		}
	}
	plan, err := beff.NewPlan(processes, config)
	return &communication{plan, config, j.Engine, notice}, err
}

// preview returns the configuration of a preview that ends in time on this machine. notice is a sentence for the user
// if the preview leaves out methods or takes longer than beff.LongestPreview, and empty otherwise.
func preview(e mpi.Engine, config beff.Config) (shorter beff.Config, notice string, err error) {
	shorter, expected, err := beff.Preview(e, config, time.Now)
	fewer := ""
	if len(shorter.Methods) != len(config.Methods) {
		fewer = fmt.Sprintf("only measures %s, and ", shorter.Methods[0])
	}
	if fewer != "" || expected > beff.LongestPreview {
		notice = fmt.Sprintf("messages are slow here (do processes share processors?): this preview %stakes "+
			"about %v", fewer, expected.Round(time.Second))
	}
	return shorter, notice, err
}

// communication is b_eff with its plan.
type communication struct {
	plan   *beff.Plan
	config beff.Config
	engine mpi.Engine
	notice string // for the user, if a preview is cut short or slow; may be empty
}

func (b *communication) Decided() any        { return b.config }
func (b *communication) JournalBytes() int64 { return journalBytes(b.plan) }
func (b *communication) Unit() string        { return "measurement" }
func (b *communication) Describe(w io.Writer) error {
	return ofbeff.Plan(w, b.plan, b.engine.Library())
}

func (b *communication) Preview(run rating.Run) []string {
	list := ofbeff.PlanRemarks(b.plan, run)
	if b.notice != "" {
		list = append(list, b.notice)
	}
	return list
}

func (b *communication) Samples(m *beff.Measured) int     { return len(m.Samples) }
func (b *communication) Seconds(m *beff.Measured) float64 { return m.WallSeconds }

func (b *communication) Add(m *beff.Measured, news beff.Measured) { m.Add(news) }

func (b *communication) Since(now, before *beff.Measured) (beff.Measured, bool) {
	return now.Since(before)
}

func (b *communication) Measure(_ string, watch rating.Observer[beff.Measured]) (*beff.Measured, error) {
	if e, is := b.engine.(*sim.Engine); is && watch.Progress != nil {
		watch.Progress = whatif.Progress(e, b.plan, time.Now, watch.Progress)
	}
	return b.plan.Measure(b.engine, watch)
}

func (b *communication) Report(m *beff.Measured, run rating.Run) report.Report {
	return ofbeff.Report{Result: beff.NewResult(b.plan, m, run)}
}

// journalBytes returns about how many bytes the samples of all passes need in a journal.
func journalBytes(plan *beff.Plan) int64 {
	n := int64(plan.Measurements())
	if plan.AtMost > 0 {
		_, passes := ofbeff.Expected(plan)
		n *= int64(passes)
	}
	return n * flow.SampleBytes
}

// config returns the checked configuration from the flags and the memory that rank 0 finds. All processes plan from it.
// was is the configuration of an earlier part of the run, whose seed stays, or nil. A simulated machine never changes,
// so it needs only one pass.
func (c *runCommand) config(processes int, layout *job.Layout, was *beff.Config, simulated bool) (beff.Config, error) {
	config := beff.Config{
		Rules: c.Rules, Patterns: c.Patterns, Methods: c.Methods, Quick: c.Quick, Prove: c.Prove,
		Seed: uint64(rand.Uint32()),
	}
	device, _ := c.MemoryFlags.Choice()
	config.MessageMemory = device.MessageMemory
	if c.Passes != nil {
		if config.Passes = *c.Passes; config.Passes < 1 {
			return config, exit.Misuse("--passes %d: want 1 or more", config.Passes)
		}
	}
	if was != nil {
		config.Seed = was.Seed
	}
	if c.Seed != nil {
		config.Seed = uint64(*c.Seed)
	}
	if err := c.adapt(&config); err != nil {
		return config, err
	}
	switch {
	case c.Memory != nil:
		config.Memory = int64(*c.Memory)
		if err := checkMemory(*c.Memory, layout); err != nil {
			return config, err
		}
	case layout.Memory == 0:
		return config, exit.Misuse("the memory of this machine is not known: give --memory")
	case c.Quick:
		config.Memory = quickMemory(layout)
	default:
		config.Memory = layout.Memory
	}
	plan, err := beff.NewPlan(processes, config)
	if unknown := (*beff.UnknownError)(nil); errors.As(err, &unknown) {
		return config, exit.Misuse("%w%s", err, words.DidYouMean(unknown.Name, unknown.Known))
	}
	if err != nil {
		return config, exit.With(exit.Usage, err)
	}
	counts := c.Passes == nil && plan.Counts() && !simulated
	switch {
	case c.Within != nil:
		return plan.Config, nil
	case c.AtMost != nil && !counts:
		return config, exit.Misuse("--at-most is for --within, and for full ratings without --passes")
	case c.AtMost != nil:
		config.AtMost = time.Duration(*c.AtMost)
	case counts:
		config.AtMost = beff.Covered
	}
	return config, nil
}

// layoutFor returns the layout for which a run plans. A dry run with --memory plans for another machine, where each
// process has this memory.
func layoutFor(processes int, layout *job.Layout, dry bool, memory *size.Bytes) *job.Layout {
	if !dry || memory == nil {
		return layout
	}
	return &job.Layout{Placement: layout.Placement, Ranks: layout.Ranks, Memory: int64(*memory),
		Total: int64(processes) * int64(*memory)}
}

// checkMemory returns an error if --memory is more than a process has.
func checkMemory(given size.Bytes, layout *job.Layout) error {
	if layout.Memory == 0 || int64(given) <= layout.Memory {
		return nil
	}
	return exit.Misuse("--memory %v per process is more than there is: %v for each process on its node", given,
		size.Bytes(layout.Memory))
}

// adapt makes a configuration adaptive if the flags ask for it.
func (c *runCommand) adapt(config *beff.Config) error {
	switch {
	case c.Within == nil:
		return nil
	case c.Passes != nil && *c.Passes > 1:
		return exit.Misuse("--within measures passes until the interval is narrow: leave out --passes")
	case c.Quick:
		return exit.Misuse("--within measures full ratings: leave out --quick")
	}
	config.Passes, config.Within = 0, float64(*c.Within)
	if c.AtMost != nil {
		config.AtMost = time.Duration(*c.AtMost)
	}
	return nil
}
