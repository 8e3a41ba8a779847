package findings

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Limits of the rules for b_eff_io.
const (
	slow     = 0.67 // fraction of the other types' mean below which a type is the bottleneck
	poor     = 0.5  // chunks of 1 kB with less than this fraction of the best bandwidth are reported
	odd      = 0.85 // chunks with 8 bytes more that keep less than this fraction of the bandwidth are reported
	synced   = 0.5  // fraction of the writing time in MPI_File_sync that is reported
	cached   = 1.5  // ratio of reading to writing from which a cache is suspected
	shortest = 1024 // bytes of the shortest chunk that all types have
)

// IO returns the sentences about the rated partition of a result of b_eff_io.
func IO(r *beffio.Result) []string {
	rated := slices.IndexFunc(r.Derived.Partitions, func(p beffio.Partition) bool {
		return p.Processes == r.Derived.Processes
	})
	if rated < 0 || !(r.Derived.BEffIO > 0) {
		return nil
	}
	return of(ioRules, ioView{r, rated, r.Derived.Partitions[rated]})
}

// ioView is a result with the partition that gives its rating.
type ioView struct {
	*beffio.Result
	n     int // index of the partition
	rated beffio.Partition
}

var ioRules = []Rule[ioView]{
	{"accesses", "b_eff_io is known", accesses},
	{"type", "a partition has the time that the rules require, and write or read has a pattern type with less than " +
		"67 % of the mean of the other types", bottleneck},
	{"chunk", "the chunks of 1 kB have less than half of the bandwidth of the best chunk size", chunk},
	{"alignment", "chunks that are 8 bytes longer than a power of two have less than 85 % of the bandwidth of chunks " +
		"that aren't", alignment},
	{"sync", "half of the writing time or more is spent in MPI_File_sync", syncing},
	{"cache", "the memory of the nodes is known, and the files are at least as large, or they are smaller and " +
		"reading is at least 1.5 times as fast as writing", cache},
	{"slowest call", "the times of calls were counted", slowestCall},
}

// accesses gives the three bandwidths.
func accesses(v ioView) string {
	of := func(a beffio.Access) string { return speed(v.rated.Access(a).Bandwidth) }
	subject, s := words.Processes(v.rated.Processes)+" together", ""
	if v.rated.Processes == 1 {
		subject, s = "One process", "s"
	}
	return fmt.Sprintf("%[1]s write%[2]s new files at %[3]s, rewrite%[2]s them at %[4]s and read%[2]s "+
		"them at %[5]s.", subject, s, of(beffio.Write), of(beffio.Rewrite), of(beffio.Read))
}

// bottleneck names the slowest pattern type of writing and of reading.
func bottleneck(v ioView) string {
	if v.Duration/float64(len(v.Partitions)) < v.Rules.MinSeconds() { // too short to name a cause
		return ""
	}
	var parts []string
	for _, a := range []beffio.Access{beffio.Write, beffio.Read} {
		types := v.rated.Access(a).Types
		if len(types) < 3 || slices.Min(types) <= 0 {
			continue
		}
		least := slices.Index(types, slices.Min(types))
		others := (lists.Sum(types) - types[least]) / float64(len(types)-1)
		if types[least] < slow*others {
			parts = append(parts, fmt.Sprintf("%s for %s (%.0f %% of the mean of the other types)",
				patterns.IOType(least), a, 100*types[least]/others))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "The bottleneck is the pattern type " + words.Joined(parts, "and") + "."
}

// byChunk returns the mean bandwidth over the types with each chunk size on disk, for an access method, in rising order
// of the sizes. If odd is set, it takes only the sizes with 8 bytes more, otherwise only the others.
func (v ioView) byChunk(a beffio.Access, odd bool) (sizes []int64, means []float64) {
	sum, count := map[int64]float64{}, map[int64]float64{}
	for _, p := range v.Patterns {
		if x := v.Bandwidth(v.n, a, p.Number); x > 0 && p.Disk > 0 && p.Units > 0 &&
			(p.Disk%16 == 8) == odd {
			sum[p.Disk] += x
			count[p.Disk]++
		}
	}
	sizes = slices.Sorted(maps.Keys(sum))
	return sizes, lists.Each(sizes, func(size int64) float64 { return sum[size] / count[size] })
}

// chunk describes how much small chunks lose, and which chunks reach half of the best bandwidth.
func chunk(v ioView) string {
	var parts []string
	for _, a := range []beffio.Access{beffio.Write, beffio.Read} {
		sizes, means := v.byChunk(a, false)
		if len(sizes) < 2 || sizes[0] != shortest {
			continue
		}
		best := slices.Max(means)
		if means[0] >= poor*best {
			continue
		}
		enough := slices.IndexFunc(means, func(x float64) bool { return x >= best/2 })
		parts = append(parts, fmt.Sprintf("%s has %s of its bandwidth with chunks of %s (%s or more reach half of it)",
			a,
			percent(means[0]/best), rating.Bytes(sizes[slices.Index(means, best)]), rating.Bytes(sizes[enough])))
	}
	if len(parts) == 0 {
		return ""
	}
	return "With chunks of 1 KiB, " + words.Joined(parts, "and") + "."
}

// alignment describes the cost of 8 additional bytes.
func alignment(v ioView) string {
	var parts []string
	for _, a := range []beffio.Access{beffio.Write, beffio.Read} {
		sizes, means := v.byChunk(a, false)
		more, with := v.byChunk(a, true)
		sum, n := 0.0, 0.0
		for i, size := range more {
			if at := slices.Index(sizes, size-8); at >= 0 {
				sum, n = sum+math.Log(with[i]/means[at]), n+1
			}
		}
		if kept := math.Exp(sum / n); n > 0 && kept < odd {
			parts = append(parts, fmt.Sprintf("%.0f %% of the bandwidth of %s", 100*(1-kept), a))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Chunks that are 8 bytes longer than a power of two lose " + words.Joined(parts, "and") + "."
}

// syncing reports that the file system rather than the calls takes the time of writing.
func syncing(v ioView) string {
	sync, all := 0.0, 0.0
	for _, s := range v.Samples {
		if s.Partition == v.n && s.Access == beffio.Write {
			sync, all = sync+s.Sync, all+s.Seconds
		}
	}
	if !(all > 0) || sync < synced*all {
		return ""
	}
	return fmt.Sprintf("%s of the writing time is spent in MPI_File_sync: the path from memory to the disks is the "+
		"limit.",
		percent(sync/all))
}

// cache judges whether the figures describe a cache or the disks.
func cache(v ioView) string {
	if v.TotalMemory == 0 || v.rated.Bytes == 0 {
		return ""
	}
	part := float64(v.rated.Bytes) / float64(v.TotalMemory)
	write, read := v.rated.Access(beffio.Write).Bandwidth, v.rated.Access(beffio.Read).Bandwidth
	switch held := v.FromMemory(); {
	case part >= 1 && held > rating.MaxCached:
		return fmt.Sprintf("The files are %s times as large as the memory of the nodes, but %s of the data read were "+
			"in it.", digits(part), percent(held))
	case part >= 1:
		return fmt.Sprintf("The files are %s times as large as the memory of the nodes, so the nodes can't cache them.",
			digits(part))
	case write > 0 && read >= cached*write:
		return fmt.Sprintf("The size of the files is %s of the nodes' memory, and reading is %s times as fast as "+
			"writing: much of the data may come from a cache.", percent(part), digits(read/write))
	}
	return ""
}

// slowestCall describes the slowest call within loops, and its ratio to the median of its pattern. If a call outside of
// loops was slower, the sentence begins with that call.
func slowestCall(v ioView) string {
	calls, medians := int64(0), map[string]float64{}
	for s := range lists.Elements(v.Samples) {
		if s.Partition != v.n || s.Times == nil && s.Slowest == nil {
			continue
		}
		if calls += s.Calls; s.Times != nil && s.Calls > 1 {
			medians[fmt.Sprint(s.Access, s.Pattern)] = s.Times.Histogram.Quantile(0.5) * 1e-12
		}
	}
	list := v.SlowCalls(v.n)
	at := slices.IndexFunc(list, func(x beffio.SlowCall) bool { return !x.Once() })
	if at < 0 {
		return ""
	}
	slow, times, first, moving := list[at], "", "", ""
	if at > 0 {
		first = fmt.Sprintf("The slowest call took %s: %v on rank %d, %s s after the run began. ",
			micro(list[0].Seconds), list[0], list[0].Rank, rating.Rounded(list[0].At, 3))
		moving = " that move data"
	}
	if median := medians[fmt.Sprint(slow.Access, slow.Pattern)]; median > 0 {
		times = fmt.Sprintf(", %s times the median of its pattern", digits(slow.Seconds/median))
	}
	return first + fmt.Sprintf("The slowest of %s calls%s took %s%s: %v by rank %d, %s s after the run "+
		"began, at byte %s of the file.", words.Grouped(calls), moving, micro(slow.Seconds), times, slow, slow.Rank,
		rating.Rounded(slow.At, 3), words.Grouped(slow.Offset))
}
