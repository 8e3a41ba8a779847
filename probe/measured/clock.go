package measured

import (
	"math"
)

// Clock holds the properties of the clock from which times were read.
type Clock struct {
	// All processes read the same clock.
	Global bool `json:"global,omitempty"`
	// Seconds between two ticks: the largest value of all processes, or process 0's value with the timing root.
	Resolution float64 `json:"resolution" jsonschema:"minimum=0"`
	// Seconds that a reading takes: the median of two successive readings, on the slowest process.
	Reading float64 `json:"reading" jsonschema:"minimum=0"`
}

// Offsets holds the offsets of the processes' clocks from the clock of their group's process 0, in the order of the
// groups and their ranks. An offset is positive if the clock is ahead.
type Offsets struct {
	// Before and after the row.
	Before Look `json:"before"`
	After  Look `json:"after"`
	// Largest half width of the intervals that contain the offsets, in seconds.
	Uncertainty float64 `json:"uncertainty" jsonschema:"minimum=0"`
	// Drift with the largest absolute value, in seconds per second.
	Drift float64 `json:"drift,omitempty"`
}

// Look is one comparison of the clocks.
type Look struct {
	// Seconds on each process's own clock at the comparison.
	At []float64 `json:"at"`
	// Offsets in seconds.
	Offsets []float64 `json:"offsets"`
	// Half widths of the intervals that contain the offsets, in seconds.
	Uncertainties []float64 `json:"uncertainties"`
}

// Add adds the time, the offset and the uncertainty of a process's clock, in seconds.
func (l *Look) Add(at, offset, uncertainty float64) {
	whole := func(x float64) float64 { return math.Round(x*1e12) / 1e12 }
	l.At, l.Offsets = append(l.At, whole(at)), append(l.Offsets, whole(offset))
	l.Uncertainties = append(l.Uncertainties, whole(uncertainty))
}
