package beffio

import (
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// The interval of a bandwidth within the run is computed for its logarithm. Each further second of a type's time lowers
// it by the type's part of the bandwidth, divided by the type's seconds. Three things show the uncertainty of that
// time:
//
//   - The calls of a pattern were timed in blocks. The spread of batches of a quarter of them gives the error of
//     their sum. A stall counts a second time: without it the pattern might have made more calls, and so would all
//     types and accesses that repeat its calls.
//   - Syncs, opening, closing and patterns of one call are one-time costs. Their spread is their distance from a
//     straight line over the bytes.
//   - Later passes read the same data as the first one. The change of their times shows how the file system drifts.
//     A figure is measured at times whose middle may be off the middle of the run by a fifth of the run's time.
//
// The interval isn't known if over half of a figure's weight is one-time costs, or if stalls make its end infinite.

const (
	// maxOnce is the part of the weight that one-time costs may have.
	maxOnce = 0.5
	// batch is the part of a pattern whose blocks form a batch.
	batch = 1. / 4
	// offMiddle is how far the middle of a figure's times may be off the middle of the run, as a part of its time.
	offMiddle = 0.2
)

// setIntervals sets the known intervals of the partitions' figures.
func setIntervals(r *Result, partitions []Partition) {
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
func (s *sum) add(factor float64, e estimate) {
	if e.freedom > 0 {
		variance := factor * factor * e.variance
		s.variance += variance
		s.squares += variance * variance / e.freedom
	}
}

// half returns the half width of the interval of a value with this variance.
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

// interval returns the interval of a figure, or nil if not known. parts are the figure's relative changes with the
// bandwidth of each type, and drift acts over the given seconds.
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
	if once > maxOnce || !(in.High <= math.MaxFloat64) { // JSON has no infinity
		return nil
	}
	return in
}

// batches returns the variance of the sum of blocks.
func batches(blocks []float64) (e estimate) {
	e.variance, e.freedom = stats.Batches(blocks, max(1, int(math.Round(batch*float64(len(blocks))))))
	return e
}
