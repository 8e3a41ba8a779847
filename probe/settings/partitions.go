package settings

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// Partitions holds the settings of partitioned messages.
type Partitions struct {
	// Numbers of parts of a message; each has a row (default: 1, 2, 4 … 128).
	Parts []int64 `json:"partitions,omitempty" jsonschema:"maxItems=64"`
	// Delays of the last part of a message in seconds; each has a table (default: 0 and 100 µs).
	LastPartDelays []float64 `json:"delays,omitempty" jsonschema:"maxItems=16"`
}

// Limits of partitioned messages.
const (
	maxPartitionCounts = 64
	maxDelays          = 16
	longestDelay       = 10 // seconds
)

func (p *Partitions) check() error {
	if len(p.Parts) > maxPartitionCounts || len(p.LastPartDelays) > maxDelays {
		return fmt.Errorf("want up to %d numbers of partitions and %d delays", maxPartitionCounts, maxDelays)
	}
	for _, n := range p.Parts {
		if n < 1 || n > mpi.MaxParts {
			return fmt.Errorf("want 1 to %d partitions, not %d", mpi.MaxParts, n)
		}
	}
	for _, d := range p.LastPartDelays {
		if !(d >= 0 && d <= longestDelay) {
			return fmt.Errorf("want delays up to %d seconds, not %g", longestDelay, d)
		}
	}
	return nil
}

// PartitionedRow is a row of kernels of partitioned messages.
type PartitionedRow struct {
	Bytes, Parts int64
}

// PartitionedRows returns the rows of partitioned kernels: for each length all numbers of parts that divide it.
func (s *Settings) PartitionedRows() (list []PartitionedRow) {
	lengths, parts := s.Rows.Lengths, s.Parts
	if len(lengths) == 0 {
		lengths = []int64{Default.PartitionedLength}
	}
	if len(parts) == 0 {
		parts = Default.Partitions
	}
	for _, bytes := range lengths {
		for _, n := range parts {
			if bytes%n == 0 && (bytes > 0 || !s.NoZero) {
				list = append(list, PartitionedRow{bytes, n})
			}
		}
	}
	return list
}

// PartDelays returns the delays of the last part in seconds. Each has a table.
func (s *Settings) PartDelays() []float64 {
	if len(s.LastPartDelays) == 0 {
		return Default.Delays
	}
	return s.LastPartDelays
}
