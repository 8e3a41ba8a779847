package noise

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// trace records the time that a process lost.
type trace struct {
	method  rating.NoiseMethod
	seconds float64 // to watch
	one     float64 // seconds of an undisturbed loop
	bin     float64 // seconds

	begun   bool
	origin  float64   // of the bins, on the process's clock
	now     float64   // since the origin
	watched float64   // seconds in loops
	seen    []float64 // seconds in loops, of each bin
	lost    []float64 // seconds lost, of each bin; with fixed time quanta, the work done until end
	longest float64   // seconds
	detours stats.Histogram
	quanta  [][2]float64 // of fixed work: begin and duration of each
}

func newTrace(method rating.NoiseMethod, seconds, one float64) *trace {
	t := &trace{method: method, seconds: seconds, one: one, bin: max(bin, seconds/maxBins)}
	n := int(math.Ceil(seconds/t.bin)) + 1
	t.seen, t.lost = make([]float64, n), make([]float64, n)
	return t
}

// over reports whether the process has watched for long enough; left returns the remaining seconds.
func (t *trace) over() bool    { return t.now >= t.seconds }
func (t *trace) left() float64 { return t.seconds - t.now }

// add adds the times of loops, the first of which began at a time of the process's clock.
func (t *trace) add(begin float64, each []float64) {
	if !t.begun {
		t.begun, t.origin = true, begin
	}
	at := begin - t.origin
	for _, took := range each {
		if at >= t.seconds {
			break // later loops are beyond the bins
		}
		switch t.method {
		case rating.FixedWork:
			t.quanta = append(t.quanta, [2]float64{at, took})
		case rating.FixedTime:
			t.spread(t.lost, at, took, 1)
		default:
			if took > detourFactor*t.one {
				t.detour(at, took, took-t.one)
			}
		}
		t.spread(t.seen, at, took, took)
		t.watched += took
		at += took
	}
	t.now = at
}

// spread distributes seconds over the bins of a span of time, in proportion.
func (t *trace) spread(bins []float64, at, took, seconds float64) {
	first, last := int(at/t.bin), int((at+took)/t.bin)
	if first == last || took == 0 {
		if first < len(bins) {
			bins[first] += seconds
		}
		return
	}
	for i := first; i <= last && i < len(bins); i++ {
		from, to := max(at, float64(i)*t.bin), min(at+took, float64(i+1)*t.bin)
		bins[i] += seconds * max(0, to-from) / took
	}
}

// detour records that the process lost seconds in a span of time.
func (t *trace) detour(at, took, seconds float64) {
	t.spread(t.lost, at, took, seconds)
	t.longest = max(t.longest, seconds)
	t.detours.Add(int64(math.Round(seconds*1e12)), 1)
}

// end determines the lost time of methods that only know it at the end.
func (t *trace) end() {
	switch t.method {
	case rating.FixedWork: // the quickest piece of work, and pieces hardly longer, weren't disturbed
		const hardly = 0.01
		least := math.Inf(1)
		for _, q := range t.quanta {
			least = min(least, q[1])
		}
		for _, q := range t.quanta {
			if more := q[1] - least; more > hardly*least {
				t.detour(q[0], q[1], more)
			}
		}
	case rating.FixedTime:
		t.endOfTime()
	}
}

// endOfTime computes the time lost in each time quantum from the work done in it. It takes the best tenth of the quanta
// as undisturbed, because the very best one may include some of its neighbour's work. Losses in successive quanta count
// as one event, if the quanta in between are completely lost.
func (t *trace) endOfTime() {
	var rates []float64
	whole := func(i int) bool { return t.seen[i] > 0.9*t.bin }
	for i := range t.lost {
		if whole(i) {
			rates = append(rates, t.lost[i]/t.seen[i])
		}
	}
	slices.Sort(rates)
	best, run := stats.Quantile(rates, 0.9), 0.0
	const nothing = 1e-3 // of a quantum
	note := func() {
		if run > 0 {
			t.longest = max(t.longest, run)
			t.detours.Add(int64(math.Round(run*1e12)), 1)
		}
		run = 0
	}
	for i, done := range t.lost {
		t.lost[i] = 0
		if whole(i) && best > 0 {
			t.lost[i] = t.seen[i] - done/best
		}
		if t.lost[i] < nothing*t.bin {
			t.lost[i] = 0
		}
		const some, full = 0.05, 0.95
		if t.lost[i] < some*t.bin {
			note()
			continue
		}
		run += t.lost[i]
		if t.lost[i] < full*t.bin && i > 0 && t.lost[i-1] >= full*t.bin {
			note()
		}
	}
	note()
}

// share returns the part of the time that was lost.
func (t *trace) share() float64 {
	lost, seen := 0.0, 0.0
	for i, x := range t.lost {
		lost, seen = lost+x, seen+t.seen[i]
	}
	if !(seen > 0) {
		return 0
	}
	return min(lost/seen, 1)
}

// period returns the seconds between regular losses, or 0 if they aren't regular.
func (t *trace) period() float64 {
	n := min(int(t.now/t.bin), len(t.lost))
	p, _ := stats.Period(t.lost[:n], t.bin)
	return p
}

// parts returns the part of the time that was lost in each of at most maxParts periods of equal length, for a picture.
func (t *trace) parts() []float64 {
	n := min(int(t.now/t.bin), len(t.lost))
	each := max(1, (n+maxParts-1)/maxParts)
	list := []float64{}
	for chunk := range slices.Chunk(t.lost[:n], each) {
		list = append(list, math.Round(min(1, lists.Sum(chunk)/(float64(len(chunk))*t.bin))*1e6)/1e6)
	}
	return list
}
