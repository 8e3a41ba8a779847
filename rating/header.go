package rating

import (
	"errors"
	"fmt"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// The results of all benchmarks embed the parts below. There are several parts, because each benchmark has its own
// fields between them, and the order of the fields is the document's.

// Identity is the beginning of every result document. Each schema restricts the benchmark and the versions.
type Identity struct {
	Benchmark     string `json:"benchmark"`
	SchemaVersion int    `json:"schema_version"`
	// SHA-256 in hex of this document without this field. It reveals accidental changes.
	Digest string `json:"digest,omitempty"`
	// The machine in its operators' words; left out if they give none.
	System *System `json:"system,omitempty"`
	// What beff export --public replaced by other names or hid, such as "2 nodes and 3 paths"; left out if nothing was.
	Replaced string `json:"replaced,omitempty"`
}

// CheckIdentity returns an error unless the document is of this benchmark, and of one of its schema versions up to
// newest. A program reads documents of its own and all earlier versions.
func (i *Identity) CheckIdentity(benchmark string, newest int) error {
	if i.Benchmark != benchmark || i.SchemaVersion < 1 || i.SchemaVersion > newest {
		return fmt.Errorf("benchmark %q, schema version %d: expected %s, version 1 to %d", i.Benchmark, i.SchemaVersion,
			benchmark, newest)
	}
	return nil
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
	// Other load during the measurement; left out if not known.
	Load *Load `json:"load,omitempty"`
	// Memory in bytes available to a process, the least share of a node's memory; left out if not known.
	MemoryAvailable int64 `json:"memory_there,omitempty" jsonschema:"minimum=0"`
	// The machine of a simulated result; left out of measured ones.
	Model *Model `json:"model,omitempty"`
	// Smallest step of the clock in seconds; left out if not known.
	ClockResolution float64 `json:"clock_resolution,omitempty" jsonschema:"minimum=0"`
}

// Fold gives the placement the form that it has in documents of many hosts.
func (m *Machine) Fold() { m.Placement = job.Fold(m.Placement) }

// Unfold gives the placement of a document an element for each host.
func (m *Machine) Unfold() (err error) {
	m.Placement, err = job.Unfold(m.Placement)
	return err
}

// MemoryShare returns the bytes of memory available to a process, or 0 if not known. If no process knows how much its
// node may use, it is the share of the memory of process 0's host, the first of the placement.
func (m Machine) MemoryShare() int64 {
	if m.MemoryAvailable > 0 || len(m.Placement) == 0 {
		return m.MemoryAvailable
	}
	return m.Host.Memory / int64(max(m.Placement[0].Processes, 1))
}

// PerNode returns the largest number of processes on a node, or 0 if not known.
func (m Machine) PerNode() int {
	return lists.Max(m.Placement, func(p job.Placement) int { return p.Processes })
}

// sameLength reports whether a longest message is the expected one, within a tenth. Users give the memory with which a
// node was sold, and systems report a little less; b_eff changes by less than 2 % with it.
func sameLength(have, want int64) bool { return 10*have >= 9*want && 9*have <= 10*want }

// LimitedTo returns the longest message or chunk of a result if it isn't the one that follows from the available memory
// by the benchmark's rule. It returns 0 if it is, or if the memory isn't known.
func (m Machine) LimitedTo(longest int64, by func(memory int64) int64) int64 {
	if there := m.MemoryShare(); there == 0 || sameLength(longest, by(there)) {
		return 0
	}
	return longest
}

// LongestCriterion returns the criterion that the longest message or chunk follows from the available memory, or none
// if that memory isn't known.
func (m Machine) LongestCriterion(name, class, text string, longest int64, by func(int64) int64) []Criterion {
	if m.MemoryAvailable == 0 {
		return nil
	}
	return []Criterion{{Name: name, Class: class + " = " + Bytes(longest), Reached: m.LimitedTo(longest, by) == 0,
		Text: fmt.Sprintf(text+" the memory available to a process, within 10 %% (%s)", Bytes(longest),
			Bytes(by(m.MemoryAvailable)))}}
}

// Period is the time of a run's measurement.
type Period struct {
	Started time.Time `json:"started"`
	// Seconds of the measuring phase; 0 if not known.
	WallSeconds float64 `json:"wall_seconds" jsonschema:"minimum=0"`
	// The resumptions of a run that had ended early; left out if it was measured in one part.
	Joined []Join `json:"joined,omitempty"`
	// Why the run ended early, in words; left out of a complete one.
	Ended string `json:"ended,omitempty"`
}

// EndError returns the error that ended a run early, or nil for a complete one.
func (p *Period) EndError(complete bool) error {
	switch {
	case complete:
		return nil
	case p.Ended == "":
		return ErrStopped
	}
	return errors.New(p.Ended)
}

// Circumstances holds what a run found in its environment, and what happened to it.
type Circumstances struct {
	// What the figures may depend on apart from the settings; left out by programs that didn't look.
	Environment *Environment `json:"environment,omitempty"`
	// Processes that made no progress for longer than the run's patience; a document names the first ones.
	Waits []Wait `json:"waits,omitempty" jsonschema:"maxItems=1000"`
}

// Verdict is the part of a result that a reader should see before the figures.
type Verdict struct {
	Warnings []Warning `json:"warnings" jsonschema:"maxItems=1000"`
	// All criteria are met, except those that only decide on a class.
	Valid    bool        `json:"valid"`
	Criteria []Criterion `json:"criteria"`
	// Something disturbed the run, so the verdict of a valid result is "valid, but noisy".
	Noisy bool `json:"noisy,omitempty"`
	// Signs of noise, each with the largest value of a quiet machine; left out if none is known.
	Signs []Sign `json:"signs,omitempty"`
	// Conditions that explain why the number is low, the one that explains most first; left out if none is known.
	Causes []Cause `json:"causes,omitempty"`
	// Code of the first cause that spoils the number: a valid result is then "valid, slowed"; left out if none does.
	Slowed string `json:"slowed,omitempty"`
}

// NewVerdict returns the verdict by these criteria and signs. Signs of noise are added to the warnings. Warnings and
// Criteria are never nil, because JSON's null is no list.
func NewVerdict(warnings []Warning, criteria []Criterion, signs []Sign) Verdict {
	signs = explained(signs)
	return Verdict{Warnings: list(append(Warnings(signs), warnings...)), Valid: Valid(criteria),
		Criteria: list(criteria), Noisy: Noisy(signs), Signs: WithoutRemedies(signs)}
}

// Explain adds the causes that follow from the evidence, with their warnings before all others. It sets the evidence's
// signs.
func (v *Verdict) Explain(e *Evidence) {
	e.Signs = v.Signs
	v.Causes = Causes(e)
	v.Slowed = slowedBy(v.Causes)
	if more := CauseWarnings(v.Causes, v.Warnings); len(more) > 0 { // the list is never nil
		v.Warnings = append(more, v.Warnings...)
	}
}

// list returns l, or an empty list for nil.
func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}
