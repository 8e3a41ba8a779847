package settings

import (
	"fmt"
)

// OSU holds the settings of the kernels of the OSU micro-benchmarks. A zero value means OSU's default.
type OSU struct {
	// Give each message of a window its own memory (-b multiple).
	Apart bool `json:"buffers_apart,omitempty"`
	// Calls of MPI_Test while a process computes during a nonblocking call (-t).
	Tests int `json:"tests,omitempty" jsonschema:"minimum=0"`
	// Who exchanges data in neighbourhood tests (-N, default: each process with its two neighbours in a ring).
	Neighbours *Neighbours `json:"neighbours,omitempty"`
}

// Limits of OSU's settings.
const (
	maxTests  = 1 << 16
	OSUWindow = 64   // messages of a window, by default
	OSULarge  = 8192 // bytes of the longest message that counts as small
)

// Check returns an error if no run can have the settings.
func (o *OSU) Check() error {
	if o.Tests < 0 || o.Tests > maxTests {
		return fmt.Errorf("want up to %d calls of MPI_Test, not %d", maxTests, o.Tests)
	}
	g := o.Graph()
	return g.Check()
}

// Graph returns the neighbours of neighbourhood tests.
func (o *OSU) Graph() Neighbours {
	if o.Neighbours == nil {
		return Neighbours{Dimensions: 1, Radius: 1}
	}
	return *o.Neighbours
}

// Synchronization is the way in which one of OSU's one-sided transfers is opened and completed (-s).
type Synchronization string

// The synchronizations.
const (
	ByFlush      Synchronization = "flush"
	ByFlushLocal Synchronization = "flush_local"
	ByLock       Synchronization = "lock"
	ByLockAll    Synchronization = "lock_all"
	ByPSCW       Synchronization = "pscw"
	ByFence      Synchronization = "fence"
)

// Synchronizations lists all synchronizations, the usual one first.
var Synchronizations = []Synchronization{ByFlush, ByFlushLocal, ByLock, ByLockAll, ByPSCW, ByFence}

// Answered reports whether the partner answers each transfer by a transfer back.
func (s Synchronization) Answered() bool { return s == ByPSCW || s == ByFence }
