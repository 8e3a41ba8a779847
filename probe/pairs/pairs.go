package pairs

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// Passes is the number of passes over all pairs that a row keeps. A disturbance of the machine hits one of them.
const Passes = 5

// PairTimes holds the times of the pairs of a row, reduced to the needs of its figures. Lists of times have an element
// for each pair.
type PairTimes struct {
	// Ranks of each pair in the world, the lower one first; absent for all pairs in the order (0,1), (0,2) … (1,2) ….
	Ranks [][2]int `json:"ranks,omitempty"`
	// True if all pairs of a round ran at the same time.
	AtOnce bool `json:"at_once,omitempty"`
	// Times of a round trip, measured by the lower rank; in Oneway_pairs from the lower rank to the higher one.
	There PairSamples `json:"there"`
	// Times from the higher rank to the lower one, in Oneway_pairs.
	Back *PairSamples `json:"back,omitempty"`
}

// PairSamples holds the times of one direction.
type PairSamples struct {
	// Medians of the repetitions of each pass over all pairs in seconds. Passes after the fifth are merged into the
	// first five in turn.
	Medians [][]float64 `json:"medians"`
	// Means of the repetitions of all passes in seconds.
	Means []float64 `json:"means"`
	// Standard deviations of the repetitions of all passes in seconds.
	Deviations []float64 `json:"deviations"`
	// Standard deviations of the passes' means in seconds; absent if unknown.
	PassDeviations []float64 `json:"pass_deviations,omitempty"`
	// Repetitions of all passes; absent if all pairs have the row's number.
	Counts []int64 `json:"counts,omitempty"`
}

// Pairs returns the pairs of a row, given the number of processes.
func (t *PairTimes) Pairs(processes int) []patterns.Pair {
	if len(t.Ranks) == 0 {
		all, err := patterns.AllPairs(processes)
		if err != nil {
			return nil
		}
		return all.All()
	}
	return lists.Each(t.Ranks, func(ranks [2]int) patterns.Pair { return patterns.Pair{I: ranks[0], J: ranks[1]} })
}

// Directions returns the samples of each direction. Round trips have one.
func (t *PairTimes) Directions() []*PairSamples {
	if t.Back == nil {
		return []*PairSamples{&t.There}
	}
	return []*PairSamples{&t.There, t.Back}
}

// CompactCounts drops Counts if all pairs have the same number of repetitions, and returns the smallest number.
func (t *PairTimes) CompactCounts() int64 {
	n := int64(math.MaxInt64)
	for _, d := range t.Directions() {
		n = min(n, slices.Min(d.Counts))
	}
	for _, d := range t.Directions() {
		if slices.Max(d.Counts) == n {
			d.Counts = nil
		}
	}
	return n
}

// Count returns the number of repetitions of a pair: its element of Counts, or the row's number if there are no Counts.
func (p *PairSamples) Count(row int64, pair int) int64 {
	if p.Counts == nil {
		return row
	}
	return p.Counts[pair]
}

// minPasses is the smallest number of passes whose interval is known.
const minPasses = 3

// Half returns half of the interval of a pair's mean in seconds, with the given confidence. It is Student's interval of
// the passes' means, because a disturbance hits all repetitions of a pass. It is NaN for fewer than three passes. If
// the deviations of the means are unknown, Half uses the passes' medians.
func (p *PairSamples) Half(pair int, confidence float64) float64 {
	n := float64(len(p.Medians))
	if n < minPasses {
		return math.NaN()
	}
	deviation := stats.Deviation(p.medians(pair))
	if p.PassDeviations != nil {
		deviation = p.PassDeviations[pair]
	}
	return stats.Student((1+confidence)/2, n-1) * deviation / math.Sqrt(n)
}

// Of returns the time of a pair in seconds: the median of its passes.
func (p *PairSamples) Of(pair int) float64 { return stats.Middle(p.medians(pair)) }

// medians returns the medians of a pair's passes in seconds.
func (p *PairSamples) medians(pair int) []float64 {
	return lists.Of(len(p.Medians), func(pass int) float64 { return p.Medians[pass][pair] })
}

// Extremes returns the least, the largest and the mean time of a pair.
func (t *PairTimes) Extremes() (least, most, mean float64) {
	n := 0
	least = math.Inf(1)
	for _, d := range t.Directions() {
		for i := range d.Means {
			time := d.Of(i)
			least, most, mean = min(least, time), max(most, time), mean+time
			n++
		}
	}
	return least, most, mean / float64(n)
}

// Check returns an error unless the times fit the pairs of a number of processes, in both directions if directed is
// true.
func (t *PairTimes) Check(processes int, directed bool) error {
	n := len(t.Ranks)
	if n == 0 {
		n = patterns.CountPairs(processes)
	}
	if n == 0 {
		return fmt.Errorf("times of pairs of %s", rating.Processes(processes))
	}
	seen := map[[2]int]bool{}
	for _, ranks := range t.Ranks {
		if ranks[0] < 0 || ranks[0] >= ranks[1] || ranks[1] >= processes || seen[ranks] {
			return fmt.Errorf("pair %v of %d processes", ranks, processes)
		}
		seen[ranks] = true
	}
	if (t.Back != nil) != directed {
		return fmt.Errorf("times back: %t", t.Back != nil)
	}
	for _, d := range t.Directions() {
		if len(d.Medians) == 0 {
			return fmt.Errorf("no pass over the pairs")
		}
		if len(d.Counts) != 0 && len(d.Counts) != n ||
			slices.ContainsFunc(d.Counts, func(c int64) bool { return c < 1 }) {
			return fmt.Errorf("want the repetitions of %d pairs, not %d, or one has none", n, len(d.Counts))
		}
		lists := append([][]float64{d.Means, d.Deviations}, d.Medians...)
		if d.PassDeviations != nil {
			lists = append(lists, d.PassDeviations)
		}
		for _, list := range lists {
			if len(list) != n || slices.ContainsFunc(list, func(x float64) bool { return !rating.IsTime(x) }) {
				return fmt.Errorf("want times of %d pairs, not %d, or one is no time", n, len(list))
			}
		}
	}
	return nil
}

// NewSamples returns zeros for the times of n pairs.
func NewSamples(n int) PairSamples {
	p := PairSamples{Means: make([]float64, n), Deviations: make([]float64, n),
		PassDeviations: make([]float64, n), Counts: make([]int64, n)}
	for range Passes {
		p.Medians = append(p.Medians, make([]float64, n))
	}
	return p
}
