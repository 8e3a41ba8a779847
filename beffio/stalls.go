package beffio

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/patterns"
)

// A stall is a block of calls that took more than twice as long as others of its pattern. In the initial write it costs
// calls, too: a pattern gets a share of the time. All that repeat them are then shorter.

// stalled returns the seconds that stalls have cost.
func (s *span) stalled() (all float64) {
	sorted := slices.Sorted(slices.Values(s.blocks))
	middle := sorted[(len(sorted)-1)/2] // of two the shorter one
	if middle == 0 {
		return 0
	}
	for _, seconds := range s.blocks {
		if seconds > 2*middle {
			all += seconds - middle
		}
	}
	if s.odd > middle {
		all += s.odd
	}
	return all
}

// calm returns the figures of a partition as they would be without stalls.
func (t *times) calm(n int) *Partition {
	stalls := map[sampled]float64{}
	for i := range t.spans[n] {
		s := &t.spans[n][i]
		if s.blocks == nil {
			continue
		}
		if lost := s.stalled(); lost > 0 && lost < s.seconds {
			stalls[sampled{s.access, s.pattern}] = lost
		}
	}
	if len(stalls) == 0 {
		p := derivePartition(t.r, n)
		return &p
	}
	more := t.more(n, stalls)
	r := *t.r
	r.Samples = slices.Clone(r.Samples)
	for i := range r.Samples {
		s := &r.Samples[i]
		if s.Partition != n || s.Pass > 0 {
			continue
		}
		calls := 0.0
		if s.Blocks != nil {
			calls = min(s.Blocks.sum(), s.Seconds)
		}
		lost := stalls[sampled{s.Access, s.Pattern}]
		s.Seconds += (calls-lost)*(more[s.Pattern]-1) - lost
		s.Bytes = int64(math.Round(float64(s.Bytes) * more[s.Pattern]))
	}
	p := derivePartition(&r, n)
	return &p
}

// mostLost is how many times as many calls a pattern would make without stalls, at most.
const mostLost = 100

// sampled is a pattern of an access method.
type sampled struct {
	access  Access
	pattern int
}

// more returns how many times as many calls each pattern would make without stalls.
func (t *times) more(n int, stalls map[sampled]float64) map[int]float64 {
	plan, before, after := t.r.plan(), map[int]int64{}, map[int]int64{}
	for i := range t.r.Samples {
		s := &t.r.Samples[i]
		if s.Partition != n || s.Access != Write {
			continue
		}
		before[s.Pattern], after[s.Pattern] = s.Repetitions, s.Repetitions
		if lost := stalls[sampled{Write, s.Pattern}]; lost > 0 && s.Scheduled > 0 && !s.OutOfBytes &&
			plan.decider(s.Pattern, before) == s.Pattern {
			calls := min(s.Blocks.sum(), s.Seconds)
			factor := min(max(1, min(calls, s.Scheduled)/(calls-lost)), mostLost)
			after[s.Pattern] = int64(math.Round(float64(s.Repetitions) * factor))
		}
	}
	more := map[int]float64{}
	for number := range before {
		more[number] = 1
		switch by := plan.decider(number, before); {
		case by < 0 || before[number] == 0:
		case by == number:
			more[number] = float64(after[number]) / float64(before[number])
		default:
			row := plan.Rows[slices.IndexFunc(plan.Rows, func(r patterns.IORow) bool { return r.Number == number })]
			was, is := plan.sizeDriven(row, func(i int) int64 { return before[i] }),
				plan.sizeDriven(row, func(i int) int64 { return after[i] })
			if was > 0 {
				more[number] = float64(is) / float64(was)
			}
		}
	}
	return more
}
