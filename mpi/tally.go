package mpi

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Tally is a histogram of the times of a run's counted laps, with the slowest of them.
type Tally struct {
	// Counts holds the number of laps of each bucket (TallyBucket).
	Counts   []int64
	Min, Max int64   // picoseconds
	Sum      float64 // picoseconds
	// Slowest holds the longest laps, at most MaxSlowest, longest first.
	Slowest []SlowLap
}

// SlowLap is one of the longest laps.
type SlowLap struct {
	Seconds float64
	End     float64 // seconds from the first clock reading to the end of the lap
	Loop    int64   // timed loops before its own
}

const (
	// MaxSlowest is the largest number of slowest laps that a Tally keeps.
	MaxSlowest = 8
	// TallyBuckets is the number of buckets of a Tally.
	TallyBuckets = 55296

	doubling  = 1024 // buckets for each doubling of the time
	inDigits  = 11   // leading binary digits of a time that choose its bucket
	perSecond = 1e12 // picoseconds
)

// NewTally returns an empty tally.
func NewTally() *Tally {
	return &Tally{Counts: make([]int64, TallyBuckets), Slowest: make([]SlowLap, 0, MaxSlowest)}
}

// Picoseconds returns a time in picoseconds, rounded and limited to 0 to 2^63-1, as tallies count it.
func Picoseconds(seconds float64) int64 {
	switch {
	case !(seconds > 0):
		return 0
	case seconds*perSecond >= math.MaxInt64:
		return math.MaxInt64
	}
	product := seconds * perSecond // rounded before the sum, as in C
	return int64(product + 0.5)
}

// TallyBucket returns the bucket of a time in picoseconds. Each time below 2048 has its own bucket. From 2048 there are
// 1024 buckets for each doubling.
func TallyBucket(picoseconds int64) int {
	shift := max(0, bits.Len64(uint64(picoseconds))-inDigits)
	return shift*doubling + int(picoseconds>>shift)
}

// TallyFloor returns the shortest time of a bucket, in picoseconds.
func TallyFloor(bucket int) int64 {
	shift := max(0, bucket/doubling-1)
	return int64(bucket-shift*doubling) << shift
}

// Add counts, n times, a lap of a timed loop that took some seconds and ended end seconds after the first clock
// reading.
func (t *Tally) Add(seconds float64, n int64, end float64, loop int64) {
	v := Picoseconds(seconds)
	if len(t.Slowest) == 0 {
		t.Min = v
	}
	t.Min, t.Max, t.Sum = min(t.Min, v), max(t.Max, v), t.Sum+float64(v)*float64(n)
	t.Counts[TallyBucket(v)] += n
	if len(t.Slowest) == MaxSlowest && seconds <= t.Slowest[MaxSlowest-1].Seconds {
		return
	}
	t.Slowest = append(t.Slowest[:min(len(t.Slowest), MaxSlowest-1)], SlowLap{seconds, end, loop})
	t.sort()
}

// sort sorts the slowest laps, longest first.
func (t *Tally) sort() {
	slices.SortStableFunc(t.Slowest, func(a, b SlowLap) int { return cmp.Compare(b.Seconds, a.Seconds) })
}

// TallyOf returns a tally of laps that were counted elsewhere.
func TallyOf(counts []int64, least, most int64, sum float64, slowest []SlowLap) *Tally {
	t := &Tally{Counts: counts, Min: least, Max: most, Sum: sum, Slowest: slowest}
	t.sort()
	return t
}
