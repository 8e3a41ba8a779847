package flow

import (
	"io"
	"time"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
)

// Benchmark is what is measured, with its plan made. M is the type of its measurement. What a benchmark has beyond it
// are the interfaces below.
type Benchmark[M any] interface {
	// Decided returns the value that all processes planned from. A run that goes on plans from it again.
	Decided() any
	// Room returns about how many bytes all samples need in a journal.
	Room() int64
	// Unit is the thing that a signal may come in the middle of, such as "row".
	Unit() string
	// Describe prints the plan.
	Describe(w io.Writer) error
	// Measure measures. Files of its own are in directory, which is empty without a Filer. All processes call it.
	Measure(directory string, watch rating.Observer[M]) (*M, error)
	// Samples returns the number of samples.
	Samples(m *M) int
	// Seconds returns the seconds of wall clock that were measured.
	Seconds(m *M) float64
	// Since returns the news of a measurement since an earlier state of it, and whether there are any.
	Since(now, before *M) (M, bool)
	// Add adds news.
	Add(m *M, news M)
	// Report returns the result.
	Report(m *M, run rating.Run) report.Report
}

// Filer is a Benchmark with files of its own.
type Filer interface {
	// Files returns the directory in which a run makes its own one, empty for none, and whether the files stay.
	Files() (parent string, keep bool)
}

// Bounded is a Benchmark that never takes longer than a time.
type Bounded interface{ Longest() time.Duration }

// Trimmer is a Benchmark that can't go on with everything that a run has kept.
type Trimmer[M any] interface {
	// Trim drops what can't be gone on with.
	Trim(m *M)
}

// Checker is a Benchmark that checks data.
type Checker[M any] interface {
	// Wrong returns the error of wrong data.
	Wrong(m *M) error
}

// Live is a Benchmark that prints while it measures, in place of the first screen of its result.
type Live[M any] interface {
	// Begin prints notes before the measurement.
	Begin(stderr io.Writer)
	// Show prints what is new of a measurement. It is final at the end of a run.
	Show(w io.Writer, m *M, run rating.Run, final bool) error
}

// Foreteller is a Benchmark that knows something of its result before the measurement.
type Foreteller interface {
	// Foretell returns lines that are printed before the first sample. The run has not begun.
	Foretell(run rating.Run) []string
}

// SampleBytes is about what a sample takes in a journal, where most are written twice.
const SampleBytes = 300
