package measured

import (
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Series holds the time of each repetition, in whole picoseconds: no clock is finer. The figures of a row that has
// series follow from them (Statistics).
type Series struct {
	// Name of the time, of kernels that have several: t_ovrl, t_pure, t_cpu, t_passive.
	Time string `json:"time,omitempty" jsonschema:"enum=t_ovrl,enum=t_pure,enum=t_cpu,enum=t_passive"`
	// Number of the group, where each one is shown.
	Group int `json:"group,omitempty" jsonschema:"minimum=0"`
	// Why it has no more repetitions.
	Ended settings.Ending `json:"ended" jsonschema:"enum=precision,enum=most,enum=time"`
	// Picoseconds: the time by the timing method. Timing root may leave less than nothing.
	Max []int64 `json:"max_ps"`
	// Picoseconds of the process that took least, and the mean of all; left out where it is one process' time.
	Min  []int64 `json:"min_ps,omitempty"`
	Mean []int64 `json:"mean_ps,omitempty"`
}
