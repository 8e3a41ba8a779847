package flow

import (
	"io"
	"time"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
)

// Benchmark is a benchmark whose plan is made. M is the type of its measurement. A benchmark may also implement the
// interfaces below.
type Benchmark[M any] interface {
	// Decided returns the value from which all processes planned. A resumed run plans from it again.
	Decided() any
	// JournalBytes returns about how many bytes all samples need in a journal.
	JournalBytes() int64
	// Unit names the part of a measurement that a signal may interrupt, such as "row".
	Unit() string
	// Describe prints the plan.
	Describe(w io.Writer) error
	// Measure measures. The benchmark's own files are in directory, which is empty without a Filer. It is collective.
	Measure(directory string, watch rating.Observer[M]) (*M, error)
	// Samples returns the number of samples.
	Samples(m *M) int
	// Seconds returns the measured time in seconds of wall clock.
	Seconds(m *M) float64
	// Since returns the part of a measurement that an earlier state of it lacks, and whether there is any.
	Since(now, before *M) (M, bool)
	// Add adds such a part.
	Add(m *M, news M)
	// Report returns the result.
	Report(m *M, run rating.Run) report.Report
}

// Filer is a Benchmark that writes files while it measures.
type Filer interface {
	// Files returns the directory in which a run creates the directory of these files, empty for none, and whether the
	// files are kept.
	Files() (parent string, keep bool)
}

// Bounded is a Benchmark whose measurement has a longest duration.
type Bounded interface{ Longest() time.Duration }

// Trimmer is a Benchmark that can't resume with everything that a run has kept.
type Trimmer[M any] interface {
	// Trim drops everything from which the benchmark can't resume.
	Trim(m *M)
}

// Checker is a Benchmark that checks data.
type Checker[M any] interface {
	// Wrong returns the error of wrong data.
	Wrong(m *M) error
}

// Live is a Benchmark that prints while it measures, instead of the first screen of its result.
type Live[M any] interface {
	// Begin prints notes before the measurement.
	Begin(stderr io.Writer)
	// Show prints the new part of a measurement. The last call of a run is final.
	Show(w io.Writer, m *M, run rating.Run, final bool) error
}

// Previewer is a Benchmark that knows something about its result before the measurement.
type Previewer interface {
	// Preview returns lines to print before the first sample. The run has not begun.
	Preview(run rating.Run) []string
}

// SampleBytes is about the size of a sample in a journal, in which most are written twice.
const SampleBytes = 300
