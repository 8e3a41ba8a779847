package beff

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/patterns"
)

// index names one measurement by its indices in the plan.
type index struct{ pass, repetition, length, pattern, method int }

// loopRule chooses the number of loops of each measurement. All processes pass the same arguments and so get the same
// results. Times are maxima over the processes, because a maximum is exactly the same on all of them, whatever the
// order in which a library reduces.
type loopRule interface {
	// prerun returns how many loops of every pattern and method run before a length, to learn how long they take.
	prerun(repetition, length int) int64
	// start is called before the measurements of a length.
	start(repetition, length int)
	// loops returns the number of loops of the next measurement, or 0 to leave it out.
	loops(index) int64
	// accept notes the seconds that the loops took. It returns false if they are too short, so that the measurement
	// must be repeated.
	accept(a index, loops int64, seconds float64) bool
	// resume notes a sample from a part of the run before it was resumed.
	resume(a index, loops int64, seconds float64)
}

// loopLimit is the number of loops after which a clock that doesn't advance is an error.
const loopLimit = 1 << 40

func (p *Plan) loopRule() loopRule {
	if p.Rules == Rules36 {
		return newLoops36(p)
	}
	return newLoops2001(p)
}

// firstLoops is the loop length for the shortest message (paper, Sec. 3).
const firstLoops = 300

// pilotDivisor divides the number of loops for the first try of a measurement whose time isn't known.
const pilotDivisor = 16

// window returns the seconds that a sample should take: 2.5 to 5 ms (paper, Sec. 3), or a fifth of that in a quick run.
func (p *Plan) window() (shortest, longest float64) {
	if p.Quick {
		return 0.5e-3, 1e-3
	}
	return 2.5e-3, 5e-3
}

// loops2001 is the paper's rule. "The loop length is 300 for the shortest message; it is reduced for longer ones to
// achieve an execution time of 2.5 to 5 ms". If 300 exchanges take less than that, the length grows, because the time
// is the rule's purpose.
//
// Each pattern and method has its own loop length, which follows from the time of the same measurement in the previous
// repetition. In the first repetition a few loops are tried, a part of the number that the next shorter message
// suggests, so that a sudden step in the times costs little.
type loops2001 struct {
	plan   *Plan
	target float64 // seconds: the geometric middle of the window
	// seconds below which a time is too short, less than the window so that noise rarely causes a repetition
	shortest float64
	perLoop  [][]float64 // seconds of one loop, [pattern·methods+method][length], or 0 if not known
	nextTry  int64       // number of loops for the next try of this measurement
}

func newLoops2001(p *Plan) *loops2001 {
	shortest, longest := p.window()
	r := &loops2001{plan: p, target: math.Sqrt(shortest * longest), shortest: 0.8 * shortest}
	r.perLoop = make([][]float64, len(p.Patterns)*len(p.Methods))
	for i := range r.perLoop {
		r.perLoop[i] = make([]float64, len(p.Lengths))
	}
	return r
}

func (r *loops2001) prerun(int, int) int64 { return 0 }
func (r *loops2001) start(int, int)        {}

func (r *loops2001) times(a index) []float64 {
	return r.perLoop[a.pattern*len(r.plan.Methods)+a.method]
}

func (r *loops2001) loops(a index) int64 {
	perLoop := r.times(a)
	switch {
	case r.nextTry > 0:
		return r.nextTry
	case perLoop[a.length] > 0:
		return loopsFor(r.target, perLoop[a.length])
	case a.length == 0:
		return firstLoops / pilotDivisor
	}
	return max(1, loopsFor(r.target, perLoop[a.length-1])/pilotDivisor)
}

func (r *loops2001) accept(a index, loops int64, seconds float64) bool {
	r.nextTry = 0
	if seconds < r.shortest {
		r.nextTry = max(2*loops, min(100*loops, loopsFor(r.target, seconds/float64(loops))))
		return false
	}
	r.times(a)[a.length] = seconds / float64(loops)
	return true
}

func (r *loops2001) resume(a index, loops int64, seconds float64) {
	r.times(a)[a.length] = seconds / float64(loops)
}

// loopsFor returns the number of loops that fill a time, at least 1. If a loop takes no time, it is above loopLimit.
func loopsFor(target, perLoop float64) int64 {
	if perLoop <= 0 {
		return 2 * loopLimit
	}
	return int64(max(1, math.Round(target/perLoop)))
}

// Constants of release 3.6 (from its documentation and from its output).
const (
	prerunLoops    = 10 // at the shortest length, before each repetition
	lengthSeconds  = 0.5
	lastTwoSeconds = 60.0
	// assumed ratio of the times of the slowest and the fastest pattern at the last two lengths
	slowestRatio   = 4.0
	fixedLengths   = 13 // lengths that don't depend on Lmax, each twice the one before
	minRepetitions = 2
)

// window36 returns the seconds that one length and method should take over all patterns.
func (p *Plan) window36() float64 {
	if p.Quick {
		return lengthSeconds / 5
	}
	return lengthSeconds
}

// loops36 is the rule of release 3.6. All patterns have the same number of loops for a message length and method. At
// the shortest length it is half of the number that would take 0.5 s. With each longer length it is divided by the
// ratio of the lengths, but grows if the previous length took too little time. If the last two lengths would take more
// than 60 s, they are measured only with the fastest method of each pattern and one loop, and the last one only twice.
type loops36 struct {
	plan       *Plan
	limit      []int64     // per method: the most loops
	count      []int64     // per method: loops at the current length
	sum        []float64   // per method: seconds over all patterns at the current length
	fastest    []float64   // per method: seconds of the fastest pattern
	onlyMethod []int       // per pattern: the only method for the last two lengths of this repetition; nil: all methods
	perLoop    [][]float64 // seconds of one loop at the current length, [pattern][method]
	shortened  bool        // the last length is measured only minRepetitions times
	nextTry    int64       // number of loops for the next try of this measurement
}

func newLoops36(p *Plan) *loops36 {
	n := len(p.Methods)
	r := &loops36{plan: p, limit: make([]int64, n), count: make([]int64, n), sum: make([]float64, n),
		fastest: make([]float64, n)}
	r.perLoop = make([][]float64, len(p.Patterns))
	for i := range r.perLoop {
		r.perLoop[i] = make([]float64, n)
	}
	return r
}

func (r *loops36) prerun(_, length int) int64 {
	if length > 0 {
		return 0
	}
	r.onlyMethod = nil
	r.clear()
	for m := range r.count {
		r.count[m] = prerunLoops
	}
	return prerunLoops
}

func (r *loops36) clear() {
	for m := range r.sum {
		r.sum[m], r.fastest[m] = 0, math.Inf(1)
	}
}

func (r *loops36) start(_, length int) {
	r.nextTry = 0
	lengths := r.plan.Lengths
	last := len(lengths) - 1
	if length == last-1 && r.lastTwoTooLong(float64(lengths[last])/float64(lengths[last-1])) {
		r.chooseOnlyMethods()
	}
	for m := range r.count {
		switch {
		case r.onlyMethod != nil:
			r.count[m] = 1
		case length == 0 && r.sum[m] == 0:
			r.limit[m], r.count[m] = loopLimit, 1000*prerunLoops // too short for the clock
		case length == 0:
			r.limit[m] = max(prerunLoops, loopsFor(prerunLoops*r.plan.window36(), r.sum[m]))
			r.count[m] = max(1, r.limit[m]/2)
		default:
			ratio := 2.0
			if length >= fixedLengths {
				ratio = float64(lengths[length]) / float64(lengths[length-1])
			}
			next := float64(r.count[m]) / ratio * max(1, r.plan.window36()/r.sum[m])
			r.count[m] = int64(max(1, min(next, float64(r.limit[m]))))
		}
	}
	r.clear()
}

// lastTwoTooLong reports whether the last two lengths, over all methods and repetitions, would take too long. It
// estimates the time from the fastest pattern.
func (r *loops36) lastTwoTooLong(ratio float64) bool {
	for m, seconds := range r.fastest {
		if math.IsInf(seconds, 1) {
			continue // no pattern is measured by this method
		}
		perLoop := seconds / float64(r.count[m])
		all := float64(len(r.plan.Patterns)*len(r.plan.Methods)*r.plan.Repetitions) * slowestRatio
		if perLoop*all*(ratio+ratio*ratio) > lastTwoSeconds {
			return true
		}
	}
	return false
}

func (r *loops36) chooseOnlyMethods() {
	r.onlyMethod = make([]int, len(r.plan.Patterns))
	r.shortened = true
	for i, times := range r.perLoop {
		for m, t := range times {
			if t > 0 && (times[r.onlyMethod[i]] == 0 || t <= times[r.onlyMethod[i]]) {
				r.onlyMethod[i] = m
			}
		}
	}
}

func (r *loops36) loops(a index) int64 {
	last := len(r.plan.Lengths) - 1
	switch {
	case r.onlyMethod != nil && r.onlyMethod[a.pattern] != a.method:
		return 0
	case r.shortened && a.length == last && a.repetition >= minRepetitions:
		return 0
	case r.nextTry > 0:
		return r.nextTry
	}
	return r.count[a.method]
}

func (r *loops36) accept(a index, loops int64, seconds float64) bool {
	r.nextTry = 0
	if seconds <= 0 {
		r.nextTry = 2 * loops
		return false
	}
	r.sum[a.method] += seconds
	r.fastest[a.method] = min(r.fastest[a.method], seconds)
	r.perLoop[a.pattern][a.method] = seconds / float64(loops)
	return true
}

func (r *loops36) resume(a index, loops int64, seconds float64) {
	if r.count[a.method] = loops; a.length == 0 {
		r.limit[a.method] = max(prerunLoops, 2*loops)
	}
	r.accept(a, loops, seconds)
}

// errClock returns the error for a clock that doesn't advance.
func errClock(p patterns.Pattern, loops int64) error {
	return fmt.Errorf("measure %s: the clock does not advance in %d loops", p.Name, loops)
}
