package host

import (
	"maps"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// Use is the use of a machine's processors during a run, as seen by one of the run's processes.
type Use struct {
	Numbers
	// Growth during the run of each counter of errors and congestion in the machine's networks.
	Counters map[string]int64
}

// Numbers are the parts of a Use that have the same size on all processes.
type Numbers struct {
	Process    int64   // process ID
	Seconds    float64 // duration of the run
	Own        float64 // processor seconds of this process in user mode
	Busy       float64 // processor seconds of all processes in user mode: kernel work may be for the run
	Stolen     float64 // processor seconds that a hypervisor gave to other guests
	Processors float64 // number of the machine's processors (0: nothing is known)
	Throttled  float64 // number of times that a hot processor was slowed down
	Average    float64 // load average of one minute before the run
	Slowest    float64 // lowest frequency of the processors on which the process ran, in Hz (0: not known)
	Fastest    float64 // the highest such frequency
	// The smallest CPU quota in processors (0: none), and what it did during the run.
	Quota, QuotaSeconds, QuotaPeriods, QuotaStopped float64
}

// Gather returns on rank 0 the use of each rank. The counters are only those of the first rank of each host, as far as
// a result has room for them. layout is rank 0's. It is collective.
func Gather(c mpi.Comm, layout *job.Layout, mine Use) (uses []Use, err error) {
	type counted struct {
		Numbers
		Counters int64
	}
	all, err := job.GatherNumbers(c, []counted{{mine.Numbers, int64(len(mine.Counters))}})
	if err != nil {
		return nil, err
	}
	from, err := job.Decide(c, func() (ranks []int, _ error) {
		room := int64(maxCounters)
		for _, on := range layout.Ranks {
			if n := all[on[0]][0].Counters; n > 0 && room > 0 {
				ranks, room = append(ranks, on[0]), room-n
			}
		}
		return ranks, nil
	})
	for rank := range all {
		uses = append(uses, Use{Numbers: all[rank][0].Numbers})
	}
	for _, rank := range from {
		counters, err := job.DecideOn(c, rank, func() (map[string]int64, error) { return mine.Counters, nil })
		if err != nil {
			return nil, err
		}
		if uses != nil {
			uses[rank].Counters = counters
		}
	}
	return uses, err
}

// tick is the step in seconds in which kernels count the time of each processor. So the time of a run may be wrong by
// one tick, which is more than the whole time of a run of some milliseconds.
const tick = 0.01

// maxCounters limits the number of counters in a result.
const maxCounters = 1000

// retransmitted is the counter of segments that TCP sent again. It doesn't matter for a job on one host, which sends no
// messages through a network.
const retransmitted = "tcp/RetransSegs"

// Load returns the load of a job's hosts, or nil if it isn't known on any host. uses holds the use that each rank of
// the job sees. The ranks of the embedded engine are one process.
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
		ownSeconds, counted := 0.0, map[int64]bool{} // counted holds the processes whose seconds are in the sum
		for _, r := range ranks {
			u := uses[r]
			if !counted[u.Process] {
				counted[u.Process] = true
				ownSeconds += u.Own
			}
			if u.Slowest > 0 {
				l.Slowest, l.Fastest = min(l.Slowest, u.Slowest), max(l.Fastest, u.Fastest)
			}
			l.Quota = worse(l.Quota, u.quota(layout.Placement[i]))
		}
		if others := max(0, first.Busy-ownSeconds-tick*first.Processors) / first.Seconds; others > l.Others {
			l.Others, l.Host, l.Processors = others, layout.Placement[i].Host, int(first.Processors)
		}
		l.Average, l.Throttled = max(l.Average, first.Average), l.Throttled+first.Throttled
		for _, name := range slices.Sorted(maps.Keys(first.Counters)) {
			if len(l.Counters) < maxCounters && (name != retransmitted || len(layout.Ranks) > 1) {
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

// quota returns the effect of a process's CPU quota, or nil without a quota. A cgroup counts the time of each processor
// that its processes use, so the part of the run follows from the processors that the job's processes of the host use.
func (u *Use) quota(at job.Placement) *rating.Quota {
	if u.Quota == 0 {
		return nil
	}
	processors := min(float64(at.Processes), u.Processors)
	return &rating.Quota{Processors: u.Quota, Throttled: u.QuotaSeconds, Periods: u.QuotaPeriods,
		ThrottledPeriods: u.QuotaStopped, Host: at.Host, Part: min(1, u.QuotaSeconds/(u.Seconds*processors))}
}

// worse returns the quota that took the larger part of a run. Either may be nil.
func worse(a, b *rating.Quota) *rating.Quota {
	if a == nil || b != nil && b.Part > a.Part {
		return b
	}
	return a
}
