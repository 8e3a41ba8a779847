package beff

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// Benchmark and SchemaVersion identify a result document.
const (
	Benchmark     = "b_eff"
	SchemaVersion = 1
)

// Result is one run of the effective bandwidth benchmark b_eff by beff. It holds where and how the run was made, every
// sample, and the figures that follow from them.
type Result struct {
	rating.Identity
	// Edition of the benchmark, which sets the loop lengths: the 2001 paper or HLRS release 3.6.
	Rules Rules `json:"rules" jsonschema:"enum=2001,enum=3.6"`
	// Half width of b_eff's interval, relative to b_eff, that the user asked an adaptive run for; left out of others.
	Within float64 `json:"within,omitempty" jsonschema:"minimum=0"`
	// Seconds within which further passes end; left out if their number was given.
	AtMost float64 `json:"at_most,omitempty" jsonschema:"minimum=0"`
	// The run is a preview with short loops, not a rating.
	Quick bool `json:"quick,omitempty"`
	// The data of every loop were checked, and the times contain the checks, so the run isn't a rating.
	Prove bool `json:"prove,omitempty"`
	mpi.MessageMemory
	rating.Software
	Processes int `json:"processes" jsonschema:"minimum=2"`
	// Bytes.
	MemoryPerProcess int64 `json:"memory_per_process" jsonschema:"minimum=524288"`
	// Longest message in bytes.
	Lmax int64 `json:"lmax" jsonschema:"minimum=4096"`
	// Seed of the random patterns.
	Seed uint64 `json:"seed" jsonschema:"minimum=0"`
	rating.Machine
	rating.Period
	rating.Circumstances
	// Seconds in timed loops and their untimed exchanges, by the slowest process in each.
	LoopSeconds float64 `json:"loop_seconds" jsonschema:"minimum=0"`
	// False if the run ended early; the document then has the samples until that time.
	Complete bool `json:"complete"`
	// Repetitions in each pass.
	Repetitions int `json:"repetitions" jsonschema:"minimum=1"`
	// Number of whole passes, each a complete rating; left out if there is only one.
	Passes   int       `json:"passes,omitempty" jsonschema:"minimum=0"`
	Patterns []Pattern `json:"patterns" jsonschema:"minItems=1"`
	// Message lengths in bytes; never decreasing.
	Lengths []int64  `json:"lengths" jsonschema:"minItems=1,minimum=1"`
	Methods []string `json:"methods" jsonschema:"minItems=1,uniqueItems=true"`
	// Methods that were measured separately and don't count for the rating.
	Separate *SeparateMethods `json:"apart,omitempty"`
	// Figures derived from the samples. Figures without samples are left out.
	Derived Derived `json:"derived"`
	rating.Verdict
	// Every measurement.
	Samples []Sample `json:"samples"`
}

// Pattern describes a pattern in a result.
type Pattern struct {
	Name string        `json:"name"`
	Kind patterns.Kind `json:"kind" jsonschema:"enum=ring,enum=random,enum=detail"`
	// Processes that send or receive.
	Processes int `json:"processes" jsonschema:"minimum=2"`
	// Messages of one loop, summed over all processes.
	Messages int64 `json:"messages" jsonschema:"minimum=1"`
	// Rank to which process 0 sends first in a random pattern of at most 4096 processes; it follows from the seed.
	First int `json:"first,omitempty" jsonschema:"minimum=0"`
}

// Sample is one measurement, with its times and its indices into the result's patterns, lengths and methods.
type Sample struct {
	// Index into patterns.
	Pattern int `json:"pattern" jsonschema:"minimum=0"`
	// Index into lengths.
	Length int `json:"length" jsonschema:"minimum=0"`
	// Index into methods.
	Method int `json:"method" jsonschema:"minimum=0"`
	// Counted from 0.
	Repetition int   `json:"repetition" jsonschema:"minimum=0"`
	Loops      int64 `json:"loops" jsonschema:"minimum=1"`
	// Seconds of all loops, the maximum over the processes.
	Seconds float64 `json:"seconds" jsonschema:"exclusiveMinimum=0"`
	// Seconds, the minimum over the processes that have messages.
	Min float64 `json:"seconds_min" jsonschema:"minimum=0"`
	// Seconds, the mean over the processes that have messages; 0 if the run ended before it was known.
	Mean float64 `json:"seconds_mean" jsonschema:"minimum=0"`
	// Counted from 0; left out in the first pass.
	Pass int `json:"pass,omitempty" jsonschema:"minimum=0"`
}

// NewResult returns the result of a run with all figures derived from its samples.
func NewResult(p *Plan, m *Measured, run rating.Run) *Result {
	r := &Result{
		Identity: run.Identity(Benchmark, SchemaVersion), Software: run.Software(), Machine: run.Machine(),
		Period: run.Period(m.WallSeconds), Circumstances: run.Circumstances(), Complete: run.Err == nil,
		LoopSeconds: m.LoopSeconds,
	}
	r.plan(p, m.Samples)
	var grids []*Grid
	r.Derived, grids = derived(r)
	if p.separate != nil {
		r.Separate = &SeparateMethods{Methods: p.separate.template.Methods, Samples: append([]Sample{}, m.Separate...)}
		r.Separate.derive(r)
	}
	r.Verdict = rating.NewVerdict(warnings(r, run), criteria(r, run.Err, p), signs(r, grids))
	r.Explain(&rating.Evidence{Engine: r.Engine, Machine: r.Machine, Environment: r.Environment,
		PerProcess: r.Derived.RingsAtLmaxPerProcess})
	return r
}

// plan sets the fields that the plan determines, and the samples.
func (r *Result) plan(p *Plan, samples []Sample) {
	r.Rules, r.Quick, r.Processes, r.MemoryPerProcess = p.Rules, p.Quick, p.Processes, p.Memory
	r.Lmax, r.Seed, r.Repetitions, r.Lengths, r.Samples = p.Lmax, p.Seed, p.Repetitions, p.Lengths, samples
	r.MessageMemory, r.Prove, r.Within, r.AtMost, r.Passes = p.MessageMemory, p.Prove, p.Within, p.AtMost.Seconds(),
		p.Config.Passes
	r.CountPasses()
	for _, pattern := range p.Patterns {
		r.Patterns = append(r.Patterns, described(pattern))
	}
	for _, method := range p.Methods {
		r.Methods = append(r.Methods, method.String())
	}
}

// maxDrawn is the largest number of processes for which a random pattern's first message is recorded, as drawing it
// takes time for each process.
const maxDrawn = 4096

// described returns a pattern as a result records it.
func described(p patterns.Pattern) Pattern {
	d := Pattern{Name: p.Name, Kind: p.Kind, Processes: p.Processes, Messages: p.Messages}
	if p.Kind == patterns.KindRandom && p.Processes <= maxDrawn {
		if list := p.Exchanges(0); len(list) > 0 {
			d.First = max(0, list[0].Dest)
		}
	}
	return d
}

// CountPasses sets the number of passes from the samples, if the run's time decided on it.
func (r *Result) CountPasses() {
	if r.AtMost > 0 {
		r.Passes = passesOf(r.Samples)
	}
}

// memory returns an amount of memory as text.
func memory(bytes int64) string {
	if bytes < 1<<30 {
		return rating.Mebibytes(bytes)
	}
	return rating.Gibibytes(bytes)
}

func warnings(r *Result, run rating.Run) []rating.Warning {
	list := append(rating.CommonWarnings(r.Software, r.Machine, r.Period, r.Circumstances,
		"this rates one machine's memory, not an MPI or a network"), release36Warnings(r)...)
	add := func(found bool, code, remedy, text string, args ...any) {
		if found {
			list = append(list, rating.Warning{Code: code, Text: fmt.Sprintf(text, args...), Remedy: remedy})
		}
	}
	add(!r.Quick && 2*r.Lmax < patterns.Lmax(run.Layout.Memory), "memory",
		"drop --memory, or set it to the memory available to one process",
		"--memory is %s per process, but %s are available: messages stop at %s instead of %s",
		memory(r.MemoryPerProcess), memory(run.Layout.Memory), rating.Bytes(r.Lmax),
		rating.Bytes(patterns.Lmax(run.Layout.Memory)))
	return list
}

// criteria returns the criteria of a rating. Processes that share a processor take turns, so the times in b_eff don't
// overlap, and patterns whose processes depend on few others seem faster than the machine.
func criteria(r *Result, err error, p *Plan) []rating.Criterion {
	finished, ended, whole := "the measurement was finished", err != nil, r.Derived.BEff > 0
	if ended && r.hasWholePass() {
		finished, ended = "the measurement was finished, or has a whole pass", false
	}
	if err != nil {
		finished += fmt.Sprintf(" (it ended with: %v)", err)
	}
	words := "all received data equal the sent data"
	if r.Prove {
		words += "; every loop was checked"
	} else if r.Buffers != "" {
		words += ", in a loop before the timed ones of each sample and in one after them"
	}
	not, wrong := strings.CutPrefix(r.Ended, rating.ErrWrongData.Error())
	const full = "leave out --quick"
	forPatterns, forMethods := "leave out --patterns", "leave out --methods"
	if r.Quick { // a preview leaves out patterns and methods by itself
		forPatterns, forMethods = full, full
	}
	list := []rating.Criterion{
		rating.DataCriterion(words, !wrong, strings.TrimPrefix(not, ": "), "the MPI library or the network"),
		{Name: rating.Complete, Text: finished, Reached: !ended, Not: p.stopped(r, err), Remedy: resumeAdvice},
	}
	if r.Prove {
		list = append(list, rating.Criterion{Name: "times", Text: "the times contain no checks of data",
			Not: "the times contain the checks of data (--prove)", Remedy: "leave out --prove"})
	}
	list = append(list,
		rating.Criterion{Name: "patterns", Reached: whole, Remedy: forPatterns,
			Text: fmt.Sprintf("all %d ring and %d random patterns are measured", allRings, allRandoms)},
		rating.Criterion{Name: "methods", Text: "all 3 methods are measured", Remedy: forMethods,
			Reached: len(r.Methods) == int(methodCount) && (whole || !ended)},
		rating.Criterion{Name: "repetitions", Text: "each measurement is made 3 times, with full loops (not --quick)",
			Reached: !r.Quick && r.Repetitions == repetitions && !ended, Remedy: full,
			Not: "a preview (--quick): one repetition, short loops, short messages"},
		rating.ProcessorsCriterion(r.Engine, r.Placement))
	list = append(list, rating.LibraryCriterion(r.Engine)...)
	list = append(list, r.Environment.MemoryCriteria(r.MessageMemory)...)
	list = append(list, r.LongestCriterion("lmax", "Lmax", "the longest message, %s, is 1/128 of", r.Lmax,
		patterns.Lmax)...)
	return append(list, r.JoinedCriterion()...)
}

// Limited returns the longest message if it isn't the one that follows from the machine's memory, which puts the rating
// in the class of this length. It returns 0 for the full class.
func (r *Result) Limited() int64 { return r.LimitedTo(r.Lmax, patterns.Lmax) }

// Interval returns the interval of b_eff within the run. It is nil if unknown, and for models, which measure nothing.
func (r *Result) Interval() *rating.Interval {
	if r.Engine.Kind().Simulated {
		return nil
	}
	return r.Derived.BEffInterval
}

// Estimate returns b_eff with its known error.
func (r *Result) Estimate() rating.Estimate {
	return rating.Estimate{Value: r.Derived.BEff, Within: r.Derived.BEffInterval, Model: r.Engine.Kind().Simulated}
}

// resumeAdvice is the advice for a run that ended early.
const resumeAdvice = "resume the run with --resume, which keeps the measured samples"

// stopped describes the error that ended a run, and how much of the run or of the passes begun was measured by then.
func (p *Plan) stopped(r *Result, err error) string {
	all := p.Measurements() / p.passes() * max(r.Passes, p.passes())
	if err == nil || all == 0 {
		return ""
	}
	return fmt.Sprintf("%v, at %.0f %%", err, 100*float64(len(r.Samples))/float64(all))
}

// Numbers of ring patterns (paper, Sec. 3) and random patterns (release 3.6) that b_eff averages over.
const allRings, allRandoms = 6, 30

// hasAllPatterns reports whether the result has all patterns that b_eff averages over.
func (r *Result) hasAllPatterns() bool {
	rings, randoms := 0, 0
	for i := range r.Patterns {
		switch r.Patterns[i].Kind {
		case patterns.KindRing:
			rings++
		case patterns.KindRandom:
			randoms++
		case patterns.KindDetail:
		}
	}
	return rings == allRings && randoms == allRandoms
}

// pingPong is the name of the pattern of ranks 0 and 1, for which lists of results have figures.
const pingPong = "ping-pong"
