package settings

// Timing is the rule by which the clocks of the processes give the time of a repetition.
type Timing string

// The timings (MPIBlib manual, 7.2.3; docs/studies/series.md has the table). ByLoop is IMB's way: repetitions follow
// each other without any synchronisation. The others have two untimed barriers before each repetition.
const (
	ByLoop   Timing = "loop"   // without synchronisation: the slowest process since its last repetition
	ByMax    Timing = "max"    // the slowest process since it left the barriers itself
	ByRoot   Timing = "root"   // until the root has left a barrier after the repetition, minus the time of a barrier
	ByGlobal Timing = "global" // from the root's start to the last process's end, by clocks whose offsets are measured
)

// Timings lists all timings.
var Timings = []Timing{ByLoop, ByMax, ByRoot, ByGlobal}
