package probe

import (
	"errors"
	"iter"

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

// FurtherChecked is the largest number of repetitions that are run after the last timed one and checked like it
// (Row.Checked).
const FurtherChecked = kernel.MaxSingles

// Methods returns the titles of the methods by which the blocks were measured.
func (r *Result) Methods() string {
	of := lists.Each(r.Blocks, func(b measured.Block) kernel.Component { return b.Component })
	return suites.MethodsOf(&r.Settings, of)
}

// Result is one run of beff probe: the kernels, the place where they were measured, the times of each length, and the
// figures that follow from them.
type Result struct {
	rating.Identity
	rating.Software
	// The command line.
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
	// Calibration of the kernels that compute while they communicate.
	CPU measured.CPU `json:"cpu"`
	// The clock of series; absent if there are none.
	Clock    *measured.Clock  `json:"clock,omitempty"`
	Warnings []rating.Warning `json:"warnings" jsonschema:"maxItems=1000"`
	Judged
	// Where the files of metadata kernels were; absent if there are none.
	FileSystem *rating.FileSystem `json:"file_system,omitempty"`
	// Libraries that were loaded before all others (LD_PRELOAD), which may replace functions of the MPI library.
	Preloaded []string `json:"preloaded,omitempty"`
	// Factors of the processes, relative to 1: a block has the length times its factor, rounded down to bytes.
	Factors []float64 `json:"factors,omitempty"`
	// Kernels of the list that need other numbers of processes, in runs by IMB 2021.11; absent if there are none.
	Refused []Refused `json:"refused,omitempty"`
	// How much congestors slow victims down; absent without congestors.
	Impacts []measured.Impact `json:"impacts,omitempty"`
	// A table for each kernel on each number of processes.
	Blocks []measured.Block `json:"blocks"`

	own map[string]*kernel.Kernel // users' functions, and kernels that a caller measured
}

// Unfold gives the hosts and the blocks of a document the elements that ranges describe.
func (r *Result) Unfold() error { return errors.Join(r.Machine.Unfold(), measured.Unfold(r.Blocks)) }

// Rows iterates over the rows of all blocks.
func (r *Result) Rows() iter.Seq2[*measured.Block, *measured.Row] {
	return func(yield func(*measured.Block, *measured.Row) bool) {
		for b := range lists.Elements(r.Blocks) {
			for row := range lists.Elements(b.Rows) {
				if !yield(b, row) {
					return
				}
			}
		}
	}
}

// Refused is a kernel that needs another number of processes than the run has.
type Refused struct {
	Kernel    string           `json:"kernel"`
	Component kernel.Component `json:"component"`
	// The kernel with tables that follows in the list; absent if none follows.
	Before string `json:"before,omitempty"`
}
