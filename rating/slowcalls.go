package rating

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// SlowCall is one of the slowest calls of a measurement.
type SlowCall struct {
	// Duration in seconds.
	Seconds float64 `json:"seconds" jsonschema:"minimum=0"`
	// When it began, in seconds since the beginning of the run.
	At float64 `json:"at" jsonschema:"minimum=0"`
	// Rank of its process.
	Rank int64 `json:"rank" jsonschema:"minimum=0"`
	// Counted from 0.
	Repetition int64 `json:"repetition" jsonschema:"minimum=0"`
	// Offset of the process's first byte of the call in the file.
	Offset int64 `json:"offset" jsonschema:"minimum=0"`
}

// SlowestOf returns the slowest calls of all processes, the slowest first, on process 0. mine are calls of this
// process. Each round of reductions finds the next call, so no process receives the calls of all.
func SlowestOf(c mpi.Comm, mine []SlowCall) (list []SlowCall, err error) {
	mine = Slowest(slices.Clone(mine))
	for len(list) < mpi.MaxSlowest {
		slowest, owner := []float64{-1}, []float64{math.Inf(1)}
		if len(mine) > 0 {
			slowest[0] = mine[0].Seconds
		}
		if err := c.Allreduce(slowest, mpi.Max); err != nil {
			return nil, err
		}
		if slowest[0] < 0 {
			break
		}
		if len(mine) > 0 && mine[0].Seconds == slowest[0] {
			owner[0] = float64(c.Rank())
		}
		if err := c.Allreduce(owner, mpi.Min); err != nil {
			return nil, err
		}
		rest := make([]float64, 4) // 0 on all processes but the owner
		if owner[0] == float64(c.Rank()) {
			x := mine[0]
			rest = []float64{x.At, float64(x.Rank), float64(x.Repetition), float64(x.Offset)}
			mine = mine[1:]
		}
		if err := c.Allreduce(rest, mpi.Max); err != nil {
			return nil, err
		}
		list = append(list, SlowCall{slowest[0], rest[0], int64(rest[1]), int64(rest[2]), int64(rest[3])})
	}
	if c.Rank() != 0 {
		return nil, nil
	}
	return list, nil
}

// Slowest returns the slowest of some calls, the slowest first, at most as many as are kept.
func Slowest(list []SlowCall) []SlowCall {
	slices.SortStableFunc(list, func(a, b SlowCall) int { return cmp.Compare(b.Seconds, a.Seconds) })
	return list[:min(len(list), mpi.MaxSlowest)]
}

// CheckSlowest returns an error unless a list can hold the slowest calls of some processes, each of which made at most
// this number of calls.
func CheckSlowest(list []SlowCall, processes int, calls int64) error {
	if len(list) > mpi.MaxSlowest {
		return fmt.Errorf("%d slowest calls: want up to %d", len(list), mpi.MaxSlowest)
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
