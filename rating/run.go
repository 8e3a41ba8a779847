package rating

import (
	"fmt"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// Release is the version of the program, recorded in every result.
const Release = "0.1.0"

// Run holds the facts about a run of any benchmark that a result needs in addition to plan and measurement. A result
// without a Library is never valid, because nothing is known of what was measured.
type Run struct {
	Version string // version of the program
	Library mpi.Library
	System  System
	Host    Host
	Layout  job.Layout
	Model   *Model // the simulated machine; nil for a real one
	Load    *Load  // other load of the hosts during the run; nil if not known
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

// Join is the resumption of a run that had ended early.
type Join struct {
	// Beginning of the later part.
	Started time.Time `json:"started"`
	// Number of samples, or of rows of a probe, in all earlier parts.
	Samples int `json:"samples" jsonschema:"minimum=0"`
	// Seconds of measurement in all earlier parts.
	WallSeconds float64 `json:"wall_seconds" jsonschema:"minimum=0"`
	// Facts that differ between both parts, which the user allowed; left out if there are none.
	Differences []string `json:"differences,omitempty"`
}

// Parts returns a sentence about the parts in which a run was measured, or "" for one part.
func (p *Period) Parts() string {
	if len(p.Joined) == 0 {
		return ""
	}
	var at []string
	for _, j := range p.Joined {
		at = append(at, fmt.Sprintf("after sample %d on %s", j.Samples, j.Started.Format(time.RFC1123Z)))
	}
	return fmt.Sprintf("measured in %d parts, joined %s", len(p.Joined)+1, strings.Join(at, ", "))
}

// joinedWarning returns the warning about a run that was measured in parts.
func (p *Period) joinedWarning() []Warning {
	if len(p.Joined) == 0 {
		return nil
	}
	return []Warning{{Code: "joined", Text: "the run was " + p.Parts(),
		Remedy: "the machine may have changed between the parts: compare the repetitions, or measure in one part"}}
}

// JoinedCriterion returns the criterion that all parts of a run were measured alike, if they were not.
func (p *Period) JoinedCriterion() []Criterion {
	all := lists.Unique(lists.Flat(p.Joined, func(j Join) []string { return j.Differences }))
	if len(all) == 0 {
		return nil
	}
	return []Criterion{{Name: "joined", Text: "all parts were measured in the same way (" + strings.Join(all,
		"; ") + ")"}}
}
