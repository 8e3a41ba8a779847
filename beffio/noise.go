package beffio

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// maxInterval is the allowed relative half width of b_eff_io's interval.
const maxInterval = 0.1

// maxOutliers is the allowed relative loss of b_eff_io by blocks of calls that took more than twice as long as others.
const maxOutliers = 0.01

// maxPassSpread is the allowed relative difference between the slowest and the fastest pass over the read access.
const maxPassSpread = 0.2

// noiseSigns returns the signs of noise in a run: a wide interval, outliers, differences between the passes over the
// read access, and signs of the clock, the memory and the hosts' load.
func noiseSigns(r *Result) []rating.Sign {
	var list []rating.Sign
	if d := &r.Derived; d.BEffIOInterval != nil {
		list = append(list, rating.PartSign("interval", "look for other load on the file system, or give a longer -T",
			d.BEffIOInterval.RelativeHalfWidth(d.BEffIO), maxInterval, "this run determines b_eff_io only to ± %s"))
	}
	list = append(list, rating.WithinSign(r.Within, rating.Value{Value: r.Derived.BEffIO,
		Within: r.Derived.BEffIOInterval}, "look for other load on the file system")...)
	if part := outliers(r); !math.IsNaN(part) {
		list = append(list, rating.PartSign("outliers", "look for other load on the file system, and measure again",
			part, maxOutliers,
			"calls that took more than twice as long as others of their pattern lower b_eff_io by %s"))
	}
	if passes := r.wholePasses(r.Derived.Processes); len(passes) > 1 {
		lowest, highest := slices.Min(passes), slices.Max(passes)
		spread := 1 - lowest/highest
		list = append(list, rating.NewSign("passes", "look for other load on the file system, and measure again",
			spread, maxPassSpread, fmt.Sprintf("%d passes over the read access moved %.0f to %.0f MB/s, "+
				"%.0f %% apart (quiet: at most %.0f %%)", len(passes), lowest/1e6, highest/1e6, 100*spread,
				100*maxPassSpread)))
	}
	shortest := 0.0
	for _, s := range r.Samples {
		if s.Repetitions > 1 && (shortest == 0 || s.Seconds < shortest) {
			shortest = s.Seconds
		}
	}
	list = append(list, r.ClockSigns(shortest, "pattern", "give a longer -T")...)
	return append(append(list, r.memorySigns()...), r.Load.Signs()...)
}

// wholePasses returns the read bandwidth in bytes per second of each pass that read as much as the first one, in the
// partition with this number of processes.
func (r *Result) wholePasses(processes int) []float64 {
	type pass struct {
		bytes   int64
		seconds float64
	}
	var all []pass
	for _, s := range r.Samples {
		if s.Access != Read || r.Partitions[s.Partition] != processes || s.Pass < 0 || s.Pass >= maxPasses {
			continue
		}
		for len(all) <= s.Pass {
			all = append(all, pass{})
		}
		all[s.Pass].bytes += s.Bytes
		all[s.Pass].seconds += s.Seconds
	}
	var list []float64
	for _, p := range all {
		if p.bytes == all[0].bytes && p.seconds > 0 && p.bytes > 0 {
			list = append(list, float64(p.bytes)/p.seconds)
		}
	}
	return list
}

// readInterval returns the interval of the read bandwidth of one pass from the differences between whole passes
// (Student's, on the logarithms), or nil for fewer than three. b_eff_io has no such interval, because writing is done
// once.
func readInterval(bandwidth float64, passes []float64) *rating.Interval {
	if len(passes) < rating.MinPasses || !(bandwidth > 0) {
		return nil
	}
	logs := lists.Each(passes, math.Log)
	half := stats.Student((1+rating.Confidence)/2, float64(len(logs)-1)) * stats.Deviation(logs)
	return rating.Around(bandwidth, half, rating.ByPasses)
}
