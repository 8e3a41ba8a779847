package ior

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// Benchmark and SchemaVersion identify a result document. Documents of this benchmark begin with the second version,
// as the first one of others has no digest and no signs.
const (
	Benchmark     = "ior"
	SchemaVersion = 2
)

// Result is one run of tests of files by IOR's method by beff: where it was made, every sample, and the figures that
// follow from them.
type Result struct {
	rating.Identity
	rating.Software
	// Of the whole job.
	Processes int `json:"processes" jsonschema:"minimum=1"`
	// The tests, in their order.
	Tests      []Settings `json:"tests" jsonschema:"minItems=1"`
	FileSystem FileSystem `json:"file_system"`
	rating.Machine
	rating.Period
	rating.Circumstances
	// False if the run ended early; the document then has the samples until that time.
	Complete bool `json:"complete"`
	// Figures derived from the samples.
	Derived Derived `json:"derived"`
	rating.Verdict
	// Every phase that was measured.
	Samples []Sample `json:"samples"`
}

// FileSystem describes the file system that the files are on.
type FileSystem = rating.FileSystem

// Sample is one phase of a repetition. Times are from the first process that begins to the last one that ends.
type Sample struct {
	// Index into tests.
	Test int `json:"test" jsonschema:"minimum=0"`
	// Counted from 0.
	Repetition int    `json:"repetition" jsonschema:"minimum=0"`
	Access     Access `json:"access" jsonschema:"enum=write,enum=read,enum=stat,enum=delete,enum=find"`
	// Seconds in which files were opened.
	Open float64 `json:"open" jsonschema:"minimum=0"`
	// Seconds in which data were moved.
	Move float64 `json:"move" jsonschema:"minimum=0"`
	// Seconds in which files were closed.
	Close float64 `json:"close" jsonschema:"minimum=0"`
	// Seconds of all of it.
	Seconds float64 `json:"seconds" jsonschema:"minimum=0"`
	// Seconds of a transfer, the mean of the process that has the least one.
	Latency float64 `json:"latency" jsonschema:"minimum=0"`
	// Moved by all processes.
	Bytes int64 `json:"bytes" jsonschema:"minimum=0"`
	// Of all processes; of metadata these and the next ones are files, of find those that it has come by.
	Transfers int64 `json:"transfers" jsonschema:"minimum=0"`
	// Transfers of the process with the fewest.
	Least int64 `json:"least" jsonschema:"minimum=0"`
	// Transfers of the process with the most.
	Most int64 `json:"most" jsonschema:"minimum=0"`
	// Transfers of all processes at the stonewall; this and the next ones are left out of a test without one.
	WallTransfers int64 `json:"wall_transfers,omitempty" jsonschema:"minimum=0"`
	// Transfers of the process with the fewest.
	WallLeast int64 `json:"wall_least,omitempty" jsonschema:"minimum=0"`
	// Transfers of the process with the most.
	WallMost int64 `json:"wall_most,omitempty" jsonschema:"minimum=0"`
	// Seconds until then on the process that took longest.
	WallSeconds float64 `json:"wall_seconds,omitempty" jsonschema:"minimum=0"`
	// The room for files has ended the writing, not the stonewall.
	Full bool `json:"ended_by_room,omitempty"`
	// Of what was read, as far as the system tells.
	Pages *rating.Pages `json:"pages,omitempty"`
	// Files that find has found.
	Found int64 `json:"found,omitempty" jsonschema:"minimum=0"`
	// Transfers whose data were not what had been written; of find files that it hasn't found, or not come by.
	Wrong int64 `json:"wrong,omitempty" jsonschema:"minimum=0"`
	// The first of them.
	FirstWrong string `json:"first_wrong,omitempty"`
}

// Derived holds all figures derived from the samples.
type Derived struct {
	// A figure of each access of each test, in their order.
	Phases []Phase `json:"phases"`
	// Of an IO500-like set.
	Score *Score `json:"io500_like,omitempty"`
}

// Phase holds the figures of an access of a test over its repetitions.
type Phase struct {
	// Index into tests.
	Test   int    `json:"test" jsonschema:"minimum=0"`
	Access Access `json:"access" jsonschema:"enum=write,enum=read,enum=stat,enum=delete,enum=find"`
	// Of the best repetition; bytes per second. This and the next ones are 0 and left out of metadata.
	Most float64 `json:"most" jsonschema:"minimum=0"`
	// Of the worst repetition; bytes per second.
	Least float64 `json:"least" jsonschema:"minimum=0"`
	// Geometric mean over the repetitions; bytes per second.
	Mean float64 `json:"mean" jsonschema:"minimum=0"`
	// Interval of it between three repetitions or more; bytes per second.
	Interval *rating.Interval `json:"interval,omitempty"`
	// Transfers, operations per second, over the time in which data were moved; mean over the repetitions. Of metadata
	// files per second.
	Rate float64 `json:"rate" jsonschema:"minimum=0"`
	// Mean seconds of a repetition.
	Seconds float64 `json:"seconds" jsonschema:"minimum=0"`
}

// Bandwidth returns the bytes of a sample over all of its time, bytes per second.
func (s *Sample) Bandwidth() float64 {
	if !(s.Seconds > 0) {
		return 0
	}
	return float64(s.Bytes) / s.Seconds
}

// Rate returns the transfers of a sample over the time in which data were moved, per second.
func (s *Sample) Rate() float64 {
	if !(s.Move > 0) {
		return 0
	}
	return float64(s.Transfers) / s.Move
}

// all returns the transfers that all processes have made.
func (s *Sample) all(of *Settings) int64 {
	if of.WearOut || of.Stonewall == 0 {
		return s.Most
	}
	return s.Least
}

// Of returns the samples of an access of a test.
func (r *Result) Of(test int, a Access) []Sample {
	return lists.Where(r.Samples, func(s Sample) bool { return s.Test == test && s.Access == a })
}

// Phase returns the figures of an access of a test; nil if it wasn't measured.
func (r *Result) Phase(test int, a Access) *Phase {
	for i := range r.Derived.Phases {
		if p := &r.Derived.Phases[i]; p.Test == test && p.Access == a {
			return p
		}
	}
	return nil
}

// Derive returns every figure, computed from the samples alone.
func Derive(r *Result) Derived {
	d := Derived{Phases: []Phase{}}
	for test := range r.Tests {
		for _, a := range Accesses() {
			var bandwidths []float64
			p := Phase{Test: test, Access: a}
			list := r.Of(test, a)
			for s := range lists.Elements(list) {
				if r.Tests[test].Metadata == nil {
					bandwidths = append(bandwidths, s.Bandwidth())
				}
				p.Rate += s.Rate() / float64(len(list))
				p.Seconds += s.Seconds / float64(len(list))
			}
			if len(bandwidths) > 0 {
				p.Most, p.Least = slices.Max(bandwidths), slices.Min(bandwidths)
				if mean, interval := rating.Between(bandwidths); mean > 0 {
					p.Mean, p.Interval = min(max(mean, p.Least), p.Most), interval // whatever the logarithms round
				}
			}
			if len(list) > 0 {
				d.Phases = append(d.Phases, p)
			}
		}
	}
	of := *r
	of.Derived = d
	d.Score = of.score()
	return d
}

// Run holds the facts that a result needs besides plan and measurement.
type Run struct {
	rating.Run
	FileSystem FileSystem
}

// NewResult returns the result of a run with all figures derived from its samples.
func NewResult(p *Plan, m *Measured, run Run) *Result {
	r := &Result{
		Identity: run.Identity(Benchmark, SchemaVersion), Software: run.Software(), Machine: run.Machine(),
		Period: run.Period(m.WallSeconds), Circumstances: run.Circumstances(), Complete: run.Err == nil,
		Processes: p.Processes, Tests: p.Tests, FileSystem: run.FileSystem, Samples: m.Samples,
	}
	if r.Samples == nil {
		r.Samples = []Sample{}
	}
	r.Derived = Derive(r)
	r.Verdict = rating.NewVerdict(append(rating.Common(r.Software, r.Machine, r.Period, r.Circumstances,
		rating.OfFiles), r.filled()...), criteria(r, run.Err),
		append(r.memorySigns(), r.Load.Signs()...))
	return r
}

// FromMemory returns the part of what was read that was in the memory of the nodes before; NaN where it isn't known.
func (r *Result) FromMemory() float64 {
	var all rating.FromMemory
	for i := range r.Samples {
		if s := &r.Samples[i]; s.Access == Read && r.Tests[s.Test].Metadata == nil {
			all.Add(s.Pages, float64(s.Bytes))
		}
	}
	return all.Part()
}

// memorySigns returns the sign of data that were read from memory; none where that isn't known.
func (r *Result) memorySigns() []rating.Sign {
	part := r.FromMemory()
	if math.IsNaN(part) {
		return nil
	}
	remedy := stillCached
	switch {
	case r.Set() && len(r.full()) > 0:
		remedy = "write several times the memory: take a larger file system"
	case r.Set():
		remedy = "write several times the memory by a longer --stonewall, on several nodes"
	case slices.ContainsFunc(r.Tests, func(s Settings) bool { return s.Measures(Read) && !s.Cold }):
		remedy = "read cold by --cold, fill memory by -M, or write several times the memory"
	}
	return []rating.Sign{rating.MemorySign(part, r.FileSystem.Type, remedy)}
}

// stillCached is the remedy for files that a cold run has read from memory.
const stillCached = "this file system keeps in memory what it is asked to drop: fill memory by -M, or write more"

// coldCriterion returns the criterion of tests that are to read cold; none if there are no such ones.
func (r *Result) coldCriterion() []rating.Criterion {
	nodes, err := job.Nodes(r.Placement, r.Processes)
	e := rating.Elsewhere{Readers: r.Processes}
	for i := range r.Tests {
		if s := &r.Tests[i]; s.Cold && s.Measures(Read) {
			others := 0 // nobody knows who has written the files of another run
			if s.Write && err == nil {
				others = job.Elsewhere(nodes, s.Shift)
			}
			e = rating.Elsewhere{Readers: min(e.Readers, others), Of: r.Processes}
		}
	}
	if e.Of == 0 {
		return nil
	}
	return []rating.Criterion{rating.ColdCriterion(r.FromMemory(), e, r.FileSystem.Type, stillCached)}
}

// NoRoom is the code of the warning about writing that ended because there was no room for more.
const NoRoom = "room"

// full returns the first sample of each test whose writing ended because there was no room for more.
func (r *Result) full() (list []Sample) {
	for _, s := range r.Samples {
		if s.Full && (len(list) == 0 || list[len(list)-1].Test != s.Test) {
			list = append(list, s)
		}
	}
	return list
}

// filled returns a warning about writing that ended because there was no room for more, before its stonewall.
func (r *Result) filled() []rating.Warning {
	full := r.full()
	if len(full) == 0 {
		return nil
	}
	ended := lists.Each(full, func(s Sample) string {
		return fmt.Sprintf("%s after %.1f s", cmp.Or(r.Tests[s.Test].Name, "writing"), cmp.Or(s.WallSeconds, s.Seconds))
	})
	return []rating.Warning{{Code: NoRoom, Text: fmt.Sprintf("ended early, not at the stonewall of %g s: %s; what a "+
		"phase may take of nine tenths of the free space was full", r.Tests[full[0].Test].Stonewall,
		strings.Join(ended, ", ")), Remedy: "free some space, or take a larger file system"}}
}

// Wrong is what was not as it had been written: of data transfers, of metadata files; and the first of them.
type Wrong struct {
	Transfers, Files int64
	First            string
}

// WrongIn returns what was wrong in samples of some tests.
func WrongIn(tests []Settings, samples []Sample) (w Wrong) {
	for _, s := range samples {
		if tests[s.Test].Metadata == nil {
			w.Transfers += s.Wrong
		} else {
			w.Files += s.Wrong
		}
		w.First = cmp.Or(w.First, s.FirstWrong)
	}
	return w
}

// All returns the number of both.
func (w Wrong) All() int64 { return w.Transfers + w.Files }

func criteria(r *Result, err error) []rating.Criterion {
	finished := "the measurement was finished"
	if err != nil {
		finished += fmt.Sprintf(" (it ended with: %v)", err)
	}
	wrong := WrongIn(r.Tests, r.Samples)
	list := []rating.Criterion{
		{Name: rating.Complete, Text: finished, Reached: err == nil, Remedy: "measure again"},
		{Name: "errors", Text: fmt.Sprintf("error count (%d) == 0", wrong.All()), Reached: wrong.All() == 0,
			Not:    fmt.Sprintf("WRONG DATA: %d transfers or files were not what had been written", wrong.All()),
			Remedy: "the file system, or the MPI library, loses data: look there first"},
	}
	return slices.Concat(list, r.coldCriterion(), r.setCriteria(), rating.LibraryCriterion(r.Engine))
}

// Check returns an error if the measurements of a result from outside are wrong: a test or a sample that no run makes.
func (r *Result) Check() error {
	switch {
	case r.Benchmark != Benchmark || r.SchemaVersion != SchemaVersion:
		return fmt.Errorf("benchmark %q, schema version %d", r.Benchmark, r.SchemaVersion)
	case r.Processes < 1 || r.Processes > math.MaxInt32:
		return fmt.Errorf("%d processes", r.Processes)
	case !isTime(r.WallSeconds):
		return fmt.Errorf("measured for %v seconds", r.WallSeconds)
	case r.Complete != (r.Ended == ""):
		return fmt.Errorf("complete is %t, and it ended early by %q", r.Complete, r.Ended)
	}
	for i := range r.Tests {
		if err := r.Tests[i].Check(r.Processes); err != nil {
			return fmt.Errorf("test %d: %w", i, err)
		}
	}
	if err := r.Load.Check(r.Processes); err != nil {
		return err
	}
	if err := job.CheckPlacement(r.Placement, r.Processes); err != nil {
		return err
	}
	return r.checkSamples()
}

func (r *Result) checkSamples() error {
	type place struct {
		test, repetition int
		access           Access
	}
	seen := map[place]bool{}
	for i := range r.Samples {
		s := &r.Samples[i]
		at := place{s.Test, s.Repetition, s.Access}
		if err := r.checkSample(s); err != nil || seen[at] {
			return fmt.Errorf("sample %d: %w", i, cmp.Or(err, errTwice))
		}
		seen[at] = true
	}
	for test := range r.Tests {
		for n := range r.Tests[test].Repetitions {
			for _, a := range Accesses() {
				if r.Complete && r.Tests[test].Measures(a) && !seen[place{test, n, a}] {
					return fmt.Errorf("said to be complete, but repetition %d of %s of test %d is missing", n, a, test)
				}
			}
		}
	}
	return nil
}

var errTwice = errors.New("it is there twice")

func (r *Result) checkSample(s *Sample) error {
	if s.Test < 0 || s.Test >= len(r.Tests) || !r.Tests[s.Test].Measures(s.Access) || s.Repetition < 0 ||
		s.Repetition >= r.Tests[s.Test].Repetitions {
		return fmt.Errorf("repetition %d of %s of test %d is not one", s.Repetition, s.Access, s.Test)
	}
	of, processes := &r.Tests[s.Test], int64(r.Processes)
	for _, t := range []float64{s.Open, s.Move, s.Close, s.Seconds, s.Latency, s.WallSeconds} {
		if !isTime(t) {
			return fmt.Errorf("%v seconds", t)
		}
	}
	switch {
	case s.Access == Find:
		return s.checkFind(processes)
	case s.Least < 0 || s.Most < s.Least || s.Most > of.Transfers() || s.Transfers < s.Least*processes ||
		s.Transfers > s.Most*processes || s.Bytes != s.Transfers*of.unitBytes(s.Access) || s.Found != 0:
		return fmt.Errorf("%d transfers, %d to %d of a process, %d bytes", s.Transfers, s.Least, s.Most, s.Bytes)
	case of.Stonewall == 0 && (s.Least != s.Most || s.WallTransfers != 0 || s.WallSeconds != 0):
		return fmt.Errorf("a stonewall that the test hasn't, or %d to %d transfers", s.Least, s.Most)
	case s.WallLeast < 0 || s.WallMost < s.WallLeast || s.WallMost > s.Most ||
		s.WallTransfers < s.WallLeast*processes || s.WallTransfers > s.WallMost*processes:
		return fmt.Errorf("%d transfers at the stonewall, %d to %d of a process", s.WallTransfers, s.WallLeast,
			s.WallMost)
	case s.Pages != nil && (s.Access != Read || of.Metadata != nil):
		return fmt.Errorf("pages of %s", s.Access)
	case s.Wrong < 0 || s.Wrong > s.Transfers || (s.Wrong > 0) != (s.FirstWrong != ""):
		return fmt.Errorf("%d wrong transfers of %d", s.Wrong, s.Transfers)
	}
	return s.Pages.Check()
}

// checkFind checks a sample of find, whose processes come by as many files as their directories have.
func (s *Sample) checkFind(processes int64) error {
	switch {
	case s.Least < 0 || s.Most < s.Least || s.Most > most/processes || s.Transfers < s.Most ||
		s.Transfers > s.Most*processes || s.Bytes != 0 || s.WallTransfers != 0 || s.WallLeast != 0 || s.WallMost != 0:
		return fmt.Errorf("%d files, %d to %d of a process", s.Transfers, s.Least, s.Most)
	case s.Pages != nil:
		return errors.New("pages of find")
	case s.Found < 0 || s.Found > s.Transfers || s.Wrong < 0 || (s.Wrong > 0) != (s.FirstWrong != ""):
		return fmt.Errorf("%d found of %d files, %d wrong", s.Found, s.Transfers, s.Wrong)
	}
	return nil
}

// isTime reports whether a number can be seconds of a run.
func isTime(seconds float64) bool { return seconds >= 0 && seconds <= mostSeconds }

const mostSeconds = 1e12
