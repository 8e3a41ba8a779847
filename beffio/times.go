package beffio

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/stats"
)

// The times of a run that its interval follows from: spans, which are calls in blocks of time, or happened once.

// span is a part of the time of a type.
type span struct {
	access  Access
	typ     patterns.IOType
	pattern int
	seconds float64
	blocks  []float64 // nil: it is there once
	odd     float64   // seconds by which the last calls, fewer than a block, took longer than they would by the blocks
	at      float64   // the moment of the run at which half of it was over
	kind    kind      // of what is there once
	bytes   int64     // of that
}

// kind is a kind of time that is there once.
type kind struct {
	access Access // empty: all of them
	what   string
}

// spreads is the relative standard deviation of a kind of times.
type spreads struct{ part, freedom float64 }

// times has the times of a result, by partition.
type times struct {
	r     *Result
	known bool // some calls have times
	spans [][]span
	once  map[kind]spreads
	*moments
	drift stats.Estimate // of the logarithm of all times, by the second
}

func timesOf(r *Result) *times {
	t := &times{r: r, spans: make([][]span, len(r.Partitions)), once: map[kind]spreads{}}
	for i := range r.Samples {
		t.known = t.known || r.Samples[i].Blocks != nil
	}
	if !t.known {
		return t
	}
	type file struct {
		partition int
		place
	}
	bytes := map[file]int64{}
	t.moments = momentsOf(r)
	for i := range r.Samples {
		if s := &r.Samples[i]; s.Pass == 0 {
			typ := r.typeOf(s.Pattern)
			bytes[file{s.Partition, place{s.Access, typ}}] += s.Bytes
			for _, x := range spansOf(s, typ) {
				x.at = t.samples[i]
				t.spans[s.Partition] = append(t.spans[s.Partition], x)
			}
		}
	}
	closes := map[file]FileSample{} // that of the last pass counts
	for _, f := range r.Files {
		at := file{f.Partition, place{f.Access, TypeNamed(f.Type)}}
		if f.Pass == 0 {
			t.spans[f.Partition] = append(t.spans[f.Partition], span{access: f.Access, typ: at.typ, seconds: f.Open,
				kind: kind{"", "open"}, at: t.files[group{f.Partition, at.place, 0}].open})
		}
		closes[at] = f
	}
	for n := range r.Partitions {
		for _, a := range Accesses() {
			for _, typ := range Types() {
				at := file{n, place{a, typ}}
				if f, ok := closes[at]; ok {
					k := kind{"", "close"}
					if a == Read && !r.Keep { // it removes the file
						k.access = Read
					}
					t.spans[n] = append(t.spans[n], span{access: a, typ: typ, seconds: f.Close, kind: k,
						bytes: bytes[at], at: t.files[group{n, at.place, f.Pass}].close})
				}
			}
		}
	}
	t.fit()
	t.drift = t.drifts()
	return t
}

// spansOf returns the times of a sample's calls and of what is around them.
func spansOf(s *Sample, typ patterns.IOType) []span {
	all := span{access: s.Access, typ: typ, pattern: s.Pattern, seconds: s.Seconds, bytes: s.Bytes}
	if s.Blocks == nil || len(s.Blocks.Seconds) < 2 {
		all.kind = kind{s.Access, "call"}
		return []span{all}
	}
	calls, b := all, s.Blocks
	calls.blocks, calls.seconds = b.Seconds, min(b.sum(), s.Seconds)
	if in := b.Calls * int64(len(b.Seconds)); b.Rest > 0 {
		calls.odd = b.Rest - (b.sum()-b.Rest)*float64(max(s.Repetitions-in, 0))/float64(in)
	}
	all.seconds -= calls.seconds
	all.kind = kind{s.Access, "sync"}
	return []span{calls, all}
}

// fit finds what times of each kind spread around a straight line over the bytes, in all partitions.
func (t *times) fit() {
	type points struct{ x, y []float64 }
	all := map[kind]*points{}
	for _, list := range t.spans {
		for _, s := range list {
			if s.blocks == nil {
				if all[s.kind] == nil {
					all[s.kind] = &points{}
				}
				p := all[s.kind]
				p.x, p.y = append(p.x, float64(s.bytes)), append(p.y, s.seconds)
			}
		}
	}
	for k, p := range all {
		t.once[k] = spreads{alone, 1}
		if len(p.y) >= leastFitted {
			t.once[k] = aroundLine(p.x, p.y)
		}
	}
}

// aroundLine returns what times spread around a line over the bytes, relative to the line. The errors of the points
// are as large as the line through them by equal errors is.
func aroundLine(x, y []float64) spreads {
	const leastSeconds = 1e-9
	err := make([]float64, len(y))
	for i := range err {
		err[i] = 1
	}
	var line [2]float64
	for range 3 {
		line = stats.PositiveLines(x, y, err)[0]
		for i := range err {
			err[i] = max(line[0]+line[1]*x[i], leastSeconds)
		}
	}
	sum, free := 0.0, float64(len(y)-2)
	for i := range y {
		off := (y[i] - line[0] - line[1]*x[i]) / err[i]
		sum += off * off / free
	}
	return spreads{math.Sqrt(sum), free}
}

// place is a pattern type with an access method, in a partition.
type place struct {
	access Access
	typ    patterns.IOType
}

// within adds the intervals of a partition's figures, or why they aren't known.
func (t *times) within(p *Partition, n int) {
	if !t.known {
		return
	}
	x, calm := t.of(n), t.calm(n)
	for i := range p.Accesses {
		m := &p.Accesses[i]
		if m.Bandwidth == 0 {
			continue
		}
		parts := map[place]float64{}
		for _, typ := range Types() {
			parts[place{m.Access, typ}] = m.Share(typ) / m.Bandwidth
		}
		m.Interval, m.NotKnown = x.interval(m.Bandwidth, calm.Access(m.Access).Bandwidth, parts, period{n, m.Access})
	}
	if rated := p.Rating(t.r.Rules); rated > 0 {
		p.Interval, p.NotKnown = x.interval(rated, calm.Rating(t.r.Rules), t.parts(p), wholeRun)
	}
}

// parts returns the relative change of a partition's rating with the bandwidth of each type.
func (t *times) parts(p *Partition) map[place]float64 {
	parts, formula := map[place]float64{}, t.r.Rules.Formula()
	for _, factor := range formula.Factors {
		all := factor.Of(p)
		for _, term := range factor.Split().Terms {
			parts[place{term.Access, term.Type}] += formula.Power * term.Weight * term.Of(p) / all
		}
	}
	return parts
}

// partTimes has the times of a partition.
type partTimes struct {
	*times
	spans   []span
	seconds map[place]float64 // of all spans of a type
	made    []made
}

// made is a pattern's part in the bytes of its type, less its part in the seconds, and the pattern of the initial write
// that decides how many calls it makes: it gets a share of the time.
type made struct {
	at     place
	excess float64
	by     int // negative: its calls are always as many
}

func (t *times) of(n int) *partTimes {
	x := &partTimes{times: t, spans: t.spans[n], seconds: map[place]float64{}}
	for _, s := range x.spans {
		x.seconds[place{s.access, s.typ}] += s.seconds
	}
	bytes, repetitions := map[place]float64{}, map[int]int64{}
	for i := range t.r.Samples {
		if s := &t.r.Samples[i]; s.Partition == n && s.Pass == 0 {
			bytes[place{s.Access, t.r.typeOf(s.Pattern)}] += float64(s.Bytes)
			if s.Access == Write {
				repetitions[s.Pattern] = s.Repetitions
			}
		}
	}
	plan := t.r.plan()
	for i := range t.r.Samples {
		s := &t.r.Samples[i]
		at := place{s.Access, t.r.typeOf(s.Pattern)}
		if s.Partition != n || s.Pass > 0 || bytes[at] == 0 || x.seconds[at] == 0 {
			continue
		}
		x.made = append(x.made, made{at, float64(s.Bytes)/bytes[at] - s.Seconds/x.seconds[at],
			plan.decider(s.Pattern, repetitions)})
	}
	return x
}

// plan returns a plan with the patterns of a result.
func (r *Result) plan() *Plan {
	plan := &Plan{}
	for _, p := range r.Patterns {
		plan.Rows = append(plan.Rows, patterns.IORow{Number: p.Number, Type: p.Type, Disk: p.Disk, Memory: p.Memory,
			Units: p.Units})
	}
	return plan
}

// decider returns the number of the pattern whose share of the time decides how many calls a pattern makes; negative if
// they are always as many.
func (p *Plan) decider(number int, repetitions map[int]int64) int {
	i := slices.IndexFunc(p.Rows, func(r patterns.IORow) bool { return r.Number == number })
	if i < 0 || p.Rows[i].Units == 0 {
		return -1
	}
	r := p.Rows[i]
	if r.Type <= patterns.Separated {
		return number
	}
	scatter, shared, separated := p.matching(r, patterns.Scatter), p.matching(r, patterns.Shared),
		p.matching(r, patterns.Separated)
	if scatter.Number < 0 || shared.Number < 0 || separated.Number < 0 || scatter.Disk == 0 {
		return -1
	}
	calls := []int64{repetitions[scatter.Number] * (scatter.Memory / scatter.Disk), 10 * repetitions[shared.Number],
		repetitions[separated.Number]}
	return []int{scatter.Number, shared.Number, separated.Number}[slices.Index(calls, slices.Min(calls))]
}
