package rating

import (
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// The results of all benchmarks embed the parts below. They are several, as each benchmark has fields of its own between
// them and the order of the fields is that of the document.

// Identity is the beginning of every result document. Which benchmark and version it may have, each schema says.
type Identity struct {
	Benchmark     string  `json:"benchmark"`
	SchemaVersion int     `json:"schema_version"`
	Digest        string  `json:"digest,omitempty" jsonschema:"description=SHA-256 in hex of this document without this field: against changes by mistake"`
	System        *System `json:"system,omitempty" jsonschema:"description=what its people say of the machine; left out if nothing"`
}

// Software is the programs that measured.
type Software struct {
	Beff   string      `json:"beff_version" jsonschema:"description=version of the program"`
	Engine mpi.Library `json:"engine" jsonschema:"description=what the processes communicated through"`
}

// Machine is where the processes ran.
type Machine struct {
	Host      Host            `json:"host" jsonschema:"description=the machine that process 0 ran on"`
	Placement []job.Placement `json:"placement" jsonschema:"description=which ranks ran on which host"`
}

// Period is when a run measured, and for how long.
type Period struct {
	Started     time.Time `json:"started"`
	WallSeconds float64   `json:"wall_seconds" jsonschema:"minimum=0,description=seconds of the measuring phase; 0: not known"`
}

// Verdict is what a reader should know of a rating before its figures.
type Verdict struct {
	Warnings []Warning   `json:"warnings"`
	Valid    bool        `json:"valid" jsonschema:"description=all criteria are met"`
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
