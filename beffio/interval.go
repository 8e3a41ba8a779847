package beffio

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// The interval of a bandwidth within the run is that of its logarithm. Each second more of a type's time lowers it by
// the type's part of the bandwidth over the type's seconds. Three things say how far it may be off:
//
//   - The calls of a pattern took part in blocks of time. What batches of a quarter of them spread is the error of
//     their sum. A stall counts once more: it may have cost calls, which all types and accesses repeat.
//   - Syncs, opening, closing and patterns of one call are there once. What they spread is how far they lie off a
//     straight line over the bytes.
//   - Later passes read again what the first one read. What they took longer says how the file system drifts. A figure
//     is made at moments whose middle may be a fifth of its time away from the middle of that time.

// NotKnown is why an interval isn't known.
type NotKnown struct {
	// Left out of newer documents: states.
	Reason Reason `json:"reason" jsonschema:"enum=once,enum=level,enum=stalls,enum=states"`
	// Relative. Of once: the part of the figure's weight. Of level: the pattern's rate after the change over the one
	// before. Of states: variance by halves of the patterns over the one by shorter batches. Of stalls: the
	// part of the weight that they took.
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
	// Stalls is that the times differ by so much that the figure has no upper end.
	Stalls Reason = "stalls"
)

// String returns the reason in words.
func (n *NotKnown) String() string {
	switch n.Reason {
	case Once:
		return fmt.Sprintf("%.0f %% of its weight is time of syncs, opening, closing and single calls, which a run "+
			"does once", 100*n.Figure)
	case Stalls:
		return fmt.Sprintf("times differ by so much that it may be any (%.0f %% of its weight is time of stalls)",
			100*n.Figure)
	}
	return fmt.Sprintf("pattern %d of %s went on at %.2g times its rate and stayed there", n.Pattern, n.Access,
		n.Figure)
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
	// batch is the part of a pattern whose blocks are taken together.
	batch = 1. / 4
	// offMiddle is how far the middle of a figure's moments may be from the middle of its time, as a part of that time.
	offMiddle = 0.2
)

// within adds the intervals of the partitions' figures, or why they aren't known.
func within(r *Result, partitions []Partition) {
	list := timesOf(r)
	if list == nil {
		return
	}
	drift, whole := driftOf(r), 0.0
	for i := range r.Samples {
		whole += r.Samples[i].Seconds
	}
	for n := range partitions {
		p := &partitions[n]
		for m := range lists.Elements(p.Accesses) {
			if m.Bandwidth == 0 {
				continue
			}
			parts := map[place]float64{}
			for _, typ := range Types() {
				parts[place{m.Access, typ}] = m.Share(typ) / m.Bandwidth
			}
			m.Interval, m.NotKnown = list[n].interval(m.Bandwidth, parts, m.Seconds, drift)
		}
		if rated := p.Rating(r.Rules); rated > 0 {
			p.Interval, p.NotKnown = list[n].interval(rated, p.parts(r.Rules), whole, drift)
		}
	}
}

// parts returns the relative change of a partition's rating with the bandwidth of each type.
func (p *Partition) parts(rules Rules) map[place]float64 {
	parts, formula := map[place]float64{}, rules.Formula()
	for _, factor := range formula.Factors {
		all := factor.Of(p)
		for _, term := range factor.Split().Terms {
			parts[place{term.Access, term.Type}] += formula.Power * term.Weight * term.Of(p) / all
		}
	}
	return parts
}

// sum is a variance as a sum of independent ones, with Satterthwaite's degrees of freedom.
type sum struct{ variance, squares float64 }

// add adds the variance of a value times a factor.
func (s *sum) add(factor float64, of estimate) {
	if of.freedom > 0 {
		variance := factor * factor * of.variance
		s.variance += variance
		s.squares += variance * variance / of.freedom
	}
}

// half returns half of the interval of a value with this variance.
func (s *sum) half() float64 {
	if s.variance == 0 {
		return 0
	}
	return stats.Student((1+rating.Confidence)/2, s.freedom()) * math.Sqrt(s.variance)
}

// freedom returns the degrees of freedom.
func (s *sum) freedom() float64 { return s.variance * s.variance / s.squares }

// estimate is a variance with its degrees of freedom.
type estimate struct{ variance, freedom float64 }

// interval returns the interval of a figure, by the relative change of it with the bandwidth of each type and by the
// drift over its seconds, or why it isn't known.
func (t *times) interval(figure float64, parts map[place]float64, seconds float64, drift estimate) (*rating.Interval,
	*NotKnown) {
	var all sum
	var change NotKnown
	once, changed, most, stalls := 0.0, 0.0, 0.0, 0.0
	for s := range lists.Elements(t.spans) {
		if t.seconds[s.place] == 0 || s.seconds == 0 {
			continue
		}
		perSecond := parts[s.place] / t.seconds[s.place]
		weight := perSecond * s.seconds
		if s.blocks == nil {
			once += weight
			all.add(weight, t.spread[s.once])
			continue
		}
		all.add(perSecond, batches(s.blocks))
		if lost := s.stalled(); lost < s.seconds {
			all.add(weight*lost/(s.seconds-lost), estimate{1, 1})
			stalls += weight * lost / s.seconds
		}
		if c := stats.LargestChange(s.blocks, levelBlocks); c.Sigma > levelSigma && c.Part > changedPart {
			changed += weight
			if off := math.Abs(math.Log(c.Ratio)); off > most {
				most, change = off, NotKnown{ByLevel, 1 / c.Ratio, s.access, s.pattern}
			}
		}
	}
	switch {
	case once > mostOnce:
		return nil, &NotKnown{Reason: Once, Figure: once}
	case changed >= changedWeight && most > all.half():
		return nil, &change
	}
	all.add(offMiddle*seconds, drift)
	in := rating.Around(figure, all.half(), rating.ByCalls)
	if !(in.High <= math.MaxFloat64) { // JSON has no infinity
		return nil, &NotKnown{Reason: Stalls, Figure: stalls}
	}
	return in, nil
}

// batches returns the variance of the sum of blocks.
func batches(blocks []float64) (e estimate) {
	e.variance, e.freedom = stats.Batches(blocks, max(1, int(math.Round(batch*float64(len(blocks))))))
	return e
}
