package flow

import (
	"io"
	"time"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
)

// Benchmark is a benchmark with a plan. M is the type of its measurement. A benchmark may also implement the other
// interfaces of this file.
type Benchmark[M any] interface {
	// Decided returns the value, decided on rank 0, from which all processes made the plan. The journal keeps it as
	// JSON, and a resumed run plans from it again.
	Decided() any
	// JournalBytes estimates how many bytes all samples take in a journal.
	JournalBytes() int64
	// Unit names the part of a measurement that is lost if the run ends in the middle of it, such as "row".
	Unit() string
	// Describe prints the plan.
	Describe(w io.Writer) error
	// Measure carries out the plan and passes samples to watch as they are measured. A Filer writes its files into
	// directory, which is "" for other benchmarks. If a run ends early, Measure returns an error, and the samples until
	// then if there are any. It is collective.
	Measure(directory string, watch rating.Observer[M]) (*M, error)
	// Samples returns the number of samples in a measurement.
	Samples(m *M) int
	// Seconds returns how long a measurement took by the wall clock.
	Seconds(m *M) float64
	// Since returns the part of the measurement now that is missing from its earlier state before. It returns false if
	// nothing is missing.
	Since(now, before *M) (M, bool)
	// Add adds a part that Since returned to a measurement.
	Add(m *M, part M)
	// Report derives the result of a measurement.
	Report(m *M, run rating.Run) report.Report
}

// Filer is a Benchmark that writes files while it measures.
type Filer interface {
	// Files returns the directory in which the run creates a directory for its files, or "" if the run writes none.
	// keep reports whether the files stay after the run.
	Files() (parent string, keep bool)
}

// Bounded is a Benchmark whose plan limits the time of the measurement.
type Bounded interface {
	// Longest returns the limit.
	Longest() time.Duration
}

// Trimmer is a Benchmark that resumes only after complete parts of a measurement.
type Trimmer[M any] interface {
	// Trim removes the samples of incomplete parts.
	Trim(m *M)
}

// Checker is a Benchmark that checks the data it moves.
type Checker[M any] interface {
	// Wrong returns an error that counts the wrong data, or nil if all data were right.
	Wrong(m *M) error
}

// Live is a Benchmark that prints rows while it measures, instead of a summary at the end.
type Live[M any] interface {
	// Begin prints notes before the measurement.
	Begin(stderr io.Writer)
	// Show prints the rows that are new in a measurement. final is set in the last call of a run.
	Show(w io.Writer, m *M, run rating.Run, final bool) error
}

// Previewer is a Benchmark that can tell the user something about the run before it measures.
type Previewer interface {
	// Preview returns lines to print before the first sample. run has no samples, end or duration yet.
	Preview(run rating.Run) []string
}

// SampleBytes is a typical number of bytes for one sample in a journal, including the second copy that the journal has
// of most samples.
const SampleBytes = 300
