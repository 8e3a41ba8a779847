package beff

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// Benchmark and SchemaVersion identify a result document.
const (
	Benchmark     = "b_eff"
	SchemaVersion = 1
)

// Result is one run of the effective bandwidth benchmark b_eff by beff: where it was made, every sample, and the
// figures that follow from them.
type Result struct {
	rating.Identity
	// Edition of the benchmark: the 2001 paper's loop lengths or those of HLRS release 3.6.
	Rules Rules `json:"rules" jsonschema:"enum=2001,enum=3.6"`
	// Half of the interval of b_eff, relative to it, that an adaptive run was asked for; left out of others.
	Within float64 `json:"within,omitempty" jsonschema:"minimum=0"`
	// Seconds in which further passes were to end; left out where their number was given.
	AtMost float64 `json:"at_most,omitempty" jsonschema:"minimum=0"`
	// A preview with short loops: not a rating.
	Quick bool `json:"quick,omitempty"`
	rating.Software
	Processes int `json:"processes" jsonschema:"minimum=2"`
	// Bytes.
	MemoryPerProcess int64 `json:"memory_per_process" jsonschema:"minimum=524288"`
	// Longest message in bytes.
	Lmax int64 `json:"lmax" jsonschema:"minimum=4096"`
	// Of the random patterns.
	Seed uint64 `json:"seed" jsonschema:"minimum=0"`
	rating.Machine
	rating.Period
	rating.Circumstances
	// Seconds of that in timed loops and their untimed exchanges by the slowest process of each.
	LoopSeconds float64 `json:"loop_seconds" jsonschema:"minimum=0"`
	// False if the run ended early; the document then has the samples until that time.
	Complete bool `json:"complete"`
	// In each pass.
	Repetitions int `json:"repetitions" jsonschema:"minimum=1"`
	// Whole passes, each a rating of its own; left out of a run of one.
	Passes   int       `json:"passes,omitempty" jsonschema:"minimum=0"`
	Patterns []Pattern `json:"patterns" jsonschema:"minItems=1"`
	// Message lengths in bytes; never decreasing.
	Lengths []int64  `json:"lengths" jsonschema:"minItems=1,minimum=1"`
	Methods []string `json:"methods" jsonschema:"minItems=1,uniqueItems=true"`
	// Methods that were measured apart: no figure of the rating is made of them.
	Apart *Apart `json:"apart,omitempty"`
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
	// In one loop over all processes.
	Messages int64 `json:"messages" jsonschema:"minimum=1"`
	// Rank that process 0 sends to first in a random pattern of at most 4096 processes, which follows from the seed.
	First int `json:"first,omitempty" jsonschema:"minimum=0"`
}

// Sample is one measurement: indices into the result's patterns, lengths and methods, and its times.
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
	// Seconds of all loops; maximum over the processes.
	Seconds float64 `json:"seconds" jsonschema:"exclusiveMinimum=0"`
	// Seconds: minimum over the processes that have messages.
	Min float64 `json:"seconds_min" jsonschema:"minimum=0"`
	// Seconds: mean over the processes that have messages; 0 if the run ended before it was known.
	Mean float64 `json:"seconds_mean" jsonschema:"minimum=0"`
	// Counted from 0; left out of the first pass.
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
	if p.apart != nil {
		r.Apart = &Apart{Methods: p.apart.like.Methods, Samples: m.Apart}
		r.Apart.derive(r)
	}
	r.Verdict = rating.NewVerdict(warnings(r, run), criteria(r, run.Err, p), signs(r, grids))
	return r
}

// plan sets what a plan says of the samples that were made by it.
func (r *Result) plan(p *Plan, samples []Sample) {
	r.Rules, r.Quick, r.Processes, r.MemoryPerProcess = p.Rules, p.Quick, p.Processes, p.Memory
	r.Lmax, r.Seed, r.Repetitions, r.Lengths, r.Samples = p.Lmax, p.Seed, p.Repetitions, p.Lengths, samples
	r.Within, r.AtMost, r.Passes = p.Within, p.AtMost.Seconds(), p.Config.Passes
	r.Count()
	for _, pattern := range p.Patterns {
		r.Patterns = append(r.Patterns, described(pattern))
	}
	for _, method := range p.Methods {
		r.Methods = append(r.Methods, method.String())
	}
}

// mostDrawn is the most processes of a random pattern whose first message is described: drawing takes time for each.
const mostDrawn = 4096

// described returns what a result says of a pattern.
func described(p patterns.Pattern) Pattern {
	d := Pattern{Name: p.Name, Kind: p.Kind, Processes: participants(p), Messages: p.Messages}
	if p.Kind == patterns.KindRandom && p.Processes <= mostDrawn {
		if list := p.Exchanges(0); len(list) > 0 {
			d.First = max(0, list[0].Dest)
		}
	}
	return d
}

// Count sets the number of passes by the samples, where the run's time said how many it has.
func (r *Result) Count() {
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
	list := append(rating.Common(r.Software, r.Machine, r.Period, r.Circumstances,
		"this rates one machine's memory, not an MPI or a network"), release36(r)...)
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

// criteria returns the criteria of a rating. Processes that share a processor take turns, so the times that b_eff is
// computed from don't overlap, and patterns whose processes need only few others seem faster than the machine.
func criteria(r *Result, err error, p *Plan) []rating.Criterion {
	finished, ended, whole := "the measurement was finished", err != nil, r.Derived.BEff > 0
	if ended && r.hasWhole() {
		finished, ended = "the measurement was finished, or has a whole pass", false
	}
	if err != nil {
		finished += fmt.Sprintf(" (it ended with: %v)", err)
	}
	wrong := r.Ended // where data were wrong
	advice := func(remedy string) string {
		if r.Quick { // which may have left it out by itself
			return often(r, ended).Remedy
		}
		return remedy
	}
	list := []rating.Criterion{
		rating.DataCriterion("all data were what had been sent", !strings.HasPrefix(wrong, rating.ErrWrongData.Error()),
			strings.TrimPrefix(wrong, rating.ErrWrongData.Error()+": "), "the MPI library or the network"),
		{Name: rating.Complete, Text: finished, Reached: !ended, Not: p.stopped(r, err), Remedy: goOn},
		{Name: "patterns", Reached: whole, Remedy: advice("leave out --patterns"),
			Text: fmt.Sprintf("all %d ring and %d random patterns are measured", allRings, allRandoms)},
		{Name: "methods", Text: "all 3 methods are measured", Remedy: advice("leave out --methods"),
			Reached: len(r.Methods) == int(methodCount) && (whole || !ended)},
		often(r, ended),
		rating.ProcessorsCriterion(r.Engine, r.Placement),
	}
	list = append(list, rating.LibraryCriterion(r.Engine)...)
	list = append(list, r.LongestCriterion("lmax", "Lmax", "the longest message, %s, is 1/128 of", r.Lmax,
		patterns.Lmax)...)
	return append(list, r.JoinedCriterion()...)
}

// Limited returns the longest message where it isn't the one that the memory there asks for, which makes the rating one
// of the class of this length; 0: it is of the full class.
func (r *Result) Limited() int64 { return r.LimitedTo(r.Lmax, patterns.Lmax) }

// Interval returns the interval of b_eff within the run; nil where it isn't known, and of models, of which nothing was
// measured.
func (r *Result) Interval() *rating.Interval {
	if r.Engine.Kind().Simulated {
		return nil
	}
	return r.Derived.BEffInterval
}

// Doubt returns b_eff with what is known of its error.
func (r *Result) Doubt() rating.Doubt {
	return rating.Doubt{Value: r.Derived.BEff, Within: r.Derived.BEffInterval, Model: r.Engine.Kind().Simulated}
}

// often returns the criterion about the number of repetitions; a run that ended early hasn't all.
func often(r *Result, ended bool) rating.Criterion {
	return rating.Criterion{Name: "repetitions",
		Text:    "each measurement is made 3 times, with full loops (not --quick)",
		Reached: !r.Quick && r.Repetitions == repetitions && !ended,
		Not:     "a preview (--quick): one repetition, short loops, short messages", Remedy: "leave out --quick"}
}

// goOn is the advice where a run was ended early.
const goOn = "go on with --resume: what was measured counts"

// stopped says how much of a run, or of the passes that it began, was measured when it ended with an error.
func (p *Plan) stopped(r *Result, err error) string {
	all := p.Measurements() / p.passes() * max(r.Passes, p.passes())
	if err == nil || all == 0 {
		return ""
	}
	return fmt.Sprintf("%v, at %.0f %%", err, 100*float64(len(r.Samples))/float64(all))
}

// Patterns that b_eff averages over (paper, Sec. 3; the number of randoms is release 3.6's).
const allRings, allRandoms = 6, 30

// hasAllPatterns reports whether the patterns are all that b_eff averages over.
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

// pingPong is the pattern of two processes, of which lists of results have figures.
const pingPong = "ping-pong"
