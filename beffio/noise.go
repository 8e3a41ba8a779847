package beffio

import (
	"fmt"

	"github.com/effective-bandwidth/beff/rating"
)

// mostApart is the allowed difference of a pass over the read access from the best one.
const mostApart = 0.2

// signs returns the signs of noise in a run: how far the passes over the read access are apart, and what the hosts did.
func signs(r *Result) []rating.Sign {
	var list []rating.Sign
	if lowest, highest, passes := r.passes(); passes > 1 {
		apart := 1 - lowest/highest
		list = append(list, rating.NewSign("passes", "look for other load on the file system, and measure again",
			apart, mostApart, fmt.Sprintf("%d passes over the read access moved %.0f to %.0f MB/s, %.0f %% apart "+
				"(quiet: at most %.0f %%)", passes, lowest/1e6, highest/1e6, 100*apart, 100*mostApart)))
	}
	shortest := 0.0
	for _, s := range r.Samples {
		if s.Repetitions > 1 && (shortest == 0 || s.Seconds < shortest) {
			shortest = s.Seconds
		}
	}
	list = append(list, r.ClockSigns(shortest, "pattern", "give a longer -T")...)
	return append(list, r.Load.Signs()...)
}

// passes returns the lowest and the highest bandwidth of the passes over the rated partition's read access that read
// all that the first one did, and how many these are.
func (r *Result) passes() (lowest, highest float64, whole int) {
	type pass struct {
		bytes   int64
		seconds float64
	}
	var all []pass
	for _, s := range r.Samples {
		if s.Access != Read || r.Partitions[s.Partition] != r.Derived.Processes || s.Pass < 0 || s.Pass >= mostPasses {
			continue
		}
		for len(all) <= s.Pass {
			all = append(all, pass{})
		}
		all[s.Pass].bytes += s.Bytes
		all[s.Pass].seconds += s.Seconds
	}
	for _, p := range all {
		if p.bytes != all[0].bytes || !(p.seconds > 0) || p.bytes == 0 {
			continue
		}
		b := float64(p.bytes) / p.seconds
		if whole == 0 || b < lowest {
			lowest = b
		}
		highest = max(highest, b)
		whole++
	}
	return lowest, highest, whole
}
