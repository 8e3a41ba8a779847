package beffio

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// Blocks holds the times of a pattern's calls on the process whose calls took longest, in blocks of equally many calls.
// There are at most 31 blocks, and at least 16 if there are that many calls, so the size doesn't depend on the number
// of calls.
type Blocks struct {
	// Calls in each block.
	Calls int64 `json:"calls" jsonschema:"minimum=1"`
	// Seconds of each block, with its marks, barriers and broadcasts.
	Seconds []float64 `json:"seconds"`
	// Seconds of the last calls, which are fewer than a block.
	Rest float64 `json:"rest,omitempty" jsonschema:"minimum=0"`
}

// blocks returns, on process 0, the blocks of the process whose loop took longest. Other processes get nil.
func (m *measurer) blocks(c mpi.Comm, o *outcome) (*Blocks, error) {
	longest := []float64{o.Measurement.Seconds}
	if err := c.Allreduce(longest, mpi.Max); err != nil {
		return nil, err
	}
	first := []float64{float64(c.Size())}
	if o.Measurement.Seconds == longest[0] {
		first[0] = float64(c.Rank())
	}
	if err := c.Allreduce(first, mpi.Min); err != nil {
		return nil, err
	}
	b, err := job.DecideOn(c, int(first[0]), func() (Blocks, error) {
		b := Blocks{Calls: o.PerBlock, Seconds: make([]float64, len(o.Blocks)), Rest: o.Measurement.Seconds}
		for i, seconds := range o.Blocks {
			b.Seconds[i] = nanoseconds(seconds)
			b.Rest -= seconds
		}
		if b.Rest = nanoseconds(max(b.Rest, 0)); o.Loops == o.PerBlock*int64(len(o.Blocks)) {
			b.Rest = 0
		}
		return b, nil
	})
	if err != nil || len(b.Seconds) == 0 {
		return nil, err
	}
	return &b, nil
}

// nanoseconds rounds a time to 1e-9 s, as a document has many.
func nanoseconds(seconds float64) float64 { return math.Round(seconds*1e9) / 1e9 }

// sum returns the seconds of all calls.
func (b *Blocks) sum() float64 {
	sum := b.Rest
	for _, seconds := range b.Seconds {
		sum += seconds
	}
	return sum
}

// check returns an error if the blocks can't belong to a sample.
func (b *Blocks) check(s *Sample) error {
	switch n := int64(len(b.Seconds)); {
	case s.Pass > 0:
		return fmt.Errorf("pass %d has times of calls, which only the first pass can have", s.Pass)
	case b.Calls < 1 || n < 1 || n >= mpi.MaxBlocks || b.Calls > s.Calls/n:
		return fmt.Errorf("%d blocks of %d of %d calls", n, b.Calls, s.Calls)
	}
	for _, seconds := range append(slices.Clone(b.Seconds), b.Rest) {
		if !isTime(seconds) {
			return fmt.Errorf("a block of calls of %v seconds", seconds)
		}
	}
	// A process may have left the last barrier later than process 0 did.
	if most := s.Seconds*(1+blocksTolerance) + blocksTolerance; b.sum() > most {
		return fmt.Errorf("calls of %v seconds in a pattern of %v", b.sum(), s.Seconds)
	}
	return nil
}

// blocksTolerance is a tolerance, both relative and in seconds.
const blocksTolerance = 0.1
