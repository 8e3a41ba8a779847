package beffio

import (
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
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
//
// It isn't known where more than half of a figure's weight is there once, or where stalls leave it no upper end.

const (
	// mostOnce is the part of the weight that may be of times that are there once.
	mostOnce = 0.5
	// batch is the part of a pattern whose blocks are taken together.
	batch = 1. / 4
	// offMiddle is how far the middle of a figure's moments may be from the middle of its time, as a part of that time.
	offMiddle = 0.2
)

// within adds the intervals of the partitions' figures that are known.
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
			m.Interval = list[n].interval(m.Bandwidth, parts, m.Seconds, drift)
		}
		if rated := p.Rating(r.Rules); rated > 0 {
			p.Interval = list[n].interval(rated, p.parts(r.Rules), whole, drift)
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
// drift over its seconds; nil where it isn't known.
func (t *times) interval(figure float64, parts map[place]float64, seconds float64, drift estimate) *rating.Interval {
	var all sum
	once := 0.0
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
		}
	}
	all.add(offMiddle*seconds, drift)
	in := rating.Around(figure, all.half(), rating.ByCalls)
	if once > mostOnce || !(in.High <= math.MaxFloat64) { // JSON has no infinity
		return nil
	}
	return in
}

// batches returns the variance of the sum of blocks.
func batches(blocks []float64) (e estimate) {
	e.variance, e.freedom = stats.Batches(blocks, max(1, int(math.Round(batch*float64(len(blocks))))))
	return e
}
