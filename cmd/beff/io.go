package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"time"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/scratch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/words"
)

// ioCommand is `beff io`.
type ioCommand struct {
	Partitions  []int       `placeholder:"P" help:"${io_partitions}"`
	Time        *size.Time  `short:"T" placeholder:"TIME" help:"${io_time}"`
	Directory   string      `short:"p" placeholder:"DIR" default:"." help:"${io_directory}"`
	Memory      *size.Bytes `placeholder:"SIZE" help:"${io_memory}"`
	TotalMemory *size.Bytes `placeholder:"SIZE" help:"${io_total_memory}"`
	MaxBytes    *size.Bytes `placeholder:"SIZE" help:"${io_max_bytes}"`
	Rules       string      `enum:"2001,2.1" default:"2001" help:"${io_rules}"`
	Rewrite     bool        `help:"Rewrite all pattern types, not only type 0."`
	NoShared    bool        `name:"noshared" help:"${io_no_shared}"`
	NoUnique    bool        `name:"nounique" help:"Open files without MPI_MODE_UNIQUE_OPEN."`
	Verify      string      `enum:"sampled,full" default:"sampled" help:"${io_verify}"`
	Errors      int         `short:"e" placeholder:"N" default:"1" help:"${io_errors}"`
	Quantiles   []float64   `placeholder:"P,…" help:"${io_quantiles}"`
	Keep        bool        `help:"Keep the files, and print their place."`
	Cold        bool        `help:"${io_cold}"`
	Fill        *size.Part  `placeholder:"PART" help:"${io_fill}"`
	TimesMemory *float64    `placeholder:"K" help:"${io_times_memory}"`
	Hints       string      `placeholder:"FILE" help:"${io_hints}"`
	Quick       bool        `help:"Measure a preview of 30 s, 60 s at most. The result is not valid as a rating."`
	Within      *size.Part  `placeholder:"PART" help:"${io_within}"`
	AtMost      *size.Time  `placeholder:"TIME" help:"${io_at_most}"`
	verbose
	//lint:ignore SA5008 each tag sets a variable
	flow.Flags `set:"output=${io_output}" set:"engines=auto,mpi,local"`
}

const (
	quickTime = 30 * time.Second // the run takes up to twice as long
	// staysFree is the fraction of the file system that a run leaves free without --max-bytes.
	staysFree = 0.10
)

// ioRules maps the values of --rules to rules. 2001 means the paper's, as for b_eff.
var ioRules = map[string]beffio.Rules{"2001": beffio.RulesPaper, "2.1": beffio.Rules21}

// Run is called by the command line.
func (c *ioCommand) Run(p *process.Process, line *kong.Context) error {
	command := []string{"io"} // the command that resumes the run
	if c.Directory != "." {
		command = append(command, "-p", c.Directory)
	}
	if c.Keep {
		command = append(command, "--keep")
	}
	return flow.Measure(p, &flow.Spec{
		Flags: c.Flags, MinRanks: 1, Name: beffio.Benchmark, Command: command, None: ofbeffio.Report{},
		Verbose: c.Verbose, Selective: flow.Selective(line),
	}, c.plan)
}

// target is a configuration with the file system as rank 0 sees it.
type target struct {
	Config     beffio.Config
	FileSystem beffio.FileSystem
}

// plan makes the plan of b_eff_io.
func (c *ioCommand) plan(j *flow.Job, before *flow.Earlier) (flow.Benchmark[beffio.Measured], error) {
	world := j.Engine.World()
	if err := job.Do(world, func() error { return c.confirmDirectory(before) }); err != nil {
		return nil, err
	}
	to, err := flow.Decide(j, before, func(was *target) (target, error) {
		now, err := c.target(world.Size(), layoutFor(world.Size(), j.Layout, c.DryRun, c.Memory))
		if was != nil { // keep the values that don't select measurements
			now.FileSystem.Free, now.FileSystem.FreeFiles = was.FileSystem.Free, was.FileSystem.FreeFiles
			if c.MaxBytes == nil {
				now.Config.MaxBytes = was.Config.MaxBytes
			}
			if x, y := now.Config.Cold, was.Config.Cold; x != nil && y != nil {
				x.Shifts, x.Elsewhere = y.Shifts, y.Elsewhere
			}
		}
		return now, err
	})
	if err != nil {
		return nil, err
	}
	if err := job.Do(world, func() error { return to.checkSpace(before) }); err != nil {
		return nil, err
	}
	plan, err := beffio.NewPlan(world.Size(), to.Config)
	return &fileIO{plan, to, j.Engine, resolution()}, err
}

// confirmDirectory returns an error unless the command line repeats the directory of a resumed run's files, and --keep
// if the run keeps them: a journal may come from anybody, so it must not decide where beff writes.
func (c *ioCommand) confirmDirectory(before *flow.Earlier) error {
	if before == nil {
		return nil
	}
	was, err := flow.Decided[target](before)
	if err != nil {
		return err
	}
	directory, err := filepath.Abs(c.Directory)
	switch {
	case err != nil:
		return err
	case directory != was.FileSystem.Directory:
		return exit.Misuse("the earlier part wrote its files in %s: repeat its -p", was.FileSystem.Directory)
	case was.Config.Keep && !c.Keep:
		return exit.Misuse("the earlier part was to keep its files in %s: repeat --keep", was.FileSystem.Directory)
	}
	return nil
}

// fileIO is b_eff_io with its plan.
type fileIO struct {
	plan   *beffio.Plan
	to     target
	engine mpi.Engine
	step   float64 // resolution of the clock that times patterns, in seconds
}

func (b *fileIO) Decided() any           { return b.to }
func (b *fileIO) Unit() string           { return "call" }
func (b *fileIO) Longest() time.Duration { return b.plan.Longest() }
func (b *fileIO) Files() (string, bool)  { return b.to.FileSystem.Directory, b.plan.Keep }

func (b *fileIO) JournalBytes() int64 {
	return int64(b.plan.Measurements()*b.plan.ExpectedRounds()) * flow.SampleBytes
}

func (b *fileIO) Describe(w io.Writer) error {
	return ofbeffio.Plan(w, b.plan, b.to.FileSystem, b.engine.Library())
}

func (b *fileIO) Preview(run rating.Run) []string {
	return ofbeffio.PlanRemarks(b.plan, b.to.FileSystem, run.Library)
}

func (b *fileIO) Samples(m *beffio.Measured) int     { return len(m.Samples) }
func (b *fileIO) Seconds(m *beffio.Measured) float64 { return m.WallSeconds }
func (b *fileIO) Trim(m *beffio.Measured)            { b.plan.Trim(m) }

func (b *fileIO) Add(m *beffio.Measured, news beffio.Measured) { m.Add(news) }

func (b *fileIO) Since(now, before *beffio.Measured) (beffio.Measured, bool) {
	return now.Since(before)
}

func (b *fileIO) Measure(directory string, watch rating.Observer[beffio.Measured]) (*beffio.Measured, error) {
	b.plan.Directory = directory
	return b.plan.Measure(b.engine, watch)
}

func (b *fileIO) Report(m *beffio.Measured, run rating.Run) report.Report {
	run.Resolution = b.step
	return ofbeffio.Report{Result: beffio.NewResult(b.plan, m, beffio.Run{Run: run, FileSystem: b.to.FileSystem})}
}

// Wrong returns the error of a run in which chunks were read wrong. It describes the first one and counts all.
func (b *fileIO) Wrong(m *beffio.Measured) error {
	n := m.WrongChunks()
	if n == 0 {
		return nil
	}
	first := m.Errors[0] // the first wrong chunk is always described
	return fmt.Errorf("wrong data: %s; %s in all", first, words.Count(int(n), "wrong chunk"))
}

// checkSpace returns an error if the file system has too little free space now for the files of a resumed run.
func (t *target) checkSpace(before *flow.Earlier) error {
	if before == nil {
		return nil
	}
	now, err := scratch.Facts(t.FileSystem.Directory)
	if err != nil || now.Size == 0 || t.Config.MaxBytes <= now.Free {
		return err
	}
	err = fmt.Errorf("the files of this run may need %v, but only %v are free in %s now",
		size.Bytes(t.Config.MaxBytes), size.Bytes(now.Free), now.Directory)
	if left := scratch.Left(t.FileSystem.Directory); len(left) > 0 {
		err = fmt.Errorf("%w; %s there may be left from a run that was killed", err, words.Some(left))
	}
	return err
}

// target returns the checked configuration from the flags and the facts that rank 0 finds. All processes plan from it.
func (c *ioCommand) target(processes int, layout *job.Layout) (target, error) {
	t := target{Config: beffio.Config{
		Rules: ioRules[c.Rules], Partitions: c.Partitions, Memory: layout.Memory,
		TotalMemory: layout.Total,
		RewriteAll:  c.Rewrite, NoShared: c.NoShared, NoUnique: c.NoUnique, Keep: c.Keep, Quick: c.Quick,
		Verify: beffio.Verification(c.Verify), Errors: c.Errors, Quantiles: c.Quantiles,
	}}
	if c.Quick {
		t.Config.Duration = quickTime
	}
	switch {
	case c.Within != nil:
		t.Config.Within = float64(*c.Within)
		if c.AtMost != nil {
			t.Config.AtMost = time.Duration(*c.AtMost)
		}
	case c.AtMost != nil:
		return t, exit.Misuse("--at-most is for --within")
	}
	if c.Time != nil {
		t.Config.Duration = time.Duration(*c.Time)
	}
	if c.Memory != nil {
		t.Config.Memory = int64(*c.Memory)
		if err := checkMemory(*c.Memory, layout); err != nil {
			return t, err
		}
	}
	if t.Config.Memory == 0 && c.Memory == nil {
		return t, exit.Misuse("the memory of this machine is not known: give --memory")
	}
	if c.TotalMemory != nil {
		t.Config.TotalMemory = int64(*c.TotalMemory)
	}
	err := errors.Join(c.readHints(&t.Config), c.readCold(&t.Config, processes, layout))
	directory := c.Directory
	if err == nil {
		directory, err = filepath.Abs(directory)
	}
	if err == nil {
		t.FileSystem, err = scratch.Facts(directory)
	}
	if err != nil && c.DryRun && c.MaxBytes != nil { // another machine has the directory
		t.FileSystem, err = beffio.FileSystem{Directory: directory}, nil
	}
	if err == nil {
		t.Config.MaxBytes, err = c.maxBytes(t.FileSystem)
	}
	if err == nil {
		var plan *beffio.Plan
		if plan, err = beffio.NewPlan(processes, t.Config); err == nil && c.Time == nil {
			err = c.checkTime(plan)
		}
		err = exit.With(exit.Usage, err)
	}
	if errors.Is(err, beffio.ErrMaxBytes) {
		err = fmt.Errorf("%w%s", err, smallerMemory(processes, t.Config))
	}
	if errors.Is(err, beffio.ErrMaxBytes) && c.MaxBytes == nil {
		err = fmt.Errorf("%w (%v of %v are free in %s, and %.0f %% of the file system are to stay free: "+
			"--max-bytes allows more)",
			err, size.Bytes(t.FileSystem.Free), size.Bytes(t.FileSystem.Size), directory, 100*staysFree)
	}
	return t, err
}

// checkTime returns an error if a rating needs more time than a limit leaves the run. It isn't for runs with -T, whose
// users may want to resume in another job.
func (c *ioCommand) checkTime(plan *beffio.Plan) error {
	left, by, limited := c.Left()
	if !limited || plan.Quick || plan.Adaptive() || c.DryRun || c.Resume != nil || plan.Duration <= left {
		return nil
	}
	text := fmt.Sprintf("a rating on %s takes %v, and %s leaves this run %v: take a longer job",
		words.Count(len(plan.Partitions), "partition"), plan.Duration, by, max(left, 0).Round(time.Second))
	if len(plan.Partitions) == beffio.ShortPartitions {
		text += fmt.Sprintf(", or -T %.0fm, a separate class (%s)", beffio.ShortDuration.Minutes(), beffio.ShortClass)
	}
	return fmt.Errorf("%s, or --within 5%%, another class", text)
}

// readCold makes a configuration cold if the flags ask for it. Processes fill memory only with --fill.
func (c *ioCommand) readCold(config *beffio.Config, processes int, layout *job.Layout) error {
	filled := int64(0)
	switch {
	case (c.Fill != nil || c.TimesMemory != nil) && !c.Cold:
		return exit.Misuse("--fill and --times-memory are for --cold, which drops files from memory before reading")
	case c.TimesMemory != nil && !(*c.TimesMemory > 0):
		return exit.Misuse("--times-memory %v: want more than 0, such as 1.5", *c.TimesMemory)
	case !c.Cold:
		return nil
	case c.Fill != nil && layout.Memory == 0:
		return exit.Misuse("--fill: the memory of this machine is not known")
	case c.Fill != nil:
		page := int64(os.Getpagesize())
		filled = int64(float64(*c.Fill)*float64(layout.Memory)) / page * page
	}
	err := c.checkFill(filled, 2*patterns.MPart(config.Memory), layout)
	if err == nil {
		err = config.ReadCold(processes, layout.Placement, filled)
	}
	if err == nil && c.TimesMemory != nil {
		config.Cold.Times = *c.TimesMemory
	}
	return err
}

// checkFill returns an error if --fill and the buffers together need more than 95 % of a process's memory.
func (c *ioCommand) checkFill(filled, buffers int64, layout *job.Layout) error {
	const most = 0.95 // of the memory
	tooMuch := func(there int64) bool { return filled > 0 && float64(filled+buffers) > most*float64(there) }
	switch {
	case layout.Memory > 0 && tooMuch(layout.Memory):
		return exit.Misuse("--fill: %v, and %v of buffers, are more than %.0f %% of the %v that a process has",
			size.Bytes(filled), size.Bytes(buffers), 100*most, size.Bytes(layout.Memory))
	case layout.Free > 0 && tooMuch(layout.Free) && !c.DryRun: // the plan may be for another machine
		return exit.Misuse("--fill: %v, and %v of buffers, are more than %.0f %% of the %v that are available for a "+
			"process now", size.Bytes(filled), size.Bytes(buffers), 100*most, size.Bytes(layout.Free))
	}
	return nil
}

// smallerMemory returns a hint that names the largest --memory, a power of two, with which the allowed bytes on disk
// suffice, because chunks are shorter. It returns "" if there is none.
func smallerMemory(processes int, config beffio.Config) string {
	const least = 256 << 20 // below it chunks have the same sizes
	for memory := int64(1) << bits.Len64(uint64(config.Memory-1)) / 2; memory >= least; memory /= 2 {
		config.Memory = memory
		if _, err := beffio.NewPlan(processes, config); err == nil {
			return fmt.Sprintf("; with --memory %v, which makes chunks shorter, they are enough", size.Bytes(memory))
		}
	}
	return ""
}

// readHints reads the file of hints if there is one.
func (c *ioCommand) readHints(config *beffio.Config) error {
	if c.Hints == "" {
		return nil
	}
	text, err := input.ReadAll(c.Hints, longestHints)
	if err != nil {
		return exit.Misuse("hints: %w", err)
	}
	config.Hints, err = beffio.ParseHints(bytes.NewReader(text))
	return exit.With(exit.Usage, err)
}

// longestHints is the largest size of a file of hints, in bytes.
const longestHints = 1 << 20

// maxBytes returns how many bytes may be on disk at a time: --max-bytes, or the free space except for staysFree.
func (c *ioCommand) maxBytes(fs beffio.FileSystem) (int64, error) {
	most := fs.Free - int64(staysFree*float64(fs.Size))
	if fs.Size == 0 && c.MaxBytes == nil {
		return 0, fmt.Errorf("the free space of %s is not known: give --max-bytes", fs.Directory)
	}
	if c.MaxBytes != nil {
		if fs.Size > 0 && int64(*c.MaxBytes) > fs.Free && !c.DryRun { // the plan shows it
			return 0, exit.Misuse("--max-bytes %v is more than is free in %s: %v of %v", *c.MaxBytes, fs.Directory,
				size.Bytes(fs.Free), size.Bytes(fs.Size))
		}
		return int64(*c.MaxBytes), nil
	}
	if most <= 0 {
		return 0, fmt.Errorf("%s: %v of %v are free, and %.0f %% of all are to stay free: give --max-bytes, or take "+
			"another file system",
			fs.Directory, size.Bytes(fs.Free), size.Bytes(fs.Size), 100*staysFree)
	}
	return most, nil
}

// resolution returns the smallest step of the clock that times patterns, in seconds.
func resolution() float64 {
	smallest := time.Hour
	for range 100 {
		begin := time.Now()
		step := time.Duration(0)
		for step == 0 {
			step = time.Since(begin)
		}
		smallest = min(smallest, step)
	}
	return smallest.Seconds()
}
