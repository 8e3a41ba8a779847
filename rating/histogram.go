package rating

import (
	"math"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/stats"
)

// MergedHistogram returns the histogram of all processes' times in picoseconds. mine may be nil.
func MergedHistogram(c mpi.Comm, mine *stats.Histogram) (*stats.Histogram, error) {
	ends := []float64{math.Inf(-1), math.Inf(-1)}
	if mine.N() > 0 {
		ends = []float64{-float64(mine.Min), float64(mine.Max)}
	}
	h := new(stats.Histogram)
	if err := c.Allreduce(ends, mpi.Max); err != nil || math.IsInf(ends[1], -1) {
		return h, err
	}
	least, most := int64(-ends[0]), int64(ends[1])
	low := mpi.TallyBucket(least)
	sums := make([]float64, mpi.TallyBucket(most)-low+2) // the last element is the sum of the times
	if mine.N() > 0 {
		for i, from := range mine.From {
			sums[mpi.TallyBucket(from)-low] = float64(mine.Counts[i])
		}
		sums[len(sums)-1] = mine.Sum
	}
	if err := c.Allreduce(sums, mpi.Sum); err != nil {
		return nil, err
	}
	for i, n := range sums[:len(sums)-1] {
		if n > 0 {
			h.From, h.Counts = append(h.From, mpi.TallyFloor(low+i)), append(h.Counts, int64(n))
		}
	}
	h.Min, h.Max, h.Sum = least, most, sums[len(sums)-1]
	return h, nil
}
