package method

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/pairs"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// Each pair is measured in several passes over all pairs, so that a disturbance of the machine, which affects one pass,
// can't be mistaken for a slow link. A batch is a pair's repetitions in a pass. To reach a precision, five further
// passes at a time add repetitions.
const (
	passes   = pairs.Passes
	maxBatch = 5 // repetitions, unless the user gives the number
	minBatch = 3 // even if they take long
)

type pairsRow struct {
	pairRunner
	t        *Table
	row      *measured.Row
	rounds   patterns.Rounds
	rule     *settings.Precision // nil for a fixed number of repetitions
	left     [][]int64           // repetitions in the next batch of each round's pairs
	mine     map[slot]*[passes][]float64
	began    float64 // seconds of the run
	samples  []pairs.PairSamples
	byNumber map[patterns.Pair]int // on process 0, each pair's place in the row
}

// slot identifies a process's batch by its round and direction, because a process is in at most one pair of a round.
type slot struct{ round, direction int }

// pairRecord holds the outcome of a pair's direction on the process that measured it.
type pairRecord struct {
	Medians   [passes]float64 // seconds
	Mean      float64         // seconds
	Deviation float64         // standard deviation in seconds, with n-1
	Between   float64         // standard deviation of the passes' means in seconds
	Count     int64           // repetitions
}

// forPairs returns the method of kernels of pairs, which meet in rounds. Each pair is measured in five passes over all
// rounds, and one of the two processes takes the time of each repetition.
func (m Method) forPairs() Method {
	m.lengths = func(*kernel.Kernel) []int64 { return []int64{8, 1 << 20} } // for latencies and for bandwidths
	m.Everyone, m.times, m.clock.each = true, true, nil
	m.unfit, m.row = unfitForSeries, (*Measurer).measurePairs
	return m
}

// measurePairs measures a row of pairs. All processes of the world take part.
func (m *Measurer) measurePairs(t *Table, s *kernel.Setup, row *measured.Row, _ int64) error {
	x := &pairsRow{t: t, row: row, rule: m.Settings.Series.Precision, mine: map[slot]*[passes][]float64{}}
	var err error
	if x.rounds, err = m.Settings.Rounds(s.Ranks); err != nil {
		return err
	}
	if x.pairRunner, err = m.newPairRunner(s, 1); err != nil {
		return err
	}
	if err := x.begin(); err != nil {
		return err
	}
	for pass, more := 0, true; more; pass++ {
		x.checks = pass == passes-1 && mpi.MovesData(x.Engine)
		for k := range x.rounds.Count {
			if err := x.measureRound(pass, k); err != nil {
				return err
			}
		}
		if pass%passes == passes-1 {
			if more, err = x.decide(); err != nil {
				return err
			}
		}
	}
	x.idle.Close()
	return x.finish()
}

// begin determines the number of repetitions in a batch.
func (x *pairsRow) begin() error {
	x.began = x.Seconds()
	n, err := x.batchSize()
	for k := range x.rounds.Count {
		x.left = append(x.left, slices.Repeat([]int64{n}, len(x.rounds.Of(k))))
	}
	return err
}

// batchSize returns the number of repetitions in a batch. It is a share of the user's number, or of the first
// repetitions of a precision; otherwise as many as fit into the time of a row, judged by one round trip of the first
// pair.
func (x *pairsRow) batchSize() (int64, error) {
	const share = passes - 1 // rounded up
	if x.rule != nil {
		return (x.rule.First() + share) / passes, nil
	}
	if n := x.Settings.Repetitions.Max; n > 0 {
		return (n + share) / passes, nil
	}
	began := x.Now()
	if _, err := x.runBatch(x.role(x.rounds.Of(0)[:1], false), 1); err != nil {
		return 0, err
	}
	seconds, err := x.Most(x.Now().Sub(began).Seconds() / float64(1+x.warm))
	batches := x.rounds.Pairs
	if x.Settings.Pairs.AtOnce {
		batches = x.rounds.Count
	}
	fit := x.patience() / (passes * float64(batches*x.directions()) * seconds)
	return int64(min(max(fit-float64(x.warm), minBatch), maxBatch)), err
}

// measureRound measures a pass over those pairs of a round that have repetitions left, all at the same time or one
// after the other.
func (x *pairsRow) measureRound(pass, k int) error {
	list := x.rounds.Of(k)
	x.t.report(fmt.Sprintf("%s, %s, pass %d, round %d of %d", x.t.block.Name(), rating.Bytes(x.s.Bytes), pass+1,
		k+1, x.rounds.Count), float64(min(pass, passes-1)*x.rounds.Count+k)/float64(passes*x.rounds.Count))
	together := 1
	if x.Settings.Pairs.AtOnce {
		together = len(list)
	}
	for first := 0; first < len(list); first += together {
		group, left := list[first:first+together], x.left[k][first:first+together]
		if slices.Max(left) == 0 {
			continue
		}
		for direction := range x.directions() {
			with := x.role(group, direction == 1)
			n := slices.Max(left)
			if with != nil {
				n = left[slices.IndexFunc(group, func(p patterns.Pair) bool { return x.in(p) })]
			}
			times, err := x.runBatch(with, n)
			if err != nil {
				return err
			}
			x.keepTimes(slot{k, direction}, pass, times)
		}
	}
	if err := x.Engine.Collect(); err != nil {
		return err
	}
	return x.Stopped(nil)
}

// keepTimes adds the times of a batch that this process measured.
func (x *pairsRow) keepTimes(at slot, pass int, times []float64) {
	if len(times) == 0 {
		return
	}
	if x.mine[at] == nil {
		x.mine[at] = &[passes][]float64{}
	}
	list := &x.mine[at][pass%passes]
	*list = append(*list, times...)
}

func (x *pairsRow) in(p patterns.Pair) bool { return x.s.Rank() == p.I || x.s.Rank() == p.J }

// role returns this process's part in pairs that run at the same time, or nil if it has none.
func (x *pairsRow) role(group []patterns.Pair, back bool) *kernel.Pairing {
	if x.s.Comm == nil {
		return nil
	}
	for _, p := range group {
		switch x.s.Rank() {
		case p.I:
			return &kernel.Pairing{Peer: p.J, Measures: !back}
		case p.J:
			return &kernel.Pairing{Peer: p.I, Measures: back}
		}
	}
	return nil
}

// runBatch runs n repetitions of a pair, and returns their times on the process that measures.
func (x *pairsRow) runBatch(with *kernel.Pairing, n int64) ([]float64, error) {
	got, err := x.run(with, n, true)
	if err != nil {
		return nil, err
	}
	if lap := x.s.Kernel.Builder.Lap; with != nil && with.Measures && lap < len(got.Laps) {
		return got.Laps[lap].Each, nil
	}
	return nil, nil
}

// decide sets the repetitions of the next five passes, and reports whether there are any. It reduces the numbers of
// further repetitions that the precision requires for each pair to their maxima on all processes.
func (x *pairsRow) decide() (bool, error) {
	if x.rule == nil {
		return false, nil
	}
	late, err := x.Any(x.Seconds()-x.began > x.patience())
	if late || err != nil {
		return false, err
	}
	plan := make([]float64, x.rounds.Pairs)
	next := plan
	for k, list := range x.left {
		for i, p := range x.rounds.Of(k) {
			for direction := range x.directions() {
				if slots := x.mine[slot{k, direction}]; slots != nil && x.in(p) {
					next[i] = max(next[i], float64(nextBatch(x.rule, slots)))
				}
			}
		}
		next = next[len(list):]
	}
	if err := x.World.Allreduce(plan, mpi.Max); err != nil {
		return false, err
	}
	more := slices.Max(plan) > 0
	for _, list := range x.left {
		for i := range list {
			list[i] = int64(plan[i])
		}
		plan = plan[len(list):]
	}
	return more, nil
}

// finish collects the times of all pairs and the checks of their data, and puts them into process 0's row.
func (x *pairsRow) finish() error {
	if x.First() {
		x.byNumber = make(map[patterns.Pair]int, x.rounds.Pairs)
		for i, p := range x.rounds.All() {
			x.byNumber[p] = i
		}
		x.samples = make([]pairs.PairSamples, x.directions())
		for i := range x.samples {
			x.samples[i] = pairs.NewSamples(x.rounds.Pairs)
		}
	}
	for k := range x.rounds.Count {
		if err := x.collect(k); err != nil {
			return err
		}
	}
	if err := x.count(x.row, x.seen); err != nil || !x.First() {
		return err
	}
	t := &pairs.PairTimes{AtOnce: x.Settings.Pairs.AtOnce, There: x.samples[0]}
	if x.rounds.Pairs < patterns.CountPairs(x.s.Ranks) {
		for _, p := range x.rounds.All() {
			t.Ranks = append(t.Ranks, [2]int{p.I, p.J})
		}
	}
	if len(x.samples) > 1 {
		t.Back = &x.samples[1]
	}
	x.row.Pairs, x.row.Repetitions = t, t.CompactCounts()
	return nil
}

// collect sends the times of a round's pairs to process 0.
func (x *pairsRow) collect(k int) error {
	mine := make([]pairRecord, x.directions())
	for direction := range mine {
		if slots := x.mine[slot{k, direction}]; slots != nil {
			mine[direction] = recordOf(slots)
		}
	}
	all, err := job.GatherNumbers(x.s.Comm, mine)
	if err != nil || !x.First() {
		return err
	}
	for _, p := range x.rounds.Of(k) {
		for direction, to := range x.samples {
			r := all[p.I][direction]
			if direction == 1 {
				r = all[p.J][direction]
			}
			i := x.byNumber[p]
			for pass := range to.Medians {
				to.Medians[pass][i] = rating.Picoseconds(r.Medians[pass])
			}
			to.Means[i], to.Counts[i] = rating.Picoseconds(r.Mean), r.Count
			to.Deviations[i], to.PassDeviations[i] = rating.Picoseconds(r.Deviation), rating.Picoseconds(r.Between)
		}
	}
	return nil
}

// recordOf returns the figures of a pair's times.
func recordOf(slots *[passes][]float64) (r pairRecord) {
	all := slices.Concat(slots[:]...)
	r.Count = int64(len(all))
	r.Mean, _ = stats.Mean(all, settings.Default.Precision.Confidence)
	if r.Count > 1 {
		r.Deviation = stats.Deviation(all)
	}
	r.Between = stats.Deviation(passStatistics(slots, settings.ByMean))
	for pass, times := range slots {
		r.Medians[pass] = stats.Middle(times)
	}
	return r
}

// passStatistics returns a statistic of each pass.
func passStatistics(slots *[passes][]float64, statistic settings.Statistic) []float64 {
	list := make([]float64, passes)
	for pass, times := range slots {
		if list[pass] = stats.Middle(times); statistic == settings.ByMean {
			list[pass], _ = stats.Mean(times, settings.Default.Precision.Confidence)
		}
	}
	return list
}

// nextBatch returns the number of repetitions that each of the next five passes adds to a pair. It is 0 if the interval
// of the passes' statistics is narrow enough, or if the pair has the largest number of repetitions.
func nextBatch(p *settings.Precision, slots *[passes][]float64) int64 {
	n := int64(len(slots[0]) * passes)
	student := settings.Precision{Statistic: settings.ByMean, Confidence: p.Confidence}
	relative, known := student.Width(passStatistics(slots, p.Statistic))
	more, _ := p.After(n, relative, known)
	return min((more+passes-1)/passes, (p.Max-n)/passes)
}
