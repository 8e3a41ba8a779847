package rating

import (
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// Release is the version of the program, in every result that it makes.
const Release = "0.1.0"

// Run holds the facts of any benchmark's run that a result needs besides plan and measurement. A result
// without a Library names nothing that was measured, and is never valid.
type Run struct {
	Version string // of the program
	Library mpi.Library
	System  System
	Host    Host
	Layout  job.Layout
	Model   *Model // of a simulated machine; nil: it is a real one
	Load    *Load  // of the hosts while the run measured; nil: not known
	Started time.Time
	// Resolution is the smallest step of the clock that was measured with, in seconds; 0: not known.
	Resolution float64
	Joined     []Join
	Waits      []Wait
	// Environment is nil if it isn't known.
	Environment *Environment
	Err         error // the reason why the measurement ended early; nil: it is complete
}

// RunAgain returns the run that the head of a result describes. Ended is the reason why it ended early; nil: it is
// complete.
func RunAgain(by Software, m Machine, p Period, waits []Wait, ended error) Run {
	return Run{Library: by.Engine, Host: m.Host, Layout: job.Layout{Placement: m.Placement, Memory: m.MemoryThere},
		Load: m.Load, Started: p.Started, Resolution: m.ClockResolution, Joined: p.Joined, Waits: waits, Err: ended}
}

// Identity returns the head of a benchmark's document, with the version of its schema.
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
	return Machine{Host: r.Host, Placement: list(r.Layout.Placement), Load: r.Load, MemoryThere: r.Layout.Memory,
		Model: r.Model, ClockResolution: Picoseconds(r.Resolution)}
}

// Circumstances returns how the run went beside its plan.
func (r Run) Circumstances() Circumstances { return Circumstances{r.Environment, r.Waits} }

// Period returns the beginning of the run, with the seconds that it measured.
func (r Run) Period(wall float64) Period {
	p := Period{Started: r.Started, WallSeconds: wall, Joined: r.Joined}
	if r.Err != nil {
		p.Ended = r.Err.Error()
	}
	return p
}
