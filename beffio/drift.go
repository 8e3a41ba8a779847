package beffio

import (
	"math"

	"github.com/effective-bandwidth/beff/stats"
)

// A drift of the file system over the run is known by what is read again in later passes: the logarithm of the time of
// a pattern's calls over the moments at which the passes came to it. A straight line stands for all times of the run.
// What changes within a pattern says nothing: the first calls of any pattern may be slower than the next ones, and a
// pattern is a hundredth of a run.

// moments are those at which parts of a run were, in seconds of its samples and files.
type moments struct {
	samples []float64        // the middle of each one
	files   map[group]moment // of opening and closing
	from    map[period]float64
	to      map[period]float64
}

// group is the samples of a file in a pass.
type group struct {
	partition int
	place
	pass int
}

// moment is when a file was opened and closed, in seconds of the run.
type moment struct{ open, close float64 }

// period is an access method in a partition; without one it is the whole run.
type period struct {
	partition int
	access    Access
}

// wholeRun is the period of all partitions.
var wholeRun = period{partition: -1}

// momentsOf returns the moments of a run's samples, in the order in which they were measured.
func momentsOf(r *Result) *moments {
	m := &moments{samples: make([]float64, len(r.Samples)), files: map[group]moment{}, from: map[period]float64{},
		to: map[period]float64{}}
	files := map[group]FileSample{}
	for _, f := range r.Files {
		files[group{f.Partition, place{f.Access, TypeNamed(f.Type)}, f.Pass}] = f
	}
	now := 0.0
	for i := range r.Samples {
		s := &r.Samples[i]
		g := group{s.Partition, place{s.Access, r.typeOf(s.Pattern)}, s.Pass}
		at, begun := m.files[g]
		if !begun {
			at.open = now
			if p := (period{s.Partition, s.Access}); s.Pass == 0 && m.to[p] == 0 {
				m.from[p] = now
			}
			now += files[g].Open + files[g].Close
		}
		m.samples[i] = now + s.Seconds/2
		now += s.Seconds
		at.close = now
		m.files[g] = at
		if s.Pass == 0 {
			m.to[period{s.Partition, s.Access}] = now
		}
	}
	m.to[wholeRun] = now
	return m
}

// middle returns the middle of a period.
func (m *moments) middle(p period) float64 { return (m.from[p] + m.to[p]) / 2 }

// leastRepeated is the least part of a pattern's calls that a later pass must have repeated.
const leastRepeated = 0.02

const (
	// hidden is the standard deviation of what a run drifts from begin to end, where later passes don't show more,
	hidden = 0.02
	// and unseen where nothing was read again.
	unseen = 0.15
)

// drifts returns how much longer everything took each second, as a part. An estimate by later passes that is within
// two deviations of none is shrunk towards it: a drift that is larger than `hidden` is assumed to be rare.
func (t *times) drifts() stats.Estimate {
	const surprise = 2  // deviations
	const freedom = 1e3 // of what is assumed: as good as known
	prior, e := hidden/t.to[wholeRun], t.byPasses()
	if e.Variance == 0 {
		prior = unseen / t.to[wholeRun]
		return stats.Estimate{Variance: prior * prior, Freedom: freedom}
	}
	if math.Abs(e.Value) > surprise*math.Hypot(math.Sqrt(e.Variance), prior) {
		return e
	}
	known := prior * prior / (e.Variance + prior*prior)
	e.Value, e.Variance = e.Value*known, e.Variance*known
	return e
}

// bent is how far the moment of a figure may be off, as a part of the run: a drift needn't be a straight line, and
// later passes see only the end of a run.
const bent = 0.07

// bend returns the variance of what a drift changes in any figure because it isn't a straight line, and because the
// mean of a rate is above the rate in the middle.
func (t *times) bend() float64 {
	all := t.to[wholeRun]
	squares := all * all * (t.drift.Value*t.drift.Value + t.drift.Variance)
	above := squares / 12 // the variance over the run of a straight line
	return bent*bent*squares + above*above
}

// byPasses returns the drift by all patterns that later passes have read again.
func (t *times) byPasses() stats.Estimate {
	type pattern struct{ partition, number int }
	first, points := map[pattern]int{}, map[pattern]*course{}
	for i := range t.r.Samples {
		s := &t.r.Samples[i]
		if s.Access != Read {
			continue
		}
		at := pattern{s.Partition, s.Pattern}
		if s.Pass == 0 && s.Blocks != nil && len(s.Blocks.Seconds) >= leastBatches {
			first[at], points[at] = i, &course{}
			points[at].add(t.moments.samples[i], 0, s.Blocks.sum())
		}
		k, ok := first[at]
		if s.Pass == 0 || !ok {
			continue
		}
		if again, before := repeated(&t.r.Samples[k], s); again > 0 && before > 0 {
			points[at].add(t.moments.samples[i], math.Log(again/before), before)
		}
	}
	var list []stats.Estimate
	for i := range t.r.Samples { // in the order of the run, so that sums are always the same
		s := &t.r.Samples[i]
		at := pattern{s.Partition, s.Pattern}
		if k, ok := first[at]; ok && k == i && len(points[at].x) > 1 {
			b := series{s.Blocks.Seconds, s.Blocks.sum(), 0}
			rate, _ := b.rate(1)
			slope, squares := points[at].slope()
			list = append(list, stats.Estimate{Value: slope, Variance: rate / squares})
		}
	}
	return stats.Pool(list)
}

// repeated returns the seconds of a later pass' calls of a pattern, and those of as many calls of the first pass. Both
// set the view in about the same time, which the first pass' blocks leave over.
func repeated(first, s *Sample) (again, before float64) {
	b := first.Blocks
	if s.Bytes == 0 || float64(s.Repetitions) < leastRepeated*float64(first.Repetitions) {
		return 0, 0
	}
	return s.Seconds - max(first.Seconds-b.sum(), 0), b.first(s.Repetitions, first.Repetitions)
}

// first returns the seconds of the first n of all calls.
func (b *Blocks) first(n, all int64) float64 {
	if n >= all {
		return b.sum()
	}
	sum := 0.0
	for _, seconds := range b.Seconds {
		if n <= b.Calls {
			return sum + seconds*float64(n)/float64(b.Calls)
		}
		sum, n, all = sum+seconds, n-b.Calls, all-b.Calls
	}
	return sum + b.Rest*float64(n)/float64(all)
}

// course is the values of a pattern at several moments, with weights.
type course struct{ x, y, weight []float64 }

func (c *course) add(x, y, weight float64) {
	c.x, c.y, c.weight = append(c.x, x), append(c.y, y), append(c.weight, weight)
}

// slope returns the slope of the straight line through the values, and the weighted squares of the moments around
// their mean.
func (c *course) slope() (slope, squares float64) {
	x, y, all := 0.0, 0.0, 0.0
	for i, w := range c.weight {
		x, y, all = x+w*c.x[i], y+w*c.y[i], all+w
	}
	x, y = x/all, y/all
	for i, w := range c.weight {
		slope += w * (c.x[i] - x) * (c.y[i] - y)
		squares += w * (c.x[i] - x) * (c.x[i] - x)
	}
	return slope / squares, squares
}
