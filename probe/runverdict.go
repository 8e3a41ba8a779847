package probe

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
)

// Judged is the verdict on a probe, without its warnings.
type Judged struct {
	// True if all criteria are met.
	Valid    bool               `json:"valid,omitempty"`
	Criteria []rating.Criterion `json:"criteria,omitempty"`
	// True if the run was disturbed: the verdict of a valid result is then "valid, but noisy".
	Noisy bool `json:"noisy,omitempty"`
	// Signs of noise, each with the largest value of a quiet machine.
	Signs []rating.Sign `json:"signs,omitempty"`
	// Conditions that explain why figures are low, the one that explains most first.
	Causes []rating.Cause `json:"causes,omitempty"`
	// Code of the first cause that spoils the figures: a valid result is then "valid, slowed".
	Slowed string `json:"slowed,omitempty"`
}

// Verdict returns the verdict with the result's warnings.
func (r *Result) Verdict() rating.Verdict {
	return rating.Verdict{Warnings: r.Warnings, Valid: r.Valid, Criteria: r.Criteria, Noisy: r.Noisy, Signs: r.Signs,
		Causes: r.Causes, Slowed: r.Slowed}
}

// SetVerdict sets the verdict and the warnings.
func (r *Result) SetVerdict(v rating.Verdict) {
	r.Warnings = v.Warnings
	r.Judged = Judged{Valid: v.Valid, Criteria: v.Criteria, Noisy: v.Noisy, Signs: v.Signs, Causes: v.Causes,
		Slowed: v.Slowed}
}

// JudgeRun returns the verdict that follows from the result.
func (r *Result) JudgeRun() Judged {
	defects, rows := int64(0), 0
	for _, row := range r.Rows() {
		defects += row.Defects
		if len(row.Derived) > 0 {
			rows++
		}
	}
	criteria := []rating.Criterion{
		rating.DataCriterion(fmt.Sprintf("all data are right (%d defects)", defects), defects == 0,
			fmt.Sprintf("%d places differ from the sent data", defects), "the MPI library or the network"),
		{Name: rating.Complete, Text: "the measurement was finished", Reached: r.Complete && rows > 0,
			Not: "stopped before the end", Remedy: "resume the run with --resume, which keeps the measured samples"},
		rating.ProcessorsCriterion(r.Engine, r.Placement),
	}
	criteria = append(append(criteria, r.threadsCriterion()...), rating.LibraryCriterion(r.Engine)...)
	signs := slices.Concat(r.signs(rows), r.memorySigns(), r.Load.Signs())
	return Judged{Valid: rating.Valid(criteria), Criteria: criteria, Noisy: rating.Noisy(signs), Signs: signs}
}

// threadsCriterion returns the criterion for processes with several threads.
func (r *Result) threadsCriterion() []rating.Criterion {
	threads := 1
	for i := range r.Blocks {
		if k, ok := r.Kernel(&r.Blocks[i]); ok && k.Builder.Threads.Of != nil {
			t := r.Settings.Threading
			threads = max(threads, k.Builder.Threads.Of(t, 0), k.Builder.Threads.Of(t, 1))
		}
	}
	if threads == 1 {
		return nil
	}
	placement := slices.Clone(r.Placement)
	for i := range placement {
		placement[i].Processes *= threads
	}
	own, known := job.OwnProcessors(placement)
	return []rating.Criterion{{Name: "threads", Text: "every thread has its own processor", Reached: own,
		Unknown: !known, Not: fmt.Sprintf("the %d threads of a process share processors with others", threads),
		Remedy: "let the launcher give each process that many processors: --bind-to none, or -c with Slurm"}}
}

// fromMemory returns the part of the bytes read that was in memory, or NaN if it is unknown.
func (r *Result) fromMemory() float64 {
	var all rating.FromMemory
	for _, row := range r.Rows() {
		if p := row.Pages; p != nil {
			all.Add(p, float64(p.Looked))
		}
	}
	return all.Fraction()
}

// memorySigns returns the sign of files that were read from memory though they had been dropped from it, or none if
// that is unknown. In other runs such reads aren't noise: IMB's method reads files that were just written.
func (r *Result) memorySigns() []rating.Sign {
	part := r.fromMemory()
	if math.IsNaN(part) || !r.Settings.Memory.Cold {
		return nil
	}
	of := ""
	if r.FileSystem != nil {
		of = r.FileSystem.Type
	}
	return []rating.Sign{rating.MemorySign(part, of, "this file system keeps data in memory although it was asked to "+
		"drop them")}
}

// signs returns the signs of noise in the rows.
func (r *Result) signs(rows int) []rating.Sign {
	if rows == 0 {
		return nil
	}
	off, first := 0, ""
	for b := range lists.Elements(r.Blocks) {
		k, ok := r.Kernel(b)
		if !ok || k.NoLength() {
			continue
		}
		for j, factor := range measured.Outliers(k, b) {
			if factor == 0 {
				continue
			}
			if off++; off == 1 {
				first = fmt.Sprintf(", first %s of %s, %d bytes: %s times the line through its neighbours", b.Name(),
					rating.Processes(b.Processes), b.Rows[j].Bytes, rating.Rounded(factor, 3))
			}
		}
	}
	return []rating.Sign{rating.NewSign("outliers", "measure again with --passes 5, and look for other load",
		float64(off), 0, fmt.Sprintf("%d of %d rows took ten times as long as their neighbours, or a tenth%s "+
			"(quiet: none)", off, rows, first))}
}
