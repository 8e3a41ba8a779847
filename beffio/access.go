package beffio

import (
	"maps"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// Access returns the figures of an access method, or zeros if the partition was not measured with it.
func (p *Partition) Access(a Access) AccessMethod {
	for _, m := range p.Accesses {
		if m.Access == a {
			return m
		}
	}
	return AccessMethod{Access: a, Types: make([]float64, len(Types()))}
}

// WrongChunks returns the number of wrong chunks in the partition with this index, or in all if it is negative.
func (r *Result) WrongChunks(partition int) int64 {
	sum := int64(0)
	for _, s := range r.Samples {
		if partition < 0 || s.Partition == partition {
			sum += s.Errors
		}
	}
	return sum
}

// Closing returns the part of the main partition's read time in which files were closed, and removed unless they are
// kept. It returns NaN if nothing was read.
func (r *Result) Closing() float64 {
	closing, all := 0.0, 0.0
	for _, t := range Types() {
		_, _, seconds := deriveType(r, r.Main(), Read, t)
		all += seconds
		last := 0.0 // time to close in the last pass
		for _, f := range r.Files {
			if f.Partition == r.Main() && f.Access == Read && f.Type == t.String() {
				last = f.Close
			}
		}
		closing += last
	}
	return closing / all
}

// Nodes returns the number of nodes of the partition with this index, and the least and the largest number of its
// processes on a node. All are 0 if the placement isn't known.
func (r *Result) Nodes(partition int) (nodes, least, most int) {
	nodeOf, err := job.Nodes(r.Placement, r.Processes)
	if err != nil || len(r.Placement) == 0 {
		return 0, 0, 0
	}
	counts := map[int]int{}
	for _, node := range nodeOf[:r.Partitions[partition]] {
		counts[node]++
	}
	processes := slices.Collect(maps.Values(counts))
	return len(processes), slices.Min(processes), slices.Max(processes)
}

// WrongChunks returns the number of wrong chunks so far.
func (m *Measured) WrongChunks() int64 {
	return lists.SumOf(m.Samples, func(s Sample) int64 { return s.Errors })
}

// Needed is the end of a sentence that names the measurements required for a partition's b_eff_io.
const Needed = "it needs write, rewrite and read of all pattern types"

// NotComputed returns the reason why a result has no b_eff_io.
func (r *Result) NotComputed() string {
	why := Needed + " on one partition"
	if !r.Complete {
		why = "the measurement was ended too early: " + why
	}
	return why
}
