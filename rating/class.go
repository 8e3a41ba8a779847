package rating

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// Class holds the properties that ratings of a section share. With the numbers of processes, and of those on a node, it
// is the class that ranks are of (docs/glossary.md): a rating of 512 processes is no answer to one of 128. The sizes
// are no part of this type, because a section shows them below each other, with the ranks over all of them behind: the
// paper's Table 1 has systems of all sizes in one table, too.
type Class struct {
	Benchmark string
	Rules     string
	Engine    Engine
	// Bytes of the longest message of b_eff, or chunk of b_eff_io, where it isn't the one that the memory there asks
	// for; 0: the full class.
	Limited int64
}

// Engine is the kind of engine that a rating was measured with. Lists have the sections of lower ones first.
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
		return fmt.Sprintf("probes, %v", c.Engine)
	case "foreign":
		return c.Rules
	}
	size := "full " + longest[c.Benchmark]
	if c.Limited > 0 {
		size = fmt.Sprintf("class %s = %s", longest[c.Benchmark], Bytes(c.Limited))
	}
	return fmt.Sprintf("%s, %v, rules %s, %s", c.Benchmark, c.Engine, c.Rules, size)
}
