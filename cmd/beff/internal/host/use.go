package host

import (
	"maps"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// Use is the use of a machine's processors during a run, as one of the run's processes sees it.
type Use struct {
	Process    int64   // its number in the operating system
	Seconds    float64 // of the run
	Own        float64 // processor seconds of this process outside of the kernel
	Busy       float64 // of all processes of the machine: the kernel's own work may be the run's
	Stolen     float64 // processor seconds that a hypervisor gave to other guests
	Processors float64 // of the machine; 0: nothing is known
	Throttled  float64 // times that a processor was slowed down because it was hot
	Average    float64 // load average of one minute before the run
	Slowest    float64 // lowest frequency of the processors that the process was on during the run, in Hz; 0: not known
	Fastest    float64 // the highest one
	// Counters of the machine's networks that tell of trouble, by how much each moved.
	Counters map[string]int64 `json:",omitempty"`
}

// tick is the step in seconds in which kernels count the time of each processor. So much of it may be from before a
// run, or the run's own time that isn't counted yet: of a run of some milliseconds it is all that is known.
const tick = 0.01

// mostCounters is the number of counters that a result has.
const mostCounters = 1000

// sentAgain counts the segments that TCP sent again. A job on one host has no messages on its way through a network.
const sentAgain = "tcp/RetransSegs"

// Load returns the load of the hosts of a job by the uses that its processes see, in the order of their ranks; nil if
// no host knows it. Ranks of the embedded engine are one process.
func Load(layout *job.Layout, governor string, uses []Use) *rating.Load {
	var l *rating.Load
	for i, ranks := range layout.Ranks {
		first := uses[ranks[0]]
		if first.Processors == 0 || !(first.Seconds > 0) {
			continue
		}
		if l == nil {
			l = &rating.Load{Governor: governor, Others: -1, Slowest: math.Inf(1)}
		}
		own, counted := 0.0, map[int64]bool{}
		for _, r := range ranks {
			u := uses[r]
			if !counted[u.Process] {
				counted[u.Process] = true
				own += u.Own
			}
			if u.Slowest > 0 {
				l.Slowest, l.Fastest = min(l.Slowest, u.Slowest), max(l.Fastest, u.Fastest)
			}
		}
		if others := max(0, first.Busy-own-tick*first.Processors) / first.Seconds; others > l.Others {
			l.Others, l.Host, l.Processors = others, layout.Placement[i].Host, int(first.Processors)
		}
		l.Average, l.Throttled = max(l.Average, first.Average), l.Throttled+first.Throttled
		for _, name := range slices.Sorted(maps.Keys(first.Counters)) {
			if len(l.Counters) < mostCounters && (name != sentAgain || len(layout.Ranks) > 1) {
				l.Counters = append(l.Counters, rating.Counter{Host: layout.Placement[i].Host, Name: name,
					Count: first.Counters[name]})
			}
		}
		l.Steal = max(l.Steal, first.Stolen/(first.Seconds*first.Processors))
	}
	if l != nil && l.Fastest == 0 {
		l.Slowest = 0
	}
	return l
}
