package measured

import (
	"math"
)

// Clock holds the properties of the clock that times were read from.
type Clock struct {
	// All processes read the same clock.
	Global bool `json:"global,omitempty"`
	// Seconds between two ticks: of timing root process 0's, else the largest of all processes.
	Resolution float64 `json:"resolution" jsonschema:"minimum=0"`
	// Seconds that a reading takes: the median of two readings in a row, the largest of all processes.
	Reading float64 `json:"reading" jsonschema:"minimum=0"`
}

// Offsets holds the processes' clocks against that of their group's process 0, in the order of the groups and their
// ranks. A positive offset is a clock that is ahead.
type Offsets struct {
	// Before and after the row.
	Before Look `json:"before"`
	After  Look `json:"after"`
	// Largest half width of the intervals that the offsets lie in, seconds.
	Uncertainty float64 `json:"uncertainty" jsonschema:"minimum=0"`
	// Drift that is largest in size, seconds per second.
	Drift float64 `json:"drift,omitempty"`
}

// Look is one look at the clocks.
type Look struct {
	// Seconds on each process' own clock.
	At []float64 `json:"at"`
	// Seconds.
	Offsets []float64 `json:"offsets"`
	// Seconds: half widths of the intervals that the offsets lie in.
	Uncertainties []float64 `json:"uncertainties"`
}

// Add adds a process' clock, its offset and its uncertainty.
func (l *Look) Add(at, seconds, uncertainty float64) {
	whole := func(x float64) float64 { return math.Round(x*1e12) / 1e12 }
	l.At, l.Offsets = append(l.At, whole(at)), append(l.Offsets, whole(seconds))
	l.Uncertainties = append(l.Uncertainties, whole(uncertainty))
}
