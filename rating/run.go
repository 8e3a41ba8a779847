package rating

import (
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// Run is what a result needs to know of any benchmark's run besides plan and measurement.
type Run struct {
	Version string // of the program
	Library mpi.Library
	System  System
	Host    Host
	Layout  job.Layout
	Started time.Time
	Err     error // why the measurement ended early; nil: it is complete
}

// Identity returns the head of a document of a benchmark, in a version of its schema.
func (r Run) Identity(benchmark string, version int) Identity {
	id := Identity{Benchmark: benchmark, SchemaVersion: version}
	if r.System != (System{}) {
		id.System = &r.System
	}
	return id
}

// Software returns the programs that measured.
func (r Run) Software() Software { return Software{Beff: r.Version, Engine: r.Library} }

// Machine returns where the processes ran.
func (r Run) Machine() Machine { return Machine{Host: r.Host, Placement: list(r.Layout.Placement)} }

// Period returns when the run began, and how many seconds it measured.
func (r Run) Period(wall float64) Period { return Period{Started: r.Started, WallSeconds: wall} }
