package noise

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// trace is what a process has seen: the time that it lost, by when that was.
type trace struct {
	method  rating.NoiseMethod
	seconds float64 // that it should watch
	one     float64 // seconds of a loop that nothing disturbs
	bin     float64 // seconds

	begun   bool
	origin  float64   // of the bins, on the process' clock
	now     float64   // since the origin
	watched float64   // seconds in loops
	seen    []float64 // of each bin: seconds in loops
	lost    []float64 // of each bin: seconds; of fixed time quanta, until the end, the work that was done
	longest float64   // seconds
	detours stats.Histogram
	quanta  [][2]float64 // of fixed work: when each began, and what it took
}

func newTrace(method rating.NoiseMethod, seconds, one float64) *trace {
	t := &trace{method: method, seconds: seconds, one: one, bin: max(bin, seconds/mostBins)}
	n := int(math.Ceil(seconds/t.bin)) + 1
	t.seen, t.lost = make([]float64, n), make([]float64, n)
	return t
}

// over reports whether the process has watched for long enough; left returns the seconds until then.
func (t *trace) over() bool    { return t.now >= t.seconds }
func (t *trace) left() float64 { return t.seconds - t.now }

// add adds the times of loops that began at a time of the process' clock.
func (t *trace) add(begin float64, each []float64) {
	if !t.begun {
		t.begun, t.origin = true, begin
	}
	at := begin - t.origin
	for _, took := range each {
		if at >= t.seconds {
			break // what is beyond the bins doesn't count
		}
		switch t.method {
		case rating.FixedWork:
			t.quanta = append(t.quanta, [2]float64{at, took})
		case rating.FixedTime:
			t.spread(t.lost, at, took, 1)
		default:
			if took > longerThan*t.one {
				t.detour(at, took, took-t.one)
			}
		}
		t.spread(t.seen, at, took, took)
		t.watched += took
		at += took
	}
	t.now = at
}

// spread adds seconds to the bins of a span of time, each its part.
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

// detour notes that the process lost seconds in a span of time.
func (t *trace) detour(at, took, seconds float64) {
	t.spread(t.lost, at, took, seconds)
	t.longest = max(t.longest, seconds)
	t.detours.Add(int64(math.Round(seconds*1e12)), 1)
}

// end finds what was lost, where that is known at the end alone.
func (t *trace) end() {
	switch t.method {
	case rating.FixedWork: // the quickest piece of work was not disturbed, nor those that took hardly longer
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

// endOfTime makes what was lost in each time quantum from the work that was done in it. Nothing disturbed the best
// tenth of the quanta: the best one of all may have got some of its neighbour's work. What is lost in quanta one behind
// the other was lost at once, as far as it fills those in between.
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

// period returns the seconds after which time is lost again and again, 0 if it isn't regular.
func (t *trace) period() float64 {
	n := min(int(t.now/t.bin), len(t.lost))
	p, _ := stats.Period(t.lost[:n], t.bin)
	return p
}

// parts returns the part of the time that was lost, in periods of the same length that a picture can show.
func (t *trace) parts() []float64 {
	n := min(int(t.now/t.bin), len(t.lost))
	each := max(1, (n+mostParts-1)/mostParts)
	list := []float64{}
	for chunk := range slices.Chunk(t.lost[:n], each) {
		list = append(list, math.Round(min(1, lists.Sum(chunk)/(float64(len(chunk))*t.bin))*1e6)/1e6)
	}
	return list
}
