package rating

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
)

// Class holds the properties that the ratings in one section of a list share. Class, number of processes and processes
// per node together are the class in which results are ranked (docs/glossary.md), as a rating of 512 processes can't be
// compared with one of 128. This type leaves out the sizes because a section lists all sizes, with ranks over all of
// them at the end, as the paper's Table 1 does.
type Class struct {
	Benchmark string
	Rules     string
	Engine    Engine
	// Where messages were, such as "cuda:device, staged"; empty for the host's memory.
	Memory string
	// Bytes of the longest message of b_eff, or chunk of b_eff_io, if it isn't the one that follows from the machine's
	// memory; 0 for the full class.
	Limited int64
}

// Engine is the kind of engine that measured a rating. Lists have the sections of lower ones first.
type Engine int

// The kinds of engines.
const (
	MPI Engine = iota
	Simulated
	Embedded
	SHMEM
)

// EngineOf returns the kind of an engine.
func EngineOf(k mpi.EngineKind) Engine {
	switch {
	case k.Simulated:
		return Simulated
	case k.Embedded:
		return Embedded
	case k.SHMEM:
		return SHMEM
	}
	return MPI
}

// String returns the kind in words.
func (e Engine) String() string {
	return [...]string{"MPI", "simulated network", "embedded engine", "OpenSHMEM"}[e]
}

// longest names the longest message or chunk of a benchmark.
var longest = map[string]string{"b_eff": "Lmax", "b_eff_io": "M_PART"}

// String returns the class in words.
func (c Class) String() string {
	switch c.Benchmark {
	case "probe":
		return strings.TrimSuffix(fmt.Sprintf("probes, %v, %s", c.Engine, c.Memory), ", ")
	case "foreign":
		return c.Rules
	}
	size := "full " + longest[c.Benchmark]
	if c.Limited > 0 {
		size = fmt.Sprintf("class %s = %s", longest[c.Benchmark], Bytes(c.Limited))
	}
	return fmt.Sprintf("%s, %v, rules %s, %s", c.Benchmark, c.Engine, c.Rules, size)
}
