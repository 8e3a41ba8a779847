package probe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// Run holds facts about a run that its result needs in addition to the plan and the measurement.
type Run struct {
	rating.Run
	Command     string             // the command line
	ThreadLevel string             // such as MPI_THREAD_SINGLE
	Preloaded   []string           // libraries of LD_PRELOAD
	FileSystem  *rating.FileSystem // nil if the run has no files
}

// NewResult returns the result of a run, with all figures derived from the samples of m. It doesn't change m.
func NewResult(p *Plan, m *measured.Outcome, run Run) *Result {
	ordered := *m
	p.Trim(&ordered)
	r := &Result{
		Identity: run.Identity(Benchmark, SchemaVersion), Software: run.Software(), Machine: run.Machine(),
		Period: run.Period(m.WallSeconds), Circumstances: run.Circumstances(), Complete: run.Err == nil,
		Command: run.Command, Processes: p.Processes, ThreadLevel: run.ThreadLevel, Settings: p.Settings, CPU: m.CPU,
		Clock: m.Clock, Blocks: ordered.Blocks, Preloaded: run.Preloaded, Factors: m.Factors,
		Refused: p.Refused, FileSystem: run.FileSystem,
	}
	for _, s := range p.Selections {
		if s.Kernel.Component == kernel.USER {
			r.addOwn(s.Kernel)
		}
	}
	r.Settings.Repetitions.Policy = p.Settings.IterPolicy()
	r.Settings.Repetitions.SampleTime = cmp.Or(p.Settings.Repetitions.SampleTime, settings.Default.SampleTime)
	r.Settings.Memory.Limit = cmp.Or(p.Settings.Memory.Limit, settings.Default.Memory)
	if r.Blocks == nil {
		r.Blocks = []measured.Block{}
	}
	Rederive(r)
	r.Conclude(slices.Concat(measured.WarningsOf("option", p.Notices...),
		measured.WarningsOf("kernel-skipped", p.Skipped...), m.Notes))
	return r
}

// Conclude sets the verdict and the warnings that follow from the result, and adds others, which don't follow from it.
func (r *Result) Conclude(others []rating.Warning) {
	r.Judged = r.JudgeRun()
	r.Warnings = append([]rating.Warning{}, slices.Concat(rating.Warnings(r.Signs), r.warnings(), others)...)
	r.Signs = rating.WithoutRemedies(r.Signs)
	v := r.Verdict()
	v.Explain(&rating.Evidence{Engine: r.Engine, Machine: r.Machine, Environment: r.Environment,
		FileSystem: r.FileSystem})
	r.SetVerdict(v)
}

// warnings returns the warnings that follow from the result.
func (r *Result) warnings() (list []rating.Warning) {
	warn := func(code, text, remedy string) {
		list = append(list, rating.Warning{Code: code, Text: text, Remedy: remedy})
	}
	embedded := rating.EmbeddedFiles // what the embedded engine measures
	if !slices.ContainsFunc(r.Blocks, func(b measured.Block) bool { return b.Component.Files() }) {
		embedded = "these are times of one machine's memory, not of an MPI or a network"
	}
	list = rating.CommonWarnings(r.Software, r.Machine, r.Period, r.Circumstances, embedded)
	if len(r.Preloaded) > 0 {
		warn("preloaded", "libraries are loaded before the MPI library (LD_PRELOAD): "+
			strings.Join(r.Preloaded, ", ")+"; the calls that they define were measured instead",
			"unset LD_PRELOAD, unless you want to measure these")
	}
	for b, row := range r.Rows() {
		if row.Defects > 0 {
			remedy := "the library or the network changes data: don't trust any result of this machine"
			if b.Component == kernel.USER {
				remedy = "the program or the function is wrong, or the library or the network changes data"
			}
			warn("wrong-data", fmt.Sprintf("%s, %s, %d bytes: %d wrong elements in %d repetitions", b.Kernel,
				rating.Processes(b.Processes), row.Bytes, row.Defects, row.Checked), remedy)
		}
	}
	if part := r.fromMemory(); part > rating.MaxCached && !r.Settings.Memory.Cold {
		warn("memory", fmt.Sprintf("read from memory: %s %% of the data read were in the memory of the nodes that "+
			"read them, as recently written data are", rating.Percent(part)),
			"use --cold, which drops files from memory before they are read")
	}
	list = append(list, seriesWarnings(r)...)
	switch {
	case strings.HasSuffix(r.Ended, rating.ErrWall.Error()):
		warn("ended-early", "the run ended early at the wall limit", "resume the run with --resume, which measures "+
			"only the missing rows")
	case strings.HasSuffix(r.Ended, rating.ErrStopped.Error()):
		warn("ended-early", "the run was stopped early", "run it again")
	case r.Ended != "":
		warn("ended-early", "the run ended early: "+r.Ended, "run it again")
	}
	return list
}
