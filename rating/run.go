package rating

import (
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// Release is the version of the program, recorded in every result.
const Release = "0.1.0"

// Run holds the facts about a run of any benchmark that a result needs in addition to plan and measurement. A result
// without a Library is never valid, because nothing is known of what was measured.
type Run struct {
	Version string // of the program
	Library mpi.Library
	System  System
	Host    Host
	Layout  job.Layout
	Model   *Model // of a simulated machine; nil for a real one
	Load    *Load  // of the hosts during the run; nil if not known
	Started time.Time
	// Resolution is the smallest step of the clock in seconds, or 0 if not known.
	Resolution float64
	Joined     []Join
	Waits      []Wait
	// Environment is nil if it isn't known.
	Environment *Environment
	Err         error // reason why the measurement ended early, or nil
}

// RunFromHeader returns the run that the header of a result describes. ended is the reason why it ended early, or nil.
func RunFromHeader(by Software, m Machine, p Period, c Circumstances, ended error) Run {
	return Run{Library: by.Engine, Host: m.Host, Layout: job.Layout{Placement: m.Placement, Memory: m.MemoryAvailable},
		Load: m.Load, Started: p.Started, Resolution: m.ClockResolution, Joined: p.Joined, Waits: c.Waits,
		Environment: c.Environment, Err: ended}
}

// Identity returns the first part of a benchmark's document, with the version of its schema.
func (r Run) Identity(benchmark string, version int) Identity {
	id := Identity{Benchmark: benchmark, SchemaVersion: version}
	if r.System != (System{}) {
		id.System = &r.System
	}
	return id
}

// Software returns the programs that measured.
func (r Run) Software() Software { return Software{Beff: r.Version, Engine: r.Library} }

// Machine returns the hosts of the processes.
func (r Run) Machine() Machine {
	return Machine{Host: r.Host, Placement: list(r.Layout.Placement), Load: r.Load, MemoryAvailable: r.Layout.Memory,
		Model: r.Model, ClockResolution: Picoseconds(r.Resolution)}
}

// Circumstances returns the run's environment and waits.
func (r Run) Circumstances() Circumstances { return Circumstances{r.Environment, r.Waits} }

// Period returns when the run began, and for how many seconds it measured.
func (r Run) Period(wall float64) Period {
	p := Period{Started: r.Started, WallSeconds: wall, Joined: r.Joined}
	if r.Err != nil {
		p.Ended = r.Err.Error()
	}
	return p
}
