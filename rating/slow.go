package rating

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// SlowCall is one of the slowest calls of a measurement.
type SlowCall struct {
	// Seconds that it took.
	Seconds float64 `json:"seconds" jsonschema:"minimum=0"`
	// When it began: seconds since the run's begin.
	At float64 `json:"at" jsonschema:"minimum=0"`
	// Of its process.
	Rank int64 `json:"rank" jsonschema:"minimum=0"`
	// Counted from 0.
	Repetition int64 `json:"repetition" jsonschema:"minimum=0"`
	// Of the process' first byte of the call in the file.
	Offset int64 `json:"offset" jsonschema:"minimum=0"`
}

// SlowestOf returns the slowest calls of all processes, the slowest first, to process 0: each process gives some of its
// own, at most as many as are kept.
func SlowestOf(c mpi.Comm, mine []SlowCall) ([]SlowCall, error) {
	send := make([]SlowCall, mpi.MostSlow) // of as many bytes on all processes
	for i := copy(send, mine); i < len(send); i++ {
		send[i].Repetition = -1 // there is none
	}
	all, err := job.Gathered(c, send)
	if err != nil || c.Rank() != 0 {
		return nil, err
	}
	list := slices.DeleteFunc(slices.Concat(all...), func(s SlowCall) bool { return s.Repetition < 0 })
	return Slowest(list), nil
}

// Slowest returns the slowest of some calls, the slowest first, as many as are kept.
func Slowest(list []SlowCall) []SlowCall {
	slices.SortStableFunc(list, func(a, b SlowCall) int { return cmp.Compare(b.Seconds, a.Seconds) })
	return list[:min(len(list), mpi.MostSlow)]
}

// CheckSlowest returns an error unless a list can be that of the slowest calls of some processes, each of which has
// made a number of calls at most.
func CheckSlowest(list []SlowCall, processes int, calls int64) error {
	if len(list) > mpi.MostSlow {
		return fmt.Errorf("%d slowest calls: want up to %d", len(list), mpi.MostSlow)
	}
	for i, x := range list {
		switch {
		case !IsTime(x.Seconds) || !IsTime(x.At) || i > 0 && x.Seconds > list[i-1].Seconds:
			return fmt.Errorf("slow call %d took %v s at %v s", i, x.Seconds, x.At)
		case x.Rank < 0 || x.Rank >= int64(processes) || x.Repetition < 0 || x.Repetition >= calls || x.Offset < 0:
			return fmt.Errorf("slow call %d: rank %d of %d, repetition %d of %d, offset %d", i, x.Rank, processes,
				x.Repetition, calls, x.Offset)
		}
	}
	return nil
}
