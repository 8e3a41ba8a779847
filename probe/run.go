package probe

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/rating"
)

// Run holds the facts of a run that a result needs besides plan and measurement.
type Run struct {
	rating.Run
	Command     string // the calling sequence
	ThreadLevel string // such as MPI_THREAD_SINGLE
	Preloaded   []string
}

// NewResult returns the result of a run with all figures derived from its samples.
func NewResult(p *Plan, m *Measured, run Run) *Result {
	r := &Result{
		Identity: run.Identity(Benchmark, SchemaVersion), Software: run.Software(), Machine: run.Machine(),
		Period: run.Period(m.WallSeconds), Circumstances: run.Circumstances(), Complete: run.Err == nil,
		Command: run.Command, Processes: p.Processes, ThreadLevel: run.ThreadLevel, Settings: p.Settings, CPU: m.CPU,
		Clock: m.Clock, Blocks: m.Blocks, Preloaded: run.Preloaded, Factors: m.Factors,
	}
	for _, s := range p.Selections {
		if s.Kernel.program != nil {
			r.Programs = append(r.Programs, NewProgram(s.Kernel.program))
		}
	}
	r.Settings.Policy, r.Settings.Method = p.Settings.policy(), p.Settings.HowMeasured()
	r.Settings.SampleTime = or(p.Settings.SampleTime, DefaultSampleTime)
	r.Settings.Memory = or(p.Settings.Memory, DefaultMemory)
	if r.Blocks == nil {
		r.Blocks = []Block{}
	}
	Rederive(r)
	r.Judged = r.JudgeRun()
	r.Warnings = slices.Insert(warnings(p, r, m.Notes, run), 0, rating.Warnings(r.Signs)...)
	r.Signs = rating.Stated(r.Signs)
	return r
}

// warnings returns the facts that a reader should know before the figures.
func warnings(p *Plan, r *Result, notes []rating.Warning, run Run) []rating.Warning {
	list := []rating.Warning{}
	warn := func(code, text, remedy string) {
		list = append(list, rating.Warning{Code: code, Text: text, Remedy: remedy})
	}
	if w, ok := rating.CrowdedWarning(r.Placement); ok {
		list = append(list, w)
	}
	if w, ok := r.JoinedWarning(); ok {
		list = append(list, w)
	}
	if w, ok := rating.WaitWarning(r.Waits); ok {
		list = append(list, w)
	}
	if r.Engine.Kind().Embedded {
		warn("embedded", "measured by the embedded engine: these are times of one machine's memory, not of an MPI "+
			"or a network", rating.EmbeddedRemedy)
	}
	if w, ok := rating.SimulatedWarning(r.Engine, r.Host.Name); ok {
		list = append(list, w)
	}
	for _, s := range p.Notices {
		warn("option", s, "docs/imb.md has all options")
	}
	if len(run.Preloaded) > 0 {
		warn("preloaded", "libraries are loaded before the MPI library (LD_PRELOAD): "+
			strings.Join(run.Preloaded, ", ")+"; calls that they define are what was measured",
			"unset LD_PRELOAD, unless that is meant")
	}
	for _, s := range p.Skipped {
		warn("kernel-skipped", s, "run it under mpirun, with enough processes")
	}
	for _, b := range r.Blocks {
		for _, row := range b.Rows {
			if row.Defects > 0 {
				warn("wrong-data", fmt.Sprintf("%s, %s, %d bytes: %d wrong elements in %d repetitions", b.Kernel,
					processes(b.Processes), row.Bytes, row.Defects, row.Checked),
					"the library or the network changes data: don't trust any result of this machine")
			}
		}
	}
	list = append(append(list, notes...), seriesWarnings(r)...)
	switch {
	case errors.Is(run.Err, rating.ErrWall):
		warn("ended-early", "the run ended early: the wall limit has come", "--resume measures what is missing")
	case errors.Is(run.Err, rating.ErrStopped):
		warn("ended-early", "the run was stopped early", "run it again")
	case run.Err != nil:
		warn("ended-early", "the run ended early: "+run.Err.Error(), "run it again")
	}
	return list
}
