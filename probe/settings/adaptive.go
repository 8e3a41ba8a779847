package settings

import (
	"fmt"
)

// Adaptive selects the lengths of a block while it is measured: few in ranges in which the time is a straight line,
// many near jumps (stats.Refinement, not the rule of MPIBlib's manual, 9.17).
type Adaptive struct {
	// The shortest and the longest length in bytes.
	Min int64 `json:"min" jsonschema:"minimum=0"`
	Max int64 `json:"max" jsonschema:"minimum=0"`
	// The smallest jump, as a part of the time: 0 to 1.
	Difference float64 `json:"difference"`
	// The smallest distance of two lengths in bytes.
	Stride int64 `json:"stride" jsonschema:"minimum=1"`
	// The largest number of lengths of a block, not counting the lengths with which it begins.
	MaxLengths int `json:"most" jsonschema:"minimum=2"`
}

// Check returns an error if no block can have such lengths.
func (a *Adaptive) Check() error {
	switch {
	case a.Min < 0 || a.Min >= a.Max || a.Max > longestLength:
		return fmt.Errorf("want lengths 0 <= MIN < MAX <= 2^%d bytes, not %d and %d", LongestLog, a.Min, a.Max)
	case !(a.Difference > 0 && a.Difference < 1):
		return fmt.Errorf("want a difference between 0 and 1, not %g", a.Difference)
	case a.Stride < 1 || a.Stride > a.Max-a.Min:
		return fmt.Errorf("want a least stride from 1 to %d bytes, not %d", a.Max-a.Min, a.Stride)
	case a.MaxLengths < 2 || a.MaxLengths > maxLengths:
		return fmt.Errorf("want 2 to %d lengths, not %d", maxLengths, a.MaxLengths)
	}
	return nil
}

// RegularLengths returns the lengths from first to last, stride bytes apart, or an error if there are too many.
func RegularLengths(first, last, stride int64) ([]int64, error) {
	if first < 0 || stride < 1 || last < first || last > longestLength {
		return nil, fmt.Errorf("want lengths 0 <= MIN <= MAX <= 2^%d bytes and a stride of at least 1", LongestLog)
	}
	if n := (last-first)/stride + 1; n > maxLengths {
		return nil, fmt.Errorf("%d lengths: want at most %d", n, maxLengths)
	}
	var list []int64
	for l := first; l <= last; l += stride {
		list = append(list, l)
	}
	return list, nil
}
