package beffio

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// CallTimes holds the durations of a pattern's MPI-IO calls, on all processes.
type CallTimes struct {
	// Picoseconds of each call.
	Histogram stats.Histogram `json:"histogram"`
	// The slowest calls, the slowest first.
	Slowest []rating.SlowCall `json:"slowest" jsonschema:"minItems=1,maxItems=8"`
}

// Tail describes the durations of a pattern's calls with an access method.
type Tail struct {
	Access Access `json:"access" jsonschema:"enum=write,enum=rewrite,enum=read"`
	// Number of the pattern.
	Pattern int `json:"pattern" jsonschema:"minimum=0"`
	// Number of calls of all processes.
	Calls int64 `json:"calls" jsonschema:"minimum=1"`
	// Mean seconds of a call.
	Mean float64 `json:"mean" jsonschema:"minimum=0"`
	// Seconds that half of the calls take at most.
	Median float64 `json:"median" jsonschema:"minimum=0"`
	// Times that a part of the calls doesn't exceed.
	Quantiles []rating.Quantile `json:"quantiles"`
	// Seconds of the slowest call.
	Max float64 `json:"max" jsonschema:"minimum=0"`
}

// counts reports whether the plan counts the time of each call.
func (p *Plan) counts() bool { return len(p.Quantiles) > 0 }

// callTimes returns, on process 0, the durations of a pattern's calls in the first pass, or the slowest call of a later
// pass. Both are nil on other processes, and if the times of calls aren't counted.
func (m *measurer) callTimes(a Access, n int, o *outcome) (first *CallTimes, later *rating.SlowCall, err error) {
	if !m.plan.counts() || o.row.Memory == 0 {
		return nil, nil, nil
	}
	c, t := m.comms[n], mpi.NewTally()
	if lapIO < len(o.Laps) && o.Laps[lapIO].Tally != nil {
		t = o.Laps[lapIO].Tally
	}
	h := new(stats.Histogram)
	if m.pass.number == 0 {
		if h, err = rating.MergedHistogram(c, histogram(t)); err != nil {
			return nil, nil, err
		}
	}
	owner, start := m.comm(a, n).Rank(), m.pass.layout[n][o.row.Number].start
	where := m.plan.region(o.row, owner, m.plan.Partitions[n], start, m.pass.segment[n])
	var mine []rating.SlowCall
	for _, l := range t.Slowest {
		mine = append(mine, rating.SlowCall{Seconds: nanoseconds(l.Seconds),
			At:   nanoseconds(max(o.began+l.End-l.Seconds, 0)),
			Rank: int64(c.Rank()), Repetition: l.Loop, Offset: where.offset + l.Loop*where.loop})
	}
	slow, err := rating.SlowestOf(c, mine)
	switch {
	case err != nil || len(slow) == 0:
		return nil, nil, err
	case m.pass.number > 0:
		return nil, &slow[0], nil
	}
	return &CallTimes{Histogram: *h, Slowest: slow}, nil, nil
}

// histogram returns the times of a tally.
func histogram(t *mpi.Tally) *stats.Histogram {
	h := &stats.Histogram{Min: t.Min, Max: t.Max, Sum: t.Sum}
	for i, n := range t.Counts {
		if n > 0 {
			h.From, h.Counts = append(h.From, mpi.TallyFloor(i)), append(h.Counts, n)
		}
	}
	return h
}

// check returns an error unless the times can belong to a sample's calls.
func (t *CallTimes) check(s *Sample, processes int) error {
	h := &t.Histogram
	if err := h.Check(); err != nil {
		return err
	}
	switch n := len(t.Slowest); {
	case s.Pass > 0:
		return fmt.Errorf("pass %d has times of each call, which only the first pass can have", s.Pass)
	case h.N() != s.Calls:
		return fmt.Errorf("times of %d of %d calls", h.N(), s.Calls)
	case n < 1 || int64(n) > s.Calls:
		return fmt.Errorf("%d slowest calls of %d", n, s.Calls)
	case math.Abs(t.Slowest[0].Seconds-seconds(h.Max)) > 1e-9*(1+t.Slowest[0].Seconds):
		return fmt.Errorf("the slowest call took %v s, but the histogram gives %v s", t.Slowest[0].Seconds,
			seconds(h.Max))
	}
	return rating.CheckSlowest(t.Slowest, processes, s.Calls)
}

// seconds converts picoseconds to seconds.
func seconds(ps int64) float64 { return float64(ps) * picosecond }

// picosecond is a picosecond in seconds.
const picosecond = 1e-12

// deriveTails returns the tails of a partition's patterns.
func deriveTails(r *Result, n int) (list []Tail) {
	for _, s := range r.Samples {
		if s.Partition != n || s.Times == nil {
			continue
		}
		h := &s.Times.Histogram
		list = append(list, Tail{Access: s.Access, Pattern: s.Pattern, Calls: h.N(), Mean: h.Mean() * picosecond,
			Median: h.Quantile(0.5) * picosecond, Max: seconds(h.Max),
			Quantiles: rating.Quantiles(h, r.Quantiles, rating.Confidence, picosecond)})
	}
	return list
}
