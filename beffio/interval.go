package beffio

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// The interval of a bandwidth within the run is that of its logarithm, which follows from all times of the first pass:
// each second more of a type lowers it by the type's part of the bandwidth over the type's seconds. The calls of a
// pattern took part in blocks of time, whose spread says how far their sum is off. Syncs, opening, closing and patterns
// of one call are there once; what they spread is how far they lie off a straight line over the bytes.

// NotKnown is why an interval isn't known.
type NotKnown struct {
	Reason Reason `json:"reason" jsonschema:"enum=once,enum=level,enum=states"`
	// Relative. Of once: the part of the figure's weight. Of level: the pattern's rate after the change over the one
	// before. Of states: variance by halves of the patterns over the one by shorter batches.
	Figure float64 `json:"figure" jsonschema:"minimum=0"`
	// Of level.
	Access Access `json:"access,omitempty" jsonschema:"enum=write,enum=rewrite,enum=read"`
	// Of level.
	Pattern int `json:"pattern,omitempty" jsonschema:"minimum=0"`
}

// Reason is a kind of reason why an interval isn't known.
type Reason string

const (
	// Once is that too much of the time went into what a run does once.
	Once Reason = "once"
	// ByLevel is that the calls of a pattern became slower or faster and stayed so.
	ByLevel Reason = "level"
	// ByStates is that calls are alike for as long as a pattern takes.
	ByStates Reason = "states"
)

// String returns the reason in words.
func (n *NotKnown) String() string {
	switch n.Reason {
	case Once:
		return fmt.Sprintf("%.0f %% of its weight is time of syncs, opening, closing and single calls, which a run "+
			"does once", 100*n.Figure)
	case ByLevel:
		return fmt.Sprintf("pattern %d of %s went on at %.2g times its rate and stayed there", n.Pattern, n.Access,
			n.Figure)
	}
	return "calls stayed slow or fast for as long as whole patterns"
}

const (
	// mostOnce is the part of the weight that may be of times that are there once.
	mostOnce = 0.5
	// levelSigma is how many standard errors a change of level must have,
	levelSigma = 6
	// and levelBlocks how many blocks on both sides.
	levelBlocks = 3
	// changedPart is the least part of a pattern's variance that a change of level explains. Blocks that are alike for
	// a short time have it, too, but several changes one after the other, of which one explains less.
	changedPart = 0.6
	// changedWeight is the least part of the figure's weight of patterns that changed their level.
	changedWeight = 0.002
	// leastBatches is the least number of blocks of a pattern that tells what lasts longer,
	leastBatches = 12
	// and lasts the chance below which it does.
	lasts = 0.01
	// growing is the chance below which halves of patterns differ more than shorter batches explain.
	growing = 0.001
	// leastFitted is the least number of times from which on a line through them says what they spread.
	leastFitted = 5
	// alone is the relative standard deviation of times of which there are fewer.
	alone = 1
)

// batches are the lengths of batches, as parts of a pattern. The last one only tells whether states last longer.
var batches = [...]float64{0, 1. / 8, 1. / 4, 1. / 2}

// outliers returns by how much the rating is lower because of blocks that took more than twice as long as others of
// their pattern, relative; NaN if no times of calls were kept.
func outliers(r *Result) float64 {
	t, n := timesOf(r), r.Rated()
	if !t.known || n < 0 {
		return math.NaN()
	}
	return 1 - r.Derived.Partitions[n].Rating(r.Rules)/t.calm(n).Rating(r.Rules)
}

// interval returns the interval of a figure, by the relative change of it with the bandwidth of each type. Calls that
// take longer make their own type slower. In the initial write they are fewer, too, and so are those that follow them
// in other types and access methods, which get more or less of the bytes of their types.
//
// Without stalls the figure would be the calm one. What the spread of the blocks doesn't say of that is how many calls
// a stall has cost that other types and access methods would have repeated.
func (x *partTimes) interval(figure, calm float64, parts map[place]float64, over period) (*rating.Interval,
	*NotKnown) {
	u := x.uncertain(parts, over)
	u.off += max(0, math.Log(calm/figure)-u.outliers)
	half, not := u.half()
	if not != nil {
		return nil, not
	}
	return rating.Around(figure, half, rating.ByCalls), nil
}

// uncertain returns what the logarithm of a figure spreads, and is off because of the drift: the true one is that of
// the middle of a period.
func (x *partTimes) uncertain(parts map[place]float64, over period) *uncertain {
	fewer := map[int]float64{}
	for _, m := range x.made {
		if m.by >= 0 {
			fewer[m.by] += parts[m.at] * m.excess
		}
	}
	u, later := &uncertain{}, 0.0
	for i := range x.spans {
		s := &x.spans[i]
		at := place{s.access, s.typ}
		if x.seconds[at] == 0 || s.seconds == 0 {
			continue
		}
		change := parts[at] / x.seconds[at]
		if s.access == Write && s.blocks != nil {
			change += fewer[s.pattern] / s.seconds
		}
		if change != 0 {
			u.add(s, math.Abs(change), x.once[s.kind])
			later += change * s.seconds * (s.at - x.middle(over))
		}
	}
	u.off = later * x.drift.Value
	u.drift.add(later*later*x.drift.Variance, x.drift.Freedom)
	u.drift.add(x.bend(), x.drift.Freedom)
	return u
}

// uncertain adds up what the logarithm of a figure spreads.
type uncertain struct {
	calls   [len(batches)]sum
	once    sum
	off     float64 // by the drift
	drift   sum     // of that
	weight  float64 // of the times that are there once
	changes []changed
	series  []series

	outliers float64 // by how much the seconds of stalls lower the figure
}

// changed is a change of level of a pattern.
type changed struct {
	span *span
	stats.LevelChange
	weight float64
}

// series is a span of calls.
type series struct {
	blocks             []float64
	seconds, perSecond float64
}

// seconds of a batch of m blocks.
func (s *series) batch(m int) float64 { return s.seconds / float64(len(s.blocks)) * float64(m) }

// rate returns the variance of the relative time times the time, by batches of m blocks. Where all patterns meet the
// same noise it is the same for all.
func (s *series) rate(m int) (rate, freedom float64) {
	mean := 0.0
	for _, x := range s.blocks {
		mean += x / float64(len(s.blocks))
	}
	n := float64(len(s.blocks))
	v, freedom := stats.Batches(s.blocks, m)
	return v / (n * n * mean * mean) * s.seconds, freedom
}

// lasting returns by how much the variance is larger because short patterns can't see what lasts for longer than a
// part of them. It is what the longest ones see more in long batches than in batches as long as the short ones'. It is
// 0 unless long batches differ by more than short ones explain.
func (u *uncertain) lasting() float64 {
	longest := 0.0
	for _, s := range u.series {
		if len(s.blocks) >= leastBatches {
			longest = max(longest, s.seconds)
		}
	}
	var long []series
	for _, s := range u.series {
		if len(s.blocks) >= leastBatches && s.seconds >= longest/2 {
			long = append(long, s)
		}
	}
	if len(long) == 0 {
		return 0
	}
	at := func(seconds float64) (q sum) {
		for _, s := range long {
			m := min(max(1, int(math.Round(seconds/s.batch(1)))), len(s.blocks)/4)
			rate, freedom := s.rate(m)
			q.add(rate/float64(len(long)), freedom)
		}
		return q
	}
	most, least := at(longest), at(0)
	if !(least.variance > 0) || stats.LargerBy(most.variance/least.variance, most.freedom(), least.freedom()) > lasts {
		return 0
	}
	extra := 0.0
	for _, s := range u.series {
		m := max(1, len(s.blocks)/4)
		if more := most.variance - at(s.batch(m)).variance; more > 0 {
			extra += s.perSecond * s.perSecond * s.seconds * more
		}
	}
	return extra
}

// sum is a variance as a sum of independent ones, with Satterthwaite's degrees of freedom.
type sum struct{ variance, squares float64 }

func (s *sum) add(variance, freedom float64) {
	if freedom > 0 {
		s.variance += variance
		s.squares += variance * variance / freedom
	}
}

// freedom returns the degrees of freedom.
func (s *sum) freedom() float64 {
	if s.squares == 0 {
		return 0
	}
	return s.variance * s.variance / s.squares
}

// add adds a span whose seconds change the logarithm of the figure by so much each.
func (u *uncertain) add(s *span, perSecond float64, once spreads) {
	if s.blocks == nil {
		u.weight += perSecond * s.seconds
		off := perSecond * s.seconds * once.part
		u.once.add(off*off, once.freedom)
		return
	}
	if slices.Max(s.blocks) == 0 {
		return
	}
	n := len(s.blocks)
	u.outliers += perSecond * s.stalled()
	for i, part := range batches {
		variance, freedom := stats.Batches(s.blocks, max(1, int(math.Round(part*float64(n)))))
		u.calls[i].add(perSecond*perSecond*variance, freedom)
		u.calls[i].add(perSecond*perSecond*s.odd*s.odd, 1)
	}
	if c := stats.LargestChange(s.blocks, levelBlocks); c.Sigma > levelSigma && c.Part > changedPart {
		u.changes = append(u.changes, changed{s, c, perSecond * s.seconds})
	}
	u.series = append(u.series, series{s.blocks, s.seconds, perSecond})
}

// half returns half of the interval of the logarithm, or why it isn't known.
func (u *uncertain) half() (float64, *NotKnown) {
	if u.weight > mostOnce {
		return 0, &NotKnown{Reason: Once, Figure: u.weight}
	}
	last := len(batches) - 1
	calls := u.calls[0]
	for _, s := range u.calls[:last] {
		if s.variance > calls.variance {
			calls = s
		}
	}
	whole := calls
	if extra := u.lasting(); extra > 0 {
		whole = u.calls[last-1]
		factor := 1 + extra/whole.variance
		whole.variance, whole.squares = whole.variance*factor, whole.squares*factor*factor
		if calls.variance > whole.variance {
			whole = calls
		}
		calls = whole
	}
	whole.variance, whole.squares = whole.variance+u.once.variance, whole.squares+u.once.squares
	half := 0.0
	if whole.variance > 0 {
		half = stats.Student((1+rating.Confidence)/2, whole.freedom()) * math.Sqrt(whole.variance)
	}
	worst, most, weight := changed{}, half, 0.0
	for _, c := range u.changes {
		weight += c.weight
		if off := math.Abs(math.Log(c.Ratio)); off > most {
			worst, most = c, off
		}
	}
	if worst.span != nil && weight >= changedWeight {
		return 0, &NotKnown{Reason: ByLevel, Figure: 1 / worst.Ratio, Access: worst.span.access,
			Pattern: worst.span.pattern}
	}
	if s := u.calls[last]; calls.variance > 0 {
		ratio := s.variance / calls.variance
		if stats.LargerBy(ratio, s.freedom(), calls.freedom()) < growing {
			return 0, &NotKnown{Reason: ByStates, Figure: ratio}
		}
	}
	whole.variance, whole.squares = whole.variance+u.drift.variance, whole.squares+u.drift.squares
	return stats.Reach(u.off, math.Sqrt(whole.variance), whole.freedom(), rating.Confidence), nil
}
