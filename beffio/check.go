package beffio

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

const (
	// maxSeconds and maxRate exceed any run and any machine. Sums and products of smaller values stay finite.
	maxSeconds = 1e12
	maxRate    = 1e30
	maxMemory  = 1 << 60
	// sumTolerance allows for bytes summed as float64 over the processes.
	sumTolerance = 1e-12
	// partTolerance allows for differences of clock readings, which may make a time of 0 negative.
	partTolerance = 1e-9
)

// Check returns an error if the measurements of a result that beff may not have written are wrong: a list that no
// benchmark makes, an index out of range, a time that no clock gives, or bytes that the calls didn't move. Derive and
// all outputs work on a result that passes. Verify of report/ofbeffio proves that figures and verdict follow from the
// samples.
func (r *Result) Check() error {
	return lists.Try([]func() error{r.checkHead, r.checkPartitions, r.checkPatterns, r.checkHints, r.checkFiles,
		r.checkSamples, r.checkErrors}, func(check func() error) error { return check() })
}

func (r *Result) checkHead() error {
	if err := r.CheckIdentity(Benchmark, SchemaVersion); err != nil {
		return err
	}
	switch f := &r.FileSystem; {
	case r.Rules != RulesPaper && r.Rules != Rules21:
		return fmt.Errorf("unknown rules %q", r.Rules)
	case r.Processes < 1 || r.Processes > math.MaxInt32:
		return fmt.Errorf("%d processes", r.Processes)
	case r.MemoryPerProcess < 1 || r.MemoryPerProcess > maxMemory || r.TotalMemory < 0 || r.TotalMemory > maxMemory:
		return fmt.Errorf("%d bytes of memory per process, %d of all nodes", r.MemoryPerProcess, r.TotalMemory)
	case r.MaxBytes < 0 || f.Size < 0 || f.Free < 0 || f.FreeFiles < 0:
		return fmt.Errorf("files of at most %d bytes on %d of %d free bytes and %d inodes", r.MaxBytes, f.Free, f.Size,
			f.FreeFiles)
	case !isTime(r.Duration) || r.Duration == 0:
		return fmt.Errorf("scheduled for %v seconds", r.Duration)
	case !(r.Within >= 0 && r.Within < 1) || !isTime(r.AtMost) || (r.Within > 0) != (r.AtMost > 0):
		return fmt.Errorf("rounds until b_eff_io is known within %v, in %v seconds", r.Within, r.AtMost)
	case r.Cold.check(r.Partitions) != nil:
		return r.Cold.check(r.Partitions)
	case !isTime(r.WallSeconds):
		return fmt.Errorf("measured for %v seconds", r.WallSeconds)
	case r.Complete != (r.Ended == ""):
		return fmt.Errorf("complete is %t, but the run ended early with %q", r.Complete, r.Ended)
	}
	if err := r.Load.Check(r.Processes); err != nil {
		return err
	}
	if err := rating.CheckQuantiles(r.Quantiles); err != nil {
		return err
	}
	return job.CheckPlacement(r.Placement, r.Processes)
}

func (r *Result) checkPartitions() error {
	if n := len(r.Partitions); n < 1 || n > maxPartitions {
		return fmt.Errorf("%d partitions", n)
	}
	for i, n := range r.Partitions {
		if n < 1 || n > r.Processes {
			return fmt.Errorf("a partition of %d processes in a job of %d", n, r.Processes)
		}
		if slices.Contains(r.Partitions[:i], n) {
			return fmt.Errorf("the partition of %d processes occurs twice", n)
		}
	}
	return nil
}

// checkPatterns returns an error unless the patterns are those in the paper's Table 2.
func (r *Result) checkPatterns() error {
	if want := patterns.MPart(r.MemoryPerProcess); r.MPart != want {
		return fmt.Errorf("longest chunk of %d bytes, but %d bytes of memory per process give %d", r.MPart,
			r.MemoryPerProcess, want)
	}
	table := patterns.IO(r.MPart)
	if len(r.Patterns) != len(table) {
		return fmt.Errorf("%d patterns: want %d", len(r.Patterns), len(table))
	}
	for i, row := range table {
		if want := (Pattern{row.Number, row.Type, row.Disk, row.Memory, row.Units}); r.Patterns[i] != want {
			return fmt.Errorf("pattern %d is %v, but %v in the paper's table", i, r.Patterns[i], want)
		}
	}
	return nil
}

func (r *Result) checkHints() error {
	for i, h := range r.Hints {
		if h.Type != nil && h.Type.String() == "" || h.Access != "" && !slices.Contains(Accesses(), h.Access) ||
			h.Processes < 0 {
			return fmt.Errorf("hint %d is for a type, an access method or a partition that doesn't exist", i)
		}
	}
	for i, h := range r.HintsInForce {
		if err := r.checkPlace(h.Partition, h.Access, TypeNamed(h.Type)); err != nil {
			return fmt.Errorf("hints in force %d: %w", i, err)
		}
	}
	return nil
}

// TypeNamed returns the pattern type with a name, or -1 if there is none.
func TypeNamed(name string) patterns.IOType {
	for _, t := range Types() {
		if t.String() == name {
			return t
		}
	}
	return -1
}

// measures reports whether an access method measures a pattern type.
func (r *Result) measures(a Access, t patterns.IOType) bool { return a.measures(t, r.RewriteAll) }

func (r *Result) checkPlace(partition int, a Access, t patterns.IOType) error {
	switch {
	case partition < 0 || partition >= len(r.Partitions):
		return fmt.Errorf("partition %d of %d", partition, len(r.Partitions))
	case !slices.Contains(Accesses(), a):
		return fmt.Errorf("unknown access method %q", a)
	case t.String() == "":
		return fmt.Errorf("unknown pattern or type")
	case !r.measures(a, t):
		return fmt.Errorf("%s of type %v, but only type %v is rewritten", a, t, patterns.Scatter)
	}
	return nil
}

// sampleKey identifies a sample by its pattern, or a file by its pattern type.
type sampleKey struct {
	partition           int
	access              Access
	number, pass, round int
}

// missing returns a pattern that a complete result must have, but whose key isn't in seen. number returns the number of
// a pattern's keys. If none is missing, missing returns nil.
func (r *Result) missing(seen map[sampleKey]bool, number func(*Pattern) int) (p *Pattern, a Access, processes int) {
	rounds := max(1, rounds(r.Samples))
	for n, processes := range r.Partitions {
		for _, a := range Accesses() {
			for p := range lists.Elements(r.Patterns) {
				for round := range rounds {
					if r.Complete && r.measures(a, p.Type) && !seen[sampleKey{n, a, number(p), 0, round}] {
						return p, a, processes
					}
				}
			}
		}
	}
	return nil, "", 0
}

func (r *Result) checkFiles() error {
	seen := map[sampleKey]bool{}
	for i, f := range r.Files {
		if err := r.checkFile(f); err != nil {
			return fmt.Errorf("file %d: %w", i, err)
		}
		at := sampleKey{f.Partition, f.Access, int(TypeNamed(f.Type)), f.Pass, f.Round}
		if seen[at] {
			return fmt.Errorf("file %d: %s of type %s, partition %d, occurs twice", i, f.Access, f.Type, f.Partition)
		}
		seen[at] = true
	}
	if p, a, n := r.missing(seen, func(p *Pattern) int { return int(p.Type) }); p != nil {
		return fmt.Errorf("complete is true, but the file of %s of type %v on %d processes is missing", a, p.Type, n)
	}
	return nil
}

// checkPass returns an error for a round that the run can't have, or a later pass of an access other than read.
func (r *Result) checkPass(a Access, pass, round int) error {
	if round < 0 || round >= maxRounds || r.Within == 0 && round > 0 {
		return fmt.Errorf("round %d of %s", round, a)
	}
	if pass < 0 || pass >= maxPasses || a != Read && pass > 0 {
		return fmt.Errorf("pass %d of %s", pass, a)
	}
	return nil
}

func (r *Result) checkFile(f FileSample) error {
	if err := r.checkPlace(f.Partition, f.Access, TypeNamed(f.Type)); err != nil {
		return err
	}
	if err := errors.Join(r.checkPass(f.Access, f.Pass, f.Round), f.Pages.Check()); err != nil {
		return err
	}
	switch {
	case f.Pages != nil && f.Access != Read:
		return fmt.Errorf("pages in memory of %s", f.Access)
	case !isTime(f.Open) || !isTime(f.Close):
		return fmt.Errorf("opened in %v and closed in %v seconds", f.Open, f.Close)
	}
	return errors.Join(f.OpenCall.check(r.Partitions[f.Partition], r.Quantiles),
		f.CloseCall.check(r.Partitions[f.Partition], r.Quantiles))
}

func (r *Result) checkSamples() error {
	seen := make(map[sampleKey]bool, len(r.Samples))
	bytes, errors := int64(0), int64(0)
	for i, s := range r.Samples {
		if err := r.checkSample(s); err != nil {
			return fmt.Errorf("sample %d: %w", i, err)
		}
		at := sampleKey{s.Partition, s.Access, s.Pattern, s.Pass, s.Round}
		if seen[at] {
			return fmt.Errorf("sample %d: %s of pattern %d, partition %d, occurs twice", i, s.Access, s.Pattern,
				s.Partition)
		}
		seen[at] = true
		if s.Bytes > math.MaxInt64-bytes || s.Errors > math.MaxInt64-errors {
			return fmt.Errorf("sample %d: all samples together have more bytes or errors than can be counted", i)
		}
		bytes, errors = bytes+s.Bytes, errors+s.Errors
	}
	if p, a, n := r.missing(seen, func(p *Pattern) int { return p.Number }); p != nil {
		return fmt.Errorf("complete is true, but pattern %d has no sample of %s on %d processes", p.Number, a, n)
	}
	return nil
}

func (r *Result) checkSample(s Sample) error {
	if err := r.checkPlace(s.Partition, s.Access, r.typeOf(s.Pattern)); err != nil {
		return err
	}
	if err := r.checkPass(s.Access, s.Pass, s.Round); err != nil {
		return err
	}
	if s.Errors < 0 {
		return fmt.Errorf("%d errors", s.Errors)
	}
	switch rate := float64(s.Bytes) / s.Seconds; {
	case !isTime(s.Seconds) || s.Seconds == 0 || !isRate(rate):
		return fmt.Errorf("%d bytes in %v seconds", s.Bytes, s.Seconds)
	case !isTime(s.Scheduled):
		return fmt.Errorf("scheduled for %v seconds", s.Scheduled)
	}
	if err := checkCalls(s, *r.Pattern(s.Pattern)); err != nil {
		return err
	}
	if s.Blocks != nil {
		if err := s.Blocks.check(&s); err != nil {
			return err
		}
	}
	if s.Times != nil {
		if err := s.Times.check(&s, r.Partitions[s.Partition]); err != nil {
			return err
		}
	}
	if (s.Times != nil) != (len(r.Quantiles) > 0 && s.Pass == 0 && s.Calls > 0) {
		return fmt.Errorf("quantiles %v, pass %d, %d calls, but times of single calls: %t", r.Quantiles, s.Pass,
			s.Calls, s.Times != nil)
	}
	if err := r.checkSlow(&s); err != nil {
		return err
	}
	return checkParts(s)
}

// checkCalls returns an error unless the calls moved the sample's bytes. Each call moves the chunk in memory. The fill
// of a segment may be empty, and is shorter than the unit to which the segment is rounded up.
func checkCalls(s Sample, p Pattern) error {
	wrong := fmt.Errorf("pattern %d: %d calls, %d of process 0, moved %d bytes", p.Number, s.Calls, s.Repetitions,
		s.Bytes)
	if s.Repetitions < 0 || s.Calls < s.Repetitions || s.Bytes < 0 {
		return wrong
	}
	calls := float64(s.Calls)
	if p.Memory == 0 {
		if float64(s.Bytes) >= max(calls*round, 1) {
			return wrong
		}
		return nil
	}
	if s.Repetitions == 0 || math.Abs(calls*float64(p.Memory)-float64(s.Bytes)) > sumTolerance*float64(s.Bytes) {
		return wrong
	}
	return nil
}

// checkParts checks the parts of a pattern's time. They are maxima over the processes, so on a crowded machine they may
// exceed process 0's total time.
func checkParts(s Sample) error {
	for _, part := range []struct {
		name    string
		seconds float64
	}{
		{"view", s.View}, {"marks", s.Marks}, {"io", s.IO}, {"barrier", s.Barrier}, {"broadcast", s.Broadcast},
		{"sync", s.Sync}, {"last_io", s.LastIO}, {"last_barrier", s.LastBarrier},
	} {
		if !isTime(part.seconds + partTolerance) {
			return fmt.Errorf("%v seconds of %s", part.seconds, part.name)
		}
	}
	if most := s.IO*(1+rating.Tolerance) + partTolerance; s.LastIO > most {
		return fmt.Errorf("the last call took %v of %v seconds", s.LastIO, s.IO)
	}
	return nil
}

var hexadecimal = regexp.MustCompile(`^0x[0-9a-f]{1,16}$`)

func (r *Result) checkErrors() error {
	if most := maxErrors * mpi.MaxMismatches; len(r.Errors) > most {
		return fmt.Errorf("%d errors are described, want at most %d", len(r.Errors), most)
	}
	for _, s := range r.Samples {
		if s.Errors > 0 && len(r.Errors) == 0 {
			return fmt.Errorf("the sample of %s of pattern %d counts %d errors, but none is described", s.Access,
				s.Pattern, s.Errors)
		}
	}
	for i, e := range r.Errors {
		if err := r.checkPlace(e.Partition, e.Access, r.typeOf(e.Pattern)); err != nil {
			return fmt.Errorf("error %d: %w", i, err)
		}
		switch {
		case e.Rank < 0 || e.Rank >= r.Partitions[e.Partition] || e.Repetition < 0 || e.Chunk < 0 || e.Offset < 0:
			return fmt.Errorf("error %d: rank %d of %d, repetition %d, chunk %d, offset %d", i, e.Rank,
				r.Partitions[e.Partition], e.Repetition, e.Chunk, e.Offset)
		case !hexadecimal.MatchString(e.Expected) || !hexadecimal.MatchString(e.Found):
			return fmt.Errorf("error %d: expected %q, found %q", i, e.Expected, e.Found)
		case !e.isOf(r.Samples):
			return fmt.Errorf("error %d: the sample of %s of pattern %d counts none", i, e.Access, e.Pattern)
		}
	}
	return nil
}

// isTime reports whether seconds can come from a clock, and are few enough that sums stay finite.
func isTime(seconds float64) bool { return rating.IsTime(seconds) && seconds <= maxSeconds }

// isRate reports whether bytes per second are in the possible range.
func isRate(x float64) bool { return x >= 0 && x <= maxRate }
