package probe

import (
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

// Benchmark and SchemaVersion identify a result document.
const (
	Benchmark     = "probe"
	SchemaVersion = 1
)

// FurtherChecked is the largest number of repetitions that are run after the last timed one and checked like it: see
// Row.Checked.
const FurtherChecked = kernel.MostSingles

// Methods returns the titles of the methods by which the blocks were measured.
func (r *Result) Methods() string {
	of := lists.Each(r.Blocks, func(b measured.Block) kernel.Component { return b.Component })
	return suites.MethodsOf(&r.Settings, of)
}

// Result is one run of beff probe: kernels by the method of the Intel MPI Benchmarks, where they were measured, the
// times of each length, and the figures that follow from them.
type Result struct {
	rating.Identity
	rating.Software
	// The calling sequence.
	Command   string `json:"command"`
	Processes int    `json:"processes" jsonschema:"minimum=1"`
	rating.Machine
	// MPI_THREAD_SINGLE, or the level that the user asked for.
	ThreadLevel string `json:"thread_level"`
	rating.Period
	rating.Circumstances
	// False if the run ended early; the document then has the rows until that time.
	Complete bool              `json:"complete"`
	Settings settings.Settings `json:"settings"`
	// Calibration of the kernels that compute beside their communication.
	CPU measured.CPU `json:"cpu"`
	// The clock of series; left out without any.
	Clock    *measured.Clock  `json:"clock,omitempty"`
	Warnings []rating.Warning `json:"warnings" jsonschema:"maxItems=1000"`
	Judged
	// Where the files of kernels of metadata were; left out without any.
	FileSystem *rating.FileSystem `json:"file_system,omitempty"`
	// Libraries that were loaded before all others (LD_PRELOAD), which may stand in for those of the MPI library.
	Preloaded []string `json:"preloaded,omitempty"`
	// Factors of the processes, relative to 1: a block has the length times its factor, rounded down to bytes.
	Factors []float64 `json:"factors,omitempty"`
	// Kernels of the list that need other numbers of processes, of runs by today's IMB; left out without any.
	Refused []Refused `json:"refused,omitempty"`
	// How victims fare beside congestors; left out without any.
	Impacts []measured.Impact `json:"impacts,omitempty"`
	// A table for each kernel on each number of processes.
	Blocks []measured.Block `json:"blocks"`

	own map[string]*kernel.Kernel // of users: functions, and what a caller measured
}

// Refused is a kernel that needs another number of processes than the run has.
type Refused struct {
	Kernel    string           `json:"kernel"`
	Component kernel.Component `json:"component"`
	// The kernel with tables that follows in the list; left out of the list's last ones.
	Before string `json:"before,omitempty"`
}
