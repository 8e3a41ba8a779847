package beffio

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/stats"
)

// times has the times of a partition's first pass, from which its intervals follow.
type times struct {
	spans   []span
	seconds map[place]float64 // sum over all spans of a type
	bytes   map[place]int64
	spread  map[once]estimate // relative variance, the same for all partitions
}

// span is a part of the time of a type: the calls of a pattern, or a one-time cost.
type span struct {
	place
	pattern int
	seconds float64
	blocks  []float64 // nil for a one-time cost
	once    once
	bytes   int64 // for a one-time cost, the bytes on which it may depend
}

// place is a pattern type with an access method.
type place struct {
	access Access
	typ    patterns.IOType
}

// once is a kind of one-time cost.
type once struct {
	what   string
	access Access // empty for all of them
}

// timesOf returns the times of all partitions, or nil if no times of calls were kept.
func timesOf(r *Result) []times {
	list, known := make([]times, len(r.Partitions)), false
	for i := range list {
		list[i] = times{seconds: map[place]float64{}, bytes: map[place]int64{}, spread: map[once]estimate{}}
	}
	for i := range r.Samples {
		if s := &r.Samples[i]; s.Pass == 0 {
			known = known || s.Blocks != nil
			list[s.Partition].sample(s, place{s.Access, r.typeOf(s.Pattern)})
		}
	}
	if !known {
		return nil
	}
	for i, f := range r.Files {
		t, at := &list[f.Partition], place{f.Access, TypeNamed(f.Type)}
		if f.Pass == 0 {
			t.add(span{place: at, seconds: f.Open, once: once{what: "open"}})
		}
		later := func(other FileSample) bool {
			return other.Partition == f.Partition && other.Access == f.Access && other.Type == f.Type
		}
		if slices.ContainsFunc(r.Files[i+1:], later) { // the close of the last pass counts
			continue
		}
		kind := once{what: "close"}
		if f.Access == Read && !r.Keep { // closing removes the file
			kind.access = Read
		}
		t.add(span{place: at, seconds: f.Close, once: kind, bytes: t.bytes[at]})
	}
	setSpread(list)
	return list
}

func (t *times) add(s span) {
	t.seconds[s.place] += s.seconds
	t.spans = append(t.spans, s)
}

// sample adds the times of a sample's calls, and the rest of the sample's time.
func (t *times) sample(s *Sample, at place) {
	all := span{place: at, pattern: s.Pattern, seconds: s.Seconds, bytes: s.Bytes, once: once{"call", s.Access}}
	t.bytes[at] += s.Bytes
	if s.Blocks != nil && len(s.Blocks.Seconds) > 1 {
		calls := all
		calls.blocks, calls.seconds = s.Blocks.Seconds, min(s.Blocks.sum(), s.Seconds)
		t.add(calls)
		all.seconds, all.once.what = all.seconds-calls.seconds, "sync"
	}
	t.add(all)
}

const (
	// minFitted is the smallest number of times for which a straight line shows their spread.
	minFitted = 5
	// unfitted is the relative variance of fewer times.
	unfitted = 1
	// tinySeconds is the smallest time used as a divisor.
	tinySeconds = 1e-9
)

// setSpread sets the relative variance of each kind of one-time cost around a straight line over the bytes.
func setSpread(list []times) {
	x, y, spread := map[once][]float64{}, map[once][]float64{}, map[once]estimate{}
	for _, t := range list {
		for _, s := range t.spans {
			if s.blocks == nil {
				x[s.once] = append(x[s.once], float64(s.bytes))
				y[s.once] = append(y[s.once], max(s.seconds, tinySeconds))
			}
		}
	}
	for kind, seconds := range y {
		e := estimate{unfitted, 1}
		if n := len(seconds); n >= minFitted {
			intercept, slope := stats.PositiveLine(x[kind], seconds, seconds)
			e = estimate{0, float64(n - 2)}
			for i, took := range seconds {
				off := took/max(intercept+slope*x[kind][i], tinySeconds) - 1
				e.variance += off * off / e.freedom
			}
		}
		spread[kind] = e
	}
	for i := range list {
		list[i].spread = spread
	}
}

// stalled returns the seconds lost by stalls: blocks of calls that took over twice as long as others of their pattern.
func (s *span) stalled() (all float64) {
	sorted := slices.Sorted(slices.Values(s.blocks))
	middle := sorted[(len(sorted)-1)/2] // the shorter one of two
	for _, seconds := range s.blocks {
		if seconds > 2*middle && middle > 0 {
			all += seconds - middle
		}
	}
	return all
}

// outliers returns the part of the rating lost by stalls, or NaN if no times of calls were kept.
func outliers(r *Result) float64 {
	list, n := timesOf(r), r.Rated()
	if list == nil || n < 0 {
		return math.NaN()
	}
	parts, lost := r.Derived.Partitions[n].parts(r.Rules), 0.0
	for i := range list[n].spans {
		if s := &list[n].spans[i]; s.blocks != nil {
			lost += parts[s.place] / list[n].seconds[s.place] * s.stalled()
		}
	}
	return lost
}

const (
	// assumedDrift is the standard deviation of the drift over a run in which nothing was read again.
	assumedDrift = 0.18
	// assumedFreedom is the number of its degrees of freedom, so large that the drift counts as known.
	assumedFreedom = 1000
	// minRepeated is the least part of a pattern's calls that a later pass must have repeated.
	minRepeated = 0.02
)

// driftOf returns the expected square of the rise of the logarithm of all times per second. It fits a straight line
// through the times of the same calls in all passes over reading.
func driftOf(r *Result) estimate {
	type pass struct{ again, before, later float64 }
	passes, noise, now := []pass{{}}, sum{}, 0.0
	first, moment := map[[2]int]*Sample{}, map[[2]int]float64{} // by partition and pattern
	for s := range lists.Elements(r.Samples) {
		at, middle := [2]int{s.Partition, s.Pattern}, now+s.Seconds/2
		now += s.Seconds
		switch {
		case s.Access != Read:
		case s.Pass == 0 && s.Blocks != nil && len(s.Blocks.Seconds) > 1:
			first[at], moment[at] = s, middle
			noise.add(1, batches(s.Blocks.Seconds))
			passes[0].again += s.Blocks.sum()
			passes[0].before = passes[0].again
		case s.Pass > 0 && first[at] != nil:
			for len(passes) <= s.Pass {
				passes = append(passes, pass{})
			}
			if again, before := repeated(first[at], s); again > 0 && before > 0 {
				p := &passes[s.Pass]
				p.again, p.before, p.later = p.again+again, p.before+before, p.later+before*(middle-moment[at])
			}
		}
	}
	var x, y, weights []float64
	for _, p := range passes {
		if p.before > 0 {
			x, y = append(x, p.later/p.before), append(y, math.Log(p.again/p.before))
			weights = append(weights, p.before)
		}
	}
	if len(x) < 2 {
		return estimate{assumedDrift * assumedDrift / now / now, assumedFreedom}
	}
	freedom := 1.0
	if noise.variance > 0 {
		freedom = noise.freedom()
	}
	_, slope := stat.LinearRegression(x, y, weights, false)
	spread := stat.PopVariance(x, weights) * floats.Sum(weights)
	return estimate{slope*slope + noise.variance/passes[0].before/spread, freedom}
}

// repeated returns the seconds of a later pass's calls of a pattern, and the seconds of as many calls of the first
// pass. Both passes set the view in about the same time, which is the first pass's time outside of its blocks.
func repeated(first, s *Sample) (again, before float64) {
	if s.Bytes == 0 || float64(s.Repetitions) < minRepeated*float64(first.Repetitions) {
		return 0, 0
	}
	return s.Seconds - max(first.Seconds-first.Blocks.sum(), 0), first.Blocks.first(s.Repetitions, first.Repetitions)
}

// first returns the seconds of the first n calls. all is the number of calls.
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
