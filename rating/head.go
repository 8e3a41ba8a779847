package rating

import (
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// The results of all benchmarks embed the parts below. There are several, because each benchmark has fields of its own
// between them, and the order of the fields is that of the document.

// Identity is the beginning of every result document. Each schema sets the benchmark and the versions that it may have.
type Identity struct {
	Benchmark     string `json:"benchmark"`
	SchemaVersion int    `json:"schema_version"`
	// SHA-256 in hex of this document without this field. It reveals accidental changes.
	Digest string `json:"digest,omitempty"`
	// The machine in its operators' words; left out if they give none.
	System *System `json:"system,omitempty"`
}

// Software names the programs that measured.
type Software struct {
	// Version of the program.
	Beff string `json:"beff_version"`
	// The library through which the processes communicated.
	Engine mpi.Library `json:"engine"`
}

// Machine describes the hosts of the processes.
type Machine struct {
	// The machine of process 0.
	Host Host `json:"host"`
	// The ranks of each host.
	Placement []job.Placement `json:"placement"`
}

// Period is the time of a run's measurement.
type Period struct {
	Started time.Time `json:"started"`
	// Seconds of the measuring phase; 0: not known.
	WallSeconds float64 `json:"wall_seconds" jsonschema:"minimum=0"`
	// Where a run that had ended early was gone on with; left out if it was measured in one part.
	Joined []Join `json:"joined,omitempty"`
}

// Verdict is the part of a result that a reader should see before the figures.
type Verdict struct {
	Warnings []Warning `json:"warnings"`
	// All criteria are met.
	Valid    bool        `json:"valid"`
	Criteria []Criterion `json:"criteria"`
}

// NewVerdict returns the verdict by these criteria. Neither of its lists is nil, because JSON's null is no list.
func NewVerdict(warnings []Warning, criteria []Criterion) Verdict {
	return Verdict{Warnings: list(warnings), Valid: Valid(criteria), Criteria: list(criteria)}
}

// list returns l, or an empty list for nil.
func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}
