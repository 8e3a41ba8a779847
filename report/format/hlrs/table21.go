package hlrs

import (
	"slices"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
)

const (
	// wrongData replaces the bandwidth of a pattern with errors.
	wrongData = -999.999
	// minMinutes is the scheduled time that release 2.1 requires for a valid partition.
	minMinutes = 30
	// besides begins a line with a reason.
	besides = "  besides: "
)

// reason is a reason why a result isn't valid, in addition to release 2.1's criteria.
type reason int

const (
	quick reason = iota
	stopped
	embedded
	outOfBytes
	numberOfReasons
)

// reasons has the line of each reason in a file, and the function that reports whether it applies to a result.
var reasons = [numberOfReasons]struct {
	text string
	has  func(r *beffio.Result) bool
}{
	quick:   {"this was a quick look at the file system", func(r *beffio.Result) bool { return r.Quick }},
	stopped: {"the measurement was not finished", func(r *beffio.Result) bool { return !r.Complete }},
	embedded: {"measured by the embedded engine, not by an MPI-IO",
		func(r *beffio.Result) bool { return r.Engine.Kind().Embedded }},
	outOfBytes: {"time-driven patterns were ended by the limit of bytes", endedByBytes},
}

// endedByBytes reports whether the limit of bytes ended a pattern.
func endedByBytes(r *beffio.Result) bool {
	return slices.ContainsFunc(r.Samples, func(s beffio.Sample) bool { return s.OutOfBytes })
}

// inTable reports whether the table has a pattern.
func inTable(p beffio.Pattern) bool {
	return p.Disk > 0 && !p.IsNumber2() && p.Units > 0
}

// tableChunks returns the chunk sizes of the table's rows, in bytes.
func tableChunks(r *beffio.Result) []int64 {
	list := lists.Each(lists.Where(r.Patterns, inTable), func(p beffio.Pattern) int64 { return p.Disk })
	slices.Sort(list)
	return slices.Compact(list)
}

// tablePattern returns the number of the pattern in the table with this type and chunk size, or -1.
func tablePattern(r *beffio.Result, t patterns.IOType, chunk int64) int {
	for _, p := range r.Patterns {
		if inTable(p) && p.Type == t && p.Disk == chunk {
			return p.Number
		}
	}
	return -1
}

// findSample returns the first sample of a pattern, or nil.
func findSample(r *beffio.Result, partition int, a beffio.Access, pattern int) *beffio.Sample {
	return lists.Find(r.Samples, func(s *beffio.Sample) bool {
		return s.Partition == partition && s.Access == a && s.Pattern == pattern
	})
}
