package rating

import (
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// The results of all benchmarks embed the parts below. They are several, as each benchmark has fields of its own
// between them and the order of the fields is that of the document.

// Identity is the beginning of every result document. Which benchmark and version it may have, each schema says.
type Identity struct {
	Benchmark     string `json:"benchmark"`
	SchemaVersion int    `json:"schema_version"`
	// SHA-256 in hex of this document without this field: against changes by mistake.
	Digest string `json:"digest,omitempty"`
	// What its people say of the machine; left out if nothing.
	System *System `json:"system,omitempty"`
}

// Software is the programs that measured.
type Software struct {
	// Version of the program.
	Beff string `json:"beff_version"`
	// What the processes communicated through.
	Engine mpi.Library `json:"engine"`
}

// Machine is where the processes ran.
type Machine struct {
	// The machine that process 0 ran on.
	Host Host `json:"host"`
	// Which ranks ran on which host.
	Placement []job.Placement `json:"placement"`
}

// Period is when a run measured, and for how long.
type Period struct {
	Started time.Time `json:"started"`
	// Seconds of the measuring phase; 0: not known.
	WallSeconds float64 `json:"wall_seconds" jsonschema:"minimum=0"`
}

// Verdict is what a reader should know of a rating before its figures.
type Verdict struct {
	Warnings []Warning `json:"warnings"`
	// All criteria are met.
	Valid    bool        `json:"valid"`
	Criteria []Criterion `json:"criteria"`
}

// NewVerdict returns the verdict by these criteria. Neither list is nil in it: JSON's null is no list.
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
