package probe

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// Words of Settings.Pairs besides a number.
const (
	AllPairs  = "all"
	RingPairs = "ring"
)

const (
	mostAll   = 256     // processes up to which all pairs are measured unless the user says which
	drawnEach = 16      // pairs of each process that are drawn for more processes
	mostPairs = 1 << 20 // pairs of a row
	pairSeed  = 1       // of the pairs that are drawn: the same in each run, so that runs can be compared
)

// PairLengths are the default lengths of kernels of pairs in bytes: one that shows latencies, and one that shows
// bandwidths.
var PairLengths = []int64{8, 1 << 20}

// rounds returns the rounds of pairs of a number of processes by the settings.
func (s *Settings) rounds(processes int) (patterns.Rounds, error) {
	choice := s.Pairs
	if choice == "" {
		if choice = AllPairs; processes > mostAll {
			choice = strconv.Itoa(processes / 2 * drawnEach)
		}
	}
	var r patterns.Rounds
	var err error
	switch n, wrong := strconv.Atoi(choice); {
	case choice == AllPairs:
		r, err = patterns.AllPairs(processes)
	case choice == RingPairs:
		r, err = patterns.RingPairs(processes)
	case wrong != nil:
		err = fmt.Errorf("pairs %q: want %s, %s or a number of pairs", choice, AllPairs, RingPairs)
	default:
		r, err = patterns.SomePairs(processes, min(n, patterns.CountPairs(processes)), pairSeed)
	}
	if err == nil && r.Pairs > mostPairs {
		err = fmt.Errorf("pairs %s: %d pairs of %d processes, at most %d are measured: give a number", choice, r.Pairs,
			processes, mostPairs)
	}
	return r, err
}

// checkPairs returns an error if the choice of pairs is none.
func (s *Settings) checkPairs() error {
	if s.Pairs == "" || s.Pairs == AllPairs || s.Pairs == RingPairs {
		return nil
	}
	if n, err := strconv.Atoi(s.Pairs); err != nil || n < 1 || n > mostPairs {
		return fmt.Errorf("pairs %q: want %s, %s or a number of pairs from 1 to %d", s.Pairs, AllPairs, RingPairs,
			mostPairs)
	}
	return nil
}

// PairTimes holds the times of pairs in a row, reduced to what the figures need. Lists of times have an element for
// each pair.
type PairTimes struct {
	// Ranks of each pair in the world, the lower one first; left out if they are all pairs in the order (0,1), (0,2) …
	// (1,2) …
	Ranks [][2]int `json:"ranks,omitempty"`
	// True if all pairs of a round ran at the same time.
	AtOnce bool `json:"at_once,omitempty"`
	// Times of a round trip, measured by the lower rank; of Oneway_pairs from the lower rank to the higher one.
	There PairSamples `json:"there"`
	// Of Oneway_pairs: from the higher rank to the lower one.
	Back *PairSamples `json:"back,omitempty"`
}

// PairSamples holds the times of one direction.
type PairSamples struct {
	// Seconds: for each pass over all pairs, the medians of its repetitions. Passes after the fifth add to the first
	// ones in turn.
	Medians [][]float64 `json:"medians"`
	// Seconds: the means of the repetitions of all passes.
	Means []float64 `json:"means"`
	// Seconds: the standard deviations of the repetitions of all passes.
	Deviations []float64 `json:"deviations"`
	// Seconds: the standard deviations of the passes' means. Earlier versions left them out.
	PassDeviations []float64 `json:"pass_deviations,omitempty"`
	// Repetitions of all passes; left out if all pairs have the row's.
	Counts []int64 `json:"counts,omitempty"`
}

// Pairs returns the pairs of a row of a number of processes.
func (t *PairTimes) Pairs(processes int) []patterns.Pair {
	if len(t.Ranks) == 0 {
		all, err := patterns.AllPairs(processes)
		if err != nil {
			return nil
		}
		return all.All()
	}
	list := make([]patterns.Pair, len(t.Ranks))
	for i, ranks := range t.Ranks {
		list[i] = patterns.Pair{I: ranks[0], J: ranks[1]}
	}
	return list
}

// Directions returns the samples of each direction: one of round trips.
func (t *PairTimes) Directions() []*PairSamples {
	if t.Back == nil {
		return []*PairSamples{&t.There}
	}
	return []*PairSamples{&t.There, t.Back}
}

// least returns the least repetitions of a pair. It drops lists of numbers that are all the same.
func (t *PairTimes) least() int64 {
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

// Count returns the repetitions of a pair in a row.
func (p *PairSamples) Count(row *Row, pair int) int64 {
	if p.Counts == nil {
		return row.Repetitions
	}
	return p.Counts[pair]
}

// Half returns half of the interval of a pair's mean in seconds, with a confidence: Student's of the passes' means,
// because a disturbance hits all repetitions of a pass. It is NaN for fewer than three passes. Without deviations of
// the means it has that of the passes' medians.
func (p *PairSamples) Half(pair int, confidence float64) float64 {
	n := float64(len(p.Medians))
	if n < leastPrecise {
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
	list := make([]float64, len(p.Medians))
	for pass := range p.Medians {
		list[pass] = p.Medians[pass][pair]
	}
	return list
}

// sample returns the least, the largest and the mean time of a pair.
func (t *PairTimes) sample() Sample {
	x, n := Sample{Min: math.Inf(1)}, 0
	for _, d := range t.Directions() {
		for i := range d.Means {
			time := d.Of(i)
			x.Min, x.Max, x.Mean = min(x.Min, time), max(x.Max, time), x.Mean+time
			n++
		}
	}
	x.Mean /= float64(n)
	return x
}

// check returns an error unless the times of a row are those of its kernel and pairs.
func (t *PairTimes) check(k *kernel.Kernel, b *Block, row *Row) error {
	switch {
	case t == nil:
		return nil // imported, with samples of all pairs together
	case k.Class != kernel.Pairs:
		return fmt.Errorf("times of pairs, of a kernel of class %s", k.Class)
	case len(row.Samples)+len(row.Series) > 0:
		return fmt.Errorf("times of pairs, and other samples")
	}
	n := len(t.Ranks)
	if n == 0 {
		n = patterns.CountPairs(b.Processes)
	}
	if n == 0 {
		return fmt.Errorf("times of pairs of %s", processes(b.Processes))
	}
	seen := map[[2]int]bool{}
	for _, ranks := range t.Ranks {
		if ranks[0] < 0 || ranks[0] >= ranks[1] || ranks[1] >= b.Processes || seen[ranks] {
			return fmt.Errorf("pair %v of %d processes", ranks, b.Processes)
		}
		seen[ranks] = true
	}
	if (t.Back != nil) != k.Recipe.Directed {
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
